// Parallel loops whose results do not depend on the number of threads.
//
//   parallel_for(n, [&](int i) { ... });                     // items are independent
//   double s = parallel_sum(n, [&](int i) { return ...; });  // one partial result an item, added in order
//
// An item should be a chunk of fixed size (a plane, a tile), never "my share of the threads".
//
// Half of all files include this: TBB stays behind it, and what passes is the address of the loop's body.
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace phlo {

/// Limits every parallel loop to `threads` while it lives; 0 means all cores.
class ThreadLimit {
public:
    explicit ThreadLimit(int threads);
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

private:
    void* control_;
};

/// How many threads a parallel loop may use now.
int thread_count();

enum class Share {
    runs,       ///< neighbouring items go to one thread together: for many cheap ones
    one_by_one  ///< threads take one after the other until none is left: for few expensive ones
};

/// The body of a loop behind its address: does the items from `first` to before `last`.
using ItemRun = void (*)(const void* body, int first, int last);
void run_items(int count, Share share, ItemRun run, const void* body);
void run_alone(ItemRun run, const void* body);

template <class Body>
void parallel_for(int count, const Body& body, Share share = Share::runs) {
    run_items(count, share, [](const void* erased, int first, int last) {
        const Body& each = *static_cast<const Body*>(erased);
        for (int i = first; i != last; ++i) each(i);
    }, std::addressof(body));
}

/// Runs `body` with no help from other threads: for libraries whose parallel result depends on who did what.
template <class Body>
void alone(const Body& body) {
    run_alone([](const void* erased, int, int) { (*static_cast<const Body*>(erased))(); }, std::addressof(body));
}

/// body(i) gives the partial result of item i; they are combined in the order of i.
template <class T, class Body, class Combine>
T parallel_reduce(int count, T start, Body&& body, Combine&& combine) {
    std::vector<T> partial(std::size_t(count), start);
    parallel_for(count, [&](int i) { partial[std::size_t(i)] = body(i); });
    for (const T& part : partial) start = combine(start, part);
    return start;
}

template <class Body>
double parallel_sum(int count, Body&& body) {
    return parallel_reduce(count, 0.0, body, [](double a, double b) { return a + b; });
}

template <class Body>
double parallel_max(int count, double start, Body&& body) {
    return parallel_reduce(count, start, body, [](double a, double b) { return std::max(a, b); });
}

}  // namespace phlo
