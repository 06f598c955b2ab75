#include "models/gas/gas_state.h"

#include <algorithm>

#include "models/gas/grid_chemistry.h"
#include "models/gas/heat_field.h"
#include "models/gas/hybrid_chemistry.h"

namespace phlo::models {
namespace {

HybridScene hybrid_scene(const GasState& gas) {
    const Shot& shot = gas.flow.shot();
    HybridScene scene{.domain = gas.flow.domain(), .strongest = 0, .seed = shot.seed,
                      .emitters = gas.setup.emitters.size()};
    for (std::size_t w = 0; w < 6; ++w) scene.walls[w] = shot.domain.walls[w].kind;
    for (const Emitter& emitter : gas.setup.emitters)
        for (const Concentration& one : emitter.species)   // what is added in a tenth of a second counts as being there
            scene.strongest = std::max(scene.strongest, one.value(0) * (emitter.mode == EmitMode::add ? 0.1 : 1));
    if (scene.strongest <= 0) scene.strongest = 1;
    return scene;
}

void make_chemistry(GasState& gas) {
    const chem::Mechanism& mechanism = *gas.setup.mechanism;
    const ChemistryParams& params = gas.setup.chemistry;
    if (gas.setup.gas.method == GasMethod::hybrid) gas.chemistry = std::make_unique<HybridChemistry>(mechanism, params, hybrid_scene(gas));
    else gas.chemistry = std::make_unique<GridChemistry>(mechanism, params);
    gas.conserved = chem::conserved_totals(chem::Network(mechanism));
    if (params.pressure) gas.content.emplace(mechanism, gas.setup.gas.ambient_temperature);
    const bool evolves = !params.expansion.empty() && params.expansion_mode == ExpansionMode::evolving;
    if (evolves) gas.expansion.divergence = field::Grid(gas.flow.layout());
    else if (params.pressure || !params.expansion.empty()) gas.expansion.volume = field::Grid(gas.flow.layout());
    if (!gas.expansion.volume.empty() && !params.pressure) gas.expansion.middle = field::Grid(gas.flow.layout());
}

void make_substances(GasState& gas) {
    const field::Layout& layout = gas.flow.layout();
    if (!gas.chemistry) {
        gas.substances.push_back({.name = "density", .amount = field::Grid(layout)});
        return;
    }
    const GasParams& params = gas.setup.gas;
    std::vector<Concentration> ambient;
    for (const auto& given : gas.setup.chemistry.ambient) ambient.push_back({given.name, given.value, given.position});
    for (const int s : gas.chemistry->fields()) {
        const chem::Species& species = gas.setup.mechanism->species[std::size_t(s)];
        const double far = gas.concentration(ambient, s, params.ambient_temperature);
        gas.substances.push_back({.name = species.name, .species = s, .ambient = far, .weight = species.molar_mass - params.air_molar_mass,
                                  .amount = field::Grid(layout, float(far))});
        for (const geom::Body& body : gas.flow.shot().bodies)
            for (const auto& catalyst : body.catalyst)
                if (catalyst.name == species.name) gas.substances.back().carried = false;
    }
}

}  // namespace

GasState::GasState(const Shot& shot, const GasSetup& given)
    : setup(given),
      flow(shot, {.gravity = {0, 0, -given.gas.gravity}, .fluid_density = given.gas.air_density}),
      excess_temperature(flow.layout()),
      coverage(given.emitters.size()),
      scalar_tiles(flow.layout(), true),
      velocity_tiles(flow.layout(), true) {
    phlo::flow::find_room(flow.solids(), room);
    if (setup.mechanism) make_chemistry(*this);
    make_substances(*this);
    for (Substance& substance : substances) clear_inside(flow.solids(), substance.amount, 0);
}

ReactingGas GasState::reacting(double later) {
    return {.domain = flow.domain(), .solids = flow.solids(), .bodies = flow.shot().bodies, .tiles = scalar_tiles, .u = flow.velocity(),
            .substances = substances, .room = room, .excess = excess_temperature, .swelling = expansion.asked(), .ledger = ledger, .warnings = *warnings,
            .content = real() ? &*content : nullptr, .ambient_temperature = setup.gas.ambient_temperature, .time = flow.time() + later, .step = flow.steps(), .half = later > 0 ? 1u : 0u};
}

double GasState::amount(const std::string& substance) const {
    double result = 0;
    for (const Substance& one : substances)
        if (one.name == substance) result += total(one.amount);
    if (chemistry) result += chemistry->amount_outside_fields(setup.mechanism->find(substance));
    return result;
}

double GasState::heat() const {
    return real() ? sum_of_enthalpy(*content, substances, excess_temperature, phlo::flow::room_or_null(room)) * flow.cell_volume() : total(excess_temperature);
}

double GasState::concentration(const std::vector<Concentration>& given, int species, double temperature) const {
    double value = 0, sum = 0;
    for (const Concentration& one : given) {
        const double here = one.value(flow.time());
        sum += here;
        if (setup.mechanism->find(one.name) == species) value = here;
    }
    if (!setup.chemistry.pressure || sum == 0) return value;
    return value / sum * *setup.chemistry.pressure / (chem::gas_constant * temperature);
}

/// Of a real gas the enthalpy, which no reaction changes at constant pressure; else there is only temperature to add up.
void GasState::book_heat(const char* entry, double change) {
    if (chemistry) ledger.record(real() ? "total enthalpy" : "heat", entry, change);
}

std::size_t GasState::bytes() const {
    std::size_t total = flow.bytes() + room.bytes() + excess_temperature.bytes() + expansion.volume.bytes() + expansion.middle.bytes() + expansion.divergence.bytes() + diffuser.bytes();
    for (const Substance& substance : substances) total += substance.amount.bytes();
    return total + (chemistry ? chemistry->bytes() : 0);
}

void take_stock(GasState& gas, const char* entry) {
    if (!gas.chemistry) return gas.ledger.record("density", entry, gas.total(gas.substances.front().amount));
    for (const chem::Species& species : gas.setup.mechanism->species) gas.ledger.record(species.name, entry, gas.amount(species.name));
    gas.book_heat(entry, gas.heat());
}

void add_conserved_totals(GasState& gas) {
    const Ledger::Entries books = gas.ledger.entries();
    for (const chem::Conserved& conserved : gas.conserved)
        for (std::size_t s = 0; s < conserved.weights.size(); ++s)
            if (conserved.weights[s] != 0)
                for (const auto& [entry, value] : books.at(gas.setup.mechanism->species[s].name))
                    gas.ledger.record("total " + conserved.name, entry, conserved.weights[s] * value);
}

}  // namespace phlo::models
