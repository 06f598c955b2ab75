// Reaction equations as text.
//
//   parse_equation("H + O2 <=> O + OH", names)            reactants H, O2; products O, OH; reversible
//   parse_equation("2 OH (+M) <=> H2O2 (+M)", names)      falloff with the collider M
//   parse_equation("S1+S2=>2S3", names, short_form)       spaces may be left out where no species' name contradicts
//
// As in Cantera, coefficients, names and signs stand apart; so CH2(S), NO and ions such as H3O+ are ordinary names.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/node.h"

namespace phlo::chem {

/// Species by name.
using SpeciesIndex = std::map<std::string, int, std::less<>>;

struct Equation {
    enum class Collider { none, third_body, falloff };
    /// A species as written; its place in the text is for messages.
    struct Item {
        std::string name;
        double coefficient = 1;
        std::size_t offset = 0;
    };

    std::vector<Item> reactants, products;  ///< each name once a side, the collider left out
    bool reversible = false;
    Collider collider = Collider::none;
    std::string collider_name;  ///< M, or the one species of "(+ AR)"
    std::size_t collider_offset = 0;
};

enum class EquationForm {
    cantera,  ///< spaces between all parts
    short_form,  ///< "2S3" and "S1+S2" are understood, a side may be empty
};

/// What is wrong with an equation, and at which character of it.
struct EquationError {
    std::size_t offset = 0;
    std::string message;
};

/// Throws EquationError. Names that are not in `species` are no error here: the reader tells all of them.
Equation parse_equation(std::string_view text, const SpeciesIndex& species, EquationForm form);

/// Where the character `offset` of a scalar's text stands in the file.
config::Position position_in(const config::Node& scalar, std::size_t offset);

}  // namespace phlo::chem
