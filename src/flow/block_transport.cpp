#include "flow/block_transport.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "flow/block_sampler.h"

namespace phlo::flow {
namespace {

using field::BlockField;
using field::Blocks;

/// Paths that end at entries of one block.
class BlockPaths {
public:
    BlockPaths(const Blocks& blocks, int block, const PaddedVelocity& u, const BlockMotion& how)
        : blocks_(blocks), block_(block), u_(u), scale_(float(-how.dt / how.h)), size_(float(blocks.size(blocks.level(block)))) {
        constexpr float inset = 1e-4f;   // a point in an upper wall is in no block
        const int edge = 1 << blocks.depth();
        const Vec3i corner = blocks.place(block) * edge, all = blocks.base() * edge;
        for (int a = 0; a < 3; ++a) lower_[a] = float(-std::min(corner[a], edge)), upper_[a] = float(std::min(all[a] - corner[a], 2 * edge)) - inset;   // and no farther than the next block
    }

    /// Where the paths to entries i, i + 1 … of a row were before; of the first `lanes` of them.
    PHLO_INLINE BlockPoints origins(int axis, int i, int j, int k, int lanes) const {
        const auto coordinate = [&](int index, int a) { return (float(index) + (a == axis ? 0.f : 0.5f)) * size_; };
        const Float x = fma(to_float(simd::lane_index()), Float(size_), Float(coordinate(i, 0)));
        const Float3 start{x, Float(coordinate(j, 1)), Float(coordinate(k, 2))};
        const Float half(0.5f * scale_), whole(scale_);
        const Float3 first = velocity_at_entry(axis, i, j, k);
        const Float3 middle = inside({fma(half, first.x, start.x), fma(half, first.y, start.y), fma(half, first.z, start.z)});
        const Float3 second = BlockPoints(blocks_, block_, middle, lanes, size_).velocity(u_);
        return {blocks_, block_, inside({fma(whole, second.x, start.x), fma(whole, second.y, start.y), fma(whole, second.z, start.z)}), lanes, size_};
    }

private:
    PHLO_INLINE Float3 inside(const Float3& p) const {
        return {clamp(p.x, Float(lower_.x), Float(upper_.x)), clamp(p.y, Float(lower_.y), Float(upper_.y)), clamp(p.z, Float(lower_.z), Float(upper_.z))};
    }

    /// The face itself, or the mean of the nearest two or four.
    PHLO_INLINE Float3 velocity_at_entry(int axis, int i, int j, int k) const {
        const int wide = field::PaddedField::pitch(blocks_.level(block_)), steps[3] = {1, wide, wide * wide};
        const auto component = [&](int a) {
            const float* q = u_[std::size_t(a)].origin(block_) + i + wide * (j + wide * k);
            if (a == axis) return simd::load(q);
            const Float here = simd::load(q) + simd::load(q + steps[a]);
            if (axis < 0) return Float(0.5f) * here;
            return Float(0.25f) * (here + (simd::load(q - steps[axis]) + simd::load(q - steps[axis] + steps[a])));
        };
        return {component(0), component(1), component(2)};
    }

    const Blocks& blocks_;
    int block_;
    const PaddedVelocity& u_;
    float scale_, size_;
    Vec3f lower_, upper_;
};

void store_lanes(float* to, Float values, int lanes) {
    if (lanes >= simd::width) simd::store(to, values);
    else simd::store(to, values, simd::first_lanes(lanes));
}

}  // namespace

void BlockTransport::start(const Blocks& blocks, const BlockVelocity& u, const BlockField<float>& phi) {
    blocks_ = &blocks;
    for (int axis = 0; axis < 3; ++axis) u_[std::size_t(axis)].copy(blocks, axis, u[std::size_t(axis)]);
    phi_.copy(blocks, field::centres, phi);
}

void BlockTransport::carry_level_set(const BlockMotion& how, BlockField<float>& phi) const {
    const Blocks& blocks = *blocks_;
    parallel_for(int(blocks.all().size()), [&](int item) {
        const int block = blocks.all()[std::size_t(item)], level = blocks.level(block), n = Blocks::side(level);
        const BlockPaths paths(blocks, block, u_, how);
        float* x = phi.block(blocks, block);
        // A surface this near may come within two cells, which is as far as redistancing looks.
        const float near = float(1.8 * how.fastest * how.dt + 3.5 * how.h * blocks.size(level));
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; i += simd::width) {
                    const int lanes = std::min(n - i, simd::width);
                    float* to = x + Blocks::offset(level, i, j, k);
                    if (!simd::any((simd::abs(simd::load(to)) < Float(near)) & simd::first_lanes(lanes))) continue;
                    store_lanes(to, paths.origins(field::centres, i, j, k, lanes).cubic(phi_, field::centres), lanes);
                }
    });
}

void BlockTransport::carry_velocity(const BlockMotion& how, const BlockField<float>& phi, BlockVelocity& u) const {
    const Blocks& blocks = *blocks_;
    parallel_for(int(blocks.all().size()), [&](int item) {
        const int block = blocks.all()[std::size_t(item)], level = blocks.level(block), n = Blocks::side(level), wide = Blocks::pitch(level);
        const BlockPaths paths(blocks, block, u_, how);
        const float* distance = phi.block(blocks, block);
        const float liquid = float(how.h * blocks.size(level));   // between levels the cells of either side may differ from the ghost
        for (int axis = 0; axis < 3; ++axis) {
            const int before = axis == 0 ? 1 : axis == 1 ? wide : wide * wide;
            float* v = u[std::size_t(axis)].block(blocks, block);
            Vec3i last(n);   // the face after the last cell is a finer neighbour's only here; others have it from their neighbour, or a wall
            if (const int above = blocks.neighbour(block, 2 * axis + 1); above < 0 || blocks.level(above) > level) ++last[axis];
            for (int k = 0; k < last.z; ++k)
                for (int j = 0; j < last.y; ++j)
                    for (int i = 0; i < last.x; i += simd::width) {
                        const int lanes = std::min(last.x - i, simd::width), place = Blocks::offset(level, i, j, k);
                        const Float nearest = min(simd::load(distance + place), simd::load(distance + place - before));
                        if (!simd::any((nearest < Float(liquid)) & simd::first_lanes(lanes))) continue;
                        store_lanes(v + place, paths.origins(axis, i, j, k, lanes).cubic(u_[std::size_t(axis)], axis), lanes);
                    }
        }
    });
    for (int axis = 0; axis < 3; ++axis) field::fill_ghosts_around(blocks, axis, field::Seams::one_value, u[std::size_t(axis)], field::Around::faces);
}

}  // namespace phlo::flow
