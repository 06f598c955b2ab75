// The mesh of every liquid preset, on a coarse grid: closed, outward, shut at the walls of the box, and as large as the liquid.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "base/parallel.h"
#include "models/liquid/liquid.h"
#include "scene/presets.h"
#include "scene/scene.h"

namespace phlo::verify {
namespace {

using field::TriangleMesh;
using models::Liquid;
using models::LiquidSetup;

constexpr int rays_per_cell = 4;   ///< along an axis

std::vector<std::string> liquid_presets() {
    std::vector<std::string> names = scene::preset_names();
    std::erase_if(names, [](const std::string& name) { return !std::holds_alternative<LiquidSetup>(scene::load_scene(name, {.memory_limit = std::size_t(-1)}).model); });
    return names;
}

/// Sides of triangles that are not shared with exactly one other triangle, which runs through them the other way.
int unpaired_sides(const TriangleMesh& mesh) {
    std::map<std::pair<int, int>, int> times;
    for (const Vec3i& t : mesh.triangles)
        for (int c = 0; c < 3; ++c) ++times[{t[c], t[(c + 1) % 3]}];
    return int(std::ranges::count_if(times, [&](const auto& side) {
        const auto back = times.find({side.first.second, side.first.first});
        return side.second != 1 || back == times.end() || back->second != 1;
    }));
}

/// How far points lie beyond the box, at most [m]; infinite if one of them is not a number.
double beyond(const field::Bounds& box, const std::vector<Vec3f>& points) {
    double most = 0;
    for (const Vec3f& p : points)
        for (int a = 0; a < 3; ++a) {
            if (!std::isfinite(p[a])) return INFINITY;
            most = std::max({most, box.lower[a] - double(p[a]), double(p[a]) - box.upper[a]});
        }
    return most;
}

/// Where the rays that go up through the middles of squares in the plane x, y cross a mesh.
class Rays {
public:
    Rays(const field::Domain& domain, const TriangleMesh& mesh)
        : domain_(domain), width_(domain.h / rays_per_cell), nx_(domain.cells.x * rays_per_cell), ny_(domain.cells.y * rays_per_cell), crossings_(std::size_t(nx_) * std::size_t(ny_)) {
        for (const Vec3i& t : mesh.triangles) add(Vec3d(mesh.points[std::size_t(t.x)]), Vec3d(mesh.points[std::size_t(t.y)]), Vec3d(mesh.points[std::size_t(t.z)]));
    }

    /// The volume that the mesh encloses and that bodies cover [m^3].
    double volume_inside(const std::vector<geom::Placement>& bodies) const {
        const double length = parallel_sum(ny_, [&](int j) {
            double row = 0;
            for (int i = 0; i < nx_; ++i)
                for (const Crossing& c : crossings_[at(i, j)]) row += c.sign * covered_length(place(i, j), c.height, bodies);
            return row;
        });
        return length * width_ * width_;
    }

private:
    struct Crossing {
        double height, sign;   ///< +1 where the ray leaves
    };

    std::size_t at(int i, int j) const { return std::size_t(i) + std::size_t(nx_) * std::size_t(j); }
    /// Off the middles by a little: the mesh has sides in planes through the middles of cells.
    Vec3d place(int i, int j) const { return domain_.origin + Vec3d((i + 0.517) * width_, (j + 0.523) * width_, 0); }

    void add(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
        const double twice = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
        if (twice == 0) return;
        const auto first = [&](double low, int axis) { return std::max(0, int((low - domain_.origin[axis]) / width_) - 1); };
        const auto last = [&](double high, int axis, int n) { return std::min(n, int((high - domain_.origin[axis]) / width_) + 1); };
        for (int j = first(std::min({a.y, b.y, c.y}), 1); j < last(std::max({a.y, b.y, c.y}), 1, ny_); ++j)
            for (int i = first(std::min({a.x, b.x, c.x}), 0); i < last(std::max({a.x, b.x, c.x}), 0, nx_); ++i) {
                const Vec3d p = place(i, j);
                const double u = ((p.x - a.x) * (c.y - a.y) - (c.x - a.x) * (p.y - a.y)) / twice, v = ((b.x - a.x) * (p.y - a.y) - (p.x - a.x) * (b.y - a.y)) / twice;
                if (u >= 0 && v >= 0 && u + v <= 1) crossings_[at(i, j)].push_back({a.z + u * (b.z - a.z) + v * (c.z - a.z), twice > 0 ? 1.0 : -1.0});
            }
    }

    /// Of a ray, from the bottom of the box to a height, what lies in bodies.
    double covered_length(Vec3d p, double height, const std::vector<geom::Placement>& bodies) const {
        const double way = height - domain_.origin.z;
        const int steps = std::max(1, int(way / width_));
        int covered = 0;
        for (int s = 0; s < steps; ++s) {
            p.z = domain_.origin.z + (s + 0.5) * way / steps;
            covered += std::ranges::any_of(bodies, [&](const geom::Placement& b) { return b.signed_distance(p) < 0; });
        }
        return way * covered / steps;
    }

    field::Domain domain_;
    double width_;
    int nx_, ny_;
    std::vector<std::vector<Crossing>> crossings_;
};

double enclosed(const TriangleMesh& mesh) {
    double volume = 0;
    for (const Vec3i& t : mesh.triangles)
        volume += dot(Vec3d(mesh.points[std::size_t(t.x)]), cross(Vec3d(mesh.points[std::size_t(t.y)]), Vec3d(mesh.points[std::size_t(t.z)]))) / 6;
    return volume;
}

double area(const TriangleMesh& mesh) {
    double sum = 0;
    for (const Vec3i& t : mesh.triangles) {
        const Vec3d a(mesh.points[std::size_t(t.x)]);
        sum += 0.5 * length(cross(Vec3d(mesh.points[std::size_t(t.y)]) - a, Vec3d(mesh.points[std::size_t(t.z)]) - a));
    }
    return sum;
}

double volume(const models::FrameStats& stats) {
    return std::ranges::find(stats.numbers, "volume", [](const auto& number) { return number.first; })->second;
}

/// A glass of which whole cells count as glass.
bool has_thin_glass(const std::vector<geom::Body>& bodies, double h) {
    return std::ranges::any_of(bodies, [&](const geom::Body& body) {
        const auto* cup = std::get_if<geom::Cup>(&body.shape.kind());
        return cup != nullptr && cup->wall < h;
    });
}

class LiquidPreset : public testing::TestWithParam<std::string> {};

TEST_P(LiquidPreset, has_a_watertight_mesh_in_every_frame) {
    const scene::Scene small = scene::load_scene(GetParam(), {.overrides = {"domain.resolution=26"}});
    const std::unique_ptr<models::Model> model = std::get<LiquidSetup>(small.model).make(small.shot);
    const auto* with_bodies = dynamic_cast<const Liquid*>(model.get());   // an adaptive one has none
    const field::Domain domain = model->show().volumes.front().room;
    const double h = domain.h;
    models::FrameStats stats = model->first_stats();
    double worst = 0, worst_shift = 0;
    for (int frame = 0; frame <= 12; ++frame) {
        if (frame > 0) stats = model->advance(1 / small.shot.time.fps);
        const field::Frame shown = model->show();
        const auto found = std::ranges::find_if(shown.surfaces, [](const field::Surface& s) { return !s.substance.empty(); });
        ASSERT_NE(found, shown.surfaces.end());
        const TriangleMesh& mesh = found->mesh;
        ASSERT_GT(mesh.triangles.size(), 0u) << frame;
        EXPECT_EQ(unpaired_sides(mesh), 0) << "holes in frame " << frame;
        EXPECT_EQ(found->velocity.size(), mesh.points.size());
        EXPECT_TRUE(std::ranges::all_of(found->velocity, [](const Vec3f& v) { return std::isfinite(v.x + v.y + v.z); })) << frame;
        EXPECT_LT(beyond(domain.bounds(), mesh.points), 1e-5 * h) << "shut at the walls, frame " << frame;

        // Where the mesh reaches into bodies, so that there is no gap, it is no liquid's. The rest is the liquid's volume to a percent, where the
        // liquid is thicker than a cell in the mean. Thinner streams, and milk in a glass thinner than a cell, are off by what a surface a ninth
        // of a cell away makes.
        const double all = volume(stats), off = enclosed(mesh) - (with_bodies != nullptr ? Rays(domain, mesh).volume_inside(with_bodies->placements()) : 0) - all;
        const double cells_of_surface = area(mesh) * h;
        EXPECT_LT(std::fabs(off), all > cells_of_surface && !has_thin_glass(small.shot.bodies, h) ? 0.01 * all : 0.11 * cells_of_surface) << "frame " << frame;
        worst = std::max(worst, std::fabs(off / all)), worst_shift = std::max(worst_shift, std::fabs(off / cells_of_surface));
    }
    std::printf("%s: mesh's volume at most %.2f %% off the liquid's, its surface %.3f cells\n", GetParam().c_str(), 100 * worst, worst_shift);
}

INSTANTIATE_TEST_SUITE_P(Gallery, LiquidPreset, testing::ValuesIn(liquid_presets()), [](const auto& preset) {
    std::string name = preset.param;
    std::ranges::replace(name, '-', '_');
    return name;
});

}  // namespace
}  // namespace phlo::verify
