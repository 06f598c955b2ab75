// Where was the fluid a time step ago? Runge-Kutta traces through a MAC velocity field, for a pack of starting points.
//
// Cell coordinates: the centre of cell (i, j, k) is at (i, j, k), the walls at -1/2 and n - 1/2. A trace starts at a cell centre
// (Axis = -1) or at the centre of a face of component Axis. Paths end at the walls and at the surface of solids.
#pragma once
#include "field/mac.h"
#include "flow/sampler.h"
#include "flow/tiles.h"

namespace phlo::flow {

/// The velocity field and what bounds a path in it.
struct Stream {
    View u, v, w;
    Float scale;                       ///< cells moved per unit of velocity: -dt/h backward, +dt/h forward
    Vec3f wall;                        ///< upper walls: n - 1/2
    bool third_order = false;
    View distance;                     ///< signed distance to solids [m], < 0 inside; cell null: no solids
    float per_cell = 1;                ///< 1/h [1/m]
    const TileSet* near_solid = nullptr;

    Points inside(const Points& p) const {
        const Float low(-0.5f);
        return {clamp(p.x, low, Float(wall.x)), clamp(p.y, low, Float(wall.y)), clamp(p.z, low, Float(wall.z))};
    }
};

inline Points along(const Points& start, Float s, const Points& d) { return {fma(s, d.x, start.x), fma(s, d.y, start.y), fma(s, d.z, start.z)}; }

inline Points velocity_at(const Stream& s, const Points& p) {
    const Float half(0.5f);
    return {sample_linear(s.u, {p.x + half, p.y, p.z}), sample_linear(s.v, {p.x, p.y + half, p.z}), sample_linear(s.w, {p.x, p.y, p.z + half})};
}

/// Entry (i, j, k) and the lanes after it, as points.
template <int Axis>
inline Points start_points(int i, int j, int k) {
    return {to_float(simd::lane_index() + Int(i)) - Float(Axis == 0 ? 0.5f : 0.0f), Float(float(j) - (Axis == 1 ? 0.5f : 0.0f)),
            Float(float(k) - (Axis == 2 ? 0.5f : 0.0f))};
}

/// Velocity at the starting points: the face itself, or the mean of the nearest two or four faces.
template <int Axis>
inline Points start_velocity(const Stream& s, int i, int j, int k) {
    const std::ptrdiff_t sy = s.u.stride_y, sz = s.u.stride_z, at = i + j * sy + k * sz;
    const auto component = [&](const View& view, int axis) {
        const float* q = view.cell + at;
        if (axis == Axis) return simd::load(q);
        const std::ptrdiff_t ahead = axis == 0 ? 1 : axis == 1 ? sy : sz;           // this cell's second face
        const Float here = simd::load(q) + simd::load(q + ahead);
        if (Axis < 0) return Float(0.5f) * here;
        const std::ptrdiff_t behind = Axis == 0 ? -1 : Axis == 1 ? -sy : -sz;       // the cell on the other side of the face
        return Float(0.25f) * (here + (simd::load(q + behind) + simd::load(q + behind + ahead)));
    };
    return {component(s.u, 0), component(s.v, 1), component(s.w, 2)};
}

/// Moves `end` back to where the straight path from `start` first enters a solid, found by sphere tracing the distance field.
/// A path that starts inside does not move. Returns the lanes that were stopped.
Mask stop_at_solids(const Stream& s, const Points& start, Points& end);

struct Traced {
    Points end;
    Mask stopped;   ///< the path met a wall or a solid
};

/// RK2 (midpoint), or RK3 [ralston1962].
template <int Axis>
inline Traced trace(const Stream& s, int i, int j, int k) {
    const Points start = start_points<Axis>(i, j, k), first = start_velocity<Axis>(s, i, j, k);
    const Points second = velocity_at(s, s.inside(along(start, Float(0.5f) * s.scale, first)));
    Points end;
    if (s.third_order) {
        const Points third = velocity_at(s, s.inside(along(start, Float(0.75f) * s.scale, second)));
        end = along(along(along(start, Float(2.0f / 9) * s.scale, first), Float(3.0f / 9) * s.scale, second), Float(4.0f / 9) * s.scale, third);
    } else {
        end = along(start, s.scale, second);
    }
    const Points clamped = s.inside(end);
    Mask stopped = ~((clamped.x == end.x) & (clamped.y == end.y) & (clamped.z == end.z));
    if (s.near_solid) {
        const Vec3i last = s.near_solid->cells() - Vec3i(1);
        if (s.near_solid->active_at_cell(std::min(i, last.x), std::min(j, last.y), std::min(k, last.z))) {
            Points stop = clamped;
            const Mask hit = stop_at_solids(s, start, stop);
            end = {select(hit, stop.x, end.x), select(hit, stop.y, end.y), select(hit, stop.z, end.z)};
            stopped = stopped | hit;
        }
    }
    return {end, stopped};
}

}  // namespace phlo::flow
