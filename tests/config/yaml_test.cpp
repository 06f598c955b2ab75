#include <gtest/gtest.h>

#include "complaint.h"
#include "config/node.h"

namespace phlo::config {
namespace {

std::string complaint(const std::string& text) {
    return test::complaint([&] { parse_yaml(text, "f.yaml"); });
}

TEST(Yaml, every_value_knows_its_place) {
    const Node root = parse_yaml("a: 1\nb:\n  - {c: x, d: [1, 2]}\n", "f.yaml");
    EXPECT_EQ(root.find("a")->position.where(), "f.yaml:1:4");
    EXPECT_EQ(root.find("b.0.d.1")->position.where(), "f.yaml:3:19");
    EXPECT_EQ(root.entry("b")->position.where(), "f.yaml:2:1");
}

TEST(Yaml, list_items_are_found_by_index_and_by_name) {
    const Node root = parse_yaml("list: [{name: one, x: 1}, {name: two, x: 2}]", "f.yaml");
    EXPECT_EQ(root.find("list.1.x"), root.find("list.two.x"));
    EXPECT_EQ(root.find("list.two.x")->text, "2");
    EXPECT_EQ(root.find("list.three.x"), nullptr);
}

TEST(Yaml, quotes_make_text) {
    const Node root = parse_yaml("a: '1'\nb: 1\n", "f.yaml");
    EXPECT_TRUE(root.find("a")->quoted);
    EXPECT_FALSE(root.find("b")->quoted);
}

TEST(Yaml, broken_files_are_refused_with_a_position) {
    EXPECT_NE(complaint("a: [1, 2\nb: 3\n").find("f.yaml:2:"), std::string::npos);
    EXPECT_NE(complaint("a: 1\n\tb: 2\n").find("f.yaml:2:1: a tab"), std::string::npos);
    EXPECT_NE(complaint("a: 1\nb: 2\na: 3\n").find("f.yaml:3:1: a: this key was given before, at line 1"), std::string::npos);
    EXPECT_NE(complaint("a: 1\n---\nb: 2\n").find("f.yaml:3:1: a second document"), std::string::npos);
    EXPECT_NE(complaint(std::string("a: \0b\n", 6)).find("f.yaml:1:4: byte 0x00 is not text"), std::string::npos);
    EXPECT_NE(complaint("a: \xff\n").find("f.yaml:1:4: byte 0xff is not text"), std::string::npos);
    EXPECT_NE(complaint("a: !!python/object 1\n").find("the tag"), std::string::npos);
    EXPECT_NE(complaint("[a]: 1\n").find("a key must be a word"), std::string::npos);
    EXPECT_NE(complaint("a: *b\n").find("f.yaml:1:"), std::string::npos);
}

TEST(Yaml, aliases_work_but_may_not_explode) {
    EXPECT_EQ(parse_yaml("a: &x [1, 2]\nb: *x\n", "f.yaml").find("b.1")->text, "2");
    std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i) {
        bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
        for (int k = 0; k < 10; ++k) bomb += (k ? ", *a" : "*a") + std::to_string(i - 1);
        bomb += "]\n";
    }
    EXPECT_NE(complaint(bomb).find("aliases of aliases"), std::string::npos);
}

TEST(Yaml, bottomless_nesting_is_refused) {
    EXPECT_NE(complaint("a: " + std::string(400, '[')).find("f.yaml:1:"), std::string::npos);
    EXPECT_NE(complaint("a: " + std::string(100000, '[')).find("f.yaml:1:"), std::string::npos);
    EXPECT_NE(complaint("a: " + std::string(100000, '{')).find("f.yaml:1:"), std::string::npos);
}

TEST(Yaml, written_trees_read_back_the_same) {
    const char* text =
        "plain: word\n"
        "tricky: ['yes: no', '# no comment', '- dash', '', ' space ', \"tab\\tnewline\\n\", 'it''s', '~', 'null', '-5', '{}', '%x', "
        "'a,b']\n"
        "nothing: ~\nempty: {}\nnone: []\n"
        "deep:\n  - name: a\n    list: [1, [2, 3], {x: 4}]\n    map: {y: 5}\n  - - 1\n    - {z: 2}\n";
    const Node root = parse_yaml(text, "f.yaml");
    const Node again = parse_yaml(to_yaml(root), "g.yaml");
    EXPECT_TRUE(same(root, again)) << to_yaml(root);
    EXPECT_TRUE(same(root, parse_yaml(to_line(root), "h.yaml"))) << to_line(root);
}

TEST(Yaml, comments_stand_behind_values) {
    Node root = parse_yaml("a: 1\nb: {c: 2}\n", "f.yaml");
    root.get("a")->comment = "the first";
    EXPECT_NE(to_yaml(root).find("# the first\n"), std::string::npos);
    EXPECT_TRUE(same(root, parse_yaml(to_yaml(root), "g.yaml")));
}

}  // namespace
}  // namespace phlo::config
