// A number for a text that tells it from others: in names of caches, and to see whether something changed. Not for safety.
//
//   std::uint64_t hash = fnv1a("campfire");
//   std::uint64_t both = fnv1a(" and logs", hash);      // of "campfire and logs"
#pragma once
#include <cstdint>
#include <string_view>

namespace phlo {

inline constexpr std::uint64_t fnv1a_of_nothing = 0xcbf29ce484222325u;

/// FNV-1a, 64 bits, byte by byte [fowler1991]; `before`: the hash of what comes before the text.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t before = fnv1a_of_nothing) {
    for (const char c : text) before = (before ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return before;
}

}  // namespace phlo
