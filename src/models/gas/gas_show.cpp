// What leaves the model: frames for programs that look, and its exact state for checkpoints.
#include "models/gas/gas.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "models/gas/heat_field.h"

namespace phlo::models {

using field::Grid;

namespace {

template <class T>
std::shared_ptr<const T> borrowed(const T& object) { return {std::shared_ptr<void>(), &object}; }

}  // namespace

field::Frame Gas::show() const {
    field::Frame frame;
    frame.time = time_;
    frame.domain = domain_;
    // The second velocity is free between steps: it holds the temperature itself, the solver works with the excess.
    Grid& temperature = next_u_.z;
    const float ambient = float(setup_.gas.ambient_temperature);
    parallel_for(layout_.nz(), [&](int k) {
        for (int j = 0; j < layout_.ny(); ++j) {
            const float* __restrict from = excess_.row(j, k);
            float* __restrict to = temperature.row(j, k);
#pragma omp simd
            for (int i = 0; i < layout_.nx(); ++i) to[i] = ambient + from[i];
        }
    });
    frame.scalars = {{.name = "temperature", .unit = "K", .background = ambient, .negligible = 0.01f, .grid = borrowed<Grid>(temperature)}};
    if (!chemistry_) frame.scalars.insert(frame.scalars.begin(), {.name = "density", .unit = "1", .background = 0, .negligible = 1e-4f,
                                                                  .grid = borrowed(substances_.front().amount)});
    else for (const Substance& substance : substances_)
        frame.scalars.push_back({.name = "c_" + substance.name, .unit = "mol/m^3", .background = float(substance.ambient), .negligible = 1e-4f,
                                 .grid = borrowed(substance.amount)});
    if (const auto visible = chemistry_ ? visible_density() : nullptr)
        frame.scalars.push_back({.name = "density", .unit = "mol/m^3", .background = 0, .negligible = 1e-4f, .grid = visible});
    frame.velocity = borrowed(u_);
    for (const geom::Placement& placed : free_.placements(time_)) frame.surfaces.push_back(placed.body->surface(placed.pose));
    if (chemistry_) chemistry_->show(frame);
    return frame;
}

/// What programs that know nothing of species look for: the sum of those that are seen. Null if none is on the grid.
std::shared_ptr<const Grid> Gas::visible_density() const {
    std::vector<const Grid*> seen;
    for (const int species : eulerian_species(setup_.chemistry, *setup_.mechanism))
        for (const Substance& substance : substances_)
            if (substance.species == species && substance.ambient == 0) seen.push_back(&substance.amount);
    if (seen.empty()) return nullptr;
    if (seen.size() == 1) return borrowed(*seen.front());
    const auto sum = std::make_shared<Grid>(layout_);
    parallel_for(layout_.nz(), [&](int k) {
        for (int j = 0; j < layout_.ny(); ++j)
            for (const Grid* one : seen) {
                float* __restrict to = sum->row(j, k);
                const float* __restrict from = one->row(j, k);
#pragma omp simd
                for (int i = 0; i < layout_.nx(); ++i) to[i] += from[i];
            }
    });
    return sum;
}

StateView Gas::state() {
    StateView view{.fields = {{"velocity.x", u_.x.storage()}, {"velocity.y", u_.y.storage()}, {"velocity.z", u_.z.storage()}},
                   .numbers = {{"time", &time_}, {"steps", &steps_}}};
    for (Substance& substance : substances_) view.fields.push_back({substance.name, substance.amount.storage()});
    view.fields.push_back({"excess_temperature", excess_.storage()});
    if (!swelling_.empty()) view.fields.push_back({"swelling", swelling_.storage()});
    for (const flow::FreeBodies::Number& number : free_.numbers()) view.numbers.push_back({number.name, number.value});
    if (chemistry_) chemistry_->add_state(view);
    return view;
}

}  // namespace phlo::models
