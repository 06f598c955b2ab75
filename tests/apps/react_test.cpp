// phlo react as scripts see it.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "program.h"
#include "source_dir.h"

namespace phlo::apps {
namespace {

const std::string hydrogen = phlo::test::source_dir() + "/mechanisms/hydrogen.yaml", chain = phlo::test::source_dir() + "/mechanisms/chain.yaml";

std::size_t lines_of(const std::string& text) { return std::size_t(std::count(text.begin(), text.end(), '\n')); }

TEST(react, a_file_with_a_react_section_just_works) {
    const test::ScratchDir dir;
    const std::string file = dir / "decay.yaml";
    std::ofstream(file) << "species: [A, B]\nreactions:\n- {equation: A => B, rate: 2}\nreact: {amount: {A: 1}, time: 3 s}\n";
    const Outcome outcome = phlo({"react", file, "--csv", dir / "a.csv"});
    EXPECT_EQ(outcome.code, 0) << outcome;
    EXPECT_TRUE(contains(outcome.out, "mechanism        decay: 2 species, 1 reactions")) << outcome;
    EXPECT_TRUE(contains(outcome.out, "after 3 s")) << outcome;
    EXPECT_TRUE(contains(outcome.out, "largest drift")) << outcome;
    EXPECT_EQ(outcome.err, "");
    std::ofstream(file) << "species: [A, B]\nreactions:\n- {equation: A => B, rate: 2}\n";
    const Outcome without = phlo({"react", file});
    EXPECT_EQ(without.code, 2);
    EXPECT_TRUE(contains(without.err, file + ": react: what is in the reactor?")) << without;
    std::ofstream(file) << "species: [A, B]\nreactions:\n- {equation: A => B, rate: 2}\nreact: {amount: {A: 1}, tme: 3 s}\n";
    const Outcome wrong = phlo({"react", file});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_TRUE(contains(wrong.err, file + ":4:25: react.tme: ") && contains(wrong.err, "did you mean 'time'")) << wrong;
}

TEST(react, every_shipped_mechanism_reacts_by_itself) {
    int count = 0;
    for (const auto& file : std::filesystem::directory_iterator(phlo::test::source_dir() + "/mechanisms")) {
        const Outcome outcome = phlo({"react", file.path()});
        EXPECT_EQ(outcome.code, 0) << file.path() << outcome;
        ++count;
    }
    EXPECT_GE(count, 7);
}

TEST(react, hydrogen_ignites_and_leaves_table_and_plots) {
    const test::ScratchDir dir;
    std::vector<std::string> arguments{"react",  hydrogen,
                                       "--set",  "mole={H2: 2, O2: 1, N2: 3.76}",
                                       "--set",  "temperature=1000 K",
                                       "--set",  "pressure=1 atm",
                                       "--time", "2.4 ms",
                                       "--csv",  dir / "a.csv",
                                       "--plot", dir / "a.svg"};
    const Outcome outcome = phlo(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome;
    EXPECT_TRUE(contains(outcome.out, "ignition delay   311.9")) << outcome;
    EXPECT_TRUE(contains(outcome.out, "end              2692.8")) << outcome;
    const std::string table = test::file_text(dir / "a.csv");
    EXPECT_TRUE(table.starts_with("time [s],temperature [K],pressure [Pa],density [kg/m^3],X_H2,")) << table.substr(0, 200);
    EXPECT_GT(lines_of(table), 100u);
    EXPECT_TRUE(contains(test::file_text(dir / "a.svg"), "mole fraction"));
    EXPECT_TRUE(contains(test::file_text(dir / "a.svg"), "temperature (K)"));

    const std::string mixture = "mole={H2: 2, O2: 1}";
    arguments = {"react",     hydrogen, "--set", "points=11", "--set",       mixture,  "--set",       "temperature=1500", "--set",
                 "show=mass", "--time", "1e-4",  "--csv",     dir / "b.csv", "--plot", dir / "b.png", "--axes",           "x:log,y:log"};
    EXPECT_EQ(phlo(arguments).code, 0);
    EXPECT_EQ(lines_of(test::file_text(dir / "b.csv")), 12u);
    EXPECT_TRUE(contains(test::file_text(dir / "b.csv"), ",Y_H2,"));
    EXPECT_TRUE(test::file_text(dir / "b.png").starts_with("\x89PNG"));
}

TEST(react, invented_chemistry_is_counted_in_concentrations) {
    const test::ScratchDir dir;
    const Outcome outcome = phlo({"react", chain, "--set", "amount={S1: 1, S2: 1}", "--time", "3", "--csv", dir / "a.csv", "--plot",
                                  dir / "a.svg", "--species", "S1,S3"});
    EXPECT_EQ(outcome.code, 0) << outcome;
    EXPECT_FALSE(contains(outcome.out, "ignition")) << outcome;
    EXPECT_TRUE(contains(test::file_text(dir / "a.csv"), ",S1 [mol/m^3],S2 [mol/m^3],")) << test::file_text(dir / "a.csv").substr(0, 200);
    EXPECT_TRUE(contains(test::file_text(dir / "a.svg"), "concentration (mol/m³)"));
    EXPECT_FALSE(contains(test::file_text(dir / "a.svg"), "temperature"));
}

TEST(react, equations_are_printed_and_not_solved) {
    const Outcome outcome = phlo({"react", chain, "--equations"});
    EXPECT_EQ(outcome.code, 0) << outcome;
    EXPECT_TRUE(contains(outcome.out, "d[S1]/dt = − k1 [S1] − k4 [S1][S5] − k5 [S1][S2][S6]\n")) << outcome;
    EXPECT_TRUE(contains(outcome.out, "d[S3]/dt = 5 k5 [S1][S2][S6]\n")) << outcome;
    EXPECT_FALSE(contains(outcome.out, "drift")) << outcome;
    EXPECT_EQ(phlo({"react", hydrogen, "--equations"}).code, 0);
}

TEST(react, wrong_input_ends_with_two_and_writes_nothing) {
    const test::ScratchDir dir;
    const std::string broken = dir / "broken.yaml";
    std::ofstream(broken) << "species: [A]\nreactions:\n- {equation: A => B, rate: 1}\n";
    const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
        {{"react"}, "mechanism"},
        {{"react", dir / "missing.yaml"}, "missing.yaml"},
        {{"react", broken}, broken + ":3:"},
        {{"react", chain, "--set", "amuont.S1=1"}, "did you mean 'amount'"},
        {{"react", chain, "--set", "amount={S1: 1}", "--time", "soon"}, "time"},
        {{"react", chain, "--set", "amount={S1: 1}", "--time", "-1"}, "time"},
        {{"react", chain, "--set", "amount={S1: 1}", "--plot", dir / "a.jpg"}, ".svg or a .png"},
        {{"react", chain, "--set", "amount={S1: 1}", "--plot", dir / "a.svg", "--species", "S9"}, "no species 'S9'"},
        {{"react", chain, "--set", "amount={S1: 1}", "--axes", "log"}, "x:log"},
        {{"react", chain, "--set", "temperature"}, "key.path=value"},
    };
    for (const auto& [arguments, part] : wrong) {
        const Outcome outcome = phlo(arguments);
        EXPECT_EQ(outcome.code, 2) << fmt::format("{}", fmt::join(arguments, " ")) << "\n" << outcome;
        EXPECT_TRUE(contains(outcome.err, part)) << fmt::format("{}", fmt::join(arguments, " ")) << "\n" << outcome;
    }
    EXPECT_FALSE(fs::exists(dir / "a.svg"));
    const Outcome unwritable = phlo({"react", chain, "--set", "amount={S1: 1}", "--csv", "/proc/no/a.csv"});
    EXPECT_EQ(unwritable.code, 1) << unwritable;
}

TEST(react, help_lists_the_keys) {
    const Outcome outcome = phlo({"react", "--help"});
    EXPECT_EQ(outcome.code, 0);
    for (const char* word : {"--csv", "--plot", "--equations", "--time", "thermal", "adiabatic", "temperature", "tolerance"})
        EXPECT_TRUE(contains(outcome.out, word)) << word << outcome;
    EXPECT_FALSE(contains(outcome.out, "keyframed")) << "that is for scenes\n" << outcome;
}

}  // namespace
}  // namespace phlo::apps
