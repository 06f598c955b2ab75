// Whether what a scene says of the gas fits together: sources inside, known species, functions that can be read, data for what is asked.
#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "models/gas/controls.h"
#include "models/gas/gas_setup.h"

namespace phlo::models {
namespace {

class ChemistryCheck {
public:
    ChemistryCheck(const GasSetup& setup, const Check& check) : setup_(setup), check_(check) {}

    void names() {
        check_names("chemistry.ambient", setup_.chemistry.ambient);
        for (std::size_t e = 0; e < setup_.emitters.size(); ++e)
            check_names(fmt::format("emitters.{}.species", e), setup_.emitters[e].species);
        for (std::size_t w = 0; w < 6; ++w)
            check_names(fmt::format("domain.walls.{}.inflow.species", wall_names[w]), check_.shot.domain.walls[w].species);
    }

    /// What is on a surface must do something there, and come from nowhere else.
    void catalysts() {
        for (std::size_t b = 0; b < check_.shot.bodies.size(); ++b)
            for (const geom::Body::Catalyst& catalyst : check_.shot.bodies[b].catalyst) {
                const std::string path = fmt::format("bodies.{}.catalyst.{}", b, catalyst.name);
                const int species = known(path, check_.position(path), catalyst.name);
                if (species < 0) continue;
                const auto is_it = [&](const chem::Term& term) { return term.species == species; };
                const auto takes_part = [&](const chem::Reaction& r) {
                    return std::ranges::any_of(r.reactants, is_it) || std::ranges::any_of(r.orders, is_it) ||
                           (r.third_body && std::ranges::any_of(r.third_body->efficiencies, is_it));
                };
                if (std::ranges::none_of(mechanism().reactions, takes_part))
                    check_.fail(path, fmt::format("no reaction needs '{}'; expected a species on the left side of one", catalyst.name));
            }
    }

    void eulerian() {
        const std::vector<int> passive = passive_species(mechanism());
        for (std::size_t i = 0; i < setup_.chemistry.eulerian.size(); ++i) {
            const std::string& name = setup_.chemistry.eulerian[i];
            const std::string path = fmt::format("chemistry.eulerian.{}", i);
            const int species = known(path, check_.position(path), name);
            if (species < 0 || setup_.gas.method != GasMethod::hybrid || std::ranges::count(passive, species)) continue;
            check_.fail(path, fmt::format("a rate depends on '{}', so particles must carry it; expected species that only come out of reactions{}", name,
                                   passive.empty() ? "" : ": " + names_of(passive)));
        }
    }

    void shown() {
        for (std::size_t i = 0; i < setup_.chemistry.shown.size(); ++i) {
            const std::string path = fmt::format("chemistry.shown.{}", i);
            known(path, check_.position(path), setup_.chemistry.shown[i]);
        }
    }

    /// Particles of a kind are those of one species, which particles carry.
    void kinds() {
        const std::vector<int> fields = eulerian_species(setup_.chemistry, mechanism());
        const auto& kinds = setup_.chemistry.hybrid.particles.kinds;
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            const std::string path = fmt::format("chemistry.particles.kinds.{}.species", i);
            const int species = known(path, check_.position(path), kinds[i].species);
            if (species < 0) continue;
            if (setup_.gas.method == GasMethod::hybrid && std::ranges::count(fields, species))
                check_.fail(path, fmt::format("'{}' is a field, not carried by particles; expected a species that chemistry.eulerian does not name", kinds[i].species));
            for (std::size_t other = 0; other < i; ++other)
                if (kinds[other].species == kinds[i].species) check_.fail(path, fmt::format("'{}' is given twice", kinds[i].species));
        }
    }

    void functions() {
        ControlTexts texts = control_texts(setup_.chemistry);
        texts.heat.position = check_.position("chemistry.heat"), texts.expansion.position = check_.position("chemistry.expansion");
        texts.vortices.position = check_.position("chemistry.vortices.number"), texts.vortex_strength.position = check_.position("chemistry.vortices.strength");
        texts.soot.position = check_.position("chemistry.soot.per_kelvin");
        try {
            const Controls controls(mechanism(), texts);
            not_negative(controls, Control::vortex_strength, "chemistry.vortices.strength");
            not_negative(controls, Control::soot, "chemistry.soot.per_kelvin");
            if (setup_.gas.method == GasMethod::hybrid) soot(controls);
        } catch (const InputError& error) {
            check_.problems.add({}, "", error.what());
        }
    }

    /// Under the hybrid method particles carry what reacts: it cannot be everywhere.
    void carried() {
        if (setup_.gas.method != GasMethod::hybrid) return;
        const std::vector<int> fields = eulerian_species(setup_.chemistry, mechanism());
        for (const auto& one : setup_.chemistry.ambient) {
            const int species = mechanism().find(one.name);
            if (species >= 0 && one.value > 0 && !std::ranges::count(fields, species))
                check_.problems.add(one.position, config::joined("chemistry.ambient", one.name),
                              fmt::format("particles carry '{}' under the hybrid method, and they cannot fill all space; expected an emitter that gives it "
                                          "off, or gas.method: grid", one.name));
        }
        for (std::size_t w = 0; w < 6; ++w)
            for (const auto& one : check_.shot.domain.walls[w].species)
                if (const int species = mechanism().find(one.name); species >= 0 && !std::ranges::count(fields, species))
                    check_.problems.add(one.position, fmt::format("domain.walls.{}.inflow.species.{}", wall_names[w], one.name),
                                  fmt::format("particles carry '{}' under the hybrid method and cannot come in through a wall; expected an emitter in front "
                                              "of it, or gas.method: grid", one.name));
    }

    void real_gas() {
        if (!setup_.chemistry.pressure) return;
        if (!mechanism().has_thermo())
            check_.fail("chemistry.pressure", "a real gas needs thermodynamic data of every species; expected a mechanism with NASA polynomials, or no pressure");
        if (setup_.gas.method == GasMethod::hybrid)
            check_.fail("chemistry.pressure", "a real gas fills every cell; expected gas.method: grid");
        const bool filled = std::ranges::any_of(setup_.chemistry.ambient, [](const auto& one) { return one.value > 0; });
        if (!filled) check_.fail("chemistry.ambient", "a real gas fills the domain; expected its proportions, such as {O2: 0.21, N2: 0.79}");
        for (const auto& [key, text] : {std::pair{"heat", &setup_.chemistry.heat}, std::pair{"expansion", &setup_.chemistry.expansion}})
            if (!text->empty())   // a saved scene has every key
                check_.fail(fmt::format("chemistry.{}", key), "follows from the thermodynamic data when a pressure is given; remove one of the two");
    }

private:
    const chem::Mechanism& mechanism() const { return *setup_.mechanism; }

    void not_negative(const Controls& controls, Control control, const char* path) const {
        if (const auto value = controls.constant(control); value && *value < 0) check_.fail(path, fmt::format("got {}; expected at least 0", *value));
    }

    /// Soot forms in cells, which know of species on particles only how fast they react.
    void soot(const Controls& controls) const {
        const std::vector<int> fields = eulerian_species(setup_.chemistry, mechanism());
        for (const int species : controls.species_in(Control::soot))
            if (!std::ranges::count(fields, species))
                check_.fail("chemistry.soot.per_kelvin", fmt::format("particles carry '{}', and soot forms in cells; expected rates, T, t or species on the grid{}",
                                                                      mechanism().species[std::size_t(species)].name, fields.empty() ? "" : ": " + names_of(fields)));
        if (!controls.constant(Control::soot) && !setup_.chemistry.hybrid.soot.amount)
            check_.fail("chemistry.soot.per_kelvin", "how much of what is seen a particle takes along cannot be told from a formula; expected chemistry.soot.amount beside it");
    }

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
        check_.problems.add(position, path, fmt::format("the mechanism has no species '{}'{}", name, guess.empty() ? "; expected " + config::one_of(names) : guess));
        return -1;
    }

    template <class T>
    void check_names(const std::string& path, const std::vector<config::Named<T>>& given) {
        for (const config::Named<T>& one : given) known(config::joined(path, one.name), one.position, one.name);
    }

    const GasSetup& setup_;
    const Check& check_;
};

}  // namespace

void GasSetup::check(const Check& check) const {
    check_memory(check, [this](const Shot& shot) { return estimate(shot); });
    check_grid(check);
    for (std::size_t i = 0; i < emitters.size(); ++i) check_source(check, fmt::format("emitters.{}", i), emitters[i]);
    for (std::size_t i = 0; i < check.shot.bodies.size(); ++i)
        if (!mechanism && !check.shot.bodies[i].catalyst.empty())
            check.fail(fmt::format("bodies.{}.catalyst", i),
                       "nothing reacts under gas.method smoke; expected the method grid or hybrid and a mechanism");
    for (std::size_t i = 0; i < check.shot.bodies.size(); ++i)
        if (const auto& free = check.shot.bodies[i].free; free && free->expansion > 0)
            check.fail(fmt::format("bodies.{}.motion.free.expansion", i), "bodies in a gas keep their mass; expected 0, or the model 'vortex'");
    if (!mechanism) return;
    ChemistryCheck chemistry_check(*this, check);
    chemistry_check.names();
    chemistry_check.catalysts();
    chemistry_check.eulerian();
    chemistry_check.shown();
    chemistry_check.kinds();
    chemistry_check.functions();
    chemistry_check.carried();
    chemistry_check.real_gas();
}

}  // namespace phlo::models
