#include "serve/volume_message.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/json.h"
#include "base/parallel.h"

namespace phlo::serve {
namespace {

/// The cells of a brick along x: one after the other in each of seven lists, so that they are worked on together.
struct Row {
    using Values = std::array<float, brick_cells>;
    Values extinction{};
    std::array<Values, 3> scattering{}, emission{};
    bool empty = true;                     ///< nothing has been read into it
};

/// Rows of the volume on the lattice that travels, which may be coarser: means over `factor`^3 cells.
class Rows {
public:
    Rows(const render::OpticalVolume& volume, int factor) : volume_(volume), factor_(factor), shift_(volume.shift()) {}

    /// From the cell `low` on, which counts from the room's lower corner, in coarse cells.
    Row at(const Vec3i& low) const {
        Row row;
        const Vec3i& n = volume_.domain.cells;
        const Vec3i corner = low * factor_ - shift_;
        for (int k = std::max(0, corner.z); k < std::min(n.z, corner.z + factor_); ++k)
            for (int j = std::max(0, corner.y); j < std::min(n.y, corner.y + factor_); ++j) {
                const auto add = [&](const field::Grid& grid, Row::Values& to) { add_row(grid.row(j, k), corner.x, to); };
                row.empty = false;
                add(volume_.extinction, row.extinction);
                for (std::size_t c = 0; c < volume_.scattering.size(); ++c) add(volume_.scattering[c], row.scattering[c]);
                for (std::size_t c = 0; c < volume_.emission.size(); ++c) add(volume_.emission[c], row.emission[c]);
            }
        return row;
    }

private:
    void add_row(const float* from, int first, Row::Values& to) const {
        const float share = 1.f / float(factor_ * factor_ * factor_);
        const int begin = std::max(0, first), end = std::min(volume_.domain.cells.x, first + brick_cells * factor_);
        if (factor_ == 1)
            for (int i = begin; i < end; ++i) to[std::size_t(i - first)] = from[i];
        else
            for (int i = begin; i < end; ++i) to[std::size_t((i - first) / factor_)] += from[i] * share;
    }

    const render::OpticalVolume& volume_;
    int factor_;
    Vec3i shift_;
};

/// Roots of shares of `most`, in every `apart`-th byte from `to` on; whether any is not zero.
bool write_roots(const Row::Values& values, float most, std::uint8_t* to, int apart) {
    if (!(most > 0)) return false;   // and the bytes are zero
    std::array<std::int32_t, brick_cells> codes;
    std::int32_t any = 0;
    const float inverse = 1 / most;
    for (std::size_t i = 0; i < brick_cells; ++i) codes[i] = std::int32_t(255 * std::sqrt(std::clamp(values[i] * inverse, 0.f, 1.f)) + 0.5f), any |= codes[i];
    if (any != 0)
        for (std::size_t i = 0; i < brick_cells; ++i) to[int(i) * apart] = std::uint8_t(codes[i]);
    return any != 0;
}

/// The shares of light that go on at a scattering.
void write_albedo(const Row& row, std::uint8_t* to) {
    for (std::size_t i = 0; i < brick_cells; ++i) {
        const float per = row.extinction[i] > 0 ? 255 / row.extinction[i] : 0;
        for (std::size_t c = 0; c < 3; ++c) to[4 * i + c] = std::uint8_t(std::clamp(row.scattering[c][i] * per, 0.f, 255.f) + 0.5f);
    }
}

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

float largest(const float* row, int first, int last, float most) {
#pragma omp simd reduction(max : most)
    for (int i = first; i <= last; ++i) most = row[i] > most ? row[i] : most;
    return most;
}

/// The largest values: each byte is a share of them.
Most most_of(const render::OpticalVolume& volume) {
    const int count = volume.last.z - volume.first.z + 1;
    std::vector<Most> planes(static_cast<std::size_t>(count));
    parallel_for(count, [&](int item) {
        const int k = volume.first.z + item;
        Most most;
        for (int j = volume.first.y; j <= volume.last.y; ++j) {
            most.extinction = largest(volume.extinction.row(j, k), volume.first.x, volume.last.x, most.extinction);
            for (const field::Grid& grid : volume.emission) most.emission = largest(grid.row(j, k), volume.first.x, volume.last.x, most.emission);
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
    const Rows rows(volume, factor);
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
        std::vector<std::uint8_t> dim(std::size_t(smoke.channels) * brick_cells * brick_cells * brick_cells), bright(fire.bytes.empty() ? 0 : 3 * brick_cells * brick_cells * brick_cells);
        bool any_smoke = false, any_fire = false;
        std::size_t at = 0;
        for (int k = 0; k < brick_cells; ++k)
            for (int j = 0; j < brick_cells; ++j, at += brick_cells) {
                const Row row = rows.at(low + Vec3i(0, j, k));
                if (row.empty) continue;
                const bool smoky = write_roots(row.extinction, most.extinction, dim.data() + std::size_t(smoke.channels) * at + std::size_t(smoke.channels - 1), smoke.channels);
                if (smoky && tinted) write_albedo(row, dim.data() + 4 * at);
                any_smoke = any_smoke || smoky;
                if (!bright.empty())
                    for (std::size_t c = 0; c < 3; ++c) any_fire = write_roots(row.emission[c], most.emission, bright.data() + 3 * at + c, 3) || any_fire;
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
