#include "render/job.h"

#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/parallel.h"
#include "complaint.h"
#include "config/renamed.h"
#include "fixture.h"
#include "io/cache.h"
#include "scratch_dir.h"

using namespace phlo;
using namespace phlo::render;

namespace {

/// Three small frames of a rising ball.
void write_run(const std::filesystem::path& dir, double shift = 0) {
    for (int number = 1; number <= 3; ++number) {
        test::LatticeFrame frame = test::gas(16, [&](const Vec3d& p) { return test::ball(p, {shift, 0, 0.2 * number}, 0.15); });
        frame.number = number;
        frame.fps = 12;
        frame.metadata["scene_hash"] = "cafe";
        io::write_cache_frame(dir / "cache", frame);
    }
}

RenderJob job_for(const std::filesystem::path& dir) {
    RenderJob job{.dir = dir};
    job.look.width = 48, job.look.height = 32;
    return job;
}

}  // namespace

TEST(job, makes_pictures_and_a_movie_and_keeps_them) {
    const test::ScratchDir dir;
    write_run(dir.path);
    RenderJob job = job_for(dir.path);
    std::vector<RenderProgress> told;
    job.progress = [&](const RenderProgress& p) { told.push_back(p); };
    RenderReport report = render_frames(job);
    EXPECT_EQ(report.rendered, 3);
    EXPECT_EQ(told.size(), 3u);
    EXPECT_EQ(told.back().done, 3);
    EXPECT_TRUE(std::filesystem::exists(dir.path / "movie.mp4"));
    EXPECT_EQ(io::read_image_metadata(dir.path / "images/frame_0002.png").at("scene_hash"), "cafe");

    report = render_frames(job);
    EXPECT_EQ(report.kept, 3);
    EXPECT_EQ(report.rendered, 0);

    std::filesystem::remove(dir.path / "images/frame_0002.png");
    EXPECT_EQ(render_frames(job).rendered, 1);

    job.look.exposure = 1;
    EXPECT_EQ(render_frames(job).rendered, 3);
    job.quality = Quality::good;
    EXPECT_EQ(render_frames(job).rendered, 3);
    job.width = 64;
    EXPECT_EQ(render_frames(job).rendered, 3);
}

TEST(job, exr_holds_the_radiance_behind_the_picture_and_is_kept_too) {
    const test::ScratchDir dir;
    write_run(dir.path);
    RenderJob job = job_for(dir.path);
    job.first = 2, job.last = 3, job.movie = false;
    EXPECT_EQ(render_frames(job).rendered, 2);
    job.exr = io::ExrDepth::full;
    EXPECT_EQ(render_frames(job).rendered, 2);
    EXPECT_EQ(render_frames(job).kept, 2);
    const auto file = dir.path / "images/frame_0002.exr";
    const io::Image radiance = io::read_exr(file);
    RenderScene scene(io::read_cache_frame(dir.path / "cache", 2), job.look);
    EXPECT_EQ(radiance.pixels, render_preview(scene, preview_settings(Quality::draft)).pixels);
    const io::ImageMetadata metadata = io::read_image_metadata(file);
    EXPECT_EQ(metadata.at("frame"), "2");
    EXPECT_EQ(metadata.at("quality"), "draft");
    EXPECT_EQ(metadata.at("scene_hash"), "cafe");
    EXPECT_FALSE(std::filesystem::exists(dir.path / "images/frame_0001.exr"));
    // Another depth, or one made with another look, is made again.
    job.exr = io::ExrDepth::half;
    EXPECT_EQ(render_frames(job).rendered, 2);
    job.exr = {}, job.look.exposure = 1;
    EXPECT_EQ(render_frames(job).rendered, 2);
    job.exr = io::ExrDepth::half;
    EXPECT_EQ(render_frames(job).rendered, 2);
}

TEST(job, changed_frame_is_rendered_again) {
    const test::ScratchDir dir;
    write_run(dir.path);
    RenderJob job = job_for(dir.path);
    job.movie = false;
    render_frames(job);
    field::Frame frame = io::read_cache_frame(dir.path / "cache", 2);
    frame.surfaces.push_back(test::sphere({0, 0, 0.5}, 0.1));
    io::write_cache_frame(dir.path / "cache", frame);
    EXPECT_EQ(render_frames(job).rendered, 1);
    write_run(dir.path, 0.1);
    EXPECT_EQ(render_frames(job).rendered, 3);
}

TEST(job, stops_between_frames_and_goes_on) {
    const test::ScratchDir dir;
    write_run(dir.path);
    RenderJob job = job_for(dir.path);
    job.out = dir.path / "elsewhere";
    int asked = 0;
    job.stop = [&] { return ++asked > 1; };
    const RenderReport report = render_frames(job);
    EXPECT_TRUE(report.stopped);
    EXPECT_EQ(report.rendered, 1);
    EXPECT_FALSE(std::filesystem::exists(dir.path / "elsewhere/movie.mp4"));
    job.stop = {};
    EXPECT_EQ(render_frames(job).rendered, 2);
    EXPECT_TRUE(std::filesystem::exists(dir.path / "elsewhere/movie.mp4"));
}

TEST(job, nothing_to_render_is_an_input_error) {
    const test::ScratchDir dir;
    EXPECT_THROW(render_frames(job_for(dir.path / "none")), InputError);
    EXPECT_THROW(render_frames(job_for(dir.path)), InputError);
    write_run(dir.path);
    RenderJob job = job_for(dir.path);
    job.first = 10, job.last = 12;
    EXPECT_THROW(render_frames(job), InputError);
}

TEST(job, broken_frame_is_named_and_earlier_pictures_stay_with_any_number_of_threads) {
    for (const int threads : {1, 2}) {
        const ThreadLimit limit(threads);
        const test::ScratchDir dir;
        write_run(dir.path);
        const auto path = dir.path / "cache/frame_0002.vdb";
        std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
        const std::string message = test::complaint<RunError>([&] { render_frames(job_for(dir.path)); });
        EXPECT_NE(message.find("frame_0002.vdb"), std::string::npos) << message;
        EXPECT_TRUE(std::filesystem::exists(dir.path / "images/frame_0001.png")) << threads << " threads";
    }
}

TEST(job, missing_grid_is_named_with_its_file) {
    const test::ScratchDir dir;
    write_run(dir.path);
    RenderJob job = job_for(dir.path);
    job.look.volumes.push_back({.grid = "c_S3"});
    const std::string message = test::complaint<InputError>([&] { render_frames(job); });
    EXPECT_NE(message.find("frame_0001.vdb: render.volumes: no grid 'c_S3'"), std::string::npos) << message;
}

TEST(job, frames_without_anything_to_see_are_refused_by_file_and_grids) {
    const test::ScratchDir dir;
    test::LatticeFrame frame = test::gas(16, [](const Vec3d&) { return 1; });
    frame.volumes[0].name = "speed";
    io::write_cache_frame(dir.path / "cache", frame);
    RenderJob job = job_for(dir.path);
    const std::string message = test::complaint<InputError>([&] { render_frames(job); });
    EXPECT_NE(message.find("frame_0001.vdb: nothing to see: expected a grid 'density'"), std::string::npos) << message;
    EXPECT_NE(message.find("there is speed"), std::string::npos) << message;
    job.look.volumes.push_back({.grid = "speed"});
    EXPECT_EQ(render_frames(job).rendered, 1);
}

TEST(job, grid_that_the_look_names_is_checked_by_file_grid_and_cell) {
    const test::ScratchDir dir;
    test::LatticeFrame frame = test::gas(16, [](const Vec3d& p) { return p.x < -0.45 ? -2 : 1; });
    frame.volumes[0].name = "dye";
    io::write_cache_frame(dir.path / "cache", frame);
    RenderJob job = job_for(dir.path);
    job.look.volumes.push_back({.grid = "dye"});
    const std::string message = test::complaint<RunError>([&] { render_frames(job); });
    EXPECT_NE(message.find("frame_0001.vdb: grid 'dye' has the value -2 at cell (0, "), std::string::npos) << message;
}

TEST(look, table_reads_what_it_writes) {
    RenderParams look;
    const auto read = [&](const std::string& text) {
        config::Problems problems;
        config::Reader reader(problems);
        render_table().read(config::parse_yaml(text, "look.yaml"), reader, look);
        return problems.text();
    };
    EXPECT_EQ(
        read("camera: {position: [1, -2, 50 cm], fov: 40 deg}\nsmoke: {color: [0.1, 0.2, 0.3], extinction: 7}\nground: {visible: false}\n"),
        "");
    EXPECT_EQ((*look.camera.position)(0), Vec3d(1, -2, 0.5));
    EXPECT_NEAR(look.camera.fov(0), 40, 1e-9);
    EXPECT_EQ(look.smoke.extinction, 7);
    EXPECT_FALSE(look.ground.visible);
    const std::string dump = config::to_yaml(render_table().write(look));
    const std::uint64_t hash = look_hash(look);
    look = {};
    EXPECT_NE(look_hash(look), hash);
    EXPECT_EQ(read(dump), "") << dump;
    EXPECT_EQ(look_hash(look), hash);
    EXPECT_NE(read("sun: {elevation: 200}"), "");
}

TEST(look, old_names_of_keys_mean_what_they_meant_and_pictures_stay_valid) {
    config::Problems problems;
    config::Reader reader(problems);
    RenderParams look;
    const config::Node today = config::with_new_names(config::parse_yaml("fire: {coolest: 900 K}", "look.yaml"), *render_table().schema(), problems);
    render_table().read(today, reader, look);
    EXPECT_EQ(problems.text(), "");
    EXPECT_EQ(look.fire.min_temperature, 900);
    std::string line = config::to_line(render_table().write(look));   // as the program that first knew the key wrote it
    const std::string name = "min_temperature: 900", before = "coolest: 900";
    ASSERT_NE(line.find(name), std::string::npos) << line;
    line.replace(line.find(name), name.size(), before);
    EXPECT_EQ(look_hash(look), fnv1a(line));
}
