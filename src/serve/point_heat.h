// How fast reactions heat the gas where its fields have given values: of a mechanism with thermodynamics what they release, of others what the scene's
// control function says.
//
//   const PointHeat heat(gas);                                                 // a GasSetup with a mechanism
//   auto value = heat.at({{"temperature", 1500}, {"c_fuel", 2}}, time);
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "chem/expressions/expression.h"
#include "chem/rates/network.h"
#include "models/gas/gas_setup.h"

namespace phlo::serve {

class PointHeat {
public:
    struct Value {
        const char* name;       ///< heat_release [W/m^3], or heating [K/s]
        double amount = 0;
    };
    explicit PointHeat(const models::GasSetup& gas);

    /// None where a species that reacts is not among the fields, or where nothing is said about heat.
    std::optional<Value> at(const std::map<std::string, double>& fields, double time) const;

private:
    chem::Network network_;
    bool real_;                 ///< every species has thermodynamic data
    double least_temperature_;  ///< nothing reacts in colder gas [K]
    std::optional<chem::Expression> function_;
};

}  // namespace phlo::serve
