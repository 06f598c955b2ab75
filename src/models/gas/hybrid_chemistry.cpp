#include "models/gas/hybrid_chemistry.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "base/error.h"
#include "base/log.h"
#include "flow/diffusion.h"
#include "particles/splat.h"

namespace phlo::models {
namespace {

CarrierParams carrier_params(const chem::Mechanism& mechanism, const ChemistryParams& params, const HybridScene& scene) {
    const MaterialParticleParams& p = params.hybrid.particles;
    CarrierParams carriers{.radius = p.radius.value_or(3 * scene.domain.h), .min_concentration = params.min_concentration,
                           .min_temperature = params.min_temperature, .min_carriers = p.min_carriers, .limit = p.limit,
                           .kinetics = {.integrator = params.integrator, .relative = params.tolerance}};
    const double each = p.amount.value_or(scene.strongest * Influence(carriers.radius).volume / 20);
    carriers.max_amount = p.max_amount * each, carriers.min_amount = p.min_amount * each;
    if (!p.kinds.empty()) carriers.kinds.resize(mechanism.species.size());
    for (const ParticleKind& kind : p.kinds)
        carriers.kinds.at(std::size_t(mechanism.find(kind.species))) = {.times = kind.amount.value_or(each) / each, .radius = float(kind.radius.value_or(0))};
    return carriers;
}

std::vector<bool> flags(const chem::Mechanism& mechanism, const std::vector<int>& eulerian) {
    std::vector<bool> result(mechanism.species.size(), false);
    for (const int s : eulerian) result[std::size_t(s)] = true;
    return result;
}

/// ∫ c dz beside a flat wall with a mole on each square metre, `height` above it: with the share I(z) of a visit's sphere that the wall leaves, a visit at z sees
/// c(z) = I'(z - height) / I(z). On the wall itself the integral would be ln(I(r) / I(0)) = ln 2.
double seen_beside_wall(const Influence& influence, double height) {
    const auto share = [&](double z) { return influence.share_inside(z); };
    const double reach = influence.radius + height, dz = reach / 400;
    double sum = 0;
    for (double z = 0.5 * dz; z < reach; z += dz) sum += (share(z + 0.5 * dz - height) - share(z - 0.5 * dz - height)) / share(z);
    return sum;
}

}  // namespace

HybridChemistry::HybridChemistry(const chem::Mechanism& mechanism, const ChemistryParams& params, const HybridScene& scene)
    : mechanism_(mechanism), params_(params), scene_(scene), controls_(mechanism, control_texts(params)),
      eulerian_(eulerian_species(params, mechanism)), carriers_(carrier_params(mechanism, params, scene)),
      kinetics_(controls_, carriers_, flags(mechanism, eulerian_)), each_(carriers_.max_amount / params.hybrid.particles.max_amount),
      feeders_(scene.emitters * mechanism.species.size()) {
    motion_ = {.response = params.hybrid.particles.response, .reference = each_, .external = params.hybrid.particles.external};
    for (const chem::Species& s : mechanism.species) motion_.molar_mass.push_back(s.molar_mass);
    motion_.kinds.resize(mechanism.species.size());
    for (std::size_t s = 0; s < mechanism.species.size(); ++s)
        if (const ParticleKind* k = kind(int(s)); k != nullptr && k->response) motion_.kinds[s].response_per_mol = *k->response / amount_of_one(int(s));
    if (!forms_soot(params.hybrid.soot)) return;
    before_ = field::Grid(field::Layout(scene.domain.cells));
    rates_.assign(controls_.rates_in(Control::soot).size(), field::Grid(field::Layout(scene.domain.cells)));
}

const ParticleKind* HybridChemistry::kind(int species) const {
    for (const ParticleKind& one : params_.hybrid.particles.kinds)
        if (mechanism_.find(one.species) == species) return &one;
    return nullptr;
}

void HybridChemistry::feed(ReactingGas& gas, int species, std::size_t emitter, const flow::Coverage& coverage, const Emitter& source, double value) {
    const EmitMode mode = source.mode;
    double mol = value * covered_volume(coverage, gas.domain);
    if (mode != EmitMode::add) mol = std::max(0.0, mol - held_inside(coverage, gas.domain, species, particles_));
    Feeder& feeder = feeders_[emitter * mechanism_.species.size() + std::size_t(species)];
    if (mode != EmitMode::add) feeder.pending = 0;   // what is missing is counted anew each time
    const Feed what{.species = std::uint8_t(species), .amount = amount_of_one(species), .gas = source.sets_velocity ? nullptr : &gas.u,
                    .velocity = Vec3f(source.sets_velocity ? source.velocity(gas.time) : Vec3d()), .scatter = source.scatter,
                    .radius = carriers_.kind(std::size_t(species)).radius};
    if (!(particles_.count() + (feeder.pending + mol) / what.amount < carriers_.limit + 1.0))
        throw RunError(fmt::format("the emitters made more than {} particles at t = {:.4f} s: raise chemistry.particles.limit, or let each carry more "
                                   "(chemistry.particles.amount, now {:.3g} mol)", carriers_.limit, gas.time, each_));
    const double entered = models::feed(coverage, gas.domain, what, mol, &gas.solids, key(gas, std::uint32_t(emitter * 256) + std::uint32_t(species)), feeder, particles_);
    gas.ledger.record(mechanism_.species[std::size_t(species)].name, "emitted", entered);
}

/// The flow must be worked on where particles are.
void HybridChemistry::activate(flow::TileSet& tiles, int reach) const {
    double farthest = carriers_.radius;
    for (const CarrierParams::Kind& one : carriers_.kinds) farthest = std::max(farthest, double(one.radius));
    const int margin = reach + int(std::ceil(farthest / scene_.domain.h));
    for (const Vec3f& p : particles_.position) {
        const Vec3d at = (Vec3d(p) - scene_.domain.origin) / scene_.domain.h;
        const Vec3i cell{int(at.x), int(at.y), int(at.z)};
        tiles.activate({cell - Vec3i(margin), cell + Vec3i(margin + 1)});
    }
}

Surroundings HybridChemistry::surroundings(const ReactingGas& gas) const {
    Surroundings around{.domain = gas.domain, .solids = &gas.solids, .excess = &gas.excess, .ambient = gas.ambient_temperature};
    for (std::size_t w = 0; w < 6; ++w) around.closed[w] = scene_.walls[w] == WallKind::closed;
    return around;
}

/// So many particles, and so heavy, that gas beside a flat wall reacts as beside the grid method's layer: ∫ c dz = concentration · layer.
void HybridChemistry::glue_catalysts(ReactingGas& gas) {
    glued_ = 1;
    const double r = carriers_.radius, per_area = 16 / (std::numbers::pi * r * r), seen = seen_beside_wall(Influence(r), glue_height * gas.domain.h);
    for (std::size_t b = 0; b < gas.bodies.size(); ++b)
        for (const auto& [name, concentration] : gas.bodies[b].catalyst) {
            const int species = mechanism_.find(name);
            if (species < 0 || concentration <= 0) continue;
            const double amount = concentration * gas.bodies[b].catalyst_layer / (per_area * seen);
            const int number = glue(gas.domain, gas.solids, int(b), std::uint8_t(species), per_area, amount, scene_.seed, particles_);
            gas.ledger.record(name, "emitted", number * amount);
        }
}

void HybridChemistry::move(ReactingGas& gas, double dt) {
    if (glued_ == 0) glue_catalysts(gas);
    ParticleStream stream{.domain = gas.domain, .velocity = &gas.u, .walls = {}, .solids = &gas.solids};
    if (!acceleration_[0].empty()) stream.acceleration = &acceleration_;
    motion_.force = params_.hybrid.particles.force(gas.time);
    for (const ParticleKind& one : params_.hybrid.particles.kinds)
        if (one.force) motion_.kinds[std::size_t(mechanism_.find(one.species))].force = (*one.force)(gas.time);
    for (std::size_t w = 0; w < 6; ++w) stream.walls[w].kind = scene_.walls[w];
    const MotionReport report = models::move(stream, motion_, dt, particles_);
    for (std::size_t s = 0; s < mechanism_.species.size(); ++s)
        if (report.left[s] != 0) gas.ledger.record(mechanism_.species[s].name, "left", -report.left[s]);
    drift(gas.domain, gas.u, &gas.solids, dt, soot_);
    age(dt, soot_);
    drift(gas.domain, gas.u, &gas.solids, dt, vortices_);
}

void HybridChemistry::react(ReactingGas& gas, double dt) {
    const int sweeps = params_.hybrid.particles.sweeps;
    for (int s = 0; s < sweeps; ++s) {
        const std::vector<double> before = particles_.totals(mechanism_.species.size());
        const SweepReport report = kinetics_.sweep(surroundings(gas), gas.time + s * dt / sweeps, dt / sweeps, key(gas, std::uint32_t(s) << 16), particles_, effects_);
        if (report.failed > 0)
            gas.warnings.once("parcels", fmt::format("chemistry: {} of {} parcels could not be integrated at t = {:.4f} s and were left as they were",
                                             report.failed, report.visits, gas.time));
        book_hand_back(gas, report, before);
        deposit_effects(gas, report);
        const Births births =
            spawn(params_.hybrid.vortices, surroundings(gas), particles_, effects_, carriers_.radius, key(gas, std::uint32_t(s) << 16), vortices_);
        if (births.limited)
            gas.warnings.once("vortices", fmt::format("there are {} vortex particles, as many as chemistry.vortices.limit allows: no more are born for now",
                                                      vortices_.count()));
    }
    remove_small(gas);
}

void HybridChemistry::finish(ReactingGas& gas, double dt) {
    make_soot(gas, dt);
    for (field::Grid& rate : rates_) rate.fill(0);
}

std::vector<double> HybridChemistry::foresee(const ReactingGas& gas, std::span<const double> seconds) {
    Parcels parcels = kinetics_.parcels(surroundings(gas), particles_, foreseen_parcels);
    return foresee_volume(controls_, parcels, gas.time, seconds, carriers_.kinetics);
}

/// What species on particles became: the integrator's word, and whatever the hand-back did beside it.
void HybridChemistry::book_hand_back(ReactingGas& gas, const SweepReport& report, const std::vector<double>& before) const {
    const std::vector<double> now = particles_.totals(before.size());
    for (std::size_t s = 0; s < now.size(); ++s) {
        if (std::ranges::count(eulerian_, int(s))) continue;
        const std::string& name = mechanism_.species[s].name;
        gas.ledger.record(name, ledger_entry::reacted, report.reacted[s]);
        gas.ledger.record(name, ledger_entry::birth_error, report.birth_error[s]);
        gas.ledger.record(name, ledger_entry::hand_back_error, now[s] - before[s] - report.reacted[s] - report.birth_error[s]);
    }
}

void HybridChemistry::remove_small(ReactingGas& gas) {
    const std::vector<double> before = particles_.totals(mechanism_.species.size());
    kinetics_.remove_small(particles_);
    const std::vector<double> now = particles_.totals(before.size());
    for (std::size_t s = 0; s < now.size(); ++s)
        if (!std::ranges::count(eulerian_, int(s))) gas.ledger.record(mechanism_.species[s].name, ledger_entry::removal_error, now[s] - before[s]);
}

void HybridChemistry::deposit_effects(ReactingGas& gas, const SweepReport& report) {
    const double volume = gas.domain.h * gas.domain.h * gas.domain.h;
    std::vector<particles::Spread> spreads;
    std::vector<const Substance*> made;
    std::vector<double> before;
    for (std::size_t e = 0; e < eulerian_.size(); ++e)
        for (Substance& substance : gas.substances)
            if (substance.species == eulerian_[e]) {
                spreads.push_back({&effects_.products[e], &substance.amount}), made.push_back(&substance);
                before.push_back(flow::sum_with_room(substance.amount, gas.room) * volume);
            }
    const std::size_t heat = spreads.size();
    if (controls_.has(Control::heat)) spreads.push_back({&effects_.heat, &gas.excess});
    if (controls_.has(Control::expansion) && !gas.swelling.empty()) spreads.push_back({&effects_.expansion, &gas.swelling});
    for (std::size_t w = 0; w < rates_.size(); ++w) spreads.push_back({&effects_.extents[w], &rates_[w]});
    const std::vector<double> lost = particles::splat({.domain = gas.domain, .open = flow::room_or_null(gas.room), .radius = carriers_.radius,
                                                       .radii = particles_.radius}, particles_.position, spreads);
    for (std::size_t n = 0; n < made.size(); ++n) {
        const double reacted = report.reacted[std::size_t(made[n]->species)];
        gas.ledger.record(made[n]->name, ledger_entry::reacted, reacted);
        if (lost[n] != 0) gas.ledger.record(made[n]->name, "buried", -lost[n]);
        gas.ledger.record(made[n]->name, ledger_entry::hand_back_error, flow::sum_with_room(made[n]->amount, gas.room) * volume - before[n] - reacted + lost[n]);
    }
    if (!controls_.has(Control::heat)) return;
    double released = 0;
    for (const double kelvin : effects_.heat) released += kelvin;
    gas.ledger.record("heat", ledger_entry::reacted, released);
    if (lost[heat] != 0) gas.ledger.record("heat", "buried", -lost[heat]);
}

void HybridChemistry::remember(const ReactingGas& gas) {
    if (!before_.empty()) models::remember(gas.tiles, gas.excess, before_);
}

/// The control function in the cells [first, last) of a row.
void HybridChemistry::soot_per_kelvin(const ReactingGas& gas, double dt, int j, int k, int first, int last, float* values) const {
    const std::size_t count = std::size_t(last - first);
    std::vector<float> temperature(count);
    for (std::size_t n = 0; n < count; ++n) temperature[n] = float(gas.ambient_temperature) + gas.excess.row(j, k)[first + int(n)];
    std::vector<std::vector<float>> rates;
    ControlInputs<float> inputs{.count = int(count), .temperature = temperature.data(), .time = gas.time};
    inputs.rates.assign(controls_.extents().wanted().size(), nullptr), inputs.concentrations.assign(mechanism_.species.size(), nullptr);
    const std::vector<int> wanted = controls_.rates_in(Control::soot);
    for (std::size_t w = 0; w < rates_.size(); ++w) {
        rates.emplace_back(count);
        for (std::size_t n = 0; n < count; ++n) rates[w][n] = rates_[w].row(j, k)[first + int(n)] / float(dt);
    }
    for (std::size_t w = 0; w < rates.size(); ++w) inputs.rates[std::size_t(wanted[w])] = rates[w].data();
    for (const Substance& substance : gas.substances) inputs.concentrations[std::size_t(substance.species)] = substance.amount.row(j, k) + first;
    controls_.evaluate<float>(Control::soot, inputs, values);
}

void HybridChemistry::make_soot(ReactingGas& gas, double dt) {
    if (before_.empty()) return;
    const SootParams& params = params_.hybrid.soot;
    CoolingGas cooling{.domain = gas.domain, .tiles = &gas.tiles, .before = &before_, .after = &gas.excess, .ambient = gas.ambient_temperature,
                       .room = flow::room_or_null(gas.room)};
    for (Substance& substance : gas.substances) cooling.visible.push_back(&substance.amount);
    if (const auto constant = controls_.constant(Control::soot)) cooling.per_kelvin = *constant;
    else cooling.per_kelvin_in_row = [&](int j, int k, int first, int last, float* values) { soot_per_kelvin(gas, dt, j, k, first, last, values); };
    cooling.amount = params.amount.value_or(usual_amount(params, cooling.per_kelvin, gas.ambient_temperature));
    const SootReport report = form_soot(params, cooling, key(gas, 0), soot_);
    for (std::size_t f = 0; f < report.taken.size(); ++f)
        if (report.taken[f] != 0) gas.ledger.record(gas.substances[f].name, "soot", -report.taken[f]);
    if (report.limited)
        gas.warnings.once("soot", fmt::format("there are {} soot particles, as many as chemistry.soot.limit allows: no more are formed for now", soot_.count()));
}

void HybridChemistry::push(const ReactingGas& gas, double dt, field::MacGrid& u) {
    stir(params_.hybrid.vortices, gas.domain, dt, &gas.solids, vortices_, u);
}

field::MacGrid* HybridChemistry::felt_acceleration() {
    if (params_.hybrid.particles.external == 0) return nullptr;
    if (acceleration_[0].empty()) acceleration_ = field::MacGrid(field::Layout(scene_.domain.cells));
    return &acceleration_;
}

void HybridChemistry::weigh(const ReactingGas& gas, double air_molar_mass, field::Grid& mass) const {
    std::vector<double> excess;
    for (const chem::Species& species : mechanism_.species) excess.push_back(species.molar_mass - air_molar_mass);
    constexpr double same = 2e-3;   // of air's molar mass: what is given as 29 g/mol is air
    if (std::ranges::all_of(excess, [&](double e) { return std::fabs(e) <= same * air_molar_mass; })) return;
    std::vector<double> kilograms(particles_.amount.size(), 0);
    for (std::size_t i = 0; i < kilograms.size(); ++i)
        if (particles_.body[i] < 0) kilograms[i] = particles_.amount[i] * excess[particles_.species[i]];   // what sits on bodies weighs on them
    const particles::Spread into[] = {{&kilograms, &mass}};
    particles::splat({.domain = gas.domain, .open = flow::room_or_null(gas.room), .radius = carriers_.radius, .radii = particles_.radius}, particles_.position, into);
}

/// Particles as points: those of usual species together, as `material`; those of each other kind by the name of their species. A point's size goes
/// with the amount: a sphere of the radius of influence holds what a particle carries at the start.
void HybridChemistry::show_material(field::Frame& frame) const {
    std::vector<field::Points> sets{{.name = "material"}};
    std::vector<std::size_t> set_of(mechanism_.species.size(), 0);
    for (std::size_t s = 0; s < set_of.size(); ++s)
        if (kind(int(s)) != nullptr) set_of[s] = sets.size(), sets.push_back({.name = mechanism_.species[s].name});
    struct Columns {
        std::vector<std::int32_t> species;
        std::vector<float> amount, left;
    };
    std::vector<Columns> columns(sets.size());
    for (std::size_t i = 0; i < particles_.amount.size(); ++i) {
        const std::size_t at = set_of[particles_.species[i]];
        field::Points& set = sets[at];
        const double left = particles_.amount[i] / amount_of_one(particles_.species[i]);
        const double reach = particles_.radius[i] > 0 ? double(particles_.radius[i]) : carriers_.radius;
        set.id.push_back(particles_.id[i]), set.position.push_back(particles_.position[i]), set.velocity.push_back(particles_.velocity[i]);
        set.radius.push_back(float(reach * std::cbrt(left)));
        columns[at].species.push_back(particles_.species[i]), columns[at].amount.push_back(float(particles_.amount[i])), columns[at].left.push_back(float(left));
    }
    for (std::size_t n = 0; n < sets.size(); ++n) {
        if (sets[n].position.empty()) continue;
        sets[n].columns["species"] = std::move(columns[n].species);
        sets[n].columns["amount"] = std::move(columns[n].amount);
        sets[n].columns["left"] = std::move(columns[n].left);
        frame.points.push_back(std::move(sets[n]));
    }
}

void HybridChemistry::show(field::Frame& frame) const {
    field::Points soot{.name = "soot"}, vortices{.name = "vortices"};
    show_material(frame);
    for (std::size_t i = 0; i < soot_.count(); ++i) {
        soot.position.push_back({soot_.x[i], soot_.y[i], soot_.z[i]});
        soot.radius.push_back(soot_.radius(i, params_.hybrid.soot));
    }
    vortices.position = vortices_.position;
    vortices.radius.assign(vortices_.position.size(), float(params_.hybrid.vortices.radius));
    for (field::Points* set : {&soot, &vortices})
        if (!set->position.empty()) frame.points.push_back(std::move(*set));
    for (const std::string& name : params_.shown)
        if (const int species = mechanism_.find(name); std::ranges::find(eulerian_, species) == eulerian_.end()) show_species(frame, species);
}

/// What particles carry, spread over their spheres and smoothed by half a radius, so that no sphere shows.
void HybridChemistry::show_species(field::Frame& frame, int species) const {
    std::vector<Vec3f> places;
    std::vector<double> amounts;
    for (std::size_t i = 0; i < particles_.position.size(); ++i)
        if (particles_.species[i] == species) places.push_back(particles_.position[i]), amounts.push_back(particles_.amount[i]);
    const field::Domain& domain = scene_.domain;
    const auto grid = std::make_shared<field::Grid>(field::Layout(domain.cells));
    const particles::Spread into[] = {{&amounts, grid.get()}};
    particles::splat({.domain = domain, .radius = carriers_.radius}, places, into);
    const double cells = carriers_.radius / domain.h;
    flow::Diffuser().diffuse_cells(*grid, 0.125 * cells * cells, flow::Solids{});
    frame.volumes.push_back({.name = "c_" + mechanism_.species[std::size_t(species)].name, .unit = "mol/m^3", .negligible = 1e-3f, .domain = domain, .room = domain,
                             .grid = grid});
}

void HybridChemistry::add_state(StateView& view) {
    view.blocks.push_back({"material", [this] { return particles_.save(); }, [this](std::span<const char> data) { particles_.load(data); }});
    view.blocks.push_back({"soot", [this] { return particles::save(soot_); }, [this](std::span<const char> data) { particles::load(data, soot_); }});
    view.blocks.push_back({"vortices", [this] { return particles::save(vortices_); }, [this](std::span<const char> data) { particles::load(data, vortices_); }});
    for (std::size_t f = 0; f < feeders_.size(); ++f) {
        view.numbers.push_back({fmt::format("feeder.{}.pending", f), &feeders_[f].pending});
        view.numbers.push_back({fmt::format("feeder.{}.fed", f), &feeders_[f].fed});
    }
    view.numbers.push_back({"glued", &glued_});
}

void HybridChemistry::count(std::map<std::string, long>& particles) const {
    particles["material"] = particles_.count();
    particles["soot"] = long(soot_.count());
    particles["vortex"] = vortices_.count();
}

std::size_t HybridChemistry::bytes() const {
    return particles::bytes_of(particles_) + particles::bytes_of(soot_) + particles::bytes_of(vortices_) + before_.bytes() + kinetics_.bytes() +
           (rates_.empty() ? 0 : rates_.size() * rates_[0].bytes());
}

}  // namespace phlo::models
