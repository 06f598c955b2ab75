// What the fluid's fields hold inside bodies.
#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "flow/solids.h"

namespace phlo::flow {
namespace {

using field::Grid;
using field::Layout;
using field::MacGrid;

constexpr int chunk = 2048;  ///< faces in one item of work
int chunks(std::size_t count) { return int((count + chunk - 1) / chunk); }

/// Calls visit(j, k, first, last) for every row of cells that bodies may reach, rows of one plane in one item.
template <class Visit>
void for_each_cell_row(const Solids& solids, const Layout& layout, Visit&& visit) {
    parallel_for(layout.nz(), [&](int k) {
        for (int j = 0; j < layout.ny(); ++j) {
            const Solids::Span s = solids.span[std::size_t(k) * std::size_t(layout.ny() + 1) + std::size_t(j)];
            if (s.first < s.last) visit(j, k, s.first, s.last);
        }
    });
}

/// Mean of the neighbours that are one layer nearer to the fluid.
float continued(const Grid& q, const Solids::BandEntry& e) {
    const Layout& layout = q.layout();
    const float* at = q.storage().data() + layout.offset(e.i, e.j, e.k);
    const std::array<std::ptrdiff_t, 3> step = {1, layout.stride_y(), layout.stride_z()};
    float total = 0, count = 0;
    for (int bit = 0; bit < 6; ++bit)
        if (e.nearer >> bit & 1) total += at[bit & 1 ? step[std::size_t(bit / 2)] : -step[std::size_t(bit / 2)]], count += 1;
    return total / count;
}

/// A face, with the strides to its neighbours.
struct FacePlace {
    int axis;
    std::ptrdiff_t at;  ///< offset in a grid
    std::array<std::ptrdiff_t, 3> step;
    std::ptrdiff_t low, high;  ///< offsets of the cells on its two sides, both inside the domain

    FacePlace(const Layout& layout, const Solids::BandEntry& f)
        : axis(f.axis), at(layout.offset(f.i, f.j, f.k)), step{1, layout.stride_y(), layout.stride_z()} {
        const int along = axis == 0 ? f.i : axis == 1 ? f.j : f.k;
        const std::ptrdiff_t s = step[std::size_t(axis)];
        low = along > 0 ? at - s : at;
        high = along < layout.cells()[axis] ? at : at - s;
    }
};

/// Component `other` of a face field at the face: the mean of the four around it.
float at_face(const float* component, int other, const FacePlace& f) {
    const std::ptrdiff_t s = f.step[std::size_t(other)];
    return 0.25f * ((component[f.low] + component[f.low + s]) + (component[f.high] + component[f.high + s]));
}

/// Unit normal of the nearest body, out of the body; zero where it is not defined. Distances reach into the ghosts.
Vec3f normal_at(const Solids& solids, const FacePlace& f) {
    const float* d = solids.distance.storage().data() + f.at;
    const std::ptrdiff_t s = -f.step[std::size_t(f.axis)];
    Vec3f g;
    for (int a = 0; a < 3; ++a) {
        const std::ptrdiff_t e = f.step[std::size_t(a)];
        g[a] = a == f.axis ? 2 * (d[0] - d[s]) : 0.5f * ((d[e] - d[-e]) + (d[s + e] - d[s - e]));
    }
    const float size = length(g);
    return size > 1e-3f * solids.far ? g / size : Vec3f();
}

/// Closed faces take the body's velocity.
void set_closed_faces(const Solids& solids, MacGrid& u) {
    const Layout& layout = u.layout();
    parallel_for(layout.nz() + 1, [&](int k) {
        for (int axis = 0; axis < 3; ++axis) {
            const Vec3i extent = field::face_extent(layout, axis);
            if (k >= extent.z) continue;
            for (int j = 0; j < extent.y; ++j) {
                const Solids::Span s = solids.span[std::size_t(k) * std::size_t(layout.ny() + 1) + std::size_t(j)];
                if (s.first >= s.last) continue;
                const float *open = solids.aperture[axis].row(j, k), *body = solids.velocity[axis].row(j, k);
                float* v = u[axis].row(j, k);
                const int last = std::min(s.last, extent.x - 1);
#pragma omp simd
                for (int i = s.first; i <= last; ++i) v[i] = open[i] > 0 ? v[i] : body[i];
            }
        }
    });
}

/// Replaces the normal part of the continued velocity by the body's: v - n (n . (v - w)). All faces are read before any is written.
void slide_along(const Solids& solids, MacGrid& u) {
    std::size_t count = 0;
    for (const auto& layer : solids.band_faces) count += layer.size();
    std::vector<float> result(count);
    const Layout& layout = u.layout();
    const std::array<float*, 3> values = {u.x.storage().data(), u.y.storage().data(), u.z.storage().data()};
    const MacGrid& w = solids.velocity;
    const std::array<const float*, 3> body = {w.x.storage().data(), w.y.storage().data(), w.z.storage().data()};
    for (const bool write : {false, true}) {
        std::size_t base = 0;
        for (const auto& layer : solids.band_faces) {
            parallel_for(chunks(layer.size()), [&](int item) {
                const std::size_t end = std::min(layer.size(), std::size_t(item + 1) * chunk);
                for (std::size_t f = std::size_t(item) * chunk; f < end; ++f) {
                    const FacePlace face(layout, layer[f]);
                    float& own = values[std::size_t(face.axis)][face.at];
                    if (write) {
                        own = result[base + f];
                        continue;
                    }
                    const Vec3f n = normal_at(solids, face);
                    float slip = n[face.axis] * (own - body[std::size_t(face.axis)][face.at]);
                    for (int a = 0; a < 3; ++a)
                        if (a != face.axis)
                            slip += n[a] * (at_face(values[std::size_t(a)], a, face) - at_face(body[std::size_t(a)], a, face));
                    result[base + f] = own - n[face.axis] * slip;
                }
            });
            base += layer.size();
        }
    }
}

}  // namespace

void constrain_velocity(const Solids& solids, MacGrid& u) {
    if (!solids.present()) return;
    set_closed_faces(solids, u);
    for (const auto& layer : solids.band_faces)
        parallel_for(chunks(layer.size()), [&](int item) {
            const std::size_t end = std::min(layer.size(), std::size_t(item + 1) * chunk);
            for (std::size_t f = std::size_t(item) * chunk; f < end; ++f) {
                Grid& component = u[layer[f].axis];
                component(layer[f].i, layer[f].j, layer[f].k) = continued(component, layer[f]);
            }
        });
    slide_along(solids, u);
}

void extend_inside(const Solids& solids, Grid& q) {
    if (!solids.present()) return;
    for (const auto& layer : solids.band_cells)
        parallel_for(chunks(layer.size()), [&](int item) {
            const std::size_t end = std::min(layer.size(), std::size_t(item + 1) * chunk);
            for (std::size_t f = std::size_t(item) * chunk; f < end; ++f) q(layer[f].i, layer[f].j, layer[f].k) = continued(q, layer[f]);
        });
}

void clear_inside(const Solids& solids, Grid& q, float value) {
    if (!solids.present()) return;
    for_each_cell_row(solids, q.layout(), [&](int j, int k, int first, int last) {
        const float* open = solids.volume.row(j, k);
        float* row = q.row(j, k);
#pragma omp simd
        for (int i = first; i < last; ++i) row[i] = open[i] > 0 ? row[i] : value;
    });
}

BodyFlux flux_through_bodies(const field::Domain& domain, const Solids& solids, const MacGrid& u) {
    if (!solids.present()) return {};
    const Layout& layout = u.layout();
    const double area = domain.h * domain.h;
    const MacGrid &a = solids.aperture, &w = solids.velocity;
    return parallel_reduce(
        layout.nz(), BodyFlux{},
        [&](int k) {
            BodyFlux part;
            for (int j = 0; j < layout.ny(); ++j) {
                const Solids::Span s = solids.span[std::size_t(k) * std::size_t(layout.ny() + 1) + std::size_t(j)];
                for (int i = s.first; i < s.last; ++i) {
                    if (solids.covered(i, j, k)) continue;
                    double out = 0, closed = 0;
                    for (int axis = 0; axis < 3; ++axis)
                        for (int side = 0; side < 2; ++side) {
                            Vec3i f(i, j, k);
                            f[axis] += side;
                            const double open = double(a[axis](f.x, f.y, f.z));
                            const double through = open * double(u[axis](f.x, f.y, f.z)) + (1 - open) * double(w[axis](f.x, f.y, f.z));
                            out += side ? through : -through;
                            closed += 1 - open;
                        }
                    if (!(closed > 0)) continue;
                    part.net += out * area;
                    part.gross += std::fabs(out) * area;
                    part.largest = std::max(part.largest, std::fabs(out) * area);
                    ++part.cells;
                }
            }
            return part;
        },
        [](const BodyFlux& l, const BodyFlux& r) {
            return BodyFlux{l.net + r.net, std::max(l.largest, r.largest), l.gross + r.gross, l.cells + r.cells};
        });
}

}  // namespace phlo::flow
