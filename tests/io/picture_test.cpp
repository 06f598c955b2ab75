#include <gtest/gtest.h>

#include <cstdlib>

#include "complaint.h"
#include "fixture.h"
#include "io/image.h"
#include "io/movie.h"
#include "io/ply.h"
#include "scratch_dir.h"

using namespace phlo;

namespace {

io::DisplayImage gradient(int width, int height) {
    io::DisplayImage image(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            std::uint8_t* p = image.at(x, y);
            p[0] = std::uint8_t(x * 5), p[1] = std::uint8_t(y * 7), p[2] = std::uint8_t(x ^ y);
        }
    return image;
}

}  // namespace

TEST(picture, png_keeps_every_byte_and_its_metadata) {
    const test::ScratchDir dir;
    const io::DisplayImage image = gradient(37, 21);
    io::write_png(dir.path / "a.png", image, {{"scene_hash", "77aa"}, {"render_hash", "1"}});
    const io::DisplayImage back = io::read_png(dir.path / "a.png");
    EXPECT_EQ(back.width, 37);
    EXPECT_EQ(back.bytes, image.bytes);
    EXPECT_EQ(io::read_image_metadata(dir.path / "a.png").at("scene_hash"), "77aa");
    EXPECT_TRUE(io::read_image_metadata(dir.path / "none.png").empty());
}

TEST(picture, exr_keeps_radiance_above_one) {
    const test::ScratchDir dir;
    io::Image image(16, 9);
    for (int y = 0; y < 9; ++y)
        for (int x = 0; x < 16; ++x) image(x, y) = {float(x) * 100.1f, float(y) * 1e-3f, 0.5f};
    io::write_exr(dir.path / "full.exr", image, {{"scene_hash", "77aa"}}, io::ExrDepth::full);
    EXPECT_EQ(io::read_exr(dir.path / "full.exr").pixels, image.pixels);
    EXPECT_EQ(io::read_image_metadata(dir.path / "full.exr").at("scene_hash"), "77aa");
    io::write_exr(dir.path / "half.exr", image);
    EXPECT_NEAR(io::read_exr(dir.path / "half.exr")(15, 8).x, 1501.5f, 1.f);
}

TEST(movie, plays_every_frame_at_its_rate) {
    const test::ScratchDir dir;
    std::vector<std::filesystem::path> pictures;
    for (int n = 0; n < 12; ++n) {
        pictures.push_back(dir.path / ("p" + std::to_string(n) + ".png"));
        io::write_png(pictures.back(), gradient(63, 35));  // odd on purpose
    }
    io::write_movie(dir.path / "it's a movie.mp4", pictures, 25);
    const std::string command =
        "ffprobe -v error -count_frames -select_streams v -show_entries stream=nb_read_frames,avg_frame_rate,pix_fmt,codec_name "
        "-of csv=p=0 \"" +
        (dir.path / "it's a movie.mp4").string() + "\" > " + (dir.path / "probe").string();
    ASSERT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(test::file_text(dir.path / "probe"), "h264,yuv420p,25/1,12\n");
}

TEST(movie, missing_ffmpeg_is_said_with_the_remedy) {
    const test::ScratchDir dir;
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", "/nonexistent", 1);
    const std::string message = test::complaint<RunError>([&] { io::Movie(dir.path / "m.mp4", 64, 64, 24); });
    ::setenv("PATH", path.c_str(), 1);
    EXPECT_NE(message.find("apt install ffmpeg"), std::string::npos) << message;
}

TEST(ply, surfaces_come_back_exactly) {
    const test::ScratchDir dir;
    const auto surfaces = test::small_frame().surfaces;
    io::write_ply(dir.path / "a.ply", surfaces);
    const auto back = io::read_ply(dir.path / "a.ply");
    ASSERT_EQ(back.size(), surfaces.size());
    for (std::size_t n = 0; n < back.size(); ++n) {
        EXPECT_EQ(back[n].name, surfaces[n].name);
        EXPECT_EQ(back[n].color, surfaces[n].color);
        EXPECT_EQ(back[n].mesh.points, surfaces[n].mesh.points);
        EXPECT_EQ(back[n].mesh.triangles, surfaces[n].mesh.triangles);
    }
}

TEST(ply, velocities_come_back_and_other_readers_need_not_know_them) {
    const test::ScratchDir dir;
    auto surfaces = test::small_frame().surfaces;
    surfaces[0].velocity = {{1, 2, 3}, {-4, 5.5f, 0}, {0, 0, 1e-3f}, {7, -8, 9}};
    io::write_ply(dir.path / "a.ply", surfaces);
    const auto back = io::read_ply(dir.path / "a.ply");
    ASSERT_EQ(back.size(), 2u);
    EXPECT_EQ(back[0].velocity, surfaces[0].velocity);
    EXPECT_EQ(back[1].velocity, std::vector<Vec3f>(3));   // beside one that moves, standing still is said
    EXPECT_EQ(back[1].mesh.points, surfaces[1].mesh.points);
    EXPECT_EQ(back[1].mesh.triangles, surfaces[1].mesh.triangles);
    surfaces[0].velocity.clear();
    io::write_ply(dir.path / "b.ply", surfaces);
    EXPECT_EQ(test::file_text(dir.path / "b.ply").find("property float vx"), std::string::npos);
    EXPECT_TRUE(io::read_ply(dir.path / "b.ply")[0].velocity.empty());
}

TEST(ply, cut_file_is_an_error_that_names_it) {
    const test::ScratchDir dir;
    io::write_ply(dir.path / "a.ply", test::small_frame().surfaces);
    const std::string whole = test::file_text(dir.path / "a.ply");
    for (const std::size_t length : {std::size_t(0), std::size_t(50), whole.size() - 100, whole.size() - 1}) {
        const std::string cut = dir.write("a.ply", whole.substr(0, length));
        const std::string message = test::complaint<RunError>([&] { io::read_ply(cut); });
        EXPECT_NE(message.find("a.ply"), std::string::npos) << length << ' ' << message;
    }
}
