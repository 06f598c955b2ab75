#include "io/y4m.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <numeric>

#include "base/error.h"
#include "io/pipe_signal.h"

namespace phlo::io {
namespace {

/// Shares of red and blue in the luma; green has the rest.
struct Luma {
    float red, blue;
};
Luma luma_of(YuvMatrix matrix) { return matrix == YuvMatrix::bt601 ? Luma{0.299f, 0.114f} : Luma{0.2126f, 0.0722f}; }

std::uint8_t byte(float value) { return std::uint8_t(std::lround(value)); }

}  // namespace

YuvMatrix usual_matrix(int width, int height) { return width >= 1280 || height >= 720 ? YuvMatrix::bt709 : YuvMatrix::bt601; }

std::string y4m_header(int width, int height, double fps) {
    const long thousandths = std::lround(fps * 1000), common = std::gcd(thousandths, 1000L);
    return fmt::format("YUV4MPEG2 W{} H{} F{}:{} Ip A1:1 C420jpeg\n", width, height, thousandths / common, 1000 / common);
}

std::vector<std::uint8_t> yuv420(const DisplayImage& image, YuvMatrix matrix) {
    const int half_width = (image.width + 1) / 2, half_height = (image.height + 1) / 2;
    const std::size_t luma_size = std::size_t(image.width) * std::size_t(image.height), chroma_size = std::size_t(half_width) * std::size_t(half_height);
    std::vector<std::uint8_t> planes(luma_size + 2 * chroma_size);
    const Luma k = luma_of(matrix);
    const auto luma = [&](float r, float g, float b) { return k.red * r + (1 - k.red - k.blue) * g + k.blue * b; };
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const std::uint8_t* p = image.at(x, y);
            planes[std::size_t(y) * std::size_t(image.width) + std::size_t(x)] = byte(16 + 219 / 255.f * luma(p[0], p[1], p[2]));
        }
    std::uint8_t *u = planes.data() + luma_size, *v = u + chroma_size;
    for (int y = 0; y < half_height; ++y)
        for (int x = 0; x < half_width; ++x) {
            float sum[3] = {};
            for (int n = 0; n < 4; ++n) {
                const std::uint8_t* p = image.at(std::min(2 * x + (n & 1), image.width - 1), std::min(2 * y + (n >> 1), image.height - 1));
                for (int c = 0; c < 3; ++c) sum[c] += 0.25f * p[c];
            }
            const float grey = luma(sum[0], sum[1], sum[2]);
            *u++ = byte(128 + 224 / 255.f * 0.5f * (sum[2] - grey) / (1 - k.blue));
            *v++ = byte(128 + 224 / 255.f * 0.5f * (sum[0] - grey) / (1 - k.red));
        }
    return planes;
}

Y4mStream::Y4mStream(int descriptor, int width, int height, double fps) : descriptor_(descriptor), width_(width), height_(height), fps_(fps) {}

bool Y4mStream::write(const void* bytes, std::size_t count) const {
    const WithoutPipeSignal guard;
    const char* at = static_cast<const char*>(bytes);
    while (count > 0) {
        const ssize_t written = ::write(descriptor_, at, count);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno == EPIPE) return false;
        if (written < 0) throw RunError(fmt::format("cannot write the video: {}", std::strerror(errno)));
        at += written, count -= std::size_t(written);
    }
    return true;
}

bool Y4mStream::add(const DisplayImage& image) {
    PHLO_CHECK(image.width == width_ && image.height == height_);
    const std::string header = y4m_header(width_, height_, fps_), frame = "FRAME\n";
    if (!begun_ && !write(header.data(), header.size())) return false;
    begun_ = true;
    const std::vector<std::uint8_t> planes = yuv420(image, usual_matrix(width_, height_));
    return write(frame.data(), frame.size()) && write(planes.data(), planes.size());
}

}  // namespace phlo::io
