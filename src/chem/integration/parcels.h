// A few parcels of gas at a time, each over its own short time: for chemistry on particles, where every visit depends on those before.
// Tables and memory are kept from call to call.
//
//   ParcelReactor reactor(network, {.relative = 1e-4});              // one for every thread at work
//   for (int l = 0; l < count; ++l) reactor.concentration(s)[l] = …, reactor.temperature()[l] = …, reactor.seconds()[l] = …;
//   reactor.react(count);                                            // changes the concentrations; count <= ParcelReactor::lanes
//
// The result of a lane does not depend on the others, nor on how many there are.
#pragma once
#include <memory>
#include <vector>

#include "chem/integration/kinetics.h"

namespace phlo::chem {

class ParcelReactor {
public:
    static const int lanes;  ///< parcels that fit at once: depends on the CPU

    ParcelReactor(const Network& network, const KineticsParams& params);
    ~ParcelReactor();
    ParcelReactor(const ParcelReactor&) = delete;
    ParcelReactor& operator=(const ParcelReactor&) = delete;

    double* concentration(int species) { return values_.data() + std::size_t(species) * lanes; }  ///< of each lane [mol/m³]
    double* temperature() { return temperature_.data(); }  ///< of each lane [K]
    double* seconds() { return seconds_.data(); }  ///< of each lane [s]
    void set_time(double time) { params_.start_time = time; }  ///< what t means in control functions [s]

    /// Isothermal, at constant volume. A parcel that cannot be integrated stays as it was, and is counted as failed.
    numerics::BatchReport react(int count);

private:
    struct System;
    KineticsParams params_;
    std::vector<double> values_, temperature_, seconds_;
    Cells<double> cells_;
    std::vector<FailedCell> failures_;
    std::unique_ptr<System> system_;
};

}  // namespace phlo::chem
