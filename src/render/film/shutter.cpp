#include "render/film/shutter.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "render/volumes/lattice.h"

namespace phlo::render {
namespace {

constexpr int most_moments = 12;
constexpr double cells_along = 128;  // of a scene's longest side, for things that have no cells

Vec3f velocity_of(const field::MacGrid& v, int i, int j, int k) {
    return Vec3f(v.x(i, j, k) + v.x(i + 1, j, k), v.y(i, j, k) + v.y(i, j + 1, k), v.z(i, j, k) + v.z(i, j, k + 1)) * 0.5f;
}

}  // namespace

std::shared_ptr<const field::Grid> velocity_component(const field::FaceVelocity& velocity, int axis, const field::Domain& domain) {
    const Vec3i n = velocity.domain.cells;
    const auto grid = std::make_shared<field::Grid>(field::Layout(n));
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) (*grid)(i, j, k) = velocity_of(*velocity.faces, i, j, k)[axis];
    });
    return on_lattice({.name = "velocity", .domain = velocity.domain, .room = velocity.room, .grid = grid}, domain);
}

void carry(OpticalVolume& volume, const field::FaceVelocity& velocity, double dt) {
    if (volume.empty() || dt == 0) return;
    const Vec3i n = volume.domain.cells;
    const float cells_per_velocity = float(dt / volume.domain.h);
    const auto x = velocity_component(velocity, 0, volume.domain), y = velocity_component(velocity, 1, volume.domain),
               z = velocity_component(velocity, 2, volume.domain);
    const auto carried = [&](const field::Grid& grid) {
        field::Grid result(grid.layout());
        parallel_for(n.z, [&](int k) {
            for (int j = 0; j < n.y; ++j)
                for (int i = 0; i < n.x; ++i) {
                    const Vec3f v((*x)(i, j, k), (*y)(i, j, k), (*z)(i, j, k));
                    result(i, j, k) = OpticalVolume::sample(grid, Vec3f(Vec3i(i, j, k)) - v * cells_per_velocity);
                }
        });
        return result;
    };
    volume.extinction = carried(volume.extinction);
    for (field::Grid& grid : volume.scattering) grid = carried(grid);
    for (field::Grid& grid : volume.emission) grid = carried(grid);
    find_box(volume);
}

std::vector<field::Surface> moved(std::vector<field::Surface> surfaces, double seconds) {
    for (field::Surface& surface : surfaces)
        for (std::size_t n = 0; n < surface.velocity.size(); ++n) surface.mesh.points[n] += surface.velocity[n] * float(seconds);
    return surfaces;
}

int shutter_moments(const field::Frame& frame, const RenderParams& look) {
    const double open = look.camera.shutter / frame.fps;
    if (!(open > 0)) return 1;
    double cells = 0;  // that anything moves meanwhile
    if (frame.velocity) {
        const Vec3i n = frame.velocity->domain.cells;
        const double fastest = parallel_max(n.z, 0, [&](int k) {
            float most = 0;
            for (int j = 0; j < n.y; ++j)
                for (int i = 0; i < n.x; ++i) most = std::max(most, length(velocity_of(*frame.velocity->faces, i, j, k)));
            return double(most);
        });
        cells = fastest * open / frame.velocity->domain.h;
    }
    float fastest = 0;
    for (const field::Surface& surface : frame.surfaces)
        for (const Vec3f& v : surface.velocity) fastest = std::max(fastest, length(v));
    for (const field::Points& set : frame.points)
        for (std::size_t n = 0; n < set.velocity.size() && !frame.velocity; ++n) fastest = std::max(fastest, length(set.velocity[n]));
    if (fastest > 0) cells = std::max(cells, double(fastest) * open * cells_along / longest_side(bounds_of(frame)));
    const auto differs = [&](const auto& curve) { return !(curve(frame.time - 0.5 * open) == curve(frame.time + 0.5 * open)); };
    const CameraParams& camera = look.camera;
    const bool camera_moves = (camera.position && differs(*camera.position)) || (camera.target && differs(*camera.target)) ||
                              differs(camera.fov) || differs(camera.roll);
    if (camera_moves) cells = std::max(cells, 8.0);
    return std::clamp(int(std::ceil(cells)), 1, most_moments);
}

}  // namespace phlo::render
