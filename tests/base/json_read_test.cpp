#include "base/json_read.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "complaint.h"

namespace phlo::json {
namespace {

TEST(json_read, values_of_all_kinds) {
    const Value v = parse(R"( {"a": [1, -2.5e3, true, null], "b": {"c": "x"}, "d": "\u00e9\n\ud83d\ude00\"\\", "d": 2} )");
    EXPECT_EQ(v.get("a")->items.size(), 4u);
    EXPECT_EQ(v.get("a")->items[1].value, -2500);
    EXPECT_TRUE(v.get("a")->items[2].truth);
    EXPECT_EQ(v.get("b")->text("c", ""), "x");
    EXPECT_EQ(v.text("d", ""), "\xC3\xA9\n\xF0\x9F\x98\x80\"\\") << "of two with one name the first counts";
    EXPECT_EQ(v.number("b", 7), 7) << "not of this kind";
    EXPECT_EQ(v.get("x"), nullptr);
}

TEST(json_read, reads_what_the_writer_writes) {
    std::string all;
    for (int c = 1; c < 128; ++c) all += char(c);
    EXPECT_EQ(parse(Object().text("t", all).number("n", 0.1).str()).text("t", ""), all);
    EXPECT_EQ(parse(Object().number("n", 1e-300).str()).number("n", 0), 1e-300);
}

TEST(json_read, anything_else_is_refused) {
    for (const char* wrong : {"", " ", "{", "}", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "nul", "tru", "01x", "-", "+1", ".5", "1e999", "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\udc00\"", "1 2", "[1 2]", "{\"a\":1,}", "'a'", "NaN", "Infinity", "\"\t\""})
        EXPECT_TRUE(test::complaint([&] { parse(wrong); }).starts_with("not valid JSON")) << wrong;
}

TEST(json_read, is_not_led_too_deep) {
    EXPECT_NE(test::complaint([&] { parse(std::string(100000, '[')); }).find("too many levels"), std::string::npos);
    EXPECT_EQ(test::complaint([&] { parse(std::string(30, '[') + std::string(30, ']')); }), "accepted");
}

}  // namespace
}  // namespace phlo::json
