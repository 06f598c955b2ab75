#include "flow/markers.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numbers>

#include "advect_cases.h"
#include "base/parallel.h"
#include "complaint.h"
#include "flow/level_set.h"
#include "flow/solids.h"
#include "flow/redistance.h"
#include "particles/columns.h"
#include "particles/sample.h"

namespace phlo::flow {
namespace {

using cases::set_cells;
using field::Grid;
using field::Layout;
using field::MacGrid;

constexpr double pi = std::numbers::pi;

double ball(double x, double y, double z) { return std::hypot(x - 0.51, y - 0.48, z - 0.507) - 0.31; }

Grid distances(int n, const cases::Function& f) {
    Grid phi((Layout(Vec3i(n))));
    set_cells(phi, 1.0 / n, f);
    MarchScratch scratch;
    redistance({.h = 1.0 / n}, phi, scratch);
    return phi;
}

Vec3f place(const MarkerSet& set, std::size_t n) { return {set.x[n], set.y[n], set.z[n]}; }

bool same(const MarkerSet& a, const MarkerSet& b) { return particles::save(a) == particles::save(b); }

TEST(markers, each_is_on_its_side_within_the_band_and_as_large_as_its_distance) {
    const int n = 32;
    const Grid phi = distances(n, ball);
    Markers markers;
    reseed({.h = 1.0 / n, .per_cell = 16}, phi, markers);
    for (const double side : {-1.0, 1.0}) {
        const MarkerSet& set = side < 0 ? markers.inside : markers.outside;
        ASSERT_GT(set.x.size(), 1000u);
        for (std::size_t m = 0; m < set.x.size(); ++m) {
            const double found = side * double(particles::sample(phi, place(set, m))) * n;
            ASSERT_GE(found, 0.1 - 1e-5);
            ASSERT_LE(found, 3 + 1e-5);
            ASSERT_NEAR(double(set.radius[m]), std::clamp(found, 0.1, 0.5), 1e-5);
        }
    }
    // A shell of 3 cells on each side, 16 markers in each cell of its nearer half, 4 in those of the other.
    const auto shell = [&](double from, double to) { return 4 * pi / 3 * (std::pow(0.31 * n - from, 3) - std::pow(0.31 * n - to, 3)); };
    EXPECT_NEAR(double(markers.inside.x.size()) / (16 * shell(0, 1.5) + 4 * shell(1.5, 3)), 1, 0.1);
}

TEST(markers, without_outside_ones_air_has_none) {
    const Grid phi = distances(24, ball);
    Markers markers;
    reseed({.h = 1.0 / 24, .per_cell = 8, .outside = false}, phi, markers);
    EXPECT_GT(markers.inside.x.size(), 0u);
    EXPECT_EQ(markers.outside.x.size(), 0u);
}

TEST(markers, they_turn_with_the_flow_at_second_and_third_order) {
    const int n = 32;
    const double h = 1.0 / n;
    MacGrid u((Layout(Vec3i(n))));
    cases::set_faces(
        u, h, [](double, double y, double) { return 0.5 - y; }, [](double x, double, double) { return x - 0.5; },
        [](double, double, double) { return 0.0; });
    for (const Trace trace : {Trace::rk2, Trace::rk3}) {
        double error[2];
        for (int r = 0; r < 2; ++r) {
            Markers markers;
            for (int m = 0; m < 11; ++m) {  // not a multiple of any register
                markers.inside.x.push_back(20.0f + 0.5f * float(m)), markers.inside.y.push_back(15.5f),
                    markers.inside.z.push_back(3.0f + float(m));
                markers.inside.radius.push_back(0.3f);
            }
            const int steps = 16 << r;
            for (int s = 0; s < steps; ++s) move_markers({.dt = pi / 2 / steps, .h = h, .trace = trace}, u, markers);
            error[r] = 0;
            for (int m = 0; m < 11; ++m)
                error[r] = std::max(error[r], double(length(place(markers.inside, std::size_t(m)) -
                                                            Vec3f(15.5f, 20.0f + 0.5f * float(m), 3.0f + float(m)))));
        }
        EXPECT_GT(std::log2(error[0] / error[1]), trace == Trace::rk2 ? 1.8 : 2.7) << error[0] << " " << error[1];
    }
}

TEST(markers, they_stay_in_the_box_and_leave_bodies) {
    const int n = 16;
    MacGrid u((Layout(Vec3i(n))));
    u.x.fill(5), u.z.fill(-9);
    Markers markers;
    markers.inside = {.x = {14, 3, 8}, .y = {2, 3, 8}, .z = {1, 9, 8}, .radius = {0.2f, 0.2f, 0.2f}};
    move_markers({.dt = 1, .h = 1}, u, markers);
    EXPECT_NEAR(markers.inside.x[0], 15.5, 2e-3);
    EXPECT_NEAR(markers.inside.z[0], -0.5, 2e-3);
    EXPECT_FLOAT_EQ(markers.inside.x[1], 8);
    // A plate a fifth of a cell thick, its middle at x = 4 in cell coordinates: between cell centres' distances it cannot be seen.
    const field::Domain domain{.cells = Vec3i(n), .origin = {}, .h = 1};
    const geom::Body plate{.name = "plate", .shape = geom::Box{.size = {0.2, 40, 40}}, .motion = {.position = Curve<Vec3d>(Vec3d(4.5, 8, 8))}};
    const std::vector<geom::Placement> placed = geom::place({&plate, 1}, 0);
    const BodyContacts contacts(domain, placed, placed);
    Solids solids;
    rasterize(domain, placed, solids);
    markers.inside = {.x = {1, 3}, .y = {8, 8}, .z = {12, 12}, .radius = {0.2f, 0.2f}};
    for (int step = 0; step < 4; ++step) {
        move_markers({.dt = 0.6, .h = 1, .contacts = &contacts, .solid_distance = &solids.distance}, u, markers);
        for (const float x : markers.inside.x) EXPECT_NEAR(x, 3.8, 0.03) << step;
    }
}

TEST(markers, most_of_an_error_is_taken_back) {
    const int n = 32;
    const double h = 1.0 / n;
    const Grid right = distances(n, ball);
    for (const double error : {0.8, -0.8}) {  // [cells] the level set thinks the ball is smaller, or larger
        Markers markers;
        reseed({.h = h, .per_cell = 32}, right, markers);
        Grid phi = distances(n, [&](double x, double y, double z) { return ball(x, y, z) + error * h; });
        const double wrong = inside_volume(h, phi), exact = inside_volume(h, right);
        Grid low(phi.layout()), high(phi.layout());
        const CorrectScratch scratch{&low, &high};
        MarchScratch march;
        EXPECT_GT(correct(phi, markers, h, scratch), 0u);
        for (int times = 0; times < 2; ++times) {
            redistance({.h = h}, phi, march);
            correct(phi, markers, h, scratch);
        }
        EXPECT_LT(std::fabs(inside_volume(h, phi) - exact), 0.5 * std::fabs(wrong - exact)) << error;
    }
}

TEST(markers, a_right_level_set_is_not_touched) {
    Grid phi = distances(32, ball);
    const Grid before = phi;
    Markers markers;
    reseed({.h = 1.0 / 32, .per_cell = 16}, phi, markers);
    Grid low(phi.layout()), high(phi.layout());
    const CorrectScratch scratch{&low, &high};
    EXPECT_EQ(correct(phi, markers, 1.0 / 32, scratch), 0u);
    EXPECT_EQ(std::memcmp(phi.storage().data(), before.storage().data(), phi.bytes()), 0);
}

TEST(markers, spheres_are_merged_by_the_smaller_magnitude) {
    Grid phi((Layout({8, 8, 8})), 2.0f);
    Markers markers;
    markers.inside = {.x = {3.25f}, .y = {3}, .z = {3}, .radius = {0.5f}};  // in the air: it has escaped
    Grid low(phi.layout(), -9.0f), high(phi.layout(), 9.0f);   // what they hold does not count
    const CorrectScratch scratch{&low, &high};
    EXPECT_EQ(correct(phi, markers, 1, scratch), 1u);
    EXPECT_FLOAT_EQ(phi(3, 3, 3), -0.25f);
    EXPECT_FLOAT_EQ(phi(4, 3, 3), 0.25f);
    EXPECT_FLOAT_EQ(phi(2, 3, 3), 2.0f);
    // An outside marker in that little sphere wants +0.1 where the level set has -0.25: it wins; where it wants less than there is, nothing
    // happens.
    markers.outside = {.x = {3}, .y = {3}, .z = {3}, .radius = {0.1f}};
    markers.inside.radius[0] = 0.2f;
    EXPECT_EQ(correct(phi, markers, 1, scratch), 1u);
    EXPECT_FLOAT_EQ(phi(3, 3, 3), 0.1f);
    EXPECT_FLOAT_EQ(phi(4, 3, 3), 0.25f);
}

TEST(markers, reseeding_fills_gaps_thins_crowds_and_keeps_the_escaped) {
    const int n = 24;
    const Grid phi = distances(n, ball);
    const MarkerParams params{.h = 1.0 / n, .per_cell = 16};
    Markers markers;
    reseed(params, phi, markers);
    const std::size_t full = markers.inside.x.size();
    std::vector<std::uint8_t> half(full);
    for (std::size_t m = 0; m < full; ++m) half[m] = markers.inside.x[m] < 12;  // none left in one half
    particles::remove_marked(half, markers.inside);
    for (int copies = 0; copies < 2; ++copies)
        particles::append(MarkerSet(markers.inside), markers.inside);  // four times as many in the other
    particles::append(MarkerSet{.x = {1}, .y = {1}, .z = {1}, .radius = {0.1f}}, markers.inside);  // far out in the air
    particles::append(MarkerSet{.x = {12}, .y = {11}, .z = {12}, .radius = {0.5f}}, markers.inside);  // deep in the liquid
    ++markers.steps;
    reseed(params, phi, markers);
    EXPECT_NEAR(double(markers.inside.x.size()), double(full), 0.12 * double(full));  // cut cells may keep as many as full ones
    int escaped = 0, deep = 0;
    for (std::size_t m = 0; m < markers.inside.x.size(); ++m) {
        escaped += place(markers.inside, m) == Vec3f(1, 1, 1);
        deep += place(markers.inside, m) == Vec3f(12, 11, 12);
    }
    EXPECT_EQ(escaped, 1);
    EXPECT_EQ(deep, 0);
}

TEST(markers, far_escaped_ones_become_drops_with_the_flow_s_velocity) {
    const int n = 24;
    const field::Domain domain{Vec3i(n), {1, 2, 3}, 1.0 / n};
    const Grid phi = distances(n, ball);
    MacGrid u(phi.layout());
    u.y.fill(2.5f);
    Markers markers;
    const MarkerParams params{.h = 1.0 / n, .per_cell = 8};
    reseed(params, phi, markers);
    const std::size_t before = markers.count();
    particles::append(MarkerSet{.x = {2}, .y = {3}, .z = {4}, .radius = {0.25f}}, markers.inside);
    const Drops drops = take_drops(params, domain, phi, u, markers);
    EXPECT_EQ(markers.count(), before);
    ASSERT_EQ(drops.position.size(), 1u);
    EXPECT_LT(length(drops.position[0] - Vec3f(1 + 2.5f / n, 2 + 3.5f / n, 3 + 4.5f / n)), 1e-6f);
    EXPECT_EQ(drops.velocity[0], Vec3f(0, 2.5f, 0));
    EXPECT_FLOAT_EQ(drops.radius[0], 0.25f / n);
}

TEST(markers, a_checkpoint_holds_all_of_them) {
    const Grid phi = distances(16, ball);
    Markers markers, back;
    reseed({.h = 1.0 / 16, .per_cell = 4}, phi, markers);
    markers.steps = 17;
    const std::vector<char> bytes = save(markers);
    load(bytes, back);
    EXPECT_TRUE(same(markers.inside, back.inside) && same(markers.outside, back.outside));
    EXPECT_EQ(back.steps, 17u);
    EXPECT_THROW(load(std::span(bytes).first(bytes.size() - 1), back), RunError);
}

TEST(markers, spheres_around_particles_cover_what_the_particles_fill) {
    const int n = 20;
    const double h = 1.0 / n;
    std::vector<float> x, y, z;
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i)
                for (unsigned m = 0; m < 8; ++m) {
                    const auto r = uniform4({.seed = 4}, unsigned(i + n * (j + n * k)), m);
                    const Vec3d p((i + double(r[0])) * h, (j + double(r[1])) * h, (k + double(r[2])) * h);
                    if (ball(p.x, p.y, p.z) < 0)
                        x.push_back(float(p.x * n - 0.5)), y.push_back(float(p.y * n - 0.5)), z.push_back(float(p.z * n - 0.5));
                }
    Grid phi((Layout(Vec3i(n))));
    spheres_level_set(x, y, z, 0.9, h, phi);
    // Against brute force: the sign everywhere, the value near the surface.
    for (int k = 0; k < n; k += 3)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                double least = 1e30;
                for (std::size_t p = 0; p < x.size(); ++p)
                    least = std::min(least, std::hypot(double(x[p]) - i, double(y[p]) - j, double(z[p]) - k) - 0.9);
                ASSERT_EQ(phi(i, j, k) < 0, least < 0) << i << " " << j << " " << k;
                if (std::fabs(ball((i + 0.5) * h, (j + 0.5) * h, (k + 0.5) * h)) < 1.5 * h) {
                    ASSERT_NEAR(double(phi(i, j, k)) * n, std::min(least, 1.5), 1e-4);
                }
            }
}

TEST(markers, the_number_of_threads_changes_nothing) {
    const int n = 32;
    const double h = 1.0 / n;
    const auto run = [&](int threads, Grid& phi) {
        const ThreadLimit limit(threads);
        phi = distances(n, ball);
        MacGrid u(phi.layout());
        cases::set_swirl(u, h, 1.0);
        const MarkerParams params{.h = h, .per_cell = 16, .reseed_interval = 2, .seed = 3};
        Markers markers;
        Grid low(phi.layout()), high(phi.layout());
        const CorrectScratch scratch{&low, &high};
        reseed(params, phi, markers);
        for (int s = 0; s < 4; ++s) {
            move_markers({.dt = h, .h = h}, u, markers);
            correct(phi, markers, h, scratch);  // the level set itself stands still: many have escaped
            adjust_radii(params, phi, markers);
            if (++markers.steps % params.reseed_interval == 0) reseed(params, phi, markers);
        }
        return markers;
    };
    Grid phi_one, phi_two;
    const Markers one = run(1, phi_one), two = run(2, phi_two);
    EXPECT_TRUE(same(one.inside, two.inside) && same(one.outside, two.outside));
    EXPECT_EQ(std::memcmp(phi_one.storage().data(), phi_two.storage().data(), phi_one.bytes()), 0);
}

}  // namespace
}  // namespace phlo::flow
