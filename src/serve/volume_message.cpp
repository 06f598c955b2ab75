#include "serve/volume_message.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/json.h"
#include "base/parallel.h"

namespace phlo::serve {
namespace {

/// One row of cells of the volume on the lattice that travels, which may be coarser: means over `factor`^3 cells.
struct Cell {
    float extinction = 0;
    Vec3f scattering, emission;
};

class Coarse {
public:
    Coarse(const render::OpticalVolume& volume, int factor) : volume_(volume), factor_(factor), shift_(volume.shift()) {}

    /// `at` counts from the room's lower corner, in coarse cells.
    Cell at(const Vec3i& at) const {
        if (factor_ == 1) return one(at - shift_);
        Cell sum;
        const Vec3i corner = at * factor_ - shift_, first = max(corner, Vec3i()), last = min(corner + Vec3i(factor_), volume_.domain.cells);
        for (int k = first.z; k < last.z; ++k)
            for (int j = first.y; j < last.y; ++j)
                for (int i = first.x; i < last.x; ++i) {
                    const Cell cell = one({i, j, k});
                    sum.extinction += cell.extinction, sum.scattering += cell.scattering, sum.emission += cell.emission;
                }
        const float scale = 1.f / float(factor_ * factor_ * factor_);
        return {sum.extinction * scale, sum.scattering * scale, sum.emission * scale};
    }

private:
    Cell one(const Vec3i& at) const {
        const Vec3i& n = volume_.domain.cells;
        if (unsigned(at.x) >= unsigned(n.x) || unsigned(at.y) >= unsigned(n.y) || unsigned(at.z) >= unsigned(n.z)) return {};
        Cell cell{.extinction = volume_.extinction(at.x, at.y, at.z), .scattering = {}, .emission = {}};
        if (!volume_.scattering.empty()) cell.scattering = {volume_.scattering[0](at.x, at.y, at.z), volume_.scattering[1](at.x, at.y, at.z), volume_.scattering[2](at.x, at.y, at.z)};
        if (volume_.glows()) cell.emission = volume_.emission_of(at.x, at.y, at.z);
        return cell;
    }

    const render::OpticalVolume& volume_;
    int factor_;
    Vec3i shift_;
};

/// The bricks that hold something, of `channels` bytes a cell.
struct Bricks {
    int channels = 1;
    std::vector<std::vector<std::uint8_t>> bytes;   ///< of each brick of the room; empty: nothing is in it

    std::string add_to(Payload& payload) const {
        std::vector<std::uint32_t> which;
        for (std::size_t n = 0; n < bytes.size(); ++n)
            if (!bytes[n].empty()) which.push_back(std::uint32_t(n));
        const std::size_t list = payload.add(which), size = std::size_t(channels) * brick_cells * brick_cells * brick_cells, data = payload.reserve(which.size() * size);
        for (std::size_t n = 0; n < which.size(); ++n) std::copy(bytes[which[n]].begin(), bytes[which[n]].end(), payload.at(data + n * size));
        return json::Object().number("channels", channels).number("count", which.size()).number("bricks", list).number("bytes", data).str();
    }
};

Vec3i bricks_of(const Vec3i& cells) {
    const auto count = [](int n) { return (n + brick_cells - 1) / brick_cells; };
    return {count(cells.x), count(cells.y), count(cells.z)};
}

struct Most {
    float extinction = 0, emission = 0;
};

/// The largest values: each byte is a share of them.
Most most_of(const render::OpticalVolume& volume) {
    const int count = volume.last.z - volume.first.z + 1;
    std::vector<Most> planes(static_cast<std::size_t>(count));
    parallel_for(count, [&](int item) {
        const int k = volume.first.z + item;
        Most most;
        for (int j = volume.first.y; j <= volume.last.y; ++j)
            for (int i = volume.first.x; i <= volume.last.x; ++i) {
                most.extinction = std::max(most.extinction, volume.extinction(i, j, k));
                for (const field::Grid& grid : volume.emission) most.emission = std::max(most.emission, grid(i, j, k));
            }
        planes[std::size_t(item)] = most;
    });
    Most all;
    for (const Most& plane : planes) all = {std::max(all.extinction, plane.extinction), std::max(all.emission, plane.emission)};
    return all;
}

}  // namespace

std::string add_volume(const render::OpticalVolume& volume, std::size_t max_cells, Payload& payload) {
    if (volume.empty()) return "";
    const Most most = most_of(volume);
    if (!(most.extinction > 0) && !(most.emission > 0)) return "";
    const auto coarse_cells = [&](int factor) { return (volume.room.cells + Vec3i(factor - 1)) / factor; };
    int factor = 1;
    for (Vec3i n = coarse_cells(factor); std::size_t(n.x) * std::size_t(n.y) * std::size_t(n.z) > max_cells; n = coarse_cells(factor)) factor *= 2;

    const Vec3i cells = coarse_cells(factor), count = bricks_of(cells);
    const Coarse coarse(volume, factor);
    const std::size_t all = std::size_t(count.x) * std::size_t(count.y) * std::size_t(count.z);
    const bool tinted = !volume.scattering.empty();
    Bricks smoke{.channels = tinted ? 4 : 1, .bytes = std::vector<std::vector<std::uint8_t>>(all)};
    Bricks fire{.channels = 3, .bytes = std::vector<std::vector<std::uint8_t>>(volume.glows() ? all : 0)};

    parallel_for(int(all), [&](int n) {
        const Vec3i low = Vec3i(n % count.x, n / count.x % count.y, n / (count.x * count.y)) * brick_cells;
        // A brick that the box of what is not empty does not touch.
        const Vec3i shift = volume.shift(), from = (volume.first + shift) / factor, to = (volume.last + shift) / factor;
        for (int axis = 0; axis < 3; ++axis)
            if (low[axis] > to[axis] || low[axis] + brick_cells <= from[axis]) return;
        std::vector<std::uint8_t> dim(std::size_t(smoke.channels) * brick_cells * brick_cells * brick_cells), bright(3 * brick_cells * brick_cells * brick_cells);
        bool any_smoke = false, any_fire = false;
        std::size_t at = 0;
        for (int k = 0; k < brick_cells; ++k)
            for (int j = 0; j < brick_cells; ++j)
                for (int i = 0; i < brick_cells; ++i, ++at) {
                    const Cell cell = coarse.at(low + Vec3i(i, j, k));
                    const std::uint8_t sigma = root_code(cell.extinction, most.extinction);
                    any_smoke = any_smoke || sigma > 0;
                    if (tinted) {
                        const float per = cell.extinction > 0 ? 1 / cell.extinction : 0;
                        for (std::size_t c = 0; c < 3; ++c) dim[4 * at + c] = std::uint8_t(std::lround(255 * std::clamp(cell.scattering[int(c)] * per, 0.f, 1.f)));
                        dim[4 * at + 3] = sigma;
                    } else {
                        dim[at] = sigma;
                    }
                    if (fire.bytes.empty()) continue;
                    for (std::size_t c = 0; c < 3; ++c) {
                        bright[3 * at + c] = root_code(cell.emission[int(c)], most.emission);
                        any_fire = any_fire || bright[3 * at + c] > 0;
                    }
                }
        if (any_smoke) smoke.bytes[std::size_t(n)] = std::move(dim);
        if (any_fire) fire.bytes[std::size_t(n)] = std::move(bright);
    });

    const std::array<double, 3> origin{volume.room.origin.x, volume.room.origin.y, volume.room.origin.z};
    const std::array<int, 3> room{cells.x, cells.y, cells.z};
    return json::Object()
        .raw("cells", json::numbers(room))
        .raw("origin", json::numbers(origin))
        .number("h", volume.room.h * factor)
        .number("most_extinction", most.extinction)
        .number("most_emission", most.emission)
        .raw("albedo", json_of(volume.albedo))
        .number("anisotropy", volume.anisotropy)
        .raw("smoke", smoke.add_to(payload))
        .raw("fire", fire.bytes.empty() ? "null" : fire.add_to(payload))
        .str();
}

}  // namespace phlo::serve
