#include "flow/advect.h"

#include <cmath>
#include <limits>

#include "flow/trace.h"

namespace phlo::flow {
namespace {

constexpr std::size_t max_count = 8;   // fields carried on one trace; more are carried in several goes

/// The fields of one go, all living on the same points: cell centres (Axis = -1) or faces.
struct Group {
    std::size_t count = 0;
    std::array<View, max_count> from{};
    std::array<field::Grid*, max_count> to{};
    std::array<field::Grid*, max_count> predicted{}, high{};   ///< MacCormack only
};

/// The faces of component Axis that belong to the cells of `box`.
template <int Axis>
CellBox entries_of(CellBox box, Vec3i cells) {
    if constexpr (Axis >= 0)
        if (box.upper[Axis] == cells[Axis]) ++box.upper[Axis];
    return box;
}

/// Traces every entry of the active tiles; body(field, pack, lanes to write, end of the path, stopped) for every pack of them and
/// each of `count` fields.
template <int Axis, class Body>
void for_each_path(const Stream& stream, std::size_t count, const TileSet& active, Body&& body) {
    active.for_each_run([&](const CellBox& cells) {
        const CellBox box = entries_of<Axis>(cells, active.cells());
        Paths paths;
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j)
                for (int i = box.lower.x; i < box.upper.x; i += batch * simd::width) {
                    const int packs = std::min(batch, (box.upper.x - i + simd::width - 1) / simd::width);
                    trace<Axis>(stream, i, j, k, packs, paths);
                    for (std::size_t n = 0; n < count; ++n)
                        for (int p = 0; p < packs; ++p) {
                            const Pack pack(stream, i + p * simd::width, j, k);
                            body(n, pack, box.upper.x - pack.i, paths.end[p], paths.stopped[p]);
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
    for_each_path<Axis>(back, group.count, active, [&](std::size_t n, const Pack& pack, int lanes, const Points& end, Mask) {
        const View from = group.from[n].at(pack.i, pack.j, pack.k);
        write(*group.to[n], pack, lanes, sample<Kind>(from, field_coordinates<Axis>(pack, end)));
    });
}

/// MacCormack, first pass: the semi-Lagrangian value, and the range it may be corrected in. The lower bounds wait in `to`.
template <int Axis>
void predict(const Stream& back, const Group& group, const TileSet& active) {
    for_each_path<Axis>(back, group.count, active, [&](std::size_t n, const Pack& pack, int lanes, const Points& end, Mask stopped) {
        const View from = group.from[n].at(pack.i, pack.j, pack.k);
        const LinearWithRange::Value v = sample<LinearWithRange>(from, field_coordinates<Axis>(pack, end));
        // A path that was cut short says nothing about the error of the others: no correction there.
        write(*group.predicted[n], pack, lanes, v.value);
        write(*group.to[n], pack, lanes, select(stopped, v.value, v.low));
        write(*group.high[n], pack, lanes, select(stopped, v.value, v.high));
    });
}

/// Second pass: carry the prediction back; what returns wrong is twice the error [selle2008, eq. 4].
template <int Axis>
void correct(const Stream& forth, const Group& group, const TileSet& active) {
    std::array<View, max_count> predicted;
    for (std::size_t n = 0; n < group.count; ++n) predicted[n] = View(*group.predicted[n]);
    for_each_path<Axis>(forth, group.count, active, [&](std::size_t n, const Pack& pack, int lanes, const Points& end, Mask stopped) {
        const View prediction = predicted[n].at(pack.i, pack.j, pack.k);
        const Float returned = sample_linear(prediction, field_coordinates<Axis>(pack, end));
        const Float before = simd::load(group.from[n].at(pack.i, pack.j, pack.k).entry);
        const Float error = select(stopped, Float(0.0f), Float(0.5f) * (before - returned));
        const auto here = [&](const field::Grid& grid) { return simd::load(grid.row(pack.j, pack.k) + pack.i); };
        write(*group.to[n], pack, lanes, clamp(simd::load(prediction.entry) + error, here(*group.to[n]), here(*group.high[n])));
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
    double speed = 0;
    for (int axis = 0; axis < 3; ++axis) speed = std::max(speed, field::max_abs(u[axis], field::face_extent(layout, axis)));
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
        for (std::size_t n = 0; n < group.count; ++n)
            group.predicted[n] = &work.grid(2 * n, layout), group.high[n] = &work.grid(2 * n + 1, layout);
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
    const std::size_t most = how.scheme == Scheme::maccormack ? 2 : max_count;   // MacCormack needs two scratch grids for each
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
