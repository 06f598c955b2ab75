#include "player.h"

#include <chrono>
#include <cmath>
#include <optional>
#include <thread>

#include "base/parallel.h"

namespace phlo::apps {
namespace {

double seconds_now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void sleep(double seconds) {
    if (seconds > 0) std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

long all_particles(const models::FrameStats& stats, const field::Frame& frame) {
    long sum = 0;
    for (const auto& [name, count] : stats.particles) sum += count;
    if (sum == 0)
        for (const field::Points& points : frame.points) sum += long(points.size());
    return sum;
}

/// Pictures go on to the writer one at a time, in their order, on another thread.
class Writer {
public:
    Writer(const WritePicture& write, bool beside) : write_(write), beside_(beside ? std::launch::async : std::launch::deferred) {}

    /// `copies` times; false if nobody wants more.
    bool add(io::DisplayImage image, int copies, StageTimes& times) {
        if (!finish(times) || !write_) return wanted_;
        pending_ = std::async(beside_, [this, image = std::move(image), copies] {
            StageTimes seconds;
            bool wanted = true;
            {
                const Stage stage(seconds, "writing");
                for (int n = 0; n < copies && wanted; ++n) wanted = write_(image);
            }
            return std::pair(wanted, seconds);
        });
        if (beside_ == std::launch::deferred) finish(times);
        return wanted_;
    }
    bool finish(StageTimes& times) {
        if (!pending_.valid()) return wanted_;
        const auto [wanted, seconds] = pending_.get();
        times.add(seconds);
        return wanted_ = wanted_ && wanted;
    }

private:
    const WritePicture& write_;
    std::launch beside_;
    bool wanted_ = true;
    std::future<std::pair<bool, StageTimes>> pending_;
};

}  // namespace

Player::Player(const scene::Scene& scene, const render::RenderParams& look, const PlayParams& params)
    : params_(params), fps_(scene.shot.time.fps), simulation_(scene), picture_(look) {}

Player::Moment Player::first() const { return {.frame = simulation_.snapshot(), .stats = simulation_.stats(), .step = 0, .seconds = {}}; }

Player::Moment Player::next(double step) {
    Moment moment{.frame = {}, .stats = simulation_.advance(step), .step = step, .seconds = {}};
    moment.seconds = moment.stats.seconds;
    const Stage stage(moment.seconds, "snapshot");
    moment.frame = simulation_.snapshot();
    return moment;
}

PlayReport Player::play(const WritePicture& write, const TellTick& tell) {
    const bool beside = params_.overlapped && thread_count() > 1;
    // What is written has a rate of its own; more pictures than that would be thrown away.
    sim::Pace pace({.frame = 1 / fps_, .fixed = params_.fixed, .shortest = write ? 1 / fps_ : 1 / 240.0, .longest = 0.1});
    Writer writer(write, beside);
    PlayReport report;
    const double begin = seconds_now();
    const int frames = std::max(1, int(std::lround(params_.seconds * fps_)));
    double before = begin;
    Moment moment = first();
    for (bool more = true; more;) {
        sleep(pace.wait(seconds_now()));
        const double now = seconds_now(), step = pace.step(now);
        ++report.pictures;
        // How long the stream is with this picture.
        const int due = params_.fixed ? report.pictures : std::min(frames, int(std::lround(moment.frame.time * fps_)) + 1);
        const bool done = due >= frames;
        std::optional<std::future<Moment>> coming;
        if (!done) coming = std::async(beside ? std::launch::async : std::launch::deferred, [this, step] { return next(step); });

        PlayTick tick{.picture = report.pictures, .time = moment.frame.time, .step = moment.step, .real = now - before, .speed = pace.speed()};
        io::DisplayImage image = picture_.draw(moment.frame);
        tick.drawing = picture_.times(), tick.simulation = moment.seconds, tick.particles = all_particles(moment.stats, moment.frame);
        more = writer.add(std::move(image), write ? due - report.written : 0, tick.writing) && !done;
        report.written = write ? due : 0;

        report.simulation.add(tick.simulation), report.drawing.add(tick.drawing), report.writing.add(tick.writing);
        report.time = moment.frame.time, report.particles = tick.particles;
        if (!tell(tick)) more = false;
        if (coming) moment = coming->get();
        before = now;
    }
    writer.finish(report.writing);
    report.real = seconds_now() - begin;
    report.kept_up = params_.fixed || pace.speed() > 0.95;
    return report;
}

}  // namespace phlo::apps
