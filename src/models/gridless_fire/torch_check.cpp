// Whether torches fit together: what single keys cannot tell.
#include <algorithm>

#include <fmt/format.h>

#include "models/gridless_fire/composition.h"
#include "models/gridless_fire/torch_setup.h"

namespace phlo::models {
namespace {

void check_carrier(const Check& check, const std::string& path, const Torch& torch) {
    if (torch.on.empty()) return;
    std::vector<std::string> names;
    for (const geom::Body& body : check.shot.bodies) names.push_back(body.name);
    if (std::ranges::find(names, torch.on) != names.end()) return;
    check.fail(path + ".on", names.empty() ? fmt::format("there is no body '{}': the scene has none", torch.on)
                                           : fmt::format("there is no body '{}'; expected {}{}", torch.on, config::one_of(names),
                                                         config::did_you_mean(torch.on, names)));
}

/// Over all keys of a curve.
template <class Test>
bool ever(const Curve<double>& curve, const Test& test) {
    return std::ranges::any_of(curve.keys(), [&](const auto& key) { return test(key.value); });
}

void check_flicker(const Check& check, const std::string& path, const Torch& torch) {
    if (torch.flicker != Flicker::extinction) return;
    double faintest = 1;
    for (const auto& key : torch.overlap.keys()) faintest = std::min(faintest, mean_brush_composition(key.value));
    if (ever(torch.extinction, [&](double theta) { return theta >= faintest; }))
        check.fail(path + ".extinction", fmt::format("the fire would go out at once: with this overlap its mean composition begins at {:.3g}; expected less "
                                                     "than that, such as 0.1", faintest));
}

}  // namespace

void TorchSetup::check(const Check& check) const {
    if (torches.empty()) check.fail("torches", "there is none; expected a list of fires, such as [{shape: {sphere: {radius: 5 cm}}}]");
    for (std::size_t i = 0; i < torches.size(); ++i) {
        const std::string path = fmt::format("torches.{}", i);
        const Torch& one = torches[i];
        check_carrier(check, path, one);
        check_flicker(check, path, one);
        if (one.particles < torch.neighbours)
            check.fail(path + ".particles", fmt::format("{} are fewer than the {} neighbours over which means are taken; expected more particles, or a "
                                                        "smaller torch.neighbours", one.particles, torch.neighbours));
        for (std::size_t j = 0; j < i; ++j)
            if (torches[j].name == one.name) check.fail(path + ".name", fmt::format("there is another '{}'; expected names that differ", one.name));
    }
    for (std::size_t i = 0; i < check.shot.bodies.size(); ++i)
        if (check.shot.bodies[i].free)
            check.fail(fmt::format("bodies.{}.motion", i), "a torch's flame moves no bodies; expected keyframes");
    if (torch.volumes.cell > 0 && torch.volumes.temperature <= torch.volumes.ambient)
        check.fail("torch.volumes.temperature", "the flame would be colder than the air; expected more than torch.volumes.ambient");
    const double needed = estimate(check.shot).memory_bytes;
    if (needed > double(check.memory_limit))
        check.fail("torches", fmt::format("so many particles need about {}, and {} are available; expected fewer particles", size_text(needed),
                                          size_text(double(check.memory_limit))));
}

}  // namespace phlo::models
