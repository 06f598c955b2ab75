// Empty space around the gas costs nothing and changes nothing.
#include <gtest/gtest.h>

#include <cmath>

#include "fixture.h"
#include "io/vdb.h"
#include "render/frame_render.h"
#include "scratch_dir.h"

using namespace phlo;
using namespace phlo::render;

namespace {

/// A burning ball away from the middle of a domain of 48^3 cells.
test::LatticeFrame burning() {
    constexpr int n = 48;
    const Vec3d center(0.12, -0.2, 0.62);
    test::LatticeFrame frame = test::gas(n, [&](const Vec3d& p) { return test::ball(p, center, 0.15); });
    auto temperature = std::make_shared<field::Grid>(field::Layout(frame.domain.cells), 300.f);
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i)
                if (test::ball(frame.domain.cell_center(i, j, k), center - Vec3d(0, 0, 0.06), 0.08) > 0) (*temperature)(i, j, k) = 1800;
    frame.add({.name = "temperature", .unit = "K", .background = 300, .grid = temperature});
    frame.surfaces.push_back(test::sphere({-0.2, -0.3, 0.1}, 0.1));
    return frame;
}

double mean(const io::Image& image) {
    double sum = 0;
    for (const Vec3f& p : image.pixels) sum += double(p.x + p.y + p.z) / 3;
    return sum / double(image.pixels.size());
}

}  // namespace

TEST(room, picture_of_the_occupied_part_is_that_of_the_whole) {
    const test::ScratchDir dir;
    test::LatticeFrame frame = burning();
    io::write_frame(dir.path / "a.vdb", frame);
    field::Frame whole = io::read_frame(dir.path / "a.vdb"), part = io::read_frame(dir.path / "a.vdb", {.occupied = true});
    whole.surfaces = part.surfaces = frame.surfaces;
    EXPECT_LT(part.volumes[0].domain.cells.x * part.volumes[0].domain.cells.y * part.volumes[0].domain.cells.z, 48 * 48 * 48 / 2);
    RenderParams look;
    look.width = 48, look.height = 36;
    look.flash.strength = 0.3;
    for (const Quality quality : {Quality::draft, Quality::good}) {
        const io::Image a = render_frame(whole, look, quality), b = render_frame(part, look, quality);
        double squares = 0;
        for (std::size_t p = 0; p < a.pixels.size(); ++p) squares += std::pow(double(length(a.pixels[p] - b.pixels[p])), 2);
        // Places differ by round-off, and so does the chance of a few photons.
        EXPECT_LT(std::sqrt(squares / double(a.pixels.size())) / mean(a), quality == Quality::draft ? 1e-4 : 2e-2) << int(quality);
        EXPECT_NEAR(mean(b) / mean(a), 1, quality == Quality::draft ? 1e-5 : 2e-3) << int(quality);
    }
}
