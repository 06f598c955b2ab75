#include "models/vortex_fire/particle_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/parallel.h"

namespace phlo::models {
namespace {

constexpr int part_count = 32;   ///< parts() has about as many, for any number of threads
constexpr int chunk = 8192;      ///< particles of one task

/// The order along an axis; the number of a particle decides between equal places.
template <int axis, class Item>
void part_at(Item* first, Item* middle, Item* last) {
    std::nth_element(first, middle, last, [](const Item& a, const Item& b) {
        const float p = a.place[axis], q = b.place[axis];
        return p < q || (p == q && a.index < b.index);
    });
}

}  // namespace

/// Gives a node its children, if it has more than one leaf.
bool ParticleTree::split(int n) {
    const Node node = nodes_[std::size_t(n)];
    if (node.leaves == 1) return false;
    Item *const first = items_.data() + node.first, *const last = items_.data() + node.last;
    Vec3f low = first->place, high = low;
    for (const Item* i = first; i != last; ++i) low = min(low, i->place), high = max(high, i->place);
    const Vec3f size = high - low;
    const int left = (node.leaves + 1) / 2, middle = node.first + left * leaf_size_;
    Item* const at = items_.data() + middle;
    if (size.x >= size.y && size.x >= size.z) part_at<0>(first, at, last);
    else if (size.y >= size.z) part_at<1>(first, at, last);
    else part_at<2>(first, at, last);
    nodes_[std::size_t(n)].right = n + 2 * left;
    nodes_[std::size_t(n + 1)] = {.first = node.first, .last = middle, .right = 0, .leaves = left};
    nodes_[std::size_t(n + 2 * left)] = {.first = middle, .last = node.last, .right = 0, .leaves = node.leaves - left};
    return true;
}

void ParticleTree::split_all(int n) {
    if (!split(n)) return;
    split_all(n + 1);
    split_all(nodes_[std::size_t(n)].right);
}

void ParticleTree::build(std::span<const Vec3f> points, int leaf_size) {
    PHLO_CHECK(leaf_size > 0 && points.size() < std::size_t(std::numeric_limits<int>::max()));
    const int count = int(points.size()), leaf_count = (count + leaf_size - 1) / leaf_size, chunks = (count + chunk - 1) / chunk;
    leaf_size_ = leaf_size;
    items_.resize(points.size()), order_.resize(points.size());
    nodes_.assign(std::size_t(std::max(0, 2 * leaf_count - 1)), {});
    leaves_.clear(), parts_.clear(), above_.clear();
    const double finite = parallel_sum(chunks, [&](int c) {
        float sum = 0;
        for (int i = c * chunk; i < std::min(count, (c + 1) * chunk); ++i) {
            const Vec3f& p = points[std::size_t(i)];
            items_[std::size_t(i)] = {p, i}, sum += (p.x + p.y + p.z) * 0.0f;
        }
        return double(sum);
    });
    if (finite != 0) throw RunError("the place of a particle is not a finite number");
    if (count == 0) return;

    nodes_[0] = {.first = 0, .last = count, .right = 0, .leaves = leaf_count};
    parts_ = {0};
    while (int(parts_.size()) < part_count) {   // level by level, nodes of a level side by side
        std::vector<int> next;
        std::vector<char> divided(parts_.size());
        parallel_for(int(parts_.size()), [&](int p) { divided[std::size_t(p)] = split(parts_[std::size_t(p)]); }, Share::one_by_one);
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            const int n = parts_[p];
            next.push_back(divided[p] ? n + 1 : n);
            if (divided[p]) next.push_back(nodes_[std::size_t(n)].right), above_.push_back(n);
        }
        if (next.size() == parts_.size()) break;
        parts_ = std::move(next);
    }
    parallel_for(int(parts_.size()), [&](int p) { split_all(parts_[std::size_t(p)]); }, Share::one_by_one);
    for (int first = 0; first < count; first += leaf_size) leaves_.push_back({first, std::min(count, first + leaf_size)});
    parallel_for(chunks, [&](int c) {
        for (int i = c * chunk; i < std::min(count, (c + 1) * chunk); ++i) order_[std::size_t(i)] = items_[std::size_t(i)].index;
    });
}

std::size_t ParticleTree::bytes() const {
    return items_.capacity() * sizeof(Item) + nodes_.capacity() * sizeof(Node) + leaves_.capacity() * sizeof(Leaf) + order_.capacity() * sizeof(int);
}

}  // namespace phlo::models
