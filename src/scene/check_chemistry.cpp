#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "models/gas/controls.h"
#include "scene/check.h"

namespace phlo::scene {
namespace {

using config::Node;
using config::Problems;

class ChemistryCheck {
public:
    ChemistryCheck(const Scene& scene, const Node& root, Problems& problems) : scene_(scene), root_(root), problems_(problems) {}

    void names() {
        check_names("chemistry.ambient", scene_.chemistry.ambient);
        for (std::size_t e = 0; e < scene_.emitters.size(); ++e)
            check_names(fmt::format("emitters.{}.species", e), scene_.emitters[e].species);
        for (std::size_t w = 0; w < 6; ++w)
            check_names(fmt::format("domain.walls.{}.inflow.species", models::wall_names[w]), scene_.domain.walls[w].species);
    }

    /// What is on a surface must do something there, and come from nowhere else.
    void catalysts() {
        for (std::size_t b = 0; b < scene_.bodies.size(); ++b)
            for (const geom::Body::Catalyst& catalyst : scene_.bodies[b].catalyst) {
                const std::string path = fmt::format("bodies.{}.catalyst.{}", b, catalyst.name);
                const int species = known(path, position_of(root_, path), catalyst.name);
                if (species < 0) continue;
                const auto is_it = [&](const chem::Term& term) { return term.species == species; };
                const auto takes_part = [&](const chem::Reaction& r) {
                    return std::ranges::any_of(r.reactants, is_it) || std::ranges::any_of(r.orders, is_it) ||
                           (r.third_body && std::ranges::any_of(r.third_body->efficiencies, is_it));
                };
                if (std::ranges::none_of(mechanism().reactions, takes_part))
                    fail(path, fmt::format("no reaction needs '{}'; expected a species on the left side of one", catalyst.name));
            }
    }

    void eulerian() {
        const std::vector<int> passive = models::passive_species(mechanism());
        for (std::size_t i = 0; i < scene_.chemistry.eulerian.size(); ++i) {
            const std::string& name = scene_.chemistry.eulerian[i];
            const std::string path = fmt::format("chemistry.eulerian.{}", i);
            const int species = known(path, position_of(root_, path), name);
            if (species < 0 || scene_.gas.method != models::GasMethod::hybrid || std::ranges::count(passive, species)) continue;
            fail(path, fmt::format("a rate depends on '{}', so particles must carry it; expected species that only come out of reactions{}", name,
                                   passive.empty() ? "" : ": " + names_of(passive)));
        }
    }

    void shown() {
        for (std::size_t i = 0; i < scene_.chemistry.shown.size(); ++i) {
            const std::string path = fmt::format("chemistry.shown.{}", i);
            known(path, position_of(root_, path), scene_.chemistry.shown[i]);
        }
    }

    void functions() {
        const models::ControlTexts texts{.heat = formula("chemistry.heat", scene_.chemistry.heat),
                                         .expansion = formula("chemistry.expansion", scene_.chemistry.expansion),
                                         .vortices = formula("chemistry.vortices.number", scene_.chemistry.hybrid.vortex_number)};
        try {
            const models::Controls controls(mechanism(), texts);
        } catch (const InputError& error) {
            problems_.add({}, "", error.what());
        }
    }

    /// Under the hybrid method particles carry what reacts: it cannot be everywhere.
    void carried() {
        if (scene_.gas.method != models::GasMethod::hybrid) return;
        const std::vector<int> fields = models::eulerian_species(scene_.chemistry, mechanism());
        for (const auto& one : scene_.chemistry.ambient) {
            const int species = mechanism().find(one.name);
            if (species >= 0 && one.value > 0 && !std::ranges::count(fields, species))
                problems_.add(one.position, config::joined("chemistry.ambient", one.name),
                              fmt::format("particles carry '{}' under the hybrid method, and they cannot fill all space; expected an emitter that gives it "
                                          "off, or gas.method: grid", one.name));
        }
        for (std::size_t w = 0; w < 6; ++w)
            for (const auto& one : scene_.domain.walls[w].species)
                if (const int species = mechanism().find(one.name); species >= 0 && !std::ranges::count(fields, species))
                    problems_.add(one.position, fmt::format("domain.walls.{}.inflow.species.{}", models::wall_names[w], one.name),
                                  fmt::format("particles carry '{}' under the hybrid method and cannot come in through a wall; expected an emitter in front "
                                              "of it, or gas.method: grid", one.name));
    }

    void real_gas() {
        if (!scene_.chemistry.pressure) return;
        if (!mechanism().has_thermo())
            fail("chemistry.pressure", "a real gas needs thermodynamic data of every species; expected a mechanism with NASA polynomials, or no pressure");
        if (scene_.gas.method == models::GasMethod::hybrid)
            fail("chemistry.pressure", "a real gas fills every cell; expected gas.method: grid");
        const bool filled = std::ranges::any_of(scene_.chemistry.ambient, [](const auto& one) { return one.value > 0; });
        if (!filled) fail("chemistry.ambient", "a real gas fills the domain; expected its proportions, such as {O2: 0.21, N2: 0.79}");
        for (const auto& [key, text] : {std::pair{"heat", &scene_.chemistry.heat}, std::pair{"expansion", &scene_.chemistry.expansion}})
            if (!text->empty())   // a saved scene has every key
                fail(fmt::format("chemistry.{}", key), "follows from the thermodynamic data when a pressure is given; remove one of the two");
    }

private:
    const chem::Mechanism& mechanism() const { return *scene_.mechanism; }
    void fail(const std::string& path, const std::string& message) { problems_.add(position_of(root_, path), path, message); }

    chem::Formula formula(const std::string& path, const std::string& text) const { return {text, position_of(root_, path)}; }

    std::string names_of(std::span<const int> species) const {
        std::vector<std::string> names;
        for (const int s : species) names.push_back(mechanism().species[std::size_t(s)].name);
        return config::one_of(names);
    }

    int known(const std::string& path, const config::Position& position, const std::string& name) {
        const int species = mechanism().find(name);
        if (species >= 0) return species;
        const std::vector<std::string> names = mechanism().species_names();
        const std::string guess = config::did_you_mean(name, names);
        problems_.add(position, path, fmt::format("the mechanism has no species '{}'{}", name, guess.empty() ? "; expected " + config::one_of(names) : guess));
        return -1;
    }

    template <class T>
    void check_names(const std::string& path, const std::vector<config::Named<T>>& given) {
        for (const config::Named<T>& one : given) known(config::joined(path, one.name), one.position, one.name);
    }

    const Scene& scene_;
    const Node& root_;
    Problems& problems_;
};

}  // namespace

void check_chemistry(const Scene& scene, const Node& root, Problems& problems) {
    ChemistryCheck check(scene, root, problems);
    check.names();
    check.catalysts();
    check.eulerian();
    check.shown();
    check.functions();
    check.carried();
    check.real_gas();
}

}  // namespace phlo::scene
