#include "scene/check.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "scene/estimate.h"

namespace phlo::scene {
namespace {

using config::Node;
using config::Position;
using config::Problems;

std::string text(const Vec3d& v) { return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", v.x, v.y, v.z); }

bool overlap(const geom::Bounds& a, const geom::Bounds& b) {
    for (int axis = 0; axis < 3; ++axis)
        if (a.upper[axis] <= b.lower[axis] || a.lower[axis] >= b.upper[axis]) return false;
    return true;
}

/// Whether something that moves is ever inside the domain during the shot: looked at often, and at every key of its path.
bool ever_inside(const geom::Shape& shape, const geom::Motion& motion, const geom::Bounds& domain, double end) {
    const geom::Bounds local = shape.bounds();
    const auto inside = [&](double time) { return overlap(motion.pose(time).world_from_local(local), domain); };
    if (inside(0)) return true;
    if (!motion.moves()) return false;
    constexpr int samples = 500;
    for (int i = 1; i <= samples; ++i)
        if (inside(end * i / samples)) return true;
    const auto& keys = motion.position.keys();
    return std::any_of(keys.begin(), keys.end(), [&](const auto& key) { return key.time > 0 && key.time < end && inside(key.time); });
}

/// Shapes but meshes are convex: with all corners inside, the whole domain is.
bool fills(const geom::Body& body, const geom::Bounds& domain) {
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3d p{corner & 1 ? domain.upper.x : domain.lower.x, corner & 2 ? domain.upper.y : domain.lower.y,
                      corner & 4 ? domain.upper.z : domain.lower.z};
        if (body.signed_distance(p, 0) > 0) return false;
    }
    return body.signed_distance(domain.center(), 0) < 0;
}

void check_size(const Scene& scene, const Node& root, std::size_t memory_limit, Problems& problems) {
    const Estimate cost = estimate(scene);
    const Vec3d size = scene.domain.size;
    const double h = std::max({size.x, size.y, size.z}) / scene.domain.resolution;
    for (int axis = 0; axis < 3; ++axis)
        if (size[axis] < 0.5 * h)
            problems.add(
                position_of(root, "domain.size"), "domain.size",
                fmt::format(
                    "the {} side of {} m is thinner than half a cell of {:.4g} m; expected a thicker domain or a larger domain.resolution",
                    "xyz"[axis], size[axis], h));
    if (cost.memory_bytes > double(memory_limit))
        problems.add(position_of(root, "domain.resolution"), "domain.resolution",
                     fmt::format("{} x {} x {} cells need about {}, and {} are available; expected a smaller resolution, at most about {}",
                                 cost.cells.x, cost.cells.y, cost.cells.z, size_text(cost.memory_bytes), size_text(double(memory_limit)),
                                 largest_resolution(scene, double(memory_limit))));
}

void check_walls(const Scene& scene, const Node& root, Problems& problems) {
    const auto& walls = scene.domain.walls;
    const bool outlet = std::any_of(walls.begin(), walls.end(), [](const models::Wall& w) { return w.kind == models::WallKind::open; });
    if (outlet) return;
    for (std::size_t w = 0; w < walls.size(); ++w) {
        const auto& keys = walls[w].velocity.keys();
        const bool blows = std::any_of(keys.begin(), keys.end(), [](const auto& key) { return key.value != 0; });
        if (walls[w].kind != models::WallKind::inflow || !blows) continue;
        const std::string path = fmt::format("domain.walls.{}", models::wall_names[w]);
        problems.add(position_of(root, path), path, "gas flows in here but no wall lets it out; expected at least one open wall");
    }
}

void check_places(const Scene& scene, const Node& root, Problems& problems) {
    const geom::Bounds domain{scene.domain.origin, scene.domain.origin + scene.domain.size};
    const double end = scene.time.seconds_at(scene.time.last_frame);
    const std::string remedy = fmt::format("the domain reaches from {} to {}: move it inside, or change domain.size or domain.origin",
                                           text(domain.lower), text(domain.upper));
    for (std::size_t i = 0; i < scene.emitters.size(); ++i) {
        const models::Emitter& emitter = scene.emitters[i];
        const std::string path = fmt::format("emitters.{}.position", i);
        if (emitter.on.empty() && !ever_inside(emitter.shape, emitter.motion, domain, end))
            problems.add(position_of(root, path), path, fmt::format("'{}' is wholly outside the domain; {}", emitter.name, remedy));
    }
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const geom::Body& body = scene.bodies[i];
        const std::string path = fmt::format("bodies.{}.position", i);
        if (!ever_inside(body.shape, body.motion, domain, end))
            problems.add(position_of(root, path), path, fmt::format("'{}' is wholly outside the domain; {}", body.name, remedy));
        else if (fills(body, domain))
            problems.add(
                position_of(root, fmt::format("bodies.{}.shape", i)), fmt::format("bodies.{}.shape", i),
                fmt::format("'{}' fills the whole domain, no gas is left; expected a smaller shape or a larger domain", body.name));
    }
}

/// A catalyst without reactions.
void check_surfaces(const Scene& scene, const Node& root, Problems& problems) {
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const std::string path = fmt::format("bodies.{}.catalyst", i);
        if (!scene.mechanism && !scene.bodies[i].catalyst.empty())
            problems.add(position_of(root, path), path, "nothing reacts under gas.method smoke; expected the method grid or hybrid and a mechanism");
    }
}

/// Emitters that bodies carry.
void check_carriers(const Scene& scene, const Node& root, Problems& problems) {
    std::vector<std::string> names;
    for (const geom::Body& body : scene.bodies) names.push_back(body.name);
    for (std::size_t i = 0; i < scene.emitters.size(); ++i) {
        const std::string &on = scene.emitters[i].on, path = fmt::format("emitters.{}.on", i);
        if (on.empty() || std::find(names.begin(), names.end(), on) != names.end()) continue;
        problems.add(position_of(root, path), path,
                     names.empty() ? fmt::format("there is no body '{}': the scene has none", on)
                                   : fmt::format("there is no body '{}'; expected {}{}", on, config::one_of(names), config::did_you_mean(on, names)));
    }
}

}  // namespace

Position position_of(const Node& root, std::string path) {
    while (!path.empty()) {
        if (const Node* node = root.find(path)) return node->position;
        const std::size_t dot = path.rfind('.');
        path.resize(dot == std::string::npos ? 0 : dot);
    }
    return root.position;
}

void check_scene(const Scene& scene, const Node& root, std::size_t memory_limit, Problems& problems) {
    check_size(scene, root, memory_limit, problems);
    check_walls(scene, root, problems);
    check_places(scene, root, problems);
    check_carriers(scene, root, problems);
    check_surfaces(scene, root, problems);
    if (scene.mechanism) check_chemistry(scene, root, problems);
}

}  // namespace phlo::scene
