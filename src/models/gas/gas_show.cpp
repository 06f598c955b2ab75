// What leaves the model for programs that look.
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
field::Frame Gas::show(bool velocity) const {
    field::Frame frame{.time = time(), .world = domain().bounds()};
    if (gas_.chemistry) gas_.chemistry->show(frame);
    for (const geom::Placement& placed : gas_.flow.placements()) frame.surfaces.push_back(geom::surface(placed));

    const field::Domain part = shown_part(frame);
    field::Copies copies(domain(), part);
    const auto volume = [&](std::string name, std::string unit, double background, float negligible, std::shared_ptr<const Grid> grid) {
        return field::Volume{.name = std::move(name), .unit = std::move(unit), .background = float(background), .negligible = negligible,
                             .domain = part, .room = domain(), .grid = std::move(grid)};
    };
    std::vector<field::Volume> volumes;
    const double ambient = gas_.setup.gas.ambient_temperature;   // the solver works with the excess over it
    volumes.push_back(volume("temperature", "K", ambient, negligible_heat, copies.add(gas_.excess_temperature, float(ambient))));
    for (const Substance& substance : gas_.substances)
        if (!substance.solid)
            volumes.push_back(volume(gas_.chemistry ? "c_" + substance.name : "density", gas_.chemistry ? "mol/m^3" : "1", substance.ambient, negligible_amount,
                                     copies.add(substance.amount)));
    if (!gas_.chemistry) std::swap(volumes[0], volumes[1]);
    const std::vector<field::Volume> whole = frame.volumes;   // until they are copied
    for (field::Volume& made : frame.volumes) made.grid = copies.add(*made.grid), made.domain = part;
    if (velocity) frame.velocity = {.domain = part, .room = domain(), .faces = copies.add(gas_.flow.velocity())};
    copies.make();

    std::vector<std::shared_ptr<const Grid>> seen;
    for (const std::string& name : visible_substances())
        for (const field::Volume& made : volumes)
            if (made.name == "c_" + name) seen.push_back(made.grid);
    if (!seen.empty()) volumes.push_back(volume("density", "mol/m^3", 0, negligible_amount, sum_of(seen)));
    frame.volumes.insert(frame.volumes.begin(), volumes.begin(), volumes.end());
    return frame;
}

/// Where the gas, or what chemistry has put into the frame, is not empty. Thresholds are lower than those of the volumes, whose values are rounded
/// and summed, so that nothing which they would show is left out.
field::Domain Gas::shown_part(const field::Frame& frame) const {
    std::vector<field::Content> contents{{&gas_.excess_temperature, 0, 0.9f * negligible_heat}};
    for (const Substance& substance : gas_.substances)
        if (!substance.solid) contents.push_back({&substance.amount, float(substance.ambient), negligible_amount / float(gas_.substances.size())});
    for (const field::Volume& volume : frame.volumes) contents.push_back({volume.grid.get(), volume.background, volume.negligible});
    return field::occupied_part(domain(), contents);
}

/// Programs that know nothing of species look for a density: the sum of these.
std::vector<std::string> Gas::visible_substances() const {
    std::vector<std::string> seen;
    if (!gas_.chemistry) return seen;
    for (const int species : eulerian_species(gas_.setup.chemistry, *gas_.setup.mechanism))
        for (const Substance& substance : gas_.substances)
            if (substance.species == species && substance.ambient == 0 && !substance.solid) seen.push_back(substance.name);
    return seen;
}

}  // namespace phlo::models
