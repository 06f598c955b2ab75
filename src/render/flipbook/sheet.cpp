#include "render/flipbook/sheet.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "render/flipbook/fill.h"
#include "render/luminance.h"

namespace phlo::render {
namespace {

float brightest(const Vec3f& c) { return std::max({c.x, c.y, c.z}); }

std::vector<float> weights_of(const io::Image& motion) {
    std::vector<float> weights;
    for (const Vec3f& m : motion.pixels) weights.push_back(m.z);
    return weights;
}

/// texture(x, y) of every pixel, through `change`.
template <class Change>
io::Texture changed(const io::Texture& from, const Change& change) {
    io::Texture result(from.width, from.height);
    parallel_for(from.height, [&](int y) {
        for (int x = 0; x < from.width; ++x) result(x, y) = change(from(x, y));
    });
    return result;
}

using Pixel = std::array<float, 4>;

bool not_black(const Pixel& p) { return p[0] > 0 || p[1] > 0 || p[2] > 0; }

Vec3f shown(const Pixel& p, float gain) { return {shoulder(gain * p[0]), shoulder(gain * p[1]), shoulder(gain * p[2])}; }

/// Eight bits cannot hold light / alpha where fire shines and hides little: alpha is raised to the brightest channel there.
Pixel straight(const Vec3f& light, float alpha) {
    const float cover = std::max(alpha, brightest(light));
    if (!(cover > 0)) return {};
    return {light.x / cover, light.y / cover, light.z / cover, cover};
}

}  // namespace

float shoulder(float radiance) {
    constexpr float knee = 0.5f;
    if (!(radiance > knee)) return std::max(radiance, 0.f);
    const float beyond = (radiance - knee) / (1 - knee);
    return knee + (1 - knee) * beyond / (1 + beyond);
}

Sheet::Sheet(const SheetLayout& layout) : layout_(layout) {
    for (io::Texture* texture : {&color_, &emission_, &positive_, &negative_, &motion_}) *texture = io::Texture(layout.width(), layout.height());
}

void Sheet::place(int number, const FlipbookCell& cell) {
    PHLO_CHECK(cell.width == layout_.cell_width && cell.height == layout_.cell_height && number >= 0 && number < layout_.cells());
    const int left = number % layout_.columns * cell.width, top = number / layout_.columns * cell.height;
    const io::Image positive = filled(cell.positive, cell.alpha), negative = filled(cell.negative, cell.alpha);
    const io::Image motion = filled(cell.motion, weights_of(cell.motion));
    parallel_for(cell.height, [&](int y) {
        for (int x = 0; x < cell.width; ++x) {
            const float alpha = cell.alpha[std::size_t(y) * std::size_t(cell.width) + std::size_t(x)];
            const Vec3f &light = cell.light(x, y), &own = cell.emission(x, y), &plus = positive(x, y), &minus = negative(x, y), &way = motion(x, y);
            color_(left + x, top + y) = {light.x, light.y, light.z, alpha};
            emission_(left + x, top + y) = {own.x, own.y, own.z, alpha};
            positive_(left + x, top + y) = {plus.x, plus.y, plus.z, alpha};
            negative_(left + x, top + y) = {minus.x, minus.y, minus.z, luminance(own)};
            motion_(left + x, top + y) = {way.x, way.y, 0, 1};
        }
    });
}

float Sheet::motion_scale() const {
    float most = 0;
    for (const Pixel& p : motion_.pixels) most = std::max({most, std::fabs(p[0]), std::fabs(p[1])});
    return most > 0 ? most : 1;
}

float Sheet::light_scale() const {
    // Thin edges before a light are far brighter than all the rest, and little of them is seen: so the value that only a hundredth of what is seen exceeds.
    constexpr int bins = 1 << 14;
    constexpr float range = 8, share = 0.01f;
    std::vector<double> seen(bins);
    double total = 0;
    for (std::size_t p = 0; p < positive_.pixels.size(); ++p)
        for (std::size_t c = 0; c < 3; ++c)
            for (const float value : {positive_.pixels[p][c], negative_.pixels[p][c]}) {
                const float alpha = positive_.pixels[p][3];
                if (!(value > 0)) continue;
                seen[std::size_t(std::min(value / range, 0.9999f) * bins)] += double(alpha), total += double(alpha);
            }
    if (!(total > 0)) return 1;
    int bin = bins - 1;
    for (double above = 0; bin > 0 && above + seen[std::size_t(bin)] <= share * total; --bin) above += seen[std::size_t(bin)];
    return range * float(bin + 1) / bins;
}

bool Sheet::shines() const { return std::ranges::any_of(emission_.pixels, not_black); }

bool Sheet::scatters() const { return std::ranges::any_of(positive_.pixels, not_black) || std::ranges::any_of(negative_.pixels, not_black); }

std::vector<std::filesystem::path> Sheet::write(const std::filesystem::path& folder, const SheetParams& params) const {
    const float gain = float(std::exp2(params.exposure)), light = 1 / light_scale(), motion = 0.5f / motion_scale();
    std::vector<std::filesystem::path> files;
    const auto write_both = [&](const char* name, const io::Texture& texture, io::Transfer transfer, const auto& to_bytes) {
        files.push_back(folder / (std::string(name) + ".exr"));
        io::write_exr(files.back(), texture);
        files.push_back(folder / (std::string(name) + ".png"));
        io::write_png(files.back(), changed(texture, to_bytes), transfer);
    };
    const auto to_screen = [&](const Pixel& p) {
        const Vec3f c = shown(p, gain);
        return params.straight ? straight(c, p[3]) : Pixel{c.x, c.y, c.z, p[3]};
    };
    write_both("color", color_, io::Transfer::srgb, to_screen);
    if (shines()) write_both("emission", emission_, io::Transfer::srgb, to_screen);
    if (scatters()) {
        const auto to_bytes = [&](float a, const Pixel& p) { return Pixel{p[0] * light, p[1] * light, p[2] * light, a}; };
        write_both("light_positive", positive_, io::Transfer::linear, [&](const Pixel& p) { return to_bytes(p[3], p); });
        write_both("light_negative", negative_, io::Transfer::linear, [&](const Pixel& p) { return to_bytes(shoulder(gain * p[3]), p); });
    }
    write_both("motion", motion_, io::Transfer::linear, [&](const Pixel& p) { return Pixel{0.5f + p[0] * motion, 0.5f + p[1] * motion, 0, 1}; });
    return files;
}

}  // namespace phlo::render
