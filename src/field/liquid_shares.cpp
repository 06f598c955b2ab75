#include "field/liquid_shares.h"

#include <algorithm>
#include <iterator>

#include "field/trilinear.h"

namespace phlo::field {
namespace {

constexpr std::string_view prefix = "share_";

bool is_share(const Volume& volume) { return volume.name.starts_with(prefix); }

}  // namespace

std::string share_volume(const std::string& substance) { return std::string(prefix) + substance; }

bool is_of_liquid(const Volume& volume) { return is_share(volume) || volume.name == liquid_temperature; }

std::vector<Volume> liquid_volumes(const Frame& frame) {
    std::vector<Volume> found;
    std::ranges::copy_if(frame.volumes, std::back_inserter(found), is_of_liquid);
    return found;
}

float LiquidShare::at(const Vec3f& point) const { return std::clamp(value_at(volume, point), 0.f, 1.f); }

float value_at(const Volume& volume, const Vec3f& point) {
    const Grid& grid = *volume.grid;
    const Vec3i n = volume.domain.cells;
    const Vec3d cells = volume.domain.grid_from_world(Vec3d(point));
    Vec3i first;
    Vec3f part;
    for (int a = 0; a < 3; ++a) {
        const double inside = std::clamp(cells[a], 0.0, double(n[a] - 1));
        first[a] = std::min(int(inside), std::max(n[a] - 2, 0));
        part[a] = float(inside - first[a]);
    }
    return trilinear(part.x, part.y, part.z, [&](int a, int b, int c) {
        return grid(std::min(first.x + a, n.x - 1), std::min(first.y + b, n.y - 1), std::min(first.z + c, n.z - 1));
    });
}

std::vector<LiquidShare> liquid_shares(const Frame& frame) {
    std::vector<LiquidShare> found;
    for (const Volume& volume : frame.volumes)
        if (is_share(volume)) found.push_back({volume.name.substr(prefix.size()), volume});
    return found;
}

}  // namespace phlo::field
