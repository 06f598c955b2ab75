#include "models/vortex_fire/remesh.h"

#include <cmath>

#include "models/vortex_fire/vortex_splat.h"
#include "models/vortex_fire/vorticity_rates.h"

namespace phlo::models {
namespace {

constexpr int bins_per_octave = 4, bins = 128;   ///< of how far a node is above the thresholds

/// How many times a node is above the thresholds by its strongest side.
class Importance {
public:
    Importance(const RemeshParams& params, float greatest_vorticity)
        : per_vorticity_(greatest_vorticity > 0 ? 1 / (float(params.quiet) * greatest_vorticity) : 0), per_kelvin_(1 / float(params.quiet_temperature)),
          per_fraction_(1 / float(params.quiet_fraction)) {}

    float operator()(const float* omega, const float* amount) const {
        const float vorticity = std::sqrt(omega[0] * omega[0] + omega[1] * omega[1] + omega[2] * omega[2]);
        const float matter = amount[MatterChannel::fuel] + amount[MatterChannel::flame] + amount[MatterChannel::smoke];
        return std::max({vorticity * per_vorticity_, std::fabs(amount[MatterChannel::excess_temperature]) * per_kelvin_, matter * per_fraction_});
    }

private:
    float per_vorticity_, per_kelvin_, per_fraction_;
};

template <class Visit>
void each_node_of_plane(const NodeRows& rows, int plane, const Visit& visit) {
    rows.in_plane(plane, [&](int j, int k, NodeRows::Range x) {
        for (int i = x.first; i < x.last; ++i) visit(i, j, k);
    });
}

/// The smallest factor on the thresholds, a power of the fourth root of two, with which no more than `most` nodes stay.
float fitting_factor(const NodeRows& nodes, const Importance& importance, const NodeValues<4>& vorticity, const NodeValues<8>& matter, int most) {
    using Counts = std::array<int, bins>;
    const Counts counts = parallel_reduce(nodes.planes(), Counts{}, [&](int plane) {
        Counts here{};
        each_node_of_plane(nodes, plane, [&](int i, int j, int k) {
            const float value = importance(vorticity.node(i, j, k), matter.node(i, j, k));
            if (value > 1) ++here[std::size_t(std::min(bins - 1, int(bins_per_octave * std::log2(value))))];
        });
        return here;
    }, [](Counts a, const Counts& b) {
        for (std::size_t n = 0; n < bins; ++n) a[n] += b[n];
        return a;
    });
    int left = 0;
    for (const int count : counts) left += count;
    int bin = 0;
    for (; left > most && bin < bins; ++bin) left -= counts[std::size_t(bin)];
    return std::exp2(float(bin) / bins_per_octave);
}

}  // namespace

float greatest_vorticity(const NodeRows& filled, const NodeValues<4>& vorticity) {
    return std::sqrt(float(parallel_max(filled.planes(), 0, [&](int plane) {
        float most = 0;
        each_node_of_plane(filled, plane, [&](int i, int j, int k) {
            const float* w = vorticity.node(i, j, k);
            most = std::max(most, w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        });
        return double(most);
    })));
}

RemeshReport remesh(const VortexLattice& lattice, const RemeshParams& params, const FireMatter& air, const NodeRows& filled, NodeValues<4>& vorticity,
                    NodeValues<8>& matter, Vortons& vortons) {
    const NodeRows nodes = filled.inside();
    const Importance importance(params, greatest_vorticity(nodes, vorticity));
    RemeshReport report;
    if (!params.fill) report.raised = double(fitting_factor(nodes, importance, vorticity, matter, params.max_vortons));
    const auto least = float(report.raised), volume = float(lattice.cell_volume());

    struct Plane {
        std::vector<Vorton> made;
        Vec3d strength;                              ///< let go
        std::array<double, MatterChannel::count> amount{};   ///< let go
    };
    std::vector<Plane> planes(static_cast<std::size_t>(nodes.planes()));
    parallel_for(nodes.planes(), [&](int number) {
        Plane& plane = planes[std::size_t(number)];
        each_node_of_plane(nodes, number, [&](int i, int j, int k) {
            float *omega = vorticity.node(i, j, k), *m = matter.node(i, j, k);
            if (!params.fill && importance(omega, m) <= least) {
                plane.strength += Vec3d(double(omega[0]), double(omega[1]), double(omega[2])) * double(volume);
                for (std::size_t c = 0; c < plane.amount.size(); ++c) plane.amount[c] += double(m[c] * volume);
                std::fill_n(omega, 4, 0.0f), std::fill_n(m, int(MatterChannel::count), 0.0f);
                return;
            }
            const float share = std::max(m[MatterChannel::volume], params.fill ? closed_share : full_share), per_share = 1 / share;
            m[MatterChannel::volume] = share;
            plane.made.push_back({.position = lattice.node_position(i, j, k), .strength = Vec3f(omega[0], omega[1], omega[2]) * volume, .volume = share * volume,
                                  .matter = {air.temperature + m[MatterChannel::excess_temperature] * per_share, m[MatterChannel::fuel] * per_share,
                                             m[MatterChannel::flame] * per_share, m[MatterChannel::smoke] * per_share,
                                             std::max(0.0f, air.oxygen - m[MatterChannel::oxygen_used] * per_share), m[MatterChannel::lit] * per_share}});
        });
    });
    vortons = {};
    Vec3d strength;
    for (const Plane& plane : planes) {
        for (const Vorton& one : plane.made) append_vorton(vortons, one);
        strength += plane.strength;
        report.heat += plane.amount[MatterChannel::excess_temperature], report.fuel += plane.amount[MatterChannel::fuel];
        report.flame += plane.amount[MatterChannel::flame], report.smoke += plane.amount[MatterChannel::smoke];
        report.oxygen_used += plane.amount[MatterChannel::oxygen_used];
    }
    hand_over(strength, vortons);
    return report;
}

}  // namespace phlo::models
