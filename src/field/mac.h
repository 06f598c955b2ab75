// Three face fields of one domain: the velocity of a staggered (MAC) grid, or face apertures [harlow1965].
#pragma once
#include "field/grid.h"

namespace phlo::field {

struct MacGrid {
    Grid x, y, z;

    MacGrid() = default;
    explicit MacGrid(const Layout& layout, float value = 0) : x(layout, value), y(layout, value), z(layout, value) {}

    const Layout& layout() const { return x.layout(); }
    bool empty() const { return x.empty(); }
    Grid& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
    const Grid& operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
    std::size_t bytes() const { return x.bytes() + y.bytes() + z.bytes(); }
};

/// How many faces the component along `axis` has on each axis.
inline Vec3i face_extent(const Layout& layout, int axis) {
    Vec3i extent = layout.cells();
    extent[axis] += 1;
    return extent;
}

}  // namespace phlo::field
