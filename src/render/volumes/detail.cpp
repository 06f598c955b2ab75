#include "render/volumes/detail.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/log.h"
#include "base/parallel.h"
#include "geom/noise.h"
#include "render/volumes/carried_noise.h"

namespace phlo::render {
namespace {

/// Root of the mean square of the curl of three independent noises (geom::Noise::at), times the spacing of their lattice, if it is taken by
/// central differences over `step` of that spacing on each side; measured, 1 % up to half of it.
double curl_of_noise(double step) { return 2.07 / (1 + 3.15 * step * step); }

const float next_octave = std::exp2(-5.f / 6);
constexpr int flow_steps = 3;

/// [1 2 1] / 4 along each axis; the outermost cells go on.
VectorLattice smoothed(VectorLattice values) {
    const Vec3i n = values.cells();
    for (int axis = 0; axis < 3; ++axis) {
        VectorLattice result(n);
        Vec3i step;
        step[axis] = 1;
        parallel_for(n.z, [&](int k) {
            for (int j = 0; j < n.y; ++j)
                for (int i = 0; i < n.x; ++i) {
                    const Vec3i c(i, j, k);
                    result(i, j, k) = values(i, j, k) * 0.5f + (values.nearest(c - step) + values.nearest(c + step)) * 0.25f;
                }
        });
        values = std::move(result);
    }
    return values;
}

/// The volume's cells around its gas, each divided into `refine`^3.
struct FineLattice {
    field::Domain domain, room;
    int refine = 1;
    Vec3i shift;  ///< cells of the volume from its lower corner to this one's
    Vec3i to_room;  ///< fine cells from the room's lower corner to this one's

    /// Between the outermost cells of the room and its walls: in those cells, which go on to the walls. The volume's ghosts are 0, and the
    /// gas of an eighth of a cell along each wall would be gone with them.
    Vec3f volume_from_fine(const Vec3f& p) const {
        const Vec3f in_room = (p + Vec3f(to_room) + Vec3f(0.5f)) / float(refine) - Vec3f(0.5f);
        return max(Vec3f(), min(in_room, Vec3f(room.cells / refine - Vec3i(1)))) + Vec3f(shift - to_room / refine);
    }
    /// In a cell before it was divided; what the volume does not reach is empty.
    bool has_gas(const OpticalVolume& volume, const Vec3i& cell) const {
        const Vec3i c = cell + shift, n = volume.domain.cells;
        return c.x >= 0 && c.y >= 0 && c.z >= 0 && c.x < n.x && c.y < n.y && c.z < n.z && volume.extinction(c.x, c.y, c.z) > 0;
    }
};

FineLattice fine_lattice(const OpticalVolume& volume, int refine, int margin, int frame) {
    const Vec3i to_room = volume.shift();
    const Vec3i low = max(volume.first - Vec3i(margin), -to_room),
                high = min(volume.last + Vec3i(margin), volume.room.cells - to_room - Vec3i(1));
    const Vec3i cells = high - low + Vec3i(1);
    const double h = volume.domain.h / refine;
    const FineLattice fine{.domain = {.cells = cells * refine, .origin = volume.domain.origin + Vec3d(low) * volume.domain.h, .h = h},
                           .room = {.cells = volume.room.cells * refine, .origin = volume.room.origin, .h = h},
                           .refine = refine,
                           .shift = low,
                           .to_room = (low + to_room) * refine};
    const Vec3d n(fine.domain.cells);
    if (n.x * n.y * n.z > 1e9)
        throw RunError(
            fmt::format("frame {}: render.detail would draw {} x {} x {} cells; choose a smaller `refine`", frame, n.x, n.y, n.z));
    return fine;
}

/// For each row (j, k) of a fine lattice's cells before they were divided, those from `first` to before `end` that lie within `reach` of
/// gas.
class NearGas {
public:
    struct Span {
        int first = 0, end = 0;
    };
    NearGas(const OpticalVolume& volume, const FineLattice& fine, int reach)
        : cells_(fine.domain.cells / fine.refine), refine_(fine.refine), spans_(std::size_t(cells_.y) * std::size_t(cells_.z)) {
        std::vector<Span> own(spans_.size());
        parallel_for(cells_.z, [&](int k) {
            for (int j = 0; j < cells_.y; ++j)
                for (int i = 0; i < cells_.x; ++i)
                    if (fine.has_gas(volume, {i, j, k})) {
                        Span& span = own[at(j, k)];
                        span = {span.end > 0 ? span.first : i, i + 1};
                    }
        });
        parallel_for(cells_.z, [&](int k) {
            for (int j = 0; j < cells_.y; ++j) {
                Span all{cells_.x, 0};
                for (int b = std::max(0, k - reach); b <= std::min(cells_.z - 1, k + reach); ++b)
                    for (int a = std::max(0, j - reach); a <= std::min(cells_.y - 1, j + reach); ++a)
                        if (const Span& span = own[at(a, b)]; span.end > 0)
                            all = {std::min(all.first, span.first), std::max(all.end, span.end)};
                if (all.end > 0) spans_[at(j, k)] = {std::max(0, all.first - reach), std::min(cells_.x, all.end + reach)};
            }
        });
    }
    /// Of a row of fine cells.
    Span fine(int j, int k) const {
        const Span span = spans_[at(j / refine_, k / refine_)];
        return {span.first * refine_, span.end * refine_};
    }
    bool operator()(const Vec3i& cell) const {
        if (cell.y < 0 || cell.z < 0 || cell.y >= cells_.y || cell.z >= cells_.z) return false;
        const Span span = spans_[at(cell.y, cell.z)];
        return cell.x >= span.first && cell.x < span.end;
    }

private:
    std::size_t at(int j, int k) const { return std::size_t(j) + std::size_t(cells_.y) * std::size_t(k); }
    Vec3i cells_;
    int refine_;
    std::vector<Span> spans_;
};

/// 0 at the walls of the room and 1 from `width` on, smooth: no gas is moved through them.
float away_from_walls(const FineLattice& fine, const Vec3i& cell, float width) {
    const Vec3i in_room = cell + fine.to_room;
    float result = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const float wall = float(std::min(in_room[axis], fine.room.cells[axis] - 1 - in_room[axis])) + 0.5f,
                    x = std::min(1.f, wall / width);
        result *= x * x * (3 - 2 * x);
    }
    return result;
}

/// What the rows of the potential have in common. Lengths in fine cells, unless they are said to be in cells of the flow.
struct Potential {
    const FineLattice& fine;
    const CarriedNoise& noise;
    const VectorLattice& reach;  ///< A, in x, in cells of the flow
    Vec3d first;  ///< where the flow's cell (0, 0, 0) has its centre, in such cells from the world's origin
    Vec3d start;  ///< the centre of fine cell (0, 0, 0) from there, in cells of the flow
    double step = 1;  ///< a fine cell, in cells of the flow
    double scale = 2;  ///< in cells of the flow
    int octaves = 1;

    void fill_row(VectorLattice& potential, int j, int k, NearGas::Span span) const;
};

/// The three noises of one phase and octave at points of a row, each with a lattice of its own: or all would be 0 at the same places.
void add_noise(const geom::Noise& noise, const std::array<std::vector<float>, 3>& place, const std::vector<float>& factor,
               std::vector<Vec3f>& sum) {
    std::array<std::vector<float>, 3> shifted = place;
    std::vector<float> values(factor.size());
    for (int component = 0; component < 3; ++component) {
        const float shift = 0.37f * float(component) + float(noise.seed % 1024) / 1024;
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (std::size_t i = 0; i < values.size(); ++i) shifted[axis][i] = place[axis][i] + shift;
        geom::Noise{.seed = noise.seed * 3 + std::uint32_t(component)}.at(shifted[0], shifted[1], shifted[2], values);
        for (std::size_t i = 0; i < values.size(); ++i) sum[i][component] += factor[i] * values[i];
    }
}

void Potential::fill_row(VectorLattice& potential, int j, int k, NearGas::Span span) const {
    const std::size_t count = std::size_t(std::max(0, span.end - span.first));
    std::vector<Vec3f> sum(count), here(count);
    std::vector<float> amplitude(count), factor(count);
    std::array<std::vector<float>, 3> place{factor, factor, factor};
    double squares = 0;
    for (int octave = 0; octave < octaves; ++octave) squares += std::pow(double(next_octave), 2 * octave);
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3i cell(span.first + int(i), j, k);
        here[i] = Vec3f(start + Vec3d(cell) * step);
        amplitude[i] = reach.sample(here[i]).x / float(step) * away_from_walls(fine, cell, float(scale / step));
    }
    for (const CarriedNoise::Phase& phase : noise.phases()) {
        double size = scale, speed = 1 / std::sqrt(squares);
        for (int octave = 0; octave < octaves; ++octave, size *= 0.5, speed *= double(next_octave)) {
            const float height = float(size / step * speed / curl_of_noise(step / size)) * phase.weight;
            for (std::size_t i = 0; i < count; ++i) {
                const Vec3d texture = (first + Vec3d(here[i] + phase.offset.sample(here[i]))) / size;
                for (int axis = 0; axis < 3; ++axis) place[std::size_t(axis)][i] = float(texture[axis]);
                factor[i] = height * amplitude[i] * phase.kept.sample(here[i]).x;
            }
            add_noise({.seed = phase.seed * 16 + std::uint32_t(octave)}, place, factor, sum);
        }
    }
    for (std::size_t i = 0; i < count; ++i) potential(span.first + int(i), j, k) = sum[i];
}

/// At a cell, by central differences; 0 at the border of the lattice, where nothing is.
Vec3f curl(const VectorLattice& v, int i, int j, int k) {
    const Vec3i n = v.cells();
    if (std::min({i, j, k}) < 1 || i > n.x - 2 || j > n.y - 2 || k > n.z - 2) return {};
    const Vec3f dx = v(i + 1, j, k) - v(i - 1, j, k), dy = v(i, j + 1, k) - v(i, j - 1, k), dz = v(i, j, k + 1) - v(i, j, k - 1);
    return Vec3f(dy.z - dz.y, dz.x - dx.z, dx.y - dy.x) * 0.5f;
}

/// Where the flow w brings gas from that is at `p` after a unit of time; midpoint rule.
Vec3f came_from(const VectorLattice& w, Vec3f p) {
    constexpr float dt = 1.f / flow_steps;
    for (int n = 0; n < flow_steps; ++n) p = p - w.sample(p - w.sample(p) * (0.5f * dt)) * dt;
    return p;
}

/// A, in x, in cells of the flow.
VectorLattice reach_of(const VectorLattice& velocity, const DetailLook& look) {
    const field::Grid eddies = smallest_eddies(velocity);
    const float most = float(0.25 * look.scale), seconds = float(look.period), strength = float(look.strength);
    VectorLattice reach(velocity.cells());
    const Vec3i n = velocity.cells();
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) {
                const float way = next_octave * eddies(i, j, k) * seconds;
                reach(i, j, k).x = strength * most * way / (most + way);
            }
    });
    return reach;
}

/// The flow of the swirls, in fine cells in a unit of time.
VectorLattice swirls(const OpticalVolume& volume, const FineLattice& fine, const field::Frame& frame, const DetailLook& look, int margin) {
    const field::Domain& flow = frame.velocity->domain;
    const VectorLattice velocity = cells_per_second(*frame.velocity);
    const NearGas with_flow(volume, fine, margin), with_potential(volume, fine, margin + 1), traced(volume, fine, margin + 3);
    const field::Domain undivided{.cells = fine.domain.cells / fine.refine, .origin = fine.domain.origin, .h = volume.domain.h};
    const CarriedNoise noise(velocity,
                             [&](int i, int j, int k) {
                                 const Vec3d p = undivided.grid_from_world(flow.cell_center(i, j, k));
                                 return traced({int(std::lround(p.x)), int(std::lround(p.y)), int(std::lround(p.z))});
                             },
                             {.time = frame.time, .period = look.period, .seed = look.seed});
    const VectorLattice reach = reach_of(velocity, look);
    Potential make{.fine = fine,
                   .noise = noise,
                   .reach = reach,
                   .first = flow.origin / flow.h + Vec3d(0.5),
                   .start = flow.grid_from_world(fine.domain.cell_center(0, 0, 0)),
                   .step = fine.domain.h / flow.h,
                   .scale = look.scale};
    while (look.scale / make.step >= 4 * std::exp2(make.octaves - 1)) ++make.octaves;  // the finest: two fine cells apart

    const Vec3i n = fine.domain.cells;
    VectorLattice potential(n), w(n);
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j) make.fill_row(potential, j, k, with_potential.fine(j, k));
    });
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j)
            for (NearGas::Span span = with_flow.fine(j, k); span.first < span.end; ++span.first)
                w(span.first, j, k) = curl(potential, span.first, j, k);
    });
    return w;
}

}  // namespace

field::Grid smallest_eddies(const VectorLattice& velocity) {
    const Vec3i n = velocity.cells();
    const VectorLattice smooth = smoothed(velocity);
    VectorLattice squares(n);
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) {
                const Vec3f eddy = velocity(i, j, k) - smooth(i, j, k);
                squares(i, j, k).x = dot(eddy, eddy);
            }
    });
    // Energy belongs to an eddy, not to a cell of it: over a few cells it is even.
    squares = smoothed(smoothed(std::move(squares)));
    field::Grid result{field::Layout(n)};
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) result(i, j, k) = std::sqrt(squares(i, j, k).x);
    });
    return result;
}

void add_detail(OpticalVolume& volume, const field::Frame& frame, const DetailLook& look) {
    if (!(look.strength > 0) || volume.empty()) return;
    if (!frame.velocity) {
        log::once("no-detail",
                  fmt::format("render.detail: frame {} has no velocity, by which swirls go; it is drawn without them", frame.number));
        return;
    }
    // Noise is hardly ever more than three times its usual value.
    const double farthest = 3 * 0.25 * look.scale * look.strength * frame.velocity->domain.h / volume.domain.h;
    const int margin = 1 + int(std::ceil(farthest));
    const FineLattice fine = fine_lattice(volume, look.refine, margin, frame.number);
    const VectorLattice w = swirls(volume, fine, frame, look, margin);
    const Vec3i n = fine.domain.cells;
    std::vector<field::Grid*> grids{&volume.extinction};
    for (field::Grid& grid : volume.scattering) grids.push_back(&grid);
    for (field::Grid& grid : volume.emission) grids.push_back(&grid);
    std::vector<field::Grid> results;
    for (std::size_t g = 0; g < grids.size(); ++g) results.emplace_back(field::Layout(n));
    const NearGas with_gas(volume, fine, margin);
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j)
            for (auto [i, end] = with_gas.fine(j, k); i < end; ++i) {
                const Vec3f from = fine.volume_from_fine(came_from(w, Vec3f(Vec3i(i, j, k))));
                for (std::size_t g = 0; g < grids.size(); ++g) results[g](i, j, k) = OpticalVolume::sample(*grids[g], from);
            }
    });
    for (std::size_t g = 0; g < grids.size(); ++g) *grids[g] = std::move(results[g]);
    volume.domain = fine.domain, volume.room = fine.room;
    find_box(volume);
}

}  // namespace phlo::render
