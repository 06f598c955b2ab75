// Fields on blocks of several levels at a pack of points: the base array says in which block a point lies, the rest is sampler.h or cubic.h inside of that block.
//
//   const BlockPoints points(blocks, block, p);                 // p: finest cells from the lower corner of base cell `block`, a lane each
//   Float phi = points.cubic(padded_phi, field::centres);
//   Float3 u = points.velocity(padded_u);                       // linear
//
// Points lie in `block` or in one of the 26 around it. The lanes of a pack mostly lie in one block; those that do not are served in rounds.
#pragma once
#include <array>

#include "field/block_ghosts.h"
#include "flow/block_liquid.h"
#include "flow/cubic.h"

namespace phlo::flow {

class BlockPoints {
public:
    /// Of the first `lanes` lanes. The others go on from the last one in steps of `size`, what lies between two entries of `block`: they would tear the pack apart.
    PHLO_INLINE BlockPoints(const field::Blocks& blocks, int block, const Float3& p, int lanes = simd::width, float size = 1) : blocks_(blocks), base_(blocks.place(block)), p_(p) {
        const Float per_edge(1.0f / float(1 << blocks.depth()));
        code_ = to_int(floor(p.x * per_edge)) + to_int(floor(p.y * per_edge)) * Int(3) + to_int(floor(p.z * per_edge)) * Int(9) + Int(13);
        if (lanes < simd::width) keep_together(lanes, size);
    }
    PHLO_INLINE Float cubic(const field::PaddedField& x, int axis) const {
        return each_block<Float>([&](const Seen& seen) { return sample_cubic(seen.view(x), seen.at(axis)); });
    }
    PHLO_INLINE Float linear(const field::PaddedField& x, int axis) const {
        return each_block<Float>([&](const Seen& seen) { return sample_linear(seen.view(x), seen.at(axis)); });
    }
    PHLO_INLINE Float3 velocity(const PaddedVelocity& u) const {
        return each_block<Float3>([&](const Seen& seen) {
            return Float3{sample_linear(seen.view(u[0]), seen.at(0)), sample_linear(seen.view(u[1]), seen.at(1)), sample_linear(seen.view(u[2]), seen.at(2))};
        });
    }

private:
    /// Points as one block sees them.
    struct Seen {
        int index;
        Strides strides;
        Float3 cell;   ///< from its lower corner, in its own cells; lanes one cell apart are at the same place

        PHLO_INLINE View view(const field::PaddedField& x) const { return {x.origin(index), strides}; }
        /// From the entries before the points: those in the centres of cells lie half a cell on.
        PHLO_INLINE Float3 at(int axis) const {
            const Float half(0.5f);
            return {axis == 0 ? cell.x : cell.x - half, axis == 1 ? cell.y : cell.y - half, axis == 2 ? cell.z : cell.z - half};
        }
    };

    void keep_together(int lanes, float size) {
        alignas(64) int codes[simd::width];
        alignas(64) float x[simd::width], y[simd::width], z[simd::width];
        simd::store(codes, code_), simd::store(x, p_.x), simd::store(y, p_.y), simd::store(z, p_.z);
        for (int l = lanes; l < simd::width; ++l) codes[l] = codes[lanes - 1], x[l] = x[lanes - 1] + float(l - lanes + 1) * size, y[l] = y[lanes - 1], z[l] = z[lanes - 1];
        code_ = load_codes(codes), p_ = {simd::load(x), simd::load(y), simd::load(z)};
    }
    static Int load_codes(const int* codes) {   // whole numbers below 27 are exact as floats
        alignas(64) float values[simd::width];
        for (int l = 0; l < simd::width; ++l) values[l] = float(codes[l]);
        return to_int(simd::load(values));
    }

    PHLO_INLINE Seen see(int code) const {
        const Vec3i d(code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1);
        const int index = blocks_.index(base_ + d), level = blocks_.level(index), wide = field::PaddedField::pitch(level);
        const float edge = float(1 << blocks_.depth());
        const Float per_cell(1.0f / float(blocks_.size(level)));
        return {index, {wide, std::ptrdiff_t(wide) * wide},
                {(p_.x - Float(float(d.x) * edge)) * per_cell - to_float(simd::lane_index()), (p_.y - Float(float(d.y) * edge)) * per_cell,
                 (p_.z - Float(float(d.z) * edge)) * per_cell}};
    }

    template <class Value, class Sample>
    PHLO_INLINE Value each_block(const Sample& sample_one) const {
        const int first = simd::first_of(code_);
        if (simd::all(code_ == Int(first))) [[likely]] return sample_one(see(first));
        return in_rounds<Value>(sample_one);
    }
    /// One round for each block. Lanes that lie in others stay beside one that does not: they would tear the pack apart.
    template <class Value, class Sample>
    [[gnu::noinline]] Value in_rounds(const Sample& sample_one) const {
        alignas(64) int codes[simd::width];
        alignas(64) float x[simd::width], y[simd::width], z[simd::width];
        simd::store(codes, code_);
        Value values{};
        for (Mask left = simd::all_lanes(); simd::any(left);) {
            const int one = std::countr_zero(simd::bits(left)), code = codes[one];
            const Mask group = left & (code_ == Int(code));
            Seen seen = see(code);
            simd::store(x, seen.cell.x), simd::store(y, seen.cell.y), simd::store(z, seen.cell.z);
            seen.cell = {select(group, seen.cell.x, Float(x[one])), select(group, seen.cell.y, Float(y[one])), select(group, seen.cell.z, Float(z[one]))};
            merge(group, sample_one(seen), values);
            left = left & ~group;
        }
        return values;
    }
    PHLO_INLINE static void merge(Mask group, Float a, Float& b) { b = select(group, a, b); }
    PHLO_INLINE static void merge(Mask group, const Float3& a, Float3& b) { b = {select(group, a.x, b.x), select(group, a.y, b.y), select(group, a.z, b.z)}; }

    const field::Blocks& blocks_;
    Vec3i base_;
    Float3 p_;
    Int code_;
};

}  // namespace phlo::flow
