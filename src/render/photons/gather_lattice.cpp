#include "render/photons/gather_lattice.h"

#include <algorithm>
#include <cmath>

#include "render/film/likeness.h"
#include "render/film/pixels.h"
#include "render/luminance.h"

namespace phlo::render {
namespace {

constexpr float enough_weight = 0.5f;   // of nodes that see the same surface; all of them have 1
constexpr float same_light = 0.2f;      // nodes that differ by this share see the same light
constexpr float noise_reach = 2;        // or by so many standard deviations

}  // namespace

GatherLattice::GatherLattice(int width, int height, const std::function<Node(float, float, int)>& find)
    : across_((width - 1) / spacing + 2), nodes_(std::size_t(across_) * std::size_t((height - 1) / spacing + 2)) {
    for_each_pixel(across_, int(nodes_.size()) / across_, [&](int x, int y) {
        const int number = y * across_ + x;
        nodes_[std::size_t(number)] = find(float(x * spacing) + 0.5f, float(y * spacing) + 0.5f, number);
    });
}

std::optional<GatherLattice::Light> GatherLattice::at(int x, int y, const Hit& hit) const {
    const float right = float(x % spacing) / spacing, down = float(y % spacing) / spacing;
    Light sum;
    float weights = 0, lowest = 1e30f, highest = 0, grain = 0;
    for (int b = 0; b < 2; ++b)
        for (int a = 0; a < 2; ++a) {
            const float share = (a ? right : 1 - right) * (b ? down : 1 - down);
            const Node& node = nodes_[std::size_t((y / spacing + b) * across_ + x / spacing + a)];
            if (!(share > 0) || node.normal == Vec3f()) continue;
            const float w = share * likeness(node.normal, hit.normal, hit.point - node.point, node.footprint * spacing / 2);
            const float value = luminance(node.light);
            sum.light += node.light * w, sum.variance += node.variance * w * w, weights += w;
            lowest = std::min(lowest, value), highest = std::max(highest, value), grain = std::max(grain, node.variance);
        }
    if (weights < enough_weight || highest - lowest > same_light * highest + noise_reach * std::sqrt(grain)) return std::nullopt;
    return Light{sum.light / weights, sum.variance / (weights * weights)};
}

}  // namespace phlo::render
