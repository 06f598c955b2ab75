#include "models/gas/sources.h"

#include <algorithm>

#include "flow/surface.h"

namespace phlo::models {
namespace {

constexpr double air_heat_capacity = 1005;   ///< at constant pressure [J/(kg K)]
constexpr double inside = 0.5;               ///< weight of an emitter from which on a cell is inside its shape

/// What a body now covers. The conserving transport moves amounts, so they are handed on to the fluid beside the body, and what cut cells hold
/// stays though their room changes. The others move values along with the flow in front of the body: handing on as well would count the smoke
/// twice, step after step.
void sweep(GasState& gas) {
    const HeatBooking booking(gas, "swept");
    std::vector<double> before;
    for (const Substance& substance : gas.substances) before.push_back(gas.total(substance.amount));
    std::vector<field::Grid*> amounts;
    for (Substance& substance : gas.substances)
        if (substance.carried && gas.conserving()) amounts.push_back(&substance.amount);
    if (!gas.expansion.volume.empty() && !gas.real()) amounts.push_back(&gas.expansion.volume);
    for (field::Grid* q : amounts) flow::to_amounts(gas.room, *q);
    flow::find_room(gas.flow.solids(), gas.room);
    for (field::Grid* q : amounts) {
        push_out(gas.flow.solids(), *q);
        flow::to_values(gas.room, *q);
    }
    clear_inside(gas.flow.solids(), gas.excess_temperature, 0);
    for (std::size_t s = 0; s < before.size(); ++s) {
        Substance& substance = gas.substances[s];
        if (substance.carried && !gas.conserving()) clear_inside(gas.flow.solids(), substance.amount, 0);
        gas.ledger.record(substance.name, substance.carried ? "swept" : "bodies", gas.total(substance.amount) - before[s]);
    }
}

/// Σ q · room over the cells of a source.
double held_by(const GasState& gas, const flow::Coverage& c, const field::Grid& q) {
    double sum = 0;
    for (int k = c.first.z; k < c.last.z; ++k)
        for (int j = c.first.y; j < c.last.y; ++j)
            for (int i = c.first.x; i < c.last.x; ++i) sum += double(q(i, j, k)) * double(gas.room(i, j, k));
    return sum;
}

/// The part of a source that is gas: particles have no room in the rest of a cut cell.
flow::Coverage open_part(const GasState& gas, const flow::Coverage& c) {
    flow::Coverage open;
    open.first = c.first, open.last = c.last, open.weight = c.weight;
    std::size_t at = 0;
    for (int k = c.first.z; k < c.last.z && !gas.room.empty(); ++k)
        for (int j = c.first.y; j < c.last.y; ++j)
            for (int i = c.first.x; i < c.last.x; ++i) open.weight[at++] *= gas.room(i, j, k);
    return open;
}

/// A real gas fills its cells, so gas that an emitter holds there takes the place of what was: all species and the heat at once, in the cells
/// inside the shape. Shares of them at its soft edge, each at least so much, would be a mixture under pressure, heated for nothing.
bool replaces_gas(const GasState& gas, const Emitter& emitter) {
    return gas.real() && !emitter.species.empty() && emitter.mode != EmitMode::add;
}

void emit_substances(GasState& gas, const Emitter& emitter, const flow::Coverage& coverage, double strength, double dt) {
    const double time = gas.flow.time();
    const bool adds = emitter.mode == EmitMode::add, replaces = replaces_gas(gas, emitter);
    const auto give = [&](Substance& substance, double value) {
        const double before = gas.room.empty() ? 0 : held_by(gas, coverage, substance.amount);
        const double added = adds ? add(coverage, substance.amount, strength * value * dt)
                               : replaces ? replace(coverage, substance.amount, value, inside / strength)
                                          : hold(coverage, substance.amount, strength * value, substance.ambient);
        const double changed = gas.room.empty() ? added : held_by(gas, coverage, substance.amount) - before;
        gas.ledger.record(substance.name, "emitted", changed * gas.flow.cell_volume());
    };
    if (!gas.chemistry) return give(gas.substances.front(), emitter.density(time));
    for (Substance& substance : gas.substances) {
        const double value = gas.concentration(emitter.species, substance.species, emitter.temperature(time));
        if (value > 0 || replaces) give(substance, value);
    }
    ReactingGas reacting = gas.reacting();
    const flow::Coverage open = open_part(gas, coverage);
    for (const Concentration& one : emitter.species) {
        const int species = gas.setup.mechanism->find(one.name);
        const bool field = std::ranges::any_of(gas.substances, [&](const Substance& s) { return s.species == species; });
        if (!field)
            gas.chemistry->feed(reacting, species, std::size_t(&coverage - gas.coverage.data()), open, emitter,
                                strength * one.value(time) * (adds ? dt : 1));
    }
}

std::vector<flow::HotBody> hot_bodies(GasState& gas, std::vector<double>& temperatures) {
    const auto& bodies = gas.flow.shot().bodies;
    temperatures.resize(bodies.size());
    std::vector<flow::HotBody> hot;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        if (!bodies[b].temperature) continue;
        temperatures[b] = (*bodies[b].temperature)(gas.flow.time());
        hot.push_back({.body = int(b), .transfer = bodies[b].heat_transfer, .temperature = &temperatures[b]});
        for (flow::FreeBodies::Free& free : gas.flow.free_bodies().free())
            if (free.index == int(b) && bodies[b].heat_capacity > 0)
                hot.back().temperature = &free.temperature, hot.back().capacity = bodies[b].heat_capacity * free.rigid.mass.mass;
    }
    return hot;
}

}  // namespace

void move_bodies(GasState& gas, double dt) {
    if (gas.flow.move_bodies(dt)) sweep(gas);
}

void touch_bodies(GasState& gas, double dt) {
    const auto& bodies = gas.flow.shot().bodies;
    const bool any = std::ranges::any_of(bodies, [](const geom::Body& b) { return b.free || b.temperature || !b.catalyst.empty(); });
    if (!any) return;
    const GasParams& params = gas.setup.gas;
    const std::vector<flow::SurfaceCell> surface = surface_cells(gas.flow.domain(), gas.flow.solids());
    std::vector<double> temperatures;
    const std::vector<flow::HotBody> hot = hot_bodies(gas, temperatures);
    const double heated = exchange_heat({.dt = dt, .h = gas.flow.domain().h, .ambient = params.ambient_temperature,
                                         .gas_capacity = params.air_density * air_heat_capacity, .room = flow::room_or_null(gas.room)}, surface, hot, gas.excess_temperature);
    if (gas.chemistry && !hot.empty()) gas.ledger.record("heat", "bodies", heated * gas.flow.cell_volume());
    rub(gas.flow.surroundings(), gas.flow.solids(), surface, bodies, dt, gas.flow.free_bodies(), gas.flow.edit_velocity());
    hold_catalysts(gas);
}

void hold_catalysts(GasState& gas) {
    if (std::ranges::all_of(gas.substances, &Substance::carried)) return;
    const auto& bodies = gas.flow.shot().bodies;
    const std::vector<flow::SurfaceCell> surface = surface_cells(gas.flow.domain(), gas.flow.solids());
    for (Substance& substance : gas.substances) {
        if (substance.carried) continue;
        const double before = gas.total(substance.amount);
        substance.amount.fill(0);
        for (std::size_t b = 0; b < bodies.size(); ++b)
            for (const auto& catalyst : bodies[b].catalyst)
                if (catalyst.name == substance.name)
                    hold_on_surface(surface, int(b), catalyst.value, bodies[b].catalyst_layer, gas.flow.domain().h, substance.amount, flow::room_or_null(gas.room));
        gas.ledger.record(substance.name, "bodies", gas.total(substance.amount) - before);
    }
}

void emit(GasState& gas, double dt, Emission when) {
    const double time = gas.flow.time();
    const flow::Solids* solids = gas.flow.solids().present() ? &gas.flow.solids() : nullptr;
    const HeatBooking booking(gas, "emitted");
    const std::vector<geom::Placement> bodies = gas.flow.placements();
    for (std::size_t e = 0; e < gas.setup.emitters.size(); ++e) {
        const Emitter& emitter = gas.setup.emitters[e];
        const double strength = emitter.strength(time);
        if ((emitter.mode == EmitMode::start && when == Emission::running) || strength <= 0) continue;
        flow::Coverage& coverage = gas.coverage[e];
        cover(gas.flow.domain(), source_shape(emitter, bodies, time), time, solids, coverage);
        emit_substances(gas, emitter, coverage, strength, dt);
        const double excess = emitter.temperature(time) - gas.setup.gas.ambient_temperature;
        if (replaces_gas(gas, emitter)) replace(coverage, gas.excess_temperature, excess, inside / strength);
        else if (emitter.mode == EmitMode::add) add(coverage, gas.excess_temperature, strength * excess * dt);
        else hold(coverage, gas.excess_temperature, strength * excess);
        if (emitter.sets_velocity) blend_velocity(coverage, emitter.velocity(time), solids, gas.flow.edit_velocity());
        if (emitter.turbulence.speed != 0)
            stir(gas.flow.domain(), coverage, emitter.turbulence, strength * emitter.turbulence.speed * (emitter.mode == EmitMode::start ? 1 : dt),
                 time, solids, gas.flow.edit_velocity());
    }
}

}  // namespace phlo::models
