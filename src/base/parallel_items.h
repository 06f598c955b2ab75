// Parallel loops over items that cost much and unequally, such as tiles of a picture: threads take them one by one until none is left.
//
//   parallel_items(tiles, [&](int tile) { ... });
//   sum_in_order(groups, [&](int g) { return follow_photons(g); },         // in parallel
//                [&](const Tally& part) { total.add(part); });             // one after the other, by the number of the group
//
// parallel_for (parallel.h) hands out runs of items, which is better for many cheap ones and leaves threads idle at the end of few
// expensive ones.
#pragma once
#include <memory>
#include <mutex>

#include "base/parallel.h"

namespace phlo {

template <class Body>
void parallel_items(int count, const Body& body) { parallel_for(count, body, Share::one_by_one); }

/// Sums of floats that do not depend on who finished first. A part is added, and gone, as soon as all before it are: few live at a time.
template <class Make, class Add>
void sum_in_order(int count, const Make& make, const Add& add) {
    using Part = decltype(make(0));
    std::vector<std::unique_ptr<Part>> waiting(std::size_t(std::max(0, count)));
    std::size_t next = 0;
    std::mutex turn;
    parallel_items(count, [&](int n) {
        auto part = std::make_unique<Part>(make(n));
        const std::lock_guard lock(turn);
        waiting[std::size_t(n)] = std::move(part);
        for (; next < waiting.size() && waiting[next]; ++next) {
            add(*waiting[next]);
            waiting[next].reset();
        }
    });
}

}  // namespace phlo
