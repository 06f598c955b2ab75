#include "models/vortex_fire/vorticity_rates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "models/vortex_fire/vortex_splat.h"

namespace phlo::models {
namespace {

/// A few vortons in a corner of a box and at its far side, with heat, and a push in one more place.
struct Corner {
    VortexLattice lattice{.first = {}, .cells = {24, 24, 32}, .h = 0.1};
    FireMatter air{.temperature = 300, .oxygen = 0.23f};
    Vortons vortons;
    NodeValues<4> vorticity, velocity, push;
    NodeValues<8> matter;
    NodeRows filled, pushed;

    Corner() {
        for (std::uint32_t n = 0; n < 40; ++n) {
            const auto r = uniform4({.seed = 5}, n), s = uniform4({.seed = 6}, n);
            const Vec3f lower = n < 30 ? Vec3f(0.3f, 0.35f, 0.4f) : Vec3f(1.9f, 1.95f, 2.7f);
            append_vorton(vortons, {.position = lower + Vec3f(r[0], r[1], r[2]) * 0.2f, .strength = Vec3f(s[0] - 0.5f, s[1] - 0.5f, s[2] - 0.5f) * 1e-3f, .volume = 1e-3f,
                                    .matter = {.temperature = 300 + 500 * r[3], .oxygen = 0.23f}});
        }
        splat_vortons(lattice, vortons, air, filled, vorticity, matter);
        normalise_matter(full_share, filled, matter);
        add_lengths(filled, vorticity);
        velocity.fit(lattice), push.fit(lattice);
        for (int k = -1; k <= lattice.cells.z; ++k)
            for (int j = -1; j <= lattice.cells.y; ++j)
                for (int i = -1; i <= lattice.cells.x; ++i)
                    for (int c = 0; c < 3; ++c) velocity.node(i, j, k)[c] = std::sin(0.3f * float(i + 2 * j + 3 * k + c));
        push.node(12, 20, 9)[1] = 0.5f;
        pushed.fit(lattice), pushed.include(12, 20, 9);
    }
};

TEST(BusyRows, nothing_changes_at_the_nodes_that_are_left_out) {
    Corner corner;
    const Vec3i n = corner.lattice.cells;
    const NodeRows busy = busy_rows(corner.filled, corner.pushed);
    NodeRows all = busy;
    all.fill();
    NodeValues<8> rates;
    rates.fit(corner.lattice);
    // The cleaning acts where there is vorticity only; everything else is here.
    find_vorticity_rates(corner.lattice, {.viscosity = 1e-3, .lift = 0.03, .eddies = 0.2, .cleaning = 2},
                         {.vorticity = corner.vorticity, .velocity = corner.velocity, .matter = corner.matter, .push = &corner.push}, all.inside(), 0.01, rates);
    int left_out = 0, changing = 0;
    for (int k = 0; k < n.z; ++k)
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) {
                float most = 0;
                for (int c = 0; c < 7; ++c) most = std::max(most, std::fabs(rates.node(i, j, k)[c]));
                changing += most > 0;
                if (i >= busy(j, k).first && i < busy(j, k).last) continue;
                ++left_out;
                EXPECT_EQ(most, 0) << "node " << i << ", " << j << ", " << k;
            }
    EXPECT_GT(changing, 400);
    EXPECT_GT(left_out, n.x * n.y * n.z * 3 / 4) << "or it spares nothing";
}

TEST(BusyRows, a_push_alone_keeps_the_nodes_around_it) {
    Corner corner;
    NodeRows nothing = corner.pushed;
    nothing.fit(corner.lattice);
    const NodeRows busy = busy_rows(nothing, corner.pushed);
    for (int k = 0; k < corner.lattice.cells.z; ++k)
        for (int j = 0; j < corner.lattice.cells.y; ++j) {
            const bool near = std::abs(j - 20) <= 1 && std::abs(k - 9) <= 1;
            EXPECT_EQ(busy(j, k).first, near ? 11 : 0) << j << ", " << k;
            EXPECT_EQ(busy(j, k).last, near ? 14 : 0) << j << ", " << k;
        }
}

TEST(NodeRows, what_was_splatted_before_is_cleared) {
    Corner corner;
    Corner other;
    for (Vec3f& place : other.vortons.position) place += Vec3f(0.31f, -0.02f, 0.13f);
    splat_vortons(corner.lattice, other.vortons, corner.air, corner.filled, corner.vorticity, corner.matter);   // over what was there
    NodeRows filled;
    NodeValues<4> vorticity;
    NodeValues<8> matter;
    splat_vortons(corner.lattice, other.vortons, corner.air, filled, vorticity, matter);                        // into empty memory
    EXPECT_TRUE(std::ranges::equal(corner.vorticity.storage(), vorticity.storage()));
    EXPECT_TRUE(std::ranges::equal(corner.matter.storage(), matter.storage()));
}

}  // namespace
}  // namespace phlo::models
