// A scene's chemistry for the page: species and reactions, rates and control functions as curves, and what a reactor makes of them.
//
//   std::string json = mechanism_json(mechanism);
//   std::string curves = functions_json(mechanism, texts, {{"r1", 2.0}});
//   std::string path = react_json(mechanism, section, {"temperature=1200", "time=1 ms"}, still_wanted);
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "chem/mechanism/mechanism.h"

namespace phlo::serve {

/// What control functions may name, in this order: T, t, the species, r1 …
std::vector<std::string> function_inputs(const chem::Mechanism& mechanism);

/// {"name", "thermo", "species": [{name, molar_mass, composition, solid}], "reactions": [{equation, rate, constant, reactants, products, reversible}]}
std::string mechanism_json(const chem::Mechanism& mechanism);

/// A control function of a scene by its key, or what a reaction's rate constant is.
struct FunctionText {
    std::string key, text, unit;
};

/// Over the temperature, everything else held: {"temperature": […], "functions": [{key, text, unit, inputs, values}], "constants": [[…], …]}. `at` are values of
/// t, species and rates by name; those that are not named are 0 for t and 1 for the others.
std::string functions_json(const chem::Mechanism& mechanism, const std::vector<FunctionText>& texts, const std::map<std::string, double>& at);

/// A reactor's curves: {"time": […], "temperature": […], "species": [{name, values}], "unit", "ignition_delay": [s] or null, "start": {…}}. `overrides` are
/// "key=value" as of `phlo react --set`. Throws InputError, and RunError when it is not wanted any more.
std::string react_json(const chem::Mechanism& mechanism, const config::Node& section, const std::vector<std::string>& overrides, const std::function<bool()>& wanted);

}  // namespace phlo::serve
