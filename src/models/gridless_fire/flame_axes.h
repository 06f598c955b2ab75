// The middle line of each tongue of a flame: where the particles of a brush are on average, by their age. It bends with the wind and lags behind a
// source that is dragged, because the particles do.
//
//   axes.find(particles, brushes, span, start);           // ages up to `span` seconds
//   Vec3f away = axes.away(brush, age, place);            // from the line, at a right angle to it
#pragma once
#include <array>
#include <vector>

#include "base/vec.h"
#include "models/gridless_fire/fire_particles.h"

namespace phlo::models {

class FlameAxes {
public:
    static constexpr int ages = 24;          ///< points of a line
    static constexpr int max_brushes = 32;

    /// `start`: where new particles begin, for lines nobody is on.
    void find(const FireParticles& particles, int brushes, double span, const Vec3f& start);

    /// Vector from the tongue's line to a place, across the line.
    Vec3f away(std::uint32_t brush, float age, const Vec3f& place) const {
        const float at = std::min(std::max(age * per_age_ - 0.5f, 0.0f), float(ages - 1) - 1e-3f);
        const int whole = int(at);
        const float t = at - float(whole);
        const Node* node = &nodes_[std::size_t(std::min(int(brush), brushes_ - 1) * ages + whole)];
        const Vec3f to = place - (node[0].place + (node[1].place - node[0].place) * t);
        return to - node[0].along * dot(to, node[0].along);
    }

private:
    struct Node {
        Vec3f place, along;    ///< [m], unit
    };
    int brushes_ = 1;
    float per_age_ = 1;
    std::vector<Node> nodes_;
};

}  // namespace phlo::models
