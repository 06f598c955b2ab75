// Where was the fluid a time step ago? Runge-Kutta traces through a MAC velocity field, for a pack of starting points.
//
// Cell coordinates: the centre of cell (i, j, k) is at (i, j, k), the walls at -1/2 and n - 1/2. Points are displacements from
// the lane's cell (see sampler.h). A trace starts at a cell centre (Axis = -1) or at the centre of a face of component Axis.
// Paths end at the walls and at the surface of solids.
#pragma once
#include "field/mac.h"
#include "flow/sampler.h"
#include "flow/tiles.h"

namespace phlo::flow {

/// The velocity field and what bounds a path in it.
struct Stream {
    View u, v, w;
    Float scale;                       ///< cells moved per unit of velocity: -dt/h backward, +dt/h forward
    Vec3f cells;
    bool third_order = false;
    View distance;                     ///< signed distance to solids [m], < 0 inside; only with near_solid
    float per_cell = 1;                ///< 1/h [1/m]
    const TileSet* near_solid = nullptr;
};

/// The cells (i .. i + width - 1, j, k) a pack of paths starts from, and the walls as seen from each of them.
struct PathStarts {
    int i, j, k;
    Float3 lower, upper;

    PHLO_INLINE PathStarts(const Stream& s, int i_, int j_, int k_) : i(i_), j(j_), k(k_) {
        const Float x = to_float(simd::lane_index() + Int(i)), y{float(j)}, z{float(k)}, half(0.5f);
        lower = {-half - x, -half - y, -half - z};
        upper = {end_of_row(Float(s.cells.x - 0.5f) - x), Float(s.cells.y - 0.5f) - y, Float(s.cells.z - 0.5f) - z};
    }
    /// Moves on to the next pack of the row.
    PHLO_INLINE void next() {
        const Float step{float(simd::width)};
        i += simd::width;
        lower.x = lower.x - step, upper.x = end_of_row(upper.x - step);
    }
    /// Kept `margin` cells beyond the walls.
    PHLO_INLINE Float3 inside(const Float3& p, float margin = 0) const {
        const Float m(margin);
        return {clamp(p.x, lower.x - m, upper.x + m), clamp(p.y, lower.y - m, upper.y + m), clamp(p.z, lower.z - m, upper.z + m)};
    }

private:
    /// Lanes beyond the end of the row stay beside the last one: they would tear the pack apart.
    PHLO_INLINE static Float end_of_row(Float x) { return max(x, Float(-0.5f)); }
};

PHLO_INLINE Float3 along(const Float3& start, Float s, const Float3& d) {
    return {fma(s, d.x, start.x), fma(s, d.y, start.y), fma(s, d.z, start.z)};
}

template <int Axis>
PHLO_INLINE Float3 start_points() {
    return {Float(Axis == 0 ? -0.5f : 0.0f), Float(Axis == 1 ? -0.5f : 0.0f), Float(Axis == 2 ? -0.5f : 0.0f)};
}

/// Velocity at the starting points: the face itself, or the mean of the nearest two or four faces.
template <int Axis>
PHLO_INLINE Float3 start_velocity(const Stream& s, const PathStarts& pack) {
    const std::ptrdiff_t sy = s.u.strides.y, sz = s.u.strides.z;
    const auto component = [&](const View& view, int axis) {
        const float* q = view.at(pack.i, pack.j, pack.k).entry;
        if (axis == Axis) return simd::load(q);
        const std::ptrdiff_t ahead = axis == 0 ? 1 : axis == 1 ? sy : sz;           // this cell's second face
        const Float here = simd::load(q) + simd::load(q + ahead);
        if (Axis < 0) return Float(0.5f) * here;
        const std::ptrdiff_t behind = Axis == 0 ? -1 : Axis == 1 ? -sy : -sz;       // the cell on the other side of the face
        return Float(0.25f) * (here + (simd::load(q + behind) + simd::load(q + behind + ahead)));
    };
    return {component(s.u, 0), component(s.v, 1), component(s.w, 2)};
}

struct Paths;
/// Ends of the paths by Ralston's third-order method, from the velocities of its first two stages.
void third_order_ends(const Stream& s, int i, int j, int k, int packs, const Float3& start, const Float3* first, const Float3* second,
                      Paths& paths);
/// Moves the ends back to where the straight paths first enter a solid, found by sphere tracing the distance field.
/// A path that starts inside a solid starts at its surface: faces more than half covered would otherwise never be carried along, and
/// the pressure would speed up what flows through their slits without end.
void stop_at_solids(const Stream& s, int i, int j, int k, int packs, const Float3& start, Paths& paths);

/// Up to this many packs of one row are traced together, stage by stage. One path is a long chain of dependent steps; the same
/// step of several paths fills the processor.
inline constexpr int batch = 8;

struct Paths {
    Float3 end[batch];     ///< may lie beyond a wall
    Mask stopped[batch];   ///< the path met a wall or a solid; known after stop_paths
};

/// Where the components are seen from: the Centre of the points, and that of the points half a cell on, where the faces are.
struct FaceCentres {
    float cell[4], face[4];
    int offset[4];   ///< of each component in memory: its faces are half a cell away along its own axis alone

    PHLO_INLINE FaceCentres() = default;
    PHLO_INLINE FaceCentres(const Float3& p, const Strides& strides) {
        const __m128 middle = middle_of(p);
        const __m128i own = _mm_cvtps_epi32(middle), on = _mm_cvtps_epi32(_mm_add_ps(middle, _mm_set1_ps(0.5f))), steps = steps_of(strides);
        const __m128i offsets = sum_of(_mm_mullo_epi32(own, steps)), further = _mm_mullo_epi32(_mm_sub_epi32(on, own), steps);
        _mm_storeu_ps(cell, _mm_cvtepi32_ps(own));
        _mm_storeu_ps(face, _mm_cvtepi32_ps(on));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(offset), _mm_add_epi32(offsets, further));
    }
};

/// Velocity at points[p] of the packs from (i, j, k) on.
PHLO_INLINE void velocities_at(const Stream& s, int i, int j, int k, int packs, const Float3* points, Float3* velocity) {
    const Float half(0.5f);
    const Strides strides = s.u.strides;
    const float *u = s.u.at(i, j, k).entry, *v = s.v.at(i, j, k).entry, *w = s.w.at(i, j, k).entry;
    FaceCentres centres[batch];
    const Ahead ahead(strides);
    for (int p = 0; p < packs; ++p) centres[p] = FaceCentres(points[p], strides);
    for (int p = 0; p < packs; ++p, u += simd::width, v += simd::width, w += simd::width) {
        const FaceCentres& c = centres[p];
        ahead.ask(u, p), ahead.ask(v, p), ahead.ask(w, p);
        const Float3 &at = points[p], on{at.x + half, at.y + half, at.z + half};
        const Place cell({at.x - Float(c.cell[0]), at.y - Float(c.cell[1]), at.z - Float(c.cell[2])});
        const Place face({on.x - Float(c.face[0]), on.y - Float(c.face[1]), on.z - Float(c.face[2])});
        if (simd::all(min(cell.least_own(), face.least_own()) > Float(Place::no_weight))) [[likely]]
            velocity[p] = {Linear::evaluate({u + c.offset[0], strides}, face.x, cell.y, cell.z),
                           Linear::evaluate({v + c.offset[1], strides}, cell.x, face.y, cell.z),
                           Linear::evaluate({w + c.offset[2], strides}, cell.x, cell.y, face.z)};
        else {
            const auto torn = [&](const float* entry, const Float3& q) { return sample_torn<Linear>({entry, strides}, q, Centre(q, strides)); };
            velocity[p] = {torn(u, {on.x, at.y, at.z}), torn(v, {at.x, on.y, at.z}), torn(w, {at.x, at.y, on.z})};
        }
    }
}

/// Traces the packs from entry (i, j, k) on by RK2 (midpoint), or RK3 [ralston1962], as if there were no solids.
template <int Axis>
PHLO_INLINE void trace(const Stream& s, int i, int j, int k, int packs, Paths& paths) {
    const Float3 start = start_points<Axis>();
    Float3 first[batch], second[batch], middle[batch];
    const Float scale = s.scale, half_scale = Float(0.5f) * scale;
    PathStarts pack(s, i, j, k);
    for (int p = 0; p < packs; ++p, pack.next()) {
        first[p] = start_velocity<Axis>(s, pack);
        middle[p] = pack.inside(along(start, half_scale, first[p]));
    }
    velocities_at(s, i, j, k, packs, middle, second);
    for (int p = 0; p < packs; ++p) paths.end[p] = along(start, scale, second[p]);
    if (s.third_order) third_order_ends(s, i, j, k, packs, start, first, second, paths);
}

/// Marks the paths that leave the domain or enter a solid, and cuts the latter short.
template <int Axis>
PHLO_INLINE void stop_paths(const Stream& s, int i, int j, int k, int packs, Paths& paths) {
    PathStarts pack(s, i, j, k);
    for (int p = 0; p < packs; ++p, pack.next()) {
        const Float3 &end = paths.end[p], clamped = pack.inside(end);
        paths.stopped[p] = ~((clamped.x == end.x) & (clamped.y == end.y) & (clamped.z == end.z));
    }
    if (s.near_solid) stop_at_solids(s, i, j, k, packs, start_points<Axis>(), paths);
}

/// The paths in the other direction, from the ends of those already traced. With velocity v and acceleration a, the displacements
/// are dt v + dt^2/2 a forward and -dt v + dt^2/2 a backward: they differ by 2 dt v, up to the dt^3 that RK2 leaves out as well.
template <int Axis>
PHLO_INLINE void reverse(const Stream& s, int i, int j, int k, int packs, const Float3* traced, Paths& paths) {
    PathStarts pack(s, i, j, k);
    for (int p = 0; p < packs; ++p, pack.next()) paths.end[p] = along(traced[p], Float(2.0f) * s.scale, start_velocity<Axis>(s, pack));
    stop_paths<Axis>(s, i, j, k, packs, paths);
}

}  // namespace phlo::flow
