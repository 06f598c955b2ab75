#include "models/liquid/surface_motion.h"

#include <array>
#include <cmath>

#include "base/parallel.h"
#include "flow/extend.h"
#include "flow/level_set.h"
#include "flow/reach.h"
#include "models/liquid/films.h"
#include "models/liquid/landing.h"
#include "models/liquid/mixing.h"
#include "models/liquid/particle_carriers.h"

namespace phlo::models {
namespace {

constexpr int layers_in_solids = 5;   ///< as deep as phi is a distance

/// Inside bodies phi goes on straight: no gap, and still water around a body stays flat.
void finish(LiquidState& liquid) {
    extend_into_solids(liquid.flow.solids(), layers_in_solids, float(liquid.h()), liquid.phi, liquid.march);
    field::extend_into_ghosts(liquid.phi, liquid.flow.layout().cells());
    count_films(liquid.flow.walls(), liquid.flow.solids(), liquid.setup.liquid.gravity(liquid.flow.time()), liquid.h(), liquid.phi, liquid.wet);
}

/// Inflow walls bring liquid, open ones air.
flow::Boundary beyond_walls(const LiquidState& liquid) {
    flow::Boundary boundary;
    for (std::size_t w = 0; w < 6; ++w) {
        const WallKind kind = liquid.flow.shot().domain.walls[w].kind;
        if (kind != WallKind::closed) boundary[w] = float(kind == WallKind::inflow ? -liquid.h() : liquid.h());
    }
    return boundary;
}

}  // namespace

double outflow(const LiquidState& liquid, int w, WallKind kind, const field::Grid* share) {
    if (liquid.flow.shot().domain.walls[std::size_t(w)].kind != kind) return 0;
    const Vec3i n = liquid.flow.layout().cells();
    const field::MacGrid& u = liquid.flow.velocity();
    const double h = liquid.h();
    const int axis = w / 2, upper = w % 2;
    Vec3i first, last = n;
    first[axis] = upper ? n[axis] - 1 : 0, last[axis] = first[axis] + 1;
    double sum = 0;
    for (int k = first.z; k < last.z; ++k)
        for (int j = first.y; j < last.y; ++j)
            for (int i = first.x; i < last.x; ++i) {
                const double depth = kind == WallKind::inflow ? 1.0 : std::clamp(0.5 - double(liquid.phi(i, j, k)) / h, 0.0, 1.0);
                if (depth == 0) continue;
                const float v = u[axis](i + (w == 1), j + (w == 3), k + (w == 5));
                const double out = double(upper ? v : -v);
                sum += depth * (share != nullptr ? double((*share)(i, j, k)) : 1.0) * (kind == WallKind::open ? std::max(0.0, out) : out);
            }
    return sum * h * h;
}

namespace {

void book_walls(LiquidState& liquid, double dt) {
    double left = 0, entered = 0;
    for (int w = 0; w < 6; ++w) left += outflow(liquid, w, WallKind::open) * dt, entered -= outflow(liquid, w, WallKind::inflow) * dt;
    liquid.book.left += left, liquid.book.poured += entered;
    if (left != 0) liquid.ledger.record("volume", "left", -left);
    if (entered != 0) liquid.ledger.record("volume", "poured", entered);
    book_walls_of_liquids(liquid, dt);
}

/// Liquid behind a wall that it did not pass goes. A body that moves more than a cell carries what it meets to where nothing was before.
void keep_behind_walls(LiquidState& liquid, const flow::BodyContacts& contacts, double dt) {
    if (!contacts.any() || contacts.reach() > 1) return;
    const field::Grid& before = liquid.flow.idle_grid(0);
    const flow::Reach reach{.dt = dt, .h = liquid.h(), .u = &liquid.flow.velocity()};
    remove_inside(liquid.phi.layout(), deny_unreached(reach, liquid.flow.solids(), before, liquid.phi), liquid.markers);
    remove_inside(liquid.phi.layout(), dry_skins(liquid.flow.solids(), liquid.phi), liquid.markers);
}

}  // namespace

void start_surface(LiquidState& liquid) {
    liquid.bodies_before = liquid.bodies_after = liquid.flow.placements();
    redistance({.h = liquid.h(), .band = distance_band}, liquid.phi, liquid.march);
    finish(liquid);
    start_particles(liquid);
    if (liquid.particles_make_surface()) {
        redistance({.h = liquid.h(), .band = distance_band}, liquid.phi, liquid.march);
        finish(liquid);
    }
    if (liquid.has_markers()) reseed(liquid.marker_params(), liquid.phi, liquid.markers);
}

void carry_surface(LiquidState& liquid, double dt) {
    const double h = liquid.h();
    book_walls(liquid, dt);
    const Unslowed unslowed(liquid);
    flow::Advection how = liquid.flow.scalar_advection(flow::Scheme::maccormack, flow::Trace::rk2, dt);
    how.solid_distance = nullptr;   // phi goes on inside bodies: paths need not end at them
    field::Grid& other = liquid.flow.idle_grid(0);
    const std::array<field::Grid*, 2> spare{&liquid.flow.idle_grid(1), &liquid.flow.idle_grid(2)};
    how.spare = spare;
    flow::TileSet band = flow::band_tiles(liquid.phi, distance_band * h);
    band.dilate(int(std::ceil(liquid.flow.fastest() * dt / h)));   // flat as it is there, what is beyond the band may come near
    advect_level_set(how, liquid.flow.edit_velocity(), liquid.phi, other, band, liquid.flow.workspace(), beyond_walls(liquid));
    std::swap(liquid.phi, other);   // what it was before: keep_behind_walls() asks for it
    if (liquid.has_particles()) carry_particles(liquid, dt);
    const flow::BodyContacts contacts = liquid.contacts();
    if (!liquid.has_markers()) {
        if (!liquid.particles_make_surface()) keep_behind_walls(liquid, contacts, dt);
        redistance({.h = h, .band = distance_band}, liquid.phi, liquid.march);
        finish(liquid);
        if (liquid.particles_make_surface()) pour_particles_at_walls(liquid);
        return;
    }
    const flow::MarkerParams params = liquid.marker_params();
    move_markers({.dt = dt, .h = h, .trace = flow::Trace::rk3, .contacts = &contacts, .solid_distance = liquid.solid_distance()}, liquid.flow.velocity(),
                 liquid.markers);
    drop_misled_markers(params, liquid.phi, liquid.markers);
    flow::CorrectScratch spheres{&liquid.flow.idle_grid(1), &liquid.flow.idle_grid(2)};
    correct(liquid.phi, liquid.markers, h, spheres);
    redistance({.h = h, .band = distance_band}, liquid.phi, liquid.march);
    correct(liquid.phi, liquid.markers, h, spheres);
    keep_behind_walls(liquid, contacts, dt);
    adjust_radii(params, liquid.phi, liquid.markers);
    if (++liquid.markers.steps % std::uint32_t(params.reseed_interval) == 0) reseed(params, liquid.phi, liquid.markers);
    finish(liquid);
}

void find_liquid_tiles(LiquidState& liquid, double dt) {
    const int reach = int(std::ceil(liquid.flow.fastest() * dt / liquid.h())) + 2;
    std::swap(liquid.tiles, liquid.old_tiles);
    liquid.tiles = flow::inside_tiles(liquid.phi);
    liquid.tiles.dilate(2 * reach);
}

}  // namespace phlo::models
