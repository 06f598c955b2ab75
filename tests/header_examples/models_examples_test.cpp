#include "examples.h"

#include "chem/integration/kinetics.h"
#include "models/gas/controls.h"
#include "models/gas/foresight.h"
#include "models/gas/eroding_bodies.h"
#include "models/gas/gas.h"
#include "models/gas/heat_field.h"
#include "models/gas/influence.h"
#include "models/gas/material_particles.h"
#include "models/gas/needs.h"
#include "models/gas/open_share.h"
#include "models/gas/opened_cells.h"
#include "models/gas/particle_kinetics.h"
#include "models/gas/particle_motion.h"
#include "models/gas/seeding.h"
#include "models/gas/soot.h"
#include "models/gas/vortices.h"
#include "models/gridless_fire/composition.h"
#include "models/gridless_fire/eddies.h"
#include "models/gridless_fire/fire_particles.h"
#include "models/gridless_fire/flame.h"
#include "models/gridless_fire/flame_axes.h"
#include "models/gridless_fire/fuel_bed.h"
#include "models/gridless_fire/puffs.h"
#include "models/gridless_fire/stochastic.h"
#include "models/gridless_fire/torch_fire.h"
#include "models/shot/check.h"
#include "models/shot/grid_flow.h"
#include "models/shot/ledger.h"
#include "models/shot/point_volumes.h"
#include "models/shot/source.h"
#include "models/shot/sub_steps.h"
#include "models/shows_still.h"
#include "models/vortex_fire/biot_savart.h"
#include "models/vortex_fire/combustion.h"
#include "models/vortex_fire/expansion.h"
#include "models/vortex_fire/particle_tree.h"
#include "models/vortex_fire/tree_velocity.h"
#include "models/vortex_fire/vorton_dynamics.h"

namespace phlo::models {

void sub_steps_example(double time, double seconds, const std::function<bool()>& enough, double (*choose)(double, int), void (*step)(double), FrameStats& stats) {
    SubSteps steps(time, seconds, enough);
    while (steps.go_on()) {
        const double dt = choose(steps.remaining(), steps.count());
        step(dt);
        steps.went(dt);
    }
    time = steps.end();
    steps.tell(stats);
}

void shows_still_example(const Model& model, field::Frame& frame) {
    if (const auto* model_of_gas = dynamic_cast<const ShowsStill*>(&model)) frame = model_of_gas->show_still();
}

using particles::remove_marked;

void controls_example(const chem::Mechanism& mechanism, const chem::Cells<float>& cells, double dt, const chem::KineticsParams& params, int n, double t,
                      const std::vector<const float*>& rates, const float* T, const std::vector<const float*>& c, float* kelvin_per_second) {
    Controls controls(mechanism, {.heat = {"1500*r5"}, .expansion = {"0.4*r5 + 0.1*r3"}});
    react(controls.extents().network(), cells, dt, params);
    controls.evaluate<float>(Control::heat, {.count = n, .rates = rates, .temperature = T, .concentrations = c, .time = t}, kelvin_per_second);
}

void eroding_bodies_example(GridFlow& flow, const chem::Mechanism& mechanism, const field::Grid& room, std::vector<Substance>& substances, Ledger& ledger,
                            Warnings& warnings) {
    ErodingBodies eroding(flow, mechanism);
    eroding.expose(flow, room, substances);
    eroding.recede(flow, room, substances, ledger, warnings);
}

void opened_cells_example(GasState& gas, double time) {
    const OpenedCells opened(gas);
    gas.flow.place_bodies(time);
    opened.fill(gas);
}

void gas_example(const Shot& shot, const GasSetup& s) {
    using field::Frame;
    Gas gas(shot, {.gas = s.gas, .emitters = s.emitters, .chemistry = s.chemistry, .mechanism = s.mechanism});
    FrameStats stats = gas.advance(1.0 / 24);
    Frame frame = gas.show();
}

void shot_example() {
    Shot shot;
    shot.domain.resolution = 64;
    field::Domain domain = make_domain(shot.domain);
}

struct ExampleEmitter : Source {};
using config::Table;

void source_example(Table<ExampleEmitter>& table, const ExampleEmitter& emitter, const std::vector<geom::Placement>& placements, double time) {
    struct Emitter : Source { Curve<double> density{1.0}; };
    add_source_keys(table);
    flow::SourceShape where = source_shape(emitter, placements, time);
}

void ledger_example(double before, double after, double reacted) {
    Ledger ledger;
    ledger.record("density", "emitted", 0.2);
    ledger.record("S1", ledger_entry::hand_back_error, after - before - reacted);
    ledger.entries().at("density").at("emitted");
}

void combustion_example(std::vector<float>& T, std::vector<float>& fuel, std::vector<float>& flame, std::vector<float>& smoke, std::vector<float>& lit, double dt,
                        Ledger& ledger) {
    CombustionReport report = burn({.rate = 90, .activation_temperature = 3000, .radiation = 1e-10},
                                   {.temperature = T, .fuel = fuel, .flame = flame, .smoke = smoke, .lit = lit}, dt);
    ledger.record("fuel", "burnt", -report.fuel_burnt);
}

void biot_savart_example(simd::Float x, simd::Float y, simd::Float z, const PackedVorton& vorton, simd::Float sigma_squared) {
    InducedPack sum = {};
    add_vorton<true>(x, y, z, vorton, sigma_squared, sum);
}

void expansion_example(const Vec3f& offset, const Vec3f& strength, const simd::Float3& between, simd::Mask mask, simd::Float sigma_squared) {
    Moments<4> moments = {};
    add_source<4>(offset, strength, moments);
    LocalPacks<4> local = {};
    translate<4>(between, mask, sigma_squared, moments, local);
}

void particle_tree_example(const std::vector<Vec3f>& points) {
    const auto use = [](const Vec3f&) {};
    ParticleTree tree;
    tree.build(points, 32);
    for (const ParticleTree::Leaf& leaf : tree.leaves())
        for (int s = leaf.first; s < leaf.last; ++s) use(points[tree.order()[s]]);
}

void tree_velocity_example(const std::vector<Vec3f>& x, const std::vector<Vec3f>& gamma, double sigma, std::vector<Vec3f>& u, std::vector<VelocityGradient>& gradient,
                           const std::vector<Vec3f>& tracers, std::vector<Vec3f>& tracer_velocity) {
    TreeVelocity tree;
    tree.build({.position = x, .strength = gamma, .core_radius = sigma}, {.theta = 0.5});
    tree.at_vortons(u, gradient);
    tree.at(tracers, tracer_velocity);
    direct_velocity({.position = x, .strength = gamma, .core_radius = sigma}, tracers, tracer_velocity);
}

void vorton_dynamics_example(std::vector<Vec3f>& x, std::vector<Vec3f>& gamma, const std::vector<float>& volume, const std::vector<float>& T, double sigma, double spacing,
                             double dt, const std::vector<VelocityGradient>& gradient) {
    VortonDynamics dynamics({.core_radius = sigma, .reach = 3 * spacing, .viscosity = 1e-4, .lift = 0.0335});
    VortonRates rates;
    dynamics.find_rates({.position = x, .strength = gamma, .volume = volume, .temperature = T}, rates);
    dynamics.advance({.position = x, .strength = gamma, .volume = volume, .temperature = T}, dt);
    dynamics.relax(dt, gradient, gamma);
}

void check_example(const Shot& shot, const config::Node& root, std::size_t memory_limit, config::Problems& problems) {
    Check check{shot, root, memory_limit, problems};
    check_grid(check);
    check.fail("domain.resolution", "is too fine; expected 200 at most");
}

void grid_flow_example(const Shot& shot, double remaining, int done, Warnings& warnings, const flow::TileSet& tiles, const field::Grid* phi) {
    GridFlow flow(shot, {.gravity = {0, 0, -9.81}, .fluid_density = 1.2});
    const double dt = flow.choose_step(remaining, done, {}, warnings);
    if (flow.move_bodies(dt)) return;
    flow.advect_velocity(flow::Scheme::maccormack, flow::Trace::rk2, dt, tiles);
    flow.project(dt, phi, {.tolerance = 1e-4}, warnings);
    flow.finish_step(dt);
}

void heat_field_example(const chem::HeatContent& content, const std::vector<Substance>& substances, field::Grid& excess, field::Grid& heat) {
    temperature_to_heat(content, substances, excess, heat);
    long lost = heat_to_temperature(content, substances, heat, excess);
}

void influence_example(double r_sp, float d2, double d) {
    const Influence influence(r_sp);
    influence.shape(d2);
    1 / influence.volume;
    influence.share_inside(d);
}

void material_particles_example(const Vec3f& x, const std::vector<std::uint8_t>& dead) {
    MaterialParticles particles;
    particles.add({.position = x, .amount = 1e-3, .species = 2});
    remove_marked(dead, particles);
}

void needs_example(const chem::Network& network, const std::vector<double>& c) {
    const Needs needs = find_needs(network);
    if (something_reacts(needs, 1e-6, [&](int s) { return c[s]; })) return;
}

void open_share_example(double r_sp, const field::Domain& domain, const flow::Solids& solids, const Vec3f& position) {
    const OpenShare open;
    open(domain, &solids, position, r_sp);
}

void particle_kinetics_example(const Controls& controls, double r_sp, const std::vector<bool>& eulerian, int sweeps, const field::Domain& domain,
                               const field::Grid& excess, double time, double dt, const RandomKey& key, MaterialParticles& particles, Effects& effects) {
    ParticleKinetics kinetics(controls, {.radius = r_sp, .max_amount = 2e-4, .min_amount = 1e-7}, eulerian);
    for (int s = 0; s < sweeps; ++s) {
        kinetics.sweep({.domain = domain, .excess = &excess}, time, dt / sweeps, key, particles, effects);
    }
}

void particle_motion_example(const field::Domain& domain, const field::MacGrid& u, const flow::Walls& walls, const flow::Solids& solids, double dt,
                             MaterialParticles& particles, int s) {
    const MotionReport report = move({.domain = domain, .velocity = &u, .walls = walls, .solids = &solids}, {.response = 0.02}, dt, particles);
    report.left[s];
}

void seeding_example(const flow::Coverage& coverage, const field::Domain& domain, double mol, const flow::Solids* solids, const RandomKey& key,
                     MaterialParticles& particles) {
    Feeder feeder;
    feed(coverage, domain, {.species = 1, .amount = 1e-4}, mol, solids, key, feeder, particles);
}

void soot_example(const field::Domain& domain, field::Grid& before, const field::Grid& excess, std::vector<field::Grid*> densities,
                  const flow::TileSet& tiles, const RandomKey& key, const field::MacGrid& u, const flow::Solids* solids, double dt, SootParticles& soot) {
    remember(tiles, excess, before);
    form_soot({.threshold = 900, .life = 1.5, .radius = 0.01},
              {.domain = domain, .tiles = &tiles, .before = &before, .after = &excess, .ambient = 293, .visible = densities, .per_kelvin = 40, .amount = 1e-4},
              key, soot);
    drift(domain, u, solids, dt, soot);
    age(dt, soot);
}

void vortices_example(const Surroundings& gas, const MaterialParticles& material, const Effects& effects, double r_sp, const RandomKey& key,
                      const field::Domain& domain, double dt, const flow::Solids* solids, field::MacGrid& u, VortexParticles& vortices) {
    spawn({.radius = 0.06, .life = 0.5}, gas, material, effects, r_sp, key, vortices);
    drift(domain, u, solids, dt, vortices);
    stir({.radius = 0.06}, domain, dt, solids, vortices, u);
}


void composition_example(double chi, double lambda, double theta) {
    const double period = flicker_period(chi, lambda, theta);
}

void stochastic_example(double dt, const RandomKey& key, std::span<const std::uint32_t> id, const Columns3& noise, const Columns3& mean, std::span<const float> k,
                        std::span<const float> mean_omega, std::span<float> omega, const Columns3& velocity, double chi, std::span<float> composition) {
    draw_normals(key, id, noise);
    step_velocity(dt, {.mean = mean, .k = k, .omega = mean_omega, .normal = noise}, velocity);
    step_frequency(dt, key, id, mean_omega, omega);
    step_composition(dt, key, id, chi, composition);
}

void eddies_example(double dt, const Vec3d& origin, std::span<const float> x, std::span<const float> y, std::span<const float> z, std::span<float> u,
                    std::span<float> v, std::span<float> w) {
    Eddies eddies({.seed = 7, .size = 0.3});
    eddies.drift({0, 0, 1.5 * dt});
    eddies.add(origin, {x, y, z}, 0.4, {u, v, w});
}

void fuel_bed_example(const Torch& torch, const std::vector<geom::Body>& bodies, std::uint64_t seed, std::uint32_t word, double time) {
    const FuelBed bed(torch, bodies, seed);
    const FuelBed::Point& point = bed.point(word);
    Vec3d place = source_pose(torch, bodies, time).world_from_local(point.local);
}

void fire_particles_example(std::span<const int> dead) {
    FireParticles particles;
    remove_unordered(dead, particles);
}

void flame_axes_example(FlameAxes& axes, const FireParticles& particles, int brushes, double span, const Vec3f& start, std::uint32_t brush, float age, const Vec3f& place) {
    axes.find(particles, brushes, span, start);
    Vec3f away = axes.away(brush, age, place);
}

void flame_example(const Torch& torch, const TorchParams& shared, const std::vector<geom::Body>& bodies, const Air& air, double time, double dt) {
    Flame flame(torch, shared, bodies, {.seed = 1, .stream = 3});
    flame.feed(time, dt);
    flame.arrange();
    flame.draw_noise();
    flame.find_means();
    flame.move(air, time, dt);
    flame.burn(time, dt);
}

void puffs_example(Puffs& puffs, const Flame& flame, const Air& air, const Torch& torch, const TorchSmokeParams& params, double time, double dt, const RandomKey& key) {
    puffs.take(flame, params, time, key);
    puffs.move(air, torch, params, time, dt, key);
}

void torch_fire_example(const Shot& shot, const Torch& torch) {
    using field::Frame;
    TorchFire fire(shot, {.torch = {}, .torches = {torch}});
    FrameStats stats = fire.advance(1.0 / 30);
    Frame frame = fire.show();
}

void point_volumes_example(const Vec3f& x, field::Frame& frame) {
    VolumePoints points;
    points.add({.position = x, .volume = 1e-6, .flame = 0.8, .temperature = 1600, .smoke = 0});
    for (field::Volume& volume : point_volumes(points, {.cell = 0.02})) frame.volumes.push_back(std::move(volume));
}

void foresight_example(const chem::Network& network, const Controls& controls, int species, const double* concentrations, double temperature, double time,
                       std::span<const double> seconds) {
    Parcels parcels(network);
    parcels.add(species, [&](int s) { return concentrations[s]; }, temperature);
    std::vector<double> wanted = foresee_volume(controls, parcels, time, seconds, {.relative = 1e-3});
}

}  // namespace phlo::models
