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
    Extension(const Blocks& blocks, const Walls& walls, const BlockField<std::uint8_t>& kind, const BlockExtension& how, const BlockField<float>& phi, BlockVelocity& u,
              std::vector<std::array<BlockExtensionScratch::Task, 3>>& tasks)
        : blocks_(blocks), walls_(walls), kind_(kind), how_(how), phi_(phi), u_(u), is_near_(std::size_t(blocks.base_count()), 0), tasks_(tasks) {}

    void run() {
        find_near();
        each_of(blocks_.all(), [&](int block) {
            for (int axis = 0; axis < 3; ++axis) clear(block, axis);
        });
        if (tasks_.size() < near_.size()) tasks_.resize(near_.size());
        parallel_for(int(near_.size()), [&](int i) {
            for (int axis = 0; axis < 3; ++axis) prepare(near_[std::size_t(i)], axis, tasks_[std::size_t(i)][std::size_t(axis)]);
        });
        const int exchanges = int(std::ceil(how_.reach / 2));
        for (int n = 0; n < exchanges; ++n) {
            for (int axis = 0; axis < 3; ++axis) fill_ghosts_around(blocks_, axis, field::Seams::one_value, u_[std::size_t(axis)], field::Around::faces, is_near_);
            parallel_for(int(near_.size()), [&](int i) {
                const int block = near_[std::size_t(i)];
                const std::array<Task, 3>& task = tasks_[std::size_t(i)];
                for (const bool downwards : {false, true}) sweep<0>(block, task[0], downwards), sweep<1>(block, task[1], downwards), sweep<2>(block, task[2], downwards);
            });
        }
        for (int axis = 0; axis < 3; ++axis) fill_ghosts_around(blocks_, axis, field::Seams::one_value, u_[std::size_t(axis)], field::Around::faces);   // the balance does the rest
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

    using Task = BlockExtensionScratch::Task;

    void prepare(int block, int axis, Task& task) const {
        const int level = blocks_.level(block), wide = Blocks::pitch(level), step = axis == 0 ? 1 : axis == 1 ? wide : wide * wide;
        const std::uint8_t* kind = kind_.block(blocks_, block);
        const float *phi = phi_.block(blocks_, block), per_cell = float(0.5 / (how_.h * blocks_.size(level))), farthest = float(how_.reach / blocks_.size(level)) + 1;
        task.open.assign(Blocks::stored(level), 0), task.rows.clear();
        const OwnFaces own(blocks_, walls_, block, axis);
        task.first = own.first.x, task.count = own.last.x - own.first.x;
        for (int k = own.first.z; k < own.last.z; ++k)
            for (int j = own.first.y; j < own.last.y; ++j) {
                const int row = Blocks::offset(level, own.first.x, j, k);
                bool any = false;
                for (int p = row; p < row + task.count; ++p) {
                    const bool found = kind[p] != numerics::part && kind[p - step] != numerics::part && (phi[p] + phi[p - step]) * per_cell <= farthest;
                    task.open[std::size_t(p)] = found, any |= found;
                }
                if (any) task.rows.push_back({row, axis == 1 ? j : k});
            }
    }

    template <int axis>
    void sweep(int block, const Task& task, bool downwards) {
        const int level = blocks_.level(block), n = Blocks::side(level), wide = Blocks::pitch(level), plane = wide * wide, step = axis == 0 ? 1 : axis == 1 ? wide : plane;
        const float* __restrict phi = phi_.block(blocks_, block);
        const std::uint8_t* __restrict open = task.open.data();
        const float per_cell = float(0.5 / (how_.h * blocks_.size(level))), least = 1e-6f / per_cell;
        float* u = u_[std::size_t(axis)].block(blocks_, block);
        const auto nearness = [&](int q) { return phi[q] + phi[q - step]; };   // the smaller, the nearer to the liquid
        /// Along the axis: two cells before the first face there is no ghost, the level set goes on straight; after the last face there is no face.
        const auto value = [&](int p, bool first, bool last) {
            const float here = nearness(p);
            float sum = 0, weights = 0;
            const auto add = [&](int q, float near) {
                const float w = std::max(here - near, 0.f) + least;
                sum += w * u[q], weights += w;
            };
            const int next = last ? p : p + step, other = axis == 0 ? wide : 1, third = axis == 2 ? wide : plane;
            add(p - step, first ? 3 * phi[p - step] - phi[p] : nearness(p - step)), add(next, nearness(next));
            add(p - other, nearness(p - other)), add(p + other, nearness(p + other)), add(p - third, nearness(p - third)), add(p + third, nearness(p + third));
            return sum / weights;
        };
        float found[17];
        for (std::size_t r = 0; r < task.rows.size(); ++r) {
            const auto [row, along] = task.rows[downwards ? task.rows.size() - 1 - r : r];
            if constexpr (axis == 0) {
                const int start = task.first == 0 ? 1 : 0, end = task.first + task.count > n ? task.count - 1 : task.count;
#pragma omp simd
                for (int i = start; i < end; ++i) found[i] = value(row + i, false, false);
                if (start == 1) found[0] = value(row, true, task.count == 1 && end == 0);
                if (end < task.count && end > 0) found[end] = value(row + end, false, true);
            } else if (along > 0 && along < n) {
#pragma omp simd
                for (int i = 0; i < task.count; ++i) found[i] = value(row + i, false, false);
            } else {
                for (int i = 0; i < task.count; ++i) found[i] = value(row + i, along == 0, along == n);
            }
            for (int i = 0; i < task.count; ++i) u[row + i] = open[row + i] != 0 ? found[i] : u[row + i];
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
    std::vector<std::array<Task, 3>>& tasks_;   ///< of the near ones
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

std::size_t BlockExtensionScratch::bytes() const {
    std::size_t sum = q.bytes();
    for (const auto& three : tasks)
        for (const Task& task : three) sum += task.rows.capacity() * sizeof(Task::Row) + task.open.capacity();
    return sum;
}

void extend_velocity(const Blocks& blocks, const Walls& walls, const BlockField<std::uint8_t>& kind, const BlockExtension& how, const BlockField<float>& phi, BlockVelocity& u,
                     BlockExtensionScratch& scratch) {
    if (!(scratch.of == blocks)) scratch.of = blocks, scratch.q.reset(blocks);
    Extension(blocks, walls, kind, how, phi, u, scratch.tasks).run();
    Balance(blocks, walls, kind, how, phi, u, scratch.q).run();
}

}  // namespace phlo::flow
