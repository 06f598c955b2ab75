#include "models/vortex_fire/tree_velocity.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"
#include "models/vortex_fire/biot_savart.h"
#include "models/vortex_fire/expansion.h"
#include "models/vortex_fire/particle_tree.h"
#include "models/vortex_fire/tree_nodes.h"

namespace phlo::models {
namespace {

using simd::Float;
using simd::Mask;

constexpr int order = 4;               ///< of the expansion of ψ; that of u is one less
constexpr int leaf_size = 16;          ///< vortons of a leaf and targets of a group: whole packs
constexpr int chunk = 4096;            ///< targets of one task, where all tasks are equal
static_assert(leaf_size % simd::width == 0);

using Node = SourceNode<order>;

/// In the order of a tree, in the units of a frame.
std::vector<PackedVorton> sorted(const ParticleTree& tree, const TreeFrame& frame, std::span<const Vec3f> places, std::span<const Vec3f> strengths) {
    const std::span<const int> indices = tree.order();
    std::vector<PackedVorton> result(places.size());
    parallel_for(int((places.size() + chunk - 1) / chunk), [&](int c) {
        for (std::size_t s = std::size_t(c) * chunk; s < std::min(places.size(), std::size_t(c + 1) * chunk); ++s) {
            const Vec3f p = frame(places[std::size_t(indices[s])]), g = strengths.empty() ? Vec3f() : strengths[std::size_t(indices[s])];
            result[s] = {p.x, p.y, p.z, g.x, g.y, g.z};
        }
    });
    return result;
}

/// u and its gradient from a group's expansion, at offsets from its centre.
template <bool with_gradient>
PHLO_INLINE void add_local(const LocalVelocity<order>& local, Float x, Float y, Float z, Float u[3], Float g[9]) {
    Float weight[term_count(order - 1)];
    monomials<order - 1>(x, y, z, weight);
    for (int c = 0; c < 3; ++c)
        for (int i = 0; i < term_count(order - 1); ++i) u[c] = fma(Float(local[std::size_t(i)][c]), weight[i], u[c]);
    if constexpr (with_gradient)
        for (int i = 0; i < term_count(order - 2); ++i)
            for (int j = 0; j < 3; ++j) {
                const Vec3f& slope = local[std::size_t(index_of(powers<order>[std::size_t(i)].plus(j)))];
                for (int c = 0; c < 3; ++c) g[3 * c + j] = fma(Float(slope[c]), weight[i], g[3 * c + j]);
            }
}

}  // namespace

struct TreeVelocity::Parts {
    TreeFrame frame;
    float sigma_squared = 0;   ///< in the frame
    float tolerance = 0;       ///< of the error that a node makes by its expansion
    float apart = 0;           ///< sum of the radii of node and group by their distance, at most
    ParticleTree tree;
    std::vector<PackedVorton> vortons;
    std::vector<Node> nodes;

    struct Lanes;
    void gather(int node);
    void split_field(Lanes& lanes) const;
    template <bool with_gradient>
    void evaluate(const Lanes& lanes, int lane, const VortonRange& group, const PackedVorton* targets, const int* index, const InducedResults& results) const;
    TreeWork run(const ParticleTree& groups, std::span<const PackedVorton> targets, const InducedResults& results) const;
};

/// Groups of targets, one a lane, and what acts on them.
struct TreeVelocity::Parts::Lanes {
    int count = 0;
    Vec3f centre[simd::width];
    simd::Float3 at;
    Float size, reach;
    LocalPacks<order> far;                       ///< of what is far, about the centres
    std::vector<VortonRange> near[simd::width];  ///< what is not
    double expansions = 0;

    explicit Lanes(std::span<const Extent> extents) : count(int(extents.size())) {
        alignas(64) float lane[5][simd::width] = {};
        for (int l = 0; l < count; ++l) {
            const Extent& e = extents[std::size_t(l)];
            centre[l] = e.centre;
            // A large group in thin surroundings has all others on one side, and their errors add up: it counts as larger than it is. Lengths are
            // by the size of all vortons together, see TreeFrame.
            lane[0][l] = e.centre.x, lane[1][l] = e.centre.y, lane[2][l] = e.centre.z, lane[3][l] = e.size(), lane[4][l] = e.reach() * (1 + e.size());
        }
        at = {simd::load(lane[0]), simd::load(lane[1]), simd::load(lane[2])};
        size = simd::load(lane[3]), reach = simd::load(lane[4]);
        for (auto& row : far.psi) row[0] = row[1] = row[2] = Float(0.0f);
    }
};

/// Extent and moments from the vortons of a leaf or from both children.
void TreeVelocity::Parts::gather(int n) {
    const ParticleTree::Node& node = tree.nodes()[std::size_t(n)];
    Node& to = nodes[std::size_t(n)];
    to.moments = {};
    if (node.is_leaf()) {
        to.extent = extent_of(vortons.data() + node.first, vortons.data() + node.last, true);
        for (int s = node.first; s < node.last; ++s) {
            const PackedVorton& v = vortons[std::size_t(s)];
            add_source<order>(Vec3f(v.x, v.y, v.z) - to.extent.centre, {v.gx, v.gy, v.gz}, to.moments);
        }
        to.size = to.extent.size(), to.reach = to.extent.reach();
        return;
    }
    const Node &left = nodes[std::size_t(n + 1)], &right = nodes[std::size_t(node.right)];
    to.extent = joined(left.extent, right.extent);
    to.size = to.extent.size(), to.reach = to.extent.reach();
    for (const Node* child : {&left, &right}) add_moments<order>(child->extent.centre - to.extent.centre, child->moments, to.moments);
}

/// Nodes that are far from a group go into its expansion, leaves that are near into its list.
void TreeVelocity::Parts::split_field(Lanes& lanes) const {
    const Mask all = simd::first_lanes(lanes.count);
    int stack[64] = {0};   // two at most for each of the 31 levels that numbers of particles allow
    for (int depth = 1; depth > 0;) {
        const int n = stack[--depth];
        const Node& source = nodes[std::size_t(n)];
        const ParticleTree::Node& node = tree.nodes()[std::size_t(n)];
        const Vec3f& c = source.extent.centre;
        const simd::Float3 between{lanes.at.x - Float(c.x), lanes.at.y - Float(c.y), lanes.at.z - Float(c.z)};
        const Float d2 = fma(between.x, between.x, fma(between.y, between.y, between.z * between.z));
        const Float size = lanes.size + Float(source.size), reach = lanes.reach + Float(source.reach), ratio = size * size / simd::max(d2, Float(1e-30f));
        const Mask far = all & (Float(source.extent.weight) * ratio * ratio <= Float(tolerance) * d2) & (reach * reach <= Float(apart * apart) * d2);
        const unsigned near = simd::bits(all & ~far);
        // A node that is near to one group is opened for all: its children cost no more for many groups than for one.
        if (near != 0 && !node.is_leaf()) {
            stack[depth++] = node.right;
            stack[depth++] = n + 1;
            continue;
        }
        if (simd::any(far)) {
            translate<order>(between, far, Float(sigma_squared), source.moments, lanes.far);
            lanes.expansions += std::popcount(simd::bits(far));
        }
        for (unsigned rest = near; rest != 0; rest &= rest - 1) {
            std::vector<VortonRange>& list = lanes.near[std::countr_zero(rest)];
            if (!list.empty() && list.back().last == node.first) list.back().last = node.last;
            else list.push_back({node.first, node.last});
        }
    }
}

template <bool with_gradient>
void TreeVelocity::Parts::evaluate(const Lanes& lanes, int lane, const VortonRange& group, const PackedVorton* targets, const int* index,
                                   const InducedResults& results) const {
    const Vec3f& centre = lanes.centre[lane];
    const LocalVelocity<order> local = curl_of<order>(potential_of_lane(lanes.far, lane));
    for (int first = group.first; first < group.last; first += simd::width) {
        const int count = std::min(simd::width, group.last - first);
        const TargetPack at(targets + first, count);
        InducedPack sum = sum_of_ranges<with_gradient>(at, vortons.data(), lanes.near[lane], Float(sigma_squared));
        Float g[9];
        gradient_of(sum, g);
        add_local<with_gradient>(local, at.x - Float(centre.x), at.y - Float(centre.y), at.z - Float(centre.z), sum.u, g);
        hand_out<with_gradient>(sum.u, g, index + first, count, results);
    }
}

TreeWork TreeVelocity::Parts::run(const ParticleTree& groups, std::span<const PackedVorton> targets, const InducedResults& results) const {
    // Leaves of the targets' tree are groups; neighbours, as many as a pack has lanes, are looked at together.
    const std::size_t group_count = groups.leaves().size(), items = (group_count + simd::width - 1) / simd::width;
    std::vector<TreeWork> work(items);
    parallel_for(int(items), [&](int item) {
        const std::size_t first = std::size_t(item) * simd::width, count = std::min(std::size_t(simd::width), group_count - first);
        const std::span<const ParticleTree::Leaf> leaves = groups.leaves().subspan(first, count);
        Extent extents[simd::width];
        for (std::size_t l = 0; l < count; ++l) extents[l] = extent_of(targets.data() + leaves[l].first, targets.data() + leaves[l].last, false);
        Lanes lanes({extents, count});
        split_field(lanes);
        TreeWork& done = work[std::size_t(item)];
        done.expansions = lanes.expansions;
        for (std::size_t l = 0; l < count; ++l) {
            const VortonRange group{leaves[l].first, leaves[l].last};
            if (results.gradient.empty()) evaluate<false>(lanes, int(l), group, targets.data(), groups.order().data(), results);
            else evaluate<true>(lanes, int(l), group, targets.data(), groups.order().data(), results);
            for (const VortonRange& range : lanes.near[l]) done.pairs += double(range.last - range.first) * (group.last - group.first);
        }
    }, Share::one_by_one);
    TreeWork total;
    for (const TreeWork& w : work) total.pairs += w.pairs, total.expansions += w.expansions;
    return total;
}

TreeVelocity::TreeVelocity() : parts_(std::make_unique<Parts>()) {}
TreeVelocity::~TreeVelocity() = default;
TreeVelocity::TreeVelocity(TreeVelocity&&) noexcept = default;
TreeVelocity& TreeVelocity::operator=(TreeVelocity&&) noexcept = default;

void TreeVelocity::build(const VortonView& vortons, const TreeParams& params) {
    PHLO_CHECK(vortons.position.size() == vortons.strength.size() && vortons.core_radius > 0 && params.theta > 0);
    Parts& parts = *parts_;
    parts.tree.build(vortons.position, leaf_size);
    parts.frame = frame_of(vortons);
    parts.sigma_squared = float(std::pow(vortons.core_radius * double(parts.frame.per_length), 2));
    parts.vortons = sorted(parts.tree, parts.frame, vortons.position, vortons.strength);
    parts.nodes.resize(parts.tree.nodes().size());
    const std::span<const int> subtrees = parts.tree.parts(), above = parts.tree.above();
    parallel_for(int(subtrees.size()), [&](int p) {
        const int root = subtrees[std::size_t(p)];
        for (int n = root + 2 * parts.tree.nodes()[std::size_t(root)].leaves - 2; n >= root; --n) parts.gather(n);
    }, Share::one_by_one);
    for (std::size_t n = above.size(); n-- > 0;) parts.gather(above[n]);
    if (parts.nodes.empty()) return;
    const Extent& all = parts.nodes[0].extent;
    const float scale = all.size() * all.size() + parts.sigma_squared;
    parts.apart = float(std::min(0.5 + 0.6 * params.theta, 0.9));
    parts.tolerance = float(std::pow(0.3 * params.theta, order)) * all.weight / scale;
}

TreeWork TreeVelocity::at_vortons(std::span<Vec3f> velocity, std::span<VelocityGradient> gradient) const {
    PHLO_CHECK(velocity.size() == parts_->vortons.size() && (gradient.empty() || gradient.size() == velocity.size()));
    return parts_->run(parts_->tree, parts_->vortons, {velocity, gradient, parts_->frame.per_length});
}

TreeWork TreeVelocity::at(std::span<const Vec3f> places, std::span<Vec3f> velocity, std::span<VelocityGradient> gradient) const {
    PHLO_CHECK(velocity.size() == places.size() && (gradient.empty() || gradient.size() == velocity.size()));
    if (parts_->vortons.empty()) {
        std::ranges::fill(velocity, Vec3f());
        std::ranges::fill(gradient, VelocityGradient());
        return {};
    }
    ParticleTree groups;
    groups.build(places, leaf_size);
    return parts_->run(groups, sorted(groups, parts_->frame, places, {}), {velocity, gradient, parts_->frame.per_length});
}

std::size_t TreeVelocity::bytes() const {
    return parts_->tree.bytes() + parts_->vortons.capacity() * sizeof(PackedVorton) + parts_->nodes.capacity() * sizeof(Node);
}

}  // namespace phlo::models
