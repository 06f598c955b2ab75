// Emitters on the grid: how much of each cell a source fills, and what it then does to a field.
//
//   Coverage coverage;
//   cover(domain, {.shape = &shape, .pose = motion.pose(t), .softness = 1.5, .noise = {.amplitude = 0.3}}, t, &solids, coverage);
//   ledger += hold(coverage, density, 1.0);                  // at least 1 inside the source
//   hold(coverage, temperature, 600, 293.15);                // towards 600 K, from ambient at the soft edge
//   ledger += add(coverage, fuel, 0.5 * dt);                 // 0.5 a second
//   blend_velocity(coverage, {0, 0, 2}, &solids, u);
//   add(coverage, phi, expansion);
//
// Only the source's box of cells is visited. The amounts returned are sums over cells; times h^3 they are what was added.
#pragma once
#include <vector>

#include "field/domain.h"
#include "field/mac.h"
#include "flow/solids.h"
#include "geom/noise.h"
#include "geom/pose.h"
#include "geom/shape.h"

namespace phlo::flow {

struct SourceNoise {
    double amplitude = 0;  ///< 0..1: how much of the weight noise may take away
    double scale = 0.1;  ///< size of the largest features [m]
    double speed = 1;  ///< how fast they change [1/s]
    int octaves = 3;
    int seed = 1;
};

struct SourceShape {
    const geom::Shape* shape = nullptr;
    geom::Pose pose;
    double softness = 1.5;  ///< width of the edge, centred on the surface [cells]
    double grown = 0;  ///< all of it lies this far outside the shape's own surface [m]
    SourceNoise noise;  ///< its pattern moves with the source
};

/// Weights in [0, 1] over a box of cells.
struct Coverage {
    Vec3i first, last;  ///< cells [first, last), inside the domain; empty if the source lies outside
    std::vector<float> weight;  ///< x fastest

    bool empty() const { return weight.empty(); }
    const float* row(int j, int k) const { return weight.data() + offset(j, k); }
    float operator()(int i, int j, int k) const { return row(j, k)[i - first.x]; }
    std::size_t offset(int j, int k) const {
        return (std::size_t(k - first.z) * std::size_t(last.y - first.y) + std::size_t(j - first.y)) * std::size_t(last.x - first.x);
    }

    // The shape's own weights are kept from call to call, and only made anew when the source has moved.
    std::vector<float> shape_weight;
    const geom::Shape* shape = nullptr;
    geom::Pose pose;
    double softness = -1, grown = 0;
    field::Domain domain;
};

/// Fills `coverage` with the source's weights at `time`. Cells covered by bodies (`solids`, may be null) get none.
void cover(const field::Domain& domain, const SourceShape& source, double time, const Solids* solids, Coverage& coverage);

/// Moves q to background + w (value - background) where it is not there yet: up if value > background, down otherwise.
/// Returns the sum of the changes.
double hold(const Coverage& coverage, field::Grid& q, double value, double background = 0);

/// q = value where w is at least `from`, as it was elsewhere. Returns the sum of the changes.
double replace(const Coverage& coverage, field::Grid& q, double value, double from);

/// q += w amount. Returns the sum added.
double add(const Coverage& coverage, field::Grid& q, double amount);

/// Blends the faces' velocity towards `velocity` by the mean weight of the two cells; wall faces and closed faces stay.
void blend_velocity(const Coverage& coverage, const Vec3d& velocity, const Solids* solids, field::MacGrid& u);

}  // namespace phlo::flow
