// What leaves the model: frames for programs that look, and its exact state for checkpoints.
#include "models/gas/gas.h"

#include <algorithm>

#include "base/parallel.h"
#include "field/crop.h"

namespace phlo::models {

using field::Grid;

namespace {

constexpr float negligible_amount = 1e-4f, negligible_heat = 0.01f;   // [mol/m^3] or of smoke [1], [K]

std::shared_ptr<const Grid> sum_of(const std::vector<std::shared_ptr<const Grid>>& parts) {
    if (parts.size() == 1) return parts.front();
    const auto sum = std::make_shared<Grid>(parts.front()->layout());
    const Vec3i n = sum->layout().cells();
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j)
            for (const auto& part : parts) {
                float* __restrict to = sum->row(j, k);
                const float* __restrict from = part->row(j, k);
#pragma omp simd
                for (int i = 0; i < n.x; ++i) to[i] += from[i];
            }
    });
    return sum;
}

}  // namespace

/// The frame holds copies of the part of the room where something is: it costs little while that is small, and nobody else changes it.
field::Frame Gas::show() const {
    field::Frame frame{.time = time_, .world = domain_.bounds()};
    if (chemistry_) chemistry_->show(frame);
    for (const geom::Placement& placed : free_.placements(time_)) frame.surfaces.push_back(geom::surface(placed));

    const field::Domain part = shown_part(frame);
    field::Copies copies(domain_, part);
    const auto volume = [&](std::string name, std::string unit, double background, float negligible, std::shared_ptr<const Grid> grid) {
        return field::Volume{.name = std::move(name), .unit = std::move(unit), .background = float(background), .negligible = negligible,
                             .domain = part, .room = domain_, .grid = std::move(grid)};
    };
    std::vector<field::Volume> volumes;
    const double ambient = setup_.gas.ambient_temperature;   // the solver works with the excess over it
    volumes.push_back(volume("temperature", "K", ambient, negligible_heat, copies.add(excess_, float(ambient))));
    for (const Substance& substance : substances_)
        volumes.push_back(volume(chemistry_ ? "c_" + substance.name : "density", chemistry_ ? "mol/m^3" : "1", substance.ambient, negligible_amount,
                                 copies.add(substance.amount)));
    if (!chemistry_) std::swap(volumes[0], volumes[1]);
    const std::vector<field::Volume> whole = frame.volumes;
    for (field::Volume& made : frame.volumes) made.grid = copies.add(*made.grid), made.domain = part;
    frame.velocity = {.domain = part, .room = domain_, .faces = copies.add(u_)};
    copies.make();

    std::vector<std::shared_ptr<const Grid>> seen;
    for (const std::size_t s : visible_substances()) seen.push_back(volumes[1 + s].grid);
    if (!seen.empty()) volumes.push_back(volume("density", "mol/m^3", 0, negligible_amount, sum_of(seen)));
    frame.volumes.insert(frame.volumes.begin(), volumes.begin(), volumes.end());
    return frame;
}

/// Where the gas, or what chemistry has put into the frame, is not empty. Thresholds are lower than those of the volumes, whose values are rounded
/// and summed, so that nothing which they would show is left out.
field::Domain Gas::shown_part(const field::Frame& frame) const {
    std::vector<field::Content> contents{{&excess_, 0, 0.9f * negligible_heat}};
    for (const Substance& substance : substances_)
        contents.push_back({&substance.amount, float(substance.ambient), negligible_amount / float(substances_.size())});
    for (const field::Volume& volume : frame.volumes) contents.push_back({volume.grid.get(), volume.background, volume.negligible});
    return field::occupied_part(domain_, contents);
}

/// Programs that know nothing of species look for a density: the sum of these.
std::vector<std::size_t> Gas::visible_substances() const {
    std::vector<std::size_t> seen;
    if (!chemistry_) return seen;
    for (const int species : eulerian_species(setup_.chemistry, *setup_.mechanism))
        for (std::size_t s = 0; s < substances_.size(); ++s)
            if (substances_[s].species == species && substances_[s].ambient == 0) seen.push_back(s);
    return seen;
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
