#include "bad_mechanisms.h"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "base/error.h"
#include "chem/mechanism/read.h"
#include "complaint.h"

namespace phlo::chem {
namespace {

using phlo::test::complaint;
using test::bad_mechanisms;
using test::BadMechanism;

std::string read_complaint(const std::string& text) {
    return complaint([&] { read_mechanism(config::parse_yaml(text, "bad.yaml"), ""); });
}

/// Whether one of the lines begins with `start` and has `words`.
bool has_line(const std::string& lines, const std::string& start, const std::string& words) {
    std::istringstream stream(lines);
    for (std::string line; std::getline(stream, line);)
        if (line.starts_with(start) && line.find(words) != std::string::npos) return true;
    return false;
}

TEST(bad_mechanisms, each_is_told_with_its_place) {
    EXPECT_GE(bad_mechanisms().size(), 100u);
    for (const BadMechanism& bad : bad_mechanisms()) {
        const std::string said = read_complaint(bad.text);
        EXPECT_TRUE(has_line(said, std::string("bad.yaml:") + bad.where, bad.words)) << bad.name << "\n" << bad.text << said;
    }
}

TEST(bad_mechanisms, all_problems_are_told_at_once) {
    const std::string said =
        read_complaint(test::toy("- {equation: S1 => S9, rate: 1}\n"
                                 "- {equation: S1 => S2, rate: 0}\n"
                                 "- {equation: S1 => S3, rate: 3 kg}\n"));
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 2) << said;
    for (const char* line : {"bad.yaml:3:20", "bad.yaml:4:30", "bad.yaml:5:30"}) EXPECT_NE(said.find(line), std::string::npos) << said;
}

TEST(bad_mechanisms, a_wrong_species_is_not_blamed_on_its_reactions) {
    const std::string said = read_complaint(R"(species:
- {name: A, composition: {H: 1}, thermo: {model: NASA9}}
phases: [{name: gas, thermo: ideal-gas, kinetics: gas}]
reactions: [{equation: A + A <=> 2 A, rate-constant: [1, 0, 0]}]
)");
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 0) << said;
}

TEST(bad_mechanisms, the_path_of_a_scene_leads_to_the_value) {
    const config::Node scene = config::parse_yaml("chemistry: {species: [A, B], reactions: [{equation: A => B, rate: 0}]}", "scene.yaml");
    const std::string said = complaint([&] { read_mechanism(*scene.get("chemistry"), "chemistry"); });
    EXPECT_TRUE(said.starts_with("scene.yaml:1:67: chemistry.reactions.0.rate: 0")) << said;
}

}  // namespace
}  // namespace phlo::chem
