#include "flow/block_liquid.h"

#include <algorithm>
#include <cmath>

#include "flow/liquid_cells.h"
#include "numerics/block_loops.h"

namespace phlo::flow {

using field::Blocks;
using field::Grid;
using field::MacGrid;
using numerics::each_block;

Vec3i BlockLiquid::base_cells(const field::Layout& layout, int depth) {
    const int edge = 1 << depth;
    const Vec3i n = layout.cells();
    return {(n.x + edge - 1) / edge, (n.y + edge - 1) / edge, (n.z + edge - 1) / edge};
}

void BlockLiquid::set_up(const Walls& walls, const Solids& solids, const Grid& phi, const std::vector<std::int8_t>& levels, int depth) {
    walls_ = walls, solids_ = &solids, phi_ = &phi, cells_ = phi.layout().cells();
    const Vec3i base = base_cells(phi.layout(), depth);
    std::vector<std::int8_t> there = levels;
    const int edge = 1 << depth;
    parallel_for(int(there.size()), [&](int b) {
        const Vec3i low = Vec3i(b % base.x, b / base.x % base.y, b / base.x / base.y) * edge, high = min(low + Vec3i(edge), cells_);
        bool wet = false;
        for (int k = low.z; k < high.z && !wet; ++k)
            for (int j = low.y; j < high.y && !wet; ++j) wet = std::any_of(phi.row(j, k) + low.x, phi.row(j, k) + high.x, [](float p) { return p < 0; });
        if (!wet) there[std::size_t(b)] = Blocks::none;
    });
    Blocks now(base, depth, there);
    if (!(now == blocks_)) {
        blocks_ = std::move(now);
        kind_ = field::BlockField<std::uint8_t>(blocks_);
        level_set_ = Values(blocks_);
        for (auto* fields : {&open_, &weight_, &velocity_})
            for (Values& f : *fields) f = Values(blocks_);
    }
    for (Values& f : body_) f = solids.present() ? Values(blocks_) : Values();
    each_block(blocks_, [&](int block) {
        find_kinds(block);
        find_openings(block);
        find_weights(block);
    });
    numerics::fill_ghosts(blocks_, kind_);
    system_ = numerics::plain_box<float>(blocks_);
    parallel_for(int(system_.seams.size()), [&](int s) { find_seam(system_.seams[std::size_t(s)]); });   // each face belongs to one seam
    system_.kind = kind_;
    system_.weight = weight_;
    seams_ = system_.seams;
}

/// At the centre of the cell whose lower corner this is. Beyond the grid it goes on with its slope.
float BlockLiquid::phi_at(int level, const Vec3i& lower) const {
    const auto value = [&](const Vec3i& cell) {
        const Vec3i in = max(min(cell, cells_ - Vec3i(1)), Vec3i(0));
        const float here = (*phi_)(in.x, in.y, in.z);
        float sum = here;
        for (int a = 0; a < 3; ++a) {
            if (in[a] == cell[a] || cells_[a] == 1) continue;
            Vec3i back = in;
            back[a] += cell[a] > in[a] ? -1 : 1;
            sum += float(std::abs(cell[a] - in[a])) * (here - (*phi_)(back.x, back.y, back.z));
        }
        return sum;
    };
    const int size = blocks_.size(level);
    if (size == 1) return value(lower);
    const Vec3i middle = lower + Vec3i(size / 2);
    float sum = 0;
    for (int c = 0; c < 8; ++c) sum += value(middle - Vec3i(c & 1, c >> 1 & 1, c >> 2));
    return sum / 8;
}

void BlockLiquid::find_kinds(int block) {
    const int level = blocks_.level(block), n = Blocks::side(level), size = blocks_.size(level);
    std::uint8_t* kind = kind_.block(blocks_, block);
    float* level_set = level_set_.block(blocks_, block);
    const Vec3i whole = corner(block, {0, 0, 0});
    const bool well_inside = min(whole, Vec3i(size)) == Vec3i(size) && max(whole + Vec3i((n + 1) * size), cells_) == cells_;   // with its ghosts
    const auto free_part = [&](const Vec3i& low) {
        if (well_inside && !solids_->present()) return true;
        const Vec3i first = max(low, Vec3i(0)), last = min(low + Vec3i(size), cells_);
        if (first.x >= last.x || first.y >= last.y || first.z >= last.z) return false;
        if (!solids_->present()) return true;
        for (int k = first.z; k < last.z; ++k)
            for (int j = first.y; j < last.y; ++j)
                for (int i = first.x; i < last.x; ++i)
                    if (!solids_->covered(i, j, k)) return true;
        return false;
    };
    Vec3i c;
    for (c.z = -1; c.z <= n; ++c.z)
        for (c.y = -1; c.y <= n; ++c.y)
            for (c.x = -1; c.x <= n; ++c.x) {
                const int place = Blocks::offset(level, c.x, c.y, c.z);
                const Vec3i low = corner(block, c);
                level_set[place] = well_inside && size == 1 ? (*phi_)(low.x, low.y, low.z) : phi_at(level, low);
                kind[place] = !free_part(low) ? numerics::outside : level_set[place] < 0 ? numerics::part : numerics::zero;
            }
    for (int face = 0; face < 6; ++face)   // beyond an open wall is air
        if (walls_[std::size_t(face)].kind == WallKind::open)
            numerics::each_at_face(level, face, [&](int a, int b, int, int ghost) {
                Vec3i cell;
                const int axis = face / 2;
                cell[axis] = face % 2 == 0 ? 0 : n, cell[axis == 0 ? 1 : 0] = a, cell[axis == 2 ? 1 : 2] = b;
                if (corner(block, cell)[axis] == (face % 2 == 0 ? 0 : cells_[axis])) kind[ghost] = numerics::zero;
            });
}

/// Open parts of faces, and what bodies push through the rest.
void BlockLiquid::find_openings(int block) {
    const int level = blocks_.level(block), n = Blocks::side(level), size = blocks_.size(level);
    const float area = float(size * size);
    for (int axis = 0; axis < 3; ++axis) {
        const int second = (axis + 1) % 3, third = (axis + 2) % 3;
        float* open = open_[std::size_t(axis)].block(blocks_, block);
        float* body = solids_->present() ? body_[std::size_t(axis)].block(blocks_, block) : nullptr;
        Vec3i c;
        for (c.z = 0; c.z < n + (axis == 2); ++c.z)
            for (c.y = 0; c.y < n + (axis == 1); ++c.y)
                for (c.x = 0; c.x < n + (axis == 0); ++c.x) {
                    const Vec3i low = corner(block, c);
                    const int place = Blocks::offset(level, c.x, c.y, c.z);
                    if (body == nullptr) {   // what of it is in the box
                        const int wide = std::clamp(cells_[second] - low[second], 0, size), tall = std::clamp(cells_[third] - low[third], 0, size);
                        open[place] = low[axis] <= cells_[axis] ? float(wide * tall) / area : 0.f;
                        continue;
                    }
                    float sum = 0, pushed = 0;
                    each_fine_face(axis, low, size, [&](int i, int j, int k) {
                        const float a = solids_->aperture[axis](i, j, k);
                        sum += a, pushed += (1 - a) * solids_->velocity[axis](i, j, k);
                    });
                    open[place] = sum / area, body[place] = pushed / area;
                }
    }
}

void BlockLiquid::find_weights(int block) {
    const int level = blocks_.level(block), n = Blocks::side(level), pitch = Blocks::pitch(level);
    const int steps[3] = {1, pitch, pitch * pitch};
    const std::uint8_t* kind = kind_.block(blocks_, block);
    const float *level_set = level_set_.block(blocks_, block), size = float(blocks_.size(level));
    for (int axis = 0; axis < 3; ++axis) {
        const float* open = open_[std::size_t(axis)].block(blocks_, block);
        float* weight = weight_[std::size_t(axis)].block(blocks_, block);
        Vec3i c;
        for (c.z = 0; c.z < n + (axis == 2); ++c.z)
            for (c.y = 0; c.y < n + (axis == 1); ++c.y)
                for (c.x = 0; c.x < n + (axis == 0); ++c.x) {
                    const int up = Blocks::offset(level, c.x, c.y, c.z), down = up - steps[axis];
                    const bool above = kind[up] == numerics::part, below = kind[down] == numerics::part;
                    float w = open[up] * size;
                    if (!above && !below) w = 0;
                    else if (above != below) {
                        const int in = above ? up : down, out = above ? down : up, at = corner(block, c)[axis];
                        const bool in_wall = at <= 0 || at >= cells_[axis];   // the air's pressure a cell centre outside
                        w = kind[out] == numerics::zero ? w / (in_wall ? 1.f : surface_share(level_set[in], level_set[out])) : 0.f;
                    }
                    weight[up] = w;
                }
        for (const int side : {0, 1}) {
            const int face = 2 * axis + side, other = blocks_.neighbour(block, face);
            if (other >= 0 && blocks_.level(other) != Blocks::none && blocks_.level(other) != level)
                numerics::each_at_face(level, face, [&](int, int, int place, int ghost) { weight[side == 0 ? place : ghost] = 0; });
        }
    }
}

/// The gradient leads from the coarse cell's centre to the point amidst the four fine ones. Where the surface passes, the pressure there is in proportion to the
/// level set: that of the fine cells in the liquid, scaled, if the point is in it, or zero where the surface crosses the way. So it is exact for a flat surface
/// and always a positive conductance. Scaling the whole gradient instead [ando2020] makes negative ones where the surface slopes along the face.
/// Only if both ends are in the air, a fine cell is not, and the surface slopes the wrong way, a positive one cannot be right: such a face is shut, and
/// moves with the liquid beside it (follow()).
void BlockLiquid::find_seam(numerics::Seam<float>& seam) {
    const int level = blocks_.level(seam.coarse), axis = seam.face / 2, pitch = Blocks::pitch(level + 1);
    // The face of a fine cell is before it if the fine block lies above.
    const int after = seam.face % 2 == 1 ? 0 : axis == 0 ? 1 : axis == 1 ? pitch : pitch * pitch;
    float* open = open_[std::size_t(axis)].block(blocks_, seam.fine);
    const float *fine = level_set_.block(blocks_, seam.fine), *coarse = level_set_.block(blocks_, seam.coarse);
    const std::uint8_t* fine_kind = kind_.block(blocks_, seam.fine);
    std::uint8_t* coarse_kind = kind_.block(blocks_, seam.coarse);
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

void BlockLiquid::gather(const Grid& divergence, double h, Values& wanted) const {
    each_block(blocks_, [&](int block) {
        const int level = blocks_.level(block), n = Blocks::side(level), size = blocks_.size(level);
        float* to = wanted.block(blocks_, block);
        Vec3i c;
        for (c.z = 0; c.z < n; ++c.z)
            for (c.y = 0; c.y < n; ++c.y)
                for (c.x = 0; c.x < n; ++c.x) {
                    const Vec3i low = corner(block, c), high = min(low + Vec3i(size), cells_);
                    double sum = 0;
                    for (int k = low.z; k < high.z; ++k)
                        for (int j = low.y; j < high.y; ++j)
                            for (int i = low.x; i < high.x; ++i) sum += double(divergence(i, j, k));
                    to[Blocks::offset(level, c.x, c.y, c.z)] = float(h * sum);
                }
    });
}

void BlockLiquid::outflow(const Values* wanted, Values& b) const {
    each_block(blocks_, [&](int block) {
        const int level = blocks_.level(block), n = Blocks::side(level), wide = Blocks::pitch(level), plane = wide * wide;
        const std::uint8_t* __restrict kind = kind_.block(blocks_, block);
        const float area = float(blocks_.size(level) * blocks_.size(level));
        const float *__restrict ox = open_[0].block(blocks_, block), *__restrict oy = open_[1].block(blocks_, block), *__restrict oz = open_[2].block(blocks_, block);
        const float *__restrict x = velocity_[0].block(blocks_, block), *__restrict y = velocity_[1].block(blocks_, block), *__restrict z = velocity_[2].block(blocks_, block);
        float* __restrict to = b.block(blocks_, block);
        const auto each_row = [&](const auto& each) {
            for (int k = 0; k < n; ++k)
                for (int j = 0; j < n; ++j) each(Blocks::offset(level, 0, j, k));
        };
        each_row([&](int row) {
#pragma omp simd
            for (int i = row; i < row + n; ++i)
                to[i] = -area * ((ox[i + 1] * x[i + 1] - ox[i] * x[i]) + (oy[i + wide] * y[i + wide] - oy[i] * y[i]) + (oz[i + plane] * z[i + plane] - oz[i] * z[i]));
        });
        if (solids_->present()) {
            const float *wx = body_[0].block(blocks_, block), *wy = body_[1].block(blocks_, block), *wz = body_[2].block(blocks_, block);
            each_row([&](int row) {
                for (int i = row; i < row + n; ++i) to[i] -= area * ((wx[i + 1] - wx[i]) + (wy[i + wide] - wy[i]) + (wz[i + plane] - wz[i]));
            });
        }
        const float* more = wanted != nullptr ? wanted->block(blocks_, block) : nullptr;
        each_row([&](int row) {
            for (int i = row; i < row + n; ++i) to[i] = kind[i] == numerics::part ? to[i] + (more != nullptr ? more[i] : 0.f) : 0.f;
        });
    });
}

void BlockLiquid::calm(Values& q) const {
    numerics::fill_ghosts(blocks_, q);
    const Values old = q;
    each_block(blocks_, [&](int block) {
        const int level = blocks_.level(block), n = Blocks::side(level), pitch = Blocks::pitch(level);
        const int steps[3] = {1, pitch, pitch * pitch};
        const std::uint8_t* kind = kind_.block(blocks_, block);
        const float *x = old.block(blocks_, block), size = float(blocks_.size(level));
        float* to = q.block(blocks_, block);
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i) {
                    const int place = Blocks::offset(level, i, j, k);
                    if (kind[place] != numerics::part) continue;
                    float held = 0, steepest = 0;   // conductance to the air, and the largest difference to liquid
                    for (std::size_t a = 0; a < 3; ++a)
                        for (const int side : {0, 1}) {
                            const int other = place + (side == 0 ? -steps[a] : steps[a]);
                            const float w = weight_[a].block(blocks_, block)[side == 0 ? place : other] / size;
                            if (kind[other] == numerics::zero) held += w;
                            else if (w > 0) steepest = std::max(steepest, std::fabs(x[other] - x[place]));
                        }
                    if (held > 0) to[place] = std::clamp(x[place], -10 * steepest / held, 10 * steepest / held);
                }
    });
}

void BlockLiquid::subtract_gradient(Values& q) {
    numerics::fill_ghosts(blocks_, q);
    each_block(blocks_, [&](int block) {
        const int level = blocks_.level(block), n = Blocks::side(level), pitch = Blocks::pitch(level);
        const int steps[3] = {1, pitch, pitch * pitch};
        const float area = float(blocks_.size(level) * blocks_.size(level)), *x = q.block(blocks_, block);
        for (int axis = 0; axis < 3; ++axis) {
            const float *weight = weight_[std::size_t(axis)].block(blocks_, block), *open = open_[std::size_t(axis)].block(blocks_, block);
            float* v = velocity_[std::size_t(axis)].block(blocks_, block);
            for (int k = 0; k < n + (axis == 2); ++k)
                for (int j = 0; j < n + (axis == 1); ++j)
                    for (int i = 0; i < n + (axis == 0); ++i) {
                        const int up = Blocks::offset(level, i, j, k);
                        if (weight[up] > 0) v[up] -= weight[up] * (x[up] - x[up - steps[axis]]) / (open[up] * area);
                    }
        }
    });
    parallel_for(int(seams_.size()), [&](int s) {   // each face belongs to one seam
        const numerics::Seam<float>& seam = seams_[std::size_t(s)];
        const int axis = seam.face / 2, side = seam.face % 2, level = blocks_.level(seam.coarse), wide = Blocks::pitch(level), fine_wide = Blocks::pitch(level + 1);
        const int coarse_step = axis == 0 ? 1 : axis == 1 ? wide : wide * wide, fine_step = axis == 0 ? 1 : axis == 1 ? fine_wide : fine_wide * fine_wide;
        const float area = float(blocks_.size(level) * blocks_.size(level)), sign = side == 1 ? 1.f : -1.f;
        const float *fine = q.block(blocks_, seam.fine), *coarse = q.block(blocks_, seam.coarse), *open = open_[std::size_t(axis)].block(blocks_, seam.coarse);
        float *v = velocity_[std::size_t(axis)].block(blocks_, seam.coarse), *w = velocity_[std::size_t(axis)].block(blocks_, seam.fine);
        for (const numerics::LevelFace<float>& f : seam.faces) {
            const int at = f.coarse + (side == 1 ? coarse_step : 0);
            if (f.weight > 0) {
                float slope = -f.coarse_share * coarse[f.coarse];
                for (std::size_t c = 0; c < 4; ++c) slope += f.share[c] * fine[f.fine[c]];
                v[at] -= sign * f.weight * slope / (open[at] * area);
            }
            for (std::size_t c = 0; c < 4; ++c) w[f.fine[c] + (side == 1 ? 0 : fine_step)] = v[at];
        }
    });
}

std::size_t BlockLiquid::bytes() const {
    std::size_t sum = blocks_.bytes() + kind_.bytes() + level_set_.bytes();
    for (const auto* fields : {&open_, &weight_, &velocity_, &body_})
        for (const Values& f : *fields) sum += f.bytes();
    for (const auto& seam : seams_) sum += seam.faces.size() * sizeof(numerics::LevelFace<float>);
    return sum;
}

}  // namespace phlo::flow
