#include "flow/block_level_set.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.h"
#include "field/mac.h"
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

/// Where the finest entries of a block lie along an axis: `t` of the way from its entry `low` to the next.
struct FineEntries {
    static constexpr int most = (1 << Blocks::max_depth) + 1;
    int low[most] = {};
    float t[most] = {};

    FineEntries() = default;
    FineEntries(int size, bool on_faces) {
        for (int f = 0; f < most; ++f) {
            const float place = on_faces ? float(f) / float(size) : (float(f) + 0.5f) / float(size) - 0.5f;
            low[f] = int(std::floor(place)), t[f] = place - float(low[f]);
        }
    }
};

/// Finest entries from `first` to `last` of a row, from the block's rows around it: two of them, and those `wide` after each.
void spread_row(const float* const* rows, int wide, float ty, float tz, int n, const FineEntries& at, int first, int last, float* to) {
    float between[(1 << Blocks::max_depth) + 3];
    for (int i = -1; i <= n + 1; ++i) {
        const float below = rows[0][i] + ty * (rows[0][i + wide] - rows[0][i]), above = rows[1][i] + ty * (rows[1][i + wide] - rows[1][i]);
        between[i + 1] = below + tz * (above - below);
    }
    for (int f = first; f < last; ++f) {
        const float* here = between + at.low[f] + 1;
        to[f] = here[0] + at.t[f] * (here[1] - here[0]);
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

void sample(const Blocks& blocks, const field::PaddedField& x, int axis, field::Grid& to, const Vec3i& first) {
    const int edge = 1 << blocks.depth();
    const Vec3i extent = axis < 0 ? to.layout().cells() : field::face_extent(to.layout(), axis);
    parallel_for(int(blocks.all().size()), [&](int item) {
        const int block = blocks.all()[std::size_t(item)], level = blocks.level(block), n = Blocks::side(level), wide = field::PaddedField::pitch(level);
        const Vec3i base = blocks.place(block), corner = base * edge - first;
        Vec3i last(edge);
        if (axis >= 0 && base[axis] == blocks.base()[axis] - 1) ++last[axis];
        const Vec3i low = max(Vec3i(0) - corner, Vec3i(0)), high = min(last, extent - corner);
        if (low.x >= high.x) return;
        std::array<FineEntries, 3> at;
        for (int a = 0; a < 3; ++a) at[std::size_t(a)] = FineEntries(blocks.size(level), a == axis);
        for (int k = low.z; k < high.z; ++k)
            for (int j = low.y; j < high.y; ++j) {
                const FineEntries &y = at[1], &z = at[2];
                const float* rows[2] = {x.origin(block) + wide * (y.low[j] + wide * z.low[k]), x.origin(block) + wide * (y.low[j] + wide * (z.low[k] + 1))};
                float* line = to.row(corner.y + j, corner.z + k) + corner.x;
                if (level == blocks.depth()) std::copy(rows[0] + low.x, rows[0] + high.x, line + low.x);
                else spread_row(rows, wide, y.t[j], z.t[k], n, at[0], low.x, high.x, line);
            }
    });
}

std::vector<std::uint8_t> refined(const Blocks& from, const Blocks& to) {
    std::vector<std::uint8_t> marked(std::size_t(to.base_count()), 0);
    for (const int block : to.all()) marked[std::size_t(block)] = to.level(block) > from.level(block);
    return marked;
}

void transfer(const Blocks& from, const field::PaddedField& padded, int axis, const Blocks& to, BlockField<float>& x, BlockField<float>& spare) {
    spare.reset(to);
    parallel_for(int(to.all().size()), [&](int item) {
        const int block = to.all()[std::size_t(item)], level = to.level(block), before = from.level(block);
        float* here = spare.block(to, block);
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
    std::swap(x, spare);
    fill_ghosts_around(to, axis, field::Seams::one_value, x);
}

}  // namespace phlo::flow
