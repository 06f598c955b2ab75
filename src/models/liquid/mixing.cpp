#include "models/liquid/mixing.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "flow/level_set.h"
#include "models/liquid/surface_motion.h"

namespace phlo::models {
namespace {

/// Liquids by name, in m^3; the hot part of a liquid as heat, in J.
void record(LiquidState& liquid, const Mixture& of, std::size_t which, const char* entry, double change) {
    if (change == 0) return;
    if (&of == &liquid.mixture) liquid.ledger.record(liquid.setup.liquid.substances()[which], entry, change);
    else if (which == 1) liquid.ledger.record("heat", entry, change * liquid.joules());
}

std::vector<double> in_drops(const LiquidState& liquid, const Mixture& of) {
    std::vector<double> each(of.count());
    for (std::size_t k = 0; k < each.size(); ++k) each[k] = volume_of(liquid.drops, &of == &liquid.mixture ? &Drops::shares : &Drops::warmth, int(k));
    return each;
}

std::vector<double> on_grid(const LiquidState& liquid, const Mixture& of) { return volumes(of, liquid.phi, liquid.h(), liquid.open()); }

/// What walls bring in.
Inflow inflow_of(const LiquidState& liquid, const Mixture& of) {
    Inflow inflow;
    for (std::size_t w = 0; w < 6; ++w) {
        const WallParams& wall = liquid.flow.shot().domain.walls[w];
        if (wall.kind == WallKind::inflow) inflow[w] = &of == &liquid.mixture ? only(0) : warm(liquid.temperatures.share(wall.temperature(liquid.flow.time())));
    }
    return inflow;
}

void carry(LiquidState& liquid, double dt, Mixture& mixture) {
    if (!mixture.any()) return;
    carry_shares({.dt = dt, .h = liquid.h(), .aperture = liquid.open() ? &liquid.flow.solids().aperture : nullptr, .volume = liquid.open(), .x_first = liquid.flow.steps() % 2 == 0},
                 liquid.flow.velocity(), liquid.phi, liquid.tiles, inflow_of(liquid, mixture), liquid.flow.idle_grid(0), mixture);
}

void open(const LiquidState& liquid, Mixture& mixture) {
    if (!mixture.any()) return;
    const std::vector<double> each = on_grid(liquid, mixture);
    for (std::size_t k = 0; k < each.size(); ++k) mixture.book[k] = {.start = each[k]};
}

void book_walls_of(LiquidState& liquid, double dt, Mixture& mixture) {
    if (!mixture.any()) return;
    const Inflow inflow = inflow_of(liquid, mixture);
    for (std::size_t k = 0; k < mixture.count(); ++k) {
        double left = 0, entered = 0;
        for (int w = 0; w < 6; ++w) {
            left += outflow(liquid, w, WallKind::open, &mixture.share[k]) * dt;
            if (inflow[std::size_t(w)]) entered -= outflow(liquid, w, WallKind::inflow) * dt * double((*inflow[std::size_t(w)])[k]);
        }
        mixture.book[k].left += left, mixture.book[k].poured += entered;
        record(liquid, mixture, k, "left", -left), record(liquid, mixture, k, "poured", entered);
    }
}

void settle(LiquidState& liquid, double dt, Mixture& mixture) {
    if (!mixture.any()) return;
    continue_shares(liquid.phi, liquid.h(), mixture);
    continue_shares_inside(liquid.flow.solids(), mixture, liquid.march);
    // The parts that the books ask for of the volume that there is: how large that is, the pressure mends.
    const std::vector<double> now = on_grid(liquid, mixture), flying = in_drops(liquid, mixture);
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
    for (std::size_t k = 0; k < mended.size(); ++k) record(liquid, mixture, k, "mended", mended[k]);
}

std::vector<double> with_drops(const LiquidState& liquid, const Mixture& of) {
    std::vector<double> each = on_grid(liquid, of);
    const std::vector<double> flying = in_drops(liquid, of);
    for (std::size_t k = 0; k < each.size(); ++k) each[k] += flying[k];
    return each;
}

}  // namespace

void carry_liquids(LiquidState& liquid, double dt) { carry(liquid, dt, liquid.mixture), carry(liquid, dt, liquid.warmth); }
std::vector<double> volumes_now(const LiquidState& liquid) { return with_drops(liquid, liquid.mixture); }

double heat_now(const LiquidState& liquid) { return liquid.warmth.any() ? with_drops(liquid, liquid.warmth)[1] * liquid.joules() : 0; }

double mean_temperature(const LiquidState& liquid) {
    const std::vector<double> each = with_drops(liquid, liquid.warmth);
    const double all = each[0] + each[1];
    return all > 0 ? liquid.temperatures.temperature(each[1] / all) : *liquid.setup.liquid.heat.temperature;
}

void open_books(LiquidState& liquid) { open(liquid, liquid.mixture), open(liquid, liquid.warmth); }

void book_walls_of_liquids(LiquidState& liquid, double dt) { book_walls_of(liquid, dt, liquid.mixture), book_walls_of(liquid, dt, liquid.warmth); }

void settle_liquids(LiquidState& liquid, double dt) {
    settle(liquid, dt, liquid.mixture);
    settle(liquid, dt, liquid.warmth);
    cool(liquid, dt);
}

void book_drops_that_left(LiquidState& liquid, const DropsAloft& before) {
    const auto book = [&](Mixture& mixture, const std::vector<double>& flew) {
        const std::vector<double> now = in_drops(liquid, mixture);
        for (std::size_t k = 0; k < now.size(); ++k) {
            const double left = flew[k] - now[k];
            mixture.book[k].left += left;
            record(liquid, mixture, k, "left", -left);
        }
    };
    book(liquid.mixture, before.liquids), book(liquid.warmth, before.warmth);
}

DropsAloft drops_aloft(const LiquidState& liquid) { return {in_drops(liquid, liquid.mixture), in_drops(liquid, liquid.warmth)}; }

namespace {

/// Area that the surface has in a cell, over h^2: a hat of a cell's width around `depth` cells below the surface. Over all cells it sums to the area of the surface there.
double area_in_cell(double phi, double h, double depth) { return std::max(0.0, 1 - std::fabs(phi / h + depth)); }

/// The area of the surface over that of the layer half a cell below it: drops lose more than a flat sea.
double widening(const LiquidState& liquid) {
    const Vec3i n = liquid.phi.layout().cells();
    const auto area = [&](double depth) {
        return parallel_sum(n.z, [&](int k) {
            double sum = 0;
            for (int j = 0; j < n.y; ++j)
                for (int i = 0; i < n.x; ++i) sum += area_in_cell(double(liquid.phi(i, j, k)), liquid.h(), depth);
            return sum;
        });
    };
    const double layer = area(0.5);
    return layer > 0 ? area(0) / layer : 1;
}

}  // namespace

// The surface loses k A (T - T_s). Heat is taken from a layer a cell thick, half a cell below the surface: what is liquid in part, f = 1/2 - phi/h, has just that share of the
// area, so that all of it cools at the rate k / (rho c h), and none faster.
void cool(LiquidState& liquid, double dt) {
    const LiquidHeatParams& heat = liquid.setup.liquid.heat;
    Mixture& warmth = liquid.warmth;
    if (!warmth.any() || heat.cooling == 0) return;
    const double h = liquid.h(), span = liquid.temperatures.hottest - liquid.temperatures.coldest, around = liquid.temperatures.share(heat.around());
    const double rate = heat.cooling * span / (liquid.joules() * h) * widening(liquid);
    const field::Grid* room = liquid.open();
    flow::inside_fractions(liquid.phi, h, warmth.part);
    const Vec3i n = warmth.part.layout().cells();
    const double lost = parallel_sum(n.z, [&](int k) {
        double sum = 0;
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) {
                const double area = area_in_cell(double(liquid.phi(i, j, k)), h, 0.5), part = double(warmth.part(i, j, k));
                if (!(area > 0) || !(part > 0)) continue;
                const double before = double(warmth.share[1](i, j, k)), after = around + (before - around) * std::exp(-rate * area / part * dt);
                warmth.set(i, j, k, warm(after));
                sum += (before - after) * part * (room != nullptr ? double((*room)(i, j, k)) : 1.0);
            }
        return sum;
    }) * h * h * h;
    warmth.book[1].drained += lost, warmth.book[0].drained -= lost;
    record(liquid, warmth, 1, "cooled", -lost);
}

PouringOne::PouringOne(LiquidState& liquid) : liquid_(liquid), volume_before_(liquid.volume()) {
    if (liquid.mixture.any()) liquids_before_ = on_grid(liquid, liquid.mixture);
    if (liquid.warmth.any()) heat_before_ = on_grid(liquid, liquid.warmth);
}

double PouringOne::added(int which, double temperature, double lost) {
    const double change = liquid_.volume() - volume_before_ - lost;
    const auto add = [&](Mixture& mixture, const Shares& what) {
        mix_in_added(liquid_.phi, liquid_.h(), what, mixture, liquid_.flow.idle_grid(0));
        for (std::size_t k = 0; k < mixture.count(); ++k) {
            mixture.book[k].poured += change * double(what[k]);
            record(liquid_, mixture, k, "poured", change * double(what[k]));
        }
    };
    if (liquid_.mixture.any()) add(liquid_.mixture, only(which));
    if (liquid_.warmth.any()) add(liquid_.warmth, warm(liquid_.temperatures.share(temperature)));
    return change;
}

double PouringOne::drained() {
    const auto take = [&](Mixture& mixture, const std::vector<double>& before) {
        if (!mixture.any()) return;
        const std::vector<double> after = on_grid(liquid_, mixture);
        for (std::size_t k = 0; k < after.size(); ++k) {
            mixture.book[k].drained += before[k] - after[k];
            record(liquid_, mixture, k, "drained", after[k] - before[k]);
        }
    };
    take(liquid_.mixture, liquids_before_), take(liquid_.warmth, heat_before_);
    return liquid_.volume() - volume_before_;
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
