#include "io/y4m.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <numeric>

#include "base/error.h"
#include "base/parallel.h"
#include "io/pipe_signal.h"

namespace phlo::io {
namespace {

/// Y, U and V as sums of red, green and blue in 1/65536: video range, rounded by the last term.
struct Weights {
    std::int32_t red, green, blue, plus;

    std::uint8_t operator()(std::int32_t r, std::int32_t g, std::int32_t b) const { return std::uint8_t((red * r + green * g + blue * b + plus) >> 16); }
};
struct Conversion {
    Weights y, u, v;
};

Conversion conversion_of(YuvMatrix matrix) {
    const double red = matrix == YuvMatrix::bt601 ? 0.299 : 0.2126, blue = matrix == YuvMatrix::bt601 ? 0.114 : 0.0722, green = 1 - red - blue;
    const auto weights = [](double r, double g, double b, double scale, int zero) {
        const auto fixed = [&](double w) { return std::int32_t(std::lround(w * scale / 255 * 65536)); };
        return Weights{fixed(r), fixed(g), fixed(b), (zero << 16) + (1 << 15)};
    };
    return {weights(red, green, blue, 219, 16), weights(-red / (1 - blue), -green / (1 - blue), 1, 112, 128), weights(1, -green / (1 - red), -blue / (1 - red), 112, 128)};
}

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
    const Conversion to = conversion_of(matrix);
    parallel_for(image.height, [&](int y) {
        std::uint8_t* luma = planes.data() + std::size_t(y) * std::size_t(image.width);
        for (int x = 0; x < image.width; ++x) {
            const std::uint8_t* p = image.at(x, y);
            luma[x] = to.y(p[0], p[1], p[2]);
        }
    });
    parallel_for(half_height, [&](int y) {
        std::uint8_t *u = planes.data() + luma_size + std::size_t(y) * std::size_t(half_width), *v = u + chroma_size;
        const int top = 2 * y, bottom = std::min(top + 1, image.height - 1);
        for (int x = 0; x < half_width; ++x) {
            const int left = 2 * x, right = std::min(left + 1, image.width - 1);
            const std::uint8_t* corners[4] = {image.at(left, top), image.at(right, top), image.at(left, bottom), image.at(right, bottom)};
            std::int32_t mean[3];
            for (int c = 0; c < 3; ++c) mean[c] = (corners[0][c] + corners[1][c] + corners[2][c] + corners[3][c] + 2) / 4;
            u[x] = to.u(mean[0], mean[1], mean[2]), v[x] = to.v(mean[0], mean[1], mean[2]);
        }
    });
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
