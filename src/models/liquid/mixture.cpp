#include "models/liquid/mixture.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "flow/extend.h"
#include "flow/level_set.h"
#include "particles/sample.h"

namespace phlo::models {
namespace {

constexpr float trace = 1e-3f;   ///< what air holds of the liquids continued into it

using Sums = std::array<double, std::size_t(most_liquids)>;

Sums operator+(Sums a, const Sums& b) {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
    return a;
}

/// Amounts from shares, or back.
void to_amounts(const flow::TileSet& tiles, Mixture& mixture) {
    tiles.for_each_run([&](const flow::CellBox& box) {
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j) {
                const float* __restrict f = mixture.part.row(j, k);
                for (field::Grid& share : mixture.share) {
                    float* __restrict c = share.row(j, k);
#pragma omp simd
                    for (int i = box.lower.x; i < box.upper.x; ++i) c[i] *= std::max(f[i], trace);
                }
            }
    });
}

void to_shares(const flow::TileSet& tiles, Mixture& mixture) {
    tiles.for_each_run([&](const flow::CellBox& box) {
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j)
                for (int i = box.lower.x; i < box.upper.x; ++i) {
                    Shares amounts = mixture.in_cell(i, j, k);
                    float sum = 0;
                    for (float& a : amounts) sum += a = std::max(a, 0.f);   // what rounding left below zero
                    if (!(sum > 0)) amounts = only(0), sum = 1;
                    for (float& a : amounts) a /= sum;
                    mixture.set(i, j, k, amounts);
                }
    });
}

/// visit(shares, amount of liquid in the cell) for all cells with some; sums by planes, in their order.
template <class Visit>
Sums sum_over_liquid(const Mixture& mixture, const field::Grid* open, const Visit& visit) {
    const Vec3i n = mixture.part.layout().cells();
    return parallel_reduce(
        n.z, Sums{},
        [&](int k) {
            Sums sums{};
            for (int j = 0; j < n.y; ++j) {
                const float *f = mixture.part.row(j, k), *room = open ? open->row(j, k) : nullptr;
                for (int i = 0; i < n.x; ++i)
                    if (const double amount = double(f[i]) * (room ? double(room[i]) : 1.0); amount > 0) visit(mixture.in_cell(i, j, k), amount, sums);
            }
            return sums;
        },
        [](const Sums& a, const Sums& b) { return a + b; });
}

Shares weighed(const Shares& shares, const Shares& weights) {
    Shares result{};
    float sum = 0;
    for (std::size_t k = 0; k < shares.size(); ++k) sum += result[k] = shares[k] * weights[k];
    for (float& c : result) c /= sum;
    return result;
}

bool pure(const Shares& shares) { return std::ranges::any_of(shares, [](float c) { return c >= 1; }); }

}  // namespace

Shares mixed(const Shares& a, const Shares& b, double more) {
    Shares result{};
    for (std::size_t k = 0; k < a.size(); ++k) result[k] = float((double(a[k]) + more * double(b[k])) / (1 + more));
    return result;
}

Mixture::Mixture(const field::Layout& layout, int liquids) {
    if (liquids < 2) return;
    part = field::Grid(layout);
    for (int k = 0; k < liquids; ++k) share.emplace_back(layout, k == 0 ? 1.f : 0.f);
    book.resize(std::size_t(liquids));
}

std::size_t Mixture::bytes() const {
    std::size_t sum = part.bytes();
    for (const field::Grid& one : share) sum += one.bytes();
    return sum;
}

Shares Mixture::in_cell(int i, int j, int k) const {
    Shares all{};
    for (std::size_t n = 0; n < share.size(); ++n) all[n] = share[n](i, j, k);
    return all;
}

void Mixture::set(int i, int j, int k, const Shares& shares) {
    for (std::size_t n = 0; n < share.size(); ++n) share[n](i, j, k) = shares[n];
}

Shares Mixture::at(const Vec3f& cells) const {
    if (!any()) return only(0);
    Shares all{};
    for (std::size_t n = 0; n < share.size(); ++n) all[n] = particles::sample(share[n], cells);
    return all;
}

void carry_shares(const flow::Conserving& how, const field::MacGrid& u, const field::Grid& phi, const flow::TileSet& tiles, const Inflow& inflow, field::Grid& slopes,
                  Mixture& mixture) {
    flow::TileSet around = tiles;
    around.dilate(1);   // as far as the transport looks
    flow::inside_fractions(phi, how.h, mixture.part);
    to_amounts(around, mixture);
    std::vector<flow::Companion> carried;
    for (std::size_t k = 0; k < mixture.count(); ++k) {
        flow::Companion one{.field = &mixture.share[k], .boundary = {}};
        for (std::size_t w = 0; w < 6; ++w)
            if (inflow[w]) one.boundary[w] = (*inflow[w])[k];
        carried.push_back(one);
    }
    transport_together(how, u, carried, tiles, &slopes);
    to_shares(around, mixture);
}

void continue_shares(const field::Grid& phi, double h, Mixture& mixture) {
    const Vec3i n = phi.layout().cells();
    const float half = float(0.5 * h);
    // Layers so thin that of each cell the neighbour towards the liquid lies in one before.
    for (int layer = 1; layer <= 6; ++layer) {
        const float nearest = float(layer) * half, farthest = nearest + half;
        parallel_for(n.z, [&](int k) {
            for (int j = 0; j < n.y; ++j)
                for (int i = 0; i < n.x; ++i) {
                    const float own = phi(i, j, k);
                    if (own < nearest || own >= farthest) continue;
                    Shares sum{};
                    float weights = 0;
                    const auto add = [&](int a, int b, int c) {
                        if (a < 0 || b < 0 || c < 0 || a >= n.x || b >= n.y || c >= n.z) return;
                        const float other = phi(a, b, c);
                        if (other >= nearest) return;
                        const float weight = own - other;
                        const Shares there = mixture.in_cell(a, b, c);
                        for (std::size_t m = 0; m < sum.size(); ++m) sum[m] += weight * there[m];
                        weights += weight;
                    };
                    add(i - 1, j, k), add(i + 1, j, k), add(i, j - 1, k), add(i, j + 1, k), add(i, j, k - 1), add(i, j, k + 1);
                    if (!(weights > 0)) continue;
                    for (float& c : sum) c /= weights;
                    mixture.set(i, j, k, sum);
                }
        });
    }
}

void continue_shares_inside(const flow::Solids& solids, Mixture& mixture, flow::MarchScratch& scratch) {
    if (!solids.present()) return;
    constexpr int layers = 3;
    for (field::Grid& share : mixture.share) extend_into_solids(solids, layers, 0, share, scratch);
}

std::vector<double> volumes(const Mixture& mixture, const field::Grid& phi, double h, const field::Grid* open) {
    flow::inside_fractions(phi, h, mixture.part);
    const Sums sums = sum_over_liquid(mixture, open, [](const Shares& shares, double amount, Sums& to) {
        for (std::size_t k = 0; k < to.size(); ++k) to[k] += amount * double(shares[k]);
    });
    std::vector<double> result;
    for (std::size_t k = 0; k < mixture.count(); ++k) result.push_back(sums[k] * h * h * h);
    return result;
}

std::vector<double> mend_shares(std::span<const double> wanted, double most, double h, const field::Grid* open, Mixture& mixture) {
    const std::size_t count = mixture.count();
    const double cell = h * h * h, step = double(count - 1) / double(count);
    std::array<double, std::size_t(most_liquids)> logs{};
    std::vector<double> before(count), now(count);
    Shares weights;
    weights.fill(1);
    constexpr int most_rounds = 6;
    for (int round = 0; round < most_rounds; ++round) {
        Sums slopes{};
        const auto slope_and_sum = [&](bool slope) {
            return sum_over_liquid(mixture, open, [&](const Shares& shares, double amount, Sums& to) {
                const Shares c = pure(shares) ? shares : weighed(shares, weights);
                for (std::size_t k = 0; k < count; ++k) to[k] += amount * double(c[k]) * (slope ? 1 - double(c[k]) : 1.0);
            });
        };
        const Sums sums = slope_and_sum(false);
        double all = 0, error = 0;
        for (std::size_t k = 0; k < count; ++k) {
            now[k] = sums[k] * cell, all += now[k];
            if (round == 0) before[k] = now[k];
            error = std::max(error, std::fabs(wanted[k] - now[k]));
        }
        if (error <= 1e-7 * all || round + 1 == most_rounds) break;
        slopes = slope_and_sum(true);
        bool moved = false;
        for (std::size_t k = 0; k < count; ++k) {
            if (!(slopes[k] > 1e-9 * all / cell)) continue;
            const double next = std::clamp(logs[k] + step * (wanted[k] - now[k]) / (slopes[k] * cell), -most, most);
            moved |= next != logs[k];
            logs[k] = next, weights[k] = float(std::exp(next));
        }
        if (!moved) break;
    }
    const Vec3i n = mixture.part.layout().cells();
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i)
                if (const Shares shares = mixture.in_cell(i, j, k); !pure(shares)) mixture.set(i, j, k, weighed(shares, weights));
    });
    for (std::size_t k = 0; k < count; ++k) now[k] -= before[k];
    return now;
}

void mix_in_added(const field::Grid& phi, double h, const Shares& added, Mixture& mixture, field::Grid& spare) {
    flow::inside_fractions(phi, h, spare);
    const Vec3i n = spare.layout().cells();
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) {
                const double before = double(mixture.part(i, j, k)), more = double(spare(i, j, k)) - before;
                if (!(more > 0)) continue;
                mixture.set(i, j, k, before > 0 ? mixed(mixture.in_cell(i, j, k), added, more / before) : added);
            }
    });
}

}  // namespace phlo::models
