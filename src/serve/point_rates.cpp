#include "serve/point_rates.h"

#include "chem/rates/rates.h"

namespace phlo::serve {

std::vector<double> rates_at(const chem::Network& network, double temperature, double time, const std::vector<double>& concentrations) {
    using P = simd::Pack<double>;
    chem::RateKernel<P> kernel(network);
    std::vector<P> amounts;
    for (const double c : concentrations) amounts.emplace_back(c);
    kernel.set_temperature(P(temperature));
    kernel.evaluate(P(time), amounts.data());
    std::vector<double> rates;
    for (int r = 0; r < network.reactions(); ++r) rates.push_back(kernel.q()[r][0]);
    return rates;
}

}  // namespace phlo::serve
