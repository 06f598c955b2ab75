#include "models/shot/check.h"

#include <algorithm>

#include <fmt/format.h>

namespace phlo::models {
namespace {

std::string text(const Vec3d& v) { return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", v.x, v.y, v.z); }

bool overlap(const geom::Bounds& a, const geom::Bounds& b) {
    for (int axis = 0; axis < 3; ++axis)
        if (a.upper[axis] <= b.lower[axis] || a.lower[axis] >= b.upper[axis]) return false;
    return true;
}

geom::Bounds bounds_of(const DomainParams& domain) { return {domain.origin, domain.origin + domain.size}; }

/// Whether something that moves is ever inside the domain during the shot: looked at often, and at every key of its path.
bool ever_inside(const geom::Shape& shape, const geom::Motion& motion, const Shot& shot) {
    const geom::Bounds local = shape.bounds(), domain = bounds_of(shot.domain);
    const double end = shot.time.seconds_at(shot.time.last_frame);
    const auto inside = [&](double time) { return overlap(motion.pose(time).world_from_local(local), domain); };
    if (inside(0)) return true;
    if (!motion.moves()) return false;
    constexpr int samples = 500;
    for (int i = 1; i <= samples; ++i)
        if (inside(end * i / samples)) return true;
    const auto& keys = motion.position.keys();
    return std::any_of(keys.begin(), keys.end(), [&](const auto& key) { return key.time > 0 && key.time < end && inside(key.time); });
}

std::string outside_message(const std::string& name, const Shot& shot) {
    const geom::Bounds domain = bounds_of(shot.domain);
    return fmt::format("'{}' is wholly outside the domain; the domain reaches from {} to {}: move it inside, or change domain.size or domain.origin",
                       name, text(domain.lower), text(domain.upper));
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

void check_size(const Check& check) {
    const Vec3d size = check.shot.domain.size;
    const double h = std::max({size.x, size.y, size.z}) / check.shot.domain.resolution;
    for (int axis = 0; axis < 3; ++axis)
        if (size[axis] < 0.5 * h)
            check.fail("domain.size",
                       fmt::format("the {} side of {} m is thinner than half a cell of {:.4g} m; expected a thicker domain or a larger domain.resolution",
                                   "xyz"[axis], size[axis], h));
}

void check_walls(const Check& check) {
    const auto& walls = check.shot.domain.walls;
    const bool outlet = std::any_of(walls.begin(), walls.end(), [](const WallParams& w) { return w.kind == WallKind::open; });
    if (outlet) return;
    for (std::size_t w = 0; w < walls.size(); ++w) {
        const auto& keys = walls[w].velocity.keys();
        const bool blows = std::any_of(keys.begin(), keys.end(), [](const auto& key) { return key.value != 0; });
        if (walls[w].kind == WallKind::inflow && blows)
            check.fail(fmt::format("domain.walls.{}", wall_names[w]), "gas flows in here but no wall lets it out; expected at least one open wall");
    }
}

void check_bodies(const Check& check) {
    for (std::size_t i = 0; i < check.shot.bodies.size(); ++i) {
        const geom::Body& body = check.shot.bodies[i];
        if (!ever_inside(body.shape, body.motion, check.shot))
            check.fail(fmt::format("bodies.{}.position", i), outside_message(body.name, check.shot));
        else if (fills(body, bounds_of(check.shot.domain)))
            check.fail(fmt::format("bodies.{}.shape", i),
                       fmt::format("'{}' fills the whole domain, no room is left; expected a smaller shape or a larger domain", body.name));
    }
}

}  // namespace

void check_memory(const Check& check, const std::function<Estimate(const Shot&)>& estimate) {
    const double limit = double(check.memory_limit);
    const Estimate cost = estimate(check.shot);
    if (cost.memory_bytes <= limit) return;
    Shot smaller = check.shot;
    int fits = 1, too_large = check.shot.domain.resolution;
    while (too_large - fits > 1) {
        smaller.domain.resolution = (fits + too_large) / 2;
        (estimate(smaller).memory_bytes <= limit ? fits : too_large) = smaller.domain.resolution;
    }
    check.fail("domain.resolution", fmt::format("{} x {} x {} cells need about {}, and {} are available; expected a smaller resolution, at most about {}",
                                                cost.cells.x, cost.cells.y, cost.cells.z, size_text(cost.memory_bytes), size_text(limit), fits));
}

void check_grid(const Check& check) {
    check_size(check);
    check_walls(check);
    check_bodies(check);
}

void check_source(const Check& check, const std::string& path, const Source& source) {
    if (source.on.empty()) {
        if (!ever_inside(source.shape, source.motion, check.shot)) check.fail(path + ".position", outside_message(source.name, check.shot));
        return;
    }
    std::vector<std::string> names;
    for (const geom::Body& body : check.shot.bodies) names.push_back(body.name);
    if (std::find(names.begin(), names.end(), source.on) != names.end()) return;
    check.fail(path + ".on", names.empty() ? fmt::format("there is no body '{}': the scene has none", source.on)
                                           : fmt::format("there is no body '{}'; expected {}{}", source.on, config::one_of(names),
                                                         config::did_you_mean(source.on, names)));
}

std::string thinness_note(const std::string& what, const geom::Shape& shape, double cell_size, const std::string& consequence) {
    const Vec3d size = shape.bounds().size();
    const double thinnest = std::min({size.x, size.y, size.z});
    if (thinnest >= 2 * cell_size) return "";
    return fmt::format("{}: {:.3g} m thick, under two cells of {:.3g} m; {}", what, thinnest, cell_size, consequence);
}

}  // namespace phlo::models
