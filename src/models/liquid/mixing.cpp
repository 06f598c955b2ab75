#include "models/liquid/mixing.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "flow/level_set.h"
#include "models/liquid/surface_motion.h"

namespace phlo::models {
namespace {

void record(LiquidState& liquid, std::size_t which, const char* entry, double change) {
    if (change != 0) liquid.ledger.record(liquid.setup.liquid.substances()[which], entry, change);
}

std::vector<double> in_drops(const LiquidState& liquid) {
    std::vector<double> each(liquid.mixture.count());
    for (std::size_t k = 0; k < each.size(); ++k) each[k] = volume_of(liquid.drops, int(k));
    return each;
}

}  // namespace

void carry_liquids(LiquidState& liquid, double dt) {
    if (!liquid.mixture.any()) return;
    std::array<bool, 6> inflow{};
    for (std::size_t w = 0; w < 6; ++w) inflow[w] = liquid.flow.shot().domain.walls[w].kind == WallKind::inflow;
    carry_shares({.dt = dt, .h = liquid.h(), .aperture = liquid.open() ? &liquid.flow.solids().aperture : nullptr, .volume = liquid.open(), .x_first = liquid.flow.steps() % 2 == 0},
                 liquid.flow.velocity(), liquid.phi, liquid.tiles, inflow, liquid.flow.idle_grid(0), liquid.mixture);
}

std::vector<double> volumes_now(const LiquidState& liquid) {
    std::vector<double> each = volumes(liquid.mixture, liquid.phi, liquid.h(), liquid.open());
    const std::vector<double> flying = in_drops(liquid);
    for (std::size_t k = 0; k < each.size(); ++k) each[k] += flying[k];
    return each;
}

void open_books(LiquidState& liquid) {
    if (!liquid.mixture.any()) return;
    const std::vector<double> each = volumes(liquid.mixture, liquid.phi, liquid.h(), liquid.open());
    for (std::size_t k = 0; k < each.size(); ++k) liquid.mixture.book[k] = {.start = each[k]};
}

void book_walls_of_liquids(LiquidState& liquid, double dt) {
    for (std::size_t k = 0; k < liquid.mixture.count(); ++k) {
        const double left = outflow(liquid, WallKind::open, &liquid.mixture.share[k]) * dt;
        const double entered = k == 0 ? -outflow(liquid, WallKind::inflow) * dt : 0.0;
        liquid.mixture.book[k].left += left, liquid.mixture.book[k].poured += entered;
        record(liquid, k, "left", -left), record(liquid, k, "poured", entered);
    }
}

void settle_liquids(LiquidState& liquid, double dt) {
    Mixture& mixture = liquid.mixture;
    if (!mixture.any()) return;
    continue_shares(liquid.phi, liquid.h(), mixture);
    continue_shares_inside(liquid.flow.solids(), mixture, liquid.march);
    // The parts that the books ask for of the volume that there is: how large that is, the pressure mends.
    const std::vector<double> now = volumes(mixture, liquid.phi, liquid.h(), liquid.open()), flying = in_drops(liquid);
    std::vector<double> wanted(now.size());
    double all = 0, sum = 0;
    for (std::size_t k = 0; k < now.size(); ++k) {
        all += now[k];
        sum += wanted[k] = std::max(0.0, mixture.book[k].expected() - flying[k]);
    }
    if (!(all > 0) || !(sum > 0) || liquid.setup.liquid.volume_rate == 0) return;
    for (double& w : wanted) w *= all / sum;
    constexpr double fastest = 20;   // [1/s]
    const std::vector<double> mended = mend_shares(wanted, std::min(0.2, fastest * dt), liquid.h(), liquid.open(), mixture);
    for (std::size_t k = 0; k < mended.size(); ++k) record(liquid, k, "mended", mended[k]);
}

PouringOne::PouringOne(LiquidState& liquid) : liquid_(liquid) {
    if (liquid.mixture.any()) each_before_ = volumes(liquid.mixture, liquid.phi, liquid.h(), liquid.open());
    else before_ = liquid.volume();
    for (const double v : each_before_) before_ += v;
}

double PouringOne::added(int which) {
    Mixture& mixture = liquid_.mixture;
    const double change = liquid_.volume() - before_;
    if (!mixture.any()) return change;
    field::Grid& after = liquid_.flow.idle_grid(0);
    flow::inside_fractions(liquid_.phi, liquid_.h(), after);
    const Vec3i n = after.layout().cells();
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) {
                const double before = double(mixture.part(i, j, k)), more = double(after(i, j, k)) - before;
                if (!(more > 0)) continue;
                mixture.set(i, j, k, before > 0 ? mixed(mixture.in_cell(i, j, k), only(which), more / before) : only(which));
            }
    });
    mixture.book[std::size_t(which)].poured += change;
    record(liquid_, std::size_t(which), "poured", change);
    return change;
}

double PouringOne::drained() {
    const double change = liquid_.volume() - before_;
    if (!liquid_.mixture.any()) return change;
    const std::vector<double> after = volumes(liquid_.mixture, liquid_.phi, liquid_.h(), liquid_.open());
    for (std::size_t k = 0; k < after.size(); ++k) {
        liquid_.mixture.book[k].drained += each_before_[k] - after[k];
        record(liquid_, k, "drained", after[k] - each_before_[k]);
    }
    return change;
}

void push_by_density(LiquidState& liquid, double dt, field::MacGrid& u) {
    const Mixture& mixture = liquid.mixture;
    if (!mixture.any() || liquid.last_dt == 0) return;
    const std::vector<double> rho = liquid.setup.liquid.densities();
    const double least = liquid.setup.liquid.least_density();
    if (std::ranges::all_of(rho, [&](double r) { return r == least; })) return;
    const field::Grid& q = liquid.projector.pressure();   // dt p / (rho_0 h) of the last step
    const float longer = float(dt / liquid.last_dt);
    const auto excess = [&](int i, int j, int k) {   // rho / rho_0 - 1
        double sum = 0;
        for (std::size_t m = 0; m < mixture.count(); ++m) sum += (rho[m] / least - 1) * double(mixture.share[m](i, j, k));
        return float(sum);
    };
    const Vec3i n = q.layout().cells();
    for (int axis = 0; axis < 3; ++axis) {
        const int di = axis == 0, dj = axis == 1, dk = axis == 2;
        liquid.tiles.for_each_run([&](const flow::CellBox& box) {
            for (int k = std::max(box.lower.z, dk); k < std::min(box.upper.z, n.z); ++k)
                for (int j = std::max(box.lower.y, dj); j < std::min(box.upper.y, n.y); ++j)
                    for (int i = std::max(box.lower.x, di); i < std::min(box.upper.x, n.x); ++i) {
                        const float above = q(i, j, k), below = q(i - di, j - dj, k - dk);
                        if (above == 0 || below == 0) continue;   // air on one side, now or then
                        const float more = 0.5f * (excess(i, j, k) + excess(i - di, j - dj, k - dk));
                        u[axis](i, j, k) += (above - below) * longer * more / (1 + more);
                    }
        });
    }
}

}  // namespace phlo::models
