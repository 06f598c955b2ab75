#include "models/liquid/whitewater.h"

#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "models/liquid/flight.h"

namespace phlo::models {
namespace {

constexpr int chunk = 1024;   ///< particles that one task moves

/// One of them during a step.
struct One {
    Vec3f position, velocity;
    float radius;
    WhiteKind kind;
};

/// With the surface: along the flow, then back onto the surface, by a cell at most.
void float_along(const LiquidAround& around, One& one) {
    const float dt = float(around.dt), most = float(around.domain.h);
    const Vec3f middle = one.position + around.velocity(one.position) * (0.5f * dt);
    one.position += around.velocity(middle) * dt;
    for (int n = 0; n < 2; ++n) one.position -= around.normal(one.position) * std::clamp(around.level(one.position), -most, most);
    one.velocity = around.velocity(one.position);
}

/// Towards the water's velocity and the rise, exactly for a flow that is the same all along the path.
void rise(const WhitewaterParams& params, const LiquidAround& around, One& one) {
    const double g = length(around.gravity);
    const float response = g > 0 ? float(params.rise / (2 * g)) : 0.0f, dt = float(around.dt);
    const Vec3f goal = around.velocity(one.position) + around.up() * float(params.rise);
    const float left = response > 0 ? std::exp(-dt / response) : 0.0f;
    const Vec3f difference = one.velocity - goal;
    one.position += goal * dt + difference * (response * (1 - left));
    one.velocity = goal + difference * left;
}

/// By where it is: spray that meets water is foam, or a bubble if it dives; bubbles that reach the surface are foam.
WhiteKind kind_of(const LiquidAround& around, const One& one) {
    const float phi = around.level(one.position), h = float(around.domain.h);
    if (one.kind == WhiteKind::spray && phi >= 0) return WhiteKind::spray;
    if (one.kind == WhiteKind::bubble && phi < -one.radius) return WhiteKind::bubble;
    return phi > h ? WhiteKind::spray : phi < -h ? WhiteKind::bubble : WhiteKind::foam;
}

enum class Fate : std::uint8_t { stays, dissolved, left };

}  // namespace

long Whitewater::count(WhiteKind wanted) const { return long(std::count(kind.begin(), kind.end(), wanted)); }

std::vector<char> save(const Whitewater& white) {
    particles::ColumnWriter out;
    particles::for_each_column(white, out);
    out(std::vector<std::uint64_t>{white.next_id});
    return out.take();
}

void load(std::span<const char> data, Whitewater& white) {
    particles::ColumnReader in(data);
    particles::read_columns(in, white);
    std::vector<std::uint64_t> next;
    in(next);
    if (next.size() != 1 || !in.at_end()) throw RunError("the whitewater in the checkpoint is of another program");
    white.next_id = next[0];
}

WhitewaterCounts move_whitewater(const WhitewaterParams& params, const LiquidAround& around, Whitewater& white) {
    const Flying flying{.gravity = around.gravity, .air_drag = params.air_drag};
    const float dt = float(around.dt);
    const int chunks = int((white.count() + chunk - 1) / chunk);
    std::vector<Fate> fate(white.count(), Fate::stays);
    parallel_for(chunks, [&](int c) {
        for (std::size_t n = std::size_t(c) * chunk; n < std::min(white.count(), (std::size_t(c) + 1) * chunk); ++n) {
            One one{white.position[n], white.velocity[n], white.radius[n], white.kind[n]};
            if (one.kind == WhiteKind::spray) fly(flying, around.dt, one.radius, one.position, one.velocity);
            else if (one.kind == WhiteKind::foam) float_along(around, one);
            else rise(params, around, one);
            const Met met = meet_solids(around, white.position[n], one.position, one.velocity);
            if (met == Met::open_wall) {
                fate[n] = Fate::left;
                continue;
            }
            white.age[n] += dt;
            if (one.kind == WhiteKind::foam || met == Met::solid) white.life[n] -= dt;
            if (!(white.life[n] > 0)) fate[n] = Fate::dissolved;
            white.position[n] = one.position, white.velocity[n] = one.velocity, white.kind[n] = kind_of(around, one);
        }
    });
    std::vector<std::uint8_t> gone(white.count());
    WhitewaterCounts counts;
    for (std::size_t n = 0; n < gone.size(); ++n) {
        gone[n] = fate[n] != Fate::stays;
        counts.dissolved += fate[n] == Fate::dissolved, counts.left += fate[n] == Fate::left;
    }
    particles::remove_marked(gone, white);
    return counts;
}

std::vector<field::Points> show_whitewater(const Whitewater& white) {
    std::vector<field::Points> sets;
    for (const auto& [kind, name] : {std::pair{WhiteKind::spray, "spray"}, {WhiteKind::foam, "foam"}, {WhiteKind::bubble, "bubbles"}}) {
        field::Points set{.name = name};
        std::vector<float> age, life;
        for (std::size_t n = 0; n < white.count(); ++n) {
            if (white.kind[n] != kind) continue;
            set.id.push_back(white.id[n]), set.position.push_back(white.position[n]), set.velocity.push_back(white.velocity[n]);
            // A point's matter goes with the cube of its radius: it fades evenly.
            set.radius.push_back(white.radius[n] * std::cbrt(white.life[n] / white.span[n]));
            age.push_back(white.age[n]), life.push_back(white.life[n]);
        }
        if (set.size() == 0) continue;
        set.columns = {{"age", std::move(age)}, {"life", std::move(life)}};
        sets.push_back(std::move(set));
    }
    return sets;
}

}  // namespace phlo::models
