#include "arguments.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "base/error.h"

namespace phlo::apps {
namespace {

std::optional<int> whole_number(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return value;
}

}  // namespace

FrameRange parse_frames(const std::string& text, const char* option) {
    const std::size_t dash = text.find('-');
    const std::string_view all = text, before = all.substr(0, dash), after = dash == std::string::npos ? before : all.substr(dash + 1);
    const FrameRange range{whole_number(before), whole_number(after)};
    const bool readable = (before.empty() || range.first) && (after.empty() || range.last) && (range.first || range.last);
    if (!readable) throw InputError(fmt::format("{} {}: expected A-B, A-, -B or a single frame number", option, text));
    if (range.first && range.last && *range.first > *range.last)
        throw InputError(fmt::format("{} {}: no frames: {} comes after {}", option, text, *range.first, *range.last));
    return range;
}

ImageSize parse_size(const std::string& text) {
    const Pair size = parse_pair("--size", text, {.first = 16, .last = 16384, .example = "640x360"});
    return {size.x, size.y};
}

Pair parse_pair(const char* option, const std::string& text, const PairRange& range) {
    const std::string_view all = text;
    const std::size_t x = text.find('x');
    const auto first = whole_number(all.substr(0, x)), second = x == std::string::npos ? (range.one_is_both ? first : std::nullopt) : whole_number(all.substr(x + 1));
    const auto fits = [&](int n) { return n >= range.first && n <= range.last; };
    if (first && second && fits(*first) && fits(*second)) return {*first, *second};
    throw InputError(fmt::format("{} {}: expected two numbers with an x between, each from {} to {}, for example {}", option, text, range.first, range.last, range.example));
}

double parse_number(const char* option, const std::string& text, double first, double last) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value >= first && value <= last) return value;
    throw InputError(fmt::format("{} {}: expected a number from {:g} to {:g}", option, text, first, last));
}

std::string count_text(long long count) {
    std::string text = fmt::format("{}", count);
    for (int place = int(text.size()) - 3; place > (count < 0 ? 1 : 0); place -= 3) text.insert(std::size_t(place), ",");
    return text;
}

}  // namespace phlo::apps
