#include "numerics/poisson.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "base/parallel.h"
#include "problems.h"

namespace phlo::numerics::testing {
namespace {

using Status = PoissonSolver::Status;

float random(std::uint32_t seed, int a, int i, int j, int k) { return uniform4({seed, 1, std::uint32_t(a)}, std::uint32_t((k * 512 + j) * 512 + i))[0]; }

/// Largest difference to a dense solve, relative to the largest value. The system must have an open wall.
double error_against_dense(const System& system, const field::Grid& x) {
    const auto n = Eigen::Index(system.layout.cell_count());
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd b(n);
    const auto rhs = system.rhs_values();
    system.each([&](int i, int j, int k) {
        const int c = system.id(i, j, k);
        b[c] = rhs[std::size_t(c)];
        a(c, c) = system.diagonal(i, j, k) > 0 ? 0 : 1;
        system.each_face(i, j, k, [&](float w, int q) {
            a(c, c) += double(w);
            if (q >= 0) a(c, q) -= double(w);
        });
    });
    const Eigen::VectorXd exact = a.fullPivLu().solve(b);
    double worst = 0;
    system.each([&](int i, int j, int k) { worst = std::max(worst, std::fabs(double(x(i, j, k)) - exact[system.id(i, j, k)])); });
    return worst / exact.cwiseAbs().maxCoeff();
}

TEST(poisson, agrees_with_a_dense_solve_on_odd_domains_with_random_weights) {
    int seed = 1;
    for (const Vec3i n : {Vec3i(7, 5, 9), Vec3i(1, 11, 6), Vec3i(12, 1, 7), Vec3i(9, 10, 1), Vec3i(17, 2, 3), Vec3i(5, 5, 13),
                          Vec3i(1, 1, 20), Vec3i(14, 6, 5), Vec3i(4, 3, 2)})
        for (int wall = 0; wall < 6; ++wall) {
            std::array<bool, 6> open{};
            open[std::size_t(wall)] = true;
            open[std::size_t((wall + seed) % 6)] = true;
            System system(n, open);
            system.set_weights([&](int a, int i, int j, int k) { return 0.05f + 0.95f * random(std::uint32_t(seed), a, i, j, k); });
            system.set_random_rhs(std::uint32_t(seed++));
            PoissonSolver solver(system.layout);
            const Status status = system.solve(solver, {.tolerance = 1e-5});
            EXPECT_TRUE(status.converged) << n.x << " " << n.y << " " << n.z << " wall " << wall << " residual " << status.residual;
            EXPECT_LT(error_against_dense(system, solver.solution()), 1e-3) << n.x << " " << n.y << " " << n.z << " wall " << wall;
        }
}

TEST(poisson, a_plain_box_needs_no_weights) {
    System system({21, 18, 33}, {true, false, false, true, false, false});
    system.set_plume_rhs();
    PoissonSolver with_weights(system.layout), without(system.layout);
    system.solve(with_weights, {.tolerance = 1e-5});
    without.setup({.open = system.open});
    system.each([&](int i, int j, int k) { without.rhs()(i, j, k) = system.b(i, j, k); });
    const Status status = without.solve({.tolerance = 1e-5});
    EXPECT_TRUE(status.converged);
    EXPECT_LT(system.residual(system.rhs_values(), without.solution()), 1.01e-5);
    system.each([&](int i, int j, int k) { ASSERT_EQ(with_weights.solution()(i, j, k), without.solution()(i, j, k)); });
}

TEST(poisson, a_closed_wall_is_closed_whatever_its_faces_hold) {
    for (int wall = 0; wall < 6; ++wall) {
        std::array<bool, 6> open{true, true, true, true, true, true};
        open[std::size_t(wall)] = false;
        System system({20, 17, 14}, open);
        system.set_solid([](int i, int j, int k) { return i > 6 && i < 13 && j > 4 && j < 11 && k > 3 && k < 9; });
        system.set_random_rhs(3);
        PoissonSolver zeros(system.layout), ones(system.layout);
        const std::vector<std::uint8_t> all_rows(std::size_t(17 * 14), 1);
        const auto solve = [&](PoissonSolver& solver) {
            solver.setup({.faces = &system.faces, .open = open, .special_row = all_rows});
            system.each([&](int i, int j, int k) { solver.rhs()(i, j, k) = system.b(i, j, k); });
            EXPECT_TRUE(solver.solve({}).converged);
        };
        solve(zeros);
        const int axis = wall / 2, at = wall % 2 == 0 ? 0 : system.layout.cells()[axis];
        const Vec3i extent = field::face_extent(system.layout, axis);
        for (int k = 0; k < extent.z; ++k)
            for (int j = 0; j < extent.y; ++j)
                for (int i = 0; i < extent.x; ++i)
                    if (Vec3i(i, j, k)[axis] == at) system.faces[axis](i, j, k) = 1;
        solve(ones);
        system.each([&](int i, int j, int k) { ASSERT_EQ(zeros.solution()(i, j, k), ones.solution()(i, j, k)) << wall; });
    }
}

Status solve_obstacle(int n, bool (*solid)(int, int, int, int), double* true_residual = nullptr) {
    System system({n, n, n}, open_top);
    system.set_solid([&](int i, int j, int k) { return solid(n, i, j, k); });
    system.set_plume_rhs();
    PoissonSolver solver(system.layout);
    const Status status = system.solve(solver, {.tolerance = 1e-4});
    if (true_residual != nullptr) *true_residual = system.residual(system.rhs_values(), solver.solution());
    return status;
}

TEST(poisson, iterations_with_a_sphere_do_not_grow_with_the_resolution) {
    int fewest = 100, most = 0;
    for (int n : {32, 64, 128}) {
        double true_residual = 0;
        const Status status = solve_obstacle(n, in_sphere, &true_residual);
        EXPECT_TRUE(status.converged);
        EXPECT_NEAR(status.residual, true_residual, 1e-6);
        fewest = std::min(fewest, status.iterations), most = std::max(most, status.iterations);
    }
    EXPECT_LE(most, 5);
    EXPECT_LE(most - fewest, 1);
}

TEST(poisson, a_sphere_costs_no_more_iterations_than_an_empty_box) {
    const auto nothing = [](int, int, int, int) { return false; };
    EXPECT_LE(solve_obstacle(64, in_sphere).iterations, solve_obstacle(64, nothing).iterations);
}

TEST(poisson, a_box_of_any_size_takes_four_cycles) {
    for (const Vec3i n : {Vec3i(64, 64, 64), Vec3i(66, 66, 66), Vec3i(67, 70, 98), Vec3i(99, 34, 50), Vec3i(256, 16, 18), Vec3i(18, 16, 130), Vec3i(2, 100, 3)}) {
        System system(n, open_top);
        system.set_plume_rhs();
        PoissonSolver solver(system.layout);
        const Status status = system.solve(solver, {.tolerance = 1e-4});
        EXPECT_LE(status.iterations, 4) << n.x << "x" << n.y << "x" << n.z;
        EXPECT_EQ(status.conjugate, 0) << n.x << "x" << n.y << "x" << n.z;
    }
}

TEST(poisson, a_thin_plate_with_a_small_hole_takes_few_iterations) {
    for (int n : {64, 128}) {
        const Status status = solve_obstacle(n, in_plate);
        EXPECT_TRUE(status.converged);
        EXPECT_LE(status.iterations, 12) << n;
    }
}

TEST(poisson, the_reported_residual_is_the_true_one_even_where_float_gives_up) {
    System system({64, 64, 64}, open_top);
    system.set_solid([&](int i, int j, int k) { return in_sphere(64, i, j, k); });
    system.set_plume_rhs();
    for (double tolerance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-7}) {
        PoissonSolver solver(system.layout);
        const Status status = system.solve(solver, {.tolerance = tolerance});
        const double truth = system.residual(system.rhs_values(), solver.solution());
        EXPECT_NEAR(status.residual, truth, 0.05 * truth) << tolerance;
        EXPECT_EQ(status.converged, status.residual <= tolerance) << tolerance;
        EXPECT_LT(truth, std::max(tolerance, 1e-5) * 1.05);
        EXPECT_LT(status.iterations, 40);
    }
}

TEST(poisson, a_plain_box_reports_its_true_residual_whichever_walls_are_open) {
    // The ghosts of rows without weights stand for the walls in x; more planes than one work item has.
    for (const std::array<bool, 6>& open : {std::array<bool, 6>{true}, std::array<bool, 6>{false, true}, open_top}) {
        System system({22, 19, 37}, open);
        system.set_random_rhs(5);
        PoissonSolver solver(system.layout);
        const Status status = system.solve(solver, {.tolerance = 1e-4});
        const double truth = system.residual(system.rhs_values(), solver.solution());
        EXPECT_TRUE(status.converged);
        EXPECT_LE(status.iterations, 8);
        EXPECT_NEAR(status.residual, truth, 0.01 * truth);
    }
}

TEST(poisson, a_half_open_wall_counts_though_all_other_faces_are_plain) {
    System system({24, 11, 9}, {false, true, false, false, false, false});
    system.set_weights([](int a, int i, int, int) { return a == 0 && i == 24 ? 0.5f : 1.f; });
    system.set_random_rhs(4);
    PoissonSolver solver(system.layout);
    const Status status = system.solve(solver, {.tolerance = 1e-4});
    EXPECT_TRUE(status.converged);
    EXPECT_LE(system.residual(system.rhs_values(), solver.solution()), 1.05e-4);
}

TEST(poisson, what_lies_beyond_the_faces_is_never_used) {
    System system({22, 9, 12}, open_top);
    system.set_solid([](int i, int j, int k) { return i > 17 && j > 3 && k > 4 && k < 9; });
    system.set_random_rhs(6);
    PoissonSolver clean(system.layout), dirty(system.layout);
    system.solve(clean, {});
    for (int a = 0; a < 3; ++a) {
        const Vec3i extent = field::face_extent(system.layout, a);
        for (int k = 0; k < extent.z; ++k)
            for (int j = 0; j < extent.y; ++j)
                for (std::ptrdiff_t i = extent.x; i < system.layout.stride_y(); ++i) system.faces[a].row(j, k)[i] = 7;
    }
    system.solve(dirty, {});
    system.each([&](int i, int j, int k) { ASSERT_EQ(clean.solution()(i, j, k), dirty.solution()(i, j, k)); });
}

TEST(poisson, a_grid_of_one_level_is_solved_at_once) {
    System system({4, 3, 2}, open_top);
    system.set_random_rhs(8);
    PoissonSolver solver(system.layout);
    const Status status = system.solve(solver, {.tolerance = 1e-4});
    EXPECT_TRUE(status.converged);
    EXPECT_LE(status.iterations, 2);
}

TEST(poisson, a_restart_reaches_what_one_run_in_float_does_not) {
    System system({96, 96, 96}, open_top);
    system.set_plume_rhs();
    PoissonSolver solver(system.layout);
    const Status status = system.solve(solver, {.tolerance = 1e-5});
    EXPECT_TRUE(status.converged) << status.residual;
}

TEST(poisson, a_closed_box_and_a_sealed_pocket_have_zero_mean_and_report_the_imbalance) {
    for (bool open : {false, true}) {
        System system({40, 33, 26}, {false, false, false, open, false, false});
        const auto in_pocket = [](int i, int j, int k) { return i > 10 && i < 20 && j > 5 && j < 14 && k > 7 && k < 19; };
        const auto in_shell = [&](int i, int j, int k) { return i >= 10 && i <= 20 && j >= 5 && j <= 14 && k >= 7 && k <= 19 && !in_pocket(i, j, k); };
        system.set_solid(in_shell);
        system.set_plume_rhs();
        system.each([&](int i, int j, int k) { system.b(i, j, k) += in_pocket(i, j, k) ? 3.f : 0.f; });
        PoissonSolver solver(system.layout);
        const Status status = system.solve(solver, {.tolerance = 1e-4});
        EXPECT_TRUE(status.converged);
        EXPECT_LT(status.iterations, 12);

        double mean[2] = {0, 0}, sum[2] = {0, 0}, count[2] = {0, 0};
        auto rhs = system.rhs_values();
        system.each([&](int i, int j, int k) {
            const int group = in_pocket(i, j, k);
            if (in_shell(i, j, k)) {
                EXPECT_EQ(solver.solution()(i, j, k), 0);
                return;
            }
            mean[group] += rhs[std::size_t(system.id(i, j, k))], count[group] += 1;
            sum[group] += double(solver.solution()(i, j, k));
        });
        for (int g : {0, 1}) mean[g] /= count[g];
        if (open) mean[0] = 0;
        EXPECT_NEAR(status.imbalance, std::max(std::fabs(mean[0]), std::fabs(mean[1])), 1e-5);
        EXPECT_NEAR(sum[1] / count[1], 0, 1e-5);
        if (!open) {
            EXPECT_NEAR(sum[0] / count[0], 0, 1e-4);
        }
        system.each([&](int i, int j, int k) {
            if (!in_shell(i, j, k)) rhs[std::size_t(system.id(i, j, k))] -= mean[in_pocket(i, j, k)];
        });
        EXPECT_LT(system.residual(rhs, solver.solution()), 1.1e-4);
    }
}

TEST(poisson, one_cell_wide_channels_converge) {
    // A folded pipe, one cell wide, walled by one cell of solid: the hardest geometry for a coarse grid.
    System system({33, 32, 3}, {true, false, false, false, false, false});
    system.set_solid([](int i, int j, int k) { return k != 1 || (j % 2 == 1 && (i != (j % 4 == 1 ? 32 : 0))); });
    system.each([&](int i, int j, int k) { system.b(i, j, k) = system.diagonal(i, j, k) > 0 ? float(std::sin(0.3 * i + j)) : 0.f; });
    PoissonSolver solver(system.layout);
    const Status status = system.solve(solver, {.tolerance = 1e-3});
    EXPECT_TRUE(status.converged) << status.residual;
    EXPECT_LT(status.iterations, 60);
}

TEST(poisson, random_porous_media_converge) {
    for (std::uint32_t seed : {1u, 2u, 3u}) {
        System system({37, 48, 41}, open_top);
        system.set_solid([&](int i, int j, int k) { return random(seed, 0, i, j, k) < 0.4f; });
        system.set_random_rhs(seed);
        PoissonSolver solver(system.layout);
        const Status status = system.solve(solver, {.tolerance = 1e-4});
        EXPECT_TRUE(status.converged) << status.residual;
        EXPECT_LT(status.iterations, 70);
    }
}

TEST(poisson, the_thread_count_does_not_change_a_bit) {
    const int n = 72;
    System system({n, n, n}, open_top);
    system.set_solid([&](int i, int j, int k) { return in_sphere(n, i, j, k); });
    system.set_plume_rhs();
    PoissonSolver one(system.layout), two(system.layout);
    {
        ThreadLimit limit(1);
        system.solve(one, {.tolerance = 1e-4});
    }
    ThreadLimit limit(2);
    system.solve(two, {.tolerance = 1e-4});
    system.each([&](int i, int j, int k) { ASSERT_EQ(one.solution()(i, j, k), two.solution()(i, j, k)); });
}

TEST(poisson, a_second_setup_forgets_the_first) {
    System solid({24, 24, 24}, open_top), plain({24, 24, 24}, open_top);
    solid.set_solid([](int i, int j, int k) { return in_sphere(24, i, j, k); });
    solid.set_random_rhs(1), plain.set_random_rhs(2);
    PoissonSolver reused(plain.layout), fresh(plain.layout);
    solid.solve(reused, {});
    const Status a = plain.solve(reused, {}), b = plain.solve(fresh, {});
    EXPECT_EQ(a.iterations, b.iterations);
    plain.each([&](int i, int j, int k) { ASSERT_EQ(reused.solution()(i, j, k), fresh.solution()(i, j, k)); });
}

TEST(poisson, a_second_solve_knows_nothing_of_the_first) {
    System system({24, 20, 16}, {true, true, true, true, true, true});
    PoissonSolver reused(system.layout), fresh(system.layout);
    system.set_random_rhs(1);
    system.solve(reused, {.tolerance = 1e-5});
    system.set_random_rhs(2);
    const Status a = system.solve(reused, {.tolerance = 1e-5}), b = system.solve(fresh, {.tolerance = 1e-5});
    EXPECT_TRUE(a.converged);
    EXPECT_EQ(a.residual, b.residual);
    system.each([&](int i, int j, int k) { ASSERT_EQ(reused.solution()(i, j, k), fresh.solution()(i, j, k)); });
}

TEST(poisson, nothing_in_gives_nothing_out) {
    System system({16, 9, 12}, open_top);
    PoissonSolver solver(system.layout);
    system.set_random_rhs(1);
    system.solve(solver, {});
    system.b.fill(0);
    const Status status = system.solve(solver, {});
    EXPECT_EQ(status.iterations, 0);
    EXPECT_TRUE(status.converged);
    EXPECT_EQ(field::max_abs(solver.solution(), system.layout.cells()), 0);
}

/// Cells around the middle, with random values of the given size; zero sums where the group of cells is sealed.
RankTerm random_term(const System& system, std::uint32_t seed, float size, bool zero_sum) {
    RankTerm term;
    const Vec3i n = system.layout.cells();
    for (int k = n.z / 3; k < 2 * n.z / 3 + 1; ++k)
        for (int j = n.y / 3; j < 2 * n.y / 3 + 1; ++j)
            for (int i = n.x / 3; i < 2 * n.x / 3 + 1; ++i) {
                RankTerm::Entry e{.cell = {i, j, k}};
                for (int c = 0; c < RankTerm::columns; ++c) e.value[std::size_t(c)] = size * (random(seed, c, i, j, k) - 0.5f);
                term.entries.push_back(e);
            }
    for (std::size_t c = 0; zero_sum && c < std::size_t(RankTerm::columns); ++c) {
        float mean = 0;
        for (const auto& e : term.entries) mean += e.value[c] / float(term.entries.size());
        for (auto& e : term.entries) e.value[c] -= mean;
    }
    return term;
}

/// |b - (A + sum c c^T) x| / |b| in double, the mean of b taken off if the system is sealed.
double residual_with_terms(const System& system, const std::vector<RankTerm>& terms, const field::Grid& x, bool sealed) {
    std::vector<double> rhs = system.rhs_values();
    double mean = 0;
    for (const double v : rhs) mean += v / double(rhs.size());
    for (double& v : rhs) v -= sealed ? mean : 0;
    double bb = 0, aa = 0;
    for (const double v : rhs) bb += v * v;
    for (const RankTerm& term : terms)
        for (std::size_t c = 0; c < std::size_t(RankTerm::columns); ++c) {
            double product = 0;
            for (const auto& e : term.entries) product += double(e.value[c]) * double(x(e.cell.x, e.cell.y, e.cell.z));
            for (const auto& e : term.entries) rhs[std::size_t(system.id(e.cell.x, e.cell.y, e.cell.z))] -= double(e.value[c]) * product;
        }
    for (const double v : rhs) aa += v * v;
    return system.residual(rhs, x) * std::sqrt(aa / bb);
}

TEST(poisson, rank_terms_of_any_weight_are_part_of_the_system_and_cost_few_iterations) {
    for (const bool sealed : {false, true})
        for (const float size : {1e-3f, 1.f, 3.f}) {  // 3: as light as 1 % of the gas it displaces
            System system({24, 20, 26}, sealed ? std::array<bool, 6>{} : open_top);
            system.set_plume_rhs();
            const std::vector<RankTerm> terms = {random_term(system, 3, size, sealed), random_term(system, 4, size, sealed)};
            PoissonSolver solver(system.layout);
            const Status plain = system.solve(solver, {.tolerance = 1e-5});
            solver.setup({.faces = &system.faces, .open = system.open, .special_row = system.special_rows()});
            solver.add(terms);
            system.each([&](int i, int j, int k) { solver.rhs()(i, j, k) = system.b(i, j, k); });
            const Status status = solver.solve({.tolerance = 1e-5});
            EXPECT_TRUE(status.converged) << size;
            EXPECT_LE(status.residual, 1e-5) << size;
            EXPECT_LT(residual_with_terms(system, terms, solver.solution(), sealed), 2e-5) << size << " " << sealed;
            EXPECT_LE(status.iterations, plain.iterations + 4 * RankTerm::columns) << size;
        }
}

TEST(poisson, setup_forgets_the_rank_terms) {
    System system({16, 16, 16}, open_top);
    system.set_plume_rhs();
    PoissonSolver solver(system.layout), fresh(system.layout);
    solver.add({random_term(system, 3, 1, false)});
    system.solve(solver, {}), system.solve(fresh, {});
    system.each([&](int i, int j, int k) { ASSERT_EQ(solver.solution()(i, j, k), fresh.solution()(i, j, k)); });
}

}  // namespace
}  // namespace phlo::numerics::testing
