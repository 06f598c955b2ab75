#include "examples.h"

#include <fmt/format.h>

#include "chem/rates/conserved.h"
#include "chem/mechanism/equation.h"
#include "chem/mechanism/equations_text.h"
#include "chem/expressions/expression.h"
#include "chem/expressions/expression_eval.h"
#include "chem/expressions/expression_graph.h"
#include "chem/expressions/expression_units.h"
#include "chem/rates/extents.h"
#include "chem/rates/heat_content.h"
#include "chem/integration/kinetics.h"
#include "chem/integration/parcels.h"
#include "chem/mechanism/rate_units.h"
#include "chem/rates/rates.h"
#include "chem/integration/reactor.h"
#include "chem/mechanism/read.h"
#include "chem/mechanism/shipped.h"
#include "chem/mechanism/surface_kinetics.h"
#include "chem/rates/thermo.h"
#include "chem/integration/trajectory.h"

namespace phlo::chem {

void conserved_example(const Network& network) {
    for (const Conserved& total : conserved_totals(network)) total.name;
}

void equations_text_example(const Mechanism& mechanism) {
    fmt::print("{}", equations_text(mechanism));
}

void expression_example(const config::Position& position, const simd::Pack<double>* inputs) {
    const std::vector<std::string> names{"T", "t", "fuel", "CH2(S)"};
    const Expression k = parse_expression("2 * min([CH2(S)], 1) * exp(-800/T)", names, position, "reactions.0.rate");
    const Expression slope = k.derivative(0);
    using P = simd::Pack<double>;
    std::vector<P> scratch(k.scratch_size());
    P value = k.evaluate(inputs, scratch.data());
}

void expression_eval_example(const Expression& expression) {
    simd::Pack<float> inputs[3], scratch[64];
    const auto k = expression.evaluate(inputs, scratch);
}

void expression_graph_example() {
    ExpressionGraph graph;
    const int x = graph.input(0);
    const int y = graph.make(Expression::Op::multiply, x, graph.constant(2));
    Expression twice = graph.expression(y);
}

void expression_units_example(const Expression& expression, std::span<const std::string> names, std::span<const Unit> units, const config::Position& position) {
    check_units(expression, names, units, position, "reactions.0.rate");
}

void extents_example(const Mechanism& mechanism, const Cells<double>& cells, double dt, const KineticsParams& params, const std::vector<double>& before,
                     const std::vector<double>& after) {
    const Extents extents(mechanism, {4});
    react(extents.network(), cells, dt, params);
    double xi = 0;
    for (const Term& t : extents.weights(0)) xi += t.coefficient * (after[t.species] - before[t.species]);
    double mean_rate = xi / dt;
}

void heat_content_example(const Mechanism& mechanism, int n, std::span<const float* const> amounts, float* excess, float* heat) {
    const HeatContent content(mechanism, 293.15);
    content.from_temperature(n, amounts, excess, heat);
    long lost = content.to_temperature(n, amounts, heat, excess);
}

void kinetics_example(int n, const std::vector<float*>& pointers, float* T, double dt) {
    const Network network(read_mechanism("mechanisms/hydrogen.yaml"));
    Cells<float> cells{.count = n, .amounts = pointers, .temperature = T};
    KineticsReport report = react(network, cells, dt, {.hold = Hold::pressure, .adiabatic = true});
}

void surface_kinetics_example(const Mechanism& mechanism, std::vector<double>& amounts, double area, double cell_volume) {
    const SurfaceMechanism m = on_surfaces(mechanism);
    amounts[m.solids[0].species] = area / cell_volume;
    amounts[m.solids[0].taken] = 0;
}

void mechanism_example() {
    Mechanism m = read_mechanism("mechanisms/hydrogen.yaml");
    m.species[m.find("H2O")].molar_mass;
}

void network_example() {
    const Network network(read_mechanism("mechanisms/chain.yaml"));
    network.states();
    network.invariants();
}

void parcels_example(const Network& network, int count, int s) {
    ParcelReactor reactor(network, {.relative = 1e-4});
    for (int l = 0; l < count; ++l) reactor.concentration(s)[l] = 1, reactor.temperature()[l] = 300, reactor.seconds()[l] = 0.1;
    reactor.react(count);
}

void rate_units_example() {
    UnitSystem units;
    units.length = 0.01;
    rate_constant("1e13", 2, units);
    rate_constant("0.5 m^1.5/mol^0.5/s", 1.5, units);
    activation_temperature("10 kcal/mol", units);
}

template <class P>
void rates_example_of(const Network& network, P T, P t, const P* c, Wanted wanted) {
    RateKernel<P> kernel(network);
    kernel.set_temperature(T);
    kernel.evaluate(t, c);
    kernel.linearise(t, c, wanted);
}
void rates_example(const Network& network, simd::Pack<double> one, const simd::Pack<double>* c) { rates_example_of(network, one, one, c, {}); }

void reactor_example() {
    const Network network(read_mechanism("mechanisms/hydrogen.yaml"));
    ReactorParams params = default_reactor(network.mechanism());
    params.mole = {{"H2", 2}, {"O2", 1}, {"N2", 3.76}};
    params.temperature = 1000;
    const ReactorRun run = run_reactor(network, params);
    run.ignition_delay;
}

void read_example(const config::Node& scene) {
    Mechanism gas = read_mechanism("gri30.yaml");
    Mechanism campfire = read_mechanism(*scene.get("chemistry"), "chemistry");
}

void shipped_example() {
    shipped_mechanism("chain");
}

void thermo_example(const Mechanism& m, int k, double T, double p, std::span<const double> Y) {
    const double cp = cp_over_R(*m.species[k].thermo, T) * gas_constant;
    const std::vector<double> X = mole_fractions(m, Y);
    const double rho = density(p, T, mean_molar_mass_of_moles(m, X));
}

void trajectory_example(const CellState& state, const Rates& rates) {
    Trajectory path(Hold::pressure);
    path.add(state, rates);
    const CellState s = path.at(0.25e-3);
    for (double t : path.faithful_times(2e-4)) (void)t;
}

}  // namespace phlo::chem
