#include "render/volumes/gas_view.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.h"
#include "render/fast_math.h"
#include "render/volumes/grid_walk.h"
#include "render/luminance.h"

namespace phlo::render {
namespace {

constexpr float hidden_chance = 0.02f;  // light deep in thick smoke is drawn rarely, but drawn

/// Place on a Z-order curve [morton1966].
std::uint64_t morton(const Vec3i& cell) {
    std::uint64_t code = 0;
    for (int bit = 0; bit < 20; ++bit)
        for (int axis = 0; axis < 3; ++axis) code |= std::uint64_t(cell[axis] >> bit & 1) << (3 * bit + axis);
    return code;
}

}  // namespace

GasView::GasView(const OpticalVolume& volume, const LitVolume& lit, int cells) {
    if (volume.empty()) return;
    const Vec3i n = volume.room.cells, shift = volume.shift();
    factor_ = std::max(1, (std::max({n.x, n.y, n.z}) + cells - 1) / cells);
    h_ = float(volume.domain.h) * float(factor_);
    for (int axis = 0; axis < 3; ++axis) {
        low_[axis] = (volume.first[axis] + shift[axis]) / factor_;
        count_[axis] = (volume.last[axis] + shift[axis]) / factor_ - low_[axis] + 1;
    }
    origin_ = Vec3f(volume.room.origin) + Vec3f(low_) * h_;
    cells_.resize(index(0, 0, count_.z));
    average(volume, lit);
    weigh();
}

void GasView::average(const OpticalVolume& volume, const LitVolume& lit) {
    const float scale = h_ / float(factor_ * factor_ * factor_);
    parallel_for(count_.z, [&](int k) {
        for (int j = 0; j < count_.y; ++j)
            for (int i = 0; i < count_.x; ++i) {
                const Vec3i corner = (low_ + Vec3i(i, j, k)) * factor_ - volume.shift();
                const Vec3i first = max(corner, Vec3i()), last = min(corner + Vec3i(factor_), volume.domain.cells);
                Cell sum;
                for (int z = first.z; z < last.z; ++z)
                    for (int y = first.y; y < last.y; ++y)
                        for (int x = first.x; x < last.x; ++x) {
                            const auto [light, sigma] = lit.cell({x, y, z});
                            sum.light += light, sum.depth += sigma;
                        }
                sum.light *= scale, sum.depth *= scale;
                cells_[index(i, j, k)] = sum;
            }
    });
}

/// The share of each cell's light that gets out of the gas: the mean over the six directions of the axes.
std::vector<float> GasView::escape() const {
    std::vector<float> share(cells_.size());
    for (int axis = 0; axis < 3; ++axis) {
        const int b = (axis + 1) % 3, c = (axis + 2) % 3;
        parallel_for(count_[c], [&](int at_c) {
            for (int at_b = 0; at_b < count_[b]; ++at_b)
                for (const bool back : {false, true}) {
                    float depth = 0;
                    for (int step = 0; step < count_[axis]; ++step) {
                        Vec3i cell;
                        cell[axis] = back ? count_[axis] - 1 - step : step, cell[b] = at_b, cell[c] = at_c;
                        const std::size_t at = index(cell.x, cell.y, cell.z);
                        share[at] += fast_exp(-(depth + 0.5f * cells_[at].depth)) / 6;
                        depth += cells_[at].depth;
                    }
                }
        });
    }
    return share;
}

void GasView::weigh() {
    const std::vector<float> share = escape();
    std::vector<std::pair<std::uint64_t, Vec3i>> order;
    double total = 0;
    for (int k = 0; k < count_.z; ++k)
        for (int j = 0; j < count_.y; ++j)
            for (int i = 0; i < count_.x; ++i) {
                const std::size_t at = index(i, j, k);
                cells_[at].chance = luminance(cells_[at].light) * (share[at] + hidden_chance);
                if (!(cells_[at].chance > 0)) continue;
                total += double(cells_[at].chance);
                order.push_back({morton({i, j, k}), {i, j, k}});
            }
    if (order.empty()) return;
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    double sum = 0;
    for (const auto& [code, cell] : order) {
        Cell& c = cells_[index(cell.x, cell.y, cell.z)];
        c.chance = float(double(c.chance) / total);
        sources_.push_back({sum += double(c.chance), cell});
    }
    constexpr int steps = 4096;
    std::size_t at = 0;
    for (int s = 0; s < steps; ++s) {
        while (at + 1 < sources_.size() && sources_[at].sum <= sum * s / steps) ++at;
        starts_.push_back(int(at));
    }
    starts_.push_back(int(sources_.size()) - 1);
}

Vec3f GasView::draw(double uniform, RandomStream& random) const {
    const auto step = std::min(std::size_t(uniform * double(starts_.size() - 1)), starts_.size() - 2);
    const double u = uniform * sources_.back().sum;
    const auto first = sources_.begin() + starts_[step], last = sources_.begin() + starts_[step + 1];
    const auto found = std::upper_bound(first, last, u, [](double value, const Source& s) { return value < s.sum; });
    const float x = random.next(), y = random.next(), z = random.next();
    return origin_ + (Vec3f(found->at) + Vec3f(x, y, z)) * h_;
}

GasView::Seen GasView::look(const Ray& ray, float distance) const {
    Seen seen;
    if (cells_.empty()) return seen;
    const float end = distance / h_;
    walk_cells(count_, (ray.origin - origin_) / h_, ray.direction, 1e30f, [&](const Vec3i& at, float from, float to) {
        const Cell& cell = cells_[index(at.x, at.y, at.z)];
        if (!(cell.depth > 0)) return;
        seen.density += cell.chance * (to - from) * (to * to + to * from + from * from);
        if (!(from < end)) return;
        const float way = std::min(to, end) - from, depth = cell.depth * way;
        const float passed = fast_exp(-depth);
        // Light over the way: (1 - e^-depth) / depth, by its series where that cancels.
        const float share = depth > 0.01f ? (1 - passed) / depth : 1 - 0.5f * depth;
        seen.radiance += cell.light * (seen.transmittance * share * way);
        seen.transmittance *= passed;
    });
    seen.density *= 1 / 3.f;
    return seen;
}

}  // namespace phlo::render
