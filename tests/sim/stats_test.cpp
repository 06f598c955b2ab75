#include "sim/stats.h"

#include <gtest/gtest.h>

#include <limits>

#include "config/node.h"

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

}  // namespace
}  // namespace phlo::sim
