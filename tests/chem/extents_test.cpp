#include "chem/rates/extents.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "chem/integration/kinetics.h"
#include "chem/mechanism/read.h"
#include "source_dir.h"

namespace phlo::chem::test {
namespace {

Mechanism mechanism_of(const std::string& text) { return read_mechanism(config::parse_yaml(text, "test"), ""); }

/// Extents of all reactions over `time`, by Extents and by integrating the rates along the path.
void compare(const Mechanism& mechanism, std::vector<double> start, double time) {
    std::vector<int> all(mechanism.reactions.size());
    for (std::size_t r = 0; r < all.size(); ++r) all[r] = int(r);
    const Extents extents(mechanism, all);
    start.resize(std::size_t(extents.network().species()));
    const KineticsParams exact{.relative = 1e-10, .absolute = 1e-14};
    CellState state{.temperature = 300, .volume = 1, .amounts = start};
    std::vector<double> integral(all.size()), last;
    double last_time = 0;
    react_along(extents.network(), state, time, exact, [&](const CellState& now, const Rates& rates) {
        for (std::size_t r = 0; r < all.size() && !last.empty(); ++r)
            integral[r] += 0.5 * (now.time - last_time) * (rates.progress[r] + last[r]);
        last = rates.progress, last_time = now.time;
    });
    for (std::size_t r = 0; r < all.size(); ++r) {
        double extent = 0;
        for (const Term& t : extents.weights(int(r))) extent += t.coefficient * (state.amounts[std::size_t(t.species)] - start[std::size_t(t.species)]);
        EXPECT_NEAR(extent, integral[r], 1e-4 * (1e-3 + integral[r])) << "reaction " << r + 1;
        EXPECT_GT(extent, 0);
    }
}

TEST(Extents, AreTheIntegralsOfTheRatesWithoutACounterWhereTheChangesTellThem) {
    const Mechanism mechanism = mechanism_of("species: [A, B, C]\nreactions:\n- {equation: A => B, rate: 2}\n- {equation: B => 2 C, rate: 1}");
    EXPECT_EQ(Extents(mechanism, {0, 1}).counters(), 0);
    compare(mechanism, {1, 0, 0}, 1);
}

TEST(Extents, OfTwoWaysToTheSameProductsNeedCounters) {
    const Mechanism mechanism = mechanism_of("species: [A, B, K]\nreactions:\n- {equation: A => B, rate: 2}\n- {equation: A + K => B + K, rate: 3}");
    EXPECT_EQ(Extents(mechanism, {0, 1}).counters(), 2);
    compare(mechanism, {1, 0, 0.5}, 1);
}

TEST(Extents, OfTheChainNeedCountersForItsCarriersButNotForItsBurst) {
    const Mechanism chain = read_mechanism(phlo::test::source_dir() + "/mechanisms/chain.yaml");
    EXPECT_EQ(Extents(chain, {4}).counters(), 0);
    EXPECT_EQ(Extents(chain, {0, 1, 2, 3}).counters(), 4);
    compare(chain, {1, 1, 0, 0, 0, 0}, 2);
}

TEST(Extents, OfAReversibleReactionThatOthersRepeatAreRefused) {
    Mechanism mechanism = mechanism_of("species: [A, B]\nreactions:\n- {equation: A => B, rate: 2, duplicate: true}\n- {equation: A => B, rate: 3, duplicate: true}");
    mechanism.reactions[0].reversible = true;
    EXPECT_THROW(Extents(mechanism, {0}), InputError);
}

}  // namespace
}  // namespace phlo::chem::test
