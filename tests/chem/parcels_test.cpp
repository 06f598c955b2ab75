#include "chem/integration/parcels.h"

#include <gtest/gtest.h>

#include <cmath>

#include "chem/mechanism/read.h"
#include "source_dir.h"

namespace phlo::chem {
namespace {

/// Lane l holds the chain's start with l-dependent amounts, for a time that differs by a factor of a thousand between lanes.
void load(ParcelReactor& reactor, int species, int lane, int number) {
    for (int s = 0; s < species; ++s) reactor.concentration(s)[lane] = s < 2 ? 1 + 0.1 * number : 1e-3 * number * (s == 3);
    reactor.temperature()[lane] = 300;
    reactor.seconds()[lane] = 1e-3 * std::pow(10.0, 0.4 * number);
}

TEST(parcels, every_lane_has_its_own_time_and_follows_the_reactor) {
    const Network network(read_mechanism(phlo::test::source_dir() + "/mechanisms/chain.yaml"));
    ParcelReactor reactor(network, {.relative = 1e-6});
    const int lanes = ParcelReactor::lanes;
    for (int l = 0; l < lanes; ++l) load(reactor, network.species(), l, l);
    EXPECT_EQ(reactor.react(lanes).failed, 0);
    for (int l = 0; l < lanes; ++l) {
        CellState state{.temperature = 300, .volume = 1, .amounts = {}};
        for (int s = 0; s < network.species(); ++s) state.amounts.push_back(s < 2 ? 1 + 0.1 * l : 1e-3 * l * (s == 3));
        react_along(network, state, 1e-3 * std::pow(10.0, 0.4 * l), {.relative = 1e-8}, [](const CellState&, const Rates&) {});
        for (int s = 0; s < network.species(); ++s) EXPECT_NEAR(reactor.concentration(s)[l], state.amounts[s], 2e-5) << "lane " << l << ", species " << s;
    }
}

TEST(parcels, the_integrator_that_is_asked_for_is_taken) {
    const Network network(read_mechanism(phlo::test::source_dir() + "/mechanisms/chain.yaml"));
    const auto steps = [&](Integrator integrator) {
        ParcelReactor reactor(network, {.integrator = integrator, .relative = 1e-6});
        load(reactor, network.species(), 0, 4);
        const numerics::BatchReport report = reactor.react(1);
        EXPECT_EQ(report.failed, 0);
        CellState state{.temperature = 300, .volume = 1, .amounts = {1.4, 1.4, 0, 4e-3, 0, 0}};
        react_along(network, state, reactor.seconds()[0], {.relative = 1e-9, .absolute = 1e-12}, [](const CellState&, const Rates&) {});
        for (int s = 0; s < network.species(); ++s) EXPECT_NEAR(reactor.concentration(s)[0], state.amounts[s], 2e-5) << int(integrator) << ", species " << s;
        return report.steps;
    };
    // At a tolerance this tight the number of steps tells the order.
    EXPECT_GT(steps(Integrator::rk2), 2 * steps(Integrator::rk3));
    EXPECT_GT(steps(Integrator::rk3), 2 * steps(Integrator::rosenbrock));
    EXPECT_EQ(steps(Integrator::automatic), steps(Integrator::rosenbrock));   // over 40 ms the chain is stiff
}

TEST(parcels, a_lane_does_not_depend_on_its_company) {
    const Network network(read_mechanism(phlo::test::source_dir() + "/mechanisms/chain.yaml"));
    ParcelReactor together(network, {}), alone(network, {});
    for (int turn = 0; turn < 3; ++turn) {
        for (int l = 0; l < ParcelReactor::lanes; ++l) load(together, network.species(), l, l + turn);
        together.react(ParcelReactor::lanes);
        for (int l = 0; l < ParcelReactor::lanes; ++l) {
            load(alone, network.species(), 0, l + turn);
            alone.react(1);
            for (int s = 0; s < network.species(); ++s) EXPECT_EQ(alone.concentration(s)[0], together.concentration(s)[l]);
        }
    }
}

TEST(parcels, no_time_changes_nothing) {
    const Network network(read_mechanism(phlo::test::source_dir() + "/mechanisms/chain.yaml"));
    ParcelReactor reactor(network, {});
    for (int l = 0; l < 3; ++l) load(reactor, network.species(), l, 2), reactor.seconds()[l] = 0;
    EXPECT_EQ(reactor.react(3).failed, 0);
    for (int l = 0; l < 3; ++l) EXPECT_EQ(reactor.concentration(0)[l], 1.2);
}

}  // namespace
}  // namespace phlo::chem
