#include "scene/estimate.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include <fmt/format.h>

namespace phlo::scene {
namespace {

// Velocity, density and temperature twice, the pressure solver's grids and coarser levels, solids: about 25 floats a cell.
constexpr double bytes_per_cell = 100;
constexpr double bytes_of_program = 40e6;
// Two cores, MacCormack transport, one and a half sub-steps a frame.
constexpr double seconds_per_cell_and_frame = 1.2e-7;

}  // namespace

Estimate estimate(const Scene& scene) {
    const field::Domain domain = models::make_domain(scene.domain);
    Estimate result;
    result.cells = domain.cells;
    result.cell_count = double(domain.cells.x) * domain.cells.y * domain.cells.z;
    result.memory_bytes = bytes_of_program + bytes_per_cell * result.cell_count;
    result.frames = scene.time.last_frame - scene.time.first_frame + 1;
    result.seconds = seconds_per_cell_and_frame * result.cell_count * result.frames;

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
    const double cells = std::max(0.0, bytes - bytes_of_program) / bytes_per_cell;
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
