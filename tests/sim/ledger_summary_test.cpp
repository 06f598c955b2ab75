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

TEST(LedgerSummary, does_not_let_chemistry_explain_what_is_missing_of_a_total) {
    const std::map<std::string, std::map<std::string, double>> closed = {{"total H", {{"start", 2}, {"emitted", 1}, {"reacted", -0.01}, {"now", 2.99}}},
                                                                         {"H2", {{"start", 1}, {"reacted", -0.5}, {"hand-back error", -0.02}, {"now", 0.48}}}};
    LedgerSummary summary;
    summary.add(closed);
    EXPECT_NEAR(summary.imbalance("total H"), 0.01 / 2.99, 1e-12);
    EXPECT_NEAR(summary.chemistry_error("total H"), 0.01 / 2.99, 1e-12);
    EXPECT_NEAR(summary.imbalance("H2"), 0, 1e-12) << "a species may react";
    EXPECT_NEAR(summary.chemistry_error("H2"), 0.02, 1e-12) << "but not get lost on the way back";
}

TEST(LedgerSummary, errors_of_frames_do_not_cancel) {
    LedgerSummary summary;
    summary.add({{"S1", {{"start", 1}, {"removal error", 0.01}, {"now", 1.01}}}});
    summary.add({{"S1", {{"start", 1.01}, {"removal error", -0.01}, {"now", 1}}}});
    EXPECT_NEAR(summary.chemistry_error("S1"), 0.02 / 1.01, 1e-12);
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
