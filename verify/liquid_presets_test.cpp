// The mesh of every liquid preset, on a coarse grid: closed, outward, shut at the walls of the box, and no deeper in bodies than to leave no gap.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "models/liquid/liquid.h"
#include "scene/presets.h"
#include "scene/scene.h"

namespace phlo::verify {
namespace {

using models::Liquid;
using models::LiquidSetup;

std::vector<std::string> liquid_presets() {
    std::vector<std::string> names;
    for (const std::string& name : scene::preset_names())
        if (std::holds_alternative<LiquidSetup>(scene::load_scene(name).model)) names.push_back(name);
    return names;
}

class LiquidPreset : public ::testing::TestWithParam<std::string> {};

/// Sides of triangles without a partner that runs through them the other way, and sides of several.
struct Sides {
    int open = 0, crowded = 0;
    explicit Sides(const field::TriangleMesh& mesh) {
        std::map<std::pair<int, int>, int> count;
        for (const Vec3i& t : mesh.triangles)
            for (int c = 0; c < 3; ++c) ++count[{t[c], t[(c + 1) % 3]}];
        for (const auto& [side, times] : count) {
            const auto back = count.find({side.second, side.first});
            open += back == count.end() || back->second != times;
            crowded += times > 1;
        }
    }
};

double enclosed(const field::TriangleMesh& mesh) {
    double volume = 0;
    for (const Vec3i& t : mesh.triangles)
        volume += dot(Vec3d(mesh.points[std::size_t(t.x)]), cross(Vec3d(mesh.points[std::size_t(t.y)]), Vec3d(mesh.points[std::size_t(t.z)]))) / 6;
    return volume;
}

TEST_P(LiquidPreset, has_a_watertight_mesh_in_every_frame) {
    const scene::Scene small = scene::load_scene(GetParam(), {.overrides = {"domain.resolution=26"}});
    Liquid liquid(small.shot, std::get<LiquidSetup>(small.model));
    const double h = liquid.domain().h;
    const field::Bounds box = liquid.domain().bounds();
    constexpr int frames = 10;
    double worst = 0;
    for (int frame = 0; frame <= frames; ++frame) {
        if (frame > 0) liquid.advance(1.0 / 24);
        const field::Frame shown = liquid.show();
        const auto found = std::ranges::find_if(shown.surfaces, [](const field::Surface& s) { return !s.substance.empty(); });
        ASSERT_NE(found, shown.surfaces.end());
        const field::TriangleMesh& mesh = found->mesh;
        ASSERT_GT(mesh.triangles.size(), 0u) << frame;
        const Sides sides(mesh);
        EXPECT_EQ(sides.open, 0) << "holes in frame " << frame;
        EXPECT_EQ(found->velocity.size(), mesh.points.size());
        double beyond = 0;
        for (const Vec3f& p : mesh.points)
            for (int a = 0; a < 3; ++a) beyond = std::max({beyond, box.lower[a] - double(p[a]), double(p[a]) - box.upper[a]});
        EXPECT_LT(beyond, 1e-5 * h) << "shut at the walls, frame " << frame;
        // Outward: the volume inside is the liquid's, with the half cell that reaches into bodies and the drops.
        const double inside = enclosed(mesh);
        EXPECT_GT(inside, 0.8 * liquid.volume()) << frame;
        worst = std::max(worst, std::fabs(inside / liquid.volume() - 1));
        for (const geom::Placement& body : liquid.placements()) {
            double deepest = 0;
            for (const Vec3f& p : mesh.points) deepest = std::min(deepest, body.body->shape.signed_distance(body.pose.local_from_world(Vec3d(p))));
            EXPECT_GT(deepest, -1.5 * h) << "mesh in the body '" << body.body->name << "', frame " << frame;
        }
    }
    std::printf("%s: mesh's volume at most %.1f %% off the liquid's\n", GetParam().c_str(), 100 * worst);
}

INSTANTIATE_TEST_SUITE_P(every, LiquidPreset, ::testing::ValuesIn(liquid_presets()), [](const auto& preset) {
    std::string name = preset.param;
    std::ranges::replace(name, '-', '_');
    return name;
});

}  // namespace
}  // namespace phlo::verify
