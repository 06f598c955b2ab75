// The memory bound: what a += s b reaches with all threads.
#pragma once
#include <cstddef>

namespace phlo::bench {

/// Bytes a second when two arrays of together `working_set` bytes are streamed through: from the last cache if they fit, else from memory.
double stream_bandwidth(std::size_t working_set);

}  // namespace phlo::bench
