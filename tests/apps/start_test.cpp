// The choice between the programs for each CPU.
#include <cstdlib>
#include <optional>

#include "base/cpu.h"
#include "program.h"

namespace phlo::apps {
namespace {

/// PHLO_CPU in the environment while it lives.
class AskFor {
public:
    explicit AskFor(const char* wanted) {
        if (const char* before = std::getenv("PHLO_CPU")) before_ = before;
        if (wanted != nullptr) setenv("PHLO_CPU", wanted, 1);
        else unsetenv("PHLO_CPU");
    }
    ~AskFor() {
        if (before_) setenv("PHLO_CPU", before_->c_str(), 1);
        else unsetenv("PHLO_CPU");
    }
    AskFor(const AskFor&) = delete;
    AskFor& operator=(const AskFor&) = delete;

private:
    std::optional<std::string> before_;
};

bool is_built(Cpu cpu) { return fs::exists(fmt::format("{}_{}", PHLO_PROGRAM, word(cpu))); }

TEST(start, runs_the_program_for_the_best_cpu_that_this_machine_is) {
    std::optional<Cpu> best;
    for (const Cpu cpu : every_cpu)
        if (runs_here(cpu) && is_built(cpu)) best = cpu;
    ASSERT_TRUE(best);
    for (const char* nothing : {static_cast<const char*>(nullptr), ""}) {
        const AskFor any(nothing);
        const Outcome outcome = phlo({"version"});
        EXPECT_EQ(outcome.code, 0) << outcome;
        EXPECT_TRUE(contains(outcome.out, name(*best))) << outcome;
    }
}

TEST(start, runs_the_one_that_is_asked_for_and_refuses_what_would_crash) {
    for (const Cpu cpu : every_cpu) {
        const AskFor one(word(cpu));
        const Outcome outcome = phlo({"version"});
        if (!runs_here(cpu)) {
            EXPECT_EQ(outcome.code, 2) << outcome;
            EXPECT_TRUE(contains(outcome.err, std::string("this CPU cannot run what PHLO_CPU asks for: ") + word(cpu))) << outcome;
        } else if (is_built(cpu)) {
            EXPECT_EQ(outcome.code, 0) << outcome;
            EXPECT_TRUE(contains(outcome.out, name(cpu))) << outcome;
        }
    }
}

TEST(start, a_cpu_that_nobody_knows_is_wrong_input) {
    const AskFor nonsense("mmx");
    const Outcome outcome = phlo({"version"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err, "PHLO_CPU is 'mmx'; it may be avx2, avx512 or empty\n");
}

TEST(start, says_when_no_program_lies_beside_it) {
    const test::ScratchDir dir;
    const std::string lonely = dir / "phlo";
    fs::copy_file(PHLO_PROGRAM, lonely);
    const Outcome outcome = Process({"version"}, lonely).wait();
    EXPECT_EQ(outcome.code, 1) << outcome;
    EXPECT_TRUE(contains(outcome.err, "has no program for this CPU")) << outcome;
}

TEST(start, a_program_for_another_cpu_stops_in_words) {
    for (const Cpu cpu : every_cpu) {
        if (runs_here(cpu) || !is_built(cpu)) continue;
        const Outcome outcome = Process({"version"}, fmt::format("{}_{}", PHLO_PROGRAM, word(cpu))).wait();
        EXPECT_EQ(outcome.code, 1) << outcome;
        EXPECT_TRUE(contains(outcome.err, fmt::format("this program was compiled for {}, which this CPU does not have", name(cpu)))) << outcome;
    }
}

}  // namespace
}  // namespace phlo::apps
