#include "flow/advect.h"

#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "flow/cubic.h"
#include "flow/trace.h"

namespace phlo::flow {
namespace {

constexpr std::size_t max_count = 8;   // fields carried on one trace; more are carried in several goes

/// The fields of one go, all living on the same points: cell centres (Axis = -1) or faces.
struct Group {
    std::size_t count = 0;
    std::array<View, max_count> from{};
    std::array<field::Grid*, max_count> to{};
    // MacCormack only: what the second pass needs of the first, beside what waits in `to`, where a place is written after it was read.
    // Cells: the range around the place a value comes from, the lower bound in `to`. Faces: displacements, x in `to`.
    std::array<field::Grid*, max_count> predicted{}, kept{};
};

/// The faces of component Axis that belong to the cells of `box`.
template <int Axis>
CellBox entries_of(CellBox box, Vec3i cells) {
    if constexpr (Axis >= 0)
        if (box.upper[Axis] == cells[Axis]) ++box.upper[Axis];
    return box;
}

/// Packs (i, i + width, ...; j, k) of entries, up to the end of the row.
struct Batch {
    int i, j, k, packs, upper_x;
};

/// body(Batch) for all entries in the active tiles.
template <int Axis, class Body>
void for_each_batch(const TileSet& active, Body&& body) {
    active.for_each_pile([&](const CellBox& cells) {
        const CellBox box = entries_of<Axis>(cells, active.cells());
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j)
                for (int i = box.lower.x; i < box.upper.x; i += batch * simd::width)
                    body(Batch{i, j, k, std::min(batch, (box.upper.x - i + simd::width - 1) / simd::width), box.upper.x});
    });
}

/// From cell coordinates to those of the field, kept where the field has entries: cell fields may reach the first ghost.
template <int Axis>
PHLO_INLINE Float3 field_coordinates(const PathStarts& pack, const Float3& p) {
    if constexpr (Axis < 0) return pack.inside(p, 0.5f);
    Float3 q = pack.inside(p);
    Float& own = Axis == 0 ? q.x : Axis == 1 ? q.y : q.z;
    own = own + Float(0.5f);
    return q;
}

/// Where the paths of a batch end.
struct Feet {
    Float3 at[batch];       ///< in the coordinates of the fields
    Centre centre[batch];
};

template <int Axis>
PHLO_INLINE void find_feet(const Stream& stream, const Batch& b, const Float3* end, Feet& feet) {
    const Strides strides = stream.u.strides;
    PathStarts pack(stream, b.i, b.j, b.k);
    for (int p = 0; p < b.packs; ++p, pack.next()) {
        feet.at[p] = field_coordinates<Axis>(pack, end[p]);
        feet.centre[p] = Centre(feet.at[p], strides);
    }
}

/// Traces a batch, and finds the feet of its paths.
template <int Axis>
PHLO_INLINE void follow(const Stream& stream, const Batch& b, Paths& paths, Feet& feet) {
    trace<Axis>(stream, b.i, b.j, b.k, b.packs, paths);
    find_feet<Axis>(stream, b, paths.end, feet);
    stop_paths<Axis>(stream, b.i, b.j, b.k, b.packs, paths);
    if (!stream.near_solid) return;
    // Solids may move a foot, never the centre it is seen from: what one does to a lane, the others do not feel.
    PathStarts pack(stream, b.i, b.j, b.k);
    for (int p = 0; p < b.packs; ++p, pack.next()) feet.at[p] = field_coordinates<Axis>(pack, paths.end[p]);
}

PHLO_INLINE Float read(const field::Grid& grid, const Batch& b, int p) { return simd::load(grid.row(b.j, b.k) + b.i + p * simd::width); }

PHLO_INLINE void write(field::Grid& grid, const Batch& b, int p, Float value) {
    const int i = b.i + p * simd::width, lanes = b.upper_x - i;
    float* to = grid.row(b.j, b.k) + i;
    if (lanes >= simd::width) simd::store(to, value);
    else simd::store(to, value, simd::first_lanes(lanes));
}

/// use(n, p, field n as pack p sees it) for the fields and the packs of a batch.
template <class Use>
PHLO_INLINE void for_each_pack(const Group& group, const Batch& b, const Use& use) {
    for (std::size_t n = 0; n < group.count; ++n) {
        const View from = group.from[n].at(b.i, b.j, b.k);
        const Ahead ahead(from.strides);
        for (int p = 0; p < b.packs; ++p) {
            ahead.ask(from.entry + p * simd::width, p);
            use(n, p, from.at(p * simd::width, 0, 0));
        }
    }
}

struct Trilinear {
    PHLO_INLINE static Float sample(const View& from, const Float3& p, const Centre& c) { return flow::sample<Even>(from, p, c); }
};
struct Tricubic {
    PHLO_INLINE static Float sample(const View& from, const Float3& p, const Centre&) { return sample_cubic(from, p); }
};

template <int Axis, class Kind>
void semi_lagrangian(const Stream& back, const Group& group, const TileSet& active) {
    for_each_batch<Axis>(active, [&](const Batch& b) {
        Paths paths;
        Feet feet;
        follow<Axis>(back, b, paths, feet);
        for_each_pack(group, b, [&](std::size_t n, int p, const View& from) { write(*group.to[n], b, p, Kind::sample(from, feet.at[p], feet.centre[p])); });
    });
}

/// MacCormack, first pass: the semi-Lagrangian value. A path that was cut short says nothing about the error of the others and is not
/// corrected: the range of a cell is then the value itself, the displacement of a face is not a number.
template <int Axis>
void predict(const Stream& back, const Group& group, const TileSet& active) {
    for_each_batch<Axis>(active, [&](const Batch& b) {
        Paths paths;
        Feet feet;
        follow<Axis>(back, b, paths, feet);
        for_each_pack(group, b, [&](std::size_t n, int p, const View& from) {
            if constexpr (Axis >= 0) write(*group.predicted[n], b, p, sample<Even>(from, feet.at[p], feet.centre[p]));
            else {
                const Bounded::Value found = sample<Bounded>(from, feet.at[p], feet.centre[p]);
                const Float bounded = clamp(found.value, found.low, found.high);
                write(*group.predicted[n], b, p, found.value);
                write(*group.to[n], b, p, select(paths.stopped[p], bounded, found.low));
                write(*group.kept[n], b, p, select(paths.stopped[p], bounded, found.high));
            }
        });
        if constexpr (Axis >= 0)
            for (int p = 0; p < b.packs; ++p) {
                write(*group.to[0], b, p, select(paths.stopped[p], Float(std::numeric_limits<float>::quiet_NaN()), paths.end[p].x));
                write(*group.kept[0], b, p, paths.end[p].y);
                write(*group.kept[1], b, p, paths.end[p].z);
            }
    });
}

/// Second pass: carry the prediction back; what returns wrong is twice the error [selle2008, eq. 4]. The corrected value stays in
/// the range around the place it comes from.
template <int Axis>
void correct(const Stream& forth, const Group& group, const TileSet& active) {
    for_each_batch<Axis>(active, [&](const Batch& b) {
        Paths paths;
        Feet feet, feet_back;
        Float3 back[batch];
        Mask cut[batch];
        if constexpr (Axis >= 0) {
            for (int p = 0; p < b.packs; ++p) {
                const Float x = read(*group.to[0], b, p);
                cut[p] = ~(x == x);
                back[p] = {select(cut[p], Float(0.0f), x), read(*group.kept[0], b, p), read(*group.kept[1], b, p)};
            }
            find_feet<Axis>(forth, b, back, feet_back);
        }
        // Scalars are traced anew: with reversed paths their amount drifts three times as fast in a closed box.
        if (Axis < 0 || forth.third_order) follow<Axis>(forth, b, paths, feet);
        else {
            reverse<Axis>(forth, b.i, b.j, b.k, b.packs, back, paths);
            find_feet<Axis>(forth, b, paths.end, feet);
        }
        for (std::size_t n = 0; n < group.count; ++n) {
            const View predicted = View(*group.predicted[n]).at(b.i, b.j, b.k), from = group.from[n].at(b.i, b.j, b.k);
            const Ahead ahead(from.strides);
            for (int p = 0; p < b.packs; ++p) {
                const int lane = p * simd::width;
                ahead.ask(predicted.entry + lane, p);
                if (Axis >= 0) ahead.ask(from.entry + lane, p);
                const Float value = simd::load(predicted.entry + lane), was = simd::load(from.entry + lane);
                const Float returned = sample<Linear>(predicted.at(lane, 0, 0), feet.at[p], feet.centre[p]);
                const Float corrected = fma(Float(0.5f), was - returned, value);
                if constexpr (Axis < 0) {
                    const Float low = read(*group.to[n], b, p), high = read(*group.kept[n], b, p);
                    write(*group.to[n], b, p, clamp(select(paths.stopped[p], value, corrected), low, high));
                } else {
                    const Bounded::Value range = sample<Bounded>(from.at(lane, 0, 0), feet_back.at[p], feet_back.centre[p]);
                    write(*group.to[n], b, p, select(paths.stopped[p] | cut[p], value, clamp(corrected, range.low, range.high)));
                }
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
    if (how.scheme == Scheme::trilinear) semi_lagrangian<Axis, Trilinear>(back, group, active);
    if (how.scheme == Scheme::cubic) semi_lagrangian<Axis, Tricubic>(back, group, active);
    if (how.scheme == Scheme::maccormack) {
        const field::Layout& layout = carried[0].from->layout();
        std::size_t used = 0;
        const auto scratch = [&] {
            const std::size_t next = used++;
            return next < how.spare.size() ? how.spare[next] : &work.grid(next - how.spare.size(), layout);
        };
        for (std::size_t n = 0; n < group.count; ++n) group.predicted[n] = scratch(), group.kept[n] = scratch();
        if (Axis >= 0) group.kept[1] = scratch();
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
    parallel_for(extent.z + 2 * g, [&](int plane) {
        const int k = plane - g;
        for (int wall = 0; wall < 6; ++wall) {
            const int axis = wall / 2;
            Vec3i lower(-g), upper = extent + Vec3i(g);
            if (wall % 2 == 0) upper[axis] = 0;
            else lower[axis] = extent[axis];
            if (!boundary[std::size_t(wall)] || k < lower.z || k >= upper.z) continue;
            for (int j = lower.y; j < upper.y; ++j) std::fill(grid.row(j, k) + lower.x, grid.row(j, k) + upper.x, *boundary[std::size_t(wall)]);
        }
    });
}

void advect_scalars(const Advection& how, field::MacGrid& u, std::span<const Carried> carried, const TileSet& active, Workspace& work) {
    if (carried.empty()) return;
    fill_velocity_ghosts(u);
    for (const Carried& c : carried) fill_ghosts(*c.from, active.cells(), c.boundary);
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
