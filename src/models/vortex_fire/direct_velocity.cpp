#include <vector>

#include "base/error.h"
#include "base/parallel.h"
#include "models/vortex_fire/biot_savart.h"
#include "models/vortex_fire/tree_velocity.h"

namespace phlo::models {

using simd::Float;

void direct_velocity(const VortonView& vortons, std::span<const Vec3f> places, std::span<Vec3f> velocity, std::span<VelocityGradient> gradient) {
    PHLO_CHECK(vortons.position.size() == vortons.strength.size() && vortons.core_radius > 0);
    PHLO_CHECK(velocity.size() == places.size() && (gradient.empty() || gradient.size() == velocity.size()));
    std::vector<PackedVorton> packed(vortons.position.size());
    for (std::size_t j = 0; j < packed.size(); ++j) {
        const Vec3f &p = vortons.position[j], &g = vortons.strength[j];
        packed[j] = {p.x, p.y, p.z, g.x, g.y, g.z};
    }
    const Float sigma_squared(float(vortons.core_radius * vortons.core_radius));
    parallel_for(int((places.size() + simd::width - 1) / simd::width), [&](int pack) {
        const int first = pack * simd::width, count = std::min(simd::width, int(places.size()) - first);
        PackedVorton targets[simd::width];
        int index[simd::width];
        for (int l = 0; l < count; ++l) {
            const Vec3f& p = places[std::size_t(first + l)];
            targets[l] = {p.x, p.y, p.z, 0, 0, 0}, index[l] = first + l;
        }
        const TargetPack at(targets, count);
        const VortonRange all[] = {{0, int(packed.size())}};
        const InducedPack sum = gradient.empty() ? sum_of_ranges<false>(at, packed.data(), all, sigma_squared) : sum_of_ranges<true>(at, packed.data(), all, sigma_squared);
        Float g[9];
        gradient_of(sum, g);
        if (gradient.empty()) hand_out<false>(sum.u, g, index, count, {velocity, gradient, 1});
        else hand_out<true>(sum.u, g, index, count, {velocity, gradient, 1});
    });
}

}  // namespace phlo::models
