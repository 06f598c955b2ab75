// A picture depends on its frame and look alone: not on which frames are rendered with it, in which order, or by how many threads.
#include <gtest/gtest.h>

#include "base/parallel.h"
#include "fixture.h"
#include "io/cache.h"
#include "render/job.h"
#include "scratch_dir.h"

using namespace phlo;
using namespace phlo::render;

namespace {

constexpr int frames = 3;

/// Something of everything that is drawn by chance or carried: fire, smoke, soot, wind, a ball; it moves from frame to frame.
test::LatticeFrame burning(int number) {
    const Vec3d center(0.05 * number - 0.1, 0, 0.3 + 0.05 * number);
    test::LatticeFrame frame = test::gas(24, [&](const Vec3d& p) { return test::ball(p, center + Vec3d(0, 0, 0.1), 0.22); });
    const field::Layout layout(frame.domain.cells);
    auto temperature = std::make_shared<field::Grid>(layout, 300.f);
    for (int k = 0; k < 24; ++k)
        for (int j = 0; j < 24; ++j)
            for (int i = 0; i < 24; ++i)
                if (test::ball(frame.domain.cell_center(i, j, k), center, 0.15) > 0) (*temperature)(i, j, k) = 1900;
    frame.add({.name = "temperature", .unit = "K", .background = 300, .grid = temperature});
    auto wind = std::make_shared<field::MacGrid>(layout);
    wind->x.fill(1.5f);
    frame.add(wind);
    frame.points.push_back({.name = "soot", .position = {Vec3f(center) + Vec3f(0.2f, 0, 0.2f)}, .radius = {0.05f}});
    frame.surfaces.push_back(test::sphere({-0.3, -0.2, 0.1}, 0.1));
    frame.number = number, frame.time = number / 24.0;
    return frame;
}

RenderJob job_for(const std::filesystem::path& dir, const std::filesystem::path& out, Quality quality) {
    RenderJob job{.dir = dir, .out = out, .quality = quality};
    job.look.width = 20, job.look.height = 14;
    if (quality == Quality::draft) job.look.camera.shutter = 0.5;
    job.look.flash.strength = 0.2;
    job.exr = io::ExrDepth::full, job.movie = false;
    return job;
}

/// Of all pictures, every bit.
std::string bytes_of(const std::filesystem::path& out) {
    std::string all;
    for (int number = 1; number <= frames; ++number) {
        all += test::file_text(io::frame_path(out / "images", number, ".png"));
        const io::Image radiance = io::read_exr(io::frame_path(out / "images", number, ".exr"));
        all.append(reinterpret_cast<const char*>(radiance.pixels.data()), radiance.pixels.size() * sizeof(Vec3f));
    }
    return all;
}

}  // namespace

TEST(split, frames_alone_backwards_or_after_a_stop_have_the_same_bits) {
    const test::ScratchDir dir;
    for (int number = 1; number <= frames; ++number) io::write_cache_frame(dir.path / "cache", burning(number));
    for (const Quality quality : {Quality::draft, Quality::good}) {
        const auto out = [&](const char* name) { return dir.path / (std::string(name) + std::to_string(int(quality))); };
        const auto render = [&](const std::filesystem::path& where, int first, int last) {
            RenderJob job = job_for(dir.path, where, quality);
            job.first = first, job.last = last;
            return render_frames(job).rendered;
        };
        EXPECT_EQ(render(out("whole"), 1, frames), frames);
        const std::string whole = bytes_of(out("whole"));

        {
            const ThreadLimit one(1);
            EXPECT_EQ(render(out("parts"), 3, 3), 1);
        }
        EXPECT_EQ(render(out("parts"), 1, 1), 1);
        EXPECT_EQ(render(out("parts"), 1, 3), 1);  // the second, between two that are kept
        EXPECT_TRUE(bytes_of(out("parts")) == whole) << int(quality);

        RenderJob job = job_for(dir.path, out("stopped"), quality);
        int asked = 0;
        job.stop = [&] { return ++asked > 1; };
        EXPECT_TRUE(render_frames(job).stopped);
        EXPECT_TRUE(std::filesystem::exists(io::frame_path(out("stopped") / "images", 1, ".png")));
        EXPECT_FALSE(std::filesystem::exists(io::frame_path(out("stopped") / "images", 2, ".png")));
        job.stop = {};
        EXPECT_EQ(render_frames(job).rendered, 2);
        EXPECT_TRUE(bytes_of(out("stopped")) == whole) << int(quality);
    }
}
