// Parallel loops whose results do not depend on the number of threads.
//
//   parallel_for(n, [&](int i) { ... });                     // items are independent
//   double s = parallel_sum(n, [&](int i) { return ...; });  // one partial result an item, added in order
//
// An item should be a chunk of fixed size (a plane, a tile), never "my share of the threads".
#pragma once
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

#include <algorithm>
#include <functional>
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

/// Runs `body` with no help from other threads: for libraries whose parallel result depends on who did what.
void alone(const std::function<void()>& body);

/// Tells ThreadSanitizer what happens before what: it does not see inside TBB.
class HandOver {
public:
#if defined(__SANITIZE_THREAD__)
    void give() { __tsan_release(this); }
    void take() { __tsan_acquire(this); }
#else
    void give() {}
    void take() {}
#endif
};

template <class Body>
void parallel_for(int count, Body&& body) {
    HandOver begun, done;
    begun.give();
    tbb::parallel_for(tbb::blocked_range<int>(0, count, 1), [&](const tbb::blocked_range<int>& range) {
        begun.take();
        for (int i = range.begin(); i != range.end(); ++i) body(i);
        done.give();
    });
    done.take();
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
