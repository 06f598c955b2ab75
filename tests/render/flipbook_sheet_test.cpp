// Sheets as files: which frame stands where, and that what is read back is what the JSON says.
#include <gtest/gtest.h>

#include <cmath>

#include "complaint.h"
#include "config/node.h"
#include "fixture.h"
#include "io/cache.h"
#include "render/flipbook/flipbook.h"
#include "scratch_dir.h"

using namespace phlo;
using namespace phlo::render;

namespace {

/// Frame n: a slab that fills the card and lets exp(-n / 8) through; it rises by a metre a second.
void write_frames(const std::filesystem::path& cache, int count) {
    for (int n = 1; n <= count; ++n) {
        auto frame = test::gas(16, [&](const Vec3d& p) { return std::fabs(p.y) < 0.25 ? n / 8.0 : 0; });
        auto faces = std::make_shared<field::MacGrid>(field::Layout(frame.domain.cells));
        faces->z.fill(1);
        frame.add(faces);
        frame.number = n, frame.time = (n - 1) / 24.0;
        io::write_cache_frame(cache, frame);
    }
}

FlipbookJob job_for(const test::ScratchDir& dir, int columns, int rows) {
    FlipbookJob job{.dir = dir.path, .layout = {.columns = columns, .rows = rows, .cell_width = 16, .cell_height = 16}};
    job.look = test::dark();
    job.look.smoke.extinction = 2;   // half a metre of it: a unit of depth
    job.angles = CardAngles{.azimuth = -90};
    return job;
}

/// Of the middle of a cell.
const std::array<float, 4>& middle(const io::Texture& texture, int column, int row) { return texture(16 * column + 8, 16 * row + 8); }

}  // namespace

TEST(flipbook_sheet, cells_hold_frames_spread_evenly_in_the_order_of_reading) {
    const test::ScratchDir dir;
    write_frames(dir.path / "cache", 9);
    const FlipbookReport report = make_flipbook(job_for(dir, 2, 2));
    EXPECT_EQ(report.frames, (std::vector<int>{1, 4, 6, 9}));
    const io::Texture color = io::read_texture(dir.path / "flipbook" / "color.exr");
    ASSERT_EQ(color.width, 32);
    for (int n = 0; n < 4; ++n)
        EXPECT_NEAR(middle(color, n % 2, n / 2)[3], 1 - std::exp(-report.frames[std::size_t(n)] / 8.0), 3e-3) << "cell " << n;
    EXPECT_NEAR(report.fps, 24.0 * 3 / 8, 1e-9);
}

TEST(flipbook_sheet, frames_are_the_first_and_the_last_and_evenly_between) {
    const std::vector<int> ten{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    EXPECT_EQ(spread_evenly(ten, 10), ten);
    EXPECT_EQ(spread_evenly(ten, 4), (std::vector<int>{1, 4, 7, 10}));
    EXPECT_EQ(spread_evenly(ten, 2), (std::vector<int>{1, 10}));
    EXPECT_EQ(spread_evenly(ten, 1), (std::vector<int>{1}));
}

TEST(flipbook_sheet, motion_in_bytes_is_centred_and_its_scale_is_in_the_json) {
    const test::ScratchDir dir;
    write_frames(dir.path / "cache", 4);
    const FlipbookReport report = make_flipbook(job_for(dir, 2, 2));
    const double rise = -1 / 24.0 / report.view.height;   // down is positive
    const auto folder = dir.path / "flipbook";
    const io::Texture raw = io::read_texture(folder / "motion.exr"), bytes = io::read_texture(folder / "motion.png");
    const config::Node json = config::parse_yaml(test::file_text(folder / "flipbook.json"), "flipbook.json");
    double scale = 0;
    for (const config::Node& texture : json.find("textures")->items)
        if (texture.find("name")->text == "motion") scale = std::stod(texture.find("png_scale")->text);
    EXPECT_NEAR(scale, -rise, 1e-3);
    EXPECT_NEAR(middle(raw, 1, 0)[1], rise, 1e-4);
    EXPECT_NEAR((double(middle(bytes, 1, 0)[1]) - 0.5) * 2 * scale, rise, scale / 127);
    EXPECT_NEAR(middle(bytes, 1, 0)[0], 0.5, 0.5 / 255 + 1e-6);
}

TEST(flipbook_sheet, the_json_tells_grid_size_rate_frames_and_every_file_that_is_there) {
    const test::ScratchDir dir;
    write_frames(dir.path / "cache", 7);
    const FlipbookReport report = make_flipbook(job_for(dir, 3, 2));
    const auto folder = dir.path / "flipbook";
    const config::Node json = config::parse_yaml(test::file_text(folder / "flipbook.json"), "flipbook.json");
    const auto numbers = [&](const char* key) {
        std::vector<double> values;
        for (const config::Node& item : json.find(key)->items) values.push_back(std::stod(item.text));
        return values;
    };
    EXPECT_EQ(numbers("grid"), (std::vector<double>{3, 2}));
    EXPECT_EQ(numbers("size"), (std::vector<double>{48, 32}));
    EXPECT_EQ(numbers("cell"), (std::vector<double>{16, 16}));
    EXPECT_EQ(numbers("frames").size(), 6u);
    EXPECT_NEAR(std::stod(json.find("fps")->text), report.fps, 1e-9);
    EXPECT_EQ(json.find("loop")->text, "false");
    std::vector<std::string> names;
    for (const config::Node& texture : json.find("textures")->items) {
        names.push_back(texture.find("name")->text);
        for (const char* kind : {"exr", "png"}) EXPECT_TRUE(std::filesystem::exists(folder / texture.find("files")->find(kind)->text)) << names.back();
        for (const char* channel : {"R", "G", "B", "A"}) EXPECT_NE(texture.find("channels")->find(channel), nullptr);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"color", "light_positive", "light_negative", "motion"})) << "cold smoke has no emission";
}

TEST(flipbook_sheet, a_loop_leads_back_to_its_first_cell) {
    const test::ScratchDir dir;
    write_frames(dir.path / "cache", 10);
    FlipbookJob job = job_for(dir, 4, 2);
    job.loop = true;
    const FlipbookReport report = make_flipbook(job);   // 8 cells and 2 more frames that are faded in
    EXPECT_EQ(report.frames, (std::vector<int>{3, 4, 5, 6, 7, 8, 9, 10}));
    const io::Texture color = io::read_texture(dir.path / "flipbook" / "color.exr");
    const auto alpha = [](int frame) { return 1 - std::exp(-frame / 8.0); };
    for (int n = 0; n < 6; ++n) EXPECT_NEAR(middle(color, n % 4, n / 4)[3], alpha(n + 3), 3e-3) << n;
    EXPECT_NEAR(middle(color, 2, 1)[3], alpha(9) * 2 / 3 + alpha(1) / 3, 3e-3);
    EXPECT_NEAR(middle(color, 3, 1)[3], alpha(10) / 3 + alpha(2) * 2 / 3, 3e-3);
}

TEST(flipbook_sheet, bytes_are_premultiplied_unless_straight_alpha_is_asked_for) {
    const test::ScratchDir dir;
    write_frames(dir.path / "cache", 1);
    FlipbookJob job = job_for(dir, 1, 1);
    job.look.sky.strength = 0.4, job.look.sky.zenith = job.look.sky.horizon = Vec3f(1.f);
    make_flipbook(job);
    const auto folder = dir.path / "flipbook";
    const auto linear = middle(io::read_texture(folder / "color.exr"), 0, 0), bytes = middle(io::read_texture(folder / "color.png"), 0, 0);
    EXPECT_GT(linear[0], 0.01f);
    EXPECT_NEAR(io::linear_from_srgb(bytes[0]), linear[0], 0.005f);
    EXPECT_NEAR(bytes[3], linear[3], 0.003f);
    job.straight = true;
    make_flipbook(job);
    const auto straight = middle(io::read_texture(folder / "color.png"), 0, 0);
    EXPECT_NEAR(io::linear_from_srgb(straight[0]) * straight[3], linear[0], 0.005f);
}

TEST(flipbook_sheet, too_few_frames_are_counted_and_a_grid_that_fits_is_named) {
    const test::ScratchDir dir;
    write_frames(dir.path / "cache", 5);
    const std::string message = test::complaint<InputError>([&] { make_flipbook(job_for(dir, 8, 8)); });
    EXPECT_NE(message.find("5 frames from 1 to 5"), std::string::npos) << message;
    EXPECT_NE(message.find("8x8 needs 64"), std::string::npos) << message;
    EXPECT_NE(message.find("--grid 2x2"), std::string::npos) << message;
    FlipbookJob late = job_for(dir, 1, 1);
    late.first = 20, late.last = 30;
    EXPECT_NE(test::complaint<InputError>([&] { make_flipbook(late); }).find("there are 1 to 5"), std::string::npos);
    FlipbookJob thin = job_for(dir, 1, 1);
    thin.look.smoke.extinction = 1e-5;
    EXPECT_NE(test::complaint<InputError>([&] { make_flipbook(thin); }).find("nothing is seen"), std::string::npos);
}
