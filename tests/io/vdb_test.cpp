#include "io/vdb.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <cstdlib>
#include <limits>

#include "base/parallel.h"
#include "complaint.h"
#include "fixture.h"
#include "io/atomic_file.h"
#include "io/cache.h"
#include "scratch_dir.h"

using namespace phlo;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST(vdb, frame_comes_back_as_it_went) {
    const test::ScratchDir dir;
    const test::LatticeFrame frame = test::small_frame();
    io::write_frame(dir.path / "a.vdb", frame, {.naming = io::GridNaming::houdini, .half_velocity = false, .velocity = io::VelocityRegion::all});
    const field::Frame back = io::read_frame(dir.path / "a.vdb");

    EXPECT_EQ(back.number, 7);
    EXPECT_EQ(back.time, 0.25);
    EXPECT_EQ(back.fps, 30);
    EXPECT_EQ(back.world, frame.world);
    EXPECT_EQ(back.velocity->domain, frame.domain);
    EXPECT_EQ(back.metadata.at("scene_hash"), "0123abcd");
    ASSERT_EQ(back.volumes.size(), 2u);
    for (const field::Volume& scalar : frame.volumes) {
        const field::Volume* same = back.find(scalar.name);
        ASSERT_TRUE(same) << scalar.name;
        EXPECT_EQ(same->unit, scalar.unit);
        EXPECT_EQ(same->background, scalar.background);
        EXPECT_EQ(same->kind, field::VolumeClass::fog);
        EXPECT_EQ(same->domain, frame.domain);
        EXPECT_EQ(same->room, frame.domain);
        for (int k = 0; k < frame.domain.cells.z; ++k)
            for (int j = 0; j < frame.domain.cells.y; ++j)
                for (int i = 0; i < frame.domain.cells.x; ++i) ASSERT_EQ((*same->grid)(i, j, k), (*scalar.grid)(i, j, k)) << i << j << k;
    }
    ASSERT_TRUE(back.velocity);
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3i extent = field::face_extent(field::Layout(frame.domain.cells), axis);
        for (int k = 0; k < extent.z; ++k)
            for (int j = 0; j < extent.y; ++j)
                for (int i = 0; i < extent.x; ++i) ASSERT_EQ((*back.velocity->faces)[axis](i, j, k), (*frame.velocity->faces)[axis](i, j, k));
    }
}

TEST(vdb, blender_gets_thousands_of_kelvin_and_we_get_kelvin_back) {
    const test::ScratchDir dir;
    const test::LatticeFrame frame = test::small_frame();
    io::write_frame(dir.path / "a.vdb", frame);
    const io::GridInfo stored = io::file_info(dir.path / "a.vdb").grids[1];
    EXPECT_EQ(stored.unit, "kK");
    EXPECT_FLOAT_EQ(float(stored.least), 0.305f);
    EXPECT_FLOAT_EQ(float(stored.most), 0.311f);
    EXPECT_EQ(stored.background, 0);  // anything above 0 shines there
    EXPECT_TRUE(has(io::describe(io::file_info(dir.path / "a.vdb")), "values 0.305 to 0.311 kK"));

    const field::Frame back = io::read_frame(dir.path / "a.vdb");
    const field::Volume &temperature = *back.find("temperature"), &density = *back.find("density");
    EXPECT_EQ(temperature.unit, "K");
    EXPECT_FLOAT_EQ(temperature.background, 300);
    for (int k = 0; k < frame.domain.cells.z; ++k)
        for (int j = 0; j < frame.domain.cells.y; ++j)
            for (int i = 0; i < frame.domain.cells.x; ++i) {
                ASSERT_FLOAT_EQ((*temperature.grid)(i, j, k), (*frame.find("temperature")->grid)(i, j, k)) << i << j << k;
                ASSERT_EQ((*density.grid)(i, j, k), (*frame.find("density")->grid)(i, j, k)) << i << j << k;
            }
}

TEST(vdb, only_what_differs_from_empty_space_is_stored) {
    const test::ScratchDir dir;
    test::LatticeFrame frame = test::small_frame();
    io::write_frame(dir.path / "a.vdb", frame, {.velocity = io::VelocityRegion::none});
    io::FileInfo info = io::file_info(dir.path / "a.vdb");
    ASSERT_EQ(info.grids.size(), 2u);
    EXPECT_EQ(info.grids[0].active_voxels, 7u * 5 * 20);
    EXPECT_EQ(info.grids[0].first, (std::array{5, 4, 10}));
    EXPECT_EQ(info.grids[0].last, (std::array{11, 8, 29}));
    EXPECT_EQ(info.grids[0].least, 1 + 5 + 20 * 4 + 3000);

    frame.volumes[1].negligible = 8.5f;  // temperatures 305 to 311: only 309, 310, 311 differ enough
    io::write_frame(dir.path / "a.vdb", frame, {.velocity = io::VelocityRegion::active});
    info = io::file_info(dir.path / "a.vdb");
    EXPECT_EQ(info.grids[1].active_voxels, 3u * 5 * 20);
    EXPECT_FLOAT_EQ(float(info.grids[1].least), 0.309f);
    EXPECT_EQ(info.grids[2].grid_class, "staggered");
    EXPECT_GT(info.grids[2].active_voxels, 700u);
}

TEST(vdb, half_floats_keep_three_digits) {
    const test::ScratchDir dir;
    const test::LatticeFrame frame = test::small_frame();
    io::write_frame(dir.path / "a.vdb", frame, {.half = true});
    const auto back = io::read_frame(dir.path / "a.vdb");
    const float value = (*frame.find("density")->grid)(8, 6, 20), half = (*back.find("density")->grid)(8, 6, 20);
    EXPECT_NEAR(half, value, value * 1e-3f);
    EXPECT_NE(half, value);
    EXPECT_TRUE(io::file_info(dir.path / "a.vdb").grids[0].half);
}

TEST(vdb, bytes_depend_on_the_frame_alone) {
    const test::ScratchDir dir;
    const test::LatticeFrame frame = test::small_frame();
    io::write_frame(dir.path / "a.vdb", frame);
    const ThreadLimit limit(1);
    io::write_frame(dir.path / "b.vdb", frame);
    EXPECT_EQ(test::file_text(dir.path / "a.vdb"), test::file_text(dir.path / "b.vdb"));
}

TEST(vdb, another_program_finds_names_places_and_metadata) {
    if (std::system("/usr/bin/python3 -c 'import pyopenvdb' 2>/dev/null") != 0) GTEST_SKIP() << "python3-openvdb is not installed";
    const test::ScratchDir dir;
    const auto path = dir.path / "frame_0007.vdb";
    io::write_frame(path, test::small_frame());
    std::ofstream(dir.path / "check.py") << R"(
import sys, pyopenvdb as vdb
grids, meta = vdb.readAll(sys.argv[1])
by_name = {g.name: g for g in grids}
assert sorted(by_name) == ['density', 'temperature', 'velocity'], by_name.keys()
assert meta['frame'] == 7 and meta['fps'] == 30 and meta['time'] == 0.25 and meta['scene_hash'] == '0123abcd', meta
d = by_name['density']
assert d.gridClass == vdb.GridClass.FOG_VOLUME and d.creator == 'phlogiston' and d.metadata['unit'] == '1'
world = d.transform.indexToWorld((3, 5, 7))
for got, expected in zip(world, (-0.5 + 3.5 * 0.05, 1 + 5.5 * 0.05, 2 + 7.5 * 0.05)): assert abs(got - expected) < 1e-9, world
a = d.getConstAccessor()
assert a.getValue((6, 7, 20)) == 1 + 6 + 140 + 6000 and not a.isValueOn((4, 7, 20)) and a.isValueOn((5, 4, 10))
assert d.activeVoxelCount() == 700 and d.evalActiveVoxelBoundingBox() == ((5, 4, 10), (11, 8, 29))
t = by_name['temperature']
assert t.background == 0 and t.metadata['unit'] == 'kK' and abs(t.metadata['ambient'] - 0.3) < 1e-6
assert abs(t.getConstAccessor().getValue((6, 7, 20)) - 0.306) < 1e-6
v = by_name['velocity']
assert v.gridClass == vdb.GridClass.STAGGERED and v.transform.voxelSize() == d.transform.voxelSize()
x, y, z = v.getConstAccessor().getValue((6, 7, 20))
assert abs(x - 39.1) < 0.02 and abs(y - 39.2) < 0.02 and abs(z - 39.3) < 0.02, (x, y, z)   # 16 bits
assert vdb.read(sys.argv[1], 'temperature').activeVoxelCount() == 700   # one grid of several: the file's offsets are right
)";
    const std::string command = "/usr/bin/python3 " + (dir.path / "check.py").string() + " " + path.string();
    EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(vdb, houdini_finds_kelvin_and_its_velocity_name) {
    const test::ScratchDir dir;
    io::write_frame(dir.path / "a.vdb", test::small_frame(), {.naming = io::GridNaming::houdini});
    const io::FileInfo info = io::file_info(dir.path / "a.vdb");
    EXPECT_EQ(info.grids[1].unit, "K");
    EXPECT_EQ(info.grids[1].most, 311);
    EXPECT_EQ(info.grids[1].background, 300);
    EXPECT_EQ(info.grids[2].name, "vel");
    EXPECT_TRUE(io::read_frame(dir.path / "a.vdb").velocity);
}

TEST(vdb, blender_cache_is_read_by_its_usual_names) {
    if (std::system("/usr/bin/python3 -c 'import pyopenvdb' 2>/dev/null") != 0) GTEST_SKIP() << "python3-openvdb is not installed";
    const test::ScratchDir dir;
    const auto path = dir.path / "fluid.vdb";
    std::ofstream(dir.path / "write.py") << R"(
import sys, pyopenvdb as vdb
def grid(kind, name, value):
    g = kind(); g.name = name; g.transform = vdb.createLinearTransform(voxelSize=0.1)
    g.fill((2, 3, 4), (5, 6, 7), value)
    return g
vdb.write(sys.argv[1], [grid(vdb.FloatGrid, 'density', 0.5), grid(vdb.FloatGrid, 'heat', 1.5), grid(vdb.FloatGrid, 'flame', 0.8),
                        grid(vdb.Vec3SGrid, 'color', (0.2, 0.4, 0.6)), grid(vdb.Vec3SGrid, 'velocity', (1.0, 2.0, 3.0))])
)";
    const std::string command = "/usr/bin/python3 " + (dir.path / "write.py").string() + " " + path.string();
    ASSERT_EQ(std::system(command.c_str()), 0);
    const field::Frame frame = io::read_frame(path);
    EXPECT_EQ(frame.volumes.at(0).domain.cells, Vec3i(4, 4, 4));
    EXPECT_EQ(frame.find("heat"), nullptr);
    ASSERT_NE(frame.find("temperature"), nullptr);
    EXPECT_NEAR((*frame.find("temperature")->grid)(1, 1, 1), 1500, 0.1);
    EXPECT_EQ(frame.find("temperature")->unit, "K");
    EXPECT_NEAR((*frame.find("flame")->grid)(1, 1, 1), 0.8, 1e-6);
    EXPECT_NEAR((*frame.find("color_g")->grid)(1, 1, 1), 0.4, 1e-6);
    ASSERT_TRUE(frame.velocity);
    EXPECT_NEAR(frame.velocity->faces->z(1, 1, 4), 3, 1e-6);
    EXPECT_NEAR(frame.velocity->faces->x(2, 1, 1), 1, 1e-6);
}

TEST(vdb, voxels_that_span_an_absurd_box_are_refused_by_file) {
    if (std::system("/usr/bin/python3 -c 'import pyopenvdb' 2>/dev/null") != 0) GTEST_SKIP() << "python3-openvdb is not installed";
    const test::ScratchDir dir;
    const auto path = dir.path / "far.vdb";
    std::ofstream(dir.path / "write.py") << R"(
import sys, pyopenvdb as vdb
g = vdb.FloatGrid(); g.name = 'density'
for at in ((0, 0, 0), (100000, 100000, 100000)): g.fill(at, at, 1.0)
vdb.write(sys.argv[1], [g])
)";
    const std::string command = "/usr/bin/python3 " + (dir.path / "write.py").string() + " " + path.string();
    ASSERT_EQ(std::system(command.c_str()), 0);
    const std::string message = test::complaint<RunError>([&] { io::read_frame(path); });
    EXPECT_TRUE(has(message, "far.vdb: its voxels span 100001 x 100001 x 100001 cells")) << message;
}

TEST(vdb, cut_file_is_named_wherever_it_ends) {
    const test::ScratchDir dir;
    const auto path = dir.path / "frame_0001.vdb";
    io::write_frame(path, test::small_frame());
    const std::string whole = test::file_text(path);
    for (const double part : {0.0, 0.001, 0.05, 0.3, 0.6, 0.9, 0.99}) {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << whole.substr(0, std::size_t(part * double(whole.size())));
        EXPECT_TRUE(has(test::complaint<RunError>([&] { io::read_frame(path); }), "frame_0001.vdb: not a complete OpenVDB file")) << part;
    }
    EXPECT_TRUE(has(test::complaint<RunError>([&] { io::read_frame(dir.path / "none.vdb"); }), "none.vdb: no such file"));
}

TEST(vdb, impossible_values_are_refused_by_file_and_grid) {
    const test::ScratchDir dir;
    const auto path = dir.path / "a.vdb";
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        test::LatticeFrame frame = test::small_frame();
        auto density = std::make_shared<field::Grid>(*frame.volumes[0].grid);
        (*density)(1, 2, 3) = bad;
        frame.volumes[0].grid = density;
        const std::string message = test::complaint<RunError>([&] { io::write_frame(path, frame); });
        EXPECT_TRUE(has(message, "a.vdb") && has(message, "'density'") && has(message, "(1, 2, 3)")) << message;
        EXPECT_FALSE(std::filesystem::exists(path));
    }
    test::LatticeFrame frame = test::small_frame();
    auto density = std::make_shared<field::Grid>(*frame.volumes[0].grid);
    (*density)(1, 2, 3) = -500;
    frame.volumes[0].grid = density;
    io::write_frame(path, frame);
    const std::string message = test::complaint<RunError>([&] { io::read_frame(path); });
    EXPECT_TRUE(has(message, "a.vdb: grid 'density' holds negative values down to -500")) << message;
}

TEST(vdb, failed_write_leaves_the_earlier_frame_and_no_litter) {
    const test::ScratchDir dir;
    const auto path = dir.path / "frame_0001.vdb";
    io::write_frame(path, test::small_frame());
    const std::string before = test::file_text(path);
    // A limit on file sizes stands for a full disk: write() stops half way.
    rlimit old{};
    ::getrlimit(RLIMIT_FSIZE, &old);
    rlimit small = old;
    small.rlim_cur = 4096;
    const auto handler = ::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &small);
    const std::string message = test::complaint<RunError>([&] { io::write_frame(path, test::small_frame({40, 40, 40})); });
    ::setrlimit(RLIMIT_FSIZE, &old);
    ::signal(SIGXFSZ, handler);
    EXPECT_TRUE(has(message, "frame_0001.vdb") && has(message, "limits")) << message;
    EXPECT_EQ(test::file_text(path), before);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path), {}), 1);
}

TEST(vdb, unwritable_directory_is_named_with_a_remedy) {
    const test::ScratchDir dir;
    std::ofstream(dir.path / "file") << "not a directory";
    const std::string message =
        test::complaint<RunError>([&] { io::write_frame(dir.path / "file" / "frame_0001.vdb", test::small_frame()); });
    EXPECT_TRUE(has(message, "file/frame_0001.vdb") && has(message, "-o DIR")) << message;
    EXPECT_TRUE(has(io::write_failure("x/y.vdb", ENOSPC), "x/y.vdb: No space left on device. Free some space and run again with --resume"));
}

TEST(cache, frames_and_surfaces_come_back_together) {
    const test::ScratchDir dir;
    io::write_cache_frame(dir.path, test::small_frame());
    const field::Frame back = io::read_cache_frame(dir.path, 7);
    ASSERT_EQ(back.surfaces.size(), 2u);
    EXPECT_EQ(back.surfaces[0].name, "red ball");
    EXPECT_EQ(back.surfaces[1].mesh.points[2], Vec3f(0, 1, 5));
    test::LatticeFrame bare = test::small_frame();
    bare.surfaces.clear();
    io::write_cache_frame(dir.path, bare);
    EXPECT_TRUE(io::read_cache_frame(dir.path, 7).surfaces.empty());
}

TEST(cache, info_names_gaps_and_broken_frames) {
    const test::ScratchDir dir;
    test::LatticeFrame frame = test::small_frame();
    for (const int number : {998, 999, 1002, 10000}) {
        frame.number = number;
        io::write_cache_frame(dir.path / "cache", frame);
    }
    std::ofstream(dir.path / "cache" / "frame_1002.vdb", std::ios::trunc) << "broken";
    std::ofstream(dir.path / "cache" / "frame_x.vdb") << "not a frame";
    EXPECT_EQ(io::cached_frames(dir.path / "cache"), (std::vector{998, 999, 1002, 10000}));
    const io::CacheInfo info = io::cache_info(dir.path);
    EXPECT_EQ(info.first, 998);
    EXPECT_EQ(info.last, 10000);
    EXPECT_EQ(info.missing.size(), 10000u - 998 + 1 - 4);
    EXPECT_EQ(info.missing.front(), 1000);
    ASSERT_EQ(info.broken.size(), 1u);
    EXPECT_TRUE(has(info.broken[0], "frame_1002.vdb"));
    EXPECT_TRUE(has(io::to_json(info), "\"broken\":[\""));
    EXPECT_TRUE(has(io::describe(info), "frames 998 to 10000"));
}

TEST(vdb, only_where_something_is_can_be_read_at_the_same_place) {
    const test::ScratchDir dir;
    const test::LatticeFrame frame = test::small_frame({70, 40, 90});  // density in cells [5, 12) x [4, 9) x [10, 30)
    io::write_frame(dir.path / "a.vdb", frame);
    const field::Frame part = io::read_frame(dir.path / "a.vdb", {.velocity = false, .occupied = true});
    EXPECT_FALSE(part.velocity);
    EXPECT_EQ(part.world, frame.world);
    for (std::size_t s = 0; s < 2; ++s) {
        const field::Volume& volume = part.volumes[s];
        EXPECT_EQ(volume.room, frame.domain);
        ASSERT_EQ(volume.domain.cells, Vec3i(24, 24, 40));  // leaves 0 to 1, 0 to 1 and 1 to 3, and one around
        EXPECT_EQ(volume.domain.origin, frame.domain.origin);
        for (int k = 0; k < 40; ++k)
            for (int j = 0; j < 24; ++j)
                for (int i = 0; i < 24; ++i) ASSERT_FLOAT_EQ((*volume.grid)(i, j, k), (*frame.volumes[s].grid)(i, j, k));
    }
    // Away from the corner, with its velocity around it.
    test::LatticeFrame moved = test::small_frame({70, 70, 70});
    auto density = std::make_shared<field::Grid>(field::Layout(moved.domain.cells));
    (*density)(33, 41, 50) = 2;
    moved.volumes.clear();
    moved.add({.name = "density", .unit = "1", .grid = density});
    io::write_frame(dir.path / "b.vdb", moved);
    const field::Frame corner = io::read_frame(dir.path / "b.vdb", {.occupied = true});
    EXPECT_EQ(corner.volumes[0].domain.cells, Vec3i(24, 24, 24));
    EXPECT_NEAR(length(corner.volumes[0].domain.origin - (moved.domain.origin + Vec3d(24, 32, 40) * moved.domain.h)), 0, 1e-12);
    EXPECT_EQ((*corner.volumes[0].grid)(9, 9, 10), 2);
    EXPECT_EQ(corner.velocity->domain, corner.volumes[0].domain);
    EXPECT_NEAR(corner.velocity->faces->x(9, 9, 10), moved.velocity->faces->x(33, 41, 50), 0.1);
    EXPECT_EQ(io::read_frame(dir.path / "b.vdb").volumes[0].domain, moved.domain);
}
