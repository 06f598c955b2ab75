#include "sim/frame_writer.h"

#include "base/parallel.h"
#include "io/cache.h"

namespace phlo::sim {

void FrameWriter::write(field::Frame frame, std::function<void()> done) {
    wait();
    const io::VdbOptions options{.naming = output_.names == scene::GridNames::houdini ? io::GridNaming::houdini : io::GridNaming::blender,
                                 .half = output_.half,
                                 .velocity = output_.velocity ? io::VelocityRegion::active : io::VelocityRegion::none};
    const auto how = thread_count() > 1 ? std::launch::async : std::launch::deferred;
    pending_ = std::async(how, [this, options, frame = std::move(frame)] { io::write_cache_frame(cache_, frame, options); });
    done_ = std::move(done);
    if (how == std::launch::deferred) wait();
}

void FrameWriter::wait() {
    if (!pending_.valid()) return;
    pending_.get();
    std::exchange(done_, nullptr)();
}

}  // namespace phlo::sim
