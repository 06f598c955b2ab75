#include "field/grid.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"

namespace phlo::field {

Layout::Layout(Vec3i cells) : cells_(cells) {
    PHLO_CHECK(cells.x > 0 && cells.y > 0 && cells.z > 0);
    // One padding serves the right ghosts of a row and the left ghosts of the next: face nx, two beyond it, and two before 0.
    stride_y_ = (cells.x + 3 + ghost + lane - 1) / lane * lane;
    if (stride_y_ % 256 == 0) stride_y_ += lane;  // rows a multiple of 1 kB apart would compete for the same cache sets
    const std::ptrdiff_t rows = cells.y + 1 + 2 * ghost, planes = cells.z + 1 + 2 * ghost;
    stride_z_ = stride_y_ * rows;
    origin_ = 2 * lane + ghost * stride_y_ + ghost * stride_z_;
    size_ = std::size_t(stride_z_ * planes + 4 * lane);  // slack, so that a vector load at any cell's neighbour stays inside
}

Grid::Grid(const Layout& layout, float value) : layout_(layout), buffer_(layout.size()) {
    if (value != 0) fill(value);
}

void Grid::fill(float value) { std::fill(buffer_.span().begin(), buffer_.span().end(), value); }

void extend_into_ghosts(Grid& grid, Vec3i extent) {
    const Layout& layout = grid.layout();
    constexpr int g = Layout::ghost;
    const auto clamped = [](int i, int n) { return std::clamp(i, 0, n - 1); };
    // All of the padding: a pack at the end of a row looks at it, and must not be computed one way or another by what happens to be there.
    const std::ptrdiff_t end = layout.stride_y() - g;
    parallel_for(extent.z, [&](int k) {
        for (int j = 0; j < extent.y; ++j) {
            float* row = grid.row(j, k);
            for (int i = 1; i <= g; ++i) row[-i] = row[0];
            std::fill(row + extent.x, row + end, row[extent.x - 1]);
        }
        for (int j = -g; j < layout.ny() + 1 + g; ++j)
            if (j < 0 || j >= extent.y)
                std::copy_n(grid.row(clamped(j, extent.y), k) - g, layout.stride_y(), grid.row(j, k) - g);
        for (int to = -g; to < layout.nz() + 1 + g; ++to)
            if (to != k && clamped(to, extent.z) == k)
                for (int j = -g; j < layout.ny() + 1 + g; ++j) std::copy_n(grid.row(j, k) - g, layout.stride_y(), grid.row(j, to) - g);
    });
}

double sum(const Grid& grid) {
    const Layout& layout = grid.layout();
    return parallel_sum(layout.nz(), [&](int k) {
        double plane = 0;
        for (int j = 0; j < layout.ny(); ++j) {
            const float* row = grid.row(j, k);
            double line = 0;
#pragma omp simd reduction(+ : line)
            for (int i = 0; i < layout.nx(); ++i) line += double(row[i]);
            plane += line;
        }
        return plane;
    });
}

double max_abs(const Grid& grid, Vec3i extent) {
    return parallel_max(extent.z, 0.0, [&](int k) {
        float most = 0;
        for (int j = 0; j < extent.y; ++j) {
            const float* row = grid.row(j, k);
#pragma omp simd reduction(max : most)
            for (int i = 0; i < extent.x; ++i) most = std::max(most, std::fabs(row[i]));
        }
        return double(most);
    });
}

}  // namespace phlo::field
