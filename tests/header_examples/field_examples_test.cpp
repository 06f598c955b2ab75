#include "examples.h"

#include "field/block_ghosts.h"
#include "field/blocks.h"
#include "field/crop.h"
#include "field/frame.h"
#include "field/grid.h"
#include "field/liquid_shares.h"
#include "field/trilinear.h"

namespace phlo::field {

void blocks_example() {
    std::vector<std::int8_t> levels(8 * 8 * 8, 0);
    levels[0] = 3;
    balance({8, 8, 8}, levels);
    Blocks blocks({8, 8, 8}, 4, std::move(levels));
    BlockField<float> pressure(blocks);
    float p = pressure.at(blocks, {5, 6, 7});
}

void block_ghosts_example(const Blocks& blocks) {
    BlockField<float> phi(blocks);
    fill_ghosts_around(blocks, centres, Seams::one_value, phi);
    PaddedField smooth;
    smooth.copy(blocks, centres, phi);
}

void crop_example(const Domain& room, const Grid& density, const Grid& excess) {
    const Content contents[] = {{&density, 0, 1e-4f}, {&excess, 0, 0.01f}};
    Domain part = occupied_part(room, contents);
    Copies copies(room, part);
    auto small = copies.add(density);
    copies.make();
}

void frame_example(const Domain& domain, const std::shared_ptr<const Grid>& grid, const std::vector<Vec3f>& places, const std::vector<float>& radii,
                   const std::vector<float>& kelvin) {
    Frame frame{.time = 0.5, .world = Bounds{{0, 0, 0}, {1, 1, 2}}};
    frame.volumes.push_back({.name = "density", .unit = "1", .domain = domain, .room = domain, .grid = grid});
    frame.points.push_back({.name = "sparks", .position = places, .radius = radii, .columns = {{"temperature", kelvin}}});
    if (const Volume* density = frame.find("density")) return;
}

void liquid_shares_example(Frame& frame, const Domain& domain, const std::shared_ptr<const Grid>& grid, const Vec3f& point) {
    frame.volumes.push_back({.name = share_volume("milk"), .unit = "1", .domain = domain, .room = domain, .grid = grid});
    for (const LiquidShare& liquid : liquid_shares(frame)) float milk = liquid.at(point);
}

void grid_example(int i, int j, int k) {
    Layout layout({128, 128, 192});
    Grid density(layout);
    density(i, j, k) = 1;
    float* row = density.row(j, k);
}

void trilinear_example(const Grid& grid, int i, int j, int k, float x, float y, float z) {
    const std::ptrdiff_t stride_y = grid.layout().stride_y(), stride_z = grid.layout().stride_z();
    const float* q = grid.row(j, k) + i;
    float value = trilinear(x, y, z, [&](int a, int b, int c) { return q[a + b * stride_y + c * stride_z]; });
}

}  // namespace phlo::field
