// What leaves the model for programs that look.
#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "field/crop.h"
#include "field/liquid_shares.h"
#include "flow/level_set.h"
#include "geom/marching_cubes.h"
#include "models/liquid/liquid.h"
#include "models/liquid/thin_bodies.h"

namespace phlo::models {
namespace {

/// The liquid as it is seen: it ends half a cell inside bodies, which stand in it without a gap.
field::Grid seen_level_set(const LiquidState& liquid) {
    field::Grid phi = liquid.phi;
    const flow::Solids& solids = liquid.flow.solids();
    if (solids.present()) {
        const float overlap = float(0.5 * liquid.h());
        const Vec3i n = phi.layout().cells();
        parallel_for(n.z, [&](int k) {
            for (int j = 0; j < n.y; ++j) {
                float* __restrict to = phi.row(j, k);
                const float* __restrict distance = solids.distance.row(j, k);
#pragma omp simd
                for (int i = 0; i < n.x; ++i) to[i] = std::max(to[i], -(distance[i] + overlap));
            }
        });
    }
    flow::slope_into_ghosts(liquid.h(), phi);
    return phi;
}

/// [K]; that of the surroundings where there is no liquid near.
field::Grid seen_temperature(const LiquidState& liquid, const field::Grid& phi) {
    field::Grid result = liquid.warmth.share[1];
    const TemperatureSpan& span = liquid.temperatures;
    const float around = float(span.share(liquid.setup.liquid.heat.around())), far = float(3 * liquid.h());   // as far as shares go on
    const auto change = [&](const auto& value) {
        const Vec3i n = result.layout().cells();
        parallel_for(n.z, [&](int k) {
            for (int j = 0; j < n.y; ++j)
                for (int i = 0; i < n.x; ++i) result(i, j, k) = value(result(i, j, k), phi(i, j, k));
        });
    };
    change([&](float share, float level) { return level > far ? around : share; });
    stamp_shares(liquid.drops, &Drops::warmth, 1, liquid.flow.domain(), phi, result);
    change([&](float share, float) { return float(span.temperature(double(share))); });
    return result;
}

/// Thin bodies hide what is behind them from the level set, not from the mesh.
field::TriangleMesh seen_mesh(const LiquidState& liquid, const field::Grid& phi) {
    const field::Domain& domain = liquid.flow.domain();
    if (!liquid.flow.solids().present()) return geom::marching_cubes(domain, phi);
    return geom::marching_cubes(domain, phi, ThinBodies(domain, phi, liquid.flow.solids().distance, liquid.flow.placements()));
}

}  // namespace

field::Frame Liquid::show() const {
    field::Frame frame{.time = time(), .world = domain().bounds()};
    for (const geom::Placement& placed : liquid_.flow.placements()) frame.surfaces.push_back(geom::surface(placed));
    const field::Grid phi = seen_level_set(liquid_);

    field::Surface surface{.name = "liquid", .color = {0.7f, 0.8f, 0.9f}, .mesh = seen_mesh(liquid_, phi)};
    surface.substance = liquid_.setup.liquid.substance;
    surface.velocity = flow::velocities_at(domain(), liquid_.flow.velocity(), surface.mesh.points);
    add_drops(liquid_.drops, domain(), phi, surface.mesh, surface.velocity);
    frame.surfaces.push_back(std::move(surface));
    frame.points = show_whitewater(liquid_.white);

    const float band = 3 * float(liquid_.h());
    const field::Content contents[] = {{&phi, float(distance_band * liquid_.h()), float(liquid_.h())}};
    const field::Domain part = field::occupied_part(domain(), contents);
    field::Copies copies(domain(), part);
    frame.volumes.push_back({.name = "surface", .unit = "m", .kind = field::VolumeClass::level_set, .background = band, .domain = part, .room = domain(),
                             .grid = copies.add(phi)});
    std::vector<field::Grid> shares;   // alive until the copies are made
    shares.reserve(liquid_.mixture.count() + 1);
    for (std::size_t k = 1; k < liquid_.mixture.count(); ++k) {
        field::Grid& share = shares.emplace_back(liquid_.mixture.share[k]);
        stamp_shares(liquid_.drops, &Drops::shares, int(k), domain(), phi, share);
        frame.volumes.push_back({.name = field::share_volume(liquid_.setup.liquid.substances()[k]), .unit = "1", .negligible = 1e-4f, .domain = part, .room = domain(),
                                 .grid = copies.add(share)});
    }
    if (liquid_.warmth.any()) {
        const float around = float(liquid_.setup.liquid.heat.around());
        frame.volumes.push_back({.name = field::liquid_temperature, .unit = "K", .background = around, .negligible = 0.01f, .domain = part, .room = domain(),
                                 .grid = copies.add(shares.emplace_back(seen_temperature(liquid_, phi)))});
    }
    frame.velocity = {.domain = part, .room = domain(), .faces = copies.add(liquid_.flow.velocity())};
    copies.make();
    return frame;
}

}  // namespace phlo::models
