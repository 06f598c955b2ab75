// What `cmake --install` and the Debian package put into place (package/CMakeLists.txt).
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "apps/program.h"

namespace phlo::apps {
namespace {

/// An installation in a directory of its own, made once, and far from the source tree.
class Installed : public testing::Test {
protected:
    static void SetUpTestSuite() {
        dir_ = new test::ScratchDir;
        setenv("SOURCE_DATE_EPOCH", "86400", 1);
        made_ = Process({"--install", PHLO_BINARY_DIR, "--prefix", *dir_ / "usr", "--strip"}, PHLO_CMAKE).wait();
    }
    static void TearDownTestSuite() { delete dir_; }
    void SetUp() override { ASSERT_EQ(made_.code, 0) << made_; }

    static fs::path prefix() { return dir_->path / "usr"; }
    /// Started in a directory where there is nothing.
    static Outcome phlo(const std::vector<std::string>& arguments) {
        const test::ScratchDir elsewhere;
        const fs::path before = fs::current_path();
        fs::current_path(elsewhere.path);
        const Outcome outcome = Process(arguments, prefix() / "bin/phlo").wait();
        fs::current_path(before);
        return outcome;
    }
    static std::string unpacked(const std::string& name) {
        return Process({"-dc", prefix() / name}, "/bin/gzip").wait().out;
    }

private:
    inline static test::ScratchDir* dir_ = nullptr;
    inline static Outcome made_;
};

TEST_F(Installed, holds_what_it_needs_and_nothing_else) {
    std::set<std::string> expected{"bin/phlo", "share/man/man1/phlo.1.gz", "share/doc/phlogiston/copyright", "share/doc/phlogiston/studio-licences.txt",
                                   "share/doc/phlogiston/changelog.gz", "share/doc/phlogiston/changelog.Debian.gz"};
    std::istringstream cpus(PHLO_CPUS);
    for (std::string cpu; std::getline(cpus, cpu, ' ');) expected.insert("lib/phlogiston/phlo_" + cpu);
    std::set<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(prefix()))
        if (!entry.is_directory()) found.insert(fs::relative(entry.path(), prefix()));
    EXPECT_EQ(found, expected);
}

TEST_F(Installed, starts_the_same_program_as_the_build_tree) {
    const Outcome here = phlo({"version"}), built = apps::phlo({"version"});
    EXPECT_EQ(here.code, 0) << here;
    EXPECT_EQ(here.out, built.out);
}

TEST_F(Installed, brings_presets_and_mechanisms) {
    EXPECT_EQ(phlo({"presets"}).out, apps::phlo({"presets"}).out);
    EXPECT_EQ(phlo({"check", "campfire"}).code, 0);
    const Outcome react = phlo({"react", "hydrogen"});
    EXPECT_EQ(react.code, 0) << react;
    EXPECT_TRUE(contains(react.out, "10 species, 29 reactions")) << react;
}

TEST_F(Installed, manual_names_every_command) {
    const std::string manual = unpacked("share/man/man1/phlo.1.gz");
    std::istringstream help(phlo({"--help"}).out);
    std::string line;
    while (std::getline(help, line) && line != "Subcommands:") {}
    int commands = 0;
    while (std::getline(help, line) && line.starts_with("  ")) {
        const std::string command = line.substr(2, line.find(' ', 2) - 2);
        EXPECT_TRUE(contains(manual, "\n.TP\n.B " + command + "\n")) << command;
        ++commands;
    }
    EXPECT_GT(commands, 10);
}

TEST_F(Installed, changelog_has_the_date_it_is_given) {
    const std::string text = unpacked("share/doc/phlogiston/changelog.Debian.gz");
    EXPECT_TRUE(text.starts_with("phlogiston (")) << text;
    EXPECT_TRUE(contains(text, ">  Fri, 02 Jan 1970 00:00:00 +0000\n")) << text;
}

}  // namespace
}  // namespace phlo::apps
