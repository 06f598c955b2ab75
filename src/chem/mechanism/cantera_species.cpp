#include <cmath>

#include <fmt/format.h>

#include "chem/mechanism/cantera.h"

namespace phlo::chem {
namespace {

using config::joined;
using config::Node;

struct Refused {
    std::string_view name, instead;
};

constexpr Refused other_models[] = {
    {"NASA9", "convert it to NASA7 polynomials"},        {"Shomate", "convert it to NASA7 polynomials"},
    {"constant-cp", "write it as NASA7 with a0 = cp/R"}, {"piecewise-Gibbs", "convert it to NASA7 polynomials"},
    {"Mu0", "convert it to NASA7 polynomials"},
};

bool read_coefficients(const CheckedMap& thermo, const Node& row, std::size_t number, std::array<double, 7>& coefficients) {
    const std::string key = fmt::format("data.{}", number);
    if (!row.is_list() || row.items.size() != 7) {
        thermo.fail(row.position, key, fmt::format("got {}; expected the seven coefficients of a NASA7 polynomial", row.described()));
        return false;
    }
    bool good = true;
    for (std::size_t i = 0; i < 7; ++i) {
        const Node& item = row.items[i];
        const auto quantity = item.is_scalar() ? split_quantity(item.text) : std::nullopt;
        if (quantity && quantity->unit.empty()) {
            coefficients[i] = quantity->value;
        } else {
            thermo.fail(item.position, fmt::format("{}.{}", key, i), fmt::format("got {}; expected a finite number", item.described()));
            good = false;
        }
    }
    return good;
}

/// Ranges [low, high] with one polynomial or [low, middle, high] with two.
std::optional<Nasa7> read_nasa7(const CheckedMap& thermo) {
    const Node* ranges = thermo.list("temperature-ranges", "[low, middle, high] in K");
    const Node* data = thermo.list("data", "one list of seven coefficients for each temperature range");
    if (!ranges || !data) return std::nullopt;
    std::vector<double> limits;
    for (const Node& item : ranges->items) {
        const auto quantity = item.is_scalar() ? split_quantity(item.text) : std::nullopt;
        const bool kelvin = quantity && (quantity->unit.empty() || quantity->unit == "K");
        if (kelvin) limits.push_back(quantity->value);
        else thermo.fail(item.position, "temperature-ranges", fmt::format("got {}; expected a temperature in K", item.described()));
    }
    if (limits.size() != ranges->items.size()) return std::nullopt;
    if (limits.size() != 2 && limits.size() != 3) {
        thermo.fail(ranges->position, "temperature-ranges",
                    fmt::format("got {} temperatures; expected two, or three for two polynomials", limits.size()));
        return std::nullopt;
    }
    for (std::size_t i = 0; i < limits.size(); ++i) {
        if (limits[i] > (i == 0 ? 0 : limits[i - 1])) continue;
        thermo.fail(ranges->items[i].position, "temperature-ranges",
                    i == 0 ? fmt::format("{} K; expected a temperature above zero", limits[i])
                           : fmt::format("{} K stands after {} K; expected rising temperatures", limits[i], limits[i - 1]));
        return std::nullopt;
    }
    if (data->items.size() + 1 != limits.size()) {
        thermo.fail(data->position, "data",
                    fmt::format("{} polynomials for {} temperature ranges; expected one for each", data->items.size(), limits.size() - 1));
        return std::nullopt;
    }

    Nasa7 nasa;
    nasa.low = limits.front(), nasa.high = limits.back();
    nasa.middle = limits.size() == 3 ? limits[1] : 0.5 * (nasa.low + nasa.high);
    bool good = read_coefficients(thermo, data->items.front(), 0, nasa.below);
    if (limits.size() == 3) good = read_coefficients(thermo, data->items[1], 1, nasa.above) && good;
    else nasa.above = nasa.below;
    const auto pressure = thermo.number("reference-pressure", reference_pressure, "Pa");
    if (pressure && !(*pressure > 0)) {
        thermo.fail(thermo.position("reference-pressure"), "reference-pressure", "not positive; expected a pressure such as 1 atm");
        good = false;
    }
    if (!good || !pressure) return std::nullopt;
    // s°(p) = s°(p₀) − R ln(p/p₀): polynomials for 1 bar serve at 1 atm with another constant.
    for (auto* coefficients : {&nasa.below, &nasa.above}) (*coefficients)[6] -= std::log(reference_pressure / *pressure);
    return nasa;
}

}  // namespace

Species read_cantera_species(const CheckedMap& section, const AtomicWeights& weights, Draft& draft) {
    Species species;
    species.name = section.get("name")->text;
    species.position = section.get("name")->position;
    read_composition(section, weights, draft, species);
    if (const Node* map = section.map("thermo", "thermodynamic data: {model: NASA7, temperature-ranges: …, data: …}")) {
        const CheckedMap thermo(*map, joined(section.path(), "thermo"), draft.problems);
        const Node* model = thermo.text("model", "NASA7");
        if (model && model->text == "NASA7") {
            species.thermo = read_nasa7(thermo);
        } else if (model) {
            std::string instead = "expected NASA7";
            for (const Refused& other : other_models)
                if (other.name == model->text) instead = fmt::format("not supported; {}", other.instead);
            thermo.fail(model->position, "model", fmt::format("the thermo model {}: {}", model->described(), instead));
        }
    }
    return species;
}

}  // namespace phlo::chem
