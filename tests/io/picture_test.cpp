#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

#include "complaint.h"
#include "fixture.h"
#include "io/image.h"
#include "io/movie.h"
#include "io/ply.h"
#include "io/y4m.h"
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

TEST(picture, textures_keep_four_channels_as_they_are) {
    const test::ScratchDir dir;
    io::Texture texture(5, 3);
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 5; ++x) texture(x, y) = {float(x) / 255, float(100 + y) / 255, 0.2f, y == 0 ? 0.f : float(x * y) / 255};
    io::write_png(dir.path / "a.png", texture, io::Transfer::linear);
    const io::Texture bytes = io::read_texture(dir.path / "a.png");
    ASSERT_EQ(bytes.width, 5);
    for (std::size_t p = 0; p < texture.pixels.size(); ++p)
        for (std::size_t c = 0; c < 4; ++c) EXPECT_NEAR(bytes.pixels[p][c], texture.pixels[p][c], 1e-6f) << "nothing is multiplied by alpha, not even by 0";
    texture(1, 1) = {-3, 1000, 0.5f, 2};
    io::write_exr(dir.path / "a.exr", texture, {}, io::ExrDepth::full);
    EXPECT_EQ(io::read_texture(dir.path / "a.exr").pixels, texture.pixels);
    io::write_png(dir.path / "b.png", texture, io::Transfer::srgb);
    const auto pixel = io::read_texture(dir.path / "b.png")(1, 1);
    EXPECT_EQ(pixel[0], 0);
    EXPECT_EQ(pixel[1], 1);
    EXPECT_NEAR(io::linear_from_srgb(pixel[2]), 0.5f, 0.003f);
    EXPECT_EQ(pixel[3], 1);
}

TEST(y4m, header_tells_size_and_rate) {
    EXPECT_EQ(io::y4m_header(640, 360, 24), "YUV4MPEG2 W640 H360 F24:1 Ip A1:1 C420jpeg\n");
    EXPECT_EQ(io::y4m_header(64, 36, 23.976), "YUV4MPEG2 W64 H36 F2997:125 Ip A1:1 C420jpeg\n");
}

TEST(y4m, colours_are_those_of_the_standards) {
    const auto yuv = [](std::uint8_t r, std::uint8_t g, std::uint8_t b, io::YuvMatrix matrix) {
        io::DisplayImage image(2, 2);
        for (int n = 0; n < 4; ++n) image.bytes[std::size_t(3 * n)] = r, image.bytes[std::size_t(3 * n + 1)] = g, image.bytes[std::size_t(3 * n + 2)] = b;
        const std::vector<std::uint8_t> planes = io::yuv420(image, matrix);
        return std::vector<int>{planes[0], planes[4], planes[5]};
    };
    // ITU-R BT.601 and BT.709, 8 bits: black, white and the primaries of the colour bars.
    for (const auto matrix : {io::YuvMatrix::bt601, io::YuvMatrix::bt709}) {
        EXPECT_EQ(yuv(0, 0, 0, matrix), (std::vector<int>{16, 128, 128}));
        EXPECT_EQ(yuv(255, 255, 255, matrix), (std::vector<int>{235, 128, 128}));
    }
    EXPECT_EQ(yuv(255, 0, 0, io::YuvMatrix::bt601), (std::vector<int>{81, 90, 240}));
    EXPECT_EQ(yuv(0, 255, 0, io::YuvMatrix::bt601), (std::vector<int>{145, 54, 34}));
    EXPECT_EQ(yuv(0, 0, 255, io::YuvMatrix::bt709), (std::vector<int>{32, 240, 118}));
    EXPECT_EQ(io::usual_matrix(640, 360), io::YuvMatrix::bt601);
    EXPECT_EQ(io::usual_matrix(1280, 720), io::YuvMatrix::bt709);
}

TEST(y4m, odd_sizes_have_whole_chroma_planes_and_ffmpeg_reads_every_frame) {
    const test::ScratchDir dir;
    const std::string file = (dir.path / "v.y4m").string();
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    io::Y4mStream video(descriptor, 37, 21, 25);
    for (int n = 0; n < 3; ++n) EXPECT_TRUE(video.add(gradient(37, 21)));
    ::close(descriptor);
    EXPECT_EQ(test::file_text(file).size(), io::y4m_header(37, 21, 25).size() + 3 * (6 + 37 * 21 + 2 * 19 * 11));
    ASSERT_EQ(std::system(("ffprobe -v error -count_frames -show_entries stream=width,height,nb_read_frames,avg_frame_rate -of csv=p=0 " + file + " > " + file + ".probe").c_str()), 0);
    EXPECT_EQ(test::file_text(file + ".probe"), "37,21,25/1,3\n");
}

TEST(y4m, a_reader_that_has_gone_is_told_not_suffered) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ::close(ends[0]);
    io::Y4mStream video(ends[1], 37, 21, 25);
    EXPECT_FALSE(video.add(gradient(37, 21)));
    ::close(ends[1]);
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

TEST(ply, what_fills_a_surface_comes_back) {
    const test::ScratchDir dir;
    auto surfaces = test::small_frame().surfaces;
    surfaces[1].substance = "skim milk";
    io::write_ply(dir.path / "a.ply", surfaces);
    const auto back = io::read_ply(dir.path / "a.ply");
    ASSERT_EQ(back.size(), 2u);
    EXPECT_EQ(back[0].substance, "");
    EXPECT_EQ(back[1].substance, "skim milk");
    EXPECT_EQ(back[1].name, surfaces[1].name);
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
