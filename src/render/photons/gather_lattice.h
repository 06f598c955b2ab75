// Gathered light changes slowly along a surface, and is the dearest part of a picture. It is found at every second pixel of every second row, and carried to the
// pixels between along the surface that they see. Where those around a pixel see another surface, or differ by more than their grain, a shadow's edge
// passes, and the pixel is left to find its own (irradiance caching [ward1988], on a lattice of the film so that it does not depend on the order).
//
//   GatherLattice lattice(width, height, [&](float x, float y, int number) { return node_at(x, y); });   // a Node; normal zero where there is none
//   const auto near = lattice.at(x, y, hit);
//   Vec3f light = near ? near->light : shading.gathered(hit, inside, sample, turn, random);
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "base/vec.h"
#include "render/surfaces/surfaces.h"

namespace phlo::render {

class GatherLattice {
public:
    static constexpr int spacing = 2;                                ///< [pixels]
    static constexpr float shared_pixels = 4 * spacing * spacing;    ///< those that see some of a node's light

    struct Node {
        Vec3f point;
        Vec3f normal;         ///< zero: nothing there that could be carried to its neighbours
        Vec3f light;
        float variance = 0;   ///< of the luminance of `light`
        float footprint = 0;  ///< of a pixel there [m]
    };
    struct Light {
        Vec3f light;
        float variance = 0;
    };

    /// find(x, y, number): the node at a place of the film [pixels], which may lie beyond its edge.
    GatherLattice(int width, int height, const std::function<Node(float x, float y, int number)>& find);

    /// For a pixel that sees that; none if it had better look for itself.
    std::optional<Light> at(int x, int y, const Hit& hit) const;

private:
    int across_;
    std::vector<Node> nodes_;
};

}  // namespace phlo::render
