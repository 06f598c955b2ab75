#include "flow/free_surface.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "flow/outflow.h"

namespace phlo::flow {
namespace {

constexpr double few = 3;  ///< faces that pull wait for the next step, up to so many for each one that was released before

using field::Grid;
using field::Layout;
using field::MacGrid;

/// v += sign * gradient on faces [first, last) of a row, each between the cell `upper` and the one `lower` before it.
void add_gradient_row(int first, int last, const std::uint8_t* __restrict above, const std::uint8_t* __restrict below, const float* __restrict q_above,
                      const float* __restrict q_below, const float* __restrict phi_above, const float* __restrict phi_below, const float* __restrict open,
                      float sign, float* __restrict v) {
    const auto gradient = [&](int i) {
        const float up = phi_above[i], down = phi_below[i];
        const float inside = above[i] != 0 ? up : down, outside = above[i] != 0 ? down : up;
        const float slope = std::min(std::max(1 - outside / inside, 1.f), 1 / smallest_theta);  // 1 / theta
        const float q = above[i] != 0 ? q_above[i] : -q_below[i];
        const float towards_air = above[i] != below[i] ? q * slope : 0.f;
        return (above[i] & below[i]) != 0 ? q_above[i] - q_below[i] : towards_air;
    };
    if (open == nullptr) {
#pragma omp simd
        for (int i = first; i < last; ++i) v[i] += sign * gradient(i);
    } else {
#pragma omp simd
        for (int i = first; i < last; ++i) v[i] += open[i] > 0 ? sign * gradient(i) : 0.f;
    }
}

}  // namespace

void FreeSurfaceProjector::set_up(const Walls& walls, const Solids& solids, const Grid& phi, SealedAir air) {
    cells_.set_up(walls, solids, phi, freed_);
    bodies_.clear();
    pockets_ = air == SealedAir::incompressible ? find_air_pockets(cells_) : std::vector<AirPocket>{};
    std::erase_if(released_, [&](const WallFace& f) { return !cells_.liquid(f.i, f.j, f.k) || !cells_.closed_wall(f.wall) || !cells_.at_surface(f.i, f.j, f.k); });
    opened_ = released_;
    for (const WallFace& f : opened_) cells_.release(f.wall, f.i, f.j, f.k, true);
    set_up_solver();
}

void FreeSurfaceProjector::set_up_solver() {
    const numerics::PoissonRows rows = cells_.poisson_rows();
    solver_.setup({.faces = nullptr, .rows = &rows});
    add_terms();
}

void FreeSurfaceProjector::add_terms() {
    std::vector<numerics::RankTerm> terms = bodies_;
    for (const AirPocket& pocket : pockets_) terms.push_back(pocket_term(pocket));
    if (!terms.empty()) solver_.add(std::move(terms));
}

void FreeSurfaceProjector::couple(std::vector<numerics::RankTerm> bodies) {
    for (numerics::RankTerm& term : bodies)  // air pushes nothing
        std::erase_if(term.entries, [&](const auto& entry) { return !cells_.liquid(entry.cell.x, entry.cell.y, entry.cell.z); });
    bodies_ = std::move(bodies);
    add_terms();
}

FreeSurfaceReport FreeSurfaceProjector::project(const FreeSurfaceParams& params, MacGrid& u, const std::function<void(const Grid&)>& respond) {
    FreeSurfaceReport report;
    report.cells = cells_.count();
    if (params.let_go)
        for (const WallFace& f : opened_) start_leaving(f, u);
    solve(params, u, respond, report);
    std::vector<WallFace> pulling;
    if (params.let_go && bodies_.empty()) pulling = pulling_faces(params.least_pull);
    if (double(pulling.size()) > few * double(opened_.size())) {
        let_go(pulling, params, u);
        FreeSurfaceParams again = params;
        again.guess = &pressure_;
        solve(again, u, respond, report);
        pulling.clear();
    }
    close_leaks(u);
    released_.insert(released_.end(), pulling.begin(), pulling.end());
    report.released = long(released_.size());
    if (params.let_go) leave_bodies(params, u);
    const DivergenceError error = liquid_divergence_error(cells_, params.divergence, params.h, u);
    report.divergence_max = error.max, report.divergence_rms = error.rms;
    return report;
}

/// Rounds of solves for what the velocity still lacks.
void FreeSurfaceProjector::solve(const FreeSurfaceParams& params, MacGrid& u, const std::function<void(const Grid&)>& respond, FreeSurfaceReport& report) {
    const Vec3i n = cells_.layout().cells();
    // A column of so many cells under gravity: rounding of its pressure leaves about 1e-6 of the right-hand side a cell.
    const double within_reach = 4e-6 * std::max({n.x, n.y, n.z});
    double reference = params.reference > 0 || params.guess == nullptr ? params.reference : fill_right_hand_side(params, u);
    start(params, u);
    pocket_pressure_.assign(pockets_.size(), 0);
    ++report.solves;
    constexpr int most_rounds = 6;
    double left = 1;
    for (int round = 0; round < most_rounds; ++round) {
        std::vector<double> inflow;
        for (const AirPocket& pocket : pockets_) inflow.push_back(flux_into(pocket, u));
        const double norm = fill_right_hand_side(params, u);
        add_pockets(inflow);
        if (round == 0) {
            if (!(reference > 0)) reference = norm;
            left = reference > 0 ? norm / reference : 0;
            if (report.solves == 1) report.norm = reference;
        }
        if ((round > 0 || params.reference > 0) && left <= params.tolerance) break;
        const double wanted = std::clamp(params.tolerance / left, within_reach, 0.5);
        const auto status = solver_.solve({.tolerance = wanted, .max_iterations = params.max_iterations, .correct = false});
        const Grid& part = solver_.solution();
        if (respond) respond(part);
        add_gradient(part, -1, u);
        push_back_pockets(part, inflow, u);
        parallel_for(n.z, [&](int k) {
            for (int j = 0; j < n.y; ++j)
                if (cells_.any(j, k)) {
                    float* __restrict sum = pressure_.row(j, k);
                    const float* __restrict more = part.row(j, k);
#pragma omp simd
                    for (int i = 0; i < n.x; ++i) sum[i] += more[i];
                }
        });
        ++report.rounds;
        report.iterations += status.iterations;
        if (round == 0) report.imbalance = status.imbalance / params.h;
        left *= status.residual;
        if (status.residual > 0.7 || left <= params.tolerance) break;
    }
    report.residual = left;
    report.converged = left <= params.tolerance;
}

/// What flows into pockets must flow out again: to the right-hand side.
void FreeSurfaceProjector::add_pockets(const std::vector<double>& inflow) {
    for (std::size_t p = 0; p < pockets_.size(); ++p)
        for (const AirPocket::Face& f : pockets_[p].faces)
            solver_.rhs()(f.cell.x, f.cell.y, f.cell.z) += float(double(f.aperture * f.slope) * (inflow[p] / pockets_[p].conductance));
}

/// The pockets' own pressures act on their faces, where `part` has met pressure zero.
void FreeSurfaceProjector::push_back_pockets(const Grid& part, const std::vector<double>& inflow, MacGrid& u) {
    for (std::size_t p = 0; p < pockets_.size(); ++p) {
        double q = inflow[p];
        for (const AirPocket::Face& f : pockets_[p].faces) q += double(f.aperture * f.slope) * double(part(f.cell.x, f.cell.y, f.cell.z));
        q /= pockets_[p].conductance;
        for (const AirPocket::Face& f : pockets_[p].faces) u[f.axis](f.face.x, f.face.y, f.face.z) -= f.sign * f.slope * float(q);
        pocket_pressure_[p] += q;
    }
}

/// Gives back what the last solve has taken from the velocity.
void FreeSurfaceProjector::undo(const FreeSurfaceParams& params, MacGrid& u) {
    add_gradient(pressure_, 1, u);
    add_tension(params, 1, u);
    for (std::size_t p = 0; p < pockets_.size(); ++p)
        for (const AirPocket::Face& f : pockets_[p].faces) u[f.axis](f.face.x, f.face.y, f.face.z) += f.sign * f.slope * float(pocket_pressure_[p]);
}

/// The pressure known before, if there is one, is taken from the velocity first. Next to the surface it must not pull too hard: where theta
/// has become small since then it would by 1 / theta.
void FreeSurfaceProjector::start(const FreeSurfaceParams& params, MacGrid& u) {
    const Layout& layout = cells_.layout();
    if (params.guess == nullptr && params.tension == 0) {
        pressure_.fill(0);
        return;
    }
    const double tension = params.tension / params.h;  // times the curvature: q
    PHLO_CHECK(tension == 0 || params.curvature != nullptr);
    if (params.guess == nullptr) {
        pressure_.fill(0);
    } else if (params.guess != &pressure_) {
        PHLO_CHECK(params.guess->layout() == layout);
        pressure_ = *params.guess;
    }
    struct Held {
        int i, j;
        float q;
    };
    std::vector<std::vector<Held>> of_plane(std::size_t(layout.nz()));   // all are found before one is changed
    parallel_for(layout.nz(), [&](int k) {
        std::vector<float> g(3 * std::size_t(layout.nx()));
        const auto at = [&](std::size_t a) { return g.data() + a * std::size_t(layout.nx()); };
        for (int j = 0; j < layout.ny(); ++j) {
            if (cells_.kind(j, k) != numerics::PoissonRows::special) continue;
            cells_.ground(j, k, {at(0), at(1), at(2)});
            const float* q = pressure_.row(j, k);
            for (int i = 0; i < layout.nx(); ++i) {
                const float held = at(0)[i] + at(1)[i] + at(2)[i];
                if (!cells_.liquid(i, j, k) || !(held > 0)) continue;
                const float surface = tension != 0 ? float(tension) * (*params.curvature)(i, j, k) : 0.f;
                const float most = params.guess != nullptr ? 10 * steepest(pressure_, i, j, k) / held : 0.f;
                of_plane[std::size_t(k)].push_back({i, j, surface + std::clamp(q[i] - surface, -most, most)});
            }
        }
    });
    parallel_for(layout.nz(), [&](int k) {
        for (int j = 0; j < layout.ny(); ++j) {
            float* __restrict q = pressure_.row(j, k);
            const std::uint8_t* __restrict liquid = cells_.row(j, k);
#pragma omp simd
            for (int i = 0; i < layout.nx(); ++i) q[i] = liquid[i] != 0 ? q[i] : 0.f;
        }
        for (const Held& held : of_plane[std::size_t(k)]) pressure_(held.i, held.j, k) = held.q;
    });
    add_gradient(pressure_, -1, u);
    add_tension(params, -1, u);
}

/// The largest difference of q to a liquid neighbour.
float FreeSurfaceProjector::steepest(const Grid& q, int i, int j, int k) const {
    const float here = q(i, j, k);
    float most = 0;
    const auto look = [&](int x, int y, int z) {
        if (cells_.liquid(x, y, z)) most = std::max(most, std::fabs(q(x, y, z) - here));
    };
    look(i - 1, j, k), look(i + 1, j, k), look(i, j - 1, k), look(i, j + 1, k), look(i, j, k - 1), look(i, j, k + 1);
    return most;
}

/// Returns its 2-norm.
double FreeSurfaceProjector::fill_right_hand_side(const FreeSurfaceParams& params, const MacGrid& u) {
    const Layout& layout = cells_.layout();
    Grid& rhs = solver_.rhs();
    return std::sqrt(parallel_sum(layout.nz(), [&](int k) {
        double squares = 0;
        for (int j = 0; j < layout.ny(); ++j) {
            if (!cells_.any(j, k)) continue;
            float* __restrict b = rhs.row(j, k);
            const std::uint8_t* __restrict liquid = cells_.row(j, k);
            outflow_row(cells_.solids(), u, j, k, b);
            if (params.divergence != nullptr) {
                const float* __restrict wanted = params.divergence->row(j, k);
                const float h = float(params.h);
#pragma omp simd
                for (int i = 0; i < layout.nx(); ++i) b[i] -= h * wanted[i];
            }
            float line = 0;
#pragma omp simd reduction(+ : line)
            for (int i = 0; i < layout.nx(); ++i) {
                b[i] = liquid[i] != 0 ? -b[i] : 0.f;
                line += b[i] * b[i];
            }
            squares += double(line);
        }
        return squares;
    }));
}

/// u += sign * the gradient towards air that the surface's own pressure makes, sigma times its curvature.
void FreeSurfaceProjector::add_tension(const FreeSurfaceParams& params, float sign, MacGrid& u) const {
    if (params.tension == 0) return;
    const Vec3i n = cells_.layout().cells();
    const Grid &phi = cells_.phi(), &kappa = *params.curvature;
    const float tension = float(params.tension / params.h);
    for (int axis = 0; axis < 3; ++axis) {
        const int di = axis == 0, dj = axis == 1, dk = axis == 2;
        parallel_for(n.z - dk, [&](int plane) {
            const int k = plane + dk;
            for (int j = dj; j < n.y; ++j) {
                if (cells_.kind(j, k) != numerics::PoissonRows::special && cells_.kind(j - dj, k - dk) != numerics::PoissonRows::special) continue;
                const float* open = cells_.apertures(axis, j, k);
                for (int i = di; i < n.x; ++i) {
                    const bool above = cells_.liquid(i, j, k), below = cells_.liquid(i - di, j - dj, k - dk);
                    if (above == below || (open != nullptr && open[i] <= 0)) continue;
                    const float up = phi(i, j, k), down = phi(i - di, j - dj, k - dk), theta = above ? surface_share(up, down) : surface_share(down, up);
                    const float way = above ? theta : 1 - theta;  // share of it from the upper cell to the lower one
                    const float bend = (1 - way) * kappa(i, j, k) + way * kappa(i - di, j - dj, k - dk);
                    u[axis](i, j, k) += sign * (above ? -1.f : 1.f) * tension * bend / theta;
                }
            }
        });
    }
}

/// u += sign * grad q, with pressure zero on the surface.
void FreeSurfaceProjector::add_gradient(const Grid& q, float sign, MacGrid& u) const {
    const Layout& layout = cells_.layout();
    const Vec3i n = layout.cells();
    const Grid& phi = cells_.phi();
    parallel_for(n.z + 1, [&](int k) {
        for (int j = 0; j <= n.y; ++j)
            for (int axis = 0; axis < 3; ++axis) {
                if ((j == n.y && axis != 1) || (k == n.z && axis != 2)) continue;
                const int dj = axis == 1, dk = axis == 2;
                const bool first_wall = (axis == 1 && j == 0) || (axis == 2 && k == 0), last_wall = (axis == 1 && j == n.y) || (axis == 2 && k == n.z);
                float* v = u[axis].row(j, k);
                const float* open = cells_.apertures(axis, j, k);
                const auto add_wall = [&](int w, int i, int ci, int cj, int ck) {
                    if (!cells_.liquid(ci, cj, ck) || (open != nullptr && open[i] <= 0)) return;
                    v[i] += sign * (w % 2 == 0 ? 1.f : -1.f) * cells_.wall_slope(w, ci, cj, ck) * q(ci, cj, ck);
                };
                if (first_wall || last_wall) {
                    const int w = 2 * axis + last_wall;
                    for (int i = 0; i < n.x; ++i) add_wall(w, i, i, j - (last_wall ? dj : 0), k - (last_wall ? dk : 0));
                    continue;
                }
                if (!cells_.any(j, k) && !cells_.any(j - dj, k - dk)) continue;
                const int first = axis == 0 ? 1 : 0, shift = axis == 0 ? -1 : 0;
                add_gradient_row(first, n.x, cells_.row(j, k), cells_.row(j - dj, k - dk) + shift, q.row(j, k), q.row(j - dj, k - dk) + shift, phi.row(j, k),
                                 phi.row(j - dj, k - dk) + shift, open, sign, v);
                if (axis == 0) add_wall(0, 0, 0, j, k), add_wall(1, n.x, n.x - 1, j, k);
            }
    });
}

template <class Visit>
void FreeSurfaceProjector::each_wall_cell(const Visit& visit) const {
    const Vec3i n = cells_.layout().cells();
    for (int k = 0; k < n.z; ++k)
        for (int j = 0; j < n.y; ++j) {
            if (!cells_.any(j, k)) continue;
            const auto check = [&](int w, int i) {
                if (!cells_.liquid(i, j, k) || !cells_.closed_wall(w)) return;
                const float* open = cells_.apertures(w / 2, j + (w == 3), k + (w == 5));
                if (open == nullptr || open[i + (w == 1)] > 0) visit(WallFace{w, i, j, k});
            };
            check(0, 0), check(1, n.x - 1);
            for (int w = 2; w < 6; ++w)
                if ((w == 2 && j == 0) || (w == 3 && j == n.y - 1) || (w == 4 && k == 0) || (w == 5 && k == n.z - 1))
                    for (int i = 0; i < n.x; ++i) check(w, i);
        }
}

/// Faces of closed walls that would have to pull a cell of the surface by more than `least_pull`.
std::vector<WallFace> FreeSurfaceProjector::pulling_faces(double least_pull) const {
    std::vector<WallFace> found;
    each_wall_cell([&](const WallFace& f) {
        if (double(pressure_(f.i, f.j, f.k)) >= -least_pull || cells_.released(f.wall, f.i, f.j, f.k) || !cells_.at_surface(f.i, f.j, f.k)) return;
        found.push_back(f);
    });
    return found;
}

/// Which cells of the surface let go of bodies in the next step: those that a body would have to pull, and those that had let go and still widen. A cell
/// that is pressed together again is the liquid's again.
void FreeSurfaceProjector::leave_bodies(const FreeSurfaceParams& params, const MacGrid& u) {
    const Solids& solids = cells_.solids();
    const std::vector<Vec3i> before = std::move(freed_);
    freed_.clear();
    if (!solids.present()) return;
    const Layout& layout = cells_.layout();
    std::vector<float> row(std::size_t(layout.nx()));
    for (const Vec3i& c : before) {
        outflow_row(solids, u, c.y, c.z, row.data());
        if (row[std::size_t(c.x)] > 0) freed_.push_back(c);
    }
    std::vector<std::vector<Vec3i>> of_plane(std::size_t(layout.nz()));
    parallel_for(layout.nz(), [&](int k) {
        for (int j = 0; j < layout.ny(); ++j) {
            if (!cells_.any(j, k) || !is_special_row(solids, layout, j, k)) continue;
            const float *q = pressure_.row(j, k), *distance = solids.distance.row(j, k);
            for (int i = 0; i < layout.nx(); ++i)
                if (cells_.liquid(i, j, k) && double(q[i]) < -params.least_pull && double(distance[i]) < params.h && cells_.at_surface(i, j, k))
                    of_plane[std::size_t(k)].push_back({i, j, k});
        }
    });
    for (const std::vector<Vec3i>& plane : of_plane) freed_.insert(freed_.end(), plane.begin(), plane.end());
}

/// Shuts released faces through which water would leave the box after all. They are few and what they hold back is little (a millionth of the
/// liquid in a step of a violent splash), so that it is left to the next step's pressure.
void FreeSurfaceProjector::close_leaks(MacGrid& u) {
    released_ = opened_;
    std::erase_if(released_, [&](const WallFace& f) {
        float& v = face_velocity(f, u);
        const bool leaks = (f.wall % 2 == 0 ? -v : v) > 0;
        if (leaks) v = 0;
        return leaks;
    });
}

float& FreeSurfaceProjector::face_velocity(const WallFace& f, MacGrid& u) { return u[f.wall / 2](f.i + (f.wall == 1), f.j + (f.wall == 3), f.k + (f.wall == 5)); }

/// Water at a released face starts with the velocity that it has across the cell, if that leads away.
void FreeSurfaceProjector::start_leaving(const WallFace& f, MacGrid& u) {
    const bool upper = f.wall % 2 != 0;
    const float across = u[f.wall / 2](f.i + (f.wall == 0), f.j + (f.wall == 2), f.k + (f.wall == 4));
    face_velocity(f, u) = upper ? std::min(across, 0.f) : std::max(across, 0.f);
}

/// Undoes the last solve and opens these faces.
void FreeSurfaceProjector::let_go(const std::vector<WallFace>& pulling, const FreeSurfaceParams& params, MacGrid& u) {
    undo(params, u);
    for (const WallFace& f : pulling) {
        start_leaving(f, u);
        cells_.release(f.wall, f.i, f.j, f.k, true);
        opened_.push_back(f);
    }
    set_up_solver();
}

DivergenceError liquid_divergence_error(const LiquidCells& cells, const Grid* wanted, double h, const MacGrid& u) {
    struct Partial {
        double max = 0, squares = 0;
        long cells = 0;
    };
    const Layout& layout = cells.layout();
    const Partial all = parallel_reduce(
        layout.nz(), Partial{},
        [&](int k) {
            Partial part;
            std::vector<float> row(std::size_t(layout.nx()));
            for (int j = 0; j < layout.ny(); ++j) {
                if (!cells.any(j, k)) continue;
                outflow_row(cells.solids(), u, j, k, row.data());
                for (int i = 0; i < layout.nx(); ++i) {
                    if (!cells.liquid(i, j, k)) continue;
                    const double error = double(row[std::size_t(i)]) - (wanted != nullptr ? h * double((*wanted)(i, j, k)) : 0);
                    part.max = std::max(part.max, std::fabs(error));
                    part.squares += error * error;
                    ++part.cells;
                }
            }
            return part;
        },
        [](const Partial& a, const Partial& b) { return Partial{std::max(a.max, b.max), a.squares + b.squares, a.cells + b.cells}; });
    return {.max = all.max / h, .rms = all.cells > 0 ? std::sqrt(all.squares / double(all.cells)) / h : 0.0};
}

}  // namespace phlo::flow
