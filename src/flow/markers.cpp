#include "flow/markers.h"

#include <bit>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "flow/marker_packs.h"
#include "particles/columns.h"
#include "particles/sample.h"
#include "particles/sample_pack.h"
#include "particles/slabs.h"

namespace phlo::flow {
namespace {

using field::Grid;
using field::Layout;
using simd::Float;
using simd::Float3;

constexpr float inf = std::numeric_limits<float>::max();

PHLO_INLINE Float3 ahead(const Float3& p, Float s, const Float3& v) { return {fma(s, v.x, p.x), fma(s, v.y, p.y), fma(s, v.z, p.z)}; }

/// Bodies hold markers whose paths from `p` may have met one. A path that touches a body is at least as long as the distances of its ends to
/// it together; the body may have moved meanwhile, and between cell centres the distance may be wrong by half a cell at each end.
PHLO_INLINE void hold(const MarkerMotion& how, const Layout& layout, int lanes, const Float3& p, Float3& end) {
    const particles::PackSampler distance(*how.solid_distance, layout.cells());
    const Float3 path{end.x - p.x, end.y - p.y, end.z - p.z};
    const Float apart = (distance(p.x, p.y, p.z) + distance(end.x, end.y, end.z)) * Float(float(1 / how.h));
    const Float reach = sqrt(fma(path.x, path.x, fma(path.y, path.y, path.z * path.z))) + Float(float(2 * how.contacts->reach()) + 1);
    unsigned near = simd::bits((apart < reach) & simd::first_lanes(lanes));
    if (near == 0) return;
    float from[3][simd::width], to[3][simd::width];
    store(from[0], p.x), store(from[1], p.y), store(from[2], p.z), store(to[0], end.x), store(to[1], end.y), store(to[2], end.z);
    for (; near; near &= near - 1) {
        const int l = std::countr_zero(near);
        Vec3f place(to[0][l], to[1][l], to[2][l]);
        if (how.contacts->hold({from[0][l], from[1][l], from[2][l]}, place)) to[0][l] = place.x, to[1][l] = place.y, to[2][l] = place.z;
    }
    end = {simd::load(to[0]), simd::load(to[1]), simd::load(to[2])};
}

void move_set(const MarkerMotion& how, const field::MacGrid& u, MarkerSet& set) {
    const particles::MacPackSampler velocity(u);
    const Layout& layout = u.layout();
    const Float scale(float(how.dt / how.h)), half = Float(0.5f) * scale;
    const float inset = 1e-3f;
    const Vec3f upper = Vec3f(layout.cells()) - Vec3f(0.5f + inset);
    const Float lower(-0.5f + inset);
    const bool bodies = how.contacts != nullptr && how.contacts->any();
    PHLO_CHECK(!bodies || how.solid_distance != nullptr);
    for_each_pack(set.x.size(), [&](std::size_t n, int lanes) {
        const Float3 p{load_lanes(&set.x[n], lanes), load_lanes(&set.y[n], lanes), load_lanes(&set.z[n], lanes)};
        const Float3 first = velocity(p.x, p.y, p.z), middle = ahead(p, half, first), second = velocity(middle.x, middle.y, middle.z);
        Float3 end = ahead(p, scale, second);
        if (how.trace == Trace::rk3) {  // Ralston's, as the grid's traces
            const Float3 late = ahead(p, Float(0.75f) * scale, second), third = velocity(late.x, late.y, late.z);
            end = ahead(ahead(ahead(p, Float(2.0f / 9) * scale, first), Float(3.0f / 9) * scale, second), Float(4.0f / 9) * scale, third);
        }
        if (bodies) hold(how, layout, lanes, p, end);
        store_lanes(&set.x[n], clamp(end.x, lower, Float(upper.x)), lanes);
        store_lanes(&set.y[n], clamp(end.y, lower, Float(upper.y)), lanes);
        store_lanes(&set.z[n], clamp(end.z, lower, Float(upper.z)), lanes);
    });
}

/// Indices of the markers for which side phi(x) < -(factor radius + depth), in order; radii and depth in cells.
std::vector<int> find_escaped(const Grid& phi, const MarkerSet& set, float side, double h, double factor, double depth = 0) {
    const particles::PackSampler level(phi, phi.layout().cells());
    const Float scale(float(side / h)), limit(float(-factor)), below(float(-depth));
    std::vector<std::vector<int>> of_chunk((set.x.size() + marker_chunk - 1) / marker_chunk);
    for_each_marker_chunk(set.x.size(), [&](int c, std::size_t first, std::size_t last) {
        for (std::size_t n = first; n < last; n += simd::width) {
            const int lanes = int(std::min(last - n, std::size_t(simd::width)));
            const Float value = level(load_lanes(&set.x[n], lanes), load_lanes(&set.y[n], lanes), load_lanes(&set.z[n], lanes)) * scale;
            unsigned out = simd::bits((value < fma(limit, load_lanes(&set.radius[n], lanes), below)) & simd::first_lanes(lanes));
            for (; out; out &= out - 1) of_chunk[std::size_t(c)].push_back(int(n) + std::countr_zero(out));
        }
    });
    std::vector<int> all;
    for (const auto& some : of_chunk) all.insert(all.end(), some.begin(), some.end());
    return all;
}

/// Escaped markers of both sides: first the inside ones, then the others.
class Escaped {
public:
    Escaped(const Grid& phi, const Markers& markers, double h)
        : markers_(markers), in_(find_escaped(phi, markers.inside, -1, h, 1)), out_(find_escaped(phi, markers.outside, 1, h, 1)) {}

    struct Sphere {
        Vec3f center;   ///< [cells]
        float radius;   ///< [cells]
        float side;     ///< -1: of liquid
    };
    int count() const { return int(in_.size() + out_.size()); }
    Sphere operator[](int e) const {
        const bool inside = e < int(in_.size());
        const MarkerSet& set = inside ? markers_.inside : markers_.outside;
        const auto n = std::size_t(inside ? in_[std::size_t(e)] : out_[std::size_t(e) - in_.size()]);
        return {{set.x[n], set.y[n], set.z[n]}, set.radius[n], inside ? -1.f : 1.f};
    }

private:
    const Markers& markers_;
    std::vector<int> in_, out_;
};

/// visit(cell, its place in a grid) for those of the eight cells around a point that lie in the box, in planes [first, end).
template <class Visit>
void for_each_corner(const Layout& layout, const Vec3f& p, int first, int end, const Visit& visit) {
    const Vec3i cell{int(std::floor(p.x)), int(std::floor(p.y)), int(std::floor(p.z))};
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3i c = cell + Vec3i(corner & 1, corner >> 1 & 1, corner >> 2);
        if (c.z < first || c.z >= end || c.x < 0 || c.y < 0 || c.x >= layout.nx() || c.y >= layout.ny()) continue;
        visit(c, layout.offset(c.x, c.y, c.z));
    }
}

}  // namespace

std::size_t Markers::bytes() const { return particles::bytes_of(inside) + particles::bytes_of(outside); }

std::vector<char> save(const Markers& markers) {
    particles::ColumnWriter out;
    particles::for_each_column(markers.inside, out);
    particles::for_each_column(markers.outside, out);
    out(std::vector<std::uint32_t>{markers.steps});
    return out.take();
}

void load(std::span<const char> data, Markers& markers) {
    particles::ColumnReader in(data);
    particles::read_columns(in, markers.inside);
    particles::read_columns(in, markers.outside);
    std::vector<std::uint32_t> steps;
    in(steps);
    if (steps.size() != 1 || !in.at_end()) throw RunError("the markers in the checkpoint are of another program");
    markers.steps = steps[0];
}

void move_markers(const MarkerMotion& how, const field::MacGrid& u, Markers& markers) {
    move_set(how, u, markers.inside);
    move_set(how, u, markers.outside);
}

std::size_t correct(Grid& phi, const Markers& markers, double h, const CorrectScratch& scratch) {
    const Escaped escaped(phi, markers, h);
    const Layout& layout = phi.layout();
    PHLO_CHECK(scratch.low->layout() == layout && scratch.high->layout() == layout);
    const auto planes_of = [&](int e) {
        const int k = int(std::floor(escaped[e].center.z));
        return particles::PlaneRange{k, k + 2};
    };
    float *value = phi.storage().data(), *low = scratch.low->storage().data(), *high = scratch.high->storage().data();
    particles::for_each_slab(layout.nz(), escaped.count(), planes_of, [&](int first, int end, std::span<const int> those) {
        for (const int e : those)
            for_each_corner(layout, escaped[e].center, first, end, [&](const Vec3i&, std::ptrdiff_t at) { low[at] = inf, high[at] = -inf; });
        for (const int e : those) {
            const Escaped::Sphere sphere = escaped[e];
            for_each_corner(layout, sphere.center, first, end, [&](const Vec3i& c, std::ptrdiff_t at) {
                const float found = float(h) * sphere.side * (sphere.radius - length(Vec3f(c) - sphere.center));
                if (sphere.side < 0) low[at] = std::min(low[at], found);
                else high[at] = std::max(high[at], found);
            });
        }
        for (const int e : those)
            for_each_corner(layout, escaped[e].center, first, end, [&](const Vec3i&, std::ptrdiff_t at) {
                const float minus = std::min(value[at], low[at]), plus = std::max(value[at], high[at]);
                value[at] = std::fabs(plus) <= std::fabs(minus) ? plus : minus;
                low[at] = inf, high[at] = -inf;   // each cell once
            });
    });
    return std::size_t(escaped.count());
}

void adjust_radii(const MarkerParams& params, const Grid& phi, Markers& markers) {
    const particles::PackSampler level(phi, phi.layout().cells());
    const Float least(float(params.min_radius)), most(float(params.max_radius));
    const auto adjust = [&](MarkerSet& set, double side) {
        const Float scale(float(side / params.h));
        for_each_pack(set.x.size(), [&](std::size_t n, int lanes) {
            const Float value = level(load_lanes(&set.x[n], lanes), load_lanes(&set.y[n], lanes), load_lanes(&set.z[n], lanes));
            store_lanes(&set.radius[n], clamp(value * scale, least, most), lanes);
        });
    };
    adjust(markers.inside, -1);
    adjust(markers.outside, 1);
}

std::size_t drop_misled_markers(const MarkerParams& params, const Grid& phi, Markers& markers) {
    const std::vector<int> drowned = find_escaped(phi, markers.outside, 1, params.h, 0, params.drown_depth);
    particles::remove_few(drowned, markers.outside);
    if (!params.solid_distance) return drowned.size();
    constexpr double skin = 0.5;  // [cells]
    std::vector<int> pushed = find_escaped(phi, markers.inside, -1, params.h, 0);
    std::erase_if(pushed, [&](int n) {
        const auto at = std::size_t(n);
        return double(particles::sample(*params.solid_distance, {markers.inside.x[at], markers.inside.y[at], markers.inside.z[at]})) > skin * params.h;
    });
    particles::remove_few(pushed, markers.inside);
    return drowned.size() + pushed.size();
}

Drops take_drops(const MarkerParams& params, const field::Domain& domain, const Grid& phi, const field::MacGrid& u, Markers& markers) {
    MarkerSet& set = markers.inside;
    Drops drops;
    const std::vector<int> gone = find_escaped(phi, set, -1, params.h, params.drop_distance);
    for (const int n : gone) {
        const auto at = std::size_t(n);
        const Vec3f p(set.x[at], set.y[at], set.z[at]);
        drops.position.push_back(Vec3f(domain.origin + (Vec3d(p) + Vec3d(0.5)) * domain.h));
        drops.velocity.push_back(particles::sample(u, p));
        drops.radius.push_back(set.radius[at] * float(domain.h));
    }
    particles::remove_few(gone, set);
    return drops;
}

}  // namespace phlo::flow
