// Volumes of every class, each on a lattice of its own.
#include <gtest/gtest.h>
#include <openvdb/tools/LevelSetSphere.h>

#include <cstdlib>

#include "field/crop.h"
#include "fixture.h"
#include "io/cache.h"
#include "scratch_dir.h"

using namespace phlo;

namespace {

/// Distance to a ball of radius 0.6 around the middle, in a box of 2 m, correct everywhere; a band of three cells is meant.
field::Volume ball(int n, double radius = 0.6) {
    const field::Domain domain{.cells = {n, n, n}, .origin = {-1, -1, -1}, .h = 2.0 / n};
    auto grid = std::make_shared<field::Grid>(field::Layout(domain.cells));
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) (*grid)(i, j, k) = float(length(domain.cell_center(i, j, k)) - radius);
    return {.name = "liquid",
            .unit = "m",
            .kind = field::VolumeClass::level_set,
            .background = float(3 * domain.h),
            .domain = domain,
            .room = domain,
            .grid = grid};
}

}  // namespace

TEST(level_set, comes_back_with_its_band_and_the_right_sign_beyond) {
    const test::ScratchDir dir;
    const field::Volume before = ball(50);
    field::Frame frame;
    frame.volumes.push_back(before);
    io::write_frame(dir.path / "a.vdb", frame);
    for (const bool occupied : {false, true}) {
        const field::Volume after = io::read_frame(dir.path / "a.vdb", {.occupied = occupied}).volumes.at(0);
        EXPECT_EQ(after.kind, field::VolumeClass::level_set);
        EXPECT_EQ(after.background, before.background);
        EXPECT_EQ(after.room, before.room);
        const Vec3i first = field::cells_between(after.room, after.domain), n = after.domain.cells;
        for (int k = 0; k < n.z; ++k)
            for (int j = 0; j < n.y; ++j)
                for (int i = 0; i < n.x; ++i) {
                    const float exact = (*before.grid)(first.x + i, first.y + j, first.z + k);
                    ASSERT_EQ((*after.grid)(i, j, k), std::clamp(exact, -before.background, before.background))
                        << i << ' ' << j << ' ' << k;
                }
    }
    // The band alone is active: about 4 pi r^2 / h^2 cells on each of 6 layers.
    const io::GridInfo info = io::file_info(dir.path / "a.vdb").grids.at(0);
    EXPECT_EQ(info.grid_class, "level set");
    EXPECT_NEAR(double(info.active_voxels), 4 * 3.14159 * 15 * 15 * 6, 0.05 * 17000);
}

TEST(level_set, of_liquid_that_fills_a_corner_has_no_hole) {
    // Nothing of the band encloses it at the walls: flood fills would leak.
    const test::ScratchDir dir;
    field::Frame frame;
    frame.volumes.push_back(ball(40));
    auto grid = std::make_shared<field::Grid>(field::Layout(Vec3i(40, 40, 40)));
    for (int k = 0; k < 40; ++k)
        for (int j = 0; j < 40; ++j)
            for (int i = 0; i < 40; ++i) (*grid)(i, j, k) = 0.05f * float(k - 30);
    frame.volumes[0].grid = grid;
    io::write_frame(dir.path / "a.vdb", frame);
    const field::Volume after = io::read_frame(dir.path / "a.vdb").volumes.at(0);
    for (int k = 0; k < 40; ++k)
        for (int j = 0; j < 40; ++j)
            for (int i = 0; i < 40; ++i) ASSERT_EQ((*after.grid)(i, j, k) < 0, k < 30) << i << ' ' << j << ' ' << k;
}

TEST(level_set, another_program_knows_it_as_one) {
    if (std::system("/usr/bin/python3 -c 'import pyopenvdb' 2>/dev/null") != 0) GTEST_SKIP() << "python3-openvdb is not installed";
    const test::ScratchDir dir;
    field::Frame frame = test::small_frame();
    frame.volumes.push_back(ball(50));
    io::write_frame(dir.path / "a.vdb", frame);
    std::ofstream(dir.path / "check.py") << R"(
import sys, pyopenvdb as vdb
g = vdb.read(sys.argv[1], 'liquid')
assert g.gridClass == vdb.GridClass.LEVEL_SET, g.gridClass
assert abs(g.background - 0.12) < 1e-6, g.background
assert all(abs(s - 0.04) < 1e-9 for s in g.transform.voxelSize()), g.transform.voxelSize()
for got, expected in zip(g.transform.indexToWorld((0, 10, 49)), (-0.98, -0.58, 0.98)): assert abs(got - expected) < 1e-9
a = g.getConstAccessor()
assert abs(a.getValue((25, 25, 25)) + 0.12) < 1e-6 and not a.isValueOn((25, 25, 25))          # deep inside
assert abs(a.getValue((0, 0, 0)) - 0.12) < 1e-6 and not a.isValueOn((0, 0, 0))                # far outside
on = a.getValue((25, 25, 40)); x = (0.02, 0.02, 0.62)
assert a.isValueOn((25, 25, 40)) and abs(on - (sum(c * c for c in x) ** 0.5 - 0.6)) < 1e-5, on
points, quads = g.convertToQuads()
assert len(points) > 1000 and all(abs(sum(c * c for c in p) ** 0.5 - 0.6) < 0.01 for p in points.tolist())   # one closed ball, and nothing else
d = vdb.read(sys.argv[1], 'density')
assert d.gridClass == vdb.GridClass.FOG_VOLUME and abs(d.transform.voxelSize()[0] - 0.05) < 1e-9
)";
    const std::string command = "/usr/bin/python3 " + (dir.path / "check.py").string() + " " + (dir.path / "a.vdb").string();
    EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(level_set, of_another_program_is_read_with_its_inside) {
    openvdb::initialize();
    const test::ScratchDir dir;
    auto grid = openvdb::tools::createLevelSetSphere<openvdb::FloatGrid>(1.0f, {0, 0, 0}, 0.05f, 3.0f);
    grid->setName("surface");
    openvdb::io::File((dir.path / "a.vdb").string()).write({grid});
    const field::Volume volume = io::read_frame(dir.path / "a.vdb").volumes.at(0);
    EXPECT_EQ(volume.kind, field::VolumeClass::level_set);
    EXPECT_FLOAT_EQ(volume.background, 0.15f);
    const Vec3i n = volume.domain.cells;
    for (int k = 0; k < n.z; ++k)
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i)
                ASSERT_NEAR((*volume.grid)(i, j, k), std::clamp(length(volume.domain.cell_center(i, j, k)) - 1, -0.15, 0.15), 2e-4);
}

TEST(volumes, on_different_lattices_survive_each_in_its_place) {
    const test::ScratchDir dir;
    test::LatticeFrame frame = test::small_frame();
    const field::Domain fine{.cells = {40, 24, 17}, .origin = {3, -2, 0.125}, .h = 0.0125};
    auto grid = std::make_shared<field::Grid>(field::Layout(fine.cells));
    (*grid)(39, 0, 16) = 0.75f, (*grid)(20, 11, 3) = 2;
    frame.volumes.push_back({.name = "c_fuel", .unit = "mol/m^3", .domain = fine, .room = fine, .grid = grid});
    io::write_frame(dir.path / "a.vdb", frame);
    const field::Frame back = io::read_frame(dir.path / "a.vdb");
    ASSERT_EQ(back.volumes.size(), 3u);
    EXPECT_EQ(back.find("density")->room, frame.domain);
    const field::Volume& fuel = *back.find("c_fuel");
    EXPECT_EQ(fuel.room.cells, fine.cells);
    EXPECT_NEAR(length(fuel.room.origin - fine.origin), 0, 1e-12);
    EXPECT_EQ(fuel.domain, fuel.room);
    EXPECT_EQ((*fuel.grid)(39, 0, 16), 0.75f);
    EXPECT_EQ((*fuel.grid)(20, 11, 3), 2);
    EXPECT_EQ(back.world, frame.world);
    const field::Frame part = io::read_frame(dir.path / "a.vdb", {.occupied = true});  // each cut to its own
    EXPECT_EQ(part.find("c_fuel")->domain.cells, Vec3i(32, 24, 17));
    EXPECT_EQ(part.find("c_fuel")->room, fuel.room);
}

TEST(volumes, stored_in_part_make_the_same_file_as_whole_ones) {
    const test::ScratchDir dir;
    const test::LatticeFrame whole = test::small_frame({70, 40, 90});
    io::write_frame(dir.path / "a.vdb", whole);
    test::LatticeFrame part = whole;
    std::vector<field::Content> contents;
    for (const field::Volume& v : whole.volumes) contents.push_back({v.grid.get(), v.background, v.negligible});
    const field::Domain cut = field::occupied_part(whole.domain, contents);
    EXPECT_EQ(cut.cells, Vec3i(24, 24, 40));
    field::Copies copies(whole.domain, cut);
    for (field::Volume& v : part.volumes) v.grid = copies.add(*v.grid), v.domain = cut;
    part.velocity = {.domain = cut, .room = whole.domain, .faces = copies.add(*whole.velocity->faces)};
    copies.make();
    io::write_frame(dir.path / "b.vdb", part);
    EXPECT_EQ(test::file_text(dir.path / "a.vdb"), test::file_text(dir.path / "b.vdb"));
}

TEST(frames, of_surfaces_alone_are_a_cache) {
    const test::ScratchDir dir;
    field::Frame frame;
    frame.number = 12, frame.time = 0.5;
    frame.surfaces = test::small_frame().surfaces;
    frame.metadata["scene"] = "bodies";
    io::write_cache_frame(dir.path, frame);
    const field::Frame back = io::read_cache_frame(dir.path, 12);
    EXPECT_EQ(back.number, 12);
    EXPECT_EQ(back.time, 0.5);
    EXPECT_EQ(back.metadata.at("scene"), "bodies");
    EXPECT_TRUE(back.volumes.empty() && back.points.empty() && !back.velocity && !back.world);
    ASSERT_EQ(back.surfaces.size(), 2u);
    EXPECT_EQ(back.bounds(), (field::Bounds{{0, 0, 0}, {1, 1, 5}}));
    EXPECT_NE(io::describe(io::cache_info(dir.path)).find("frames 12 to 12"), std::string::npos);
}

TEST(frames, keep_their_world_or_that_they_have_none) {
    const test::ScratchDir dir;
    test::LatticeFrame frame = test::small_frame();
    const auto world_of = [&] {
        io::write_frame(dir.path / "a.vdb", frame);
        return io::read_frame(dir.path / "a.vdb").world;
    };
    ASSERT_TRUE(frame.world);
    EXPECT_EQ(world_of(), frame.world);
    frame.world = field::Bounds{{-3, -2, -1}, {4, 5, 6}};
    EXPECT_EQ(world_of(), frame.world);
    frame.world.reset();
    EXPECT_EQ(world_of(), std::nullopt);
    frame.volumes.clear(), frame.velocity.reset();
    frame.world = field::Bounds{{-3, -2, -1}, {4, 5, 6}};
    EXPECT_EQ(world_of(), frame.world);
}
