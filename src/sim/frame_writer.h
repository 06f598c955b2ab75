// Writes frames to a cache while the next ones are simulated: one at a time, in their order.
//
//   FrameWriter writer(dir / "cache", output);
//   writer.write(simulation.snapshot(), [&] { append_stats(…); });   // at once, if the one before is done
//   writer.wait();                                                   // until all are safe on the disk
//
// What goes wrong in writing a frame is thrown by the next call. With one thread frames are written before write() returns.
#pragma once
#include <filesystem>
#include <functional>
#include <future>

#include "field/frame.h"
#include "scene/scene.h"

namespace phlo::sim {

class FrameWriter {
public:
    FrameWriter(std::filesystem::path cache, const scene::OutputParams& output) : cache_(std::move(cache)), output_(output) {}

    /// `done` is called, in the caller's thread, by the write() or wait() that finds this frame safe.
    void write(field::Frame frame, std::function<void()> done);
    void wait();

private:
    std::filesystem::path cache_;
    scene::OutputParams output_;
    std::future<void> pending_;
    std::function<void()> done_;
};

}  // namespace phlo::sim
