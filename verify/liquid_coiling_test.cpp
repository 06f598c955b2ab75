// A thread of honey that lands on a plate folds as the balance of weight and friction says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "flow/level_set.h"
#include "models/liquid/liquid.h"
#include "scene/scene.h"
#include "sim/simulation.h"

namespace phlo::verify {
namespace {

constexpr double frame = 1.0 / 96;

/// What a level cut of the liquid shows.
struct Cut {
    Vec3d middle;       ///< [m]
    double area = 0;    ///< [m^2]
};
Cut cut_at(const models::Liquid& liquid, double z) {
    const field::Domain& domain = liquid.domain();
    field::Grid part(field::Layout(domain.cells));
    flow::inside_fractions(liquid.phi(), domain.h, part);
    const int k = int((z - domain.origin.z) / domain.h);
    Cut cut;
    for (int j = 0; j < domain.cells.y; ++j)
        for (int i = 0; i < domain.cells.x; ++i) cut.area += double(part(i, j, k)), cut.middle += domain.cell_center(i, j, k) * double(part(i, j, k));
    cut.middle = cut.middle / cut.area, cut.area *= domain.h * domain.h;
    return cut;
}

/// The frequency of the thread's folds in parts of (g Q^3 / (nu r^8))^(1/4): of the preset, with another viscosity, until `end`.
double folding(double nu, double start, double end) {
    const scene::Scene scene = scene::load_scene("honey", {.overrides = {"domain.resolution=60", "liquid.viscosity=" + std::to_string(nu)}});
    const std::unique_ptr<models::Model> model = sim::make_model(scene);
    auto& liquid = dynamic_cast<models::Liquid&>(*model);
    std::vector<Vec3d> places;
    double area = 0, poured = 0;
    for (int n = 1; n * frame < end; ++n) {
        models::FrameStats stats = model->advance(frame);
        if (n * frame < start) continue;
        places.push_back(cut_at(liquid, 0.06).middle);
        area += cut_at(liquid, 0.10).area, poured += stats.ledger["volume"]["poured"];
    }
    const double count = double(places.size()), radius = std::sqrt(area / count / std::numbers::pi), flow = poured / (count * frame);
    // The frequency at which the place of the thread sways most, each time less its mean, under a bell.
    Vec3d mean;
    for (const Vec3d& p : places) mean += p / count;
    double best = 0, omega = 0;
    for (double w = 8; w < 120; w += 0.25) {
        Vec3d cosine, sine;
        for (std::size_t n = 0; n < places.size(); ++n) {
            const Vec3d bell = (places[n] - mean) * (0.5 - 0.5 * std::cos(2 * std::numbers::pi * double(n) / count));
            cosine += bell * std::cos(w * double(n) * frame), sine += bell * std::sin(w * double(n) * frame);
        }
        const double power = std::max(cosine.x * cosine.x + sine.x * sine.x, cosine.y * cosine.y + sine.y * sine.y);
        if (power > best) best = power, omega = w;
    }
    const double law = std::pow(9.81 * flow * flow * flow / (nu * std::pow(radius, 8)), 0.25);
    std::printf("honey, nu %.3f m^2/s: Q %.1f cm^3/s, r %.2f mm, folds at %.1f rad/s, %.3f of the law's %.1f\n", nu, 1e6 * flow, 1e3 * radius, omega, omega / law, law);
    return omega / law;
}

/// [ribe2004], threads that weight bends: the part of it that was found with 0.02 and 0.06 m^2/s.
TEST(LiquidCoiling, honey_folds_as_often_as_its_weight_and_friction_say) { EXPECT_NEAR(folding(0.02, 0.6, 1.0), 0.29, 0.3 * 0.29); }

}  // namespace
}  // namespace phlo::verify
