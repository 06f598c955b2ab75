// A dense field of floats over the cells of a box, and the layout that all fields of one domain share.
//
//   Layout layout({128, 128, 192});
//   Grid density(layout);
//   density(i, j, k) = 1;                        // 0 <= i < nx; ghosts reach from -2 to n + 2 on every axis
//   float* row = density.row(j, k);              // row[i]; row[0] is 64-byte aligned; x runs fastest
//
//   one row:  ... g g | 0 1 2 ... nx-1 | nx g g ... (next row's ghosts share this padding)
//
// Cell (i, j, k) has its centre at origin + (i + 1/2, j + 1/2, k + 1/2) h. Face grids use the same layout: entry (i, j, k) of
// the x component is the face between cells i - 1 and i, so it has one more entry (index nx) along its own axis.
#pragma once
#include <cstddef>
#include <span>

#include "base/memory.h"
#include "base/vec.h"

namespace phlo::field {

class Layout {
public:
    static constexpr int ghost = 2;    ///< rows and planes beyond the last face, on each side
    static constexpr int lane = 16;    ///< row alignment in floats (64 bytes)

    Layout() = default;
    explicit Layout(Vec3i cells);

    Vec3i cells() const { return cells_; }
    int nx() const { return cells_.x; }
    int ny() const { return cells_.y; }
    int nz() const { return cells_.z; }
    std::size_t cell_count() const { return std::size_t(cells_.x) * std::size_t(cells_.y) * std::size_t(cells_.z); }

    std::ptrdiff_t stride_y() const { return stride_y_; }  ///< floats from one row to the next
    std::ptrdiff_t stride_z() const { return stride_z_; }  ///< floats from one plane to the next
    std::size_t size() const { return size_; }             ///< floats to allocate
    std::ptrdiff_t offset(int i, int j, int k) const { return origin_ + i + j * stride_y_ + k * stride_z_; }

    friend bool operator==(const Layout&, const Layout&) = default;

private:
    Vec3i cells_;
    std::ptrdiff_t stride_y_ = 0, stride_z_ = 0, origin_ = 0;
    std::size_t size_ = 0;
};

class Grid {
public:
    Grid() = default;
    explicit Grid(const Layout& layout, float value = 0);

    const Layout& layout() const { return layout_; }
    bool empty() const { return buffer_.size() == 0; }
    float& operator()(int i, int j, int k) { return buffer_.data()[layout_.offset(i, j, k)]; }
    float operator()(int i, int j, int k) const { return buffer_.data()[layout_.offset(i, j, k)]; }
    float* row(int j, int k) { return buffer_.data() + layout_.offset(0, j, k); }
    const float* row(int j, int k) const { return buffer_.data() + layout_.offset(0, j, k); }
    std::span<float> storage() { return buffer_.span(); }
    std::span<const float> storage() const { return buffer_.span(); }
    std::size_t bytes() const { return buffer_.bytes(); }
    void fill(float value);  ///< ghosts included

private:
    Layout layout_;
    Buffer buffer_;
};

/// Copies the outermost cells into the ghosts: the field continues with zero slope.
/// `extent` is the number of valid entries on each axis (cells() for a cell field, one more along its axis for a face field).
void extend_into_ghosts(Grid& grid, Vec3i extent);

double sum(const Grid& grid);               ///< over all cells, in double, independent of the thread count
double max_abs(const Grid& grid, Vec3i extent);

}  // namespace phlo::field
