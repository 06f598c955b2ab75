#include "base/hash.h"

#include <gtest/gtest.h>

namespace phlo {
namespace {

TEST(hash, is_fnv_1a) {   // values of the authors' own test program
    EXPECT_EQ(fnv1a(""), 0xcbf29ce484222325u);
    EXPECT_EQ(fnv1a("a"), 0xaf63dc4c8601ec8cu);
    EXPECT_EQ(fnv1a("foobar"), 0x85944171f73967e8u);
}

TEST(hash, a_text_may_come_in_parts) { EXPECT_EQ(fnv1a("bar", fnv1a("foo")), fnv1a("foobar")); }

TEST(hash, bytes_above_127_count_as_what_they_are) { EXPECT_NE(fnv1a("\xff"), fnv1a("\x7f")); EXPECT_EQ(fnv1a("\xff"), 0xaf64724c8602eb6eu); }

}  // namespace
}  // namespace phlo
