#include "scene/estimate.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "models/gas/influence.h"

namespace phlo::scene {
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

using models::GasMethod;

bool reacts(const Scene& scene) { return scene.mechanism && scene.gas.method != GasMethod::smoke; }

/// Scalar fields beside the one of plain smoke.
double extra_fields(const Scene& scene) {
    if (!reacts(scene)) return 0;
    const bool hybrid = scene.gas.method == GasMethod::hybrid;
    const double species = hybrid ? double(models::eulerian_species(scene.chemistry, *scene.mechanism).size()) : double(scene.mechanism->species.size());
    const bool swells = scene.chemistry.pressure || !scene.chemistry.expansion.empty();
    const bool sooty = hybrid && scene.chemistry.hybrid.soot.per_kelvin > 0;
    return species - 1 + swells + sooty;
}

double memory_per_cell(const Scene& scene) {
    return bytes_per_cell + (scene.bodies.empty() ? 0 : bytes_per_cell_with_bodies) + bytes_per_field * extra_fields(scene);
}

/// Of the gas in the scene: what emitters and walls give it, or what heat makes of it on its way to the ceiling [m/s].
double fastest_gas(const Scene& scene) {
    const double ambient = scene.gas.ambient_temperature;
    double speed = 0, warmest = 0;
    for (const models::Emitter& emitter : scene.emitters) {
        if (emitter.sets_velocity) speed = std::max(speed, length(emitter.velocity(0)));
        if (emitter.mode != models::EmitMode::add) warmest = std::max(warmest, emitter.temperature(0) - ambient);
    }
    for (const models::Wall& wall : scene.domain.walls)
        if (wall.kind == models::WallKind::inflow) speed = std::max(speed, wall.velocity(0));
    for (const geom::Body& body : scene.bodies) speed = std::max(speed, length(body.motion.position.derivative(0)));
    if (reacts(scene) && scene.chemistry.pressure) warmest = std::max(warmest, 2000.0);
    else if (reacts(scene) && !scene.chemistry.heat.empty()) warmest = std::max(warmest, 1500.0);
    constexpr double kept = 0.7;   // mixing with cold gas takes the rest
    return std::max(speed, kept * std::sqrt(2 * std::fabs(scene.gas.temperature_lift(0)) * warmest * scene.domain.size.z));
}

/// Particles of the species that react: what emitters hold, or add in a second.
double material_particles(const Scene& scene, double h) {
    if (!reacts(scene) || scene.gas.method != GasMethod::hybrid) return 0;
    const models::MaterialParticleParams& p = scene.chemistry.hybrid.particles;
    const std::vector<int> fields = models::eulerian_species(scene.chemistry, *scene.mechanism);
    double strongest = 0, amount = 0;
    for (const models::Emitter& emitter : scene.emitters) {
        const Vec3d size = emitter.shape.bounds().size();
        const double volume = std::numbers::pi / 6 * size.x * size.y * size.z;   // a sphere's, of its box
        for (const models::Concentration& one : emitter.species) {
            if (std::ranges::count(fields, scene.mechanism->find(one.name))) continue;
            strongest = std::max(strongest, one.value(0) * (emitter.mode == models::EmitMode::add ? 0.1 : 1));
            amount += one.value(0) * volume * (1 - 0.5 * emitter.noise.amplitude);
        }
    }
    const double radius = p.radius.value_or(3 * h), each = p.amount.value_or(strongest * models::Influence(radius).volume / 20);
    return each > 0 ? std::min(amount / each, double(p.limit)) : 0;
}

}  // namespace

Estimate estimate(const Scene& scene) {
    const field::Domain domain = models::make_domain(scene.domain);
    Estimate result;
    result.cells = domain.cells;
    result.cell_count = double(domain.cells.x) * domain.cells.y * domain.cells.z;
    result.particles = material_particles(scene, domain.h);
    const bool grid = reacts(scene) && scene.gas.method == GasMethod::grid;
    const double species = reacts(scene) ? double(scene.mechanism->species.size()) : 0;
    result.memory_bytes = bytes_of_program + memory_per_cell(scene) * result.cell_count + bytes_per_particle * result.particles +
                          (grid ? std::min(bytes_of_a_batch, 8 * result.cell_count) * species : 0);
    result.frames = scene.time.last_frame - scene.time.first_frame + 1;
    const models::TimeParams& time = scene.time;
    result.substeps = std::clamp(fastest_gas(scene) / (time.fps * domain.h * time.cfl), 1.0, double(time.max_substeps));
    if (time.fixed_step > 0) result.substeps = std::max(1.0, std::ceil(1 / (time.fps * time.fixed_step)));
    double per_cell = seconds_per_cell + seconds_per_field * extra_fields(scene);
    if (grid && scene.chemistry.pressure) per_cell += seconds_of_real_kinetics * species * species;
    result.seconds = result.frames * result.substeps * (per_cell * result.cell_count + seconds_of_a_visit * result.particles);

    if (scene.emitters.empty()) result.notes.push_back("emitters: there are none; no smoke will appear unless a wall blows it in");
    for (const models::Emitter& emitter : scene.emitters) {
        const Vec3d size = emitter.shape.bounds().size();
        const double thinnest = std::min({size.x, size.y, size.z});
        if (thinnest < 2 * domain.h)
            result.notes.push_back(
                fmt::format("emitters.{}: {:.3g} m thick, under two cells of {:.3g} m; it will look blocky or give little smoke",
                            emitter.name, thinnest, domain.h));
    }
    for (const geom::Body& body : scene.bodies) {
        const Vec3d size = body.shape.bounds().size();
        const double thinnest = std::min({size.x, size.y, size.z});
        if (thinnest < 2 * domain.h)
            result.notes.push_back(fmt::format("bodies.{}: {:.3g} m thick, under two cells of {:.3g} m; gas may leak through it", body.name,
                                               thinnest, domain.h));
    }
    return result;
}

int largest_resolution(const Scene& scene, double bytes) {
    const double cells = std::max(0.0, bytes - bytes_of_program) / memory_per_cell(scene);
    constexpr double rounding = 0.99;  // sides are rounded to whole cells
    return std::max(1, int(rounding * scene.domain.resolution * std::cbrt(cells / estimate(scene).cell_count)));
}

std::size_t available_memory() {
    std::ifstream meminfo("/proc/meminfo");
    std::string word;
    while (meminfo >> word) {
        std::size_t kilobytes = 0;
        if (word == "MemAvailable:" && meminfo >> kilobytes) return kilobytes * 1024;
    }
    return std::numeric_limits<std::size_t>::max();
}

std::string size_text(double bytes) {
    if (bytes >= 1e12) return fmt::format("{:.1f} TB", bytes / 1e12);
    if (bytes >= 1e9) return fmt::format("{:.1f} GB", bytes / 1e9);
    return fmt::format("{:.0f} MB", bytes / 1e6);
}

}  // namespace phlo::scene
