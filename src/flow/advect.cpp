#include "flow/advect.h"

#include <cmath>
#include <limits>

#include "flow/trace.h"

namespace phlo::flow {
namespace {

constexpr std::size_t max_count = 4;   // fields carried on one trace; more are carried in several goes

/// The fields of one go, all living on the same points: cell centres (Axis = -1) or faces.
struct Group {
    std::size_t count = 0;
    std::array<View, max_count> from{};
    std::array<field::Grid*, max_count> to{};
};

/// The faces of component Axis that belong to the cells of `box`.
template <int Axis>
CellBox entries_of(CellBox box, Vec3i cells) {
    if constexpr (Axis >= 0)
        if (box.upper[Axis] == cells[Axis]) ++box.upper[Axis];
    return box;
}

/// Traces every entry of the active tiles; body(pack, lanes to write, end of the path, stopped) for every pack of them.
template <int Axis, class Body>
void for_each_path(const Stream& stream, const TileSet& active, Body&& body) {
    active.for_each_run([&](const CellBox& cells) {
        const CellBox box = entries_of<Axis>(cells, active.cells());
        Paths paths;
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j)
                for (int i = box.lower.x; i < box.upper.x; i += batch * simd::width) {
                    const int packs = std::min(batch, (box.upper.x - i + simd::width - 1) / simd::width);
                    trace<Axis>(stream, i, j, k, packs, paths);
                    for (int p = 0; p < packs; ++p) {
                        const Pack pack(stream, i + p * simd::width, j, k);
                        body(pack, box.upper.x - pack.i, paths.end[p], paths.stopped[p]);
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

template <std::size_t Count>
PHLO_INLINE std::array<View, Count> views_at(const std::array<View, max_count>& fields, const Pack& pack) {
    std::array<View, Count> views;
    for (std::size_t n = 0; n < Count; ++n) views[n] = fields[n].at(pack.i, pack.j, pack.k);
    return views;
}

template <int Axis, std::size_t Count, class Kind>
void semi_lagrangian(const Stream& back, const Group& group, const TileSet& active) {
    for_each_path<Axis>(back, active, [&](const Pack& pack, int lanes, const Points& end, Mask) {
        const auto values = sample<Kind, Count>(views_at<Count>(group.from, pack), field_coordinates<Axis>(pack, end));
        for (std::size_t n = 0; n < Count; ++n) write(*group.to[n], pack, lanes, values[n]);
    });
}

/// MacCormack, first pass: the semi-Lagrangian value, and the range it may be corrected in. The lower bounds wait in `to`.
template <int Axis, std::size_t Count>
void predict(const Stream& back, const Group& group, field::Grid* const* predicted, field::Grid* const* high, const TileSet& active) {
    for_each_path<Axis>(back, active, [&](const Pack& pack, int lanes, const Points& end, Mask stopped) {
        const auto values = sample<LinearWithRange, Count>(views_at<Count>(group.from, pack), field_coordinates<Axis>(pack, end));
        for (std::size_t n = 0; n < Count; ++n) {
            // A path that was cut short says nothing about the error of the others: no correction there.
            write(*predicted[n], pack, lanes, values[n].value);
            write(*group.to[n], pack, lanes, select(stopped, values[n].value, values[n].low));
            write(*high[n], pack, lanes, select(stopped, values[n].value, values[n].high));
        }
    });
}

/// Second pass: carry the prediction back; what returns wrong is twice the error [selle2008, eq. 4].
template <int Axis, std::size_t Count>
void correct(const Stream& forth, const Group& group, field::Grid* const* predicted, field::Grid* const* high, const TileSet& active) {
    std::array<View, max_count> views;
    for (std::size_t n = 0; n < Count; ++n) views[n] = View(*predicted[n]);
    for_each_path<Axis>(forth, active, [&](const Pack& pack, int lanes, const Points& end, Mask stopped) {
        const auto returned = sample<Linear, Count>(views_at<Count>(views, pack), field_coordinates<Axis>(pack, end));
        for (std::size_t n = 0; n < Count; ++n) {
            const auto here = [&](const field::Grid& grid) { return simd::load(grid.row(pack.j, pack.k) + pack.i); };
            const Float before = simd::load(group.from[n].at(pack.i, pack.j, pack.k).entry);
            const Float error = select(stopped, Float(0.0f), Float(0.5f) * (before - returned[n]));
            write(*group.to[n], pack, lanes, clamp(here(*predicted[n]) + error, here(*group.to[n]), here(*high[n])));
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
    double speed = 0;
    for (int axis = 0; axis < 3; ++axis) speed = std::max(speed, field::max_abs(u[axis], field::face_extent(layout, axis)));
    const int longest = std::max({layout.nx(), layout.ny(), layout.nz()});
    near.dilate(int(std::min(std::ceil(speed * how.dt / how.h) + 1, double(longest))));
    return near;
}

template <int Axis, std::size_t Count>
void run_group(const Advection& how, const Stream& back, const Group& group, std::span<const Carried> carried, const TileSet& active,
               const TileSet& inactive, Vec3i extent, Workspace& work) {
    if (how.scheme == Scheme::trilinear) semi_lagrangian<Axis, Count, Linear>(back, group, active);
    if (how.scheme == Scheme::cubic) semi_lagrangian<Axis, Count, Cubic>(back, group, active);
    if (how.scheme == Scheme::maccormack) {
        const field::Layout& layout = carried[0].from->layout();
        std::array<field::Grid*, Count> predicted{}, high{};
        for (std::size_t n = 0; n < Count; ++n) predicted[n] = &work.grid(2 * n, layout), high[n] = &work.grid(2 * n + 1, layout);
        predict<Axis, Count>(back, group, predicted.data(), high.data(), active);
        for (std::size_t n = 0; n < Count; ++n) {
            copy_entries<Axis>(*carried[n].from, *predicted[n], inactive);
            fill_ghosts(*predicted[n], extent, carried[n].boundary);
        }
        Stream forth = back;
        forth.scale = -back.scale;
        correct<Axis, Count>(forth, group, predicted.data(), high.data(), active);
    }
    for (std::size_t n = 0; n < Count; ++n) copy_entries<Axis>(*carried[n].from, *carried[n].to, inactive);
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
        const auto run = [&]<std::size_t Count>() { run_group<Axis, Count>(how, back, group, now, active, inactive, extent, work); };
        if (group.count == 1) run.template operator()<1>();
        if constexpr (Axis < 0) {
            if (group.count == 2) run.template operator()<2>();
            if (group.count == 3) run.template operator()<3>();
            if (group.count == 4) run.template operator()<4>();
        }
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
