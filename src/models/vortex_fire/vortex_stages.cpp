#include "models/vortex_fire/vortex_stages.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "geom/noise.h"
#include "models/vortex_fire/follow_box.h"
#include "models/vortex_fire/tracers.h"
#include "models/vortex_fire/vortex_splat.h"
#include "models/vortex_fire/vorticity_rates.h"
#include "particles/columns.h"

namespace phlo::models {
namespace {

constexpr int chunk = 1024;
constexpr float skin_cells = 1.5f;     ///< vortons may be this deep in a body, where the vorticity that it sheds begins
constexpr int seam_cells = 8;          ///< within which the fire fades towards the edge of where it may be

field::Bounds vorton_bounds(const Vortons& vortons) {
    return parallel_reduce((int(vortons.size()) + chunk - 1) / chunk, field::Bounds{}, [&](int c) {
        field::Bounds part;
        for (std::size_t p = std::size_t(c) * chunk; p < std::min(vortons.size(), (std::size_t(c) + 1) * chunk); ++p) part.include(Vec3d(vortons.position[p]));
        return part;
    }, [](field::Bounds a, const field::Bounds& b) {
        a.include(b);
        return a;
    });
}

field::Bounds source_bounds(const VortexState& fire) {
    field::Bounds all;
    const std::vector<geom::Placement> bodies = fire.bodies.placements(fire.clock.time);
    for (const FireEmitter& emitter : fire.setup.emitters) {
        const flow::SourceShape where = source_shape(emitter, bodies, fire.clock.time);
        all.include(where.pose.world_from_local(where.shape->bounds()).grown(where.grown));
    }
    return all;
}

/// Matter that goes: fuel, flame and smoke [m^3], heat [K m^3].
using GoneMatter = std::array<double, 4>;

GoneMatter operator+(GoneMatter a, const GoneMatter& b) {
    for (std::size_t n = 0; n < a.size(); ++n) a[n] += b[n];
    return a;
}

void record_left(VortexState& fire, const GoneMatter& left) {
    fire.ledger.record("fuel", "left", -left[0] * fire.to_mass()), fire.ledger.record("flame", "left", -left[1] * fire.to_mass());
    fire.ledger.record("smoke", "left", -left[2] * fire.to_mass()), fire.ledger.record("heat", "left", -left[3] * fire.to_heat());
}

/// Vortons that lie outside the box are let go: their strengths and amounts are told, not handed over.
void let_go_outside(VortexState& fire) {
    if (fire.closed()) return;
    const NodeFinder finder(fire.fields.lattice);
    Vortons& v = fire.vortons;
    std::vector<std::uint8_t> gone(v.size());
    const GoneMatter left = parallel_reduce((int(v.size()) + chunk - 1) / chunk, GoneMatter{}, [&](int c) {
        GoneMatter sum{};
        for (std::size_t p = std::size_t(c) * chunk; p < std::min(v.size(), (std::size_t(c) + 1) * chunk); ++p) {
            gone[p] = !finder.near(v.position[p], -2.0f);
            if (gone[p]) sum = sum + GoneMatter{double(v.volume[p] * v.fuel[p]), double(v.volume[p] * v.flame[p]), double(v.volume[p] * v.smoke[p]),
                                            double(v.volume[p] * (v.temperature[p] - fire.air.temperature))};
        }
        return sum;
    }, [](const GoneMatter& a, const GoneMatter& b) { return a + b; });
    if (left != GoneMatter{}) record_left(fire, left);
    particles::remove_marked(gone, v);
}

/// In the box that follows the fire as far as it may go, what comes near its edge fades, so that nothing is cut off. Its matter counts as having left.
void fade_at_edge(VortexState& fire, double dt) {
    if (fire.closed()) return;
    const VortexLattice& lattice = fire.fields.lattice;
    const field::Bounds box = fire.params().box.bounds(), now = lattice.domain().bounds();
    const bool full = double(lattice.cells.x) * lattice.cells.y * lattice.cells.z > 0.8 * fire.params().max_cells;
    if (!full && box.empty()) return;
    const NodeFinder finder(lattice);
    Vec3f first(-1e6f), last(1e6f);   // sides at which the lattice could not go on, in nodes
    for (int axis = 0; axis < 3; ++axis) {
        if (full || now.lower[axis] <= box.lower[axis]) first[axis] = 0;
        if (full || now.upper[axis] >= box.upper[axis]) last[axis] = float(lattice.cells[axis] - 1);
    }
    const auto rate = float(10 * dt);
    Vortons& v = fire.vortons;
    record_left(fire, parallel_reduce((int(v.size()) + chunk - 1) / chunk, GoneMatter{}, [&](int c) {
        GoneMatter sum{};
        for (std::size_t p = std::size_t(c) * chunk; p < std::min(v.size(), (std::size_t(c) + 1) * chunk); ++p) {
            const Vec3f at = finder.nodes_from_world(v.position[p]);
            const float room = std::min({at.x - first.x, at.y - first.y, at.z - first.z, last.x - at.x, last.y - at.y, last.z - at.z});
            if (room >= seam_cells) continue;
            const float kept = std::exp(-rate * (1 - room / seam_cells));
            v.strength[p] *= kept;
            std::size_t n = 0;
            for (float* fraction : {&v.fuel[p], &v.flame[p], &v.smoke[p]}) {
                const float before = std::exchange(*fraction, *fraction * kept);
                sum[n++] += double(v.volume[p] * (before - *fraction));
            }
            const float before = std::exchange(v.temperature[p], fire.air.temperature + (v.temperature[p] - fire.air.temperature) * kept);
            sum[n] += double(v.volume[p] * (before - v.temperature[p]));
        }
        return sum;
    }, [](const GoneMatter& a, const GoneMatter& b) { return a + b; }));
}

void mirror_ghosts(NodeValues<4>& vorticity, NodeValues<8>& matter) {
    const Vec3i n = vorticity.cells();
    for (int axis = 0; axis < 3; ++axis) {
        const int a = (axis + 1) % 3, b = (axis + 2) % 3;
        for (int q = -1; q <= n[b]; ++q)
            for (int r = -1; r <= n[a]; ++r)
                for (const bool high : {false, true}) {
                    Vec3i from, to;
                    from[a] = to[a] = r, from[b] = to[b] = q, from[axis] = high ? n[axis] - 1 : 0, to[axis] = high ? n[axis] : -1;
                    const float* w = vorticity.node(from.x, from.y, from.z);
                    float* w_to = vorticity.node(to.x, to.y, to.z);
                    for (int c = 0; c < 3; ++c) w_to[c] = c == axis ? w[c] : -w[c];
                    std::copy_n(matter.node(from.x, from.y, from.z), 8, matter.node(to.x, to.y, to.z));
                }
    }
}

void push_by_emitters(VortexState& fire, double dt) {
    VortexFields& fields = fire.fields;
    const double time = fire.clock.time;
    for (std::size_t e = 0; e < fire.coverage.size(); ++e) {
        const FireEmitter& emitter = fire.setup.emitters[e];
        const flow::Coverage& cover = fire.coverage[e];
        const double stir = emitter.stir(time) * emitter.strength(time);
        if (emitter.mode == EmitMode::start || cover.empty() || (!emitter.velocity && stir == 0)) continue;
        const Vec3f wanted = emitter.velocity ? Vec3f((*emitter.velocity)(time)) : Vec3f();
        const auto seed = std::uint32_t(emitter.noise.seed);
        const geom::Noise noise[3] = {{seed + 101, 2}, {seed + 102, 2}, {seed + 103, 2}};
        const float strength = float(emitter.strength(time)), kick = float(stir * dt), at_time = float(time * emitter.noise.speed), per_scale = float(1 / emitter.noise.scale);
        parallel_for(cover.last.z - cover.first.z, [&](int plane) {
            const int k = cover.first.z + plane, width = cover.last.x - cover.first.x;
            std::array<std::vector<float>, 3> swirl;
            for (std::vector<float>& row : swirl) row.resize(std::size_t(width));
            for (int j = cover.first.y; j < cover.last.y; ++j) {
                int first = cover.first.x, last = cover.last.x;
                while (first < last && cover(first, j, k) == 0) ++first;
                while (first < last && cover(last - 1, j, k) == 0) --last;
                if (first == last) continue;
                const Vec3f p = fields.lattice.node_position(first, j, k) * per_scale;
                for (std::size_t c = 0; c < 3 && kick > 0; ++c) noise[c].row(p.x, float(fields.lattice.h) * per_scale, p.y, p.z, at_time, {swirl[c].data(), std::size_t(last - first)});
                for (int i = first; i < last; ++i) {
                    const float w = cover(i, j, k) * strength;
                    if (w == 0) continue;
                    float *u = fields.velocity.node(i, j, k), *push = fields.push.node(i, j, k);
                    fields.pushed.include(i, j, k);
                    for (int c = 0; c < 3; ++c) {
                        float change = emitter.velocity ? std::min(w, 1.0f) * (wanted[c] - u[c]) : 0.0f;
                        if (kick > 0) change += w * kick * swirl[std::size_t(c)][std::size_t(i - first)];
                        push[c] += change, u[c] += change;
                    }
                }
            }
        });
    }
}

/// So many vortons may stay that with those that come until the next remeshing, if they come as they did since the last one, and those of one step more,
/// there are never too many. In between, those of the next step.
int room_for_vortons(const VortexState& fire) {
    const VortexClock& clock = fire.clock;
    const double most = fire.params().max_vortons;
    if (fire.closed()) return int(most);   // one at every node
    const double each_step = std::max(0.0, double(fire.vortons.size()) - clock.vortons_kept) / std::max(1.0, clock.steps_since);
    const bool due = long(clock.steps) % fire.params().remesh == 0 || double(fire.vortons.size()) + each_step > most;
    return int(due ? std::max(0.5 * most, most - each_step * (fire.params().remesh + 1)) : most);
}

std::size_t free_vortons(const VortexState& fire) {
    const auto most = std::size_t(fire.params().max_vortons);
    return most - std::min(most, fire.vortons.size());
}

/// Particles that went through a closed wall come back as from a mirror.
void keep_in_box(const field::Bounds& box, std::span<Vec3f> points) {
    const Vec3f lower(box.lower), upper(box.upper);
    parallel_for((int(points.size()) + chunk - 1) / chunk, [&](int c) {
        for (std::size_t p = std::size_t(c) * chunk; p < std::min(points.size(), (std::size_t(c) + 1) * chunk); ++p)
            for (int axis = 0; axis < 3; ++axis) {
                float& x = points[p][axis];
                if (x < lower[axis]) x = 2 * lower[axis] - x;
                if (x > upper[axis]) x = 2 * upper[axis] - x;
                x = std::clamp(x, lower[axis], upper[axis]);
            }
    });
}

}  // namespace

void follow_fire(VortexState& fire) {
    VortexFields& fields = fire.fields;
    if (fire.closed()) {
        fields.lattice = closed_lattice(fire.params().box.bounds(), fire.params().spacing);
    } else {
        const field::Bounds sources = source_bounds(fire);
        FollowParams follow_params{.needed = vorton_bounds(fire.vortons), .limits = fire.params().box.bounds(), .anchor = {}, .max_cells = fire.params().max_cells};
        follow_params.needed.include(sources);
        if (fire.bodies.any()) follow_params.needed.include(fire.bodies.bounds(fire.clock.time));
        if (follow_params.needed.empty()) follow_params.needed = {Vec3d(-fire.params().spacing), Vec3d(fire.params().spacing)};
        follow_params.anchor = sources.empty() ? follow_params.needed.center() : sources.center();
        fields.lattice = follow(fields.lattice, fire.params().spacing, follow_params);
    }
    let_go_outside(fire);
    fire.bodies.put_on(fields.lattice, fire.clock.time);
    const std::vector<geom::Placement> bodies = fire.bodies.placements(fire.clock.time);
    for (std::size_t e = 0; e < fire.coverage.size(); ++e)
        cover(fields.lattice.domain(), source_shape(fire.setup.emitters[e], bodies, fire.clock.time), fire.clock.time, nullptr, fire.coverage[e]);
}

void put_on_lattice(VortexState& fire) {
    VortexFields& fields = fire.fields;
    splat_vortons(fields.lattice, fire.vortons, fire.air, fields.filled, fields.vorticity, fields.matter);
    if (fire.closed()) fold_ghosts(fields.vorticity, fields.matter), fields.filled.fill();
    ++fire.clock.steps_since;
    const int room = room_for_vortons(fire);
    if (long(fire.clock.steps) % fire.params().remesh == 0 || room < int(fire.vortons.size())) {
        const RemeshReport gone = remesh(fields.lattice, {.quiet = fire.params().quiet, .max_vortons = room, .fill = fire.closed()}, fire.air, fields.filled,
                                         fields.vorticity, fields.matter, fire.vortons);
        fire.clock.vortons_kept = double(fire.vortons.size()), fire.clock.steps_since = 0;
        fire.ledger.record("fuel", "let go", -gone.fuel * fire.to_mass()), fire.ledger.record("flame", "let go", -gone.flame * fire.to_mass());
        fire.ledger.record("smoke", "let go", -gone.smoke * fire.to_mass()), fire.ledger.record("heat", "let go", -gone.heat * fire.to_heat());
    }
    normalise_matter(fire.closed() ? closed_share : full_share, fields.filled, fields.matter);
    if (fire.closed()) mirror_ghosts(fields.vorticity, fields.matter);
}

void find_velocity(VortexState& fire) {
    if (fire.params().velocity == VortexVelocity::tree) return find_velocity_by_tree(fire);
    VortexFields& fields = fire.fields;
    fire.solver.fit(fields.lattice, fire.closed() ? LatticeVelocity::Edge::closed : LatticeVelocity::Edge::far);
    fire.solved = fire.solver.solve(fields.vorticity, fields.filled, fire.params().tolerance);
    fields.velocity.resize(fields.lattice);
    fire.clock.fastest = double(set_velocity(fire.solver.components(), fields.velocity));
}

void push_gas(VortexState& fire, double dt) {
    VortexFields& fields = fire.fields;
    if (!fields.push.resize(fields.lattice)) clear_rows(fields.pushed, fields.push);
    fields.pushed.fit(fields.lattice);
    push_by_emitters(fire, dt);
    fire.bodies.push(dt, fields.velocity, fields.push, fields.pushed);
}

void change_vorticity(VortexState& fire, double dt) {
    VortexFields& fields = fire.fields;
    const VortexFireParams& params = fire.params();
    fields.rates.resize(fields.lattice);
    fire.clock.strongest = double(add_lengths(fields.filled, fields.vorticity));
    const bool tree = params.velocity == VortexVelocity::tree;
    const NodeRows busy = busy_rows(fields.filled, fields.pushed);
    find_vorticity_rates(fields.lattice, {.viscosity = params.viscosity, .lift = params.lift, .eddies = params.eddies, .cleaning = params.cleaning, .only_forces = tree},
                         {.vorticity = fields.vorticity, .velocity = fields.velocity, .matter = fields.matter, .push = &fields.push}, busy, dt, fields.rates);
    // New vortons bring clean air, of which a closed box has no more.
    const double threshold = fire.closed() ? std::numeric_limits<double>::infinity() : params.quiet * fire.clock.strongest + 1e-6;
    const bool known = fire.clock.step_before > 0 && fire.clock.steps_since > 0 && !tree;   // new vortons know no rate of before
    share_rates(fields.lattice, {.dt = dt, .ratio = known ? dt / fire.clock.step_before : 0, .threshold = threshold, .max_born = free_vortons(fire)}, fire.air, fields.matter,
                busy, fields.rates, fire.vortons);
    fade_at_edge(fire, dt);
}

void sort_tracers(VortexState& fire) {
    constexpr long period = 8;   // steps; by then neighbours have parted, and some are gone
    if (long(fire.clock.steps) % period == 0) arrange_tracers(fire.fields.lattice, fire.tracers);
}

void move_particles(VortexState& fire, double dt) {
    VortexFields& fields = fire.fields;
    const double ratio = fire.clock.step_before > 0 ? dt / fire.clock.step_before : 0;
    if (fire.params().velocity == VortexVelocity::tree) {
        move_by_tree(fire, dt, ratio);
    } else {
        move_vortons({fields.lattice, fields.velocity, fields.lattice_before, fields.before, ratio}, dt, fire.vortons);
        move_tracers(fields.lattice, {fields.velocity, fire.shown ? &fields.matter : nullptr}, fire.air, dt, ratio, {}, fire.tracers);
    }
    if (fire.closed()) {
        const field::Bounds box = fields.lattice.domain().bounds();
        keep_in_box(box, fire.vortons.position), keep_in_box(box, fire.tracers.position);
    }
    std::swap(fields.velocity, fields.before);
    fields.lattice_before = fields.lattice;
}

void move_immersed_bodies(VortexState& fire, double dt) {
    if (!fire.bodies.any()) return;
    const HeatExchange heat = fire.bodies.exchange_heat(fire.fields.lattice, fire.air, fire.clock.time, dt, fire.vortons);
    fire.ledger.record("heat", "to bodies", -heat.from_gas);
    fire.bodies.move(fire.clock.time, dt);
    fire.bodies.keep_outside(fire.clock.time + dt, double(skin_cells) * fire.params().spacing, fire.vortons.position);
    fire.bodies.keep_outside(fire.clock.time + dt, 0, fire.tracers.position);
}

void burn_fuel(VortexState& fire, double dt) {
    Vortons& vortons = fire.vortons;
    std::vector<float> mass(vortons.size());
    for (std::size_t p = 0; p < mass.size(); ++p) mass[p] = vortons.volume[p] * float(fire.to_mass());
    CombustionColumns columns{.temperature = vortons.temperature, .fuel = vortons.fuel, .flame = vortons.flame, .smoke = vortons.smoke, .oxygen = {},
                              .lit = vortons.lit, .mass = mass};
    if (fire.params().finite_oxygen) columns.oxygen = vortons.oxygen;
    const CombustionReport report = burn(fire.params().combustion, columns, dt);
    fire.ledger.record("fuel", "burnt", -report.fuel_burnt);
    fire.ledger.record("flame", "made", report.fuel_burnt), fire.ledger.record("flame", "cooled", -report.smoke_made);
    fire.ledger.record("smoke", "made", report.smoke_made);
    fire.ledger.record("heat", "released", report.heat_released), fire.ledger.record("heat", "radiated", -report.heat_radiated);
}

void take_fire_stock(VortexState& fire, const char* entry) {
    const Vortons& v = fire.vortons;
    struct Stock {
        double fuel = 0, flame = 0, smoke = 0, heat = 0;
    };
    const Stock sum = parallel_reduce((int(v.size()) + chunk - 1) / chunk, Stock{}, [&](int c) {
        Stock s;
        for (std::size_t p = std::size_t(c) * chunk; p < std::min(v.size(), (std::size_t(c) + 1) * chunk); ++p) {
            const auto volume = double(v.volume[p]);
            s.fuel += volume * double(v.fuel[p]), s.flame += volume * double(v.flame[p]), s.smoke += volume * double(v.smoke[p]);
            s.heat += volume * double(v.temperature[p] - fire.air.temperature);
        }
        return s;
    }, [](Stock a, const Stock& b) { return Stock{a.fuel + b.fuel, a.flame + b.flame, a.smoke + b.smoke, a.heat + b.heat}; });
    fire.ledger.record("fuel", entry, sum.fuel * fire.to_mass()), fire.ledger.record("flame", entry, sum.flame * fire.to_mass());
    fire.ledger.record("smoke", entry, sum.smoke * fire.to_mass()), fire.ledger.record("heat", entry, sum.heat * fire.to_heat());
}

}  // namespace phlo::models
