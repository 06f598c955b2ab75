#include "models/gas/grid_chemistry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/log.h"
#include "base/parallel.h"
#include "chem/integration/kinetics.h"
#include "models/gas/foresight.h"

namespace phlo::models {
namespace {

/// Cells of one batch: enough for all lanes and threads, few enough to stay in the cache and to need little memory.
constexpr std::size_t batch_cells = 131072;
constexpr int chunk = 2048;
/// A cell in trouble must not hold up the frame: a flame takes a few hundred steps at most.
constexpr long most_steps = 20'000;

double room_of(const ReactingGas& gas, std::ptrdiff_t cell) { return gas.room.empty() ? 1.0 : double(gas.room.storage()[std::size_t(cell)]); }

int chunks_of(std::size_t count) { return int((count + chunk - 1) / chunk); }

}  // namespace

GridChemistry::GridChemistry(const chem::Mechanism& mechanism, const ChemistryParams& params)
    : params_(params), surface_(chem::on_surfaces(mechanism)), species_(int(mechanism.species.size())),
      controls_(surface_.mechanism, control_texts(params)), needs_(find_needs(controls_.extents().network())) {}

std::vector<int> GridChemistry::fields() const {
    std::vector<int> all(std::size_t(species_), 0);
    for (std::size_t s = 0; s < all.size(); ++s) all[s] = int(s);
    return all;
}

void GridChemistry::Batch::resize(std::size_t count, std::size_t species) {
    amounts.resize(species);
    for (std::vector<float>& of : amounts) of.resize(count);
    temperature.resize(count);
}

void GridChemistry::react(ReactingGas& gas, double dt) {
    const double volume = gas.domain.h * gas.domain.h * gas.domain.h;
    std::vector<double> before, reacted(gas.substances.size(), 0);
    for (const Substance& substance : gas.substances) before.push_back(flow::sum_with_room(substance.amount, gas.room) * volume);
    const std::vector<flow::CellBox> runs = gas.tiles.runs();
    std::size_t first = 0;
    while (first < runs.size()) {
        std::size_t last = first, cells = 0;
        for (; last < runs.size() && cells < batch_cells; ++last) {
            const Vec3i size = runs[last].upper - runs[last].lower;
            cells += std::size_t(size.x) * std::size_t(size.y) * std::size_t(size.z);
        }
        find_cells(gas, std::span(runs).subspan(first, last - first));
        first = last;
        if (batch_.cells.empty()) continue;
        load(gas);
        integrate(gas, dt);
        if (gas.content) keep_enthalpy(gas);
        apply_controls(gas, dt);
        hand_back(gas, reacted);
    }
    for (std::size_t s = 0; s < reacted.size(); ++s) {
        const Substance& substance = gas.substances[s];
        gas.ledger.record(substance.name, ledger_entry::reacted, reacted[s] * volume);
        if (substance.solid) continue;   // bodies have yet to follow
        gas.ledger.record(substance.name, ledger_entry::hand_back_error, flow::sum_with_room(substance.amount, gas.room) * volume - before[s] - reacted[s] * volume);
    }
    if (params_.pressure) fill_pressure_gap(gas);
}

/// Cells on a coarse lattice, fine enough to meet some thousand cells of any charge that is seen.
std::vector<double> GridChemistry::foresee(const ReactingGas& gas, std::span<const double> seconds) {
    constexpr double looked_at = 65536;
    const field::Layout& layout = gas.excess.layout();
    const int step = std::max(1, int(std::ceil(std::cbrt(double(layout.nx()) * layout.ny() * layout.nz() / looked_at))));
    struct Cell { int i, j, k; };
    std::vector<Cell> found;
    for (int k = step / 2; k < layout.nz(); k += step)
        for (int j = step / 2; j < layout.ny(); j += step)
            for (int i = step / 2; i < layout.nx(); i += step) {
                if (gas.ambient_temperature + double(gas.excess(i, j, k)) < params_.min_temperature) continue;
                const auto amount = [&](int s) { return double(gas.substances[std::size_t(s)].amount(i, j, k)); };
                if (something_reacts(needs_, params_.min_concentration, amount)) found.push_back({i, j, k});
            }
    Parcels parcels(controls_.extents().network());
    const std::size_t every = std::max<std::size_t>(1, found.size() / foreseen_parcels);
    for (std::size_t n = 0; n < found.size(); n += every) {
        const auto [i, j, k] = found[n];
        parcels.add(species_, [&](int s) { return std::max(0.0, double(gas.substances[std::size_t(s)].amount(i, j, k))); },
                    gas.ambient_temperature + double(gas.excess(i, j, k)));
    }
    return foresee_volume(controls_, parcels, gas.time, seconds, {.integrator = params_.integrator, .relative = params_.tolerance});
}

/// Cells in which some reaction has all it needs.
void GridChemistry::find_cells(const ReactingGas& gas, std::span<const flow::CellBox> runs) {
    const float min_amount = float(params_.min_concentration), min_excess = float(params_.min_temperature - gas.ambient_temperature);
    std::vector<std::vector<std::ptrdiff_t>> found(runs.size());
    parallel_for(int(runs.size()), [&](int r) {
        const flow::CellBox& box = runs[std::size_t(r)];
        const int width = box.upper.x - box.lower.x;
        std::vector<std::uint8_t> ready(std::size_t(width), 0), way(ready);
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j) {
                const float* warm = gas.excess.row(j, k) + box.lower.x;
                std::fill(ready.begin(), ready.end(), std::uint8_t(0));
                for (const std::vector<int>& need : needs_) {
                    for (int i = 0; i < width; ++i) way[std::size_t(i)] = warm[i] >= min_excess;
                    for (const int s : need) {
                        const float* there = gas.substances[std::size_t(s)].amount.row(j, k) + box.lower.x;
                        for (int i = 0; i < width; ++i) way[std::size_t(i)] &= std::uint8_t(there[i] > min_amount);
                    }
                    for (int i = 0; i < width; ++i) ready[std::size_t(i)] |= way[std::size_t(i)];
                }
                const std::ptrdiff_t start = gas.excess.layout().offset(box.lower.x, j, k);
                for (int i = 0; i < width; ++i)
                    if (ready[std::size_t(i)] && !(gas.solids.present() && gas.solids.covered(box.lower.x + i, j, k)))
                        found[std::size_t(r)].push_back(start + i);
            }
    });
    batch_.cells.clear();
    for (const auto& of : found) batch_.cells.insert(batch_.cells.end(), of.begin(), of.end());
}

void GridChemistry::load(const ReactingGas& gas) {
    const std::size_t count = batch_.cells.size();
    batch_.resize(count, std::size_t(controls_.extents().network().species()));
    parallel_for(chunks_of(count), [&](int c) {
        const std::size_t first = std::size_t(c) * chunk, last = std::min(count, first + chunk);
        for (std::size_t s = 0; s < batch_.amounts.size(); ++s) {
            const bool counter = int(s) >= species_;
            const float* grid = counter ? nullptr : gas.substances[s].amount.storage().data();
            for (std::size_t n = first; n < last; ++n) batch_.amounts[s][n] = counter ? 0.0f : std::max(grid[batch_.cells[n]], 0.0f);
        }
        const float* excess = gas.excess.storage().data();
        for (std::size_t n = first; n < last; ++n) batch_.temperature[n] = float(gas.ambient_temperature) + excess[batch_.cells[n]];
    });
}

void GridChemistry::integrate(const ReactingGas& gas, double dt) {
    chem::Cells<float> cells{.count = int(batch_.cells.size()), .temperature = batch_.temperature.data()};
    for (std::vector<float>& of : batch_.amounts) cells.amounts.push_back(of.data());
    if (params_.pressure) cells.same_pressure = *params_.pressure;
    const chem::Network& network = controls_.extents().network();
    const chem::KineticsReport report =
        chem::react(network, cells, dt,
                    {.hold = params_.pressure ? chem::Hold::pressure : chem::Hold::volume,
                     .adiabatic = params_.pressure.has_value(),
                     .integrator = params_.integrator,
                     .relative = params_.tolerance,
                     .start_time = gas.time,
                     .most_steps = most_steps});
    if (const std::string trouble = report.summary(network); !trouble.empty()) gas.warnings.once("kinetics", trouble);
}

/// At constant pressure no reaction changes the enthalpy: what the integrator's tolerance let the temperature drift is taken back, so that
/// a flame that burns for thousands of steps stays at its temperature. The grids still hold what was there before the step.
void GridChemistry::keep_enthalpy(const ReactingGas& gas) {
    const chem::HeatContent& content = *gas.content;
    const std::size_t count = batch_.cells.size();
    const long lost = parallel_reduce(chunks_of(count), 0L, [&](int c) {
        const std::size_t first = std::size_t(c) * chunk, size = std::min(count - first, std::size_t(chunk));
        const std::ptrdiff_t* cell = batch_.cells.data() + first;
        std::vector<std::vector<float>> before(std::size_t(content.species()), std::vector<float>(size));
        std::vector<const float*> start, end;
        std::vector<double> formed(size, 0.0);   // what the reactions changed of Σ c z
        for (std::size_t s = 0; s < before.size(); ++s) {
            const float* grid = gas.substances[s].amount.storage().data();
            const float* now = batch_.amounts[s].data() + first;
            const double h = content.zero(int(s));
            for (std::size_t n = 0; n < size; ++n) before[s][n] = grid[cell[n]], formed[n] += h * (double(before[s][n]) - double(now[n]));
            start.push_back(before[s].data()), end.push_back(now);
        }
        std::vector<float> excess(size), heat(size);
        for (std::size_t n = 0; n < size; ++n) excess[n] = gas.excess.storage()[std::size_t(cell[n])];
        content.from_temperature(int(size), start, excess.data(), heat.data());
        float* temperature = batch_.temperature.data() + first;
        for (std::size_t n = 0; n < size; ++n) {
            heat[n] += float(formed[n]);
            excess[n] = temperature[n] - float(content.reference());
        }
        const long lost_here = content.to_temperature(int(size), end, heat.data(), excess.data());
        for (std::size_t n = 0; n < size; ++n) temperature[n] = excess[n] + float(content.reference());
        return lost_here;
    }, [](long a, long b) { return a + b; });
    if (lost > 0) gas.warnings.once("enthalpy", fmt::format("chemistry: {} cells have an enthalpy that belongs to no temperature", lost));
}

/// Heat and expansion from the mean rates of the step. The grids still hold what was there before it.
void GridChemistry::apply_controls(ReactingGas& gas, double dt) {
    const bool heats = controls_.has(Control::heat), expands = controls_.has(Control::expansion) && !gas.swelling.empty();
    if (!heats && !expands) return;
    const chem::Extents& extents = controls_.extents();
    const std::size_t count = batch_.cells.size();
    const double volume = gas.domain.h * gas.domain.h * gas.domain.h;
    const double released = parallel_sum(chunks_of(count), [&](int c) {
        const std::size_t first = std::size_t(c) * chunk, size = std::min(count - first, std::size_t(chunk));
        const std::ptrdiff_t* cell = batch_.cells.data() + first;
        std::vector<std::vector<float>> rates(extents.wanted().size(), std::vector<float>(size));
        ControlInputs<float> inputs{.count = int(size), .temperature = batch_.temperature.data() + first, .time = gas.time};
        for (std::size_t w = 0; w < rates.size(); ++w) {
            for (const chem::Term& t : extents.weights(int(w))) {
                const bool counter = t.species >= species_;
                const float* before = counter ? nullptr : gas.substances[std::size_t(t.species)].amount.storage().data();
                const float* after = batch_.amounts[std::size_t(t.species)].data() + first;
                const float factor = float(t.coefficient / dt);
                for (std::size_t n = 0; n < size; ++n) rates[w][n] += factor * (after[n] - (counter ? 0.0f : before[cell[n]]));
            }
            inputs.rates.push_back(rates[w].data());
        }
        for (int s = 0; s < extents.species(); ++s) inputs.concentrations.push_back(batch_.amounts[std::size_t(s)].data() + first);
        std::vector<float> value(size);
        double heat = 0;
        if (heats) {
            controls_.evaluate(Control::heat, inputs, value.data());
            float* temperature = batch_.temperature.data() + first;
            if (controls_.depends_on_temperature(Control::heat)) {
                std::vector<float> half_way(size), then(size);
                for (std::size_t n = 0; n < size; ++n) half_way[n] = temperature[n] + 0.5f * value[n] * float(dt);
                ControlInputs<float> later = inputs;
                later.temperature = half_way.data();
                controls_.evaluate(Control::heat, later, then.data());
                for (std::size_t n = 0; n < size; ++n) value[n] = mean_heating(value[n], then[n]);
            }
            for (std::size_t n = 0; n < size; ++n) {
                temperature[n] += value[n] * float(dt);
                heat += double(value[n]) * room_of(gas, cell[n]);
            }
        }
        if (expands) {
            controls_.evaluate(Control::expansion, inputs, value.data());
            float* swelling = gas.swelling.storage().data();
            for (std::size_t n = 0; n < size; ++n) swelling[cell[n]] += value[n] * float(dt);
        }
        return heat;
    });
    gas.ledger.record("heat", "reacted", released * dt * volume);
}

/// Adds to `reacted` what the integrator made of each substance, summed over the cells times their room [mol/m^3]. Cells below zero react as if they held
/// nothing and keep what they have: no atom is made by lifting them.
void GridChemistry::hand_back(ReactingGas& gas, std::vector<double>& reacted) {
    const std::size_t count = batch_.cells.size();
    const int chunks = chunks_of(count);
    for (const chem::SurfaceMechanism::Solid& solid : surface_.solids) {
        field::Grid& taken = gas.substances[std::size_t(solid.species)].taken;
        const std::vector<float>& now = batch_.amounts[std::size_t(solid.taken)];
        for (std::size_t n = 0; n < count; ++n) {
            taken.storage()[std::size_t(batch_.cells[n])] += now[n];
            reacted[std::size_t(solid.species)] -= double(now[n]) * room_of(gas, batch_.cells[n]);
        }
    }
    for (std::size_t s = 0; s < gas.substances.size(); ++s) {
        if (gas.substances[s].solid) continue;   // its surface stays while a step lasts
        float* grid = gas.substances[s].amount.storage().data();
        const std::vector<float>& now = batch_.amounts[std::size_t(gas.substances[s].species)];
        reacted[s] += parallel_sum(chunks, [&](int c) {
            double sum = 0;
            const std::size_t first = std::size_t(c) * chunk, last = std::min(count, first + chunk);
            for (std::size_t n = first; n < last; ++n) {
                float& here = grid[batch_.cells[n]];
                sum += (double(now[n]) - double(std::max(here, 0.0f))) * room_of(gas, batch_.cells[n]);
                here = now[n] + std::min(here, 0.0f);
            }
            return sum;
        });
    }
    float* excess = gas.excess.storage().data();
    parallel_for(chunks, [&](int c) {
        const std::size_t first = std::size_t(c) * chunk, last = std::min(count, first + chunk);
        for (std::size_t n = first; n < last; ++n) excess[batch_.cells[n]] = batch_.temperature[n] - float(gas.ambient_temperature);
    });
}

/// A real gas fills its cell at the given pressure: what its equation of state, p = R T sum(c), has too much must leave, and the other way
/// round. So reactions, heat and the errors of transport all end as divergence. Half of the gap is closed in a step: the whole of it
/// would ring, because the outflow lags behind by a step.
void GridChemistry::fill_pressure_gap(ReactingGas& gas) const {
    const float scale = float(chem::gas_constant / *params_.pressure), ambient = float(gas.ambient_temperature), share = 0.5f;
    const field::Layout& layout = gas.swelling.layout();
    parallel_for(layout.nz(), [&](int k) {
        std::vector<float> total(std::size_t(layout.nx()));
        for (int j = 0; j < layout.ny(); ++j) {
            std::fill(total.begin(), total.end(), 0.0f);
            for (const Substance& substance : gas.substances) {
                const float* c = substance.amount.row(j, k);
                for (int i = 0; i < layout.nx(); ++i) total[std::size_t(i)] += c[i];
            }
            const float* excess = gas.excess.row(j, k);
            float* swelling = gas.swelling.row(j, k);
            for (int i = 0; i < layout.nx(); ++i) {
                const bool covered = gas.solids.present() && gas.solids.covered(i, j, k);
                swelling[i] = covered ? 0.0f : share * (total[std::size_t(i)] * scale * (ambient + excess[i]) - 1);
            }
        }
    });
}

std::size_t GridChemistry::bytes() const {
    std::size_t total = batch_.cells.capacity() * sizeof(std::ptrdiff_t) + batch_.temperature.capacity() * sizeof(float);
    for (const std::vector<float>& of : batch_.amounts) total += of.capacity() * sizeof(float);
    return total;
}

}  // namespace phlo::models
