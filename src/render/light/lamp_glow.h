// Light of lamps inside the gas, for light that is baked into cells.
//
//   for_lamp_points(lamps, point, cell_size, [&](const LightSample& light, const Vec3f& from) { ... });   // a few points of each lamp
//
// Close to a lamp light falls off as 1/r^2 within a cell: there the cell's mean over small cubes counts, so that no light is lost or made.
#pragma once
#include <vector>

#include "render/light/lamps.h"
#include "render/film/pixels.h"

namespace phlo::render {

/// visit(light towards a point of a lamp, where it is received); their sum is the mean over the cell.
template <class Visit>
void for_lamp_points(const std::vector<Lamp>& lamps, const Vec3f& point, float cell_size, const Visit& visit) {
    constexpr int points = 6, cubes = 4;
    for (const Lamp& lamp : lamps) {
        const Vec3f way = lamp.position - point;
        if (lamp.kind == Lamp::Kind::point && dot(way, way) < 9 * cell_size * cell_size) {
            const float cube = cell_size / cubes, least = 0.128f * cube * cube;  // a cube's mean of 1/r^2 around its middle is 7.8 / cube^2
            for (int n = 0; n < cubes * cubes * cubes; ++n) {
                const Vec3f offset = (Vec3f(Vec3i(n % cubes, n / cubes % cubes, n / (cubes * cubes))) - Vec3f(0.5f * (cubes - 1))) * cube;
                const Vec3f from = point + offset, to = lamp.position - from;
                const float d2 = dot(to, to), distance = std::sqrt(d2);
                const Vec3f direction = d2 > 0 ? to / distance : Vec3f(0, 0, 1);
                visit(LightSample{direction, distance, lamp.intensity / (std::max(d2, least) * (cubes * cubes * cubes)), 0}, from);
            }
            continue;
        }
        const int count = lamp.kind == Lamp::Kind::point ? 1 : points;
        for (int n = 0; n < count; ++n) {
            const SamplePlace place = sample_place(n);
            LightSample light = sample_lamp(lamp, point, place.x, place.y);
            if (light.light == Vec3f()) continue;
            light.light *= 1 / float(count);
            visit(light, point);
        }
    }
}

}  // namespace phlo::render
