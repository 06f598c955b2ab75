#include "base/cpu.h"

#include <gtest/gtest.h>

#include <string>

namespace phlo {
namespace {

TEST(cpu, has_what_this_program_was_compiled_for) { EXPECT_EQ(missing_instructions(compiled_for, instructions_here()), nullptr); }

TEST(cpu, what_is_missing_has_a_name_the_oldest_first) {
    const auto missing = [](unsigned wanted, unsigned present) { return std::string(missing_instructions(wanted, present)); };
    EXPECT_EQ(missing_instructions(for_avx2, for_avx2 | for_avx512), nullptr);
    EXPECT_EQ(missing(for_avx2 | for_avx512, for_avx2), "AVX-512 (x86-64-v4)");
    EXPECT_EQ(missing(for_avx2 | for_avx512, 0), "AVX2, FMA and BMI2 (x86-64-v3)");
    EXPECT_EQ(missing(for_avx2 | for_avx512 | for_vbmi, for_avx2 | for_avx512), "newer parts of AVX-512");
}

}  // namespace
}  // namespace phlo
