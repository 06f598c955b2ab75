#include "models/gas/open_share.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "models/gas/influence.h"
#include "particles/sample.h"

namespace phlo::models {
namespace {

constexpr int shells = 6, directions = 16;   ///< directions come in opposite pairs: a plane through the centre leaves exactly half

/// Weight of the Gaussian of standard deviation 1 inside the radius u: the integral of s² exp(-s²/2), times what makes it 1 at u = 1.
double weight_inside(double u) {
    const auto integral = [](double s) { return std::sqrt(std::numbers::pi / 2) * std::erf(s / std::numbers::sqrt2) - s * std::exp(-0.5 * s * s); };
    return integral(u) / integral(1);
}

/// Radius inside which the share `weight` lies.
double radius_with(double weight) {
    double low = 0, high = 1;
    for (int turn = 0; turn < 50; ++turn) {
        const double middle = 0.5 * (low + high);
        (weight_inside(middle) < weight ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

bool may_touch(const field::Domain& domain, const flow::Solids& solids, const Vec3f& cell, double radius) {
    if (radius < double(solids.far)) return double(particles::sample(solids.distance, cell)) < radius;
    const float reach = float(radius / domain.h);
    return std::ranges::any_of(solids.placed, [&](const flow::Solids::Placed& placed) {
        for (int axis = 0; axis < 3; ++axis)
            if (cell[axis] < float(placed.first[axis]) - reach || cell[axis] > float(placed.last[axis]) + reach) return false;
        return true;
    });
}

}  // namespace

OpenShare::OpenShare() {
    const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
    for (int s = 0; s < shells; ++s) {
        const double r = radius_with((s + 0.5) / shells);
        for (int d = 0; d < directions / 2; ++d) {
            const double z = (d + 0.5) / (directions / 2), side = std::sqrt(1 - z * z), angle = golden * d + s;
            const Vec3f lump(Vec3d(side * std::cos(angle), side * std::sin(angle), z) * r);
            lumps_.push_back(lump), lumps_.push_back(-lump);
        }
    }
}

double OpenShare::operator()(const field::Domain& domain, const flow::Solids* solids, const Vec3f& place, double radius) const {
    if (solids == nullptr || !solids->present()) return 1;
    const Vec3f centre = particles::cells_from_world(domain, place);
    if (!may_touch(domain, *solids, centre, radius)) return 1;
    const double half_width = 0.5 * radius * std::cbrt(4.0 / 3 * std::numbers::pi / double(lumps_.size()));   // of a lump
    const float in_cells = float(radius / domain.h), per_width = float(0.5 / half_width);
    float open = 0;
    for (const Vec3f& lump : lumps_)
        open += std::clamp(0.5f + particles::sample(solids->distance, centre + lump * in_cells) * per_width, 0.0f, 1.0f);
    return double(std::max(open, 1.0f)) / double(lumps_.size());
}

}  // namespace phlo::models
