#include "render/live/fire_lamps.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/parallel_items.h"

namespace phlo::render {
namespace {

/// Power, and its first and second moments.
struct Cluster {
    double power = 0;
    Vec3d sum, squares;

    void add(const Glow& g) {
        const Vec3d p(g.position);
        power += double(g.power), sum += p * double(g.power), squares += p * p * double(g.power);
    }
    void add(const Cluster& o) { power += o.power, sum += o.sum, squares += o.squares; }
    Vec3d middle() const { return sum / power; }
    Vec3d variance() const { return squares / power - middle() * middle(); }
};

/// A plane through the middle of a cluster, across the axis along which it is longest.
struct Cut {
    int axis = 2;
    float at = 0;
};

}  // namespace

std::vector<FireLamp> gather_lamps(std::span<const Glow> glows, const Vec3f& intensity_per_power, int count) {
    PHLO_CHECK(std::has_single_bit(unsigned(count)));
    constexpr int chunk = 8192, enough = 16384;  // a cut through the middle of so many points is one through the middle of all
    const int all = int(glows.size());
    // A tree of cuts, as a heap: node 1 is everything, node n has the children 2n and 2n + 1.
    std::vector<Cut> cuts(std::size_t(count) * 2);
    const auto node_of = [&](const Glow& g, int levels) {
        // An array, because which axis comes next cannot be foreseen.
        const float place[3] = {g.position.x, g.position.y, g.position.z};
        std::size_t node = 1;
        for (int l = 0; l < levels; ++l) node = 2 * node + (place[cuts[node].axis] > cuts[node].at);
        return node;
    };
    std::vector<Cluster> clusters;
    const int levels = std::countr_zero(unsigned(count));
    for (int level = 0; level <= levels; ++level) {
        const std::size_t first = std::size_t(1) << level;
        const int step = level < levels ? std::max(1, all / enough) : 1, taken = (all + step - 1) / step;
        clusters.assign(first, {});
        sum_in_order(
            (taken + chunk - 1) / chunk,
            [&](int item) {
                std::vector<Cluster> part(first);
                for (int n = item * chunk; n < std::min(taken, (item + 1) * chunk); ++n)
                    if (const Glow& g = glows[std::size_t(n) * std::size_t(step)]; g.power > 0) part[node_of(g, level) - first].add(g);
                return part;
            },
            [&](const std::vector<Cluster>& part) {
                for (std::size_t n = 0; n < first; ++n) clusters[n].add(part[n]);
            });
        if (level == levels) break;
        for (std::size_t n = 0; n < first; ++n) {
            if (!(clusters[n].power > 0)) continue;
            const Vec3d v = clusters[n].variance();
            const int axis = v.z >= v.x && v.z >= v.y ? 2 : v.x >= v.y ? 0 : 1;
            cuts[first + n] = {axis, float(clusters[n].middle()[axis])};
        }
    }
    std::vector<FireLamp> lamps;
    for (const Cluster& c : clusters) {
        if (!(c.power > 0)) continue;
        const Vec3d v = c.variance();
        // A ball of even light has a mean square distance of 3/5 of its radius squared.
        lamps.push_back({Vec3f(c.middle()), intensity_per_power * float(c.power), float(std::sqrt(std::max(0.0, (v.x + v.y + v.z) * 5 / 3)))});
    }
    return lamps;
}

}  // namespace phlo::render
