#include "render/volumes/volume.h"

#include <algorithm>
#include <climits>
#include <cmath>

#include "base/parallel.h"
#include "field/trilinear.h"
#include "render/volumes/parts.h"

namespace phlo::render {
namespace {

/// What cannot be seen: an optical depth below this across the whole domain.
constexpr float invisible_depth = 1e-4f;

struct Box {
    Vec3i first{INT_MAX, INT_MAX, INT_MAX}, last{INT_MIN, INT_MIN, INT_MIN};
};

Box merged(const Box& a, const Box& b) { return {min(a.first, b.first), max(a.last, b.last)}; }

std::vector<field::Grid> three_grids(const field::Layout& layout) {
    std::vector<field::Grid> grids;
    for (int c = 0; c < 3; ++c) grids.emplace_back(layout);
    return grids;
}

/// One kind of gas without fire: extinction alone.
void fill_plain(OpticalVolume& volume, const Part& part, float invisible, int k) {
    const Vec3i n = volume.domain.cells;
    for (int j = 0; j < n.y; ++j) {
        const float* from = part.grid->row(j, k);
        float* to = volume.extinction.row(j, k);
        for (int i = 0; i < n.x; ++i) {
            const float sigma = part.per_unit * from[i];
            to[i] = sigma > invisible ? sigma : 0.f;
        }
    }
}

/// Several kinds, each with its colour, and what shines.
void fill_mixed(OpticalVolume& volume, const Parts& parts, float invisible, int k) {
    const Vec3i n = volume.domain.cells;
    for (int j = 0; j < n.y; ++j)
        for (int i = 0; i < n.x; ++i) {
            float sigma = 0;
            Vec3f scattered, absorbed, light;  // `absorbed`: by what glows
            for (const Part& part : parts.dimming) {
                const float s = part.per_unit * (*part.grid)(i, j, k);
                sigma += s;
                const Part::Share share = part.share(s, i, j, k);
                scattered += share.scattered;
                if (part.glows) absorbed += share.absorbed;
                light += part.own_light(s, i, j, k);
            }
            if (parts.fire) {
                const HotGas::Glow glow = parts.fire->in_cell(i, j, k);
                sigma += glow.absorption;
                light += glow.own + absorbed * glow.light;
            }
            if (!(sigma > invisible)) continue;
            volume.extinction(i, j, k) = sigma;
            for (int c = 0; c < 3; ++c) volume.scattering[std::size_t(c)](i, j, k) = scattered[c];
            if (volume.glows())
                for (int c = 0; c < 3; ++c) volume.emission[std::size_t(c)](i, j, k) = light[c];
        }
}

Box box_of(const field::Grid& grid, int k) {
    const Vec3i n = grid.layout().cells();
    Box plane;
    for (int j = 0; j < n.y; ++j) {
        const float* row = grid.row(j, k);
        int low = INT_MAX, high = INT_MIN;
        for (int i = 0; i < n.x; ++i)
            if (row[i] > 0) low = std::min(low, i), high = i;
        if (high >= low) plane = merged(plane, {{low, j, k}, {high, j, k}});
    }
    return plane;
}

}  // namespace

float OpticalVolume::sample(const field::Grid& grid, const Vec3f& p) {
    const Vec3i n = grid.layout().cells();
    // Beyond half a cell outside everything is empty; the ghosts are zero, so the edge fades linearly.
    if (!(p.x > -1 && p.y > -1 && p.z > -1 && p.x < float(n.x) && p.y < float(n.y) && p.z < float(n.z))) return 0;
    const float fx = std::floor(p.x), fy = std::floor(p.y), fz = std::floor(p.z);
    const float x = p.x - fx, y = p.y - fy, z = p.z - fz;
    const std::ptrdiff_t sy = grid.layout().stride_y(), sz = grid.layout().stride_z();
    const float* c = grid.storage().data() + grid.layout().offset(int(fx), int(fy), int(fz));
    return field::trilinear(x, y, z, [&](int i, int j, int k) { return c[i + j * sy + k * sz]; });
}

void find_box(OpticalVolume& volume) {
    const Box box = parallel_reduce(
        volume.domain.cells.z, Box{}, [&](int k) { return box_of(volume.extinction, k); }, merged);
    const bool found = box.first.x <= box.last.x;
    volume.first = found ? box.first : Vec3i(0, 0, 0), volume.last = found ? box.last : Vec3i(-1, -1, -1);
}

OpticalVolume make_volume(const field::Frame& frame, const RenderParams& look, double later) {
    const Parts parts = find_parts(frame, look, frame.velocity ? 0 : later);
    OpticalVolume volume;
    volume.domain = parts.lattice.domain, volume.room = parts.lattice.room;
    volume.albedo = look.smoke.color;
    volume.anisotropy = float(look.smoke.anisotropy);
    volume.first = {0, 0, 0}, volume.last = {-1, -1, -1};
    if (parts.dimming.empty() && !parts.fire) return volume;

    const float invisible = invisible_depth / float(longest_side(bounds_of(frame)));
    const field::Layout layout(volume.domain.cells);
    volume.extinction = field::Grid(layout);
    const bool plain = parts.dimming.size() == 1 && !parts.fire && parts.dimming[0].plain();
    if (plain) volume.albedo = parts.dimming[0].albedo;
    else volume.scattering = three_grids(layout);
    if (parts.fire || std::ranges::any_of(parts.dimming, &Part::shines)) volume.emission = three_grids(layout);
    parallel_for(volume.domain.cells.z, [&](int k) {
        if (plain) fill_plain(volume, parts.dimming[0], invisible, k);
        else fill_mixed(volume, parts, invisible, k);
    });
    find_box(volume);
    return volume;
}

}  // namespace phlo::render
