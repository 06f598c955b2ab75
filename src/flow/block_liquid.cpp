#include "flow/block_liquid.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "flow/liquid_cells.h"
#include "numerics/block_loops.h"

namespace phlo::flow {

using field::Blocks;
using numerics::each_block;

namespace {

/// Places from one face of a block to the next, across `axis`.
int step_across(int level, int axis) { return axis == 0 ? 1 : axis == 1 ? Blocks::pitch(level) : Blocks::pitch(level) * Blocks::pitch(level); }

/// Where a seam's face is in the coarse block, from its cell, and in the fine one, from its cells.
struct SeamSteps {
    int coarse, fine, beyond_fine;   ///< the last: to the fine cells' other side
    SeamSteps(const Blocks& blocks, const numerics::Seam<float>& seam)
        : coarse(seam.face % 2 == 1 ? step_across(blocks.level(seam.coarse), seam.face / 2) : 0),
          fine(seam.face % 2 == 1 ? 0 : step_across(blocks.level(seam.fine), seam.face / 2)),
          beyond_fine(seam.face % 2 == 1 ? step_across(blocks.level(seam.fine), seam.face / 2) : 0) {}
};

/// Rows of the faces across an axis, up to those after the last cells: each(place of the first, how many).
template <class Each>
void each_face_row(int level, int axis, const Each& each) {
    const int n = Blocks::side(level);
    for (int k = 0; k < n + (axis == 2); ++k)
        for (int j = 0; j < n + (axis == 1); ++j) each(Blocks::offset(level, 0, j, k), n + (axis == 0));
}
template <class Each>
void each_cell_row(int level, const Each& each) {
    const int n = Blocks::side(level);
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j) each(Blocks::offset(level, 0, j, k));
}

}  // namespace

void enforce_walls(const Blocks& blocks, const Walls& walls, BlockVelocity& u) {
    each_block(blocks, [&](int block) {
        for (int face = 0; face < 6; ++face) {
            if (blocks.neighbour(block, face) >= 0 || walls[std::size_t(face)].kind != WallKind::closed) continue;
            float* v = u[std::size_t(face / 2)].block(blocks, block);
            numerics::each_at_face(blocks.level(block), face, [&](int, int, int place, int ghost) { v[face % 2 == 0 ? place : ghost] = 0; });
        }
    });
}

void BlockLiquid::set_up(const Walls& walls, const BlockSolids& solids, const Blocks& blocks, const Values& phi, numerics::BlockSystem<float>& system) {
    walls_ = walls, solids_ = &solids, phi_ = &phi, system_ = &system;
    if (!(blocks == blocks_)) {
        blocks_ = blocks;
        for (Values& f : open_) f.reset(blocks_);
    }
    if (!(system.blocks == blocks)) numerics::make_plain(blocks_, system);
    each_block(blocks_, [&](int block) { find_kinds(block, system); });
    numerics::fill_ghosts(blocks_, system.kind);
    each_block(blocks_, [&](int block) {
        find_openings(block);
        find_weights(block, system);
    });
    parallel_for(int(system.seams.size()), [&](int s) { find_seam(system, system.seams[std::size_t(s)]); });   // each face belongs to one seam
}

void BlockLiquid::find_kinds(int block, numerics::BlockSystem<float>& system) const {
    const int level = blocks_.level(block), n = Blocks::side(level);
    std::uint8_t* kind = system.kind.block(blocks_, block);
    const float* phi = phi_->block(blocks_, block);
    each_cell_row(level, [&](int row) {
        for (int i = row; i < row + n; ++i) kind[i] = phi[i] < 0 ? numerics::part : numerics::zero;
        if (!solids_->present) return;
        const float* room = solids_->room.block(blocks_, block);
        for (int i = row; i < row + n; ++i) kind[i] = room[i] > 0 ? kind[i] : std::uint8_t(numerics::outside);
    });
    for (int face = 0; face < 6; ++face) {   // beyond an open wall is air
        if (blocks_.neighbour(block, face) >= 0) continue;
        const auto beyond = std::uint8_t(walls_[std::size_t(face)].kind == WallKind::open ? numerics::zero : numerics::outside);
        numerics::each_at_face(level, face, [&](int, int, int, int ghost) { kind[ghost] = beyond; });
    }
}

void BlockLiquid::find_openings(int block) {
    const int level = blocks_.level(block);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        float* open = open_[axis].block(blocks_, block);
        const float* given = solids_->present ? solids_->open[axis].block(blocks_, block) : nullptr;
        each_face_row(level, int(axis), [&](int row, int count) {
            if (given != nullptr) std::copy_n(given + row, count, open + row);
            else std::fill_n(open + row, count, 1.f);
        });
    }
}

void BlockLiquid::find_weights(int block, numerics::BlockSystem<float>& system) const {
    const int level = blocks_.level(block);
    const std::uint8_t* kind = system.kind.block(blocks_, block);
    const float *phi = phi_->block(blocks_, block), size = float(blocks_.size(level));
    for (int axis = 0; axis < 3; ++axis) {
        const int step = step_across(level, axis);
        const float* open = open_[std::size_t(axis)].block(blocks_, block);
        float* weight = system.weight[std::size_t(axis)].block(blocks_, block);
        each_face_row(level, axis, [&](int row, int count) {
            for (int up = row; up < row + count; ++up) {
                const int down = up - step;
                const bool above = kind[up] == numerics::part, below = kind[down] == numerics::part;
                float w = open[up] * size;
                if (!above && !below) w = 0;
                else if (above != below) {
                    const int in = above ? up : down, out = above ? down : up;
                    w = kind[out] == numerics::zero ? w / surface_share(phi[in], phi[out]) : 0.f;
                }
                weight[up] = w;
            }
        });
        for (const int side : {0, 1}) {
            const int face = 2 * axis + side, other = blocks_.neighbour(block, face);
            const auto each_before = [&](const auto& each) {
                numerics::each_at_face(level, face, [&](int, int, int place, int ghost) { each(place, side == 0 ? place : ghost); });
            };
            // The air's pressure a cell centre outside of an open wall; between levels the seam has it.
            if (other < 0) each_before([&](int cell, int at) { weight[at] = walls_[std::size_t(face)].kind == WallKind::open && kind[cell] == numerics::part ? open[at] * size : 0.f; });
            else if (blocks_.level(other) != level) each_before([&](int, int at) { weight[at] = 0; });
        }
    }
}

/// The gradient leads from the coarse cell's centre to the point amidst the four fine ones. Where the surface passes, the pressure there is in proportion to the
/// level set: that of the fine cells in the liquid, scaled, if the point is in it, or zero where the surface crosses the way. So it is exact for a flat surface
/// and always a positive conductance. Scaling the whole gradient instead [ando2020] makes negative ones where the surface slopes along the face.
/// Only if both ends are in the air, a fine cell is not, and the surface slopes the wrong way, a positive one cannot be right: such a face is shut, and
/// moves with the liquid beside it (follow()).
void BlockLiquid::find_seam(numerics::BlockSystem<float>& system, numerics::Seam<float>& seam) {
    const int level = blocks_.level(seam.coarse), axis = seam.face / 2, pitch = Blocks::pitch(level + 1);
    // The face of a fine cell is before it if the fine block lies above.
    const int after = seam.face % 2 == 1 ? 0 : axis == 0 ? 1 : axis == 1 ? pitch : pitch * pitch;
    float* open = open_[std::size_t(axis)].block(blocks_, seam.fine);
    const float *fine = phi_->block(blocks_, seam.fine), *coarse = phi_->block(blocks_, seam.coarse);
    const std::uint8_t* fine_kind = system.kind.block(blocks_, seam.fine);
    std::uint8_t* coarse_kind = system.kind.block(blocks_, seam.coarse);
    const int wide = Blocks::pitch(level), beyond = (axis == 0 ? 1 : axis == 1 ? wide : wide * wide) * (seam.face % 2 == 0 ? -1 : 1);
    for (numerics::LevelFace<float>& f : seam.faces) {
        float sum = 0, middle = 0, wet = 0;   // level set amidst the fine cells, and what of it is the liquid ones'
        for (std::size_t c = 0; c < 4; ++c) sum += open[f.fine[c] + after];
        for (std::size_t c = 0; c < 4; ++c) {
            const float share = sum > 0 ? open[f.fine[c] + after] / sum : 0.f;
            const bool in = fine_kind[f.fine[c]] == numerics::part;
            middle += share * fine[f.fine[c]];
            wet += in ? share * fine[f.fine[c]] : 0.f;
            f.share[c] = in ? share : 0.f;
        }
        const bool coarse_in = coarse_kind[f.coarse] == numerics::part;
        const float away = coarse[f.coarse];
        float scale = 1, way = 1;             // of the fine cells' pressure; the share of the way on which it falls to zero
        if (middle < 0) scale = wet < 0 ? middle / wet : 0.f, way = coarse_in ? 1.f : surface_share(middle, away);
        else if (coarse_in) scale = 0, way = surface_share(away, middle);
        else way = wet < 0 ? std::max(wet / std::min(middle - away, -1e-30f), smallest_theta) : 1.f;
        const bool slopes_back = middle >= 0 && !coarse_in && middle >= away;
        f.coarse_share = coarse_in ? 1.f : 0.f;
        f.weight = coarse_kind[f.coarse] == numerics::outside || slopes_back ? 0.f : sum / 4 / way * 4 * float(blocks_.size(level)) / 3;
        coarse_kind[f.coarse + beyond] = numerics::zero;   // the coarse cell's neighbour is liquid if any of the four is and pushes
        for (std::size_t c = 0; c < 4; ++c) {
            if (f.weight > 0 && fine_kind[f.fine[c]] == numerics::part) coarse_kind[f.coarse + beyond] = numerics::part;
            f.share[c] *= slopes_back ? 0.f : scale;
            open[f.fine[c] + after] = sum * f.share[c];   // the transpose: what of the coarse face's flux is this fine cell's
        }
    }
}

void BlockLiquid::outflow(double divergence, double h, const BlockVelocity& u, Values& b) const {
    each_block(blocks_, [&](int block) {
        const int level = blocks_.level(block), n = Blocks::side(level), wide = Blocks::pitch(level), plane = wide * wide;
        const std::uint8_t* __restrict kind = system_->kind.block(blocks_, block);
        const float size = float(blocks_.size(level)), area = size * size, wanted = float(divergence * h) * area * size;
        const float *__restrict ox = open_[0].block(blocks_, block), *__restrict oy = open_[1].block(blocks_, block), *__restrict oz = open_[2].block(blocks_, block);
        const float *__restrict x = u[0].block(blocks_, block), *__restrict y = u[1].block(blocks_, block), *__restrict z = u[2].block(blocks_, block);
        float* __restrict to = b.block(blocks_, block);
        each_cell_row(level, [&](int row) {
#pragma omp simd
            for (int i = row; i < row + n; ++i)
                to[i] = wanted - area * ((ox[i + 1] * x[i + 1] - ox[i] * x[i]) + (oy[i + wide] * y[i + wide] - oy[i] * y[i]) + (oz[i + plane] * z[i + plane] - oz[i] * z[i]));
        });
        if (solids_->present) {
            const float *wx = solids_->pushed[0].block(blocks_, block), *wy = solids_->pushed[1].block(blocks_, block), *wz = solids_->pushed[2].block(blocks_, block);
            each_cell_row(level, [&](int row) {
                for (int i = row; i < row + n; ++i) to[i] -= area * ((wx[i + 1] - wx[i]) + (wy[i + wide] - wy[i]) + (wz[i + plane] - wz[i]));
            });
        }
        each_cell_row(level, [&](int row) {
            for (int i = row; i < row + n; ++i) to[i] = kind[i] == numerics::part ? to[i] : 0.f;
        });
    });
}

void BlockLiquid::calm(Values& q) const {
    numerics::fill_ghosts(blocks_, q);
    struct Held {
        int place;
        float q;
    };
    std::vector<std::vector<Held>> of_block(std::size_t(blocks_.base_count()));   // all are found before one is changed
    each_block(blocks_, [&](int block) {
        const int level = blocks_.level(block), n = Blocks::side(level), pitch = Blocks::pitch(level);
        const int steps[3] = {1, pitch, pitch * pitch};
        const std::uint8_t* kind = system_->kind.block(blocks_, block);
        const float *x = q.block(blocks_, block), size = float(blocks_.size(level));
        const auto air = [&](int row, int count) { return std::memchr(kind + row, numerics::zero, std::size_t(count)) != nullptr; };
        each_cell_row(level, [&](int row) {
            if (!air(row - 1, n + 2) && !air(row - steps[1], n) && !air(row + steps[1], n) && !air(row - steps[2], n) && !air(row + steps[2], n)) return;
            for (int place = row; place < row + n; ++place) {
                if (kind[place] != numerics::part) continue;
                float held = 0, steepest = 0;   // conductance to the air, and the largest difference to liquid
                for (std::size_t a = 0; a < 3; ++a)
                    for (const int side : {0, 1}) {
                        const int other = place + (side == 0 ? -steps[a] : steps[a]);
                        const float w = system_->weight[a].block(blocks_, block)[side == 0 ? place : other] / size;
                        if (kind[other] == numerics::zero) held += w;
                        else if (w > 0) steepest = std::max(steepest, std::fabs(x[other] - x[place]));
                    }
                if (held > 0) of_block[std::size_t(block)].push_back({place, std::clamp(x[place], -10 * steepest / held, 10 * steepest / held)});
            }
        });
    });
    for (const int block : blocks_.all())
        for (const Held& held : of_block[std::size_t(block)]) q.block(blocks_, block)[held.place] = held.q;
}

void BlockLiquid::subtract_gradient(Values& q, BlockVelocity& u) const {
    numerics::fill_ghosts(blocks_, q);
    each_block(blocks_, [&](int block) {
        const int level = blocks_.level(block);
        const float per_area = 1 / float(blocks_.size(level) * blocks_.size(level));
        const float* __restrict x = q.block(blocks_, block);
        for (int axis = 0; axis < 3; ++axis) {
            const int step = step_across(level, axis);
            const float *__restrict weight = system_->weight[std::size_t(axis)].block(blocks_, block), *__restrict open = open_[std::size_t(axis)].block(blocks_, block);
            float* __restrict v = u[std::size_t(axis)].block(blocks_, block);
            each_face_row(level, axis, [&](int row, int count) {
#pragma omp simd
                for (int up = row; up < row + count; ++up) v[up] -= weight[up] > 0 ? weight[up] * (x[up] - x[up - step]) * per_area / open[up] : 0.f;
            });
        }
    });
    parallel_for(int(system_->seams.size()), [&](int s) {   // each face belongs to one seam
        const numerics::Seam<float>& seam = system_->seams[std::size_t(s)];
        const SeamSteps step(blocks_, seam);
        const int axis = seam.face / 2, level = blocks_.level(seam.coarse);
        const float area = float(blocks_.size(level) * blocks_.size(level)), sign = seam.face % 2 == 1 ? 1.f : -1.f;
        const float *fine = q.block(blocks_, seam.fine), *coarse = q.block(blocks_, seam.coarse), *open = open_[std::size_t(axis)].block(blocks_, seam.coarse);
        float *v = u[std::size_t(axis)].block(blocks_, seam.coarse), *w = u[std::size_t(axis)].block(blocks_, seam.fine);
        for (const numerics::LevelFace<float>& f : seam.faces) {
            const int at = f.coarse + step.coarse;
            if (f.weight > 0) {
                float slope = -f.coarse_share * coarse[f.coarse];
                for (std::size_t c = 0; c < 4; ++c) slope += f.share[c] * fine[f.fine[c]];
                v[at] -= sign * f.weight * slope / (open[at] * area);
            }
            for (const std::int32_t c : f.fine) w[c + step.fine] = v[at];
        }
    });
}

void BlockLiquid::follow(BlockVelocity& u) const {
    parallel_for(int(system_->seams.size()), [&](int s) {
        const numerics::Seam<float>& seam = system_->seams[std::size_t(s)];
        const SeamSteps step(blocks_, seam);
        const std::uint8_t *fine_kind = system_->kind.block(blocks_, seam.fine), *coarse_kind = system_->kind.block(blocks_, seam.coarse);
        float *coarse = u[std::size_t(seam.face / 2)].block(blocks_, seam.coarse), *fine = u[std::size_t(seam.face / 2)].block(blocks_, seam.fine);
        for (const numerics::LevelFace<float>& f : seam.faces) {
            if (f.weight > 0 || coarse_kind[f.coarse] != numerics::zero) continue;
            float sum = 0;
            int count = 0;
            for (const std::int32_t c : f.fine)
                if (fine_kind[c] == numerics::part) sum += fine[c + step.beyond_fine], ++count;
            if (count == 0) continue;
            coarse[f.coarse + step.coarse] = sum / float(count);
            for (const std::int32_t c : f.fine) fine[c + step.fine] = sum / float(count);
        }
    });
}

std::size_t BlockLiquid::bytes() const { return open_[0].bytes() + open_[1].bytes() + open_[2].bytes(); }

}  // namespace phlo::flow
