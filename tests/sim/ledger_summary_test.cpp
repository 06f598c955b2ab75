#include "sim/ledger_summary.h"

#include <gtest/gtest.h>

namespace phlo::sim {
namespace {

TEST(LedgerSummary, of_frames_that_close_is_balanced) {
    LedgerSummary summary;
    summary.add({{"total H", {{"start", 2}, {"emitted", 1}, {"left", -0.5}, {"now", 2.5}}}});
    summary.add({{"total H", {{"start", 2.5}, {"emitted", 0.5}, {"now", 3}}}});
    EXPECT_NEAR(summary.imbalance("total H"), 0, 1e-15);
    EXPECT_EQ(summary.lines().size(), 1u);
    EXPECT_NE(summary.lines()[0].find("(H)"), std::string::npos);
}

TEST(LedgerSummary, shows_what_is_missing_even_if_every_frame_takes_its_own_start) {
    LedgerSummary summary;
    summary.add({{"total H", {{"start", 2}, {"now", 1.99}}}});
    summary.add({{"total H", {{"start", 1.99}, {"now", 1.98}}}});
    EXPECT_NEAR(summary.imbalance("total H"), 0.01, 1e-12);
}

TEST(LedgerSummary, tells_what_transport_did) {
    LedgerSummary summary;
    summary.add({{"density", {{"start", 1}, {"transported", 0.1}, {"now", 1.1}}}});
    EXPECT_NEAR(summary.transported("density"), 0.1 / 1.1, 1e-12);
    ASSERT_EQ(summary.lines().size(), 1u);
    EXPECT_NE(summary.lines()[0].find("density"), std::string::npos);
}

}  // namespace
}  // namespace phlo::sim
