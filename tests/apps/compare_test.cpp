// Two runs side by side, as scripts see it.
#include "config/node.h"
#include "program.h"

namespace phlo::apps {
namespace {

void make_run(const std::string& out, const std::string& lift) {
    const Outcome outcome = phlo({"run", "plume", "-o", out, "--resolution", "24", "--frames", "1-6", "--set", "gas.buoyancy.temperature=" + lift, "--quiet"});
    ASSERT_EQ(outcome.code, 0) << outcome;
}

TEST(compare, tells_the_same_shot_from_another) {
    const test::ScratchDir dir;
    const std::string a = dir / "a", b = dir / "b", c = dir / "c";
    make_run(a, "0.02"), make_run(b, "0.02"), make_run(c, "0.2");
    const Outcome same = phlo({"compare", a, b, "--within", "0.01"}), other = phlo({"compare", a, c, "--within", "5"});
    EXPECT_EQ(same.code, 0) << same;
    EXPECT_TRUE(contains(same.out, "height of centre [m]")) << same;
    EXPECT_EQ(other.code, 1) << other;
    EXPECT_TRUE(contains(other.err, "height")) << other;
    const Outcome both = phlo({"compare", a, b, c});
    EXPECT_TRUE(contains(both.out, "largest difference")) << both;
    const config::Node json = config::parse_yaml(phlo({"compare", a, b, "--json", "--times", "3"}).out, "json");
    EXPECT_EQ(json.get("times")->items.size(), 3u);
}

TEST(compare, wrong_input_is_explained) {
    const test::ScratchDir dir;
    const std::string a = dir / "a";
    make_run(a, "0.02");
    const Outcome none = phlo({"compare", a, dir / "nowhere"});
    EXPECT_EQ(none.code, 2) << none;
    EXPECT_TRUE(contains(none.err, "directory of a run")) << none;
    const Outcome curve = phlo({"compare", a, a, "--plot", dir / "x.svg", "--curve", "heigth"});
    EXPECT_EQ(curve.code, 2) << curve;
    EXPECT_TRUE(contains(curve.err, "height")) << curve;
    EXPECT_EQ(phlo({"compare", a}).code, 2);
    EXPECT_EQ(phlo({"compare", a, a, "--mean", "long"}).code, 2);
}

}  // namespace
}  // namespace phlo::apps
