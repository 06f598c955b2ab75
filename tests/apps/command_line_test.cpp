// The command line as scripts see it: exit codes, where messages go, and what they say.
#include "program.h"

namespace phlo::apps {
namespace {

const std::vector<std::string> commands{"presets", "new",   "check",   "run",  "play", "render", "flipbook", "info",   "compare", "react",
                                        "demo",    "bench", "package", "help", "schema", "version"};

TEST(command_line, help_lists_every_command_and_goes_to_standard_output) {
    for (const auto& arguments : {std::vector<std::string>{"--help"}, std::vector<std::string>{}}) {
        const Outcome outcome = phlo(arguments);
        EXPECT_EQ(outcome.code, 0) << outcome;
        EXPECT_EQ(outcome.err, "");
        for (const std::string& command : commands) EXPECT_TRUE(contains(outcome.out, "\n  " + command)) << command << "\n" << outcome;
    }
}

TEST(command_line, every_command_explains_itself) {
    for (const std::string& command : commands) {
        const Outcome outcome = phlo({command, "--help"});
        EXPECT_EQ(outcome.code, 0) << command << outcome;
        EXPECT_TRUE(contains(outcome.out, "phlo " + command)) << outcome;
    }
    const Outcome run = phlo({"run", "--help"});
    for (const char* option : {"--output", "--resolution", "--frames", "--threads", "--resume", "--set", "--render", "--quiet", "SCENE"})
        EXPECT_TRUE(contains(run.out, option)) << option;
}

TEST(command_line, a_wrong_command_is_wrong_input_and_names_the_nearest) {
    const Outcome outcome = phlo({"rnu"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(contains(outcome.err, "unknown command 'rnu'; did you mean 'run'?")) << outcome;
}

TEST(command_line, wrong_options_are_wrong_input) {
    const std::vector<std::vector<std::string>> wrong{{"run"},
                                                      {"run", "plume", "--nonsense"},
                                                      {"run", "plume", "--threads", "many"},
                                                      {"run", "plume", "--threads", "-1"},
                                                      {"run", "plume", "--frames", "x-y"},
                                                      {"run", "plume", "--frames", "9-3"},
                                                      {"run", "plume", "--frames", "-"},
                                                      {"run", "plume", "--resolution", "0"},
                                                      {"render", ".", "--quality", "perfect"},
                                                      {"render", ".", "--size", "640"},
                                                      {"render", ".", "--size", "0x0"},
                                                      {"info"},
                                                      {"info", "no-such-directory"},
                                                      {"render", "no-such-directory"},
                                                      {"help", "nonsense"}};
    for (const auto& arguments : wrong) {
        const Outcome outcome = phlo(arguments);
        EXPECT_EQ(outcome.code, 2) << fmt::format("{}", fmt::join(arguments, " ")) << "\n" << outcome;
        EXPECT_NE(outcome.err, "");
    }
}

TEST(command_line, version_names_program_and_instruction_set) {
    const Outcome outcome = phlo({"version"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_TRUE(outcome.out.starts_with("phlo ")) << outcome;
    EXPECT_TRUE(contains(outcome.out, "(AVX2), ") || contains(outcome.out, "(AVX-512), ")) << outcome;
}

TEST(command_line, bench_and_package_say_how_to_get_them) {
    const Outcome bench = phlo({"bench", "pressure", "--json"});
    EXPECT_EQ(bench.code, 1);
    EXPECT_TRUE(contains(bench.err, "./phlo bench")) << bench;
    const Outcome package = phlo({"package"});
    EXPECT_EQ(package.code, 1);
    EXPECT_TRUE(contains(package.err, "./phlo package")) << package;
}

TEST(command_line, presets_has_a_line_for_each_scene) {
    const Outcome outcome = phlo({"presets"});
    EXPECT_EQ(outcome.code, 0);
    for (const char* preset : {"plume ", "two-plumes ", "plume-sphere "})
        EXPECT_TRUE(contains("\n" + outcome.out, std::string("\n") + preset)) << outcome;
}

TEST(command_line, help_scene_explains_keys_with_units_and_schema_is_json) {
    const Outcome help = phlo({"help", "scene"});
    EXPECT_EQ(help.code, 0);
    for (const char* word : {"resolution", "vorticity", "buoyancy", "cfl"}) EXPECT_TRUE(contains(help.out, word)) << word;
    const Outcome schema = phlo({"schema"});
    EXPECT_EQ(schema.code, 0);
    EXPECT_TRUE(schema.out.starts_with("{")) << schema.out.substr(0, 80);
    EXPECT_TRUE(contains(schema.out, "\"$schema\""));
}

TEST(command_line, an_unknown_preset_names_the_nearest) {
    for (const char* command : {"run", "check", "new"}) {
        const Outcome outcome = phlo({command, "plum"});
        EXPECT_EQ(outcome.code, 2) << outcome;
        EXPECT_TRUE(contains(outcome.err, "did you mean 'plume'?")) << outcome;
    }
}

TEST(command_line, a_new_scene_passes_its_check) {
    const test::ScratchDir dir;
    for (const char* preset : {"plume", "two-plumes", "plume-sphere"}) {
        const std::string file = dir / (std::string(preset) + ".yaml");
        const Outcome made = phlo({"new", preset, "-o", file});
        EXPECT_EQ(made.code, 0) << made;
        const Outcome checked = phlo({"check", file});
        EXPECT_EQ(checked.code, 0) << checked;
        for (const char* word : {"cells", "memory", "MB"}) EXPECT_TRUE(contains(checked.out, word)) << checked;
    }
    const Outcome again = phlo({"new", "plume", "-o", dir / "plume.yaml"});
    EXPECT_EQ(again.code, 2) << "an existing file must not be overwritten\n" << again;
}

TEST(command_line, check_tells_what_can_be_watched_while_it_is_simulated) {
    const Outcome torch = phlo({"check", "torch"}), campfire = phlo({"check", "campfire"});
    EXPECT_TRUE(contains(torch.out, "live       yes: ")) << torch;
    EXPECT_TRUE(contains(campfire.out, "live       no: ")) << campfire;
}

TEST(command_line, a_bad_scene_is_told_with_file_line_and_column) {
    const test::ScratchDir dir;
    const std::string file = dir / "bad.yaml";
    std::ofstream(file) << "phlo: 1\ndomain:\n  resolutoin: 32\n";
    for (const char* command : {"check", "run"}) {
        const Outcome outcome = phlo({command, file});
        EXPECT_EQ(outcome.code, 2);
        EXPECT_TRUE(contains(outcome.err, file + ":3:3: domain.resolutoin: ")) << outcome;
        EXPECT_TRUE(contains(outcome.err, "resolution")) << outcome;
    }
    const Outcome set = phlo({"check", "plume", "--set", "domain.resolutoin=3"});
    EXPECT_EQ(set.code, 2) << set;
    EXPECT_TRUE(contains(set.err, "domain.resolutoin")) << set;
}

}  // namespace
}  // namespace phlo::apps
