#include "flow/viscosity_system.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "flow/plane_part.h"

namespace phlo::flow {
namespace {

using field::Grid;
using field::Layout;
using field::MacGrid;

/// A level set at the entries of a row that lie half a cell before the cells' centres along the axes in `shifted`, a bit each: the mean of the
/// cells around.
class Staggered {
public:
    Staggered(const Grid& phi, unsigned shifted, int j, int k)
        : row_(phi.row(j, k)), step_{1, phi.layout().stride_y(), phi.layout().stride_z()}, shifted_(shifted) {
        for (unsigned corner = 0; corner < 8; ++corner) {
            if ((corner & ~shifted) != 0) continue;
            corner_[count_] = corner, offset_[count_] = 0;
            for (unsigned a = 0; a < 3; ++a)
                if (corner >> a & 1) offset_[count_] -= step_[a];
            ++count_;
        }
    }
    void middles(int last, float* __restrict out) const {
        const float share = 1.f / float(count_);
        for (int m = 0; m < count_; ++m) {
            const float* __restrict cell = row_ + offset_[m];
            if (m == 0)
                for (int i = 0; i < last; ++i) out[i] = cell[i] * share;
            else
                for (int i = 0; i < last; ++i) out[i] += cell[i] * share;
        }
    }
    /// Of the cube of one cell around entry i: where sign * phi < 0.
    float part(int i, double sign) const {
        Slopes slopes;
        double middle = 0;
        for (int m = 0; m < count_; ++m) middle += double(row_[i + offset_[m]]);
        middle /= count_;
        for (unsigned a = 0; a < 3; ++a) {
            double ahead = 0, behind = 0;
            for (int m = 0; m < count_; ++m) {
                const float* cell = row_ + i + offset_[m];
                if (shifted_ >> a & 1) {  // from the cells before to those after
                    ahead += (corner_[m] >> a & 1 ? -2 : 2) * double(cell[0]);
                    behind = ahead;
                } else {
                    ahead += double(cell[step_[a]]) - double(cell[0]);
                    behind += double(cell[0]) - double(cell[-step_[a]]);
                }
            }
            slopes.ahead[a] = sign * ahead / count_, slopes.behind[a] = sign * behind / count_;
        }
        return float(part_inside(sign * middle, slopes));
    }

private:
    const float* row_;
    std::ptrdiff_t step_[3];
    unsigned shifted_, corner_[4] = {};
    std::ptrdiff_t offset_[4] = {};
    int count_ = 0;
};

/// The surface is at most sqrt(3)/2 cells from the middle of a cube that it cuts, as a distance; level sets are not quite that.
constexpr double cut_reach = 1.5, row_reach = 2.5;  // [cells]

/// parts[i] *= the part of the cube around each entry where sign * phi < 0.
void multiply_parts(const Grid& phi, double h, double sign, unsigned shifted, int j, int k, int last, float* middle, float* parts) {
    const Staggered around(phi, shifted, j, k);
    around.middles(last, middle);
    const float reach = float(cut_reach * h), s = float(sign);
    for (int i = 0; i < last; ++i) {
        if (parts[i] == 0) continue;
        parts[i] = std::fabs(middle[i]) < reach ? parts[i] * around.part(i, sign) : s * middle[i] < 0 ? parts[i] : 0.f;
    }
}

/// Harmonic mean of nu of the cells around an entry, those inside the box.
double mean_nu(const Grid& nu, unsigned shifted, int i, int j, int k) {
    const Vec3i n = nu.layout().cells();
    double sum = 0;
    int count = 0;
    for (unsigned corner = 0; corner < 8; ++corner) {
        if ((corner & ~shifted) != 0) continue;
        const int ci = i - int(corner & 1), cj = j - int(corner >> 1 & 1), ck = k - int(corner >> 2 & 1);
        if (ci < 0 || cj < 0 || ck < 0 || ci >= n.x || cj >= n.y || ck >= n.z) continue;
        const double value = double(nu(ci, cj, ck));
        if (!(value > 0)) return 0;
        sum += 1 / value, ++count;
    }
    return count / sum;
}

Vec3i unit(int axis) {
    Vec3i e;
    e[axis] = 1;
    return e;
}

}  // namespace

ViscousSystem::ViscousSystem(const field::Domain& domain)
    : domain_(domain), layout_(domain.cells), volume_(layout_), inverse_(layout_), cell_(layout_), edge_(layout_),
      used_(std::size_t(layout_.ny() + 1) * std::size_t(layout_.nz() + 1), 0), cell_differs_(used_.size(), 0) {
    edge_differs_.fill(used_);
}

std::size_t ViscousSystem::bytes() const {
    return volume_.bytes() + inverse_.bytes() + cell_.bytes() + edge_.bytes() + cell_stuck_.bytes() + edge_stuck_.bytes() + 3 * kind_[0].size() +
           rows_.capacity() * sizeof(Row);
}

/// Weights become 0 again in rows that had some.
void ViscousSystem::forget() {
    parallel_for(layout_.nz() + 1, [&](int k) {
        for (int j = 0; j <= layout_.ny(); ++j) {
            const std::size_t row = row_index(j, k);
            if (used_[row] == 0) continue;
            for (int a = 0; a < 3; ++a)
                for (MacGrid* grid : {&volume_, &inverse_, &edge_}) std::fill_n((*grid)[a].row(j, k), layout_.nx() + 1, 0.f);
            std::fill_n(cell_.row(j, k), layout_.nx() + 1, 0.f);
            used_[row] = cell_differs_[row] = 0;
            for (auto& differs : edge_differs_) differs[row] = 0;
        }
    });
    rows_.clear();
    moved_.clear();
}

void ViscousSystem::set_up(const ViscosityParams& params, const Walls& walls, const Solids& solids, const Grid& phi, MacGrid& u) {
    PHLO_CHECK(phi.layout() == layout_ && u.layout() == layout_);
    forget();
    classify_faces(solids, u);
    const bool sticky = std::any_of(solids.placed.begin(), solids.placed.end(), [](const auto& p) { return p.body->no_slip; });
    if (sticky && cell_stuck_.empty()) cell_stuck_ = MacGrid(layout_);
    if ((sticky || params.walls_stick) && edge_stuck_.empty()) edge_stuck_ = MacGrid(layout_);

    const int ny = layout_.ny(), nz = layout_.nz();
    std::vector<std::uint8_t> wet(std::size_t(ny + 2) * std::size_t(nz + 2), 0);  // rows of cells and ghosts with liquid in them or near
    const auto wet_index = [&](int j, int k) { return std::size_t(k + 1) * std::size_t(ny + 2) + std::size_t(j + 1); };
    parallel_for(nz + 2, [&](int plane) {
        for (int j = -1; j <= ny; ++j) {
            const float* row = phi.row(j, plane - 1);
            float least = row[-1];
#pragma omp simd reduction(min : least)
            for (int i = 0; i <= layout_.nx(); ++i) least = std::min(least, row[i]);
            wet[wet_index(j, plane - 1)] = least < float(row_reach * domain_.h);
        }
    });
    std::vector<std::vector<Stress>> moved(std::size_t(nz) + 1);
    parallel_for(nz + 1, [&](int k) {
        for (int j = 0; j <= ny; ++j)
            if (wet[wet_index(j, k)] | wet[wet_index(j - 1, k)] | wet[wet_index(j, k - 1)] | wet[wet_index(j - 1, k - 1)]) {
                used_[row_index(j, k)] = 1;
                weigh_row(params, walls, solids, phi, j, k, moved[std::size_t(k)]);
            }
    });
    for (const auto& plane : moved) moved_.insert(moved_.end(), plane.begin(), plane.end());
    find_unknowns(walls);
}

/// Cubes around cells, faces and edges with index (j, k): their liquid, and what it weighs.
void ViscousSystem::weigh_row(const ViscosityParams& params, const Walls& walls, const Solids& solids, const Grid& phi, int j, int k, std::vector<Stress>& moved) {
    const Vec3i n = layout_.cells();
    const double scale = params.dt / (domain_.h * domain_.h);
    std::vector<float> middle(std::size_t(n.x) + 1);
    const bool bodies = near_body(solids, j, k);
    for (const unsigned shifted : {0u, 1u, 2u, 4u, 6u, 5u, 3u}) {
        if (j >= n.y + int(shifted >> 1 & 1) || k >= n.z + int(shifted >> 2 & 1)) continue;
        const bool is_face = shifted == 1 || shifted == 2 || shifted == 4, is_edge = !is_face && shifted != 0;
        const int axis = is_face ? int(shifted / 2) : shifted == 6 ? 0 : shifted == 5 ? 1 : 2, last = n.x + int(shifted & 1);
        float* parts = (is_face ? volume_[axis] : is_edge ? edge_[axis] : cell_).row(j, k);
        const bool wall_y = (shifted & 2) && (j == 0 || j == n.y), wall_z = (shifted & 4) && (k == 0 || k == n.z);
        std::fill_n(parts, last, (wall_y ? 0.5f : 1.f) * (wall_z ? 0.5f : 1.f));
        if (shifted & 1) parts[0] *= 0.5f, parts[n.x] *= 0.5f;
        multiply_parts(phi, domain_.h, 1, shifted, j, k, last, middle.data(), parts);
        if (bodies) multiply_parts(solids.distance, domain_.h, -1, shifted, j, k, last, middle.data(), parts);
        if (is_face) {
            const float *above = phi.row(j, k), *below = phi.row(j - (axis == 1), k - (axis == 2)) - (axis == 0);
            for (int i = 0; i < last; ++i)
                if (above[i] >= 0 && below[i] >= 0) parts[i] = 0;
            continue;
        }
        const double factor = is_edge ? scale : 2 * scale;
        for (int i = 0; i < last; ++i) {
            if (parts[i] == 0) continue;
            const double nu = params.nu_grid != nullptr ? mean_nu(*params.nu_grid, shifted, i, j, k) : params.nu;
            parts[i] *= float(factor * nu);
            if (is_edge) parts[i] = std::sqrt(parts[i]);
        }
        if (is_edge) weigh_edges_at_walls(params, walls, axis, j, k);
        if (is_edge && bodies) weigh_edges_at_bodies(solids, axis, j, k, moved);
        if (!is_edge && bodies) weigh_cells_at_bodies(solids, j, k, moved);
    }
}

float* ViscousSystem::second_edges(int along, int j, int k) {
    std::uint8_t& differs = edge_differs_[std::size_t(along)][row_index(j, k)];
    float* second = edge_stuck_[along].row(j, k);
    if (differs == 0) std::copy_n(edge_[along].row(j, k), layout_.nx() + 1, second);
    differs = 1;
    return second;
}

void ViscousSystem::drop_edge(int along, int i, int j, int k) {
    edge_[along](i, j, k) = 0;
    if (edge_differs_[std::size_t(along)][row_index(j, k)]) edge_stuck_[along](i, j, k) = 0;
}

/// Edges in walls: where liquid sticks, the component along the wall changes over half a cell. Elsewhere there is no shear.
void ViscousSystem::weigh_edges_at_walls(const ViscosityParams& params, const Walls& walls, int along, int j, int k) {
    const Vec3i n = layout_.cells();
    const auto weigh = [&](int i) {
        const Vec3i at(i, j, k);
        bool sticks = params.walls_stick;
        int normal = -1;
        for (int a = 0; a < 3; ++a) {
            if (a == along || (at[a] != 0 && at[a] != n[a])) continue;
            normal = a;
            sticks = sticks && walls[std::size_t(2 * a + (at[a] == n[a]))].kind != WallKind::open;
        }
        if (normal < 0) return;
        if (!sticks) return drop_edge(along, i, j, k);
        float& second = second_edges(along, j, k)[i];
        (normal == (along + 1) % 3 ? second : edge_[along](i, j, k)) *= 2;  // where two walls meet no face is free
    };
    const bool whole = (along != 1 && (j == 0 || j == n.y)) || (along != 2 && (k == 0 || k == n.z));
    if (whole)
        for (int i = 0; i < n.x + (along != 0); ++i) weigh(i);
    else if (along != 0) weigh(0), weigh(n.x);
}

/// Which of the rows' faces are unknowns, and the diagonal.
void ViscousSystem::find_unknowns(const Walls& walls) {
    const Vec3i n = layout_.cells();
    std::vector<std::vector<Row>> found(std::size_t(n.z) + 1);
    std::vector<long> counts(found.size(), 0);
    parallel_for(n.z + 1, [&](int k) {
        for (int j = 0; j <= n.y; ++j) {
            if (used_[row_index(j, k)] == 0) continue;
            for (int axis = 0; axis < 3; ++axis) {
                const Vec3i extent = field::face_extent(layout_, axis);
                if (j >= extent.y || k >= extent.z) continue;
                const auto closed = [&](int index) {
                    return (index == 0 && walls[std::size_t(2 * axis)].kind != WallKind::open) ||
                           (index == n[axis] && walls[std::size_t(2 * axis + 1)].kind != WallKind::open);
                };
                if ((axis == 1 && closed(j)) || (axis == 2 && closed(k))) continue;
                const Vec3i e = unit(axis);
                const float *above = cell_row(axis, j, k), *below = cell_row(axis, j - e.y, k - e.z) - e.x, *own = volume_[axis].row(j, k);
                float* inverse = inverse_[axis].row(j, k);
                for (int i = 0; i < extent.x; ++i) inverse[i] = own[i] + above[i] + below[i];
                for (int d = 0; d < 3; ++d) {
                    if (d == axis) continue;
                    const Vec3i f = unit(d);
                    const float *lower = edge_row(3 - axis - d, axis, j, k), *upper = edge_row(3 - axis - d, axis, j + f.y, k + f.z) + f.x;
                    for (int i = 0; i < extent.x; ++i) inverse[i] += lower[i] * lower[i] + upper[i] * upper[i];
                }
                Row row{axis, j, k, extent.x, 0};
                for (int i = 0; i < extent.x; ++i) {
                    const bool unknown = inverse[i] > 0 && face(axis, i, j, k) == Face::free && !(axis == 0 && closed(i));
                    inverse[i] = unknown ? 1 / inverse[i] : 0.f;
                    if (!unknown) continue;
                    row.first = std::min(row.first, i), row.last = i + 1;
                    ++counts[std::size_t(k)];
                }
                if (row.first < row.last) found[std::size_t(k)].push_back(row);
            }
        }
    });
    unknowns_ = 0;
    for (const long c : counts) unknowns_ += c;
    for (const auto& plane : found) rows_.insert(rows_.end(), plane.begin(), plane.end());
}

const float* ViscousSystem::cell_row(int axis, int j, int k) const {
    const bool differs = j >= 0 && k >= 0 && cell_differs_[row_index(j, k)] != 0;
    return differs ? cell_stuck_[axis].row(j, k) : cell_.row(j, k);
}

const float* ViscousSystem::edge_row(int along, int axis, int j, int k) const {
    const bool second = axis == (along + 2) % 3 && edge_differs_[std::size_t(along)][row_index(j, k)] != 0;
    return second ? edge_stuck_[along].row(j, k) : edge_[along].row(j, k);
}

void ViscousSystem::apply_row(const Row& row, const MacGrid& velocity, float* __restrict out) const {
    const int c = row.axis, d = (c + 1) % 3, e = (c + 2) % 3, j = row.j, k = row.k;
    const std::ptrdiff_t step[3] = {1, layout_.stride_y(), layout_.stride_z()}, sc = step[c], sd = step[d], se = step[e];
    const Vec3i uc = unit(c), ud = unit(d), ue = unit(e);
    const float *p = velocity[c].row(j, k), *q = velocity[d].row(j, k), *r = velocity[e].row(j, k), *volume = volume_[c].row(j, k);
    const float *above = cell_row(c, j, k), *below = cell_row(c, j - uc.y, k - uc.z) - uc.x;
    // Edges along e, where component c changes along d, and edges along d, where it changes along e: before the face and after it.
    const float *a0 = edge_row(e, c, j, k), *a1 = edge_row(e, c, j + ud.y, k + ud.z) + ud.x, *b0 = edge_row(e, d, j, k), *b1 = edge_row(e, d, j + ud.y, k + ud.z) + ud.x;
    const float *f0 = edge_row(d, c, j, k), *f1 = edge_row(d, c, j + ue.y, k + ue.z) + ue.x, *g0 = edge_row(d, e, j, k), *g1 = edge_row(d, e, j + ue.y, k + ue.z) + ue.x;
#pragma omp simd
    for (int i = row.first; i < row.last; ++i) {
        const float own = p[i];
        const float normal = below[i] * (own - p[i - sc]) - above[i] * (p[i + sc] - own);
        const float shear_d0 = a0[i] * (own - p[i - sd]) + b0[i] * (q[i] - q[i - sc]);
        const float shear_d1 = a1[i] * (p[i + sd] - own) + b1[i] * (q[i + sd] - q[i + sd - sc]);
        const float shear_e0 = f0[i] * (own - p[i - se]) + g0[i] * (r[i] - r[i - sc]);
        const float shear_e1 = f1[i] * (p[i + se] - own) + g1[i] * (r[i + se] - r[i + se - sc]);
        out[i] = volume[i] * own + (normal + (a0[i] * shear_d0 - a1[i] * shear_d1) + (f0[i] * shear_e0 - f1[i] * shear_e1));
    }
}

double ViscousSystem::apply(const MacGrid& velocity, MacGrid& product) const {
    return parallel_sum(items(), [&](int item) {
        double sum = 0;
        for_each_row(item, [&](const Row& row) {
            float* out = product[row.axis].row(row.j, row.k);
            apply_row(row, velocity, out);
            const float* p = velocity[row.axis].row(row.j, row.k);
            double part = 0;
#pragma omp simd reduction(+ : part)
            for (int i = row.first; i < row.last; ++i) part += double(p[i]) * double(out[i]);
            sum += part;
        });
        return sum;
    });
}

}  // namespace phlo::flow
