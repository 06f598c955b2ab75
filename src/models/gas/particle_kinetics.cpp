#include "models/gas/particle_kinetics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/error.h"
#include "base/parallel.h"
#include "models/gas/particle_places.h"
#include "particles/sample.h"

namespace phlo::models {

namespace stream {
constexpr std::uint32_t order = 0x6f726472, birth = 0x62697274, colours = 0x636f6c72;
}

struct ParticleKinetics::Visit {
    int particle;
    int color;
    Vec3i block;
    std::uint32_t random;
};

struct ParticleKinetics::Block {
    std::span<const Visit> visits;
    std::vector<MaterialParticle> born;
};

/// One visit at work.
struct ParticleKinetics::Lane {
    struct Neighbor {
        int index;   ///< a particle, or past their number one that was born in this block
        float share; ///< f_i
    };
    std::vector<Neighbor> neighbors;
    std::vector<double> taken;        ///< Σ f_i n_i by species [mol]
    std::vector<double> held, reach;  ///< of those that can take more, by species: Σ n_i, Σ f_i
    std::vector<int> carriers;        ///< and their number
    double visitors = 0;              ///< N
    double volume = 0;                ///< V [m³]
    Block* block = nullptr;           ///< whose visit it is
};

/// What a thread needs to react a group of blocks.
struct ParticleKinetics::Task {
    Task(const chem::Network& network, const CarrierParams& params) : reactor(network, params.kinetics), lanes(std::size_t(params.lanes)) {}

    chem::ParcelReactor reactor;
    std::vector<Lane> lanes;
    std::vector<double> before, rates, mean, values;   ///< [row * lanes + lane]
    std::vector<double> first_heat;                    ///< by lane: with the temperature at the start of the step [K/s]
    const Surroundings* gas = nullptr;
    MaterialParticles* particles = nullptr;
    Effects* effects = nullptr;
    RandomKey key;
    double time = 0, seconds = 0;
    long failed = 0;
    std::vector<double> reacted, birth_error;   ///< by species [mol]
};

namespace {

bool takes_part(const chem::Reaction& reaction, int species) {
    const auto names = [&](const std::vector<chem::Term>& terms) {
        return std::ranges::any_of(terms, [&](const chem::Term& t) { return t.species == species; });
    };
    return names(reaction.reactants) || names(reaction.orders) || (reaction.reversible && names(reaction.products));
}

/// When each of the eight colours has its turn in this sweep: no side of a block comes first in all of them.
std::array<int, 8> order_of_colours(const RandomKey& key) {
    std::array<int, 8> turn{0, 1, 2, 3, 4, 5, 6, 7};
    const RandomKey numbers{key.seed, key.step, key.stream ^ stream::colours};
    for (std::uint32_t n = 7; n > 0; --n) std::swap(turn[n], turn[std::min(std::uint32_t(uniform4(numbers, n)[0] * float(n + 1)), n)]);
    return turn;
}

int half(int a) { return a >= 0 ? a / 2 : (a - 1) / 2; }

}  // namespace

ParticleKinetics::ParticleKinetics(const Controls& controls, const CarrierParams& params, std::vector<bool> eulerian)
    : controls_(controls), params_(params), influence_(params.radius), needs_(find_needs(controls.extents().network())), eulerian_(std::move(eulerian)),
      soot_rates_(controls.rates_in(Control::soot)) {
    const chem::Network& network = controls.extents().network();
    PHLO_CHECK(params.radius > 0 && params.max_amount > 0 && params.lanes >= 1 && params.lanes <= chem::ParcelReactor::lanes);
    PHLO_CHECK(int(eulerian_.size()) == controls.extents().species());
    eulerian_.resize(std::size_t(network.species()), false);
    for (int s = 0; s < network.species(); ++s) {
        bool reacts = false;
        for (const chem::Reaction& reaction : network.mechanism().reactions) reacts = reacts || takes_part(reaction, s);
        PHLO_CHECK(!(reacts && eulerian_[std::size_t(s)]));
        reactive_.push_back(reacts);
        if (eulerian_[std::size_t(s)]) eulerian_list_.push_back(s);
    }
}

ParticleKinetics::~ParticleKinetics() = default;

std::unique_ptr<ParticleKinetics::Task> ParticleKinetics::borrow_task() {
    const std::lock_guard lock(pool_mutex_);
    if (pool_.empty()) return std::make_unique<Task>(controls_.extents().network(), params_);
    std::unique_ptr<Task> task = std::move(pool_.back());
    pool_.pop_back();
    return task;
}

void ParticleKinetics::give_back(std::unique_ptr<Task> task) {
    const std::lock_guard lock(pool_mutex_);
    pool_.push_back(std::move(task));
}

/// Cubes reach a little farther than the particles: no neighbour is missed by rounding.
void ParticleKinetics::sort(MaterialParticles& particles) {
    float farthest = float(params_.radius);
    for (const float own : particles.radius) farthest = std::max(farthest, own);
    reach_squared_ = farthest * farthest;
    bins_.build(particles.position, double(farthest) * 1.0001);
    sorted_.resize(particles.position.size());
    for (std::size_t s = 0; s < sorted_.size(); ++s) sorted_[s] = particles.position[std::size_t(bins_.order()[s])];
}

/// Particles of the gas that can react, where it is warm enough.
void ParticleKinetics::choose_visited(const Surroundings& gas, const MaterialParticles& particles) {
    const std::size_t count = std::size_t(particles.count());
    visited_.assign(count, 0);
    temperature_.resize(count);
    parallel_for(int(count + 255) / 256, [&](int chunk) {
        for (std::size_t i = std::size_t(chunk) * 256; i < std::min(count, (std::size_t(chunk) + 1) * 256); ++i) {
            if (particles.body[i] >= 0 || particles.amount[i] <= 0 || !reactive_[particles.species[i]]) continue;
            const Vec3f at = particles::cells_from_world(gas.domain, particles.position[i]);
            temperature_[i] = float(gas.ambient) + (gas.excess != nullptr ? particles::sample(*gas.excess, at) : 0.0f);
            visited_[i] = double(temperature_[i]) >= params_.min_temperature;
        }
    });
}

std::vector<ParticleKinetics::Visit> ParticleKinetics::plan_visits(const RandomKey& key, const MaterialParticles& particles) const {
    std::vector<Visit> visits;
    const std::array<int, 8> turn = order_of_colours(key);
    for (int i = 0; i < particles.count(); ++i) {
        if (!visited_[std::size_t(i)]) continue;
        const Vec3i cube = bins_.cube(particles.position[std::size_t(i)]), block{half(cube.x), half(cube.y), half(cube.z)};
        const std::uint32_t random = philox({particles.id[std::size_t(i)], 0, key.step, key.stream ^ stream::order},
                                            {std::uint32_t(key.seed), std::uint32_t(key.seed >> 32)})[0];
        visits.push_back({i, turn[std::size_t((block.x & 1) + 2 * (block.y & 1) + 4 * (block.z & 1))], block, random});
    }
    std::ranges::sort(visits, {}, [&](const Visit& v) {
        return std::tuple(v.color, v.block.z, v.block.y, v.block.x, v.random, particles.id[std::size_t(v.particle)]);
    });
    return visits;
}

SweepReport ParticleKinetics::sweep(const Surroundings& gas, double time, double seconds, const RandomKey& key, MaterialParticles& particles,
                                    Effects& effects) {
    SweepReport report;
    sort(particles);
    particles::reorder(bins_.order(), particles);
    sort(particles);
    const std::size_t count = std::size_t(particles.count());
    choose_visited(gas, particles);
    effects.products.resize(eulerian_list_.size());
    for (std::vector<double>& product : effects.products) product.assign(count, 0);
    for (std::vector<double>* e : {&effects.heat, &effects.expansion, &effects.vortices, &effects.vortex_strength, &effects.rate}) e->assign(count, 0);
    effects.extents.resize(soot_rates_.size());
    for (std::vector<double>& extent : effects.extents) extent.assign(count, 0);
    const std::size_t species = std::size_t(controls_.extents().species());
    report.reacted.assign(species, 0), report.birth_error.assign(species, 0);
    if (seconds <= 0) return report;

    const std::vector<Visit> visits = plan_visits(key, particles);
    report.visits = long(visits.size());

    std::size_t at = 0;
    for (int color = 0; color < 8; ++color) {
        std::vector<Block> blocks;
        while (at < visits.size() && visits[at].color == color) {
            std::size_t end = at;
            while (end < visits.size() && visits[end].color == color && visits[end].block == visits[at].block) ++end;
            blocks.push_back({std::span(visits).subspan(at, end - at), {}});
            at = end;
        }
        // Blocks of a like number of visits share a register. What a lane does not depend on its company.
        std::ranges::stable_sort(blocks, [](const Block& a, const Block& b) { return a.visits.size() > b.visits.size(); });
        const int lanes = params_.lanes, groups = (int(blocks.size()) + lanes - 1) / lanes;
        std::vector<SweepReport> parts(static_cast<std::size_t>(groups));
        parallel_for(groups, [&](int g) {
            std::unique_ptr<Task> task = borrow_task();
            task->gas = &gas, task->particles = &particles, task->effects = &effects;
            task->key = key, task->time = time, task->seconds = seconds, task->failed = 0;
            task->reacted.assign(species, 0), task->birth_error.assign(species, 0);
            const std::size_t first = std::size_t(g) * std::size_t(lanes);
            run_blocks(*task, std::span(blocks).subspan(first, std::min(blocks.size() - first, std::size_t(lanes))));
            parts[std::size_t(g)] = {.failed = task->failed, .reacted = task->reacted, .birth_error = task->birth_error};
            give_back(std::move(task));
        });
        for (const SweepReport& part : parts) {
            report.failed += part.failed;
            for (std::size_t s = 0; s < species; ++s) report.reacted[s] += part.reacted[s], report.birth_error[s] += part.birth_error[s];
        }

        // The newborn join the others: seen by later visits, visited themselves from the next sweep on.
        std::ranges::sort(blocks, {}, [](const Block& b) { return std::tuple(b.visits[0].block.z, b.visits[0].block.y, b.visits[0].block.x); });
        const int before = particles.count();
        for (const Block& block : blocks)
            for (const MaterialParticle& p : block.born) particles.add(p);
        if (particles.count() == before) continue;
        report.born += particles.count() - before;
        if (particles.count() > params_.limit)
            throw RunError(fmt::format("the reactions made more than {} particles at t = {:.4f} s: raise chemistry.particles.limit, or let each "
                                       "carry more (chemistry.particles.amount)", params_.limit, time));
        visited_.resize(std::size_t(particles.count()), 0);
        sort(particles);
    }
    return report;
}

Parcels ParticleKinetics::parcels(const Surroundings& gas, MaterialParticles& particles, int about) {
    const chem::Extents& extents = controls_.extents();
    Parcels parcels(extents.network());
    if (particles.count() == 0) return parcels;
    sort(particles);
    choose_visited(gas, particles);
    const int step = std::max(1, particles.count() / about);
    std::unique_ptr<Task> task = borrow_task();
    task->particles = &particles;
    Lane lane;
    const Block none;
    for (int i = 0; i < particles.count(); i += step) {
        if (!visited_[std::size_t(i)]) continue;
        gather(*task, {i, 0, {}, 0}, none, lane);
        const Influence influence = influence_of(particles, std::size_t(i));
        const double volume = influence.volume * share_inside(gas, particles.position[std::size_t(i)], influence);
        const auto amount = [&](int s) { return lane.taken[std::size_t(s)] / volume; };
        if (something_reacts(needs_, params_.min_concentration, amount)) parcels.add(extents.species(), amount, double(temperature_[std::size_t(i)]));
    }
    give_back(std::move(task));
    return parcels;
}

/// The k-th visits of all blocks together, k after k.
void ParticleKinetics::run_blocks(Task& task, std::span<Block> blocks) const {
    const int lanes = chem::ParcelReactor::lanes;
    chem::ParcelReactor& reactor = task.reactor;
    reactor.set_time(task.time);
    const chem::Extents& extents = controls_.extents();
    const int all = extents.network().species(), wanted = int(extents.wanted().size());
    task.before.resize(std::size_t(all) * lanes), task.mean.resize(task.before.size());
    task.rates.resize(std::size_t(wanted) * lanes), task.values.resize(4 * lanes);
    task.first_heat.resize(std::size_t(lanes));
    const bool warms = controls_.depends_on_temperature(Control::heat);
    ControlInputs<double> inputs{.temperature = reactor.temperature(), .time = task.time};
    for (int w = 0; w < wanted; ++w) inputs.rates.push_back(task.rates.data() + std::size_t(w) * lanes);
    for (int s = 0; s < extents.species(); ++s) inputs.concentrations.push_back(task.mean.data() + std::size_t(s) * lanes);

    for (std::size_t k = 0; k < blocks[0].visits.size(); ++k) {
        int count = 0;   // lanes with something to react
        for (std::size_t b = 0; b < blocks.size() && k < blocks[b].visits.size(); ++b) {
            const Visit& visit = blocks[b].visits[k];
            const std::size_t particle = std::size_t(visit.particle);
            Lane& lane = task.lanes[std::size_t(count)];
            gather(task, visit, blocks[b], lane);
            const Influence influence = influence_of(*task.particles, particle);
            lane.volume = influence.volume * share_inside(*task.gas, task.particles->position[particle], influence);
            if (!something_reacts(needs_, params_.min_concentration, [&](int s) { return lane.taken[std::size_t(s)] / lane.volume; })) continue;
            lane.block = &blocks[b];
            reactor.temperature()[count] = double(temperature_[particle]);
            reactor.seconds()[count] = task.seconds / lane.visitors;
            for (int s = 0; s < all; ++s) reactor.concentration(s)[count] = lane.taken[std::size_t(s)] / lane.volume;
            ++count;
        }
        if (count == 0) continue;
        for (int s = 0; s < all; ++s) std::copy_n(reactor.concentration(s), count, task.before.data() + std::size_t(s) * lanes);
        task.failed += reactor.react(count).failed;

        for (int l = 0; l < count; ++l) {
            for (int s = 0; s < all; ++s)
                task.mean[std::size_t(s * lanes + l)] = 0.5 * (task.before[std::size_t(s * lanes + l)] + reactor.concentration(s)[l]);
            for (int w = 0; w < wanted; ++w) {
                double extent = 0;
                for (const chem::Term& t : extents.weights(w))
                    extent += t.coefficient * (reactor.concentration(t.species)[l] - task.before[std::size_t(t.species * lanes + l)]);
                task.rates[std::size_t(w * lanes + l)] = extent / reactor.seconds()[l];
            }
        }
        inputs.count = count;
        if (warms) {   // all that the step does to the temperature here, half of it in the mean
            controls_.evaluate(Control::heat, inputs, task.values.data());
            for (int l = 0; l < count; ++l) reactor.temperature()[l] += 0.5 * task.values[std::size_t(l)] * task.seconds;
            std::copy_n(task.values.data(), count, task.first_heat.data());
        }
        for (const Control control : {Control::heat, Control::expansion, Control::vortices, Control::vortex_strength})
            controls_.evaluate(control, inputs, task.values.data() + std::size_t(control) * lanes);
        if (warms)
            for (int l = 0; l < count; ++l) {
                double& heat = task.values[std::size_t(int(Control::heat) * lanes + l)];
                heat = mean_heating(task.first_heat[std::size_t(l)], heat);
            }
        for (int l = 0; l < count; ++l) {
            Lane& lane = task.lanes[std::size_t(l)];
            hand_back(task, lane.block->visits[k], *lane.block, lane, l);
        }
    }
}

/// How much of the sphere around `p` closed walls and bodies leave. Exact for one wall, nearly so in edges and corners.
double ParticleKinetics::share_inside(const Surroundings& gas, const Vec3f& p, const Influence& influence) const {
    double share = open_share_(gas.domain, gas.solids, p, influence.radius);
    for (int axis = 0; axis < 3; ++axis) {
        if (gas.closed[std::size_t(2 * axis)]) share *= influence.share_inside(double(p[axis]) - gas.domain.origin[axis]);
        if (gas.closed[std::size_t(2 * axis + 1)]) share *= influence.share_inside(gas.domain.upper()[axis] - double(p[axis]));
    }
    return share;
}

void ParticleKinetics::gather(const Task& task, const Visit& visit, const Block& block, Lane& lane) const {
    const MaterialParticles& particles = *task.particles;
    const Vec3f place = particles.position[std::size_t(visit.particle)];
    const std::size_t all = std::size_t(controls_.extents().network().species());
    lane.neighbors.clear();
    for (std::vector<double>* v : {&lane.taken, &lane.held, &lane.reach}) v->assign(all, 0);
    lane.carriers.assign(all, 0);
    lane.visitors = 0;
    const Influence influence = influence_of(particles, std::size_t(visit.particle));
    const auto meet = [&](int index, const Vec3f& position, double amount, std::uint8_t species, bool drifts) {
        const Vec3f d = position - place;
        const float d2 = dot(d, d);
        if (d2 > influence.radius_squared) return;
        const float share = influence.shape(d2);
        lane.neighbors.push_back({index, share});
        lane.taken[species] += double(share) * amount;
        if (!drifts) return;
        lane.held[species] += amount;
        lane.reach[species] += double(share);
        ++lane.carriers[species];
    };
    bins_.for_each_range(place, [&](int first, int last) {
        for (int s = first; s < last; ++s) {
            const Vec3f d = sorted_[std::size_t(s)] - place;
            const float d2 = dot(d, d);
            if (d2 > reach_squared_) continue;
            const std::size_t i = std::size_t(bins_.order()[std::size_t(s)]);
            if (visited_[i])
                if (const Influence its = influence_of(particles, i); d2 <= its.radius_squared) lane.visitors += double(its.shape(d2));
            meet(int(i), sorted_[std::size_t(s)], particles.amount[i], particles.species[i], particles.body[i] < 0);
        }
    });
    for (std::size_t b = 0; b < block.born.size(); ++b)
        meet(particles.count() + int(b), block.born[b].position, block.born[b].amount, block.born[b].species, true);
}

void ParticleKinetics::hand_back(Task& task, const Visit& visit, Block& block, Lane& lane, int slot) const {
    const int lanes = chem::ParcelReactor::lanes;
    MaterialParticles& particles = *task.particles;
    const std::size_t p = std::size_t(visit.particle);
    const double seconds = task.reactor.seconds()[slot];
    Effects& effects = *task.effects;
    effects.heat[p] += task.values[std::size_t(int(Control::heat) * lanes + slot)] * lane.volume * seconds;
    effects.expansion[p] += task.values[std::size_t(int(Control::expansion) * lanes + slot)] * lane.volume * seconds;
    effects.vortices[p] += task.values[std::size_t(int(Control::vortices) * lanes + slot)] * task.seconds;
    effects.vortex_strength[p] = task.values[std::size_t(int(Control::vortex_strength) * lanes + slot)];
    for (std::size_t w = 0; w < soot_rates_.size(); ++w)
        effects.extents[w][p] += task.rates[std::size_t(soot_rates_[w] * lanes + slot)] * lane.volume * seconds;

    // From here on taken[s] is what a particle keeps of its share, and reach[s] what it gets per share.
    bool changed = false;
    double making = 0, fields_making = 0;
    const int count = controls_.extents().species();
    for (int s = 0; s < count; ++s) {
        const double change = (task.reactor.concentration(s)[slot] - task.before[std::size_t(s * lanes + slot)]) * lane.volume;
        const std::size_t at = std::size_t(s);
        task.reacted[at] += change;
        if (eulerian_[at]) {
            effects.products[std::size_t(std::ranges::find(eulerian_list_, s) - eulerian_list_.begin())][p] += change;
            fields_making += change;
            lane.taken[at] = lane.reach[at] = 0;
            continue;
        }
        changed = changed || change != 0;
        making += std::max(change, 0.0);
        const double gain = change > 0 ? change : 0;
        lane.taken[at] = change < 0 ? std::min(-change / lane.taken[at], 1.0) : 0;
        if (gain > 0 && (lane.carriers[at] < params_.min_carriers || lane.held[at] + gain > params_.kind(at).times * params_.max_amount * lane.carriers[at])) {
            give_birth(task, visit, block, s, gain);
            lane.reach[at] = 0;
        } else {
            lane.reach[at] = gain > 0 ? gain / lane.reach[at] : 0;
        }
    }
    effects.rate[p] = (eulerian_list_.empty() ? making : fields_making) / (lane.volume * seconds);
    if (!changed) return;
    for (const Lane::Neighbor& n : lane.neighbors) {
        const std::size_t i = std::size_t(n.index);
        const bool old = n.index < particles.count();
        double& amount = old ? particles.amount[i] : block.born[i - std::size_t(particles.count())].amount;
        const std::size_t s = old ? particles.species[i] : block.born[i - std::size_t(particles.count())].species;
        const bool drifts = !old || particles.body[i] < 0;
        amount = amount * (1 - double(n.share) * lane.taken[s]) + (drifts ? double(n.share) * lane.reach[s] : 0);
    }
}

/// A product without carriers, with few, or with heavy ones gets new ones, scattered in the sphere.
void ParticleKinetics::give_birth(Task& task, const Visit& visit, Block& block, int species, double gain) const {
    const std::size_t parent = std::size_t(visit.particle);
    const MaterialParticles& particles = *task.particles;
    const CarrierParams::Kind kind = params_.kind(std::size_t(species));
    const double reach = influence_of(particles, parent).radius;
    const int number = int(std::clamp(std::ceil(gain / (kind.times * params_.max_amount)), 1.0, double(params_.limit) + 1));   // more end the run in any case
    double given = 0;
    for (int b = 0; b < number && int(block.born.size()) <= params_.limit; ++b) {
        MaterialParticle born{.position = particles.position[parent], .velocity = particles.velocity[parent], .amount = gain / number,
                              .species = std::uint8_t(species), .radius = kind.radius};
        for (std::uint32_t attempt = 0; attempt < 16; ++attempt) {
            const std::uint32_t draw = (std::uint32_t(block.born.size()) << 4) + attempt;
            const Vec3f place = in_sphere(particles.position[parent], reach,
                                          uniform4({task.key.seed, task.key.step, task.key.stream ^ stream::birth}, particles.id[parent], draw));
            if (!in_gas(task.gas->domain, task.gas->solids, place)) continue;
            born.position = place;
            break;
        }
        block.born.push_back(born);
        given += born.amount;
    }
    task.birth_error[std::size_t(species)] += given - gain;
}

long ParticleKinetics::remove_small(MaterialParticles& particles) {
    sort(particles);
    const std::size_t count = std::size_t(particles.count());
    std::vector<std::uint8_t> dead(count, 0);
    long removed = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (particles.amount[i] >= params_.kind(particles.species[i]).times * params_.min_amount || particles.body[i] >= 0) continue;
        const float reach_squared = influence_of(particles, i).radius_squared;
        int nearest = -1;
        float best = reach_squared;
        int fellows = 0;
        bins_.for_each_range(particles.position[i], [&](int first, int last) {
            for (int s = first; s < last; ++s) {
                const std::size_t j = std::size_t(bins_.order()[std::size_t(s)]);
                if (j == i || dead[j] || particles.species[j] != particles.species[i] || particles.body[j] >= 0) continue;
                const Vec3f d = sorted_[std::size_t(s)] - particles.position[i];
                const float d2 = dot(d, d);
                if (d2 > reach_squared) continue;
                ++fellows;
                if (d2 <= best) best = d2, nearest = int(j);
            }
        });
        const bool empty = particles.amount[i] == 0;
        if (!empty && (nearest < 0 || fellows < params_.min_carriers)) continue;
        if (nearest >= 0) particles.amount[std::size_t(nearest)] += particles.amount[i];
        dead[i] = 1;
        ++removed;
    }
    if (removed > 0) particles::remove_marked(dead, particles);
    return removed;
}

}  // namespace phlo::models
