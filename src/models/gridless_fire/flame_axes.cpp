#include "models/gridless_fire/flame_axes.h"

#include <algorithm>

#include "base/parallel.h"

namespace phlo::models {
namespace {

struct Sum {
    double count = 0;
    Vec3d place;
};

}  // namespace

void FlameAxes::find(const FireParticles& p, int brushes, double span, const Vec3f& start) {
    brushes_ = std::clamp(brushes, 1, max_brushes);
    per_age_ = float(ages / span);
    const std::size_t bins = std::size_t(brushes_ * ages);
    nodes_.resize(bins);
    constexpr std::size_t chunk = 16384;
    const int chunks = int((p.count() + chunk - 1) / chunk);
    std::vector<std::vector<Sum>> parts{std::size_t(chunks)};
    parallel_for(chunks, [&](int c) {
        std::vector<Sum>& part = parts[std::size_t(c)];
        part.resize(bins);
        for (std::size_t i = std::size_t(c) * chunk; i < std::min(p.count(), (std::size_t(c) + 1) * chunk); ++i) {
            const int age = std::min(int(p.age[i] * per_age_), ages - 1), brush = std::min(int(p.brush[i]), brushes_ - 1);
            Sum& sum = part[std::size_t(brush * ages + age)];
            sum.count += 1;
            sum.place += Vec3d(double(p.x[i]), double(p.y[i]), double(p.z[i]));
        }
    });
    std::vector<Sum> sums(bins);
    for (const auto& part : parts)
        for (std::size_t b = 0; b < bins; ++b) sums[b].count += part[b].count, sums[b].place += part[b].place;

    for (int brush = 0; brush < brushes_; ++brush) {
        Sum* line = &sums[std::size_t(brush * ages)];
        Node* node = &nodes_[std::size_t(brush * ages)];
        // Each point of the line is the mean over three ages, so that few particles make no corners; where nobody is the line goes on as before.
        Vec3d last(start);
        for (int a = 0; a < ages; ++a) {
            Sum near;
            for (int b = std::max(0, a - 1); b <= std::min(ages - 1, a + 1); ++b) near.count += line[b].count, near.place += line[b].place;
            if (near.count > 0) last = near.place / near.count;
            node[a].place = Vec3f(last);
        }
        for (int a = 0; a < ages; ++a) {
            const Vec3f along = node[std::min(a + 1, ages - 1)].place - node[std::max(a - 1, 0)].place;
            const float size = length(along);
            node[a].along = size > 1e-6f ? along / size : Vec3f(0, 0, 1);
        }
    }
}

}  // namespace phlo::models
