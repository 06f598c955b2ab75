#include "flow/liquid_cells.h"

#include <algorithm>

#include "base/parallel.h"
#include "flow/outflow.h"

namespace phlo::flow {
namespace {

using Kind = numerics::PoissonRows::Kind;

/// out[i] += a / theta where cell i is liquid and its neighbour is not, for i in [first, last).
void add_air_faces(int first, int last, const std::uint8_t* __restrict here, const std::uint8_t* __restrict other, const float* __restrict phi,
                   const float* __restrict phi_other, const float* __restrict aperture, float* __restrict out) {
    const auto slope = [&](int i) {
        const float held = std::min(std::max(1 - phi_other[i] / phi[i], 1.f), 1 / smallest_theta);  // 1 / theta
        return here[i] != 0 && other[i] == 0 ? held : 0.f;
    };
    if (aperture == nullptr) {
#pragma omp simd
        for (int i = first; i < last; ++i) out[i] += slope(i);
    } else {
        for (int i = first; i < last; ++i)
            if (aperture[i] > 0) out[i] += aperture[i] * slope(i);
    }
}

}  // namespace

LiquidCells::LiquidCells(const field::Layout& layout)
    : layout_(layout), stride_(std::size_t(layout.nx()) + 2), mask_(stride_ * std::size_t(layout.ny() + 2) * std::size_t(layout.nz() + 2), 0),
      kind_(std::size_t(layout.ny()) * std::size_t(layout.nz()), std::uint8_t(Kind::outside)), filled_(kind_.size(), 0), extent_(kind_.size()) {}

Kind LiquidCells::kind(int j, int k) const { return Kind(kind_[std::size_t(k) * std::size_t(layout_.ny()) + std::size_t(j)]); }

const float* LiquidCells::apertures(int axis, int j, int k) const {
    const int dj = axis == 1, dk = axis == 2;
    const bool here = j < layout_.ny() && k < layout_.nz() && is_special_row(*solids_, layout_, j, k);
    const bool before = j >= dj && k >= dk && is_special_row(*solids_, layout_, j - dj, k - dk);
    return here || before ? solids_->aperture[axis].row(j, k) : nullptr;
}

void LiquidCells::set_up(const Walls& walls, const Solids& solids, const field::Grid& phi, std::span<const Vec3i> freed) {
    walls_ = walls, solids_ = &solids, phi_ = &phi;
    for (auto& wall : released_) wall.clear();
    released_row_.clear();
    const int nx = layout_.nx(), ny = layout_.ny();
    std::vector<long> counts(std::size_t(layout_.nz()), 0);
    std::vector<std::vector<Vec3i>> freed_in(freed.empty() ? 0 : std::size_t(layout_.nz()));
    for (const Vec3i& c : freed) freed_in[std::size_t(c.z)].push_back(c);
    parallel_for(layout_.nz(), [&](int k) {
        for (int j = 0; j < ny; ++j) {
            std::uint8_t* __restrict mask = mask_.data() + (row(j, k) - mask_.data());
            const float* __restrict p = phi.row(j, k);
            for (int i = 0; i < nx; ++i) mask[i] = p[i] < 0 ? 1 : 0;
            if (is_special_row(solids, layout_, j, k))
                for (int i = 0; i < nx; ++i)
                    if (solids.covered(i, j, k)) mask[i] = 0;
            if (!freed_in.empty())
                for (const Vec3i& c : freed_in[std::size_t(k)])
                    if (c.y == j) mask[c.x] = 0;
            int liquid = 0, first = 0, last = nx;
            for (int i = 0; i < nx; ++i) liquid += mask[i];
            while (first < nx && mask[first] == 0) ++first;
            while (last > first && mask[last - 1] == 0) --last;
            counts[std::size_t(k)] += liquid;
            const std::size_t at = std::size_t(k) * std::size_t(ny) + std::size_t(j);
            filled_[at] = liquid == nx;
            extent_[at] = {first, last};
            kind_[at] = std::uint8_t(liquid > 0 ? Kind::special : Kind::outside);
        }
    });
    count_ = 0;
    for (const long c : counts) count_ += c;
    find_kinds();
}

void LiquidCells::find_kinds() {
    parallel_for(layout_.nz(), [&](int k) {
        for (int j = 0; j < layout_.ny(); ++j)
            if (any(j, k)) kind_[std::size_t(k) * std::size_t(layout_.ny()) + std::size_t(j)] = std::uint8_t(is_plain(j, k) ? Kind::plain : Kind::special);
    });
}

bool LiquidCells::is_plain(int j, int k) const {
    const int ny = layout_.ny(), nz = layout_.nz();
    const auto filled = [&](int jj, int kk) { return filled_[std::size_t(kk) * std::size_t(ny) + std::size_t(jj)] != 0; };
    if (!filled(j, k) || is_special_row(*solids_, layout_, j, k) || open_wall(0) || open_wall(1)) return false;
    if (!released_row_.empty() && released_row_[std::size_t(k) * std::size_t(ny) + std::size_t(j)] != 0) return false;
    return (j > 0 ? filled(j - 1, k) : !open_wall(2)) && (j + 1 < ny ? filled(j + 1, k) : !open_wall(3)) && (k > 0 ? filled(j, k - 1) : !open_wall(4)) &&
           (k + 1 < nz ? filled(j, k + 1) : !open_wall(5));
}

std::size_t LiquidCells::wall_index(int w, int i, int j, int k) const {
    if (w < 2) return std::size_t(k) * std::size_t(layout_.ny()) + std::size_t(j);
    return std::size_t(w < 4 ? k : j) * std::size_t(layout_.nx()) + std::size_t(i);
}

void LiquidCells::release(int w, int i, int j, int k, bool let_go) {
    const Vec3i n = layout_.cells();
    auto& wall = released_[std::size_t(w)];
    if (wall.empty()) wall.assign(w < 2 ? std::size_t(n.y) * std::size_t(n.z) : std::size_t(n.x) * std::size_t(w < 4 ? n.z : n.y), 0);
    wall[wall_index(w, i, j, k)] = let_go;
    if (released_row_.empty()) released_row_.assign(kind_.size(), 0);
    const std::size_t at = std::size_t(k) * std::size_t(n.y) + std::size_t(j);
    released_row_[at] = 1;
    kind_[at] = std::uint8_t(Kind::special);
}

bool LiquidCells::at_surface(int i, int j, int k) const {
    const Vec3i n = layout_.cells(), cell(i, j, k);
    for (int a = 0; a < 3; ++a)
        for (int side = 0; side < 2; ++side) {
            Vec3i other = cell, face = cell;
            other[a] += 2 * side - 1, face[a] += side;
            if (other[a] < 0 || other[a] >= n[a] || liquid(other.x, other.y, other.z)) continue;
            const float* open = apertures(a, face.y, face.z);
            if (open == nullptr || open[face.x] > 0) return true;
        }
    return false;
}

void LiquidCells::faces(int axis, int j, int k, float* face) const {
    const std::uint8_t *__restrict here = row(j, k), *__restrict before = axis == 0 ? here - 1 : row(j - (axis == 1), k - (axis == 2));
    const int nx = layout_.nx();
    for (int i = 0; i < nx; ++i) face[i] = float(here[i] & before[i]);
    if (const float* open = apertures(axis, j, k))
        for (int i = 0; i < nx; ++i) face[i] *= open[i];
}

void LiquidCells::ground(int j, int k, const std::array<float*, 3>& ground) const {
    const Vec3i n = layout_.cells();
    const std::uint8_t* here = row(j, k);
    const float* p = phi_->row(j, k);
    for (float* out : ground) std::fill_n(out, n.x, 0.f);
    const float* open = apertures(0, j, k);
    const auto [first, last] = extent_[std::size_t(k) * std::size_t(n.y) + std::size_t(j)];
    add_air_faces(std::max(first, 1), last, here, here - 1, p, p - 1, open, ground[0]);
    add_air_faces(first, std::min(last, n.x - 1), here, here + 1, p, p + 1, open != nullptr ? open + 1 : nullptr, ground[0]);
    const auto add_wall = [&](int w, int i, const float* aperture, float* out) {
        if (here[i] != 0) out[i] += wall_slope(w, i, j, k) * (aperture != nullptr ? aperture[i + (w == 1)] : 1.f);
    };
    add_wall(0, 0, open, ground[0]), add_wall(1, n.x - 1, open, ground[0]);
    for (int a : {1, 2})
        for (int side : {0, 1}) {
            const int jn = j + (a == 1 ? 2 * side - 1 : 0), kn = k + (a == 2 ? 2 * side - 1 : 0), w = 2 * a + side;
            const float* aperture = apertures(a, j + (a == 1 ? side : 0), k + (a == 2 ? side : 0));
            float* out = ground[std::size_t(a)];
            if (jn >= 0 && kn >= 0 && jn < n.y && kn < n.z) add_air_faces(first, last, here, row(jn, kn), p, phi_->row(jn, kn), aperture, out);
            else if (open_wall(w) || !released_[std::size_t(w)].empty())
                for (int i = 0; i < n.x; ++i) add_wall(w, i, aperture, out);
        }
}

numerics::PoissonRows LiquidCells::poisson_rows() const {
    return {.kind = kind_,
            .faces = [this](int axis, int j, int k, float* face) { faces(axis, j, k, face); },
            .ground = [this](int j, int k, const std::array<float*, 3>& out) { ground(j, k, out); }};
}

}  // namespace phlo::flow
