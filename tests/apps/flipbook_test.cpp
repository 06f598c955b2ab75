// phlo flipbook from the outside: a run becomes a sheet, and what cannot be one is refused with what to do.
#include "config/node.h"
#include "io/image.h"
#include "program.h"

namespace phlo::apps {
namespace {

/// A short run of smoke, made once.
const std::string& small_run() {
    static const test::ScratchDir dir;
    static const std::string out = [] {
        const Outcome outcome = phlo({"run", "plume", "--resolution", "20", "--frames", "1-8", "-o", dir / "out", "--quiet"});
        EXPECT_EQ(outcome.code, 0) << outcome;
        return dir / "out";
    }();
    return out;
}

TEST(flipbook, a_run_becomes_a_sheet_with_its_layout) {
    const std::string& run = small_run();
    const Outcome outcome = phlo({"flipbook", run, "--grid", "4x2", "--size", "128x64"});
    ASSERT_EQ(outcome.code, 0) << outcome;
    for (const char* name : {"color", "light_positive", "light_negative", "motion"})
        for (const char* kind : {".exr", ".png"}) {
            const io::Texture texture = io::read_texture(fs::path(run) / "flipbook" / (std::string(name) + kind));
            EXPECT_EQ(texture.width, 128) << name;
            EXPECT_EQ(texture.height, 64) << name;
            EXPECT_TRUE(contains(outcome.out, std::string(name) + kind)) << outcome;
        }
    const config::Node json = config::parse_yaml(test::file_text(run + "/flipbook/flipbook.json"), "flipbook.json");
    EXPECT_EQ(config::to_line(*json.find("frames")), "[1, 2, 3, 4, 5, 6, 7, 8]");
    EXPECT_EQ(json.find("fps")->text, "24");
}

TEST(flipbook, bad_arguments_are_refused_with_what_to_do) {
    const std::string& run = small_run();
    const auto refused = [&](std::vector<std::string> more, const std::string& says) {
        std::vector<std::string> arguments{"flipbook", run};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = phlo(arguments);
        EXPECT_EQ(outcome.code, 2) << fmt::format("{}", fmt::join(more, " ")) << "\n" << outcome;
        EXPECT_TRUE(contains(outcome.err, says)) << "expected '" << says << "'\n" << outcome;
    };
    refused({"--grid", "0x0"}, "each from 1 to 64");
    refused({"--grid", "8"}, "for example 8x8");
    refused({"--grid", "3x3"}, "8 frames from 1 to 8");
    refused({"--grid", "8x8", "--size", "2048"}, "needs 64. Use a smaller grid, for example --grid 2x2");
    refused({"--grid", "3x1", "--size", "128"}, "126 and 129 fit");
    refused({"--grid", "2x2", "--size", "8"}, "use --size 16 or more");
    refused({"--grid", "2x2", "--frames", "40-50"}, "there are 1 to 8");
    refused({"--grid", "2x4", "--loop"}, "that loops needs 10");
    refused({"--azimuth", "north"}, "--azimuth north: expected a number");
    refused({"--quality", "perfect"}, "--quality");
    EXPECT_EQ(phlo({"flipbook", "no-such-directory"}).code, 2);
    EXPECT_EQ(phlo({"flipbook"}).code, 2);
}

}  // namespace
}  // namespace phlo::apps
