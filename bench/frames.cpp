#include "frames.h"

#include <time.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/json.h"
#include "base/memory.h"
#include "sim/frame_writer.h"

namespace phlo::bench {

double processor_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

std::string Frames::stages_json() const {
    json::Object stages;
    for (const auto& [name, spent] : stats.seconds.entries()) stages.number(name, spent);
    return stages.str();
}

Frames time_frames(models::Model& model, const FrameSpan& span, std::size_t before) {
    const auto dir = std::filesystem::temp_directory_path() / "phlo_bench_frames";
    std::filesystem::create_directories(dir);
    sim::FrameWriter writer(dir, {});
    struct Timed {
        models::FrameStats stats;
        double processor;
    };
    std::vector<Timed> timed;
    for (int f = 0; f < span.warm_up + span.count; ++f) {
        const double processor = processor_seconds();
        models::FrameStats stats = model.advance(1 / span.fps);
        {
            const Stage stage(stats.seconds, "output");
            writer.write(model.show(), [] {});   // while the next frame is simulated; waits for the one before
        }
        if (f >= span.warm_up) timed.push_back({stats, processor_seconds() - processor});
    }
    writer.wait();
    std::filesystem::remove_all(dir);
    Frames frames;
    frames.last = timed.back().stats;
    std::ranges::sort(timed, {}, [](const Timed& t) { return t.processor; });
    frames.processor = timed[timed.size() / 2].processor;
    std::ranges::sort(timed, {}, [](const Timed& t) { return t.stats.seconds.total(); });
    frames.stats = timed[timed.size() / 2].stats;
    frames.seconds = frames.stats.seconds.total();
    frames.memory = private_bytes() - std::min(before, private_bytes());
    return frames;
}

}  // namespace phlo::bench
