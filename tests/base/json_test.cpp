#include "base/json.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace phlo::json {
namespace {

TEST(Json, text_keeps_quotes_backslashes_line_ends_and_utf8) {
    EXPECT_EQ(quoted("plume"), R"("plume")");
    EXPECT_EQ(quoted("a \"b\" \\ c\n\x01"), R"("a \"b\" \\ c\u000a\u0001")");
    EXPECT_EQ(quoted("m³/s"), "\"m³/s\"");
}

TEST(Json, numbers_read_back_as_they_were) {
    EXPECT_EQ(number(0.1f), "0.1");
    for (const double value : {0.1, 1.0 / 3, -2.5e-300, 1e22}) EXPECT_EQ(std::stod(number(value)), value);
    EXPECT_EQ(number(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
}

TEST(Json, what_is_not_finite_is_null) {
    for (const double value : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), std::nan("")})
        EXPECT_EQ(number(value), "null");
}

TEST(Json, members_keep_their_order_and_keys_are_escaped) {
    const std::vector<int> cells{8, 8, 12};
    EXPECT_EQ(Object().str(), "{}");
    EXPECT_EQ(Object().text("b", "x").number("a", 2).raw("c\"", numbers(cells)).str(), R"({"b":"x","a":2,"c\"":[8,8,12]})");
    EXPECT_EQ(numbers(std::vector<int>{}), "[]");
}

}  // namespace
}  // namespace phlo::json
