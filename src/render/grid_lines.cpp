#include "render/grid_lines.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/parallel.h"
#include "render/volumes/particles.h"

namespace phlo::render {
namespace {

constexpr float least_cell = 3;      ///< cells that look smaller get no lines [pixels]
constexpr float cell_line = 0.6f;    ///< how much a cell's line covers, of what a cube's does

/// Cubes side by side, found by where a point lies. They may have several sizes; buckets are as wide as the largest.
class Cubes {
public:
    explicit Cubes(const field::Points& points) : points_(points), cells_(points.column<std::int32_t>("cells")) {
        for (const float radius : points.radius) width_ = std::max(width_, 2 * radius);
        for (std::size_t n = 0; n < points.size(); ++n) {
            const Vec3i from = bucket(points.position[n] - Vec3f(0.999f * points.radius[n])), to = bucket(points.position[n] + Vec3f(0.999f * points.radius[n]));
            for (int z = from.z; z <= to.z; ++z)
                for (int y = from.y; y <= to.y; ++y)
                    for (int x = from.x; x <= to.x; ++x) buckets_[key({x, y, z})].push_back(int(n));
        }
    }

    /// -1: in none.
    int at(const Vec3f& point) const {
        const auto found = buckets_.find(key(bucket(point)));
        if (found == buckets_.end()) return -1;
        for (const int n : found->second) {
            const Vec3f d = point - points_.position[std::size_t(n)];
            if (std::max({std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)}) <= points_.radius[std::size_t(n)]) return n;
        }
        return -1;
    }

    /// How much of a pixel of this size is covered by lines where a surface with this normal passes.
    float covered(int cube, const Vec3f& point, const Vec3f& normal, float pixel) const {
        const std::size_t n = std::size_t(cube);
        const float radius = points_.radius[n], cell = 2 * radius / float(cells_ != nullptr ? (*cells_)[n] : 1);
        float most = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const float along = std::sqrt(std::max(0.f, 1 - normal[axis] * normal[axis]));   // the wall's distance, measured along the surface
            if (along < 0.2f) continue;                                                       // a wall that the surface lies along
            const float place = point[axis] - points_.position[n][axis] + radius;
            const auto line = [&](float step) { return std::clamp(1 - std::fabs(place - step * std::round(place / step)) / (along * pixel), 0.f, 1.f); };
            most = std::max(most, line(2 * radius));
            if (cell >= least_cell * pixel) most = std::max(most, cell_line * line(cell));
        }
        return most;
    }

private:
    Vec3i bucket(const Vec3f& p) const { return {int(std::floor(p.x / width_)), int(std::floor(p.y / width_)), int(std::floor(p.z / width_))}; }
    static std::uint64_t key(const Vec3i& b) {
        const auto part = [](int v) { return std::uint64_t(std::uint32_t(v)) & 0x1fffff; };
        return part(b.x) | part(b.y) << 21 | part(b.z) << 42;
    }

    const field::Points& points_;
    const std::vector<std::int32_t>* cells_;
    float width_ = 0;
    std::unordered_map<std::uint64_t, std::vector<int>> buckets_;
};

void draw(const RenderScene& scene, const PointsLook& look, const FireLook& fire, const field::Points& points, io::Image& image) {
    const Cubes cubes(points);
    const auto* plain = std::get_if<Vec3f>(&look.color);
    const std::vector<Vec3f> colours = plain ? std::vector<Vec3f>() : point_colours(points, std::get<ColumnColour>(look.color), fire);
    const float bright = float(look.brightness.value_or(1));
    constexpr int samples = 2;   // along each side of a pixel
    parallel_for(image.height, [&](int y) {
        for (int x = 0; x < image.width; ++x) {
            Vec3f light;
            float cover = 0;
            for (int s = 0; s < samples * samples; ++s) {
                const Ray ray = scene.camera.ray(float(x) + (float(s % samples) + 0.5f) / samples, float(y) + (float(s / samples) + 0.5f) / samples);
                const auto hit = scene.surfaces.hit(ray);
                const int cube = hit && !hit->ground ? cubes.at(hit->point) : -1;
                if (cube < 0) continue;
                const float slant = std::max(0.1f, std::fabs(dot(hit->normal, ray.direction)));
                const float c = cubes.covered(cube, hit->point, hit->face, scene.camera.pixel_size(hit->distance) / std::sqrt(slant)) / (samples * samples);
                cover += c, light += (plain ? *plain : colours[std::size_t(cube)]) * (bright * c);
            }
            image(x, y) = image(x, y) * (1 - cover) + light;
        }
    });
}

}  // namespace

void add_grid_lines(const RenderScene& scene, const RenderParams& params, const field::Frame& frame, io::Image& image) {
    for (const PointsLook& look : params.points)
        if (look.kind == PointKind::grid)
            if (const field::Points* points = frame.find_points(look.points); points != nullptr && points->size() > 0) draw(scene, look, params.fire, *points, image);
}

}  // namespace phlo::render
