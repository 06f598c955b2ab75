#include "compare/comparison.h"

#include <gtest/gtest.h>

#include <cmath>

#include "complaint.h"
#include "config/node.h"
#include "scratch_dir.h"
#include "sim/stats.h"

namespace phlo::compare {
namespace {

/// A run of four frames a second whose heat is `heat` times the time and that holds `soot` particles.
Record run(double heat, long soot, int frames = 8) {
    Record record;
    for (int n = 1; n <= frames; ++n) {
        models::FrameStats stats;
        stats.substeps = 2;
        stats.particles["soot"] = soot;
        stats.numbers = {{"expanded", 0.5}};
        stats.ledger["heat"] = {{"now", heat * n / 4}};
        stats.ledger["S3"] = {{"now", 3}, {"soot", -0.25}};
        stats.ledger["total S3"] = {{"now", 3}};
        record.add(stats, n / 4.0);
    }
    return record;
}

TEST(curve, is_straight_between_points_and_held_outside) {
    const Curve curve{"height", "m", {1, 2, 4}, {10, 20, 0}};
    EXPECT_DOUBLE_EQ(curve.at(0), 10);
    EXPECT_DOUBLE_EQ(curve.at(1.5), 15);
    EXPECT_DOUBLE_EQ(curve.at(3), 10);
    EXPECT_DOUBLE_EQ(curve.at(9), 0);
    EXPECT_DOUBLE_EQ(curve.mean(1, 4), (15 + 2 * 10) / 3.0);
    EXPECT_DOUBLE_EQ(curve.mean(1.5, 1.5), 15);
}

TEST(record, sums_what_frames_book_and_leaves_out_totals) {
    const Record record = run(100, 7);
    EXPECT_DOUBLE_EQ(record.find("soot formed")->values.back(), 8 * 0.25);
    EXPECT_DOUBLE_EQ(record.find("expanded volume")->values.back(), 4);
    EXPECT_DOUBLE_EQ(record.find("sub-steps")->values.back(), 16);
    EXPECT_DOUBLE_EQ(record.find("amount of S3")->values.back(), 3);
    EXPECT_EQ(record.find("amount of total S3"), nullptr);
}

TEST(comparison, a_run_and_itself_do_not_differ) {
    for (const ComparedCurve& curve : compare(run(100, 7), run(100, 7)).curves) EXPECT_EQ(curve.worst(), 0) << curve.name;
}

TEST(comparison, tells_by_how_much_of_the_larger_one_runs_differ) {
    const Comparison comparison = compare(run(100, 1000), run(80, 1000), {.times = 4});
    EXPECT_EQ(comparison.times, (std::vector<double>{0.5, 1, 1.5, 2}));
    for (const double difference : comparison.find("heat")->difference) EXPECT_DOUBLE_EQ(difference, -0.2);
    EXPECT_EQ(comparison.find("soot particles")->worst(), 0);
}

TEST(comparison, means_take_flicker_out) {
    Record calm, flickering;
    for (int n = 0; n <= 48; ++n) {
        models::FrameStats stats;
        stats.ledger["heat"] = {{"now", 100}};
        calm.add(stats, n / 24.0);
        stats.ledger["heat"] = {{"now", n % 2 ? 150 : 50}};
        flickering.add(stats, n / 24.0);
    }
    EXPECT_GT(compare(calm, flickering).find("heat")->worst(), 0.3);
    EXPECT_LT(compare(calm, flickering, {.mean = 0.5}).find("heat")->worst(), 0.02);
}

TEST(comparison, runs_of_other_frame_rates_meet_at_the_same_times) {
    Record slow, fast;
    for (const int fps : {4, 6})
        for (int n = 1; n <= 2 * fps; ++n) {
            models::FrameStats stats;
            stats.ledger["heat"] = {{"now", 10.0 * n / fps}};
            (fps == 4 ? slow : fast).add(stats, double(n) / fps);
        }
    const Comparison comparison = compare(slow, fast);
    EXPECT_LT(comparison.find("heat")->worst(), 1e-12);
    for (const double t : comparison.times) EXPECT_NEAR(t * 2, std::round(t * 2), 1e-12) << "both have a frame every half second";
    EXPECT_EQ(comparison.times.back(), 2);
}

TEST(comparison, is_json_for_scripts) {
    const config::Node node = config::parse_yaml(to_json(compare(run(100, 7), run(80, 7))), "json");
    EXPECT_EQ(node.get("times")->items.size(), 5u);
    EXPECT_EQ(node.find("curves.0.a")->items.size(), 5u);
}

TEST(record, a_directory_that_is_no_run_is_told) {
    const test::ScratchDir dir;
    EXPECT_NE(test::complaint([&] { read_run(dir.path, {}); }).find("directory of a run"), std::string::npos);
}

TEST(record, statistics_on_disk_are_those_of_the_run) {
    const test::ScratchDir dir;
    models::FrameStats stats;
    stats.frame = 2, stats.time = 1.0 / 24, stats.substeps = 3;
    stats.particles["soot"] = 12;
    stats.numbers = {{"pressure.iterations", 4}, {"expanded", 2.5}};
    stats.ledger["heat"] = {{"now", 321.5}};
    sim::append_stats(dir.path / "stats.jsonl", stats);
    const Record record = read_run(dir.path, {});
    EXPECT_EQ(record.find("heat")->values, std::vector<double>{321.5});
    EXPECT_EQ(record.find("expanded volume")->values, std::vector<double>{2.5});
    EXPECT_EQ(record.find("soot particles")->values, std::vector<double>{12});
    EXPECT_EQ(record.find("sub-steps")->values, std::vector<double>{3});
}

}  // namespace
}  // namespace phlo::compare
