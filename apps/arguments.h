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

/// "1,234,567".
std::string count_text(long long count);

}  // namespace phlo::apps
