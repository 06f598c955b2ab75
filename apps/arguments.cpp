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
    const std::size_t x = text.find('x');
    if (x != std::string::npos) {
        const auto width = whole_number(std::string_view(text).substr(0, x)), height = whole_number(std::string_view(text).substr(x + 1));
        if (width && height && *width >= 16 && *height >= 16 && *width <= 16384 && *height <= 16384) return {*width, *height};
    }
    throw InputError(fmt::format("--size {}: expected WIDTHxHEIGHT, each from 16 to 16384, for example 640x360", text));
}

std::string count_text(long long count) {
    std::string text = fmt::format("{}", count);
    for (int place = int(text.size()) - 3; place > (count < 0 ? 1 : 0); place -= 3) text.insert(std::size_t(place), ",");
    return text;
}

}  // namespace phlo::apps
