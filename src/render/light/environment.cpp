#include "render/light/environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>

#include "base/error.h"
#include "config/file_gate.h"

namespace phlo::render {
namespace {

constexpr double pi = std::numbers::pi;
/// Directions drawn without looking at the map: between bright and black pixels there is light, too.
constexpr float even_share = 0.1f;
constexpr float even_density = 0.0795774715f;  // 1 / (4 pi)

double brightness(const Vec3f& c) { return 0.2126 * double(c.x) + 0.7152 * double(c.y) + 0.0722 * double(c.z); }

/// The place of u in ascending sums that begin with 0: index of the interval, and how far in it.
template <class T>
std::pair<int, float> find(const T* sums, int count, T u) {
    const int i = std::clamp(int(std::upper_bound(sums, sums + count + 1, u) - sums) - 1, 0, count - 1);
    const T width = sums[i + 1] - sums[i];
    return {i, width > 0 ? std::clamp(float((u - sums[i]) / width), 0.f, 0.999999f) : 0.5f};
}

}  // namespace

EnvironmentMap::EnvironmentMap(io::Image image) : image_(std::move(image)) {
    const int w = image_.width, h = image_.height;
    PHLO_CHECK(w > 0 && h > 0);
    // Of a pixel as interpolation shows it: its own light and some of its neighbours'.
    const auto shown = [&](int x, int y) {
        double sum = 0;
        for (int b = -1; b <= 1; ++b)
            for (int a = -1; a <= 1; ++a)
                sum += brightness(image_((x + a + w) % w, std::clamp(y + b, 0, h - 1))) * (a ? 0.125 : 0.75) * (b ? 0.125 : 0.75);
        return sum;
    };
    rows_.assign(std::size_t(h) + 1, 0);
    columns_.resize(std::size_t(w + 1) * std::size_t(h));
    strength_.resize(image_.pixels.size());
    for (int y = 0; y < h; ++y) {
        float* sums = columns_.data() + std::size_t(y) * std::size_t(w + 1);
        double row = 0;
        sums[0] = 0;
        for (int x = 0; x < w; ++x) {
            const double here = shown(x, y);
            strength_[std::size_t(y) * std::size_t(w) + std::size_t(x)] = float(here);
            row += here, sums[x + 1] = float(row);
        }
        if (row > 0)
            for (int x = 1; x <= w; ++x) sums[x] /= float(row);
        rows_[std::size_t(y) + 1] = rows_[std::size_t(y)] + row * solid_angle(y);
    }
    gather_patches();
    const double all = rows_.back();
    if (!(all > 0)) return;
    for (float& strength : strength_) strength /= float(all);
}

double EnvironmentMap::solid_angle(int y) const {
    const double top = std::cos(pi * y / image_.height), bottom = std::cos(pi * (y + 1) / image_.height);
    return (top - bottom) * 2 * pi / image_.width;
}

void EnvironmentMap::gather_patches() {
    const int w = std::min(image_.width, 128), h = std::min(image_.height, 64);
    patches_.resize(std::size_t(w) * std::size_t(h));
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            const double polar = pi * (y + 0.5) / h, turn = 2 * pi * (x + 0.5) / w;
            patches_[std::size_t(y * w + x)].direction =
                Vec3f(Vec3d(std::sin(polar) * std::cos(turn), std::sin(polar) * std::sin(turn), std::cos(polar)));
        }
    for (int y = 0; y < image_.height; ++y)
        for (int x = 0; x < image_.width; ++x) {
            const int i = int(std::int64_t(x) * w / image_.width), j = int(std::int64_t(y) * h / image_.height);
            patches_[std::size_t(j * w + i)].light += Vec3d(image_(x, y)) * solid_angle(y);
        }
}

namespace {

/// Picture coordinates of a direction, in pixels.
std::pair<float, float> place_of(const Vec3f& d, int width, int height) {
    float turn = std::atan2(d.y, d.x) / (2 * float(pi));
    turn -= std::floor(turn);
    return {turn * float(width), std::acos(std::clamp(d.z, -1.f, 1.f)) / float(pi) * float(height)};
}

}  // namespace

Vec3f EnvironmentMap::radiance(const Vec3f& direction) const {
    const int w = image_.width, h = image_.height;
    const auto [px, py] = place_of(direction, w, h);
    const float x = px - 0.5f, y = std::clamp(py - 0.5f, 0.f, float(h - 1));
    const int i = int(std::floor(x)), j = std::min(int(y), std::max(0, h - 2));
    const float fx = x - float(i), fy = y - float(j);
    const int left = (i + w) % w, right = (i + 1 + w) % w, below = std::min(j + 1, h - 1);
    return (image_(left, j) * (1 - fx) + image_(right, j) * fx) * (1 - fy) +
           (image_(left, below) * (1 - fx) + image_(right, below) * fx) * fy;
}

EnvironmentMap::Drawn EnvironmentMap::sample(float u, float v) const {
    Vec3f direction;
    if (u < even_share || !(rows_.back() > 0)) {
        const float z = 1 - 2 * std::min(u / even_share, 1.f), r = std::sqrt(std::max(0.f, 1 - z * z)), turn = 2 * float(pi) * v;
        direction = {r * std::cos(turn), r * std::sin(turn), z};
    } else {
        const double place = double((u - even_share) / (1 - even_share)) * rows_.back();
        const auto [y, fy] = find(rows_.data(), image_.height, place);
        const auto [x, fx] = find(columns_.data() + std::size_t(y) * std::size_t(image_.width + 1), image_.width, v);
        // Even over the row's solid angle, not over its angle.
        const float top = std::cos(float(pi) * float(y) / float(image_.height)),
                    bottom = std::cos(float(pi) * float(y + 1) / float(image_.height));
        const float z = top + (bottom - top) * fy, r = std::sqrt(std::max(0.f, 1 - z * z));
        const float turn = 2 * float(pi) * (float(x) + fx) / float(image_.width);
        direction = {r * std::cos(turn), r * std::sin(turn), z};
    }
    return {direction, density(direction)};
}

float EnvironmentMap::density(const Vec3f& direction) const {
    if (!(rows_.back() > 0)) return even_density;
    const auto [x, y] = place_of(direction, image_.width, image_.height);
    const int i = std::min(int(x), image_.width - 1), j = std::min(int(y), image_.height - 1);
    return even_share * even_density + (1 - even_share) * strength_[std::size_t(j) * std::size_t(image_.width) + std::size_t(i)];
}

std::shared_ptr<const EnvironmentMap> load_environment(const std::filesystem::path& file) {
    config::check_readable(file);
    // All frames of a shot share one map: the last one is kept.
    static std::mutex guard;
    static std::shared_ptr<const EnvironmentMap> last;
    static std::string last_name;
    static std::filesystem::file_time_type last_time;
    const std::lock_guard lock(guard);
    std::error_code error;
    const auto time = std::filesystem::last_write_time(file, error);
    if (error) throw InputError(fmt::format("{}: the picture of the sky cannot be read: {}", file.string(), error.message()));
    if (last && last_name == file.string() && last_time == time) return last;
    io::Image image;
    try {
        image = io::read_exr(file);
    } catch (const RunError& problem) {
        throw InputError(problem.what());
    }
    for (std::size_t p = 0; p < image.pixels.size(); ++p)
        for (int c = 0; c < 3; ++c)
            if (const float value = image.pixels[p][c]; !(value >= 0 && std::isfinite(value)))
                throw InputError(fmt::format("{}: the pixel ({}, {}) has the value {}; expected radiance, a finite number >= 0",
                                             file.string(), int(p) % image.width, int(p) / image.width, value));
    last = std::make_shared<EnvironmentMap>(std::move(image));
    last_name = file.string(), last_time = time;
    return last;
}

}  // namespace phlo::render
