#include "flow/block_redistance.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.h"
#include "numerics/block_loops.h"

namespace phlo::flow {
namespace {

using field::BlockField;
using field::Blocks;

constexpr float unknown = 1e6f;   ///< [m]; no distance is as large

/// The smallest u with sum of max(u - a, 0)^2 = 1 over the three axes: a, b, c are distances of the nearer neighbours, in cells.
inline float upwind(float a, float b, float c) {
    const float low = std::min(a, std::min(b, c)), high = std::max(a, std::max(b, c)), middle = std::max(std::min(a, b), std::min(std::max(a, b), c));
    const float apart = low - middle, one = low + 1, two = 0.5f * (low + middle + std::sqrt(std::max(2 - apart * apart, 0.f)));
    const float x = low - middle, y = low - high;   // from the smallest: squares of large numbers would cancel
    const float three = low + (-(x + y) + std::sqrt(std::max((x + y) * (x + y) - 3 * (x * x + y * y - 1), 0.f))) / 3;
    return one <= middle ? one : two <= high ? two : three;
}

class BlockMarch {
public:
    BlockMarch(const Blocks& blocks, const Redistancing& how, BlockField<float>& phi, BlockMarchScratch& scratch)
        : blocks_(blocks), how_(how), phi_(phi), scratch_(scratch), has_surface_(std::size_t(blocks.base_count()), 0), is_near_(has_surface_) {
        if (!(scratch_.of == blocks)) scratch_.of = blocks, scratch_.distance.reset(blocks), scratch_.slope.reset(blocks);
    }

    void run() {
        each(blocks_.all(), [&](int block) { find_slopes(block); });
        find_near();
        each(blocks_.all(), [&](int block) { start(block); });
        const int exchanges = int(how_.band) / 2 + 1;   // two sweeps each: one goes a cell along x
        for (int n = 0; n < exchanges; ++n) {
            fill_ghosts_around(blocks_, field::centres, field::Seams::one_value, scratch_.distance, field::Around::faces, is_near_);
            each(near_, [&](int block) {
                mend_ghosts(block);
                KnownRows known = known_rows(block);
                sweep(block, false, known), sweep(block, true, known);
            });
        }
        each(blocks_.all(), [&](int block) { finish(block); });
        fill_ghosts_around(blocks_, field::centres, field::Seams::one_value, phi_);
    }

private:
    template <class Body>
    static void each(const std::vector<int>& list, const Body& body) {
        parallel_for(int(list.size()), [&](int i) { body(list[std::size_t(i)]); });
    }
    template <class Each>
    static void each_row(int level, const Each& row) {
        const int n = Blocks::side(level);
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j) row(j, k, Blocks::offset(level, 0, j, k));
    }
    float cell_size(int level) const { return float(how_.h * blocks_.size(level)); }

    /// Of cells beside the surface, in their own cells; 0 elsewhere.
    void find_slopes(int block) {
        const int level = blocks_.level(block), n = Blocks::side(level), wide = Blocks::pitch(level);
        const int steps[3] = {1, wide, wide * wide};
        const Vec3i base = blocks_.place(block);
        const float *phi = phi_.block(blocks_, block), per_cell = 1 / cell_size(level);
        float* slope = scratch_.slope.block(blocks_, block);
        bool found = false;
        each_row(level, [&](int j, int k, int row) {
            bool crosses[16];
            bool any = false;
#pragma omp simd reduction(| : any)
            for (int i = 0; i < n; ++i) {
                const float* p = phi + row + i;
                const bool in = p[0] < 0;
                const bool differs = (in != (p[1] < 0)) | (in != (p[-1] < 0)) | (in != (p[wide] < 0)) | (in != (p[-wide] < 0)) | (in != (p[wide * wide] < 0)) |
                                     (in != (p[-wide * wide] < 0));
                crosses[i] = differs;
                any = any | differs;
            }
            std::fill_n(slope + row, n, 0.f);
            if (!any) return;
            found = true;
            for (int i = 0; i < n; ++i) {
                if (!crosses[i]) continue;
                const float* p = phi + row + i;
                const Vec3i c(i, j, k);
                float ahead[3], behind[3];
                for (int a = 0; a < 3; ++a) {
                    ahead[a] = (p[steps[a]] - p[0]) * per_cell, behind[a] = (p[0] - p[-steps[a]]) * per_cell;
                    const bool last = c[a] == n - 1 && base[a] == blocks_.base()[a] - 1, first = c[a] == 0 && base[a] == 0;
                    if (last) ahead[a] = first ? 0 : behind[a];
                    if (first) behind[a] = ahead[a];
                }
                slope[row + i] = std::max(surface_slope(ahead, behind), 1e-6f);
            }
        });
        has_surface_[std::size_t(block)] = found;
    }

    /// Blocks at the surface, and those around them.
    void find_near() {
        for (const int block : blocks_.all()) {
            const Vec3i base = blocks_.place(block);
            bool near = false;
            for (int d = 0; d < 27; ++d) {
                const Vec3i other = base + Vec3i(d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1);
                near = near || (blocks_.inside(other) && has_surface_[std::size_t(blocks_.index(other))] != 0);
            }
            if (near) near_.push_back(block);
            is_near_[std::size_t(block)] = near;
        }
    }

    void start(int block) {
        const int level = blocks_.level(block), n = Blocks::side(level), wide = Blocks::pitch(level);
        const float *phi = phi_.block(blocks_, block), *slope = scratch_.slope.block(blocks_, block);
        float* distance = scratch_.distance.block(blocks_, block);
        std::fill_n(distance, Blocks::stored(level), unknown);
        if (has_surface_[std::size_t(block)] == 0) return;
        each_row(level, [&](int j, int k, int row) {
            for (int i = 0; i < n; ++i)
                if (slope[row + i] > 0) distance[row + i] = std::fabs(phi[row + i]) / steepness(smooth_slope(slope, {i, j, k}, n, wide));
        });
    }

    /// The mean around a cell beside the surface, of its like in the block.
    static float smooth_slope(const float* slope, const Vec3i& cell, int n, int wide) {
        float sum = 0, weights = 0;
        for (int c = std::max(cell.z - 1, 0); c <= std::min(cell.z + 1, n - 1); ++c)
            for (int b = std::max(cell.y - 1, 0); b <= std::min(cell.y + 1, n - 1); ++b)
                for (int a = std::max(cell.x - 1, 0); a <= std::min(cell.x + 1, n - 1); ++a)
                    if (const float s = slope[a + 1 + wide * (b + 1 + wide * (c + 1))]; s > 0) {
                        const float weight = float((2 - std::abs(a - cell.x)) * (2 - std::abs(b - cell.y)) * (2 - std::abs(c - cell.z)));
                        sum += weight * s, weights += weight;
                    }
        return sum / weights;
    }

    /// Between levels ghosts are means of distances, which are too large where the surface passes among them: there the level set itself, which has a sign, is better.
    void mend_ghosts(int block) {
        const int level = blocks_.level(block);
        const float *phi = phi_.block(blocks_, block), near = 3 * cell_size(level);
        float* distance = scratch_.distance.block(blocks_, block);
        for (int face = 0; face < 6; ++face) {
            const int other = blocks_.neighbour(block, face);
            if (other < 0 || blocks_.level(other) == level) continue;
            numerics::each_at_face(level, face, [&](int, int, int, int ghost) {
                if (const float d = std::fabs(phi[ghost]); d < near) distance[ghost] = std::min(distance[ghost], d);
            });
        }
    }

    /// Rows of a block, ghosts included, with a distance within the band; others have nothing to tell yet.
    using KnownRows = std::array<std::array<bool, 18>, 18>;
    KnownRows known_rows(int block) const {
        const int level = blocks_.level(block), wide = Blocks::pitch(level);
        const float *distance = scratch_.distance.block(blocks_, block), band = float(how_.band) * cell_size(level);
        KnownRows known{};
        for (int k = 0; k < wide; ++k)
            for (int j = 0; j < wide; ++j) known[std::size_t(k)][std::size_t(j)] = any_within(distance + wide * (j + wide * k), wide, band);
        return known;
    }
    static bool any_within(const float* x, int count, float band) {
        float least = unknown;
#pragma omp simd reduction(min : least)
        for (int i = 0; i < count; ++i) least = std::min(least, x[i]);
        return least < band;
    }

    void sweep(int block, bool downwards, KnownRows& known) {
        const int level = blocks_.level(block), n = Blocks::side(level), wide = Blocks::pitch(level), plane = wide * wide;
        const float h = cell_size(level), per_cell = 1 / h, band = float(how_.band) * h;
        const float* __restrict slope = scratch_.slope.block(blocks_, block);
        float* distance = scratch_.distance.block(blocks_, block);
        for (int r = 0; r < n * n; ++r) {
            const int at = downwards ? n * n - 1 - r : r, row = Blocks::offset(level, 0, at % n, at / n);
            const std::size_t j = std::size_t(at % n) + 1, k = std::size_t(at / n) + 1;
            if (!(known[k][j] || known[k][j - 1] || known[k][j + 1] || known[k - 1][j] || known[k + 1][j])) continue;
            const float* p = distance + row;
            float found[16];
#pragma omp simd
            for (int i = 0; i < n; ++i) {
                const float x = std::min(p[i - 1], p[i + 1]) * per_cell, y = std::min(p[i - wide], p[i + wide]) * per_cell,
                            z = std::min(p[i - plane], p[i + plane]) * per_cell, u = upwind(x, y, z) * h;
                found[i] = slope[row + i] > 0 ? p[i] : std::min(p[i], u);
            }
            bool within = false;
#pragma omp simd reduction(| : within)
            for (int i = 0; i < n; ++i) distance[row + i] = found[i], within = within | (found[i] < band);
            known[k][j] = known[k][j] || within;
        }
    }

    void finish(int block) {
        const int level = blocks_.level(block), n = Blocks::side(level);
        const float* distance = scratch_.distance.block(blocks_, block);
        float *phi = phi_.block(blocks_, block), band = float(how_.band) * cell_size(level);
        const bool near = is_near_[std::size_t(block)] != 0;
        each_row(level, [&](int, int, int row) {
            for (int i = row; i < row + n; ++i) {
                const float d = near ? std::min(distance[i], band) : band;
                phi[i] = phi[i] < 0 ? -d : d;
            }
        });
    }

    const Blocks& blocks_;
    const Redistancing& how_;
    BlockField<float>& phi_;
    BlockMarchScratch& scratch_;
    std::vector<std::uint8_t> has_surface_, is_near_;
    std::vector<int> near_;
};

}  // namespace

void redistance(const Blocks& blocks, const Redistancing& how, BlockField<float>& phi, BlockMarchScratch& scratch) {
    BlockMarch(blocks, how, phi, scratch).run();
}

}  // namespace phlo::flow
