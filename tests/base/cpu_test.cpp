#include "base/cpu.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace phlo {
namespace {

TEST(cpu, has_what_this_program_was_compiled_for) { EXPECT_TRUE(runs_here(compiled_for)); }

TEST(cpu, can_do_what_older_ones_can) {
    bool newer_runs = false;
    for (auto cpu = std::rbegin(every_cpu); cpu != std::rend(every_cpu); ++cpu) {
        EXPECT_TRUE(runs_here(*cpu) || !newer_runs) << name(*cpu);
        newer_runs = newer_runs || runs_here(*cpu);
    }
}

TEST(cpu, is_the_one_that_the_test_was_registered_for) {
    const char* wanted = std::getenv("PHLO_CPU");
    if (wanted == nullptr) GTEST_SKIP() << "only ctest says which";
    EXPECT_EQ(std::string(word(compiled_for)), wanted);
}

}  // namespace
}  // namespace phlo
