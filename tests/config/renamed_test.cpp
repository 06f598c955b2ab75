#include "config/renamed.h"

#include <gtest/gtest.h>

#include "config/merge.h"
#include "config/table.h"

namespace phlo::config {
namespace {

struct Spark {
    std::string name;
    double min_size = 1;
};
struct Fire {
    double min_heat = 2, glow = 3;
    std::vector<Spark> sparks;
};
struct Room {
    Fire fire;
};

const Table<Spark>& spark_table() {
    static const auto table = Table<Spark>("spark").key("name", &Spark::name, {}).key("min_size", &Spark::min_size, {.formerly = "least"});
    return table;
}
const Table<Fire>& fire_table() {
    static const auto table = Table<Fire>("fire")
                                  .key("min_heat", &Fire::min_heat, {.formerly = "coolest"})
                                  .key("glow", &Fire::glow, {})
                                  .list("sparks", &Fire::sparks, spark_table());
    return table;
}
const Table<Room>& room_table() {
    static const auto table = Table<Room>("room").table("fire", &Room::fire, fire_table());
    return table;
}
const Schema& schema() { return *room_table().schema(); }

Room read(const std::string& text) {
    Problems problems;
    const Node node = with_new_names(parse_yaml(text, "room.yaml"), schema(), problems);
    Reader reader(problems, room_table().schema());
    Room room;
    room_table().read(node, reader, room);
    problems.raise();
    return room;
}

TEST(renamed, an_old_name_means_what_it_meant_and_a_note_says_the_new_one) {
    testing::internal::CaptureStderr();
    const Room room = read("fire: {coolest: 7, glow: 4, sparks: [{name: a}, {name: b, least: 9}]}");
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(room.fire.min_heat, 7);
    EXPECT_EQ(room.fire.glow, 4);
    EXPECT_EQ(room.fire.sparks[0].min_size, 1);
    EXPECT_EQ(room.fire.sparks[1].min_size, 9);
    EXPECT_NE(said.find("room.yaml:1:8: fire.coolest is now fire.min_heat"), std::string::npos) << said;
    EXPECT_NE(said.find("fire.sparks.1.least is now fire.sparks.1.min_size"), std::string::npos) << said;
}

TEST(renamed, both_names_at_once_are_refused) {
    try {
        read("fire: {coolest: 7, min_heat: 8}");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(std::string(error.what()), "room.yaml:1:8: fire.coolest: is now called fire.min_heat, which is there too; expected only one of the two");
    }
}

TEST(renamed, new_names_pass_without_a_word) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(read("fire: {min_heat: 8}").fire.min_heat, 8);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(renamed, an_override_may_use_the_old_name) {
    Node node = parse_yaml("fire: {min_heat: 8}", "room.yaml");
    apply_override(node, "fire.coolest=5", schema());
    EXPECT_EQ(to_line(node), to_line(parse_yaml("fire: {min_heat: 5}", "")));
}

TEST(renamed, old_names_come_back_for_hashes) {
    Room room;
    room.fire.sparks = {{"a", 5}};
    const Node old = with_old_names(room_table().write(room), schema());
    EXPECT_EQ(to_line(old), "{fire: {coolest: 2, glow: 3, sparks: [{name: a, least: 5}]}}");
    EXPECT_EQ(to_line(with_new_names(old, schema())), to_line(room_table().write(room)));
}

}  // namespace
}  // namespace phlo::config
