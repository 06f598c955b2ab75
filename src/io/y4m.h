// Raw video for a pipe: YUV4MPEG2, which tells players its size and rate by itself.
//
//   Y4mStream video(STDOUT_FILENO, 640, 360, 24);
//   for (...) if (!video.add(display_image)) break;             // the reader has gone
//
// phlo play torch --to - | ffplay -
//
// Colours are in video range, with one chroma sample for 2 x 2 pixels in their middle (C420jpeg). The format does not say which matrix: players take BT.601
// for small pictures and BT.709 from 720 lines or 1280 columns on, and so does this.
#pragma once
#include <string>
#include <vector>

#include "io/image.h"

namespace phlo::io {

enum class YuvMatrix { bt601, bt709 };
YuvMatrix usual_matrix(int width, int height);

/// "YUV4MPEG2 W640 H360 F24:1 Ip A1:1 C420jpeg" and a line's end.
std::string y4m_header(int width, int height, double fps);
/// Y, then U and V of half the width and height, rounded up.
std::vector<std::uint8_t> yuv420(const DisplayImage& image, YuvMatrix matrix);

class Y4mStream {
public:
    /// The descriptor stays the caller's.
    Y4mStream(int descriptor, int width, int height, double fps);

    /// False if nobody reads any more. Throws RunError if it cannot be written for another reason.
    bool add(const DisplayImage& image);

private:
    bool write(const void* bytes, std::size_t count) const;

    int descriptor_, width_, height_;
    double fps_;
    bool begun_ = false;
};

}  // namespace phlo::io
