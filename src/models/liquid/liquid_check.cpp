// Whether what a scene says of the liquid fits together.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "config/problems.h"

#include "models/liquid/liquid_setup.h"
#include "models/liquid/liquid_state.h"

namespace phlo::models {
namespace {

void check_liquids(const Check& check, const LiquidSetup& setup) {
    const std::vector<std::string> all = setup.liquid.substances();
    if (all.size() > std::size_t(most_liquids))
        check.fail("liquid.others", fmt::format("{} liquids besides the first are too many; expected at most {}", all.size() - 1, most_liquids - 1));
    for (std::size_t n = 1; n < all.size(); ++n)
        if (std::find(all.begin(), all.begin() + std::ptrdiff_t(n), all[n]) != all.begin() + std::ptrdiff_t(n))
            check.fail(fmt::format("liquid.others.{}.substance", n - 1), fmt::format("'{}' is there already; every liquid is named once", all[n]));
    for (std::size_t i = 0; i < setup.emitters.size(); ++i) {
        const LiquidEmitter& emitter = setup.emitters[i];
        const std::string path = fmt::format("emitters.{}.substance", i);
        if (liquid_of(setup.liquid, emitter) < 0)
            check.fail(path, fmt::format("no liquid '{}' in this scene, there {}{}; add it to liquid.others", emitter.substance,
                                         all.size() == 1 ? "is only " + all[0] : fmt::format("are {}", fmt::join(all, ", ")),
                                         config::did_you_mean(emitter.substance, all)));
        else if (emitter.mode == LiquidMode::drain && !emitter.substance.empty())
            check.fail(path, "what drains takes all liquids alike; remove it");
    }
}

/// What blocks of several levels cannot do yet is refused, never ignored.
void check_adapt(const Check& check, const LiquidSetup& setup) {
    const LiquidParams& liquid = setup.liquid;
    if (liquid.adapt.mode == AdaptMode::none) return;
    constexpr const char* remedy = "remove it, or use liquid.adapt.mode: none";
    const auto refuse = [&](bool wanted, const std::string& path, const char* what) {
        if (wanted) check.fail(path, fmt::format("{} cannot be had yet where cells are adaptive; {}", what, remedy));
    };
    refuse(liquid.surface != SurfaceTracking::level_set, "liquid.surface", "another way to follow the surface than level-set");
    refuse(liquid.velocity != VelocityCarrier::grid, "liquid.velocity", "particles that carry the velocity");
    refuse(liquid.tension > 0, "liquid.tension", "surface tension");
    refuse(liquid.sealed_air != flow::SealedAir::empty, "liquid.sealed_air", "bubbles that keep their volume");
    refuse(liquid.whitewater.amount > 0, "liquid.whitewater", "whitewater");
    refuse(!liquid.others.empty(), "liquid.others", "several liquids");
    refuse(liquid.heat.any(), "liquid.heat", "a temperature");
    refuse(liquid.viscosity_now() > 0, "liquid.viscosity", "friction (a viscosity other than 0)");
    refuse(!check.shot.bodies.empty(), "bodies", "bodies");
    for (std::size_t w = 0; w < 6; ++w)
        refuse(check.shot.domain.walls[w].kind == WallKind::inflow, fmt::format("domain.walls.{}", wall_names[w]), "inflow");
}

/// Temperatures only where there is heat, and a viscosity at each.
bool check_heat(const Check& check, const LiquidSetup& setup) {
    constexpr const char* without = "a liquid without liquid.heat.temperature has none; remove it, or say what temperature the rest has";
    const LiquidHeatParams& heat = setup.liquid.heat;
    for (std::size_t i = 0; i < setup.emitters.size(); ++i) {
        const std::string path = fmt::format("emitters.{}.temperature", i);
        if (!setup.emitters[i].temperature) continue;
        if (!heat.any()) check.fail(path, without);
        else if (setup.emitters[i].mode == LiquidMode::drain) check.fail(path, "what drains takes warm and cold alike; remove it");
    }
    const auto refuse = [&](bool said, const std::string& path) {
        if (said && !heat.any()) check.fail(path, without);
    };
    refuse(heat.surroundings.has_value(), "liquid.heat.surroundings"), refuse(heat.cooling > 0, "liquid.heat.cooling"), refuse(!heat.thickening.empty(), "liquid.heat.thickening");
    for (std::size_t w = 0; w < 6; ++w)
        refuse(check.shot.domain.walls[w].temperature != WallParams{}.temperature, fmt::format("domain.walls.{}.inflow.temperature", wall_names[w]));
    try {
        const ViscosityLaw law(setup, temperature_span(check.shot, setup), check.position("liquid.heat.thickening"));
    } catch (const InputError& error) {
        check.problems.add({}, "", error.what());
        return false;
    }
    return true;
}

}  // namespace

void LiquidSetup::check(const Check& check) const {
    if (!check_heat(check, *this)) return;
    check_memory(check, [this](const Shot& shot) { return estimate(shot); });
    check_grid(check);
    constexpr double most_cells = 6;   // then markers and their level set part
    if (check.shot.time.cfl > most_cells)
        check.fail("time.cfl", fmt::format("{} cells a sub-step are too many for a liquid's surface; expected at most {}", check.shot.time.cfl, most_cells));
    check_liquids(check, *this);
    check_adapt(check, *this);
    for (std::size_t i = 0; i < emitters.size(); ++i) check_source(check, fmt::format("emitters.{}", i), emitters[i]);
    const bool any_wall_brings = std::ranges::any_of(check.shot.domain.walls, [](const WallParams& w) { return w.kind == WallKind::inflow; });
    const bool any_brings = std::ranges::any_of(emitters, [](const LiquidEmitter& e) { return e.mode != LiquidMode::drain; });
    if (!any_brings && !any_wall_brings)
        check.fail("emitters", "no liquid would ever be there; expected an emitter with mode start or pour, or a wall with inflow");
    for (std::size_t w = 0; w < 6; ++w) {
        const WallParams& wall = check.shot.domain.walls[w];
        const std::string path = fmt::format("domain.walls.{}.inflow", wall_names[w]);
        if (wall.kind == WallKind::inflow && !wall.species.empty()) check.fail(path + ".species", "a liquid carries no species; remove it");
    }
    for (std::size_t i = 0; i < check.shot.bodies.size(); ++i) {
        const geom::Body& body = check.shot.bodies[i];
        if (!body.catalyst.empty()) check.fail(fmt::format("bodies.{}.catalyst", i), "nothing reacts in a liquid; remove it, or use the model 'gas'");
        if (body.erosion.any()) check.fail(fmt::format("bodies.{}.erosion", i), "nothing reacts in a liquid; remove it, or use the model 'gas'");
        if (body.temperature) check.fail(fmt::format("bodies.{}.temperature", i), "bodies do not warm a liquid; remove it, or use the model 'gas'");
        if (body.free && body.free->expansion > 0)
            check.fail(fmt::format("bodies.{}.motion.free.expansion", i), "bodies in a liquid keep their size; expected 0, or the model 'vortex'");
    }
}

}  // namespace phlo::models
