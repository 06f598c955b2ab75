// Velocities and cell values between a uniform grid and blocks.
#include <algorithm>
#include <optional>

#include "flow/block_liquid.h"
#include "numerics/block_loops.h"

namespace phlo::flow {

using field::Blocks;
using field::Grid;
using field::MacGrid;
using numerics::each_block;

void BlockLiquid::read(const MacGrid& u) {
    each_block(blocks_, [&](int block) {
        const int level = blocks_.level(block), n = Blocks::side(level), size = blocks_.size(level);
        for (int axis = 0; axis < 3; ++axis) {
            float* v = velocity_[std::size_t(axis)].block(blocks_, block);
            Vec3i c;
            for (c.z = 0; c.z < n + (axis == 2); ++c.z)
                for (c.y = 0; c.y < n + (axis == 1); ++c.y)
                    for (c.x = 0; c.x < n + (axis == 0); ++c.x) {
                        const Vec3i low = corner(block, c), extent = face_extent(u.layout(), axis);
                        float& to = v[Blocks::offset(level, c.x, c.y, c.z)];
                        if (size == 1) {
                            to = low.x < extent.x && low.y < extent.y && low.z < extent.z ? u[axis](low.x, low.y, low.z) : 0.f;
                            continue;
                        }
                        float open = 0, carried = 0, sum = 0;
                        int count = 0;
                        each_fine_face(axis, low, size, [&](int i, int j, int k) {
                            const float a = solids_->present() ? solids_->aperture[axis](i, j, k) : 1.f, value = u[axis](i, j, k);
                            open += a, carried += a * value, sum += value, ++count;
                        });
                        to = open > 0 ? carried / open : count > 0 ? sum / float(count) : 0.f;
                    }
        }
    });
    parallel_for(int(seams_.size()), [&](int s) {   // one velocity a coarse face, for the fine cells behind it too
        const numerics::Seam<float>& seam = seams_[std::size_t(s)];
        const int axis = seam.face / 2, side = seam.face % 2, wide = Blocks::pitch(blocks_.level(seam.coarse)), fine_wide = Blocks::pitch(blocks_.level(seam.fine));
        const int coarse_step = axis == 0 ? 1 : axis == 1 ? wide : wide * wide, fine_step = axis == 0 ? 1 : axis == 1 ? fine_wide : fine_wide * fine_wide;
        const float* from = velocity_[std::size_t(axis)].block(blocks_, seam.coarse);
        float* to = velocity_[std::size_t(axis)].block(blocks_, seam.fine);
        for (const numerics::LevelFace<float>& f : seam.faces)
            for (const std::int32_t fine : f.fine) to[fine + (side == 1 ? 0 : fine_step)] = from[f.coarse + (side == 1 ? coarse_step : 0)];
    });
}

/// Is liquid on one side of the face before a cell at least, and is the face open?
bool BlockLiquid::touched(int axis, int block, int place) const {
    const int wide = Blocks::pitch(blocks_.level(block)), step = axis == 0 ? 1 : axis == 1 ? wide : wide * wide;
    const std::uint8_t* kind = kind_.block(blocks_, block);
    return open_[std::size_t(axis)].block(blocks_, block)[place] > 0 && (kind[place] == numerics::part || kind[place - step] == numerics::part);
}

/// How the velocity on the faces of coarse cells changes along another axis, from one finest cell to the next. Neighbours of other levels do not count.
float BlockLiquid::slope(int axis, int block, const Vec3i& face, int along) const {
    const int level = blocks_.level(block), n = Blocks::side(level);
    const auto look = [&](int step) -> std::optional<float> {
        Vec3i at = face, base = blocks_.place(block);
        at[along] += step;
        if (at[along] < 0 || at[along] >= n) {
            base[along] += step, at[along] = step < 0 ? n - 1 : 0;
            if (!blocks_.inside(base) || blocks_.level(blocks_.index(base)) != level) return std::nullopt;
        }
        const int other = blocks_.index(base), place = Blocks::offset(level, at.x, at.y, at.z);
        if (!touched(axis, other, place)) return std::nullopt;
        return velocity_[std::size_t(axis)].block(blocks_, other)[place];
    };
    const std::optional<float> below = look(-1), above = look(1);
    const float here = velocity_[std::size_t(axis)].block(blocks_, block)[Blocks::offset(level, face.x, face.y, face.z)], size = float(blocks_.size(level));
    if (below && above) return (*above - *below) / (2 * size);
    if (above) return (*above - here) / size;
    return below ? (here - *below) / size : 0.f;
}

/// Faces between two blocks are written by one of them: the coarser, or of two alike the upper.
bool BlockLiquid::writes_plane(int block, int face) const {
    const int other = blocks_.neighbour(block, face), level = blocks_.level(block);
    if (other < 0 || blocks_.level(other) == Blocks::none) return true;
    return blocks_.level(other) > level || (blocks_.level(other) == level && face % 2 == 0);
}

void BlockLiquid::write_fine(int block, MacGrid& u) const {
    const int level = blocks_.level(block), n = Blocks::side(level);
    for (int axis = 0; axis < 3; ++axis) {
        const float* v = velocity_[std::size_t(axis)].block(blocks_, block);
        Vec3i first, last(n), c;
        if (!writes_plane(block, 2 * axis)) first[axis] = 1;
        if (writes_plane(block, 2 * axis + 1)) last[axis] = n + 1;
        for (c.z = first.z; c.z < last.z; ++c.z)
            for (c.y = first.y; c.y < last.y; ++c.y)
                for (c.x = first.x; c.x < last.x; ++c.x) {
                    const int place = Blocks::offset(level, c.x, c.y, c.z);
                    if (!touched(axis, block, place)) continue;
                    const Vec3i at = corner(block, c);
                    u[axis](at.x, at.y, at.z) = v[place];
                }
    }
}

/// On the coarse faces linear along them, with their mean; in the cells between, linear from one to the next. So the divergence of a cell's fine ones has the
/// mean that the pressure has seen to.
void BlockLiquid::write_coarse(int block, int axis, MacGrid& u) const {
    const int level = blocks_.level(block), n = Blocks::side(level), size = blocks_.size(level), first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    const Vec3i extent = face_extent(u.layout(), axis);
    const std::uint8_t* kind = kind_.block(blocks_, block);
    struct Plane {
        float value, first, second;
    };
    const auto plane = [&](const Vec3i& face) {
        return Plane{velocity_[std::size_t(axis)].block(blocks_, block)[Blocks::offset(level, face.x, face.y, face.z)], slope(axis, block, face, first), slope(axis, block, face, second)};
    };
    const auto each_open = [&](const Vec3i& low, int depth, const auto& each) {
        for (int b = 0; b < size; ++b)
            for (int a = 0; a < size; ++a) {
                Vec3i at = low;
                at[axis] += depth, at[first] += a, at[second] += b;
                if (at.x >= extent.x || at.y >= extent.y || at.z >= extent.z) continue;
                const float open = solids_->present() ? solids_->aperture[axis](at.x, at.y, at.z) : 1.f;
                if (open > 0) each(at, a, b, open);
            }
    };
    const auto set = [&](const Vec3i& low, int depth, const Plane& p) {
        float sum = 0, middle_a = 0, middle_b = 0;   // of the open part, so that its mean is the coarse velocity
        each_open(low, depth, [&](const Vec3i&, int a, int b, float open) { sum += open, middle_a += open * float(a), middle_b += open * float(b); });
        if (sum == 0) return;
        middle_a /= sum, middle_b /= sum;
        each_open(low, depth, [&](const Vec3i& at, int a, int b, float) {
            u[axis](at.x, at.y, at.z) = p.value + p.first * (float(a) - middle_a) + p.second * (float(b) - middle_b);
        });
    };
    Vec3i c;
    for (c.z = 0; c.z < n + (axis == 2); ++c.z)
        for (c.y = 0; c.y < n + (axis == 1); ++c.y)
            for (c.x = 0; c.x < n + (axis == 0); ++c.x) {
                const int place = Blocks::offset(level, c.x, c.y, c.z), along = c[axis];
                const bool edge = along == 0 || along == n;
                const bool mine = !edge || writes_plane(block, 2 * axis + (along == n));
                const bool liquid = along < n && kind[place] == numerics::part;
                const bool on_face = mine && touched(axis, block, place);
                if (!on_face && !liquid) continue;
                const Plane here = plane(c);
                if (on_face) set(corner(block, c), 0, here);
                if (!liquid) continue;
                Vec3i next = c;
                next[axis] += 1;
                const Plane there = plane(next);
                for (int s = 1; s < size; ++s) {
                    const float t = float(s) / float(size), r = 1 - t;
                    set(corner(block, c), s, {r * here.value + t * there.value, r * here.first + t * there.first, r * here.second + t * there.second});
                }
            }
}

/// Faces between levels that are shut for the pressure though a fine cell behind them is liquid have the velocity on that cell's other side.
/// each(coarse cell along the two other axes, its face, the velocity)
template <class Each>
void BlockLiquid::each_shut(const numerics::Seam<float>& seam, const Each& each) const {
    const int axis = seam.face / 2, side = seam.face % 2, level = blocks_.level(seam.coarse), wide = Blocks::pitch(level + 1);
    const int step = axis == 0 ? 1 : axis == 1 ? wide : wide * wide;
    const std::uint8_t *fine = kind_.block(blocks_, seam.fine), *coarse = kind_.block(blocks_, seam.coarse);
    const float* v = velocity_[std::size_t(axis)].block(blocks_, seam.fine);
    numerics::each_at_face(level, seam.face, [&](int a, int b, int, int) {
        const numerics::LevelFace<float>& f = seam.faces[std::size_t(a + Blocks::side(level) * b)];
        if (f.weight > 0 || coarse[f.coarse] != numerics::zero) return;
        float sum = 0;
        int count = 0;
        for (const std::int32_t c : f.fine)
            if (fine[c] == numerics::part) sum += v[c + (side == 1 ? step : 0)], ++count;
        if (count > 0) each(a, b, f, sum / float(count));
    });
}

void BlockLiquid::follow() {
    parallel_for(int(seams_.size()), [&](int s) {
        const numerics::Seam<float>& seam = seams_[std::size_t(s)];
        const int axis = seam.face / 2, side = seam.face % 2, wide = Blocks::pitch(blocks_.level(seam.coarse)), fine_wide = Blocks::pitch(blocks_.level(seam.fine));
        const int coarse_step = axis == 0 ? 1 : axis == 1 ? wide : wide * wide, fine_step = axis == 0 ? 1 : axis == 1 ? fine_wide : fine_wide * fine_wide;
        float *coarse = velocity_[std::size_t(axis)].block(blocks_, seam.coarse), *fine = velocity_[std::size_t(axis)].block(blocks_, seam.fine);
        each_shut(seam, [&](int, int, const numerics::LevelFace<float>& f, float value) {
            coarse[f.coarse + (side == 1 ? coarse_step : 0)] = value;
            for (const std::int32_t c : f.fine) fine[c + (side == 1 ? 0 : fine_step)] = value;
        });
    });
}

void BlockLiquid::write_shut(const numerics::Seam<float>& seam, MacGrid& u) const {
    const int axis = seam.face / 2, level = blocks_.level(seam.coarse), size = blocks_.size(level), first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    const Vec3i extent = face_extent(u.layout(), axis);
    each_shut(seam, [&](int a, int b, const numerics::LevelFace<float>&, float value) {
        Vec3i cell;
        cell[axis] = seam.face % 2 == 0 ? 0 : Blocks::side(level), cell[first] = a, cell[second] = b;
        const Vec3i low = corner(seam.coarse, cell);
        for (int q = 0; q < size; ++q)
            for (int p = 0; p < size; ++p) {
                Vec3i at = low;
                at[first] += p, at[second] += q;
                if (at.x < extent.x && at.y < extent.y && at.z < extent.z) u[axis](at.x, at.y, at.z) = value;
            }
    });
}

void BlockLiquid::write(MacGrid& u) {
    follow();
    each_block(blocks_, [&](int block) {
        if (blocks_.level(block) == blocks_.depth()) return write_fine(block, u);
        for (int axis = 0; axis < 3; ++axis) write_coarse(block, axis, u);
    });
    parallel_for(int(seams_.size()), [&](int s) { write_shut(seams_[std::size_t(s)], u); });
}

void BlockLiquid::seen(const Grid& phi, Grid& to) const {
    to = phi;
    each_block(blocks_, [&](int block) {
        const int level = blocks_.level(block), n = Blocks::side(level), size = blocks_.size(level);
        if (size == 1) return;
        const std::uint8_t* kind = kind_.block(blocks_, block);
        Vec3i c;
        for (c.z = 0; c.z < n; ++c.z)
            for (c.y = 0; c.y < n; ++c.y)
                for (c.x = 0; c.x < n; ++c.x) {
                    const bool liquid = kind[Blocks::offset(level, c.x, c.y, c.z)] == numerics::part;
                    const Vec3i low = corner(block, c), high = min(low + Vec3i(size), cells_);
                    for (int k = low.z; k < high.z; ++k)
                        for (int j = low.y; j < high.y; ++j)
                            for (int i = low.x; i < high.x; ++i) {
                                float& p = to(i, j, k);
                                if ((p < 0) != liquid) p = liquid ? -1e-6f : 1e-6f;
                            }
                }
    });
}

void BlockLiquid::read_cells(const Grid& from, Values& to) const {
    each_block(blocks_, [&](int block) {
        const int level = blocks_.level(block), n = Blocks::side(level);
        const std::uint8_t* kind = kind_.block(blocks_, block);
        float* x = to.block(blocks_, block);
        Vec3i c;
        for (c.z = 0; c.z < n; ++c.z)
            for (c.y = 0; c.y < n; ++c.y)
                for (c.x = 0; c.x < n; ++c.x) {
                    const int place = Blocks::offset(level, c.x, c.y, c.z);
                    const Vec3i low = corner(block, c);
                    x[place] = kind[place] == numerics::part ? from(low.x, low.y, low.z) : 0.f;
                }
    });
}

void BlockLiquid::write_cells(const Values& from, Grid& to) const {
    each_block(blocks_, [&](int block) {
        const int level = blocks_.level(block), n = Blocks::side(level), size = blocks_.size(level);
        const float* x = from.block(blocks_, block);
        Vec3i c;
        for (c.z = 0; c.z < n; ++c.z)
            for (c.y = 0; c.y < n; ++c.y)
                for (c.x = 0; c.x < n; ++c.x) {
                    const float value = x[Blocks::offset(level, c.x, c.y, c.z)];
                    const Vec3i low = corner(block, c), high = min(low + Vec3i(size), cells_);
                    if (low.x >= high.x) continue;
                    for (int k = low.z; k < high.z; ++k)
                        for (int j = low.y; j < high.y; ++j) std::fill(&to(low.x, j, k), &to(low.x, j, k) + (high.x - low.x), value);
                }
    });
}

}  // namespace phlo::flow
