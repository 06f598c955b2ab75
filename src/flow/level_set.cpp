#include "flow/level_set.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "base/simd.h"
#include "flow/plane_part.h"
#include "particles/sample_pack.h"

namespace phlo::flow {
namespace {

using field::Grid;
using field::Layout;
using simd::Float;

/// The part of a cell where phi < 0; p is the cell's entry.
double part_of_cell(const float* p, const std::ptrdiff_t (&step)[3]) {
    const double own = double(*p);
    Slopes slopes;
    for (int a = 0; a < 3; ++a) slopes.ahead[a] = double(p[step[a]]) - own, slopes.behind[a] = own - double(p[-step[a]]);
    return part_inside(own, slopes);
}

/// For the cells of a row: cut(i, part) where the surface may be, and flat(i, lanes, inside) for a pack of others, a bit each.
template <class Cut, class Flat>
void for_each_part(const Grid& phi, double h, int j, int k, const Cut& cut, const Flat& flat) {
    const Layout& layout = phi.layout();
    const std::ptrdiff_t step[3] = {1, layout.stride_y(), layout.stride_z()};
    const float* row = phi.row(j, k);
    const Float reach(float(1.5 * h));  // the surface is at most sqrt(3)/2 cells from the centre of a cell that it cuts, as a distance
    for (int i = 0; i < layout.nx(); i += simd::width) {
        const Float own = simd::load(row + i);
        const int lanes = std::min(simd::width, layout.nx() - i);
        const unsigned all = (1u << lanes) - 1, near = simd::bits(simd::abs(own) < reach) & all,
                       inside = simd::bits(own < Float(0.0f)) & all;
        flat(i, lanes, inside & ~near);
        for (unsigned bits = near; bits; bits &= bits - 1)
            cut(i + std::countr_zero(bits), part_of_cell(row + i + std::countr_zero(bits), step));
    }
}

/// Tiles with a cell where measure(phi) < limit.
template <class Measure>
TileSet tiles_below(const Grid& phi, float limit, const Measure& measure) {
    return TileSet::where(phi.layout(), [&](const CellBox& box) {
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j) {
                const float* row = phi.row(j, k);
                float least = limit;
#pragma omp simd reduction(min : least)
                for (int i = box.lower.x; i < box.upper.x; ++i) least = std::min(least, measure(row[i]));
                if (least < limit) return true;
            }
        return false;
    });
}

/// Between the slopes of two fields in a cell.
double cosine(const Grid& one, const Grid& other, int i, int j, int k) {
    const Layout& layout = one.layout();
    const std::ptrdiff_t at = layout.offset(i, j, k), step[3] = {1, layout.stride_y(), layout.stride_z()};
    const float *p = one.storage().data() + at, *q = other.storage().data() + at;
    double both = 0, squares_one = 0, squares_other = 0;
    for (const std::ptrdiff_t s : step) {
        const double a = double(p[s]) - double(p[-s]), b = double(q[s]) - double(q[-s]);
        both += a * b, squares_one += a * a, squares_other += b * b;
    }
    return squares_one > 0 && squares_other > 0 ? both / std::sqrt(squares_one * squares_other) : 0;
}

}  // namespace

TileSet band_tiles(const Grid& phi, double width) {
    return tiles_below(phi, float(width), [](float value) { return std::fabs(value); });
}

TileSet inside_tiles(const Grid& phi) {
    return tiles_below(phi, 0, [](float value) { return value; });
}

void advect_level_set(const Advection& how, field::MacGrid& u, Grid& phi, Grid& to, const TileSet& band, Workspace& work, const Boundary& boundary) {
    const Carried carried[] = {{&phi, &to, boundary}};
    advect_scalars(how, u, carried, band, work);
}

void inside_fractions(const Grid& phi, double h, Grid& fraction) {
    PHLO_CHECK(phi.layout() == fraction.layout());
    parallel_for(phi.layout().nz(), [&](int k) {
        for (int j = 0; j < phi.layout().ny(); ++j)
            for_each_part(
                phi, h, j, k, [row = fraction.row(j, k)](int i, double part) { row[i] = float(part); },
                [row = fraction.row(j, k)](int i, int lanes, unsigned inside) {
                    for (int l = 0; l < lanes; ++l) row[i + l] = float(inside >> l & 1);
                });
    });
}

double part_in_open(double part, double open, double cosine) {
    const double across = part * open, along = cosine > 0 ? std::max(0.0, part + open - 1) : std::min(part, open);
    return across + cosine * cosine * (along - across);
}

double inside_volume(double h, const Grid& phi, const Grid* open, const Grid* distance) {
    const double cells = parallel_sum(phi.layout().nz(), [&](int k) {
        double plane = 0;
        for (int j = 0; j < phi.layout().ny(); ++j) {
            const float* part_open = open ? open->row(j, k) : nullptr;
            const auto cut = [&](int i, double part) {
                const double room = part_open ? double(part_open[i]) : 1.0;
                const bool both = distance != nullptr && part > 0 && part < 1 && room > 0 && room < 1;
                return both ? part_in_open(part, room, cosine(phi, *distance, i, j, k)) : part * room;
            };
            for_each_part(
                phi, h, j, k, [&](int i, double part) { plane += cut(i, part); },
                [&](int i, int, unsigned inside) {
                    if (!part_open) plane += std::popcount(inside);
                    else
                        for (; inside; inside &= inside - 1) plane += double(part_open[i + std::countr_zero(inside)]);
                });
        }
        return plane;
    });
    return cells * h * h * h;
}

void curvature(double h, const Grid& phi, const TileSet& tiles, Grid& kappa) {
    const std::ptrdiff_t sy = phi.layout().stride_y(), sz = phi.layout().stride_z();
    const Float most(float(1 / h)), scale(float(1 / h)), half(0.5f), quarter(0.25f), two(2.0f);
    tiles.for_each_run([&](const CellBox& box) {
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j)
                for (int i = box.lower.x; i < box.upper.x; i += simd::width) {
                    const float* p = phi.row(j, k) + i;
                    const auto at = [&](std::ptrdiff_t offset) { return simd::load(p + offset); };
                    const auto slope = [&](std::ptrdiff_t s) { return half * (at(s) - at(-s)); };
                    const auto bend = [&](std::ptrdiff_t s) { return at(s) + at(-s) - two * at(0); };
                    const auto twist = [&](std::ptrdiff_t s, std::ptrdiff_t t) {
                        return quarter * ((at(s + t) + at(-s - t)) - (at(s - t) + at(t - s)));
                    };
                    const Float x = slope(1), y = slope(sy), z = slope(sz), xx = bend(1), yy = bend(sy), zz = bend(sz);
                    const Float xy = twist(1, sy), xz = twist(1, sz), yz = twist(sy, sz);
                    const Float square = fma(x, x, fma(y, y, fma(z, z, Float(1e-30f))));
                    const Float sum =
                        fma(x * x, yy + zz, fma(y * y, xx + zz, z * z * (xx + yy))) - two * fma(x * y, xy, fma(x * z, xz, y * z * yz));
                    const Float found = clamp(sum / (square * sqrt(square)) * scale, -most, most);
                    float* to = kappa.row(j, k) + i;
                    if (box.upper.x - i >= simd::width) simd::store(to, found);
                    else simd::store(to, found, simd::first_lanes(box.upper.x - i));
                }
    });
}

void slope_into_ghosts(double h, Grid& phi) {
    field::extend_into_ghosts(phi, phi.layout().cells());
    const Vec3i n = phi.layout().cells();
    // Axis after axis, so that edges and corners of the box go on from what the axes before have set.
    for (int axis = 0; axis < 3; ++axis) {
        if (n[axis] < 2) continue;
        const std::ptrdiff_t step = axis == 0 ? 1 : axis == 1 ? phi.layout().stride_y() : phi.layout().stride_z();
        const int across = axis == 0 ? 1 : 0, slow = axis == 2 ? 1 : 2;
        parallel_for(n[slow] + 2, [&](int plane) {
            for (int a = -1; a <= n[across]; ++a)
                for (const int side : {0, 1}) {
                    Vec3i c;
                    c[axis] = side ? n[axis] - 1 : 0, c[across] = a, c[slow] = plane - 1;
                    float* own = &phi(c.x, c.y, c.z);
                    const std::ptrdiff_t out = side ? step : -step;
                    const float rise = own[0] - own[-out], steep = std::fabs(rise) / float(h);
                    own[out] = own[0] + rise * std::clamp(4 - 5 * steep, 0.0f, 1.0f);  // all of it up to a slope of 0.6, none from 0.8 on
                }
        });
    }
}

std::vector<Vec3f> velocities_at(const field::Domain& domain, const field::MacGrid& u, std::span<const Vec3f> points) {
    constexpr int chunk = 1024;  // points of one task
    std::vector<Vec3f> result(points.size());
    const particles::MacPackSampler velocity(u);
    parallel_for(int((points.size() + chunk - 1) / chunk), [&](int c) {
        const std::size_t end = std::min(points.size(), (std::size_t(c) + 1) * chunk);
        for (std::size_t first = std::size_t(c) * chunk; first < end; first += simd::width) {
            alignas(64) float x[simd::width] = {}, y[simd::width] = {}, z[simd::width] = {};
            const std::size_t count = std::min(end - first, std::size_t(simd::width));
            for (std::size_t l = 0; l < count; ++l) {
                const Vec3f p(domain.grid_from_world(Vec3d(points[first + l])));
                x[l] = p.x, y[l] = p.y, z[l] = p.z;
            }
            const simd::Float3 v = velocity(simd::load(x), simd::load(y), simd::load(z));
            simd::store(x, v.x), simd::store(y, v.y), simd::store(z, v.z);
            for (std::size_t l = 0; l < count; ++l) result[first + l] = {x[l], y[l], z[l]};
        }
    });
    return result;
}

}  // namespace phlo::flow
