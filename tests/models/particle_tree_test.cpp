#include "models/vortex_fire/particle_tree.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace phlo::models {
namespace {

std::vector<Vec3f> scattered(int count) {
    std::vector<Vec3f> points;
    for (std::uint32_t i = 0; i < std::uint32_t(count); ++i) {
        const auto u = uniform4({.seed = 2}, i);
        points.push_back({u[0], 2 * u[1], 0.5f * u[2]});
    }
    return points;
}

TEST(particle_tree, leaves_hold_every_particle_once_and_are_full) {
    for (const int count : {1, 7, 8, 9, 100, 1000, 4097}) {
        ParticleTree tree;
        tree.build(scattered(count), 8);
        std::vector<int> seen(tree.order().begin(), tree.order().end());
        std::ranges::sort(seen);
        for (int i = 0; i < count; ++i) ASSERT_EQ(seen[std::size_t(i)], i);
        int next = 0;
        for (const ParticleTree::Leaf& leaf : tree.leaves()) {
            EXPECT_EQ(leaf.first, next);
            EXPECT_EQ(leaf.last, std::min(count, next + 8));
            next = leaf.last;
        }
        EXPECT_EQ(next, count);
        EXPECT_EQ(tree.nodes().size(), 2 * tree.leaves().size() - 1);
    }
}

TEST(particle_tree, children_share_out_their_parent_and_do_not_overlap_along_an_axis) {
    const std::vector<Vec3f> points = scattered(3000);
    ParticleTree tree;
    tree.build(points, 16);
    for (std::size_t n = 0; n < tree.nodes().size(); ++n) {
        const ParticleTree::Node& node = tree.nodes()[n];
        if (node.is_leaf()) continue;
        const ParticleTree::Node &left = tree.nodes()[n + 1], &right = tree.nodes()[std::size_t(node.right)];
        EXPECT_EQ(left.first, node.first);
        EXPECT_EQ(left.last, right.first);
        EXPECT_EQ(right.last, node.last);
        EXPECT_EQ(left.leaves + right.leaves, node.leaves);
        bool apart = false;
        for (int axis = 0; axis < 3; ++axis) {
            float end = -1e30f, begin = 1e30f;
            for (int s = left.first; s < left.last; ++s) end = std::max(end, points[std::size_t(tree.order()[std::size_t(s)])][axis]);
            for (int s = right.first; s < right.last; ++s) begin = std::min(begin, points[std::size_t(tree.order()[std::size_t(s)])][axis]);
            apart = apart || end <= begin;
        }
        EXPECT_TRUE(apart) << n;
    }
}

TEST(particle_tree, eight_leaves_from_a_number_divisible_by_eight_are_one_node) {
    ParticleTree tree;
    tree.build(scattered(16 * 203), 16);
    for (std::size_t first = 0; first + 8 <= tree.leaves().size(); first += 8) {
        const int begin = tree.leaves()[first].first, end = tree.leaves()[first + 7].last;
        EXPECT_TRUE(std::ranges::any_of(tree.nodes(), [&](const ParticleTree::Node& n) { return n.first == begin && n.last == end; })) << first;
    }
}

}  // namespace
}  // namespace phlo::models
