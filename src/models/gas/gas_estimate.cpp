// What a gas will cost, before it runs.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "geom/sampled_solid.h"
#include "models/gas/gas_setup.h"
#include "models/gas/influence.h"

namespace phlo::models {
namespace {

constexpr double bytes_of_program = 40e6;
// Velocity twice, density, temperature, the pressure solver's grids and coarser levels, scratch: about 18 floats a cell, with their padding.
constexpr double bytes_per_cell = 82;
constexpr double bytes_per_cell_with_bodies = 40;   ///< more: distances, open parts of faces and cells, the bodies' velocity
constexpr double bytes_per_field = 4.4;             ///< and cell: ghosts and padding included
constexpr double bytes_per_particle = 60;
constexpr double bytes_of_a_batch = 131072 * 8;     ///< a species of the cells that react at a time

// Two cores, MacCormack transport, a third of the tiles active.
constexpr double seconds_per_cell = 8e-8;           ///< and sub-step
constexpr double seconds_per_field = 1e-8;          ///< more: and cell, species and sub-step
constexpr double seconds_of_real_kinetics = 3.6e-8; ///< and cell, sub-step and square of the species: a jet's flame fills a part of the box
constexpr double seconds_of_a_visit = 4e-6;         ///< of a particle, and sub-step

bool reacts(const GasSetup& setup) { return setup.mechanism && setup.gas.method != GasMethod::smoke; }

/// Scalar fields beside the one of plain smoke.
double extra_fields(const GasSetup& setup) {
    if (!reacts(setup)) return 0;
    const bool hybrid = setup.gas.method == GasMethod::hybrid;
    const double species = hybrid ? double(eulerian_species(setup.chemistry, *setup.mechanism).size()) : double(setup.mechanism->species.size());
    const bool given = !setup.chemistry.pressure && setup.chemistry.expansion_mode == ExpansionMode::direct;   // now, and in the middle of the step
    const int swells = setup.chemistry.pressure || !setup.chemistry.expansion.empty() ? 1 + given : 0;
    const bool sooty = hybrid && forms_soot(setup.chemistry.hybrid.soot);
    return species - 1 + swells + sooty;
}

double memory_per_cell(const Shot& shot, const GasSetup& setup) {
    return bytes_per_cell + (shot.bodies.empty() ? 0 : bytes_per_cell_with_bodies) + bytes_per_field * extra_fields(setup);
}

/// Of the lattices that hold what is left of bodies: distances, softness, and what redistancing needs.
double memory_of_erosion(const Shot& shot, double h) {
    constexpr double bytes_per_sample = 20;
    double samples = 0;
    for (const geom::Body& body : shot.bodies) {
        if (!body.erosion.any()) continue;
        const Vec3i n = geom::sampling_lattice(body.shape.bounds(), h / body.erosion.detail).cells;
        samples += double(n.x) * n.y * n.z;
    }
    return bytes_per_sample * samples;
}

/// Of the gas in the scene: what emitters and walls give it, or what heat makes of it on its way to the ceiling [m/s].
double fastest_gas(const Shot& shot, const GasSetup& setup) {
    const double ambient = setup.gas.ambient_temperature;
    double speed = 0, warmest = 0, swirls = 0;
    for (const Emitter& emitter : setup.emitters) {
        if (emitter.sets_velocity) speed = std::max(speed, length(emitter.velocity(0)));
        if (emitter.mode == EmitMode::start) swirls = std::max(swirls, emitter.turbulence.speed);   // what rises rises through them
        if (emitter.mode != EmitMode::add) warmest = std::max(warmest, emitter.temperature(0) - ambient);
    }
    for (const WallParams& wall : shot.domain.walls)
        if (wall.kind == WallKind::inflow) speed = std::max(speed, wall.velocity(0));
    for (const geom::Body& body : shot.bodies) speed = std::max(speed, length(body.motion.position.derivative(0)));
    if (reacts(setup) && setup.chemistry.pressure) warmest = std::max(warmest, 2000.0);
    else if (reacts(setup) && !setup.chemistry.heat.empty()) warmest = std::max(warmest, 1500.0);
    constexpr double kept = 0.7;   // mixing with cold gas takes the rest
    return std::max(speed, swirls + kept * std::sqrt(2 * std::fabs(setup.gas.temperature_lift(0)) * warmest * shot.domain.size.z));
}

/// Particles of the species that react: what emitters hold, or add in a second.
double material_particles(const GasSetup& setup, double h) {
    if (!reacts(setup) || setup.gas.method != GasMethod::hybrid) return 0;
    const MaterialParticleParams& p = setup.chemistry.hybrid.particles;
    const std::vector<int> fields = eulerian_species(setup.chemistry, *setup.mechanism);
    double strongest = 0, amount = 0;
    for (const Emitter& emitter : setup.emitters) {
        const Vec3d size = emitter.shape.bounds().size();
        const double volume = std::numbers::pi / 6 * size.x * size.y * size.z;   // a sphere's, of its box
        for (const Concentration& one : emitter.species) {
            if (std::ranges::count(fields, setup.mechanism->find(one.name))) continue;
            strongest = std::max(strongest, one.value(0) * (emitter.mode == EmitMode::add ? 0.1 : 1));
            amount += one.value(0) * volume * (1 - 0.5 * emitter.noise.amplitude);
        }
    }
    const double radius = p.radius.value_or(3 * h), each = p.amount.value_or(strongest * Influence(radius).volume / 20);
    return each > 0 ? std::min(amount / each, double(p.limit)) : 0;
}

}  // namespace

Estimate GasSetup::estimate(const Shot& shot) const {
    const field::Domain domain = make_domain(shot.domain);
    Estimate result;
    result.cells = domain.cells;
    result.cell_size = domain.h;
    const double cells = result.cell_count();
    result.particles = material_particles(*this, domain.h);
    const bool grid = reacts(*this) && gas.method == GasMethod::grid;
    const double species = reacts(*this) ? double(mechanism->species.size()) : 0;
    result.memory_bytes = bytes_of_program + memory_per_cell(shot, *this) * cells + bytes_per_particle * result.particles + memory_of_erosion(shot, domain.h) +
                          (grid ? std::min(bytes_of_a_batch, 8 * cells) * species : 0);
    result.frames = shot.time.last_frame - shot.time.first_frame + 1;
    const TimeParams& time = shot.time;
    result.substeps = std::clamp(fastest_gas(shot, *this) / (time.fps * domain.h * time.cfl), 1.0, double(time.max_substeps));
    if (time.fixed_step > 0) result.substeps = std::max(1.0, std::ceil(1 / (time.fps * time.fixed_step)));
    double per_cell = seconds_per_cell + seconds_per_field * extra_fields(*this);
    if (grid && chemistry.pressure) per_cell += seconds_of_real_kinetics * species * species;
    result.seconds = result.frames * result.substeps * (per_cell * cells + seconds_of_a_visit * result.particles);

    if (emitters.empty()) result.notes.push_back("emitters: there are none; no smoke will appear unless a wall blows it in");
    const auto note = [&](const std::string& text) {
        if (!text.empty()) result.notes.push_back(text);
    };
    for (const Emitter& emitter : emitters)
        note(thinness_note("emitters." + emitter.name, emitter.shape, domain.h, "it will look blocky or give little smoke"));
    for (const geom::Body& body : shot.bodies) note(thinness_note("bodies." + body.name, body.shape, domain.h, "gas may leak through it"));
    return result;
}

}  // namespace phlo::models
