#include "models/gas/seeding.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "geom/surface_samples.h"
#include "models/gas/particle_places.h"
#include "particles/sample.h"

namespace phlo::models {
namespace {

constexpr std::uint32_t feed_stream = 0x66656564;

std::uint64_t spread_bits(std::uint64_t x) {  // bit i goes to bit 3 i
    x &= 0x1fffff;
    x = (x | x << 32) & 0x1f00000000ffffull;
    x = (x | x << 16) & 0x1f0000ff0000ffull;
    x = (x | x << 8) & 0x100f00f00f00f00full;
    x = (x | x << 4) & 0x10c30c30c30c30c3ull;
    return (x | x << 2) & 0x1249249249249249ull;
}

void make_curve(const flow::Coverage& c, Feeder& feeder) {
    if (feeder.first == c.first && feeder.last == c.last && feeder.curve.size() == c.weight.size()) return;
    const Vec3i n = c.last - c.first;
    std::vector<std::pair<std::uint64_t, int>> keys;
    for (int k = 0, at = 0; k < n.z; ++k)
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i, ++at)
                keys.emplace_back(spread_bits(std::uint64_t(i)) | spread_bits(std::uint64_t(j)) << 1 | spread_bits(std::uint64_t(k)) << 2, at);
    std::ranges::sort(keys);
    feeder.curve.clear();
    for (const auto& key : keys) feeder.curve.push_back(key.second);
    feeder.first = c.first, feeder.last = c.last;
}

Vec3f place_in_cell(const flow::Coverage& c, const field::Domain& domain, int cell, const std::array<float, 4>& u) {
    const Vec3i n = c.last - c.first;
    const Vec3i at = c.first + Vec3i(cell % n.x, cell / n.x % n.y, cell / n.x / n.y);
    // Clear of the faces, so that rounding never puts it beyond a wall.
    const auto inside = [](float v) { return 0.001 + 0.998 * double(v); };
    return Vec3f(domain.origin + (Vec3d(at) + Vec3d(inside(u[1]), inside(u[2]), inside(u[3]))) * domain.h);
}

Vec3f start_velocity(const field::Domain& domain, const Feed& what, const Vec3f& place, const std::array<float, 4>& u) {
    const Vec3f gas = what.gas != nullptr ? particles::sample(*what.gas, particles::cells_from_world(domain, place)) : Vec3f();
    return gas + in_sphere(what.velocity, what.scatter, u);
}

}  // namespace

double covered_volume(const flow::Coverage& coverage, const field::Domain& domain) {
    double sum = 0;
    for (const float w : coverage.weight) sum += double(w);
    return sum * domain.h * domain.h * domain.h;
}

double held_inside(const flow::Coverage& c, const field::Domain& domain, int species, const MaterialParticles& particles) {
    double held = 0;
    for (std::size_t i = 0; i < particles.amount.size(); ++i) {
        if (particles.species[i] != species || particles.body[i] >= 0) continue;
        const Vec3d at = (Vec3d(particles.position[i]) - domain.origin) / domain.h;
        const Vec3i cell{int(std::floor(at.x)), int(std::floor(at.y)), int(std::floor(at.z))};
        if (cell.x < c.first.x || cell.y < c.first.y || cell.z < c.first.z || cell.x >= c.last.x || cell.y >= c.last.y || cell.z >= c.last.z) continue;
        held += double(c(cell.x, cell.y, cell.z)) * particles.amount[i];
    }
    double sum = 0, squares = 0;
    for (const float w : c.weight) sum += double(w), squares += double(w) * double(w);
    return squares > 0 ? held * sum / squares : 0;
}

double feed(const flow::Coverage& coverage, const field::Domain& domain, const Feed& what, double mol, const flow::Solids* solids,
            const RandomKey& key, Feeder& feeder, MaterialParticles& particles) {
    PHLO_CHECK(what.amount > 0 && mol >= 0);
    const double volume = covered_volume(coverage, domain);
    if (volume <= 0) return 0;
    feeder.pending += mol;
    const double whole = std::floor(feeder.pending / what.amount * (1 + 1e-12));
    PHLO_CHECK(whole < 1e9);
    const int number = int(whole);
    if (number <= 0) return 0;
    make_curve(coverage, feeder);
    double along = 0, entered = 0;
    std::size_t at = 0;
    const double total = volume / (domain.h * domain.h * domain.h);
    for (int n = 0; n < number; ++n) {
        const std::uint32_t id = std::uint32_t(feeder.fed);
        ++feeder.fed;
        const RandomKey numbers{key.seed, key.step, key.stream ^ feed_stream};
        std::array<float, 4> u = uniform4(numbers, id);
        const double target = (n + double(u[0])) / number * total;
        while (at + 1 < feeder.curve.size() && along + double(coverage.weight[std::size_t(feeder.curve[at])]) <= target)
            along += double(coverage.weight[std::size_t(feeder.curve[at++])]);
        // In cells that bodies cut, draw again until it is in the gas.
        MaterialParticle p{.position = place_in_cell(coverage, domain, feeder.curve[at], u), .amount = what.amount, .species = what.species,
                           .radius = what.radius};
        for (std::uint32_t attempt = 1; attempt < 32 && !in_gas(domain, solids, p.position); ++attempt)
            p.position = place_in_cell(coverage, domain, feeder.curve[at], uniform4(numbers, id, attempt));
        if (!in_gas(domain, solids, p.position)) continue;   // no room in this cell: the amount waits for the next time
        p.velocity = start_velocity(domain, what, p.position, uniform4(numbers, id, 32));
        particles.add(p);
        feeder.pending -= what.amount;
        entered += what.amount;
    }
    return entered;
}

int glue(const field::Domain& domain, const flow::Solids& solids, int body, std::uint8_t species, double per_area, double amount, std::uint64_t seed,
         MaterialParticles& particles) {
    PHLO_CHECK(std::size_t(body) < solids.placed.size());
    const flow::Solids::Placed& placed = solids.placed[std::size_t(body)];
    int kept = 0;
    for (const geom::SurfaceSample& sample : geom::surface_samples(placed.body->shape, per_area, {.seed = seed, .stream = std::uint32_t(body)})) {
        const Vec3d local = sample.point + sample.normal * (glue_height * domain.h);
        const Vec3f world(placed.pose.world_from_local(local));
        if (!in_gas(domain, &solids, world)) continue;
        particles.add({.position = world, .amount = amount, .species = species, .body = std::int16_t(body), .anchor = Vec3f(local)});
        ++kept;
    }
    return kept;
}

}  // namespace phlo::models
