#include "flow/advect.h"

#include <cmath>
#include <limits>

#include "base/error.h"
#include "flow/trace.h"

namespace phlo::flow {
namespace {

constexpr std::size_t max_count = 8;   // fields carried on one trace; more are carried in several goes

/// The fields of one go, all living on the same points: cell centres (Axis = -1) or faces.
struct Group {
    std::size_t count = 0;
    std::array<View, max_count> from{};
    std::array<field::Grid*, max_count> to{};
    // MacCormack only. The displacements of the paths wait for the second pass, those of stopped paths as not-a-number.
    std::array<field::Grid*, max_count> predicted{};
    std::array<field::Grid*, 3> back{};
};

/// The faces of component Axis that belong to the cells of `box`.
template <int Axis>
CellBox entries_of(CellBox box, Vec3i cells) {
    if constexpr (Axis >= 0)
        if (box.upper[Axis] == cells[Axis]) ++box.upper[Axis];
    return box;
}

/// body(i, j, k, packs, end of the row) for every batch of packs of entries in the active tiles.
template <int Axis, class Body>
void for_each_pack(const TileSet& active, Body&& body) {
    active.for_each_run([&](const CellBox& cells) {
        const CellBox box = entries_of<Axis>(cells, active.cells());
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j)
                for (int i = box.lower.x; i < box.upper.x; i += batch * simd::width)
                    body(i, j, k, std::min(batch, (box.upper.x - i + simd::width - 1) / simd::width), box.upper.x);
    });
}

/// Traces every entry of the active tiles; body(field, pack, lanes to write, end of the path, stopped) for every pack of them and
/// each field of the group.
template <int Axis, class Body>
void for_each_path(const Stream& stream, const Group& group, const TileSet& active, Body&& body) {
    for_each_pack<Axis>(active, [&](int i, int j, int k, int packs, int upper_x) {
        Paths paths;
        trace<Axis>(stream, i, j, k, packs, paths);
        for (std::size_t n = 0; n < group.count; ++n) {
            prefetch_ahead(group.from[n].at(i, j, k), packs * simd::width);
            for (int p = 0; p < packs; ++p) {
                const Pack pack(stream, i + p * simd::width, j, k);
                body(n, pack, upper_x - pack.i, paths.end[p], paths.stopped[p]);
            }
        }
    });
}

PHLO_INLINE void write(field::Grid& grid, const Pack& pack, int lanes, Float value) {
    float* p = grid.row(pack.j, pack.k) + pack.i;
    if (lanes >= simd::width) simd::store(p, value);
    else simd::store(p, value, simd::first_lanes(lanes));
}

/// From cell coordinates to those of the field, kept where the field has entries: cell fields may reach the first ghost.
template <int Axis>
PHLO_INLINE Points field_coordinates(const Pack& pack, const Points& p) {
    if constexpr (Axis < 0) return pack.inside(p, 0.5f);
    Points q = pack.inside(p);
    Float& own = Axis == 0 ? q.x : Axis == 1 ? q.y : q.z;
    own = own + Float(0.5f);
    return q;
}

template <int Axis, class Kind>
void semi_lagrangian(const Stream& back, const Group& group, const TileSet& active) {
    for_each_path<Axis>(back, group, active, [&](std::size_t n, const Pack& pack, int lanes, const Points& end, Mask) {
        const View from = group.from[n].at(pack.i, pack.j, pack.k);
        write(*group.to[n], pack, lanes, sample<Kind>(from, field_coordinates<Axis>(pack, end)));
    });
}

PHLO_INLINE Float read(const field::Grid& grid, const Pack& pack) { return simd::load(grid.row(pack.j, pack.k) + pack.i); }

/// MacCormack, first pass: the semi-Lagrangian value.
template <int Axis>
void predict(const Stream& back, const Group& group, const TileSet& active) {
    for_each_path<Axis>(back, group, active, [&](std::size_t n, const Pack& pack, int lanes, const Points& end, Mask stopped) {
        const View from = group.from[n].at(pack.i, pack.j, pack.k);
        write(*group.predicted[n], pack, lanes, sample_linear(from, field_coordinates<Axis>(pack, end)));
        if (n != 0) return;
        write(*group.back[0], pack, lanes, select(stopped, Float(std::numeric_limits<float>::quiet_NaN()), end.x));
        write(*group.back[1], pack, lanes, end.y);
        write(*group.back[2], pack, lanes, end.z);
    });
}

/// Second pass: carry the prediction back; what returns wrong is twice the error [selle2008, eq. 4]. The corrected value stays in
/// the range around the place it comes from. A path that was cut short says nothing about the error of the others: no correction.
template <int Axis>
void correct(const Stream& forth, const Group& group, const TileSet& active) {
    std::array<View, max_count> predicted;
    for (std::size_t n = 0; n < group.count; ++n) predicted[n] = View(*group.predicted[n]);
    for_each_pack<Axis>(active, [&](int i, int j, int k, int packs, int upper_x) {
        Paths paths;
        Points back[batch];
        for (int p = 0; p < packs; ++p) {
            const Pack pack(forth, i + p * simd::width, j, k);
            back[p] = {read(*group.back[0], pack), read(*group.back[1], pack), read(*group.back[2], pack)};
        }
        // Scalars are traced anew: with reversed paths their amount drifts three times as fast in a closed box.
        if (Axis < 0 || forth.third_order) trace<Axis>(forth, i, j, k, packs, paths);
        else reverse<Axis>(forth, i, j, k, packs, back, paths);
        for (std::size_t n = 0; n < group.count; ++n) {
            prefetch_ahead(predicted[n].at(i, j, k), packs * simd::width);
            prefetch_ahead(group.from[n].at(i, j, k), packs * simd::width);
            for (int p = 0; p < packs; ++p) {
                const Pack pack(forth, i + p * simd::width, j, k);
                const View prediction = predicted[n].at(pack.i, j, k), from = group.from[n].at(pack.i, j, k);
                const Float returned = sample_linear(prediction, field_coordinates<Axis>(pack, paths.end[p]));
                const Range::Value range = sample<Range>(from, field_coordinates<Axis>(pack, back[p]));
                const Float value = simd::load(prediction.entry), error = Float(0.5f) * (simd::load(from.entry) - returned);
                const Mask whole = ~paths.stopped[p] & (back[p].x == back[p].x);
                write(*group.to[n], pack, upper_x - pack.i, select(whole, clamp(value + error, range.low, range.high), value));
            }
        }
    });
}

template <int Axis>
void copy_entries(const field::Grid& from, field::Grid& to, const TileSet& tiles) {
    tiles.for_each_run([&](const CellBox& cells) {
        const CellBox box = entries_of<Axis>(cells, tiles.cells());
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j)
                std::copy(from.row(j, k) + box.lower.x, from.row(j, k) + box.upper.x, to.row(j, k) + box.lower.x);
    });
}

Stream stream_of(const Advection& how, const field::MacGrid& u, const TileSet* near_solid) {
    Stream s;
    s.u = View(u.x), s.v = View(u.y), s.w = View(u.z);
    s.scale = Float(float(-how.dt / how.h));
    s.cells = Vec3f(u.layout().cells());
    s.third_order = how.trace == Trace::rk3;
    if (near_solid) s.distance = View(*how.solid_distance), s.per_cell = float(1 / how.h), s.near_solid = near_solid;
    return s;
}

/// Tiles from which a path can reach a solid in one step.
TileSet tiles_near_solids(const Advection& how, const field::MacGrid& u) {
    const field::Layout& layout = u.layout();
    const float close = float(how.h);
    TileSet near = TileSet::where(layout, [&](const CellBox& box) {
        float least = std::numeric_limits<float>::max();
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j) {
                const float* row = how.solid_distance->row(j, k);
#pragma omp simd reduction(min : least)
                for (int i = box.lower.x; i < box.upper.x; ++i) least = std::min(least, row[i]);
            }
        return least < close;
    });
    double speed = how.fastest;
    for (int axis = 0; axis < 3 && how.fastest < 0; ++axis) speed = std::max(speed, field::max_abs(u[axis], field::face_extent(layout, axis)));
    const int longest = std::max({layout.nx(), layout.ny(), layout.nz()});
    near.dilate(int(std::min(std::ceil(speed * how.dt / how.h) + 1, double(longest))));
    return near;
}

template <int Axis>
void run_group(const Advection& how, const Stream& back, Group& group, std::span<const Carried> carried, const TileSet& active,
               const TileSet& inactive, Vec3i extent, Workspace& work) {
    if (how.scheme == Scheme::trilinear) semi_lagrangian<Axis, Linear>(back, group, active);
    if (how.scheme == Scheme::cubic) semi_lagrangian<Axis, Cubic>(back, group, active);
    if (how.scheme == Scheme::maccormack) {
        const field::Layout& layout = carried[0].from->layout();
        std::size_t used = 0;
        for (std::size_t n = 0; n < group.count; ++n) group.predicted[n] = &work.grid(used++, layout);
        // A result is written after its place's displacements were read: they can wait there.
        for (std::size_t a = 0; a < 3; ++a) group.back[a] = a < group.count ? group.to[a] : &work.grid(used++, layout);
        predict<Axis>(back, group, active);
        for (std::size_t n = 0; n < group.count; ++n) {
            copy_entries<Axis>(*carried[n].from, *group.predicted[n], inactive);
            fill_ghosts(*group.predicted[n], extent, carried[n].boundary);
        }
        Stream forth = back;
        forth.scale = -back.scale;
        correct<Axis>(forth, group, active);
    }
    for (std::size_t n = 0; n < group.count; ++n) copy_entries<Axis>(*carried[n].from, *carried[n].to, inactive);
}

template <int Axis>
void advect_fields(const Advection& how, const Stream& back, std::span<const Carried> carried, const TileSet& active, Workspace& work) {
    const TileSet inactive = active.inverse();
    Vec3i extent = active.cells();
    if constexpr (Axis >= 0) ++extent[Axis];
    for (const Carried& c : carried) fill_ghosts(*c.from, extent, c.boundary);
    const std::size_t most = how.scheme == Scheme::maccormack ? 3 : max_count;   // MacCormack needs a scratch grid for each
    for (std::size_t first = 0; first < carried.size();) {
        const std::span<const Carried> now = carried.subspan(first, std::min(most, carried.size() - first));
        Group group;
        for (const Carried& c : now) {
            PHLO_CHECK(c.from != c.to && c.from->layout() == c.to->layout());
            group.from[group.count] = View(*c.from);
            group.to[group.count++] = c.to;
        }
        run_group<Axis>(how, back, group, now, active, inactive, extent, work);
        first += now.size();
    }
}

void fill_velocity_ghosts(field::MacGrid& u) {
    for (int axis = 0; axis < 3; ++axis) field::extend_into_ghosts(u[axis], field::face_extent(u.layout(), axis));
}

}  // namespace

field::Grid& Workspace::grid(std::size_t index, const field::Layout& layout) {
    if (grids_.size() <= index) grids_.resize(index + 1);
    if (!(grids_[index].layout() == layout) || grids_[index].empty()) grids_[index] = field::Grid(layout);
    return grids_[index];
}

std::size_t Workspace::bytes() const {
    std::size_t total = 0;
    for (const field::Grid& grid : grids_) total += grid.bytes();
    return total;
}

void fill_ghosts(field::Grid& grid, Vec3i extent, const Boundary& boundary) {
    field::extend_into_ghosts(grid, extent);
    constexpr int g = field::Layout::ghost;
    for (int wall = 0; wall < 6; ++wall) {
        if (!boundary[std::size_t(wall)]) continue;
        const int axis = wall / 2;
        Vec3i lower(-g), upper = extent + Vec3i(g);
        if (wall % 2 == 0) upper[axis] = 0;
        else lower[axis] = extent[axis];
        for (int k = lower.z; k < upper.z; ++k)
            for (int j = lower.y; j < upper.y; ++j) std::fill(grid.row(j, k) + lower.x, grid.row(j, k) + upper.x, *boundary[std::size_t(wall)]);
    }
}

void advect_scalars(const Advection& how, field::MacGrid& u, std::span<const Carried> carried, const TileSet& active, Workspace& work) {
    if (carried.empty()) return;
    fill_velocity_ghosts(u);
    TileSet near;
    if (how.solid_distance) near = tiles_near_solids(how, u);
    advect_fields<-1>(how, stream_of(how, u, how.solid_distance ? &near : nullptr), carried, active, work);
}

void advect_velocity(const Advection& how, field::MacGrid& u, field::MacGrid& to, const TileSet& active, Workspace& work) {
    fill_velocity_ghosts(u);
    TileSet near;
    if (how.solid_distance) near = tiles_near_solids(how, u);
    const Stream back = stream_of(how, u, how.solid_distance ? &near : nullptr);
    const Carried x[] = {{&u.x, &to.x}}, y[] = {{&u.y, &to.y}}, z[] = {{&u.z, &to.z}};
    advect_fields<0>(how, back, x, active, work);
    advect_fields<1>(how, back, y, active, work);
    advect_fields<2>(how, back, z, active, work);
}

}  // namespace phlo::flow
