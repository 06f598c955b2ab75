#include "numerics/band.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>

#include "base/parallel.h"
#include "numerics/stencil.h"

namespace phlo::numerics {
namespace {

constexpr int width = 2;              // cells from a cut face to the edge of the band: a third gains nothing more
constexpr double largest_share = 0.03;  // of all cells: beyond it the sweeps cost more than they save

/// One bit a cell, row by row; rows outside the domain are empty.
class CellBits {
public:
    explicit CellBits(Vec3i n) : n_(n), words_((n.x + 63) / 64), bits_(std::size_t(words_) * std::size_t(n.y) * std::size_t(n.z)) {}

    std::uint64_t word(int w, int j, int k) const {
        return w < 0 || w >= words_ || j < 0 || j >= n_.y || k < 0 || k >= n_.z ? 0 : bits_[at(w, j, k)];
    }
    bool test(int i, int j, int k) const { return i >= 0 && i < n_.x && (word(i / 64, j, k) >> (i % 64) & 1) != 0; }
    void set(int i, int j, int k) { bits_[at(i / 64, j, k)] |= std::uint64_t(1) << (i % 64); }

    /// These cells and their six neighbours.
    CellBits grown() const {
        CellBits result(n_);
        parallel_for(n_.z, [&](int k) {
            for (int j = 0; j < n_.y; ++j)
                for (int w = 0; w < words_; ++w) {
                    const std::uint64_t here = word(w, j, k);
                    std::uint64_t all = here | here << 1 | here >> 1 | word(w - 1, j, k) >> 63 | word(w + 1, j, k) << 63;
                    all |= word(w, j - 1, k) | word(w, j + 1, k) | word(w, j, k - 1) | word(w, j, k + 1);
                    if (w == words_ - 1 && n_.x % 64 != 0) all &= (std::uint64_t(1) << (n_.x % 64)) - 1;
                    result.bits_[at(w, j, k)] = all;
                }
        });
        return result;
    }
    /// body(i, j, k) in order.
    template <class Body>
    void for_each(const Body& body) const {
        for (int k = 0; k < n_.z; ++k)
            for (int j = 0; j < n_.y; ++j)
                for (int w = 0; w < words_; ++w)
                    for (std::uint64_t left = word(w, j, k); left != 0; left &= left - 1) body(64 * w + std::countr_zero(left), j, k);
    }
    std::size_t count() const {
        std::size_t total = 0;
        for (const std::uint64_t w : bits_) total += std::size_t(std::popcount(w));
        return total;
    }

private:
    std::size_t at(int w, int j, int k) const {
        return (std::size_t(k) * std::size_t(n_.y) + std::size_t(j)) * std::size_t(words_) + std::size_t(w);
    }
    Vec3i n_;
    int words_;
    std::vector<std::uint64_t> bits_;
};

std::array<float, 6> faces_of(const Network& net, int i, int j, int k) {
    const int c = net.shape.at(i);
    const float* x = net.face[0](j, k);
    return {x[c], x[net.shape.at(i + 1)], net.face[1](j, k)[c], net.face[1](j + 1, k)[c], net.face[2](j, k)[c], net.face[2](j, k + 1)[c]};
}

/// Cells of the system with a face that is not wholly open. The walls of the domain do not count: multigrid does well there.
CellBits cut_cells(const Level& level) {
    const Vec3i n = level.net.n;
    CellBits bits(n);
    parallel_for(std::max(n.z - 2, 0), [&](int plane) {
        const int k = plane + 1;
        for (int j = 1; j + 1 < n.y; ++j) {
            const Segment own = level.own_segment(j, k);  // entries of half rows
            const float* inverse = level.inverse(j, k);
            for (int i = std::max(2 * own.begin, 1); i < std::min(2 * own.end, n.x - 1); ++i)
                if (inverse[level.net.shape.at(i)] > 0 && std::ranges::any_of(faces_of(level.net, i, j, k), [](float f) { return f != 1; })) bits.set(i, j, k);
        }
    });
    return bits;
}

}  // namespace

Band::Band(const Level& level) {
    const Network& net = level.net;
    const SplitRow& shape = net.shape;
    const field::Layout& layout = level.r.layout();
    CellBits inside = cut_cells(level);
    const double all = double(net.n.x) * double(net.n.y) * double(net.n.z);
    if (inside.count() == 0) return;
    for (int w = 1; w < width; ++w) inside = inside.grown();
    if (double(inside.count()) > largest_share * all || level.r.storage().size() > std::size_t(std::numeric_limits<std::int32_t>::max())) return;

    for (Halves* halves : {&red_, &black_, &rim_})
        for (int half = 0; half < 2; ++half) {
            const std::ptrdiff_t west = half == 0 ? shape.odd - 1 : -shape.odd;
            (*halves)[std::size_t(half)].outside = halves == &rim_;
            (*halves)[std::size_t(half)].neighbour = {west, west + 1, -layout.stride_y(), layout.stride_y(), -layout.stride_z(), layout.stride_z()};
        }
    inside.grown().for_each([&](int i, int j, int k) {
        const Cell cell{.at = std::int32_t(layout.offset(0, j, k) + shape.at(i)), .inverse = level.inverse(j, k)[shape.at(i)]};
        if (!(cell.inverse > 0)) return;
        const Faces face = faces_of(net, i, j, k);
        const std::array<bool, 6> beside{inside.test(i - 1, j, k), inside.test(i + 1, j, k), inside.test(i, j - 1, k),
                                         inside.test(i, j + 1, k), inside.test(i, j, k - 1), inside.test(i, j, k + 1)};
        Faces inner{};
        for (std::size_t f = 0; f < 6; ++f) inner[f] = beside[f] ? face[f] : 0.f;
        Halves& halves = !inside.test(i, j, k) ? rim_ : (i + j + k) % 2 == 0 ? red_ : black_;
        Group& group = halves[std::size_t(i % 2)];
        group.cells.push_back(cell), group.face.push_back(face), group.inner.push_back(inner);
    });
}

std::size_t Band::cells() const { return red_[0].cells.size() + red_[1].cells.size() + black_[0].cells.size() + black_[1].cells.size(); }

std::size_t Band::bytes() const { return (cells() + rim_[0].cells.size() + rim_[1].cells.size()) * (sizeof(Cell) + 2 * sizeof(Faces)); }

/// visit(group, index of a cell, sums) for all cells; blocks of fixed size, whatever the threads.
template <class Visit>
Preconditioned Band::visit(std::initializer_list<Halves*> all, const Visit& visit) {
    constexpr std::size_t block = 1024;
    struct Block {
        Group* group;
        std::size_t first;
    };
    std::vector<Block> blocks;
    for (Halves* halves : all)
        for (Group& group : *halves)
            for (std::size_t first = 0; first < group.cells.size(); first += block) blocks.push_back({&group, first});
    return parallel_reduce(
        int(blocks.size()), Preconditioned{},
        [&](int item) {
            const auto [group, first] = blocks[std::size_t(item)];
            Preconditioned sums;
            for (std::size_t c = first; c < std::min(first + block, group->cells.size()); ++c) visit(*group, c, sums);
            return sums;
        },
        std::plus<>());
}

// A cell's value changes by d = residual / diagonal. Then r . z grows by d r, and z . A z by d (2 r - residual).

Preconditioned Band::before(Level& level) {
    float *const r = level.r.storage().data(), *const z = level.z.storage().data();
    const Preconditioned red = visit({&red_}, [=](Group& g, std::size_t index, Preconditioned& s) {
        Cell& c = g.cells[index];
        c.r = r[c.at];
        c.z = z[c.at] = c.inverse * c.r;
        s.dot += double(c.z) * double(c.r), s.energy += double(c.z) * double(c.r);
    });
    const Preconditioned black = visit({&black_}, [=](Group& g, std::size_t index, Preconditioned& s) {
        Cell& c = g.cells[index];
        c.r = r[c.at];
        const float residual = c.r + g.around(g.inner[index], z + c.at);
        c.z = z[c.at] = c.inverse * residual;
        s.dot += double(c.z) * double(c.r), s.energy += double(c.z) * (2 * double(c.r) - double(residual));
        r[c.at] = 0;
    });
    visit({&red_, &rim_}, [=](Group& g, std::size_t index, Preconditioned&) {
        Cell& c = g.cells[index];
        if (g.outside) c.r = r[c.at];
        r[c.at] = (g.outside ? c.r : 0.f) + g.around(g.inner[index], z + c.at);
    });
    return red + black;
}

Preconditioned Band::after(Level& level, const Preconditioned& first, const Preconditioned& cycle) {
    float *const r = level.r.storage().data(), *const z = level.z.storage().data();
    // Puts r back and adds the first sweep to the V-cycle. Together they give what the sweep took out of r, times z, twice.
    const auto join = [=](const Cell& c, Preconditioned& s) {
        const double cross = double(c.r - r[c.at]) * double(z[c.at]);
        s.dot += cross, s.energy += 2 * cross;
        r[c.at] = c.r;
        z[c.at] += c.z;
    };
    const auto sweep = [=](const Group& g, std::size_t index, Preconditioned& s) {
        const Cell& c = g.cells[index];
        const float value = c.inverse * (c.r + g.around(g.face[index], z + c.at));
        const double change = double(value) - double(z[c.at]), residual = change / double(c.inverse);
        z[c.at] = value;
        s.dot += change * double(c.r), s.energy += change * (2 * double(c.r) - residual);
    };
    const Preconditioned joined = visit({&red_, &rim_}, [=](const Group& g, std::size_t index, Preconditioned& s) { join(g.cells[index], s); });
    const Preconditioned black = visit({&black_}, [=](const Group& g, std::size_t index, Preconditioned& s) {
        join(g.cells[index], s);
        sweep(g, index, s);
    });
    return first + cycle + joined + black + visit({&red_}, sweep);
}

Preconditioned precondition(std::vector<Level>& levels, Band& band) {
    if (band.empty()) return v_cycle(levels);
    const Preconditioned first = band.before(levels[0]);
    return band.after(levels[0], first, v_cycle(levels));
}

}  // namespace phlo::numerics
