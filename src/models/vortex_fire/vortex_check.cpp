// Whether what a scene says of a vortex fire fits together.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/vortex_fire/follow_box.h"
#include "models/vortex_fire/vortex_setup.h"

namespace phlo::models {
namespace {

bool overlap(const field::Bounds& a, const field::Bounds& b) {
    for (int axis = 0; axis < 3; ++axis)
        if (a.upper[axis] <= b.lower[axis] || a.lower[axis] >= b.upper[axis]) return false;
    return true;
}

void check_box(const VortexSetup& setup, const Check& check) {
    const FireBoxParams& box = setup.vortex.box;
    if (box.lower.has_value() != box.upper.has_value())
        return check.fail(box.lower ? "vortex.box.lower" : "vortex.box.upper", "one corner makes no box; expected 'lower' and 'upper'");
    if (box.closed && !box.lower) return check.fail("vortex.box.closed", "a closed box needs its corners; expected 'lower' and 'upper'");
    if (!box.lower) return;
    for (int axis = 0; axis < 3; ++axis)
        if (!((*box.upper)[axis] - (*box.lower)[axis] >= 8 * setup.vortex.spacing))
            return check.fail("vortex.box.upper", fmt::format("the box is {:.3g} m wide along {}; expected at least 8 times vortex.spacing, {:.3g} m",
                                                              (*box.upper)[axis] - (*box.lower)[axis], "xyz"[axis], 8 * setup.vortex.spacing));
    if (!box.closed) return;
    const Vec3i cells = closed_lattice(box.bounds(), setup.vortex.spacing).cells;
    const double count = double(cells.x) * cells.y * cells.z;
    if (count > setup.vortex.max_cells)
        check.fail("vortex.spacing", fmt::format("the closed box has {:.3g} cells, more than vortex.max_cells = {:.3g}; expected a larger spacing, a smaller box, or "
                                                 "more max_cells", count, setup.vortex.max_cells));
}

void check_emitter(const VortexSetup& setup, const Check& check, std::size_t index) {
    const FireEmitter& emitter = setup.emitters[index];
    const std::string path = fmt::format("emitters.{}", index);
    const auto body = std::ranges::find_if(check.shot.bodies, [&](const geom::Body& b) { return b.name == emitter.on; });
    if (!emitter.on.empty() && body == check.shot.bodies.end()) {
        std::vector<std::string> names;
        for (const geom::Body& b : check.shot.bodies) names.push_back(b.name);
        check.fail(path + ".on", names.empty() ? fmt::format("there is no body '{}': the scene has none", emitter.on)
                                               : fmt::format("there is no body '{}'; expected {}{}", emitter.on, config::one_of(names),
                                                             config::did_you_mean(emitter.on, names)));
        return;
    }
    for (const auto& key : emitter.fuel.keys())
        if (key.value + emitter.smoke(key.time) > 1) {
            check.fail(path + ".fuel", "fuel and smoke together are more than all of the gas; expected shares whose sum is at most 1");
            break;
        }
    const field::Bounds box = setup.vortex.box.bounds();
    if (box.empty() || !emitter.on.empty() || emitter.motion.moves()) return;
    if (!overlap(emitter.motion.pose(0).world_from_local(emitter.shape.bounds()), box))
        check.fail(path + ".position", fmt::format("'{}' is wholly outside vortex.box; move it inside, or make the box larger", emitter.name));
}

void check_body(const VortexSetup& setup, const Check& check, std::size_t index) {
    const geom::Body& body = check.shot.bodies[index];
    const std::string path = fmt::format("bodies.{}", index);
    if (!body.catalyst.empty()) check.fail(path + ".catalyst", "a vortex fire knows no species; expected no catalyst, or the model 'gas'");
    if (body.erosion.any()) check.fail(path + ".erosion", "a vortex fire knows no species; expected no erosion, or the model 'gas'");
    if (body.free && body.free->expansion > 0 && body.heat_capacity == 0)
        check.fail(path + ".motion.free.expansion", "a body that never warms never expands; expected 'temperature' and 'heat_capacity' too");
    const field::Bounds box = setup.vortex.box.bounds();
    if (setup.vortex.box.closed && !body.moves() && !overlap(body.bounds(0), box))
        check.fail(path + ".position", fmt::format("'{}' is wholly outside vortex.box; move it inside, or make the box larger", body.name));
    const Vec3d size = body.shape.bounds().size();
    if (body.free && std::min({size.x, size.y, size.z}) < 2 * setup.vortex.spacing)
        check.fail(path + ".shape", fmt::format("a free body of {:.3g} m is thinner than two vortex.spacing of {:.3g} m, the gas could not push it; expected a larger body "
                                                "or a smaller spacing", std::min({size.x, size.y, size.z}), setup.vortex.spacing));
}

}  // namespace

void VortexSetup::check(const Check& check) const {
    check_box(*this, check);
    const Estimate cost = estimate(check.shot);
    if (cost.memory_bytes > double(check.memory_limit))
        check.fail("vortex.max_cells", fmt::format("{:.3g} cells, {} vortons and {} tracers need about {}, and {} are available; expected fewer", vortex.max_cells,
                                                   vortex.max_vortons, vortex.tracers.count, size_text(cost.memory_bytes), size_text(double(check.memory_limit))));
    if (vortex.velocity == VortexVelocity::tree && vortex.box.closed)
        check.fail("vortex.velocity", "the tree's integral knows no walls; expected 'velocity: grid' in a closed box");
    for (std::size_t e = 0; e < emitters.size(); ++e) check_emitter(*this, check, e);
    for (std::size_t b = 0; b < check.shot.bodies.size(); ++b) check_body(*this, check, b);
}

}  // namespace phlo::models
