#include "examples.h"

#include "field/grid.h"
#include "field/trilinear.h"

namespace phlo::field {

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
