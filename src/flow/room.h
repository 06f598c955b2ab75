// The room that gas has in each cell: a cell that a body cuts in half holds half. A value is then an amount per open volume, and an amount is
// value x room x h^3.
//
//   Grid room;
//   find_room(solids, room);                          // stays empty without bodies: every cell is full
//   double mol = sum_with_room(density, room) * h * h * h;
//   to_amounts(room, density);                        // a body moves: amounts stay
//   to_values(new_room, density);
//
// Slivers count as `min_room`: they would hold next to nothing, and transport would have to take as many sub-steps more.
#pragma once
#include "field/grid.h"
#include "flow/solids.h"

namespace phlo::flow {

inline constexpr float min_room = 0.25f;

/// Open part of each cell, from `min_room` to 1; 0 in covered cells.
void find_room(const Solids& solids, field::Grid& room);

/// Null where every cell is full.
inline const field::Grid* room_or_null(const field::Grid& room) { return room.empty() ? nullptr : &room; }

double sum_with_room(const field::Grid& q, const field::Grid& room);

/// q *= room; of an empty room nothing changes.
void to_amounts(const field::Grid& room, field::Grid& q);
/// q /= room; covered cells stay as they are.
void to_values(const field::Grid& room, field::Grid& q);

/// The largest of Σ (open parts of a cell's faces) / (6 room): how many times faster than a full cell it can be emptied.
double most_exposed(const Solids& solids, const field::Grid& room);

}  // namespace phlo::flow
