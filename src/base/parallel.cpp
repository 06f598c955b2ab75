#include "base/parallel.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace phlo {

ThreadLimit::ThreadLimit(int threads)
    : control_(threads > 0 ? new tbb::global_control(tbb::global_control::max_allowed_parallelism, std::size_t(threads)) : nullptr) {}

ThreadLimit::~ThreadLimit() { delete static_cast<tbb::global_control*>(control_); }

int thread_count() {
    const auto allowed = int(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
    return std::min(allowed, tbb::this_task_arena::max_concurrency());
}

void alone(const std::function<void()>& body) { tbb::task_arena(1).execute(body); }

}  // namespace phlo
