#include "chem/integration/parcels.h"

#include <array>
#include <span>

#include "base/error.h"
#include "chem/integration/cell_system.h"
#include "chem/integration/integrate.h"

namespace phlo::chem {
namespace {

using P = simd::Pack<double, 2>;
using SecondOrder = numerics::ExplicitRk<numerics::Rk2, CellSystem<P>, P>;
using ThirdOrder = numerics::ExplicitRk<numerics::Rk3, CellSystem<P>, P>;
using Stiff = numerics::Rosenbrock<numerics::Rodas4, CellSystem<P>, P>;

constexpr double explicit_limit = 1.5;  ///< as in react(): below this stiffness × time a few explicit steps do

}  // namespace

const int ParcelReactor::lanes = P::width;

struct ParcelReactor::System {
    System(const Network& network, const KineticsParams& params, const Cells<double>& cells, std::vector<FailedCell>& failures)
        : plan(network, params), cells_of(plan, cells, {}, failures), second_order(cells_of), third_order(cells_of), stiff_steps(cells_of),
          y(std::size_t(plan.unknowns), P(0.0)), f(y) {}

    numerics::BatchReport run(Integrator integrator, std::span<const int> lanes) {
        if (lanes.empty()) return {};
        cells_of.begin(lanes);
        const numerics::StepControl control{.relative = plan.params.relative};
        switch (integrator) {
            case Integrator::rk2: return numerics::integrate_batch<P>(cells_of, second_order, 0, control);
            case Integrator::rk3: return numerics::integrate_batch<P>(cells_of, third_order, 0, control);
            default: return numerics::integrate_batch<P>(cells_of, stiff_steps, 0, control);
        }
    }

    SystemPlan plan;
    CellSystem<P> cells_of;
    SecondOrder second_order;
    ThirdOrder third_order;
    Stiff stiff_steps;
    std::vector<P> y, f;
    std::array<int, P::width> all, mild, stiff;
};

ParcelReactor::ParcelReactor(const Network& network, const KineticsParams& params)
    : params_(params), values_(std::size_t(network.species()) * lanes, 0.0), temperature_(lanes, 300.0), seconds_(lanes, 0.0) {
    PHLO_CHECK(params.hold == Hold::volume && !params.adiabatic);
    for (int s = 0; s < network.species(); ++s) cells_.amounts.push_back(concentration(s));
    cells_.count = lanes;
    cells_.temperature = temperature_.data();
    system_ = std::make_unique<System>(network, params_, cells_, failures_);
    system_->cells_of.set_seconds(seconds_.data());
    for (int l = 0; l < lanes; ++l) system_->all[std::size_t(l)] = l;
}

ParcelReactor::~ParcelReactor() = default;

numerics::BatchReport ParcelReactor::react(int count) {
    PHLO_CHECK(count >= 0 && count <= lanes);
    System& s = *system_;
    failures_.clear();

    const std::span<const int> all(s.all.data(), std::size_t(count));
    if (params_.integrator != Integrator::automatic) return s.run(params_.integrator, all);

    // Parcels that are not stiff take explicit steps, the others Rosenbrock's.
    s.cells_of.begin(all);
    for (int l = 0; l < count; ++l) s.cells_of.load(l, s.y.data());
    s.cells_of.linearise(P(0.0), s.y.data(), s.f.data());
    const P stiffness = s.cells_of.stiffness();
    std::size_t mild = 0, stiff = 0;
    for (int l = 0; l < count; ++l) {
        if (stiffness[l] * seconds_[std::size_t(l)] < explicit_limit) s.mild[mild++] = l;
        else s.stiff[stiff++] = l;
    }
    numerics::BatchReport report = s.run(Integrator::rk3, {s.mild.data(), mild});
    report += s.run(Integrator::rosenbrock, {s.stiff.data(), stiff});
    return report;
}

}  // namespace phlo::chem
