#include "base/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#if defined(__SANITIZE_THREAD__)
#define PHLO_WATCHED_THREADS
#elif defined(__has_feature)   // clang
#if __has_feature(thread_sanitizer)
#define PHLO_WATCHED_THREADS
#endif
#endif
#if defined(PHLO_WATCHED_THREADS)
#include <sanitizer/tsan_interface.h>
#endif

namespace phlo {
namespace {

/// Tells ThreadSanitizer what happens before what: it does not see inside TBB.
class HandOver {
public:
#if defined(PHLO_WATCHED_THREADS)
    void give() { __tsan_release(this); }
    void take() { __tsan_acquire(this); }
#else
    void give() {}
    void take() {}
#endif
};

}  // namespace

ThreadLimit::ThreadLimit(int threads)
    : control_(threads > 0 ? new tbb::global_control(tbb::global_control::max_allowed_parallelism, std::size_t(threads)) : nullptr) {}

ThreadLimit::~ThreadLimit() { delete static_cast<tbb::global_control*>(control_); }

int thread_count() {
    const auto allowed = int(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
    return std::min(allowed, tbb::this_task_arena::max_concurrency());
}

void run_items(int count, Share share, ItemRun run, const void* body) {
    HandOver begun, done;
    begun.give();
    const auto visit = [&](const tbb::blocked_range<int>& range) {
        begun.take();
        run(body, range.begin(), range.end());
        done.give();
    };
    const tbb::blocked_range<int> items(0, count, 1);
    if (share == Share::one_by_one) tbb::parallel_for(items, visit, tbb::simple_partitioner());
    else tbb::parallel_for(items, visit);
    done.take();
}

void run_alone(ItemRun run, const void* body) {
    tbb::task_arena(1).execute([&] { run(body, 0, 1); });
}

}  // namespace phlo
