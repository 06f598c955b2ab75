#include "models/vortex_fire/vorticity_rates.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "models/vortex_fire/node_samples.h"
#include "models/vortex_fire/vortex_splat.h"

namespace phlo::models {
namespace {

constexpr float min_cover = 0.25f;   ///< share of a cell that vortons must fill to take all that changes in it
constexpr int chunk = 1024;          ///< vortons of a task

/// Steps to a node's neighbours in arrays of four channels, and of the eight of the matter.
struct Steps {
    std::ptrdiff_t axis[3], matter_axis[3];
};

template <class Fields>
Steps steps_of(const Fields& fields) {
    return {{4, fields.vorticity.stride_y(), fields.vorticity.stride_z()}, {8, fields.matter.stride_y(), fields.matter.stride_z()}};
}

/// curl of a vector field with four channels a node, times 2 h.
Vec3f curl_at(const float* at, const std::ptrdiff_t (&s)[3]) {
    const auto d = [&](int axis, int c) { return at[s[axis] + c] - at[-s[axis] + c]; };
    return {d(1, 2) - d(2, 1), d(2, 0) - d(0, 2), d(0, 1) - d(1, 0)};
}

int chunks_of(const Vortons& vortons) { return (int(vortons.size()) + chunk - 1) / chunk; }

template <class Body>
void each_vorton(const Vortons& vortons, const Body& body) {
    parallel_for(chunks_of(vortons), [&](int c) {
        for (std::size_t p = std::size_t(c) * chunk; p < std::min(vortons.size(), (std::size_t(c) + 1) * chunk); ++p) body(p);
    });
}

/// A register of vortons at a time: body(first, count).
template <class Body>
void each_pack(const Vortons& vortons, int c, const Body& body) {
    const std::size_t end = std::min(vortons.size(), (std::size_t(c) + 1) * chunk);
    for (std::size_t p = std::size_t(c) * chunk; p < end; p += PlacePack::width) body(p, int(std::min(end - p, std::size_t(PlacePack::width))));
}

/// The path's velocity at a register of places.
class PathVelocity {
public:
    explicit PathVelocity(const VelocityPath& path)
        : path_(path), finder_(path.lattice), finder_before_(path.lattice_before), inside_before_(path.lattice_before), ahead_(path.before.empty() ? 0 : float(0.5 * path.ratio)),
          same_lattice_(path.lattice == path.lattice_before) {}

    PHLO_INLINE void operator()(const Vec3f* places, int count, Vec3f* velocity) const {
        PlacePack at;
        finder_.find(places, count, at);
        for (int l = 0; l < count; ++l) velocity[l] = sample_vector(path_.now, at, l);
        if (ahead_ == 0) return;
        if (!same_lattice_) finder_before_.find(places, count, at);
        for (int l = 0; l < count; ++l)
            if (inside_before_.near(places[l], 0)) velocity[l] += (velocity[l] - sample_vector(path_.before, at, l)) * ahead_;
    }

private:
    const VelocityPath& path_;
    PlaceFinder finder_, finder_before_;
    NodeFinder inside_before_;
    float ahead_;
    bool same_lattice_;
};

}  // namespace

float add_lengths(const NodeRows& filled, NodeValues<4>& vorticity) {
    return float(parallel_max(filled.planes(), 0, [&](int plane) {
        float most = 0;
        filled.in_plane(plane, [&](int j, int k, NodeRows::Range x) {
            float* w = vorticity.node(x.first, j, k);
            for (int i = x.first; i < x.last; ++i, w += 4) {
                w[3] = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
                most = std::max(most, w[3]);
            }
        });
        return double(most);
    }));
}

float set_velocity(const std::array<field::Grid, 3>& components, NodeValues<4>& velocity) {
    const Vec3i n = velocity.cells();
    return std::sqrt(float(parallel_max(n.z + 2, 0, [&](int plane) {
        const int k = plane - 1;
        float most = 0;
        for (int j = -1; j <= n.y; ++j) {
            const float *x = components[0].row(j, k), *y = components[1].row(j, k), *z = components[2].row(j, k);
            float* __restrict to = velocity.node(0, j, k);
            for (int i = -1; i <= n.x; ++i) to[4 * i] = x[i], to[4 * i + 1] = y[i], to[4 * i + 2] = z[i], to[4 * i + 3] = 0;
            if (j < 0 || k < 0 || j == n.y || k == n.z) continue;
#pragma omp simd reduction(max : most)
            for (int i = 0; i < n.x; ++i) most = std::max(most, x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
        }
        return double(most);
    })));
}

NodeRows busy_rows(const NodeRows& filled, const NodeRows& pushed) {
    NodeRows all = filled;
    all.include(pushed);
    return all.grown(1, 1).inside();
}

void find_vorticity_rates(const VortexLattice& lattice, const VorticityPhysics& physics, const VorticityFields& fields, const NodeRows& busy, double dt,
                          NodeValues<8>& rates) {
    const Steps steps = steps_of(fields);
    const auto half_per_h = float(0.5 / lattice.h), diffusion = float(physics.viscosity / (lattice.h * lattice.h));
    const auto eddies = float(0.5 * physics.eddies * physics.eddies);   // half of |omega| from each of two neighbours
    const auto most = float(1 / (8 * dt));   // more in one step would overshoot, over six neighbours
    const auto lift = float(physics.lift) * half_per_h, cleaning = float(physics.cleaning), per_dt = float(1 / dt);
    const std::ptrdiff_t(&s)[3] = steps.axis;
    busy.each([&](int j, int k, NodeRows::Range x) {
        const float *w = fields.vorticity.node(x.first, j, k), *u = fields.velocity.node(x.first, j, k), *m = fields.matter.node(x.first, j, k);
        const float* push = fields.push ? fields.push->node(0, j, k) : nullptr;
        float* rate = rates.node(x.first, j, k);
        for (int i = x.first; i < x.last; ++i, w += 4, u += 4, m += 8, rate += 8) {
            float change[4] = {};
            for (int a = 0; a < 3 && !physics.only_forces; ++a) {   // along each axis the flux of omega_a, and diffusion
                const float *wp = w + s[a], *wm = w - s[a], *up = u + s[a], *um = u - s[a];
                const float flux_p = half_per_h * wp[a], flux_m = half_per_h * wm[a];
                const float nu_p = std::min(diffusion + eddies * (wp[3] + w[3]), most), nu_m = std::min(diffusion + eddies * (wm[3] + w[3]), most);
#pragma omp simd
                for (int c = 0; c < 4; ++c) change[c] += (flux_p * up[c] - flux_m * um[c]) + (nu_p * (wp[c] - w[c]) - nu_m * (w[c] - wm[c]));
            }
            constexpr int heat = MatterChannel::excess_temperature;
            change[0] += lift * (m[steps.matter_axis[1] + heat] - m[-steps.matter_axis[1] + heat]);
            change[1] -= lift * (m[steps.matter_axis[0] + heat] - m[-steps.matter_axis[0] + heat]);
            if (cleaning > 0 && w[3] > 0 && !physics.only_forces) {
                const Vec3f curl = curl_at(u, s);
                for (int c = 0; c < 3; ++c) change[c] += cleaning * (half_per_h * curl[c] - w[c]);
            }
            if (push) {
                const Vec3f curl = curl_at(push + 4 * i, s);
                for (int c = 0; c < 3; ++c) rate[4 + c] = per_dt * half_per_h * curl[c];
            }
            for (int c = 0; c < 3; ++c) rate[c] = change[c];
        }
    });
}

void hand_over(const Vec3d& sum, Vortons& vortons) {
    const double all = parallel_sum(chunks_of(vortons), [&](int c) {
        double part = 0;
        for (std::size_t p = std::size_t(c) * chunk; p < std::min(vortons.size(), (std::size_t(c) + 1) * chunk); ++p) part += double(length(vortons.strength[p]));
        return part;
    });
    if (!(all > 0)) return;
    const Vec3f each(sum / all);
    each_vorton(vortons, [&](std::size_t p) { vortons.strength[p] += each * length(vortons.strength[p]); });
}

void share_rates(const VortexLattice& lattice, const RateSharing& sharing, const FireMatter& air, const NodeValues<8>& matter, const NodeRows& busy,
                 NodeValues<8>& rates, Vortons& vortons) {
    const Vec3i n = lattice.cells;
    const auto volume = float(lattice.cell_volume()), step = float(sharing.dt), before_share = float(0.5 * sharing.ratio);
    std::vector<std::vector<Vorton>> born(static_cast<std::size_t>(n.z));
    busy.each([&](int j, int k, NodeRows::Range x) {
        for (int i = x.first; i < x.last; ++i) {
            float* rate = rates.node(i, j, k);
            const float cover = matter.node(i, j, k)[MatterChannel::volume];
            if (cover < min_cover) {
                const Vec3f left = Vec3f(rate[0] + rate[4], rate[1] + rate[5], rate[2] + rate[6]) * ((1 - cover / min_cover) * step);
                if (length(left) > float(sharing.threshold))
                    born[std::size_t(k)].push_back(
                        {.position = lattice.node_position(i, j, k), .strength = left * volume, .volume = (1 - cover) * volume, .matter = air});
            }
            const float scale = 1 / std::max(cover, min_cover);
            for (int c = 0; c < 8; ++c) rate[c] *= scale;
        }
    });
    const PlaceFinder finder(lattice);
    Vec3d change = parallel_reduce(chunks_of(vortons), Vec3d(), [&](int c) {
        Vec3d sum;
        const auto take = [&](std::size_t p, const PlacePack& at, int l) {
            float r[8];
            sample_all(rates, at, l, r);
            const Vec3f now = Vec3f(r[0], r[1], r[2]) * vortons.volume[p], pushed = Vec3f(r[4], r[5], r[6]) * vortons.volume[p];
            const Vec3f add = (now + (now - vortons.rate[p]) * before_share + pushed) * step;
            vortons.rate[p] = now;
            vortons.strength[p] += add, sum += Vec3d(add);
        };
        each_pack(vortons, c, [&](std::size_t first, int count) {
            PlacePack at;
            finder.find(&vortons.position[first], count, at);
            for (int l = 0; l < count; ++l) take(first + std::size_t(l), at, l);
        });
        return sum;
    }, [](const Vec3d& a, const Vec3d& b) { return a + b; });
    std::vector<Vorton> all;
    for (const std::vector<Vorton>& plane : born) all.insert(all.end(), plane.begin(), plane.end());
    if (all.size() > sharing.max_born) {
        std::ranges::stable_sort(all, std::greater(), [](const Vorton& one) { return dot(one.strength, one.strength); });
        all.resize(sharing.max_born);
    }
    for (const Vorton& one : all) append_vorton(vortons, one), change += Vec3d(one.strength);
    hand_over(-change, vortons);
}

void move_vortons(const VelocityPath& path, double dt, Vortons& vortons) {
    const PathVelocity velocity(path);
    const auto whole = float(dt), half = float(0.5 * dt);
    parallel_for(chunks_of(vortons), [&](int c) {
        each_pack(vortons, c, [&](std::size_t first, int count) {
            Vec3f *place = &vortons.position[first], *u = &vortons.velocity[first], middle[PlacePack::width];
            velocity(place, count, u);
            for (int l = 0; l < count; ++l) middle[l] = place[l] + u[l] * half;
            velocity(middle, count, u);
            for (int l = 0; l < count; ++l) place[l] += u[l] * whole;
        });
    });
}

}  // namespace phlo::models
