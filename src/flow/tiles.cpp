#include "flow/tiles.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "base/error.h"
#include "base/simd.h"

namespace phlo::flow {
namespace {

int tiles_for(int cells, int size) { return (cells + size - 1) / size; }

CellBox grown(const CellBox& box, int cells) { return {box.lower - Vec3i(cells), box.upper + Vec3i(cells)}; }

/// Bit i: cell i of a tile's row differs from the background.
PHLO_INLINE unsigned differing_cells(const float* row, int cells, simd::Float background, simd::Float threshold) {
    static_assert(TileSet::tile.x <= 32);
    unsigned found = 0;
    for (int i = 0; i < cells; i += simd::width)
        found |= simd::bits((abs(simd::load(row + i) - background) > threshold) & simd::first_lanes(cells - i)) << i;
    return found;
}

/// Bounds of the cells of one tile that differ from the background; an empty box has upper <= lower.
CellBox bounds_of_difference(const field::Grid& field, float background, float threshold, const CellBox& box) {
    CellBox bounds{box.upper, box.lower};
    unsigned columns = 0;
    for (int k = box.lower.z; k < box.upper.z; ++k)
        for (int j = box.lower.y; j < box.upper.y; ++j) {
            const unsigned found = differing_cells(field.row(j, k) + box.lower.x, box.upper.x - box.lower.x, background, threshold);
            if (found == 0) continue;
            columns |= found;
            bounds.lower.y = std::min(bounds.lower.y, j), bounds.upper.y = std::max(bounds.upper.y, j + 1);
            bounds.lower.z = std::min(bounds.lower.z, k), bounds.upper.z = k + 1;
        }
    if (columns == 0) return bounds;
    bounds.lower.x = box.lower.x + std::countr_zero(columns), bounds.upper.x = box.lower.x + int(std::bit_width(columns));
    return bounds;
}

}  // namespace

TileSet::TileSet(const field::Layout& layout, bool active)
    : cells_(layout.cells()),
      tiles_(tiles_for(cells_.x, tile.x), tiles_for(cells_.y, tile.y), tiles_for(cells_.z, tile.z)),
      flags_(std::size_t(tiles_.x) * std::size_t(tiles_.y) * std::size_t(tiles_.z), std::uint8_t(active)) {}

int TileSet::active_count() const { return std::accumulate(flags_.begin(), flags_.end(), 0); }

CellBox TileSet::box(int ti, int tj, int tk) const {
    const Vec3i lower = Vec3i(ti, tj, tk) * tile;
    return {lower, min(lower + tile, cells_)};
}

void TileSet::activate(const CellBox& box) {
    const Vec3i lower = max(box.lower, Vec3i(0)), upper = min(box.upper, cells_);
    if (lower.x >= upper.x || lower.y >= upper.y || lower.z >= upper.z) return;
    for (int tk = lower.z / tile.z; tk * tile.z < upper.z; ++tk)
        for (int tj = lower.y / tile.y; tj * tile.y < upper.y; ++tj)
            for (int ti = lower.x / tile.x; ti * tile.x < upper.x; ++ti) set(ti, tj, tk, true);
}

void TileSet::activate_where(const field::Grid& field, float background, float threshold, int margin) {
    PHLO_CHECK(field.layout().cells() == cells_);
    std::vector<CellBox> found(flags_.size());
    parallel_for(tiles_.y * tiles_.z, [&](int line) {
        for (int ti = 0; ti < tiles_.x; ++ti) {
            const int tj = line % tiles_.y, tk = line / tiles_.y;
            found[index(ti, tj, tk)] = bounds_of_difference(field, background, threshold, box(ti, tj, tk));
        }
    });
    for (const CellBox& bounds : found)
        if (bounds.lower.x < bounds.upper.x) activate(grown(bounds, margin));
}

void TileSet::dilate(int cells) {
    if (cells <= 0) return;
    const TileSet before = *this;
    for (int tk = 0; tk < tiles_.z; ++tk)
        for (int tj = 0; tj < tiles_.y; ++tj)
            for (int ti = 0; ti < tiles_.x; ++ti)
                if (before.active(ti, tj, tk)) activate(grown(box(ti, tj, tk), cells));
}

TileSet& TileSet::operator|=(const TileSet& other) {
    PHLO_CHECK(cells_ == other.cells_);
    for (std::size_t i = 0; i < flags_.size(); ++i) flags_[i] |= other.flags_[i];
    return *this;
}

TileSet& TileSet::operator&=(const TileSet& other) {
    PHLO_CHECK(cells_ == other.cells_);
    for (std::size_t i = 0; i < flags_.size(); ++i) flags_[i] &= other.flags_[i];
    return *this;
}

TileSet TileSet::inverse() const {
    TileSet result = *this;
    for (std::uint8_t& flag : result.flags_) flag = !flag;
    return result;
}

std::vector<CellBox> TileSet::runs(int axis) const {
    std::vector<CellBox> result;
    const int across = axis == 0 ? 1 : 0, slow = axis == 2 ? 1 : 2;   // the other two axes, x fastest
    for (int b = 0; b < tiles_[slow]; ++b)
        for (int a = 0; a < tiles_[across]; ++a) {
            Vec3i at;
            at[across] = a, at[slow] = b;
            const auto on = [&](int t) { return at[axis] = t, t < tiles_[axis] && active(at.x, at.y, at.z); };
            for (int t = 0; t < tiles_[axis]; ++t) {
                if (!on(t)) continue;
                CellBox run = box(at.x, at.y, at.z);
                while (on(t + 1)) run.upper[axis] = box(at.x, at.y, at.z).upper[axis], ++t;
                result.push_back(run);
            }
        }
    return result;
}

std::vector<CellBox> TileSet::piles(int most) const {
    std::vector<CellBox> result;
    std::map<std::pair<int, int>, std::size_t> last;   // by the lower x and y of its runs, where the last pile is in the result
    for (const CellBox& run : runs()) {
        const auto [found, is_new] = last.try_emplace({run.lower.x, run.lower.y}, result.size());
        if (!is_new) {
            CellBox& pile = result[found->second];
            if (pile.upper.z == run.lower.z && pile.upper.x == run.upper.x && run.upper.z - pile.lower.z <= most * tile.z) {
                pile.upper.z = run.upper.z;
                continue;
            }
            found->second = result.size();
        }
        result.push_back(run);
    }
    return result;
}

void copy_tiles(const field::Grid& from, field::Grid& to, const TileSet& tiles) {
    tiles.for_each_run([&](const CellBox& box) {
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j)
                std::copy(from.row(j, k) + box.lower.x, from.row(j, k) + box.upper.x, to.row(j, k) + box.lower.x);
    });
}

}  // namespace phlo::flow
