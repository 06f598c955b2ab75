#include "serve/probe.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/json.h"
#include "field/trilinear.h"

namespace phlo::serve {
namespace {

/// Between cell centres, the outermost ones going on to the walls; `extent` are the entries that a grid has.
double sample(const field::Grid& grid, const Vec3i& extent, Vec3d at) {
    Vec3i low;
    for (int axis = 0; axis < 3; ++axis) {
        at[axis] = std::clamp(at[axis], 0.0, double(extent[axis] - 1));
        low[axis] = std::clamp(int(at[axis]), 0, std::max(0, extent[axis] - 2));
    }
    const auto corner = [&](int a, int b, int c) {
        return double(grid(std::min(low.x + a, extent.x - 1), std::min(low.y + b, extent.y - 1), std::min(low.z + c, extent.z - 1)));
    };
    return field::trilinear(at.x - low.x, at.y - low.y, at.z - low.z, corner);
}

}  // namespace

std::string probe(const field::Frame& frame, const Vec3d& point, const PointHeat* heat) {
    json::Object result;
    std::map<std::string, double> fields;
    for (const field::Volume& volume : frame.volumes) {
        const bool inside = volume.domain.bounds().contains(point);
        fields[volume.name] = inside ? sample(*volume.grid, volume.grid->layout().cells(), volume.domain.grid_from_world(point)) : double(volume.background);
        result.number(volume.name, fields[volume.name]);
    }
    if (const auto value = heat ? heat->at(fields, frame.time) : std::nullopt) result.number(value->name, value->amount);
    if (frame.velocity && frame.velocity->domain.bounds().contains(point)) {
        std::array<double, 3> v{};
        for (int axis = 0; axis < 3; ++axis) {
            Vec3d at = frame.velocity->domain.grid_from_world(point);
            at[axis] += 0.5;
            const field::MacGrid& faces = *frame.velocity->faces;
            v[std::size_t(axis)] = sample(faces[axis], field::face_extent(faces.layout(), axis), at);
        }
        result.raw("velocity", json::numbers(v));
    }
    return result.str();
}

}  // namespace phlo::serve
