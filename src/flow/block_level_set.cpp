#include "flow/block_level_set.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "flow/block_sampler.h"
#include "flow/plane_part.h"

namespace phlo::flow {

using field::BlockField;
using field::Blocks;

namespace {

/// The part of one cell, in the order of the level set's neighbours in memory.
double part_of(const float* p, int wide) {
    const int steps[3] = {1, wide, wide * wide};
    Slopes slopes{};
    for (int a = 0; a < 3; ++a) slopes.ahead[a] = double(p[steps[a]] - p[0]), slopes.behind[a] = double(p[0] - p[-steps[a]]);
    return part_inside(double(p[0]), slopes);
}

/// The mean of the finer entries of which a coarser one consists: cells in a cube, or faces in a square.
float mean_of(const float* x, int level, const Vec3i& first, int count, int axis) {
    Vec3i c, last(count);
    if (axis >= 0) last[axis] = 1;
    double sum = 0;
    for (c.z = 0; c.z < last.z; ++c.z)
        for (c.y = 0; c.y < last.y; ++c.y)
            for (c.x = 0; c.x < last.x; ++c.x) sum += double(x[Blocks::offset(level, first.x + c.x, first.y + c.y, first.z + c.z)]);
    return float(sum / (last.x * last.y * last.z));
}

/// Monotone cubic values at the entries of a finer block.
void refine(const Blocks& from, const field::PaddedField& padded, int axis, int block, const Blocks& to, float* x) {
    const int level = to.level(block), n = Blocks::side(level);
    const float size = float(to.size(level)), edge = float(1 << to.depth()) - 1e-4f;   // what lies in an upper wall is in no block
    const auto coordinate = [&](int index, int a) { return (float(index) + (a == axis ? 0.f : 0.5f)) * size; };
    Vec3i last(n);
    if (axis >= 0) ++last[axis];
    const bool at_wall = axis >= 0 && to.place(block)[axis] == to.base()[axis] - 1;
    const auto inside = [&](Float p, int a) { return at_wall && a == axis ? min(p, Float(edge)) : p; };
    for (int k = 0; k < last.z; ++k)
        for (int j = 0; j < last.y; ++j)
            for (int i = 0; i < last.x; i += simd::width) {
                const int lanes = std::min(last.x - i, simd::width);
                const Float along = min(to_float(simd::lane_index()), Float(float(lanes - 1))) * Float(size) + Float(coordinate(i, 0));
                const Float3 p{inside(along, 0), inside(Float(coordinate(j, 1)), 1), inside(Float(coordinate(k, 2)), 2)};
                simd::store(x + Blocks::offset(level, i, j, k), BlockPoints(from, block, p).cubic(padded, axis), simd::first_lanes(lanes));
            }
}

}  // namespace

double inside_volume(const Blocks& blocks, double h, const BlockField<float>& phi) {
    const std::vector<int>& all = blocks.all();
    const double cells = parallel_sum(int(all.size()), [&](int item) {
        const int block = all[std::size_t(item)], level = blocks.level(block), n = Blocks::side(level), wide = Blocks::pitch(level);
        const float *x = phi.block(blocks, block), size = float(h * blocks.size(level)), reach = 1.8f * size;   // beyond it a cell is full, or empty
        double sum = 0;
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i) {
                    const float* p = x + Blocks::offset(level, i, j, k);
                    if (*p < -reach) sum += 1;
                    else if (*p < reach) sum += part_of(p, wide);
                }
        return sum * std::pow(double(blocks.size(level)), 3);
    });
    return cells * h * h * h;
}

void sample(const Blocks& blocks, const field::PaddedField& x, int axis, field::Grid& to) {
    const int edge = 1 << blocks.depth();
    parallel_for(int(blocks.all().size()), [&](int item) {
        const int block = blocks.all()[std::size_t(item)];
        const Vec3i base = blocks.place(block), low = base * edge;
        Vec3i last(edge);
        const bool at_wall = axis >= 0 && base[axis] == blocks.base()[axis] - 1;
        if (at_wall) ++last[axis];
        const auto coordinate = [&](int index, int a) {
            const float p = float(index) + (a == axis ? 0.f : 0.5f);
            return at_wall && a == axis ? std::min(p, float(edge) - 1e-4f) : p;
        };
        for (int k = 0; k < last.z; ++k)
            for (int j = 0; j < last.y; ++j)
                for (int i = 0; i < last.x; i += simd::width) {
                    const int lanes = std::min(last.x - i, simd::width);
                    Float along = to_float(simd::lane_index()) + Float(float(i) + (axis == 0 ? 0.f : 0.5f));
                    along = min(along, Float(coordinate(i + lanes - 1, 0)));
                    const Float3 p{along, Float(coordinate(j, 1)), Float(coordinate(k, 2))};
                    simd::store(to.row(low.y + j, low.z + k) + low.x + i, BlockPoints(blocks, block, p).linear(x, axis), simd::first_lanes(lanes));
                }
    });
}

BlockField<float> transferred(const Blocks& from, const field::PaddedField& padded, const BlockField<float>& x, int axis, const Blocks& to) {
    BlockField<float> made(to);
    parallel_for(int(to.all().size()), [&](int item) {
        const int block = to.all()[std::size_t(item)], level = to.level(block), before = from.level(block);
        float* here = made.block(to, block);
        if (level == before) std::copy_n(x.block(from, block), Blocks::stored(level), here);
        else if (level > before) refine(from, padded, axis, block, to, here);
        else {
            const int parts = 1 << (before - level);
            Vec3i c, last(Blocks::side(level));
            if (axis >= 0) ++last[axis];
            for (c.z = 0; c.z < last.z; ++c.z)
                for (c.y = 0; c.y < last.y; ++c.y)
                    for (c.x = 0; c.x < last.x; ++c.x) here[Blocks::offset(level, c.x, c.y, c.z)] = mean_of(x.block(from, block), before, c * parts, parts, axis);
        }
    });
    fill_ghosts_around(to, axis, field::Seams::one_value, made);
    return made;
}

}  // namespace phlo::flow
