// What a liquid will cost, before it runs.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/liquid/viscosity_law.h"

namespace phlo::models {
namespace {

constexpr double bytes_of_program = 40e6;
// Velocity twice, level set twice, pressure, the solver's grids and coarser levels, scratch: about 20 floats a cell, with their padding.
constexpr double bytes_per_cell = 96;
constexpr double bytes_per_cell_with_bodies = 40;   ///< more: distances, open parts of faces and cells, the bodies' velocity
constexpr double bytes_per_viscous_cell = 104;      ///< more: the system of the friction
constexpr double bytes_per_cell_and_liquid = 5;     ///< of several, and of cold and hot: its share; and once more for their sum
constexpr double bytes_per_block_cell = 230;        ///< of an adaptive liquid's blocks, all told
constexpr double bytes_per_shown_cell = 24;         ///< of the finest cells, while a frame of it is made
constexpr double bytes_per_marker = 16;
constexpr double bytes_per_carrier = 140;           ///< a particle's columns, twice while they are sorted
constexpr double bytes_per_cell_with_carriers = 24;
// Two cores.
constexpr double seconds_per_liquid_cell = 2.5e-7;  ///< and sub-step
constexpr double seconds_per_viscous_cell = 4e-6;   ///< more, and sub-step: a hundred iterations
constexpr double seconds_per_cell = 2e-8;           ///< of the box, and sub-step
constexpr double seconds_per_marker = 4e-8;         ///< and sub-step
constexpr double seconds_per_carrier = 1.2e-7;      ///< and sub-step

struct Amount {
    double volume = 0, surface = 0;   ///< [m^3, m^2]
};

/// Of the liquid at the first frame, and of what is poured in a second, all of it inside the box.
Amount expected_amount(const Shot& shot, const LiquidSetup& setup) {
    const geom::Bounds box{shot.domain.origin, shot.domain.origin + shot.domain.size};
    Amount sum;
    for (const LiquidEmitter& emitter : setup.emitters) {
        if (emitter.mode == LiquidMode::drain) continue;
        const geom::Bounds local = emitter.shape.bounds(), world = emitter.motion.pose(0).world_from_local(local);
        const Vec3d all = world.size(), inside = max(min(world.upper, box.upper) - max(world.lower, box.lower), Vec3d());
        const double part = inside.x * inside.y * inside.z / std::max(1e-30, all.x * all.y * all.z);
        sum.volume += part * emitter.shape.volume();
        sum.surface += 2 * (inside.x * inside.y + inside.y * inside.z + inside.z * inside.x);
    }
    const Vec3d size = shot.domain.size;
    sum.volume = std::min(sum.volume, size.x * size.y * size.z);
    return sum;
}

/// Of what falls from the top of the box to its bottom, is poured, or blown in [m/s].
double fastest_liquid(const Shot& shot, const LiquidSetup& setup) {
    constexpr double kept = 0.6;
    double speed = kept * std::sqrt(2 * length(setup.liquid.gravity(0)) * std::max({shot.domain.size.x, shot.domain.size.y, shot.domain.size.z}));
    for (const LiquidEmitter& emitter : setup.emitters)
        if (emitter.mode == LiquidMode::pour) speed = std::max(speed, length(emitter.velocity(0)));
    for (const WallParams& wall : shot.domain.walls)
        if (wall.kind == WallKind::inflow) speed = std::max(speed, wall.velocity(0));
    for (const geom::Body& body : shot.bodies) speed = std::max(speed, length(body.motion.position.derivative(0)));
    return speed;
}

}  // namespace

Estimate LiquidSetup::estimate(const Shot& shot) const {
    const bool adaptive = liquid.adapt.mode != AdaptMode::none;
    const field::Domain box = make_domain(shot.domain);
    const AdaptGrid blocks = adaptive ? whole_blocks(box, liquid.adapt.levels) : AdaptGrid{};
    const field::Domain domain = adaptive ? blocks.domain : box;
    Estimate result;
    result.cells = domain.cells;
    result.cell_size = domain.h;
    const double cells = result.cell_count(), h = domain.h;
    const Amount amount = expected_amount(shot, *this);
    const double liquid_cells = amount.volume / (h * h * h), band_cells = 3 * amount.surface / (h * h);
    const double markers = liquid.surface == SurfaceTracking::particle_level_set ? 2 * liquid.markers.per_cell * band_cells : 0;
    const bool carried = liquid.surface == SurfaceTracking::particles || liquid.velocity == VelocityCarrier::apic;
    const double carriers = carried ? std::pow(liquid.particles.per_axis, 3) * std::min(liquid_cells, liquid.particles.band / 3 * band_cells) : 0;
    result.particles = markers + carriers;
    result.memory_bytes = bytes_of_program + (bytes_per_cell + (shot.bodies.empty() ? 0 : bytes_per_cell_with_bodies)) * cells +
                          (carried ? bytes_per_cell_with_carriers : 0) * cells + bytes_per_marker * markers + bytes_per_carrier * carriers;
    if (liquid.count() > 1) result.memory_bytes += bytes_per_cell_and_liquid * (liquid.count() + 1) * cells;
    if (liquid.heat.any()) result.memory_bytes += bytes_per_cell_and_liquid * 3 * cells;
    // Blocks along the surface are fine, half as many cells again are in coarser ones.
    const double block_cells = std::min(cells, 1.5 * amount.surface / (h * h) * (1 << blocks.levels));
    if (adaptive) result.memory_bytes = bytes_of_program + bytes_per_block_cell * block_cells + bytes_per_shown_cell * cells;
    result.frames = shot.time.last_frame - shot.time.first_frame + 1;
    const TimeParams& time = shot.time;
    const double fastest = fastest_liquid(shot, *this), frame = 1 / time.fps;
    const double step = std::min({time.cfl * h / std::max(1e-9, fastest), wave_step(length(liquid.gravity(0)), h), tension_step(liquid, h)});
    const bool viscous = feels_friction(ViscosityLaw(*this, temperature_span(shot, *this)).largest(), step, h);
    if (viscous) result.memory_bytes += bytes_per_viscous_cell * cells;
    result.substeps = time.fixed_step > 0 ? std::max(1.0, std::ceil(frame / time.fixed_step)) : std::clamp(frame / step, 1.0, double(time.max_substeps));
    result.seconds = result.frames * result.substeps *
                     (seconds_per_cell * cells + (seconds_per_liquid_cell + (viscous ? seconds_per_viscous_cell : 0)) * liquid_cells +
                      seconds_per_marker * markers + seconds_per_carrier * carriers);

    if (adaptive) result.seconds = result.frames * result.substeps * 4 * seconds_per_liquid_cell * block_cells;

    const auto note = [&](const std::string& text) {
        if (!text.empty()) result.notes.push_back(text);
    };
    if (liquid.tension > 0 && tension_step(liquid, h) < frame)
        note(fmt::format("liquid.tension: ripples on cells of {:.3g} m allow steps of {:.3g} s: {:.0f} sub-steps a frame", h, tension_step(liquid, h),
                         std::ceil(frame / tension_step(liquid, h))));
    if (domain.cells != box.cells)
        note(fmt::format("liquid.adapt: cells come in blocks of {}: the box is {:.4g} x {:.4g} x {:.4g} m, not {:.4g} x {:.4g} x {:.4g} m", 1 << blocks.levels, domain.size().x, domain.size().y,
                         domain.size().z, box.size().x, box.size().y, box.size().z));
    if (adaptive && blocks.levels < liquid.adapt.levels)
        note(fmt::format("liquid.adapt.levels: the box is small, so there are {} levels and not {}", blocks.levels, liquid.adapt.levels));
    note(whitewater_note(liquid.whitewater, domain));
    for (const LiquidEmitter& emitter : emitters)
        note(thinness_note("emitters." + emitter.name, emitter.shape, h, "little liquid will come of it"));
    return result;
}

}  // namespace phlo::models
