// Files of other programs: without our metadata, and with everything that can be wrong in them.
#include <gtest/gtest.h>
#include <openvdb/openvdb.h>

#include <limits>

#include "complaint.h"
#include "io/cache.h"
#include "io/vdb.h"
#include "scratch_dir.h"

using namespace phlo;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A block of 16^3 voxels of `value`, with one voxel (3, 4, 5) of its own.
openvdb::FloatGrid::Ptr block(const char* name, float value, float odd, double voxel = 0.1) {
    openvdb::initialize();
    auto grid = openvdb::FloatGrid::create(0);
    grid->setName(name);
    grid->setGridClass(openvdb::GRID_FOG_VOLUME);
    grid->fill({{0, 0, 0}, {15, 15, 15}}, value);
    grid->tree().setValue({3, 4, 5}, odd);
    grid->setTransform(openvdb::math::Transform::createLinearTransform(voxel));
    return grid;
}

template <class... Grids>
std::filesystem::path write(const test::ScratchDir& dir, const Grids&... grids) {
    const auto path = dir.path / "smoke.vdb";
    openvdb::io::File(path.string()).write(openvdb::GridCPtrVec{grids...});
    return path;
}

std::string complaint_of(const std::filesystem::path& path) {
    return test::complaint<RunError>([&] { io::read_frame(path, {.velocity = true, .occupied = true}); });
}

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();

}  // namespace

TEST(foreign_vdb, is_read_without_our_metadata) {
    const test::ScratchDir dir;
    const field::Frame frame = io::read_frame(write(dir, block("density", 0.5f, 0.7f), block("pressure", -3, -4)), {.occupied = true});
    EXPECT_EQ(frame.find("density")->domain.cells, Vec3i(16, 16, 16));
    EXPECT_FALSE(frame.world);
    EXPECT_FLOAT_EQ((*frame.find("density")->grid)(3, 4, 5), 0.7f);
    EXPECT_FLOAT_EQ((*frame.find("density")->grid)(9, 9, 9), 0.5f);
    EXPECT_FLOAT_EQ((*frame.find("pressure")->grid)(3, 4, 5), -4);  // what may be negative, may
}

TEST(foreign_vdb, values_that_cannot_be_are_named_by_file_and_grid) {
    for (const char* grid : {"density", "temperature", "flame"})
        for (const float bad : {nan_value, infinite, -infinite}) {
            const test::ScratchDir dir;
            const std::string message = complaint_of(write(dir, block("density", 0.5f, 0.7f), block(grid, 1, bad)));
            EXPECT_TRUE(has(message, "smoke.vdb: grid '" + std::string(grid) + "' holds values that are not finite")) << message;
        }
    const test::ScratchDir dir;
    std::string message = complaint_of(write(dir, block("density", 0.5f, -0.4f)));
    EXPECT_TRUE(has(message, "smoke.vdb: grid 'density' holds negative values down to -0.4")) << message;
    // A trace of an overshoot is none.
    EXPECT_EQ((*io::read_frame(write(dir, block("density", 0.5f, -0.001f))).find("density")->grid)(3, 4, 5), 0);
    auto velocity = openvdb::Vec3SGrid::create();
    velocity->setName("vel");
    velocity->fill({{0, 0, 0}, {15, 15, 15}}, openvdb::Vec3s(1, infinite, 0));
    velocity->setTransform(openvdb::math::Transform::createLinearTransform(0.1));
    message = complaint_of(write(dir, block("density", 0.5f, 0.5f), velocity));
    EXPECT_TRUE(has(message, "smoke.vdb: grid 'vel' holds values that are not finite")) << message;
}

TEST(foreign_vdb, whole_tiles_that_cannot_be_are_seen_too) {
    const test::ScratchDir dir;
    auto grid = block("density", 0.5f, 0.5f);
    grid->fill({{0, 0, 0}, {127, 127, 127}}, nan_value);
    const std::string message = complaint_of(write(dir, grid));
    EXPECT_TRUE(has(message, "smoke.vdb: grid 'density' holds values that are not finite")) << message;
}

TEST(foreign_vdb, absurd_sizes_are_refused_before_memory_is_asked_for) {
    const test::ScratchDir dir;
    auto far = block("density", 0.5f, 0.5f);
    far->tree().setValue({1000000, 0, 1000000}, 1);
    std::string message = complaint_of(write(dir, far));
    EXPECT_TRUE(has(message, "smoke.vdb: its voxels span 1000001 x 16 x 1000001 cells")) << message;

    auto wide = block("density", 0.5f, 0.5f);  // fewer voxels, more than any memory
    wide->tree().setValue({2000, 1400, 1400}, 1);
    message = complaint_of(write(dir, wide, block("temperature", 300, 300), block("flame", 0, 1), block("heat", 1, 1)));
    EXPECT_TRUE(has(message, "smoke.vdb: its voxels span 2001 x 1401 x 1401 cells") && has(message, "of memory")) << message;

    message = complaint_of(write(dir, block("density", 0.5f, 0.5f, 1e12)));
    EXPECT_TRUE(has(message, "smoke.vdb: grid 'density' has voxels of 1000000000000 m; expected 1e-09 m to 1000000000 m")) << message;
    auto moved = block("density", 0.5f, 0.5f);
    auto transform = openvdb::math::Transform::createLinearTransform(0.1);
    transform->postTranslate(openvdb::Vec3d(1e7, 0, 0));
    moved->setTransform(transform);
    message = complaint_of(write(dir, moved));
    EXPECT_TRUE(has(message, "smoke.vdb: grid 'density' lies 1e+08 voxels from the world's origin")) << message;
}

TEST(foreign_vdb, file_without_a_volume_names_what_it_has) {
    const test::ScratchDir dir;
    auto counts = openvdb::Int32Grid::create();
    counts->setName("cells");
    auto flags = openvdb::BoolGrid::create();
    flags->setName("solid");
    const auto path = write(dir, counts, flags);
    const std::string message = test::complaint<InputError>([&] { io::read_frame(path); });
    EXPECT_TRUE(has(message, "smoke.vdb: no float volume in it") && has(message, "cells, solid")) << message;
}

TEST(foreign_vdb, cut_or_other_files_are_named) {
    const test::ScratchDir dir;
    const auto path = write(dir, block("density", 0.5f, 0.7f), block("temperature", 300, 1900));
    const std::string whole = test::file_text(path);
    for (const double part : {0.02, 0.2, 0.5, 0.8, 0.97}) {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << whole.substr(0, std::size_t(part * double(whole.size())));
        EXPECT_TRUE(has(complaint_of(path), "smoke.vdb: not a complete OpenVDB file")) << part;
        EXPECT_TRUE(has(test::complaint<RunError>([&] { io::read_frame(path, {.velocity = false}); }), "smoke.vdb: not a complete OpenVDB"))
            << part;
    }
    std::ofstream(path, std::ios::binary | std::ios::trunc) << "Not a volume at all, but long enough to be taken for one by its size.\n";
    EXPECT_TRUE(has(complaint_of(path), "smoke.vdb: not a complete OpenVDB file"));
    std::filesystem::create_directory(dir.path / "folder.vdb");
    EXPECT_TRUE(has(complaint_of(dir.path / "folder.vdb"), "folder.vdb: is a directory"));
}
