#include "models/vortex_fire/tree_velocity.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"
#include "models/vortex_fire/biot_savart.h"
#include "models/vortex_fire/expansion.h"
#include "models/vortex_fire/particle_tree.h"

namespace phlo::models {
namespace {

using simd::Float;
using simd::Mask;

constexpr int order = 4;               ///< of the expansion of ψ; that of u is one less
constexpr int leaf_size = 16;          ///< vortons of a leaf and targets of a group: whole packs
constexpr int chunk = 4096;            ///< targets of one task, where all tasks are equal
constexpr float per_sphere = float(1 / (4 * std::numbers::pi));
static_assert(leaf_size % simd::width == 0);

/// A node of the tree of vortons, or a group of targets: where it is and how large.
struct Extent {
    Vec3f centre, low, high;
    float weight = 0;        ///< Σ |Γ|; for targets their number
    float second = 0;        ///< Σ weight · distance² from the centre

    float size() const { return weight > 0 ? std::sqrt(second / weight) : 0; }
    /// Distance of the centre from the farthest corner of the box.
    float reach() const { return length(max(high - centre, centre - low)); }
};

struct SourceNode {
    Extent extent;
    float size = 0, reach = 0;   ///< of the extent
    Moments<order> moments{};
};

/// Lengths of the order of one: powers of them stay within the range of floats, wherever and however large the vortons are.
struct Frame {
    Vec3f origin;
    float per_length = 1;
    Vec3f operator()(const Vec3f& p) const { return (p - origin) * per_length; }
};

Frame frame_of(const VortonView& vortons) {
    const std::span<const Vec3f> p = vortons.position;
    if (p.empty()) return {};
    const int count = int(p.size()), chunks = (count + chunk - 1) / chunk;
    const auto sum = [&](auto&& value) {
        return parallel_sum(chunks, [&](int c) {
            double part = 0;
            for (int i = c * chunk; i < std::min(count, (c + 1) * chunk); ++i) part += value(Vec3d(p[std::size_t(i)]));
            return part;
        });
    };
    const Vec3d centre = Vec3d(sum([](const Vec3d& q) { return q.x; }), sum([](const Vec3d& q) { return q.y; }), sum([](const Vec3d& q) { return q.z; })) / double(count);
    const double size = std::sqrt(sum([&](const Vec3d& q) { return dot(q - centre, q - centre); }) / count);
    return {Vec3f(centre), float(1 / std::max(size, vortons.core_radius))};
}

Extent extent_of(const PackedVorton* first, const PackedVorton* last, bool by_strength) {
    const auto place = [](const PackedVorton& v) { return Vec3f(v.x, v.y, v.z); };
    const auto weight = [&](const PackedVorton& v) { return by_strength ? length(Vec3f(v.gx, v.gy, v.gz)) : 1.0f; };
    Extent e;
    e.low = e.high = place(*first);
    const Vec3f base = e.low;   // sums near zero, wherever the vortons are
    Vec3f moment, plain;
    for (const PackedVorton* v = first; v != last; ++v) {
        const Vec3f p = place(*v);
        e.low = min(e.low, p), e.high = max(e.high, p);
        e.weight += weight(*v), moment += (p - base) * weight(*v), plain += p - base;
    }
    e.centre = base + (e.weight > 0 ? moment / e.weight : plain / float(last - first));
    for (const PackedVorton* v = first; v != last; ++v) e.second += weight(*v) * dot(place(*v) - e.centre, place(*v) - e.centre);
    return e;
}

Extent joined(const Extent& a, const Extent& b) {
    Extent e;
    e.low = min(a.low, b.low), e.high = max(a.high, b.high), e.weight = a.weight + b.weight;
    const float share = e.weight > 0 ? b.weight / e.weight : 0.5f;
    e.centre = a.centre + (b.centre - a.centre) * share;
    e.second = a.second + b.second + a.weight * dot(a.centre - e.centre, a.centre - e.centre) + b.weight * dot(b.centre - e.centre, b.centre - e.centre);
    return e;
}

/// In the order of a tree, in the units of a frame.
std::vector<PackedVorton> sorted(const ParticleTree& tree, const Frame& frame, std::span<const Vec3f> places, std::span<const Vec3f> strengths) {
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

/// A pack of targets; the last one again where there are no more.
struct TargetPack {
    Float x, y, z;
    TargetPack(const PackedVorton* first, int count) {
        alignas(64) float at[3][simd::width];
        for (int l = 0; l < simd::width; ++l) {
            const PackedVorton& p = first[std::min(l, count - 1)];
            at[0][l] = p.x, at[1][l] = p.y, at[2][l] = p.z;
        }
        x = simd::load(at[0]), y = simd::load(at[1]), z = simd::load(at[2]);
    }
};

struct Results {
    std::span<Vec3f> velocity;
    std::span<VelocityGradient> gradient;
    float per_length = 1;   ///< of the frame in which they were computed
};

/// Writes lane l to place index[l].
template <bool with_gradient>
void hand_out(const Float u[3], const Float g[9], const int* index, int count, const Results& results) {
    alignas(64) float lanes[12][simd::width];
    const float unit = per_sphere * results.per_length * results.per_length;
    for (int c = 0; c < 3; ++c) simd::store(lanes[c], u[c] * Float(unit));
    if constexpr (with_gradient)
        for (int c = 0; c < 9; ++c) simd::store(lanes[3 + c], g[c] * Float(unit * results.per_length));
    for (int l = 0; l < count; ++l) {
        const std::size_t i = std::size_t(index[l]);
        results.velocity[i] = {lanes[0][l], lanes[1][l], lanes[2][l]};
        if constexpr (with_gradient)
            results.gradient[i] = {{lanes[3][l], lanes[4][l], lanes[5][l]}, {lanes[6][l], lanes[7][l], lanes[8][l]}, {lanes[9][l], lanes[10][l], lanes[11][l]}};
    }
}

template <bool with_gradient>
PHLO_INLINE void add_range(const TargetPack& t, const PackedVorton* first, const PackedVorton* last, Float sigma_squared, InducedPack& total) {
    InducedPack sum = total;   // in registers
    const TargetPack at = t;
    for (const PackedVorton* v = first; v != last; ++v) add_vorton<with_gradient>(at.x, at.y, at.z, *v, sigma_squared, sum);
    total = sum;
}

InducedPack nothing() {
    InducedPack sum;
    for (Float* part : {sum.u, sum.spin}) part[0] = part[1] = part[2] = Float(0.0f);
    for (Float& part : sum.outer) part = Float(0.0f);
    return sum;
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
    Frame frame;
    float sigma_squared = 0;   ///< in the frame
    float tolerance = 0;       ///< of the error that a node makes by its expansion
    float apart = 0;           ///< sum of the radii of node and group by their distance, at most
    ParticleTree tree;
    std::vector<PackedVorton> vortons;
    std::vector<SourceNode> nodes;

    struct Lanes;
    void gather(int node);
    void split_field(Lanes& lanes) const;
    template <bool with_gradient>
    void evaluate(const Lanes& lanes, int lane, const PackedVorton* targets, const int* index, const Results& results) const;
    TreeWork run(const ParticleTree& groups, std::span<const PackedVorton> targets, const Results& results) const;
};

/// As many groups of targets as a pack has lanes, and what acts on them.
struct TreeVelocity::Parts::Lanes {
    int count = 0;
    ParticleTree::Leaf group[simd::width];
    Vec3f centre[simd::width];
    simd::Float3 at;
    Float size, reach;
    LocalPacks<order> far;
    std::vector<ParticleTree::Leaf> near[simd::width];
    TreeWork work;
};

/// Extent and moments from the vortons of a leaf or from both children.
void TreeVelocity::Parts::gather(int n) {
    const ParticleTree::Node& node = tree.nodes()[std::size_t(n)];
    SourceNode& to = nodes[std::size_t(n)];
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
    const SourceNode &left = nodes[std::size_t(n + 1)], &right = nodes[std::size_t(node.right)];
    to.extent = joined(left.extent, right.extent);
    to.size = to.extent.size(), to.reach = to.extent.reach();
    for (const SourceNode* child : {&left, &right}) add_moments<order>(child->extent.centre - to.extent.centre, child->moments, to.moments);
}

/// Nodes that are far from groups go into their expansions, leaves that are near into their lists.
void TreeVelocity::Parts::split_field(Lanes& lanes) const {
    struct Task {
        int node;
        Mask groups;
    };
    Task stack[64];   // two at most for each of the 31 levels that numbers of particles allow
    int depth = 0;
    stack[depth++] = {0, simd::first_lanes(lanes.count)};
    while (depth > 0) {
        const Task task = stack[--depth];
        const SourceNode& source = nodes[std::size_t(task.node)];
        const ParticleTree::Node& node = tree.nodes()[std::size_t(task.node)];
        const Vec3f& c = source.extent.centre;
        const simd::Float3 between{lanes.at.x - Float(c.x), lanes.at.y - Float(c.y), lanes.at.z - Float(c.z)};
        const Float d2 = fma(between.x, between.x, fma(between.y, between.y, between.z * between.z));
        const Float size = lanes.size + Float(source.size), reach = lanes.reach + Float(source.reach), ratio = size * size / simd::max(d2, Float(1e-30f));
        const Mask far = (Float(source.extent.weight) * ratio * ratio <= Float(tolerance) * d2) & (reach * reach <= Float(apart * apart) * d2);
        const Mask near = task.groups & ~far;
        // A node that is near to one group is opened for all: its children cost no more for many groups than for one.
        if (simd::any(near) && !node.is_leaf()) {
            stack[depth++] = {node.right, task.groups};
            stack[depth++] = {task.node + 1, task.groups};
            continue;
        }
        if (const Mask these = task.groups & far; simd::any(these)) {
            translate<order>(between, these, Float(sigma_squared), source.moments, lanes.far);
            lanes.work.expansions += std::popcount(simd::bits(these));
        }
        for (int l = 0; l < lanes.count && simd::any(near); ++l) {
            if (!((simd::bits(near) >> l) & 1)) continue;
            std::vector<ParticleTree::Leaf>& list = lanes.near[l];
            if (!list.empty() && list.back().last == node.first) list.back().last = node.last;
            else list.push_back({node.first, node.last});
        }
    }
}

template <bool with_gradient>
void TreeVelocity::Parts::evaluate(const Lanes& lanes, int lane, const PackedVorton* targets, const int* index, const Results& results) const {
    const ParticleTree::Leaf& group = lanes.group[lane];
    const Vec3f& centre = lanes.centre[lane];
    const LocalVelocity<order> local = curl_of_lane(lanes.far, lane);
    for (int first = group.first; first < group.last; first += simd::width) {
        const int count = std::min(simd::width, group.last - first);
        const TargetPack at(targets + first, count);
        InducedPack sum = nothing();
        for (const ParticleTree::Leaf& range : lanes.near[lane])
            add_range<with_gradient>(at, vortons.data() + range.first, vortons.data() + range.last, Float(sigma_squared), sum);
        Float g[9];
        gradient_of(sum, g);
        add_local<with_gradient>(local, at.x - Float(centre.x), at.y - Float(centre.y), at.z - Float(centre.z), sum.u, g);
        hand_out<with_gradient>(sum.u, g, index + first, count, results);
    }
}

TreeWork TreeVelocity::Parts::run(const ParticleTree& groups, std::span<const PackedVorton> targets, const Results& results) const {
    const int group_count = int(groups.leaves().size()), items = (group_count + simd::width - 1) / simd::width;
    std::vector<TreeWork> work(std::size_t(std::max(0, items)));
    parallel_for(items, [&](int item) {
        Lanes lanes;
        alignas(64) float at[5][simd::width] = {};
        lanes.count = std::min(simd::width, group_count - item * simd::width);
        for (int l = 0; l < lanes.count; ++l) {
            const ParticleTree::Leaf& group = lanes.group[l] = groups.leaves()[std::size_t(item * simd::width + l)];
            const Extent e = extent_of(targets.data() + group.first, targets.data() + group.last, false);
            lanes.centre[l] = e.centre;
            at[0][l] = e.centre.x, at[1][l] = e.centre.y, at[2][l] = e.centre.z, at[3][l] = e.size(), at[4][l] = e.reach();
        }
        lanes.at = {simd::load(at[0]), simd::load(at[1]), simd::load(at[2])};
        lanes.size = simd::load(at[3]), lanes.reach = simd::load(at[4]);
        for (auto& row : lanes.far.psi) row[0] = row[1] = row[2] = Float(0.0f);
        split_field(lanes);
        for (int l = 0; l < lanes.count; ++l) {
            if (results.gradient.empty()) evaluate<false>(lanes, l, targets.data(), groups.order().data(), results);
            else evaluate<true>(lanes, l, targets.data(), groups.order().data(), results);
            for (const ParticleTree::Leaf& range : lanes.near[l]) lanes.work.pairs += double(range.last - range.first) * (lanes.group[l].last - lanes.group[l].first);
        }
        work[std::size_t(item)] = lanes.work;
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
    return parts_->tree.bytes() + parts_->vortons.capacity() * sizeof(PackedVorton) + parts_->nodes.capacity() * sizeof(SourceNode);
}

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
        InducedPack sum = nothing();
        const PackedVorton *begin = packed.data(), *end = begin + packed.size();
        if (gradient.empty()) add_range<false>(at, begin, end, sigma_squared, sum);
        else add_range<true>(at, begin, end, sigma_squared, sum);
        Float g[9];
        gradient_of(sum, g);
        if (gradient.empty()) hand_out<false>(sum.u, g, index, count, {velocity, gradient, 1});
        else hand_out<true>(sum.u, g, index, count, {velocity, gradient, 1});
    });
}

}  // namespace phlo::models
