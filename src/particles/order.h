// The order of particles by a whole number each has, found by all threads; the same for any number of them.
//
//   std::vector<int> order = order_by(key, key_count);      // key[i] in [0, key_count), or left_out
//   reorder(order, sparks);                                 // particles/columns.h
#pragma once
#include <span>
#include <vector>

namespace phlo::particles {

constexpr int left_out = -1;   ///< key of a particle that the order does not name

/// Indices of the particles, those with the least key first; of one key, as they were.
std::vector<int> order_by(std::span<const int> key, int key_count);

}  // namespace phlo::particles
