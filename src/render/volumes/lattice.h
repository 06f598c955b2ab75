// On which cells light meets a frame's gas: one lattice for all that is seen, whatever lattices the volumes have.
//
//   const field::Volume* seen[] = {density, temperature};
//   OpticalLattice lattice = find_lattice(frame, seen, {});
//   std::shared_ptr<const Grid> grid = on_lattice(*density, lattice.domain);     // its own grid if it lies there already
#pragma once
#include <memory>
#include <span>

#include "field/frame.h"

namespace phlo::render {

struct OpticalLattice {
    field::Domain domain;  ///< at least where something is
    field::Domain room;  ///< all of it, the same in every frame of a shot
};

/// Points, and how much larger than they are they are drawn.
struct SizedPoints {
    const field::Points* points = nullptr;
    float size = 1;
};

/// Cells of the finest of the volumes, over all of them and the points. Without a volume: cells of the points' size over the frame's
/// bounds. Throws RunError if volumes lie so far apart that so fine a lattice cannot hold them.
OpticalLattice find_lattice(const field::Frame& frame, std::span<const field::Volume* const> volumes, std::span<const SizedPoints> points);

/// A volume on other cells: trilinear between its own, which go on to the walls of its room; the background beyond.
std::shared_ptr<const field::Grid> on_lattice(const field::Volume& volume, const field::Domain& domain);

/// The frame's bounds, or a metre around the origin if there is nothing in it.
field::Bounds bounds_of(const field::Frame& frame);

double longest_side(const field::Bounds& bounds);

}  // namespace phlo::render
