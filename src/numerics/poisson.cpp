#include "numerics/poisson.h"

#include <cmath>

#include "base/error.h"

namespace phlo::numerics {
namespace {

using field::Grid;

/// A network of conductances on a box of points: w[a] holds n[a] + 1 faces along axis a; the outermost lead to ghosts at zero.
struct Network {
    std::array<int, 3> n{};
    std::array<std::vector<float>, 3> w;

    std::size_t points() const { return std::size_t(n[0]) * std::size_t(n[1]) * std::size_t(n[2]); }
    std::size_t at(std::array<int, 3> p) const { return (std::size_t(p[2]) * std::size_t(n[1]) + std::size_t(p[1])) * std::size_t(n[0]) + std::size_t(p[0]); }
    std::size_t face(int a, std::array<int, 3> p) const {
        const std::size_t sx = std::size_t(n[0] + (a == 0)), sy = std::size_t(n[1] + (a == 1));
        return (std::size_t(p[2]) * sy + std::size_t(p[1])) * sx + std::size_t(p[0]);
    }
    float lo(int a, std::array<int, 3> p) const { return w[std::size_t(a)][face(a, p)]; }
    float hi(int a, std::array<int, 3> p) const { ++p[std::size_t(a)]; return lo(a, p); }
    float diagonal(std::array<int, 3> p) const { float d = 0; for (int a = 0; a < 3; ++a) d += lo(a, p) + hi(a, p); return d; }
    void resize(std::array<int, 3> size) {
        n = size;
        for (std::size_t a = 0; a < 3; ++a) { auto m = n; ++m[a]; w[a].assign(std::size_t(m[0]) * std::size_t(m[1]) * std::size_t(m[2]), 0); }
    }
    template <class F> void each(F f) const {
        for (int k = 0; k < n[2]; ++k) for (int j = 0; j < n[1]; ++j) for (int i = 0; i < n[0]; ++i) f(std::array<int, 3>{i, j, k});
    }
};

/// Interpolation along one axis: odd points from their two neighbours.
struct Transfer { std::array<int, 3> fine{}, coarse{}; int axis = 0; std::vector<float> low, high; };

float series(float a, float b) { return a > 0 && b > 0 ? a * b / (a + b) : 0.f; }

Network coarsen(const Network& f, int axis, Transfer& t) {
    const auto ax = std::size_t(axis);
    auto size = f.n; size[ax] = (size[ax] + 1) / 2;
    Network c; c.resize(size);
    t = {f.n, size, axis, std::vector<float>(f.points(), 0), std::vector<float>(f.points(), 0)};
    f.each([&](std::array<int, 3> p) {
        if (p[ax] % 2 == 0) { t.low[f.at(p)] = 1; return; }
        const float a = f.lo(axis, p), b = f.hi(axis, p);
        auto q = p; --q[ax];
        if (a + b > 0) { t.low[f.at(p)] = a / (a + b); if (p[ax] + 1 < f.n[ax]) t.high[f.at(p)] = b / (a + b); }
        else if (f.diagonal(q) == 0) t.low[f.at(p)] = 1;
    });
    c.each([&](std::array<int, 3> P) {
        auto p = P; p[ax] *= 2;
        c.w[ax][c.face(axis, P)] = P[ax] == 0 ? f.lo(axis, p) : [&] { auto q = p; --q[ax]; return series(f.lo(axis, q), f.lo(axis, p)); }();
        if (P[ax] + 1 == c.n[ax]) { auto Q = P; ++Q[ax]; auto q = p; ++q[ax];
            c.w[ax][c.face(axis, Q)] = q[ax] == f.n[ax] ? f.hi(axis, p) : series(f.hi(axis, p), f.hi(axis, q)); }
    });
    for (std::size_t b = 0; b < 3; ++b) {
        if (b == ax) continue;
        auto m = f.n; ++m[b];
        for (int k = 0; k < m[2]; ++k) for (int j = 0; j < m[1]; ++j) for (int i = 0; i < m[0]; ++i) {
            std::array<int, 3> p{i, j, k};
            const float w = f.w[b][f.face(int(b), p)];
            if (w == 0) continue;
            auto below = p; --below[b];
            const bool wall = p[b] == 0 || p[b] == f.n[b];
            const auto u = p[b] == f.n[b] ? below : p, v = p[b] == 0 ? p : below;
            float l = t.low[f.at(u)], h = t.high[f.at(u)];
            if (!wall) {
                const float l2 = t.low[f.at(v)], h2 = t.high[f.at(v)], L = std::sqrt(l * l2), H = std::sqrt(h * h2), s = std::sqrt((l + h) * (l2 + h2));
                l = L + H > 0 ? s * L / (L + H) : 0; h = L + H > 0 ? s * H / (L + H) : 0;
            }
            auto P = p; P[ax] /= 2;
            c.w[b][c.face(int(b), P)] += l * w;
            if (h > 0) { ++P[ax]; c.w[b][c.face(int(b), P)] += h * w; }
        }
    }
    return c;
}

struct Level {
    Network net; std::vector<float> inv, r, z;
    std::array<Transfer, 3> down;
};

template <class T> T neighbour_sum(const Network& net, const std::vector<T>& x, std::array<int, 3> p) {
    T s = 0; const std::size_t q = net.at(p);
    const std::size_t stride[3] = {1, std::size_t(net.n[0]), std::size_t(net.n[0]) * std::size_t(net.n[1])};
    for (std::size_t a = 0; a < 3; ++a) {
        if (p[a] > 0) s += T(net.lo(int(a), p)) * x[q - stride[a]];
        if (p[a] + 1 < net.n[a]) s += T(net.hi(int(a), p)) * x[q + stride[a]];
    }
    return s;
}

void smooth(Level& l, int colour) {
    l.net.each([&](std::array<int, 3> p) {
        if (((p[0] + p[1] + p[2]) & 1) != colour) return;
        const std::size_t q = l.net.at(p);
        l.z[q] = l.inv[q] * (l.r[q] + neighbour_sum(l.net, l.z, p));
    });
}

std::vector<float> restrict_to(const Transfer& t, const std::vector<float>& fine) {
    Network f, c; f.n = t.fine; c.n = t.coarse; std::vector<float> out(c.points(), 0);
    f.each([&](std::array<int, 3> p) { auto P = p; P[std::size_t(t.axis)] /= 2; const auto q = f.at(p);
        out[c.at(P)] += t.low[q] * fine[q]; if (t.high[q] != 0) { ++P[std::size_t(t.axis)]; out[c.at(P)] += t.high[q] * fine[q]; } });
    return out;
}
std::vector<float> prolong_from(const Transfer& t, const std::vector<float>& coarse) {
    Network f, c; f.n = t.fine; c.n = t.coarse; std::vector<float> out(f.points(), 0);
    f.each([&](std::array<int, 3> p) { auto P = p; P[std::size_t(t.axis)] /= 2; const auto q = f.at(p);
        out[q] = t.low[q] * coarse[c.at(P)]; if (t.high[q] != 0) { ++P[std::size_t(t.axis)]; out[q] += t.high[q] * coarse[c.at(P)]; } });
    return out;
}

}  // namespace

struct PoissonSolver::Impl {
    field::Layout layout; Grid b, x; std::vector<Level> levels;
    std::vector<int> group; std::vector<bool> sealed; std::vector<double> count;

    void vcycle(std::size_t l) {
        Level& f = levels[l];
        std::fill(f.z.begin(), f.z.end(), 0.f);
        if (l + 1 == levels.size()) { for (int s = 0; s < 16; ++s) { smooth(f, s >= 8); smooth(f, s < 8); } return; }
        smooth(f, 0); smooth(f, 1);
        std::vector<float> e(f.z.size());
        f.net.each([&](std::array<int, 3> p) { const auto q = f.net.at(p); e[q] = f.inv[q] > 0 ? f.r[q] - f.z[q] / f.inv[q] + neighbour_sum(f.net, f.z, p) : 0; });
        for (auto& t : f.down) e = restrict_to(t, e);
        levels[l + 1].r = e;
        vcycle(l + 1);
        e = levels[l + 1].z;
        for (std::size_t a = 3; a-- > 0;) e = prolong_from(f.down[a], e);
        for (std::size_t q = 0; q < e.size(); ++q) f.z[q] = f.inv[q] > 0 ? f.z[q] + e[q] : 0;
        smooth(f, 1); smooth(f, 0);
    }
    void find_groups() {
        const Network& net = levels[0].net; group.assign(net.points(), -1); sealed.clear(); count.clear();
        std::vector<std::array<int, 3>> stack;
        net.each([&](std::array<int, 3> s) {
            if (group[net.at(s)] >= 0 || net.diagonal(s) == 0) return;
            const int id = int(sealed.size()); sealed.push_back(true); count.push_back(0);
            stack.push_back(s); group[net.at(s)] = id;
            while (!stack.empty()) {
                const auto p = stack.back(); stack.pop_back(); count[std::size_t(id)] += 1;
                for (std::size_t a = 0; a < 3; ++a) for (int side = 0; side < 2; ++side) {
                    const float w = side ? net.hi(int(a), p) : net.lo(int(a), p); auto q = p; q[a] += side ? 1 : -1;
                    if (w == 0) continue;
                    if (q[a] < 0 || q[a] >= net.n[a]) { sealed[std::size_t(id)] = false; continue; }
                    if (group[net.at(q)] < 0) { group[net.at(q)] = id; stack.push_back(q); }
                }
            }
        });
    }
    double remove_means(std::vector<double>& v) const {
        std::vector<double> mean(sealed.size(), 0);
        for (std::size_t q = 0; q < v.size(); ++q) if (group[q] >= 0) mean[std::size_t(group[q])] += v[q];
        double largest = 0;
        for (std::size_t g = 0; g < mean.size(); ++g) { mean[g] = sealed[g] ? mean[g] / count[g] : 0; largest = std::max(largest, std::fabs(mean[g])); }
        for (std::size_t q = 0; q < v.size(); ++q) v[q] = group[q] >= 0 ? v[q] - mean[std::size_t(group[q])] : 0;
        return largest;
    }
};

PoissonSolver::PoissonSolver(const field::Layout& layout) : impl_(std::make_unique<Impl>()) {
    impl_->layout = layout; impl_->b = Grid(layout); impl_->x = Grid(layout); setup({});
}
PoissonSolver::~PoissonSolver() = default;
PoissonSolver::PoissonSolver(PoissonSolver&&) noexcept = default;
PoissonSolver& PoissonSolver::operator=(PoissonSolver&&) noexcept = default;
field::Grid& PoissonSolver::rhs() { return impl_->b; }
field::Grid& PoissonSolver::solution() { return impl_->x; }
std::size_t PoissonSolver::bytes() const { return impl_->b.bytes() * 4; }

void PoissonSolver::setup(const PoissonWeights& weights) {
    const auto cells = impl_->layout.cells();
    Network net; net.resize({cells.x, cells.y, cells.z});
    for (int a = 0; a < 3; ++a) {
        auto m = net.n; ++m[std::size_t(a)];
        for (int k = 0; k < m[2]; ++k) for (int j = 0; j < m[1]; ++j) for (int i = 0; i < m[0]; ++i) {
            const std::array<int, 3> p{i, j, k}; const int c = p[std::size_t(a)];
            const auto row = std::size_t(std::min(k, cells.z - 1)) * std::size_t(cells.y) + std::size_t(std::min(j, cells.y - 1));
            float w = c == 0 ? float(weights.open[std::size_t(2 * a)]) : c == cells[a] ? float(weights.open[std::size_t(2 * a + 1)]) : 1.f;
            if (weights.faces != nullptr && !weights.special_row.empty() && weights.special_row[row] != 0 && w != 0) w = (*weights.faces)[a](i, j, k);
            net.w[std::size_t(a)][net.face(a, p)] = w;
        }
    }
    auto& levels = impl_->levels; levels.clear();
    for (;;) {
        levels.push_back({}); Level& l = levels.back(); l.net = net;
        l.inv.assign(net.points(), 0); l.r = l.z = l.inv;
        net.each([&](std::array<int, 3> p) { const float d = net.diagonal(p); l.inv[net.at(p)] = d > 0 ? 1 / d : 0; });
        if (net.n[0] <= 4 && net.n[1] <= 4 && net.n[2] <= 4) break;
        for (int a = 0; a < 3; ++a) net = coarsen(net, a, l.down[std::size_t(a)]);
    }
    impl_->find_groups();
}

PoissonSolver::Status PoissonSolver::solve(const Options& options) {
    Impl& s = *impl_; Level& f = s.levels[0]; const Network& net = f.net; const std::size_t m = net.points();
    std::vector<double> b(m), x(m, 0), r, p(m, 0), q(m);
    net.each([&](std::array<int, 3> c) { b[net.at(c)] = double(s.b(c[0], c[1], c[2])); });
    Status status; status.imbalance = s.remove_means(b); r = b;
    const auto dot = [&](const std::vector<double>& u, const std::vector<double>& v) { double sum = 0; for (std::size_t c = 0; c < m; ++c) sum += u[c] * v[c]; return sum; };
    const double bb = dot(b, b); double rr = bb, rho0 = 1;
    while (rr > options.tolerance * options.tolerance * bb && status.iterations < options.max_iterations) {
        for (std::size_t c = 0; c < m; ++c) f.r[c] = float(r[c]);
        s.vcycle(0);
        double rho = 0; for (std::size_t c = 0; c < m; ++c) rho += r[c] * double(f.z[c]);
        const double beta = status.iterations > 0 ? rho / rho0 : 0; rho0 = rho;
        for (std::size_t c = 0; c < m; ++c) p[c] = double(f.z[c]) + beta * p[c];
        net.each([&](std::array<int, 3> c) { const auto i = net.at(c); q[i] = f.inv[i] > 0 ? double(net.diagonal(c)) * p[i] - neighbour_sum(net, p, c) : 0; });
        const double sigma = dot(p, q); if (!(sigma > 0)) break;
        const double alpha = rho / sigma;
        for (std::size_t c = 0; c < m; ++c) x[c] += alpha * p[c], r[c] -= alpha * q[c];
        rr = dot(r, r); ++status.iterations;
    }
    s.remove_means(x);
    net.each([&](std::array<int, 3> c) { s.x(c[0], c[1], c[2]) = float(x[net.at(c)]); });
    status.residual = bb > 0 ? std::sqrt(rr / bb) : 0; status.converged = status.residual <= options.tolerance;
    return status;
}

}  // namespace phlo::numerics
