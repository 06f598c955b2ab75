// A number of threads for what is called, also more than the machine has cores: ThreadLimit alone can only take some away.
//
//   const auto bits = test::with_threads(16, [&] { return made(); });
#pragma once
#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <utility>

#include "base/parallel.h"

namespace phlo::test {

template <class F>
auto with_threads(int threads, F&& call) {
    const ThreadLimit limit(threads);
    tbb::task_arena arena(threads);
    return arena.execute([&] {
        EXPECT_EQ(thread_count(), threads);
        return call();
    });
}

}  // namespace phlo::test
