// Emitters: what they do to the vortons inside, new vortons where the gas has carried theirs away, and tracers.
#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "geom/noise.h"
#include "models/vortex_fire/vortex_splat.h"
#include "models/vortex_fire/vortex_stages.h"

namespace phlo::models {
namespace {

constexpr int chunk = 1024;
constexpr std::uint32_t tracer_stream = 71;

/// An emitter's weight at a place, from its weights at the nodes around.
class WeightAt {
public:
    WeightAt(const VortexLattice& lattice, const flow::Coverage& coverage) : finder_(lattice), coverage_(coverage) {}

    float operator()(const Vec3f& place) const {
        const Vec3f at = finder_.nodes_from_world(place);
        const int i = int(std::floor(at.x)), j = int(std::floor(at.y)), k = int(std::floor(at.z));
        if (i + 1 < coverage_.first.x || j + 1 < coverage_.first.y || k + 1 < coverage_.first.z || i >= coverage_.last.x || j >= coverage_.last.y ||
            k >= coverage_.last.z)
            return 0;
        const float x = at.x - float(i), y = at.y - float(j), z = at.z - float(k);
        float sum = 0;
        for (int corner = 0; corner < 8; ++corner) {
            const int a = corner & 1, b = corner >> 1 & 1, c = corner >> 2;
            if (i + a < coverage_.first.x || j + b < coverage_.first.y || k + c < coverage_.first.z || i + a >= coverage_.last.x || j + b >= coverage_.last.y ||
                k + c >= coverage_.last.z)
                continue;
            sum += (a ? x : 1 - x) * (b ? y : 1 - y) * (c ? z : 1 - z) * coverage_(i + a, j + b, k + c);
        }
        return sum;
    }

private:
    NodeFinder finder_;
    const flow::Coverage& coverage_;
};

/// What an emitter gives now.
struct Given {
    EmitMode mode;
    float strength, fuel, smoke, excess_temperature;
};

Given given_by(const FireEmitter& emitter, const FireMatter& air, double time) {
    return {emitter.mode, float(emitter.strength(time)), float(emitter.fuel(time)), float(emitter.smoke(time)), float(emitter.temperature(time)) - air.temperature};
}

/// Towards `wanted` from where it is, never back.
float held(float value, float wanted) { return wanted >= 0 ? std::max(value, wanted) : std::min(value, wanted); }

/// Fuel and smoke take the place of air only: the fractions' sum stays within 1.
FireMatter emitted(const Given& given, float weight, const FireMatter& air, float dt, FireMatter m) {
    const float w = std::min(1.0f, weight * given.strength), excess = m.temperature - air.temperature;
    const auto room = [&] { return std::max(0.0f, 1 - m.fuel - m.flame - m.smoke); };
    if (given.mode == EmitMode::add) {
        const float rate = weight * given.strength * dt;
        m.smoke += std::min(room(), rate * given.smoke);
        m.fuel += std::min(room(), rate * given.fuel);
        m.temperature += rate * given.excess_temperature;
    } else {
        m.smoke += std::clamp(w * given.smoke - m.smoke, 0.0f, room());
        m.fuel += std::clamp(w * given.fuel - m.fuel, 0.0f, room());
        m.temperature = air.temperature + held(excess, w * given.excess_temperature);
    }
    m.temperature = std::max(m.temperature, 1.0f);
    return m;
}

bool acts(const FireEmitter& emitter, FireEmission emission) { return (emitter.mode == EmitMode::start) == (emission == FireEmission::starting); }

void set_matter(Vortons& vortons, std::size_t p, const FireMatter& m) {
    vortons.temperature[p] = m.temperature, vortons.fuel[p] = m.fuel, vortons.flame[p] = m.flame;
    vortons.smoke[p] = m.smoke, vortons.oxygen[p] = m.oxygen, vortons.lit[p] = m.lit;
}

/// What an emitter added [m^3, m^3, K m^3].
struct Added {
    double fuel = 0, smoke = 0, heat = 0;
    friend Added operator+(Added a, const Added& b) { return {a.fuel + b.fuel, a.smoke + b.smoke, a.heat + b.heat}; }
    void count(float volume, const FireMatter& before, const FireMatter& after) {
        fuel += double(volume * (after.fuel - before.fuel)), smoke += double(volume * (after.smoke - before.smoke));
        heat += double(volume * (after.temperature - before.temperature));
    }
};

void record(VortexState& fire, const Added& added) {
    fire.ledger.record("fuel", "emitted", added.fuel * fire.to_mass());
    fire.ledger.record("smoke", "emitted", added.smoke * fire.to_mass());
    fire.ledger.record("heat", "emitted", added.heat * fire.to_heat());
}

/// A random place inside the source and outside all bodies; none if 64 throws have not found one.
std::optional<Vec3f> place_inside(const flow::SourceShape& where, std::span<const geom::Placement> bodies, const RandomKey& key, std::uint32_t id) {
    const geom::Bounds box = where.shape->bounds().grown(where.grown);
    for (std::uint32_t turn = 0; turn < 64; ++turn) {
        const auto r = uniform4(key, id, turn);
        const Vec3d local = box.lower + box.size() * Vec3d(double(r[0]), double(r[1]), double(r[2]));
        if (where.shape->signed_distance(local) > where.grown) continue;
        const Vec3d p = where.pose.world_from_local(local);
        if (std::ranges::all_of(bodies, [&](const geom::Placement& placed) { return placed.signed_distance(p) > 0; })) return Vec3f(p);
    }
    return std::nullopt;
}

}  // namespace

void emit_fuel(VortexState& fire, double dt, FireEmission emission) {
    Vortons& vortons = fire.vortons;
    for (std::size_t e = 0; e < fire.coverage.size(); ++e) {
        const FireEmitter& emitter = fire.setup.emitters[e];
        if (!acts(emitter, emission)) continue;
        const Given given = given_by(emitter, fire.air, fire.clock.time);
        const WeightAt weight_at(fire.fields.lattice, fire.coverage[e]);
        const Added added = parallel_reduce((int(vortons.size()) + chunk - 1) / chunk, Added{}, [&](int c) {
            Added part;
            for (std::size_t p = std::size_t(c) * chunk; p < std::min(vortons.size(), (std::size_t(c) + 1) * chunk); ++p) {
                const float w = weight_at(vortons.position[p]);
                if (w == 0) continue;
                const FireMatter before = vortons.matter(p), after = emitted(given, w, fire.air, float(dt), before);
                set_matter(vortons, p, after);
                part.count(vortons.volume[p], before, after);
            }
            return part;
        }, [](const Added& a, const Added& b) { return a + b; });
        record(fire, added);
    }
}

void seed_vortons(VortexState& fire, FireEmission emission) {
    if (fire.closed()) return;   // they are everywhere, and there is no other air
    constexpr float thin = 0.5f, inside = 0.3f;   // share of a cell that vortons fill, and weight of an emitter
    const VortexLattice& lattice = fire.fields.lattice;
    const float volume = float(lattice.cell_volume());
    Added added;
    const auto seed = [&](int i, int j, int k, const FireMatter& matter) {
        float& cover = fire.fields.matter.node(i, j, k)[MatterChannel::volume];
        if (cover >= thin || fire.bodies.depth_below(i, j, k) < -1) return;
        if (fire.vortons.size() >= std::size_t(fire.params().max_vortons)) return;   // the next remeshing makes room
        const Vorton one{.position = lattice.node_position(i, j, k), .strength = {}, .volume = (1 - cover) * volume, .matter = matter};
        cover = 1;   // one only
        fire.fields.filled.include(i, j, k);
        append_vorton(fire.vortons, one);
        added.count(one.volume, fire.air, matter);
    };
    for (std::size_t e = 0; e < fire.coverage.size(); ++e) {
        const FireEmitter& emitter = fire.setup.emitters[e];
        if (!acts(emitter, emission)) continue;
        const Given given = given_by(emitter, fire.air, fire.clock.time);
        const flow::Coverage& c = fire.coverage[e];
        if (c.empty() || given.strength == 0) continue;
        for (int k = c.first.z; k < c.last.z; ++k)
            for (int j = c.first.y; j < c.last.y; ++j)
                for (int i = c.first.x; i < c.last.x; ++i)
                    if (c(i, j, k) > inside) seed(i, j, k, emitter.mode == EmitMode::add ? fire.air : emitted(given, c(i, j, k), fire.air, 0, fire.air));
    }
    for (std::size_t b = 0; b < fire.shot.bodies.size(); ++b)   // gas that hot and cold bodies can warm
        if (fire.shot.bodies[b].temperature && fire.shot.bodies[b].heat_transfer > 0 &&
            std::fabs(fire.bodies.temperature(b, fire.clock.time) - double(fire.air.temperature)) > 10)
            fire.bodies.each_node_beside(b, [&](int i, int j, int k) { seed(i, j, k, fire.air); });
    record(fire, added);
}

void seed_tracers(VortexState& fire, double dt) {
    const TracerParams& params = fire.params().tracers;
    double shares = 0;
    for (const FireEmitter& emitter : fire.setup.emitters)
        if (emitter.mode != EmitMode::start) shares += emitter.tracers * emitter.strength(fire.clock.time);
    if (!(shares > 0) || params.count == 0) return;
    VortexClock& clock = fire.clock;
    clock.owed += params.count / params.life * dt;
    const int due = int(clock.owed);
    clock.owed -= due;
    const RandomKey key{.seed = fire.shot.seed, .step = std::uint32_t(clock.steps), .stream = tracer_stream};
    const std::vector<geom::Placement> bodies = fire.bodies.placements(clock.time);
    std::vector<std::optional<Vec3f>> places(static_cast<std::size_t>(due));
    std::uint32_t first = 0;
    double share = 0;
    for (const FireEmitter& emitter : fire.setup.emitters) {
        if (emitter.mode == EmitMode::start) continue;
        share += emitter.tracers * emitter.strength(clock.time);
        const auto last = std::uint32_t(std::lround(due * share / shares));
        const flow::SourceShape where = source_shape(emitter, bodies, clock.time);
        parallel_for(int(last - first), [&](int n) { places[first + std::uint32_t(n)] = place_inside(where, bodies, key, first + std::uint32_t(n)); });
        first = last;
    }
    for (std::uint32_t n = 0; n < std::uint32_t(due); ++n) {
        if (!places[n]) continue;
        const auto r = uniform4(key, n, 1000);
        append_tracer(fire.tracers, {.position = *places[n], .life = float(params.life) * (0.5f + 0.5f * r[0]), .id = std::uint64_t(clock.born)}, fire.air);
        clock.born += 1;
    }
}

}  // namespace phlo::models
