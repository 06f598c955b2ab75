// A tree over particles, split by their number along the longest side: leaves are equally full, whatever the particles do.
//
//   ParticleTree tree;
//   tree.build(points, 32);
//   for (const ParticleTree::Leaf& leaf : tree.leaves())
//       for (int s = leaf.first; s < leaf.last; ++s) use(points[tree.order()[s]]);
//
// Nodes are stored parents first: node 0 is the root, the left child of node n is n + 1, and all that is below a node follows it without a
// gap. All leaves but the last hold the same number of particles, a whole number of packs. Many particles in one place are no
// special case. Which particles share a leaf depends on their positions and numbers only.
#pragma once
#include <span>
#include <vector>

#include "base/vec.h"

namespace phlo::models {

class ParticleTree {
public:
    struct Node {
        int first = 0, last = 0;  ///< of order()
        int right = 0;            ///< the right child; 0 for a leaf
        int leaves = 0;           ///< below it; 1 for a leaf

        bool is_leaf() const { return right == 0; }
    };
    struct Leaf {
        int first = 0, last = 0;
    };

    /// Positions must be finite.
    void build(std::span<const Vec3f> points, int leaf_size);

    std::span<const Node> nodes() const { return nodes_; }
    std::span<const Leaf> leaves() const { return leaves_; }
    std::span<const int> order() const { return order_; }
    /// Nodes whose parts of the tree do not overlap and hold all leaves: for work side by side. Those above them are `above()`, parents first.
    std::span<const int> parts() const { return parts_; }
    std::span<const int> above() const { return above_; }
    std::size_t bytes() const;

private:
    struct Item {
        Vec3f place;
        int index;
    };

    bool split(int node);
    void split_all(int node);

    int leaf_size_ = 1;
    std::vector<Item> items_;
    std::vector<Node> nodes_;
    std::vector<Leaf> leaves_;
    std::vector<int> order_, parts_, above_;
};

}  // namespace phlo::models
