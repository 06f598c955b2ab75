#include "sim/stats.h"

#include <gtest/gtest.h>

#include <limits>

#include "complaint.h"
#include "config/node.h"
#include "scratch_dir.h"

namespace phlo::sim {
namespace {

TEST(stats, a_line_is_json_whatever_the_names_and_numbers) {
    models::FrameStats stats;
    stats.frame = 7;
    stats.seconds.add("pressure", 0.25);
    stats.numbers = {{"pressure.iterations", 4}, {"pressure.residual", std::numeric_limits<double>::infinity()}, {"active_fraction", 0.5}};
    stats.ledger["the \"good\" air"]["now"] = 0.1;
    const config::Node line = config::parse_yaml(to_json(stats), "stats.jsonl");  // JSON is YAML
    EXPECT_EQ(line.get("frame")->text, "7");
    EXPECT_EQ(line.get("seconds")->get("pressure")->text, "0.25");
    EXPECT_EQ(line.get("pressure")->get("iterations")->text, "4");
    EXPECT_EQ(line.get("active_fraction")->text, "0.5");
    EXPECT_EQ(line.get("pressure")->get("residual")->kind, config::Node::Kind::null);
    EXPECT_EQ(line.get("ledger")->get("the \"good\" air")->get("now")->text, "0.1");
}

TEST(stats, what_was_written_is_read_back) {
    const test::ScratchDir dir;
    EXPECT_TRUE(read_stats(dir.path / "stats.jsonl").empty());
    models::FrameStats stats;
    stats.frame = 7, stats.time = 0.1, stats.dt = 0.02, stats.substeps = 5, stats.memory_bytes = 1234;
    stats.particles = {{"soot", 3}};
    stats.numbers = {{"pressure.iterations", 4}, {"pressure.residual", std::numeric_limits<double>::infinity()}, {"active_fraction", 0.5}};
    stats.ledger["the \"good\" air"]["now"] = 0.1;
    for (stats.frame = 7; stats.frame < 9; ++stats.frame) append_stats(dir.path / "stats.jsonl", stats);
    const std::vector<models::FrameStats> read = read_stats(dir.path / "stats.jsonl");
    ASSERT_EQ(read.size(), 2u);
    EXPECT_EQ(read[1].frame, 8);
    EXPECT_EQ(read[0].time, 0.1);
    EXPECT_EQ(read[0].dt, 0.02);
    EXPECT_EQ(read[0].substeps, 5);
    EXPECT_EQ(read[0].memory_bytes, 1234u);
    EXPECT_EQ(read[0].particles, stats.particles);
    EXPECT_EQ(read[0].ledger, stats.ledger);
    EXPECT_EQ(read[0].number("pressure.iterations"), 4);
    EXPECT_TRUE(std::isnan(read[0].number("pressure.residual"))) << "JSON has no infinity";
    EXPECT_EQ(read[0].number("active_fraction"), 0.5);
}

TEST(stats, a_broken_line_is_named) {
    const test::ScratchDir dir;
    const std::string file = dir.write("stats.jsonl", "{\"frame\":1}\n{\"frame\":\"many\"}\n");
    EXPECT_NE(test::complaint([&] { read_stats(file); }).find("stats.jsonl:2"), std::string::npos);
}

}  // namespace
}  // namespace phlo::sim
