// The part of a lattice where something is, and copies of it: a picture or a file of a small plume in a large room needs no more.
//
//   const Content contents[] = {{&density, 0, 1e-4f}, {&excess, 0, 0.01f}};
//   Domain part = occupied_part(room, contents);
//   Copies copies(room, part);
//   auto small = copies.add(density);                  // a Grid of part.cells, still empty
//   copies.make();                                     // fills all of them, one grid an item
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "field/domain.h"
#include "field/mac.h"

namespace phlo::field {

/// Parts of lattices begin and end at whole leaves of this many cells, those of OpenVDB, where the lattice itself does not end.
constexpr int leaf_cells = 8;

/// What counts as something: a value further than `negligible` from the background, or one that is no number.
struct Content {
    const Grid* grid;
    float background = 0;
    float negligible = 0;
};

/// The box of leaves where something is, and one leaf around; one leaf if nothing is anywhere. The grids lie on `room`.
Domain occupied_part(const Domain& room, std::span<const Content> contents);

/// The leaves that hold the cells from `first` to `last`, and one leaf around, as far as the room goes.
Domain part_around(const Domain& room, Vec3i first, Vec3i last);

/// Copies of a part of several grids, made together: memory is got and filled on as many threads as there are grids.
class Copies {
public:
    Copies(const Domain& room, const Domain& part) : first_(part_of(room, part)), cells_(part.cells) {}

    std::shared_ptr<const Grid> add(const Grid& from, float plus = 0);  ///< each value plus a constant
    std::shared_ptr<const MacGrid> add(const MacGrid& from);
    void make();

private:
    static Vec3i part_of(const Domain& room, const Domain& part);
    void add(const Grid& from, Vec3i extent, float plus, std::shared_ptr<Grid> to);

    Vec3i first_, cells_;
    std::vector<std::function<void()>> tasks_;
};

}  // namespace phlo::field
