// A mechanism while it is being read: the data, what is wrong so far, and where in the file things stand, so that the checks (check.h) can
// point at them. Shared by the readers.
#pragma once
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "chem/mechanism/equation.h"
#include "chem/mechanism/mechanism.h"
#include "chem/mechanism/rate_units.h"
#include "config/problems.h"

namespace phlo::chem {

/// A place in a file: position and key path.
struct Place {
    config::Position position;
    std::string path;
};

struct Draft {
    /// Where a reaction was read and what its author said is on purpose.
    struct Origin {
        std::string path;
        Place rate, low_rate;  ///< of its number or expression; `low_rate` of falloffs only
        Place orders;  ///< of the equation, if they follow from it
        bool negative_A = false, negative_orders = false;
    };

    Mechanism mechanism;
    SpeciesIndex index;
    std::vector<std::string> species_paths;
    std::vector<Origin> origins;
    std::set<int> unusable;  ///< species whose data are wrong: known by name, so that their reactions are no further problem
    config::Problems problems;

    void add_species(Species species, std::string path, bool usable);
    void add_reaction(Reaction reaction, Origin origin);
    /// "; did you mean 'H2O'?" or "".
    std::string meant(std::string_view name) const;
};

/// One map of a file: hands out its values and reports what is wrong with them.
class CheckedMap {
public:
    CheckedMap(const config::Node& node, std::string path, config::Problems& problems)
        : node_(node), path_(std::move(path)), problems_(problems) {}

    const config::Node& node() const { return node_; }
    const std::string& path() const { return path_; }
    bool has(std::string_view key) const { return node_.get(key) != nullptr; }
    const config::Node* get(std::string_view key) const { return node_.get(key); }
    /// Where a key stands; the map itself if it is not there.
    const config::Position& position(std::string_view key) const;
    Place place(std::string_view key) const { return {position(key), config::joined(path_, key)}; }

    /// Reports and returns null if the key is missing, or not of this kind.
    const config::Node* list(std::string_view key, const char* help) const;
    const config::Node* map(std::string_view key, const char* help) const;
    const config::Node* text(std::string_view key, const char* help) const;
    /// A number, with a unit of the same kind as `unit` behind it if it likes. `fallback` if the key is missing; none if it is wrong.
    std::optional<double> number(std::string_view key, std::optional<double> fallback, std::string_view unit = "") const;
    /// false unless the key says true.
    bool flag(std::string_view key) const;
    /// Refuses keys that look like a slip of one of `known`.
    void refuse_slips(std::initializer_list<const char*> known) const;

    void fail(const config::Position& position, std::string_view key, const std::string& message) const;

private:
    const config::Node* of_kind(std::string_view key, config::Node::Kind kind, const char* help) const;

    const config::Node& node_;
    std::string path_;
    config::Problems& problems_;
};

/// Fills in a reaction's sides and reversibility, and reports unknown species. None if anything is wrong.
std::optional<Equation> read_equation(const CheckedMap& section, EquationForm form, Draft& draft, Reaction& reaction);
/// Orders: the reactants' coefficients, replaced by what `orders` says.
void read_orders(const CheckedMap& section, std::string_view key, Draft& draft, std::vector<Term>& orders);
/// A map from species to numbers that are not negative. `skip_unknown`: species that are not there are left out without a word.
std::vector<Term> read_efficiencies(const CheckedMap& section, bool skip_unknown, Draft& draft);
double total(const std::vector<Term>& terms);

/// Sets molar mass; reports unknown elements. `weights` are those of the file, in kg/mol.
void read_composition(const CheckedMap& section, const std::vector<std::pair<std::string, double>>& weights, Draft& draft, Species& species);

}  // namespace phlo::chem
