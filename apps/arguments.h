// Arguments that several commands share, from text to values. Wrong ones are InputErrors that name the option.
#pragma once
#include <optional>
#include <string>

namespace phlo::apps {

struct FrameRange {
    std::optional<int> first = {}, last = {};  ///< none: an open end
};
/// "10-20", "7" (one frame), "10-" (from 10 on) or "-20" (up to 20).
FrameRange parse_frames(const std::string& text, const char* option = "--frames");

struct ImageSize {
    int width = 640, height = 360;
};
/// "640x360".
ImageSize parse_size(const std::string& text);

struct Pair {
    int x = 0, y = 0;
};
struct PairRange {
    int first = 1, last = 16384;     ///< of each number
    const char* example = "8x8";
    bool one_is_both = false;        ///< "2048" is 2048x2048
};
/// "8x4".
Pair parse_pair(const char* option, const std::string& text, const PairRange& range);

/// "2.5", from `first` to `last`.
double parse_number(const char* option, const std::string& text, double first, double last);

/// "1,234,567".
std::string count_text(long long count);

}  // namespace phlo::apps
