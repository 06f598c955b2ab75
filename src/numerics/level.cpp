#include "numerics/level.h"

#include <algorithm>

#include "numerics/row_plan.h"
#include "numerics/stencil.h"

namespace phlo::numerics {
namespace {

constexpr int coarsest = 4;              // points along the longest axis of the last level
constexpr std::size_t serial_cells = 20 * 20 * 20;

/// Fills the rows of one face table of the finest level: own rows from `faces`, all others with ones, closed walls with zeros.
/// Rows that are not own share one row per distance from the walls.
void fill_faces(Conductances& net, int axis, const std::vector<std::uint8_t>& own, const field::Grid* faces, std::array<bool, 2> open) {
    RowTable& table = net.face[std::size_t(axis)];
    const SplitRow& shape = net.shape;
    const int last = axis == 0 ? shape.cells : shape.cells - 1;  // entry of a row
    const auto set_row = [&](int j, int k, const field::Grid* from, float* out) {
        const int index = axis == 1 ? j : k, end = axis == 1 ? net.n.y : net.n.z;
        if (axis != 0 && ((index == 0 && !open[0]) || (index == end && !open[1]))) return;
        if (from != nullptr) {
            shape.split(from->row(j, k), out);
            for (int half = 0; half < 2; ++half) shape.clear_padding(out + shape.start(half), half);
            out[shape.at(last)] = from->row(j, k)[last];
        } else {
            for (int i = 0; i <= last; ++i) out[shape.at(i)] = 1;
        }
        if (axis == 0 && !open[0]) out[0] = 0;
        if (axis == 0 && !open[1]) out[shape.at(last)] = 0;
    };
    std::vector<std::size_t> todo;
    float* shared[3] = {nullptr, nullptr, nullptr};  // wall before, inside, wall behind
    const auto share = [&](float*& pattern, int j, int k) {
        pattern = net.arena->take(shape.length);
        set_row(j, k, nullptr, pattern);
    };
    share(shared[1], 1, 1);
    table.inner = shared[1];
    for (int k = 0; k < table.nk; ++k)
        for (int j = 0; j < table.nj; ++j) {
            const std::size_t at = table.index(j, k);
            const int index = axis == 1 ? j : axis == 2 ? k : 1, end = axis == 1 ? net.n.y : axis == 2 ? net.n.z : 2;
            float*& pattern = shared[index == 0 ? 0 : index == end ? 2 : 1];
            table.own[at] = !own.empty() && own[at] != 0;
            if (table.own[at] != 0) {
                todo.push_back(at);
                continue;
            }
            if (pattern == nullptr) share(pattern, j, k);
            table.row[at] = pattern;
        }
    constexpr int batch = 32;
    parallel_for(int(todo.size() + batch - 1) / batch, [&](int b) {
        std::vector<float> row(std::size_t(shape.length));
        for (std::size_t t = std::size_t(b) * batch; t < std::min(todo.size(), std::size_t(b + 1) * batch); ++t) {
            const int j = int(todo[t] % std::size_t(table.nj)), k = int(todo[t] / std::size_t(table.nj));
            std::fill(row.begin(), row.end(), 0.f);
            set_row(j, k, faces, row.data());
            table.row[todo[t]] = net.arena->keep(row.data(), shape.length);
        }
    });
}

/// All faces of the row like those of the plain box, the ones in walls included, and no ground?
bool is_plain(const Conductances& net, int j, int k) {
    if (net.face[0].is_own(j, k)) return false;
    for (const RowTable& table : net.ground)
        if (table.is_special(j, k)) return false;
    const auto differs = [&](int axis, int face, int walls, int fj, int fk) { return face > 0 && face < walls && net.face[std::size_t(axis)].is_own(fj, fk); };
    return !differs(1, j, net.n.y, j, k) && !differs(1, j + 1, net.n.y, j + 1, k) && !differs(2, k, net.n.z, j, k) && !differs(2, k + 1, net.n.z, j, k + 1);
}

/// As below for networks with ground; finds at the same time which entries are part of the system.
void fill_grounded_diagonal(Level& level) {
    Conductances& net = level.net;
    const SplitRow shape = net.shape;
    level.diagonal.resize(net.n.y, net.n.z), level.inverse.resize(net.n.y, net.n.z);
    RowSetPlan<2> plan({&level.diagonal, &level.inverse}, *level.arena, shape.length);
    for (int k = 0; k < net.n.z; ++k)
        for (int j = 0; j < net.n.y; ++j)
            plan.add(j, k, net.active_range(j, k).empty() ? RowTable::outside : is_plain(net, j, k) ? RowTable::plain : RowTable::special);
    plan.run(0, [&](int j, int k, const std::array<float*, 2>& out, float*) {
        constexpr int v = SplitRow::vector;
        const EntryRange range = net.active_range(j, k);
        int first = shape.padded, last = 0;
        for (int half = 0; half < 2; ++half) {
            const FaceWeights f = face_weights(net, half, j, k);
            const int o = shape.start(half);
            const float *gx = net.ground[0](j, k) + o, *gy = net.ground[1](j, k) + o, *gz = net.ground[2](j, k) + o;
            float *__restrict diagonal = out[0] + o, *__restrict inverse = out[1] + o;
            for (int c = range.begin; c < range.end; c += v) {
                float largest = 0;
#pragma omp simd reduction(max : largest)
                for (int e = c; e < c + v; ++e) {
                    const float d = ((f.w[e] + f.e[e]) + (f.s[e] + f.n[e])) + (f.d[e] + f.u[e]) + ((gx[e] + gy[e]) + gz[e]);
                    diagonal[e] = d, inverse[e] = d > 0 ? 1 / d : 0.f;
                    largest = std::max(largest, d);
                }
                if (largest > 0) first = std::min(first, c), last = std::max(last, c + v);
            }
            for (int c = shape.count(half); c < shape.padded; ++c) diagonal[c] = inverse[c] = 0;  // faces at the row's end are stored behind it
        }
        net.active[net.row_index(j, k)] = first < last ? EntryRange{std::uint16_t(first), std::uint16_t(last)} : EntryRange{};
    });
}

void fill_diagonal(Level& level) {
    if (level.net.grounded()) return fill_grounded_diagonal(level);
    const Conductances& net = level.net;
    const auto fill = [&](RowTable& table, const auto& value) {
        table.resize(net.n.y, net.n.z);
        RowPlan plan(table, *level.arena, net.shape.length);
        for (int k = 0; k < net.n.z; ++k)
            for (int j = 0; j < net.n.y; ++j) plan.add(j, k, net.is_own(j, k));
        plan.run([&](int j, int k, float* out) {
            for (int half = 0; half < 2; ++half) {
                const FaceWeights f = face_weights(net, half, j, k);
                float* __restrict row = out + net.shape.start(half);
#pragma omp simd
                for (int c = 0; c < net.shape.count(half); ++c) row[c] = value(f.w[c] + f.e[c] + f.s[c] + f.n[c] + f.d[c] + f.u[c]);
            }
        });
    };
    fill(level.diagonal, [](float d) { return d; });
    fill(level.inverse, [](float d) { return d > 0 ? 1 / d : 0.f; });
}

/// Has any of a vector of entries from c on ground?
bool has_ground(const Conductances& net, int c, int j, int k) {
    float sum = 0;
    for (const RowTable& table : net.ground)
        for (int e = 0; e < SplitRow::vector; ++e) sum += table(j, k)[c + e];
    return sum > 0;
}

/// Compares every row with the rows far from walls and solids, and notes where it differs.
void find_segments(Level& level, bool finest) {
    const Conductances& net = level.net;
    const SplitRow& shape = net.shape;
    level.finest = finest;
    level.segment.assign(std::size_t(net.n.y) * std::size_t(net.n.z), EntryRange{0, std::uint16_t(shape.padded)});
    if (net.grounded()) level.segment = net.active;
    const float *x = net.face[0].inner, *y = net.face[1].inner, *z = net.face[2].inner;
    level.base_x = x, level.base_across = y;
    if (x == nullptr || y == nullptr || z == nullptr || !std::equal(y, y + shape.length, z)) return;
    constexpr int batch = 64;
    parallel_for((int(level.segment.size()) + batch - 1) / batch, [&](int b) {
        for (int at = b * batch; at < std::min((b + 1) * batch, int(level.segment.size())); ++at) {
            const int j = at % net.n.y, k = at / net.n.y;
            const std::array<const float*, 5> rows{net.face[0](j, k), net.face[1](j, k), net.face[1](j + 1, k), net.face[2](j, k), net.face[2](j, k + 1)};
            if (rows[0] == x && rows[1] == y && rows[2] == y && rows[3] == z && rows[4] == z && (!finest || !net.grounded() || is_plain(net, j, k))) {
                level.segment[std::size_t(at)] = {};
                continue;
            }
            constexpr int v = SplitRow::vector;
            const EntryRange active = net.active_range(j, k);
            int first = shape.padded / v, last = -1;  // vectors that differ
            for (int half = 0; half < 2; ++half) {
                const FaceWeights f = face_weights(net, half, j, k);
                const float *bw = west_faces(shape, half, x), *be = east_faces(shape, half, x), *by = y + shape.start(half),
                            *bz = z + shape.start(half);
                for (int block = active.begin / v; block * v < std::min(int(active.end), shape.count(half)); ++block) {
                    int differs = finest && net.grounded() && has_ground(net, shape.start(half) + block * v, j, k) ? 1 : 0;
#pragma omp simd reduction(| : differs)
                    for (int c = block * v; c < std::min((block + 1) * v, shape.count(half)); ++c)
                        differs |= int(f.w[c] != bw[c]) | int(f.e[c] != be[c]) | int(f.s[c] != by[c]) | int(f.n[c] != by[c]) |
                                   int(f.d[c] != bz[c]) | int(f.u[c] != bz[c]);
                    if (differs != 0) first = std::min(first, block), last = std::max(last, block);
                }
            }
            level.segment[std::size_t(at)] = last < 0 ? EntryRange{} : EntryRange{std::uint16_t(first * v), std::uint16_t((last + 1) * v)};
        }
    });
}

/// Cells that leave the system are no longer written, but still read and multiplied by weights of zero: they must hold numbers.
void clear_left_behind(const Conductances& before, Level& level) {
    if (!before.grounded() && !level.net.grounded()) return;
    parallel_for(level.nz(), [&](int k) {
        for (int j = 0; j < level.ny(); ++j) {
            const EntryRange was = before.active_range(j, k), is = level.net.active_range(j, k);
            if (was.begin == is.begin && was.end == is.end) continue;
            for (field::Grid* grid : {&level.z, &level.y})
                if (!grid->empty()) std::fill_n(grid->row(j, k), grid->layout().stride_y() - 1, 0.f);
        }
    });
}

void size_work_items(Level& level) {
    const Vec3i n = level.net.n;
    level.serial = std::size_t(n.x) * std::size_t(n.y) * std::size_t(n.z) <= serial_cells;
    // The rings of a tile, and the rows of r around the sweep front, stay in a core's L2 (512 kB on small ones).
    const int most = std::clamp(8192 / std::max(n.x, 1), 16, 128);  // rows
    level.tiles = level.serial ? 1 : (n.y + most - 1) / most;
    level.work.clear();
    if (!level.net.grounded()) return;
    level.work.assign(std::size_t(n.z) + 1, 0);
    for (int k = 0; k < n.z; ++k) {
        std::size_t entries = 1;
        for (int j = 0; j < n.y; ++j) entries += std::size_t(level.net.active_range(j, k).end - level.net.active_range(j, k).begin);
        level.work[std::size_t(k) + 1] = level.work[std::size_t(k)] + entries;
    }
}

Scratch make_scratch(const Level& level) {
    const SplitRow shape = level.net.shape, next = level.after_x;
    const int rows = 2 * ((coarse_count(level.ny()) + level.tiles - 1) / level.tiles) + 12;  // a sweep reaches up to six rows further
    Scratch s;
    s.values = PlaneRing(rows, shape.length);
    s.line_stride = (std::max({shape.length, next.length, 2 * shape.padded, 2 * next.padded}) + 63) / 16 * 16;
    s.coarse = Buffer(std::size_t(s.line_stride) * std::size_t(rows / 2 + 4) + 32);
    s.lines = Buffer(std::size_t(s.line_stride) * 12 + 32);
    return s;
}

}  // namespace

std::size_t Level::bytes() const {
    std::size_t total = r.bytes() + z.bytes() + y.bytes() + net.arena->bytes() + arena->bytes() + segment.size() * sizeof(EntryRange) + diagonal.bytes() + inverse.bytes();
    for (const RowTable& table : net.face) total += table.bytes();
    for (const RowTable& table : net.ground) total += table.bytes();
    for (const auto& memory : spare)
        if (memory) total += memory->bytes();
    total += net.active.size() * sizeof(EntryRange);
    for (const Transfer& t : transfer) total += t.low.bytes() + t.high.bytes();
    if (scratch)
        for (const Scratch& s : *scratch) total += s.values.bytes() + s.coarse.bytes() + s.lines.bytes();
    return total;
}

namespace {

/// The finest network of a liquid.
Conductances make_grounded(const field::Layout& layout, const PoissonRows& rows, std::shared_ptr<RowArena> memory) {
    Conductances net(layout.cells(), std::move(memory));
    net.add_ground();
    PHLO_CHECK(rows.kind.size() == net.active.size());
    const SplitRow shape = net.shape;
    const auto kind = [&](int j, int k) { return rows.kind[net.row_index(j, k)]; };
    for (std::size_t r = 0; r < net.active.size(); ++r)
        if (rows.kind[r] == PoissonRows::outside) net.active[r] = {};
    const int length = 2 * shape.padded;
    for (int axis = 0; axis < 3; ++axis) {
        RowTable& table = net.face[std::size_t(axis)];
        const int dj = axis == 1, dk = axis == 2;
        RowSetPlan<1> plan({&table}, *net.arena, shape.length);
        float* ones = net.arena->take(shape.length);
        for (int i = axis == 0 ? 1 : 0; i < shape.cells; ++i) ones[shape.at(i)] = 1;
        for (int k = 0; k < table.nk; ++k)
            for (int j = 0; j < table.nj; ++j) {
                const bool wall = (axis == 1 && (j == 0 || j == net.n.y)) || (axis == 2 && (k == 0 || k == net.n.z));
                const auto here = wall ? std::uint8_t(PoissonRows::outside) : kind(j, k), before = wall ? here : kind(j - dj, k - dk);
                plan.add(j, k, here == PoissonRows::outside || before == PoissonRows::outside ? RowTable::outside
                               : here == PoissonRows::plain || before == PoissonRows::plain   ? RowTable::plain
                                                                                              : RowTable::special);
            }
        plan.run(length, [&](int j, int k, const std::array<float*, 1>& out, float* natural) {
            if (table.own[table.index(j, k)] == RowTable::plain) {
                std::copy_n(ones, shape.length, out[0]);
                return;
            }
            std::fill_n(natural, length, 0.f);
            rows.faces(axis, j, k, natural);
            if (axis == 0) natural[0] = 0;
            shape.split(natural, out[0]);
        });
        table.inner = ones;
    }
    RowSetPlan<3> ground({&net.ground[0], &net.ground[1], &net.ground[2]}, *net.arena, shape.length);
    for (int k = 0; k < net.n.z; ++k)
        for (int j = 0; j < net.n.y; ++j) ground.add(j, k, kind(j, k) == PoissonRows::special ? RowTable::special : RowTable::outside);
    ground.run(3 * length, [&](int j, int k, const std::array<float*, 3>& out, float* natural) {
        std::fill_n(natural, 3 * length, 0.f);
        rows.ground(j, k, {natural, natural + length, natural + 2 * length});
        for (std::size_t a = 0; a < 3; ++a) shape.split(natural + a * std::size_t(length), out[a]);
    });
    return net;
}

/// The memory of the levels that are about to be replaced, for networks with ground: they are made anew every step.
class SpareMemory {
public:
    SpareMemory(std::vector<Level>& old, bool use) : old_(old), use_(use) {}
    std::shared_ptr<RowArena> weights(std::size_t level) { return cleared(level < old_.size() ? old_[level].arena : nullptr); }
    std::shared_ptr<RowArena> network(std::size_t level) { return cleared(level < old_.size() ? old_[level].net.arena : nullptr); }
    /// For the networks between two levels: they live until the next one is made, the largest ones until the next set-up.
    std::shared_ptr<RowArena> between(std::size_t step, Level& finest) {
        if (!finest.spare[step] && !old_.empty()) finest.spare[step] = old_[0].spare[step];
        return finest.spare[step] = cleared(finest.spare[step]);
    }

private:
    std::shared_ptr<RowArena> cleared(const std::shared_ptr<RowArena>& arena) const {
        if (!use_ || !arena) return std::make_shared<RowArena>();
        arena->clear();
        return arena;
    }
    std::vector<Level>& old_;
    bool use_;
};

}  // namespace

Conductances make_conductances(const field::Layout& layout, const PoissonWeights& weights, std::shared_ptr<RowArena> memory) {
    if (weights.rows != nullptr) return make_grounded(layout, *weights.rows, std::move(memory));
    Conductances net(layout.cells());
    const bool special = weights.faces != nullptr && !weights.special_row.empty();
    if (special) PHLO_CHECK(weights.special_row.size() == std::size_t(net.n.y) * std::size_t(net.n.z));
    const auto is_special = [&](int j, int k) {
        return j >= 0 && j < net.n.y && k >= 0 && k < net.n.z && weights.special_row[std::size_t(k) * std::size_t(net.n.y) + std::size_t(j)] != 0;
    };
    for (int axis = 0; axis < 3; ++axis) {
        const RowTable& table = net.face[std::size_t(axis)];
        std::vector<std::uint8_t> own;
        if (special) {
            own.resize(table.row.size());
            for (int k = 0; k < table.nk; ++k)
                for (int j = 0; j < table.nj; ++j)
                    own[table.index(j, k)] = is_special(j, k) || (axis == 1 && is_special(j - 1, k)) || (axis == 2 && is_special(j, k - 1));
        }
        fill_faces(net, axis, own, special ? &(*weights.faces)[axis] : nullptr,
                   {weights.open[std::size_t(2 * axis)], weights.open[std::size_t(2 * axis + 1)]});
    }
    return net;
}

void build_hierarchy(Conductances finest, std::vector<Level>& levels) {
    std::vector<Level> old = std::move(levels);
    levels.clear();
    SpareMemory spare(old, finest.grounded());
    for (Conductances net = std::move(finest);;) {
        Level& level = levels.emplace_back();
        level.net = std::move(net);
        level.arena = spare.weights(levels.size() - 1);
        fill_diagonal(level);
        size_work_items(level);
        const Vec3i n = level.net.n;
        if (const std::size_t at = levels.size() - 1; at < old.size()) {
            level.r = std::move(old[at].r), level.z = std::move(old[at].z), level.y = std::move(old[at].y), level.scratch = std::move(old[at].scratch);
            clear_left_behind(old[at].net, level);
        } else if (at > 0) {
            const field::Layout layout(n);
            PHLO_CHECK(level.net.shape.fits(layout));
            level.r = field::Grid(layout), level.z = field::Grid(layout), level.y = field::Grid(layout);
        }
        if (n.x <= coarsest && n.y <= coarsest && n.z <= coarsest) break;
        if (level.net.grounded()) {
            net = coarsen_grounded(level.net, 0, level.transfer[0], level.arena, spare.between(0, levels[0]));
            net = coarsen_grounded(net, 1, level.transfer[1], level.arena, spare.between(1, levels[0]));
            net = coarsen_grounded(net, 2, level.transfer[2], level.arena, spare.network(levels.size()));
        } else {
            net = coarsen(level.net, 0, level.transfer[0], level.arena);
            net = coarsen(net, 1, level.transfer[1], level.arena);
            net = coarsen(net, 2, level.transfer[2], level.arena);
        }
        level.after_x = net.shape;
        if (!level.scratch) level.scratch = std::make_unique<tbb::enumerable_thread_specific<Scratch>>(make_scratch(level));
    }
    for (Level& level : levels) find_segments(level, &level == &levels.front());
}

}  // namespace phlo::numerics
