// What a vortex fire will cost, before it runs.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/vortex_fire/follow_box.h"
#include "models/vortex_fire/vortex_setup.h"

namespace phlo::models {
namespace {

constexpr double bytes_of_program = 40e6;
constexpr double bytes_per_cell = 5 * 16 + 2 * 32 + 16 + 40;   ///< vectors and matter at the nodes, and the solver's levels
constexpr double bytes_per_vorton = 2 * 64, bytes_per_tracer = 72 + 60;   ///< in the model, and in a frame
// Two cores.
constexpr double seconds_per_cell = 4.5e-8, seconds_per_vorton = 6e-8, seconds_per_tracer = 8e-9, seconds_per_pair = 4e-10;

Vec3i cells_of(const VortexFireParams& vortex) {
    if (vortex.box.closed && !vortex.box.bounds().empty()) return closed_lattice(vortex.box.bounds(), vortex.spacing).cells;
    const int side = int(std::cbrt(vortex.max_cells));   // the box that follows the fire, when it is as large as it may be
    return {side, side, side};
}

}  // namespace

Estimate VortexSetup::estimate(const Shot& shot) const {
    Estimate result;
    result.cells = cells_of(vortex);
    result.cell_size = vortex.spacing;
    const double cells = result.cell_count(), vortons = vortex.box.closed ? cells : std::min(double(vortex.max_vortons), 0.3 * cells);
    result.particles = vortons + vortex.tracers.count;
    result.memory_bytes = bytes_of_program + bytes_per_cell * cells + bytes_per_vorton * vortons + bytes_per_tracer * vortex.tracers.count;
    const TimeParams& time = shot.time;
    result.frames = time.last_frame - time.first_frame + 1;
    double hottest = 0;
    for (const FireEmitter& emitter : emitters)
        hottest = std::max(hottest, emitter.temperature(0) - vortex.combustion.ambient_temperature +
                                        emitter.fuel(0) * vortex.combustion.heat_of_combustion / vortex.combustion.heat_capacity);
    constexpr double flame_height = 1, kept = 0.5;   // [m]; mixing with cold air takes the rest of the speed
    const double speed = kept * std::sqrt(2 * std::fabs(vortex.lift) * hottest * flame_height);
    result.substeps = std::clamp(speed / (time.fps * vortex.spacing * time.cfl), 1.0, double(time.max_substeps));
    if (time.fixed_step > 0) result.substeps = std::max(1.0, std::ceil(1 / (time.fps * time.fixed_step)));
    const bool tree = vortex.velocity == VortexVelocity::tree;
    const double targets = vortons + (tree ? vortex.tracers.count : 0);
    result.seconds = result.frames * result.substeps * (seconds_per_cell * cells + seconds_per_vorton * vortons + seconds_per_tracer * vortex.tracers.count +
                                                        (tree ? seconds_per_pair * targets * 300 * std::log2(vortons + 2) : 0));
    if (emitters.empty()) result.notes.push_back("emitters: there are none; nothing will burn");
    for (const FireEmitter& emitter : emitters)
        if (emitter.has_shape) {
            const std::string note = thinness_note("emitters." + emitter.name, emitter.shape, vortex.spacing, "it will give little fire; expected a smaller vortex.spacing");
            if (!note.empty()) result.notes.push_back(note);
        } else if (emitter.thickness < vortex.spacing) {
            result.notes.push_back(fmt::format("emitters.{}: its layer of {:.3g} m is thinner than vortex.spacing of {:.3g} m; it will give little fire", emitter.name,
                                               emitter.thickness, vortex.spacing));
        }
    for (const geom::Body& body : shot.bodies) {
        const std::string note = thinness_note("bodies." + body.name, body.shape, vortex.spacing, "gas may leak through it");
        if (!note.empty()) result.notes.push_back(note);
    }
    return result;
}

}  // namespace phlo::models
