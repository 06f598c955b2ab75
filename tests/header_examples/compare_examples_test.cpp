#include "examples.h"

#include <fmt/format.h>

#include "compare/comparison.h"

namespace phlo::compare {

void record_example(const models::FrameStats& stats, const field::Frame& frame, const render::RenderParams& look) {
    Record record = read_run("out/my", look);
    Record other;
    other.add(stats, stats.time), other.add(frame, look);
    record.find("heat")->at(0.5);
}

void comparison_example(const render::RenderParams& look) {
    const Comparison comparison = compare(read_run("out/small", look), read_run("out/large", look), {.times = 5, .mean = 0.5});
    fmt::print("{}", to_table(comparison));
    comparison.find("heat")->worst();
}

}  // namespace phlo::compare
