#include "flow/block_extend.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/parallel.h"
#include "numerics/block_loops.h"

namespace phlo::flow {
namespace {

using field::BlockField;
using field::Blocks;

template <class Body>
void each_of(const std::vector<int>& list, const Body& body) {
    parallel_for(int(list.size()), [&](int i) { body(list[std::size_t(i)]); });
}

/// Which of a block's faces across an axis are its own to set: those after the first plane, and before the last, are; planes between blocks belong to the coarser
/// one, of two alike to the upper one; a closed wall's to nobody.
struct OwnFaces {
    Vec3i first, last;
    OwnFaces(const Blocks& blocks, const Walls& walls, int block, int axis) : last(Blocks::side(blocks.level(block))) {
        const int level = blocks.level(block);
        for (const int side : {0, 1}) {
            const int face = 2 * axis + side, other = blocks.neighbour(block, face);
            const bool mine = other < 0 ? walls[std::size_t(face)].kind == WallKind::open : blocks.level(other) > level || (blocks.level(other) == level && side == 0);
            if (side == 0 && !mine) first[axis] = 1;
            if (side == 1 && mine) ++last[axis];
        }
    }
};

class Extension {
public:
    Extension(const Blocks& blocks, const Walls& walls, const BlockField<std::uint8_t>& kind, const BlockExtension& how, const BlockField<float>& phi, BlockVelocity& u)
        : blocks_(blocks), walls_(walls), kind_(kind), how_(how), phi_(phi), u_(u), is_near_(std::size_t(blocks.base_count()), 0) {}

    void run() {
        find_near();
        each_of(blocks_.all(), [&](int block) {
            for (int axis = 0; axis < 3; ++axis) clear(block, axis);
        });
        std::vector<std::array<Task, 3>> tasks(near_.size());
        parallel_for(int(near_.size()), [&](int i) {
            for (int axis = 0; axis < 3; ++axis) tasks[std::size_t(i)][std::size_t(axis)] = prepare(near_[std::size_t(i)], axis);
        });
        const int exchanges = int(std::ceil(how_.reach / 2));
        for (int n = 0; n < exchanges; ++n) {
            for (int axis = 0; axis < 3; ++axis) fill_ghosts_around(blocks_, axis, field::Seams::one_value, u_[std::size_t(axis)], field::Around::faces, is_near_);
            parallel_for(int(near_.size()), [&](int i) {
                for (const bool downwards : {false, true}) {
                    const int block = near_[std::size_t(i)];
                    const std::array<Task, 3>& task = tasks[std::size_t(i)];
                    sweep<0>(block, task[0], downwards), sweep<1>(block, task[1], downwards), sweep<2>(block, task[2], downwards);
                }
            });
        }
        for (int axis = 0; axis < 3; ++axis) fill_ghosts_around(blocks_, axis, field::Seams::one_value, u_[std::size_t(axis)]);
    }

private:
    /// Blocks with air that the surface is near to: in them, or in one of those around.
    void find_near() {
        std::vector<std::uint8_t> liquid(std::size_t(blocks_.base_count()), 0);
        each_of(blocks_.all(), [&](int block) {
            const int level = blocks_.level(block);
            const std::uint8_t* kind = kind_.block(blocks_, block);
            std::uint8_t found = 0;   // bit 0: liquid, bit 1: air
            const int n = Blocks::side(level);
            for (int k = 0; k < n; ++k)
                for (int j = 0; j < n; ++j)
                    for (int i = 0; i < n; ++i) found |= std::uint8_t(kind[Blocks::offset(level, i, j, k)] == numerics::part ? 1 : 2);
            liquid[std::size_t(block)] = found;
        });
        for (const int block : blocks_.all()) {
            if ((liquid[std::size_t(block)] & 2) == 0) continue;
            const Vec3i base = blocks_.place(block);
            bool near = false;
            for (int d = 0; d < 27; ++d) {
                const Vec3i other = base + Vec3i(d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1);
                near = near || (blocks_.inside(other) && (liquid[std::size_t(blocks_.index(other))] & 1) != 0);
            }
            if (near) near_.push_back(block), is_near_[std::size_t(block)] = 1;
        }
    }

    /// Nothing old is left in the air.
    void clear(int block, int axis) {
        const int level = blocks_.level(block), n = Blocks::side(level), wide = Blocks::pitch(level), step = axis == 0 ? 1 : axis == 1 ? wide : wide * wide;
        const std::uint8_t* kind = kind_.block(blocks_, block);
        float* u = u_[std::size_t(axis)].block(blocks_, block);
        for (int k = 0; k < n + (axis == 2); ++k)
            for (int j = 0; j < n + (axis == 1); ++j) {
                const int row = Blocks::offset(level, 0, j, k);
                for (int i = row; i < row + n + (axis == 0); ++i)
                    if (kind[i] != numerics::part && kind[i - step] != numerics::part) u[i] = 0;
            }
    }

    /// What is to be found in one block across one axis, over all sweeps.
    struct Task {
        std::vector<float> nearness;        ///< of each face, in cells; the smaller, the nearer to the liquid. Ghosts included
        std::vector<float> open;            ///< 1: to be found, 0: not
        std::vector<std::int32_t> rows;     ///< places of the first own faces of rows in which there are such
        int count = 0;                      ///< faces of a row
    };

    Task prepare(int block, int axis) const {
        const int level = blocks_.level(block), n = Blocks::side(level), wide = Blocks::pitch(level), plane = wide * wide, step = axis == 0 ? 1 : axis == 1 ? wide : plane;
        const std::uint8_t* kind = kind_.block(blocks_, block);
        const float *phi = phi_.block(blocks_, block), per_cell = float(0.5 / (how_.h * blocks_.size(level))), farthest = float(how_.reach / blocks_.size(level)) + 1;
        Task task;
        task.nearness.assign(Blocks::stored(level) + std::size_t(plane), 0.f), task.open.assign(Blocks::stored(level), 0.f);
        for (int k = -1; k <= n; ++k)
            for (int j = -1; j <= n; ++j)
                for (int i = -1; i <= n; ++i) {   // two cells before the first face there is no ghost: the level set goes on straight
                    const int p = Blocks::offset(level, i, j, k), along = axis == 0 ? i : axis == 1 ? j : k;
                    task.nearness[std::size_t(p)] = (along < 0 ? 3 * phi[p] - phi[p + step] : phi[p] + phi[p - step]) * per_cell;
                }
        const OwnFaces own(blocks_, walls_, block, axis);
        task.count = own.last.x - own.first.x;
        for (int k = own.first.z; k < own.last.z; ++k)
            for (int j = own.first.y; j < own.last.y; ++j) {
                const int row = Blocks::offset(level, own.first.x, j, k);
                bool any = false;
                for (int p = row; p < row + task.count; ++p) {
                    const bool found = kind[p] != numerics::part && kind[p - step] != numerics::part && task.nearness[std::size_t(p)] <= farthest;
                    task.open[std::size_t(p)] = found ? 1.f : 0.f, any |= found;
                }
                if (any) task.rows.push_back(row);
            }
        return task;
    }

    /// The faces after the last along their own axis: none are there.
    template <int axis>
    void sweep(int block, const Task& task, bool downwards) {
        const int level = blocks_.level(block), n = Blocks::side(level), wide = Blocks::pitch(level), plane = wide * wide;
        const int last_plane = axis == 0 ? 1 << 30 : Blocks::offset(level, -1, axis == 1 ? n : -1, axis == 2 ? n : -1);
        const float* __restrict near = task.nearness.data();
        const float* __restrict open = task.open.data();
        float* u = u_[std::size_t(axis)].block(blocks_, block);
        float found[17];
        const auto value = [&](int p, int next) {
            const float here = near[p];
            float sum = 0, weights = 0;
            const auto add = [&](int q) {
                const float w = std::max(here - near[q], 0.f) + 1e-6f;
                sum += w * u[q], weights += w;
            };
            add(p - 1), add(p - wide), add(p - plane);
            add(axis == 0 ? next : p + 1), add(axis == 1 ? next : p + wide), add(axis == 2 ? next : p + plane);
            return open[p] > 0 ? sum / weights : u[p];
        };
        constexpr bool along_x = axis == 0;
        for (std::size_t r = 0; r < task.rows.size(); ++r) {
            const int row = task.rows[downwards ? task.rows.size() - 1 - r : r], step = axis == 1 ? wide : plane;
            const bool at_end = axis == 1 ? (row / wide) % wide == n + 1 : axis == 2 && row >= last_plane;
            const int ahead = along_x ? 1 : at_end ? 0 : step, count = along_x ? std::min(task.count, n - (row % wide - 1)) : task.count;
#pragma omp simd
            for (int i = 0; i < count; ++i) found[i] = value(row + i, row + i + ahead);
            if (along_x && count < task.count) found[count] = value(row + count, row + count);
            std::copy_n(found, task.count, u + row);
        }
    }

    const Blocks& blocks_;
    const Walls& walls_;
    const BlockField<std::uint8_t>& kind_;
    const BlockExtension& how_;
    const BlockField<float>& phi_;
    BlockVelocity& u_;
    std::vector<int> near_;
    std::vector<std::uint8_t> is_near_;
};

class Balance {
public:
    Balance(const Blocks& blocks, const Walls& walls, const BlockField<std::uint8_t>& kind, const BlockExtension& how, const BlockField<float>& phi, BlockVelocity& u,
            BlockField<float>& q)
        : blocks_(blocks), walls_(walls), kind_(kind), how_(how), phi_(phi), u_(u), q_(q), cells_(std::size_t(blocks.base_count())) {}

    void run() {
        each_of(blocks_.all(), [&](int block) { find(block); });
        std::vector<int> busy, around;
        for (const int block : blocks_.all()) {
            bool any = !cells_[std::size_t(block)][0].empty() || !cells_[std::size_t(block)][1].empty();
            if (any) busy.push_back(block);
            for (int face = 0; face < 6 && !any; ++face) {
                const int other = blocks_.neighbour(block, face);
                any = other >= 0 && !(cells_[std::size_t(other)][0].empty() && cells_[std::size_t(other)][1].empty());
            }
            if (any) around.push_back(block);
        }
        for (int sweep = 0; sweep < how_.sweeps; ++sweep) {
            each_of(busy, [&](int block) { relax(block); });
            each_of(around, [&](int block) { numerics::fill_ghosts_of(blocks_, block, q_); });
        }
        each_of(around, [&](int block) { apply(block); });
        for (int axis = 0; axis < 3; ++axis) fill_ghosts_around(blocks_, axis, field::Seams::one_value, u_[std::size_t(axis)]);
    }

private:
    struct AirCell {
        std::int32_t place;
        std::uint8_t may_change = 0;   ///< which of the faces -x, +x, -y, +y, -z, +z may: a bit each
        std::uint8_t faces = 0;        ///< how many of them
        float outflow = 0;             ///< of the velocity as it was [m/s]
    };
    static int step(int wide, int axis) { return axis == 0 ? 1 : axis == 1 ? wide : wide * wide; }
    /// Faces of a block's side that may change: those to blocks alike, and of open walls.
    bool passes(int block, int face) const {
        const int other = blocks_.neighbour(block, face);
        return other < 0 ? walls_[std::size_t(face)].kind == WallKind::open : blocks_.level(other) == blocks_.level(block);
    }

    void find(int block) {
        const int level = blocks_.level(block), n = Blocks::side(level), wide = Blocks::pitch(level);
        std::fill_n(q_.block(blocks_, block), Blocks::stored(level), 0.f);
        const std::uint8_t* kind = kind_.block(blocks_, block);
        const float *phi = phi_.block(blocks_, block), reach = float(how_.h * blocks_.size(level));
        bool sides[6];
        for (int face = 0; face < 6; ++face) sides[face] = passes(block, face);
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i) {
                    const int place = Blocks::offset(level, i, j, k);
                    if (kind[place] != numerics::zero || !(phi[place] < reach)) continue;
                    AirCell cell{.place = place};
                    const Vec3i at(i, j, k);
                    for (int face = 0; face < 6; ++face) {
                        const int axis = face / 2, upper = face % 2, to = upper ? step(wide, axis) : -step(wide, axis);
                        const float v = u_[std::size_t(axis)].block(blocks_, block)[place + (upper ? to : 0)];
                        cell.outflow += upper ? v : -v;
                        const bool edge = at[axis] == (upper ? n - 1 : 0);
                        if ((edge && !sides[face]) || kind[place + to] != numerics::zero) continue;
                        cell.may_change |= std::uint8_t(1u << face), ++cell.faces;
                    }
                    if (cell.faces > 0) cells_[std::size_t(block)][std::size_t((i + j + k) & 1)].push_back(cell);
                }
    }

    void relax(int block) {
        const int wide = Blocks::pitch(blocks_.level(block));
        const int to[6] = {-1, 1, -wide, wide, -wide * wide, wide * wide};
        float* q = q_.block(blocks_, block);
        for (const auto& colour : cells_[std::size_t(block)])
            for (const AirCell& c : colour) {
                float sum = -c.outflow;
                for (int face = 0; face < 6; ++face) sum += (c.may_change >> face & 1) != 0 ? q[c.place + to[face]] : 0.f;
                q[c.place] = sum / float(c.faces);
            }
    }

    void apply(int block) {
        const int level = blocks_.level(block), n = Blocks::side(level), wide = Blocks::pitch(level);
        const std::uint8_t* kind = kind_.block(blocks_, block);
        const float* q = q_.block(blocks_, block);
        for (int axis = 0; axis < 3; ++axis) {
            const int before = step(wide, axis);
            float* u = u_[std::size_t(axis)].block(blocks_, block);
            Vec3i first, last(n);
            if (!passes(block, 2 * axis)) first[axis] = 1;
            if (passes(block, 2 * axis + 1)) ++last[axis];
            for (int k = first.z; k < last.z; ++k)
                for (int j = first.y; j < last.y; ++j)
                    for (int i = first.x; i < last.x; ++i) {
                        const int p = Blocks::offset(level, i, j, k);
                        if (kind[p] == numerics::zero && kind[p - before] == numerics::zero) u[p] -= q[p] - q[p - before];
                    }
        }
    }

    const Blocks& blocks_;
    const Walls& walls_;
    const BlockField<std::uint8_t>& kind_;
    const BlockExtension& how_;
    const BlockField<float>& phi_;
    BlockVelocity& u_;
    BlockField<float>& q_;
    std::vector<std::array<std::vector<AirCell>, 2>> cells_;   ///< those with an even sum of indices, and the others
};

}  // namespace

void extend_velocity(const Blocks& blocks, const Walls& walls, const BlockField<std::uint8_t>& kind, const BlockExtension& how, const BlockField<float>& phi, BlockVelocity& u,
                     BlockExtensionScratch& scratch) {
    if (!(scratch.of == blocks)) scratch.of = blocks, scratch.q = BlockField<float>(blocks);
    Extension(blocks, walls, kind, how, phi, u).run();
    Balance(blocks, walls, kind, how, phi, u, scratch.q).run();
}

}  // namespace phlo::flow
