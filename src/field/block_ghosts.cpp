#include "field/block_ghosts.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/parallel.h"

namespace phlo::field {
namespace {

/// A row of a block, or a few entries of one: most of all copies are of one or two, and a call takes longer than they do.
inline void copy_few(const float* from, int count, float* to) {
    int i = 0;
    const auto copy = [&](std::size_t some) { std::memcpy(to + i, from + i, some * sizeof(float)), i += int(some); };
    while (count - i >= 8) copy(8);
    if (count - i >= 4) copy(4);
    if (count - i >= 2) copy(2);
    if (count - i >= 1) copy(1);
}

/// Coarse entries around a fine one: (1 - t) of `low` and t of `high`.
struct Between {
    int low = 0, high = 0;
    float t = 0;
};
Between between(int fine, bool on_faces) {
    const int half = fine >> 1;
    if (on_faces) return fine % 2 == 0 ? Between{half, half, 0} : Between{half, half + 1, 0.5f};
    return fine % 2 == 0 ? Between{half - 1, half, 0.75f} : Between{half, half + 1, 0.25f};
}

/// Fills the ghosts, G layers of them, of blocks whose memory `memory(base index)` gives.
template <int G, class Memory>
class Filling {
public:
    Filling(const Blocks& blocks, int axis, Seams seams, Around around, const Memory& memory, const std::vector<std::uint8_t>* marked = nullptr)
        : blocks_(blocks), axis_(axis), seams_(seams), most_(around == Around::faces ? 1 : 3), memory_(memory), marked_(marked) {}

    void run() const {
        if (axis_ >= 0) each(blocks_.all(), [&](int block) { copy_seams(block); });
        for (int level = 0; level <= blocks_.depth(); ++level) {   // a finer level looks at the ghosts of the coarser one
            const std::vector<int>& list = blocks_.of_level(level);
            if (axis_ >= 0 && seams_ == Seams::linear) each(list, [&](int block) { bend_seams(block); });
            each(list, [&](int block) { visit(block, Finer{}); });
            each(list, [&](int block) { visit(block, Coarser{}); });
        }
    }

private:
    struct Finer {};     ///< neighbours that are as fine or finer
    struct Coarser {};   ///< coarser ones, and walls
    /// Entries of a block's ghosts in one direction.
    struct Box {
        Vec3i first, last;   ///< before `last`
    };

    static int pitch(int level) { return (1 << level) + 2 * G; }
    static int place(int level, const Vec3i& c) { return c.x + G + pitch(level) * (c.y + G + pitch(level) * (c.z + G)); }
    template <class Body>
    void each(const std::vector<int>& list, const Body& body) const {
        const auto one = [&](int i) {
            const int block = list[std::size_t(i)];
            if (marked_ == nullptr || (*marked_)[std::size_t(block)] != 0) body(block);
        };
        constexpr std::size_t few = 16384;   // cells: to wake other threads for them takes longer than to do them
        if (list.empty()) return;
        if (list.size() * Blocks::stored(blocks_.level(list[0])) >= few) return parallel_for(int(list.size()), one);
        for (int i = 0; i < int(list.size()); ++i) one(i);
    }
    bool at_upper_wall(const Vec3i& base) const { return axis_ >= 0 && base[axis_] == blocks_.base()[axis_] - 1; }

    /// The face in the upper wall is a block's own.
    Box box(int level, const Vec3i& base, const Vec3i& d) const {
        const int n = Blocks::side(level);
        Box b;
        for (int a = 0; a < 3; ++a) {
            const int own = n + (a == axis_ && at_upper_wall(base));
            b.first[a] = d[a] < 0 ? -G : d[a] == 0 ? 0 : own;
            b.last[a] = d[a] < 0 ? 0 : d[a] == 0 ? own : n + G;
        }
        return b;
    }

    /// One velocity a coarse face.
    void copy_seams(int block) const {
        const int level = blocks_.level(block), n = Blocks::side(level), first = axis_ == 0 ? 1 : 0, second = axis_ == 2 ? 1 : 2;
        for (const int side : {0, 1}) {
            const int other = blocks_.neighbour(block, 2 * axis_ + side);
            if (other < 0 || blocks_.level(other) >= level) continue;
            float* to = memory_(block);
            const float* from = memory_(other);
            Vec3i here, there;
            here[axis_] = side == 0 ? 0 : n, there[axis_] = side == 0 ? n / 2 : 0;
            for (here[second] = 0; here[second] < n; ++here[second])
                for (here[first] = 0; here[first] < n; ++here[first]) {
                    there[first] = here[first] / 2, there[second] = here[second] / 2;
                    to[place(level, here)] = from[place(level - 1, there)];
                }
        }
    }

    template <class Which>
    void visit(int block, Which which) const {
        const Vec3i base = blocks_.place(block);
        Vec3i d;
        for (d.z = -1; d.z <= 1; ++d.z)
            for (d.y = -1; d.y <= 1; ++d.y)
                for (d.x = -1; d.x <= 1; ++d.x)
                    if (d != Vec3i() && length_of(d) <= most_ && blocks_.inside(base + d)) from_neighbour(block, base, d, which);
        if constexpr (std::is_same_v<Which, Coarser>)
            for (d.z = -1; d.z <= 1; ++d.z)
                for (d.y = -1; d.y <= 1; ++d.y)
                    for (d.x = -1; d.x <= 1; ++d.x)
                        if (length_of(d) <= most_ && !blocks_.inside(base + d)) from_wall(block, base, d);
    }

    void from_neighbour(int block, const Vec3i& base, const Vec3i& d, Finer) const {
        const int level = blocks_.level(block), n = Blocks::side(level), other = blocks_.index(base + d), there = blocks_.level(other);
        if (there < level) return;
        Box b = box(level, base, d);
        float* to = memory_(block);
        const float* from = memory_(other);
        const Vec3i shift = d * n;
        if (there == level) {
            for (int k = b.first.z; k < b.last.z; ++k)
                for (int j = b.first.y; j < b.last.y; ++j)
                    copy_few(from + place(level, Vec3i(b.first.x, j, k) - shift), b.last.x - b.first.x, to + place(level, {b.first.x, j, k}));
            return;
        }
        if (axis_ >= 0 && d[axis_] == 1 && length_of(d) == 1) ++b.first[axis_];   // the coarser owns the face between the two
        const int wide = pitch(there), sx = 1, sy = wide, sz = wide * wide;
        for (int k = b.first.z; k < b.last.z; ++k)
            for (int j = b.first.y; j < b.last.y; ++j)
                for (int i = b.first.x; i < b.last.x; ++i) {
                    const float* p = from + place(there, (Vec3i(i, j, k) - shift) * 2);
                    const auto square = [](const float* q, int s, int t) { return (q[0] + q[s]) + (q[t] + q[s + t]); };
                    float mean = 0;
                    if (axis_ == 0) mean = 0.25f * square(p, sy, sz);
                    else if (axis_ == 1) mean = 0.25f * square(p, sx, sz);
                    else if (axis_ == 2) mean = 0.25f * square(p, sx, sy);
                    else mean = 0.125f * (square(p, sx, sy) + square(p + sz, sx, sy));
                    to[place(level, {i, j, k})] = mean;
                }
    }

    void from_neighbour(int block, const Vec3i& base, const Vec3i& d, Coarser) const {
        const int level = blocks_.level(block), other = blocks_.index(base + d);
        if (blocks_.level(other) >= level) return;
        Box b = box(level, base, d);
        if (axis_ >= 0 && length_of(d) == 1 && d[axis_] > 0) ++b.first[axis_];   // the face between the two has been set
        interpolate(block, other, d, b);
    }

    /// The faces between a block and coarser ones, linear along them.
    void bend_seams(int block) const {
        const int level = blocks_.level(block), n = Blocks::side(level);
        for (const int side : {0, 1}) {
            const int other = blocks_.neighbour(block, 2 * axis_ + side);
            if (other < 0 || blocks_.level(other) >= level) continue;
            Vec3i d;
            d[axis_] = side == 0 ? -1 : 1;
            Box b{Vec3i(0), Vec3i(n)};
            b.first[axis_] = side == 0 ? 0 : n, b.last[axis_] = b.first[axis_] + 1;
            interpolate(block, other, d, b);
        }
    }

    /// Entries in the box, which lies in a coarser neighbour, or on its face, in direction d.
    void interpolate(int block, int other, const Vec3i& d, const Box& b) const {
        const int level = blocks_.level(block), n = Blocks::side(level);
        constexpr int most = 16 + 1 + 2 * G;
        std::array<std::array<Between, most>, 3> at;
        for (int a = 0; a < 3; ++a)
            for (int i = b.first[a]; i < b.last[a]; ++i) at[std::size_t(a)][std::size_t(i - b.first[a])] = between(i - d[a] * n, a == axis_);
        float* to = memory_(block);
        const float* from = memory_(other);
        const auto row = [&](const Between& y, const Between& z) {
            const float* rows[4] = {from + place(level - 1, {0, y.low, z.low}), from + place(level - 1, {0, y.high, z.low}), from + place(level - 1, {0, y.low, z.high}),
                                    from + place(level - 1, {0, y.high, z.high})};
            return [rows0 = rows[0], rows1 = rows[1], rows2 = rows[2], rows3 = rows[3], ty = y.t, tz = z.t](int x) {
                const float low = rows0[x] + ty * (rows1[x] - rows0[x]), high = rows2[x] + ty * (rows3[x] - rows2[x]);
                return low + tz * (high - low);
            };
        };
        for (int k = b.first.z; k < b.last.z; ++k)
            for (int j = b.first.y; j < b.last.y; ++j) {
                const auto value = row(at[1][std::size_t(j - b.first.y)], at[2][std::size_t(k - b.first.z)]);
                for (int i = b.first.x; i < b.last.x; ++i) {
                    const Between& x = at[0][std::size_t(i - b.first.x)];
                    const float low = value(x.low);
                    to[place(level, {i, j, k})] = low + x.t * (value(x.high) - low);
                }
            }
    }

    /// From the nearest entry inside the walls.
    void from_wall(int block, const Vec3i& base, const Vec3i& d) const {
        const int level = blocks_.level(block), n = Blocks::side(level);
        const Box b = box(level, base, d);
        float* x = memory_(block);
        Vec3i low(-G), high(n + G - 1);
        for (int a = 0; a < 3; ++a) {
            if (base[a] + d[a] < 0) low[a] = 0;
            if (base[a] + d[a] >= blocks_.base()[a]) high[a] = n - 1 + (a == axis_);
        }
        for (int k = b.first.z; k < b.last.z; ++k)
            for (int j = b.first.y; j < b.last.y; ++j)
                for (int i = b.first.x; i < b.last.x; ++i) x[place(level, {i, j, k})] = x[place(level, min(max(Vec3i(i, j, k), low), high))];
    }

    static int length_of(const Vec3i& d) { return std::abs(d.x) + std::abs(d.y) + std::abs(d.z); }

    const Blocks& blocks_;
    int axis_;
    Seams seams_;
    int most_;   ///< axes along which a ghost may lie outside of the block
    const Memory& memory_;
    const std::vector<std::uint8_t>* marked_;   ///< null: all
};

}  // namespace

void fill_ghosts_around(const Blocks& blocks, int axis, Seams seams, BlockField<float>& x, Around around) {
    const auto memory = [&](int index) { return x.block(blocks, index); };
    Filling<1, decltype(memory)>(blocks, axis, seams, around, memory).run();
}

void fill_ghosts_around(const Blocks& blocks, int axis, Seams seams, BlockField<float>& x, Around around, const std::vector<std::uint8_t>& marked) {
    const auto memory = [&](int index) { return x.block(blocks, index); };
    Filling<1, decltype(memory)>(blocks, axis, seams, around, memory, &marked).run();
}

namespace {

/// Marked base cells and those that touch them.
std::vector<std::uint8_t> and_around(const Blocks& blocks, const std::vector<std::uint8_t>& marked) {
    std::vector<std::uint8_t> wider(marked.size(), 0);
    for (int block = 0; block < int(marked.size()); ++block) {
        if (marked[std::size_t(block)] == 0) continue;
        for (int d = 0; d < 27; ++d)
            if (const Vec3i other = blocks.place(block) + Vec3i(d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1); blocks.inside(other)) wider[std::size_t(blocks.index(other))] = 1;
    }
    return wider;
}

}  // namespace

void PaddedField::copy(const Blocks& blocks, int axis, const BlockField<float>& from, const std::vector<std::uint8_t>* wanted) {
    start_.resize(std::size_t(blocks.base_count()));
    std::size_t size = slack;
    for (const int block : blocks.all()) {
        const int level = blocks.level(block), wide = pitch(level);
        start_[std::size_t(block)] = size + std::size_t(place(level, 0, 0, 0));
        size += std::size_t(wide) * std::size_t(wide) * std::size_t(wide);
    }
    values_.resize(size + slack);
    const auto memory = [&](int index) { return values_.data() + start_[std::size_t(index)] - place(blocks.level(index), 0, 0, 0); };
    // A coarser neighbour's ghosts are looked at, and those are what its neighbours hold.
    const std::vector<std::uint8_t> filled = wanted != nullptr ? and_around(blocks, *wanted) : std::vector<std::uint8_t>(), read = wanted != nullptr ? and_around(blocks, filled) : filled;
    parallel_for(int(blocks.all().size()), [&](int item) {
        const int block = blocks.all()[std::size_t(item)], level = blocks.level(block), n = Blocks::side(level);
        if (wanted != nullptr && read[std::size_t(block)] == 0) return;
        const float* here = from.block(blocks, block);
        float* to = memory(block);
        for (int k = 0; k <= n; ++k)   // entry n is a face; in centres a ghost
            for (int j = 0; j <= n; ++j) copy_few(here + Blocks::offset(level, 0, j, k), n + 1, to + place(level, 0, j, k));
    });
    Filling<ghosts, decltype(memory)>(blocks, axis, Seams::linear, Around::all, memory, wanted != nullptr ? &filled : nullptr).run();
}

}  // namespace phlo::field
