#include "include_graph.h"
#include "source_dir.h"

#include <gtest/gtest.h>

namespace phlo::include_graph {
namespace {

/// A small project on disk, gone when the test ends.
struct TemporaryProject : test::ScratchDir {
    TemporaryProject() {
        write("src/low/CMakeLists.txt", "phlo_module(low)\n");
        write("src/middle/CMakeLists.txt", "phlo_module(middle DEPENDS low EXTERNAL TBB::tbb)\n");
        write("src/high/CMakeLists.txt", "find_package(x)\nphlo_module(high DEPENDS\n  middle\n  PRIVATE y)\n");
        write("apps/CMakeLists.txt", "phlo_program(apps DEPENDS high)\n");
    }
};

std::string joined(const std::vector<std::string>& lines) {
    std::string all;
    for (const std::string& line : lines) all += line + "\n";
    return all;
}

TEST(include_graph, every_include_follows_a_declared_arrow) { EXPECT_EQ(joined(include_violations(phlo::test::source_dir())), ""); }

TEST(include_graph, arrows_of_the_tree_point_down_only) {
    const Arrows arrows = declared_arrows(phlo::test::source_dir());
    ASSERT_TRUE(arrows.contains("base"));
    ASSERT_TRUE(arrows.contains("apps"));
    EXPECT_TRUE(arrows.at("base").empty());
    for (const auto& [module, targets] : arrows) {
        for (const std::string& target : targets) {
            std::set<std::string> reached;
            collect_reachable(arrows, target, reached);
            EXPECT_FALSE(reached.contains(module)) << module << " and " << target << " depend on each other";
        }
    }
}

TEST(include_graph, rendering_never_sees_a_solver) {
    std::set<std::string> reached;
    collect_reachable(declared_arrows(phlo::test::source_dir()), "render", reached);
    for (const char* solver : {"flow", "models", "sim", "scene"}) EXPECT_FALSE(reached.contains(solver)) << solver;
}

TEST(include_graph, an_include_that_reaches_over_several_arrows_is_allowed) {
    const TemporaryProject project;
    project.write("apps/main.cpp", "#include \"low/a.h\"\n#include \"high/b.h\"\n#include \"neighbour.h\"\n");
    EXPECT_EQ(joined(include_violations(project.path)), "");
}

TEST(include_graph, an_upward_include_is_named_with_file_and_line) {
    const TemporaryProject project;
    project.write("src/low/a.h", "#pragma once\n\n  #  include \"middle/b.h\"\n");
    const std::string found = joined(include_violations(project.path));
    EXPECT_TRUE(found.starts_with("src/low/a.h:3: low must not include \"middle/b.h\"")) << found;
}

TEST(include_graph, an_unknown_module_is_named) {
    const TemporaryProject project;
    project.write("src/high/sub/a.cpp", "#include \"elsewhere/b.h\"\n");
    const std::string found = joined(include_violations(project.path));
    EXPECT_NE(found.find("src/high/sub/a.cpp:1"), std::string::npos) << found;
    EXPECT_NE(found.find("no module is called 'elsewhere'"), std::string::npos) << found;
}

TEST(include_graph, sibling_models_do_not_include_each_other) {
    const TemporaryProject project;
    project.write("src/models/CMakeLists.txt", "phlo_module(models DEPENDS low)\n");
    project.write("src/models/gas/a.cpp", "#include \"models/gas/b.h\"\n#include \"models/liquid/c.h\"\n#include \"models/shared.h\"\n#include \"models/shot/d.h\"\n");
    project.write("src/models/shot/d.h", "#include \"models/gas/b.h\"\n");
    const std::vector<std::string> found = include_violations(project.path);
    ASSERT_EQ(found.size(), 2u) << joined(found);
    const std::string all = joined(found);
    EXPECT_NE(all.find("src/models/gas/a.cpp:2"), std::string::npos) << all;
    EXPECT_NE(all.find("src/models/shot/d.h:1"), std::string::npos) << all;
}

TEST(include_graph, wrapped_libraries_stay_inside_their_module) {
    const TemporaryProject project;
    project.write("src/high/a.cpp", "#include <vector>\n#include <openvdb/openvdb.h>\n");
    const std::vector<std::string> found = include_violations(project.path);
    ASSERT_EQ(found.size(), 1u) << joined(found);
    EXPECT_TRUE(found[0].starts_with("src/high/a.cpp:2")) << found[0];
}

TEST(include_graph, no_source_file_is_longer_than_700_lines) { EXPECT_EQ(joined(long_files(phlo::test::source_dir(), 700)), ""); }

TEST(include_graph, a_long_file_is_named) {
    const TemporaryProject project;
    project.write("src/low/long.cpp", std::string(11, '\n'));
    EXPECT_EQ(joined(long_files(project.path, 10)), "src/low/long.cpp: 11 lines\n");
}

}  // namespace
}  // namespace phlo::include_graph
