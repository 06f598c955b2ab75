#include "config/file_gate.h"

#include <gtest/gtest.h>

#include "complaint.h"
#include "config/node.h"
#include "scratch_dir.h"

namespace phlo::config {
namespace {

namespace fs = std::filesystem;

TEST(file_gate, without_one_every_file_is_readable) {
    EXPECT_FALSE(gate_stands());
    EXPECT_EQ(test::complaint([] { check_readable("/etc/passwd"); }), "accepted");
}

TEST(file_gate, lets_only_what_lies_below_its_folders_through) {
    const test::ScratchDir dir;
    fs::create_directories(dir.path / "shots/inner");
    fs::create_directories(dir.path / "shots2");
    dir.write("shots2/secret.yaml", "x"), dir.write("shots/a.yaml", "x");
    fs::create_symlink("../shots2/secret.yaml", dir / "shots/link.yaml");
    fs::create_directory_symlink("../shots2", dir / "shots/way");
    fs::create_symlink("a.yaml", dir / "shots/own.yaml");
    const FileGate gate({dir / "shots"});
    const auto passes = [&](const std::string& file) { return test::complaint([&] { check_readable(file); }) == "accepted"; };
    for (const char* good : {"shots/a.yaml", "shots/inner/new.yaml", "shots/inner/../a.yaml", "shots/own.yaml", "shots"}) EXPECT_TRUE(passes(dir / good)) << good;
    for (const char* bad : {"shots2/secret.yaml", "shots/../shots2/secret.yaml", "shots/link.yaml", "shots/way/secret.yaml", "shots/inner/../../shots2/secret.yaml", "."}) EXPECT_FALSE(passes(dir / bad)) << bad;
    EXPECT_FALSE(passes("/etc/passwd"));
    EXPECT_FALSE(passes("/"));
}

TEST(file_gate, messages_do_not_quote_a_file_that_is_neither_scene_nor_mechanism) {
    const test::ScratchDir dir;
    const std::string secret = dir.write("secret.yaml", "password: [topsecret\n"), scene = dir.write("scene.yaml", "phlo: 1\nname: [unfinished\n");
    {
        const FileGate gate({dir.path});
        EXPECT_EQ(test::complaint([&] { parse_yaml_file(secret); }), secret + ": neither a scene nor a mechanism");
        EXPECT_NE(test::complaint([&] { parse_yaml_file(scene); }).find("not valid YAML"), std::string::npos) << "of a scene everything is told";
    }
    EXPECT_NE(test::complaint([&] { parse_yaml_file(secret); }).find("not valid YAML"), std::string::npos);
}

}  // namespace
}  // namespace phlo::config
