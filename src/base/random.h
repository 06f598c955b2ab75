// Counter-based random numbers: a pure function of (seed, step, id, index), so that the order of work cannot change them.
// Philox4x32-10 [salmon2011].
#pragma once
#include <array>
#include <cstdint>

namespace phlo {

/// Four independent 32-bit words for a 128-bit counter and a 64-bit key.
constexpr std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t(0xD2511F53u) * counter[0], b = std::uint64_t(0xCD9E8D57u) * counter[2];
        counter = {std::uint32_t(b >> 32) ^ counter[1] ^ key[0], std::uint32_t(b), std::uint32_t(a >> 32) ^ counter[3] ^ key[1],
                   std::uint32_t(a)};
        key[0] += 0x9E3779B9u;
        key[1] += 0xBB67AE85u;
    }
    return counter;
}

struct RandomKey {
    std::uint64_t seed = 0;  ///< the scene's seed
    std::uint32_t step = 0;  ///< time step
    std::uint32_t stream = 0;  ///< what it is for, so that two uses never share numbers
};

/// Uniform in [0, 1), for the `index`-th draw of item `id`; four numbers at once.
constexpr std::array<float, 4> uniform4(const RandomKey& key, std::uint32_t id, std::uint32_t index = 0) {
    const auto words = philox({id, index, key.step, key.stream}, {std::uint32_t(key.seed), std::uint32_t(key.seed >> 32)});
    std::array<float, 4> result{};
    for (std::size_t i = 0; i < 4; ++i) result[i] = float(words[i] >> 8) * 0x1p-24f;
    return result;
}

}  // namespace phlo
