#include "render/job.h"

#include <fmt/format.h>

#include <chrono>
#include <future>

#include "base/error.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/parallel.h"
#include "io/cache.h"
#include "io/movie.h"
#include "render/film/film.h"
#include "render/frame_render.h"

namespace phlo::render {
namespace {

/// Part of every picture's hash: a new number when the integrator's pictures change.
constexpr int integrator_version = 10;

double seconds_now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::vector<int> frames_to_render(const RenderJob& job, const std::filesystem::path& cache) {
    const std::vector<int> cached = io::cached_frames(cache);
    if (cached.empty()) throw InputError(fmt::format("{}: no frames (frame_NNNN.vdb) to render; run the scene first", cache.string()));
    const int first = job.first.value_or(cached.front()), last = job.last.value_or(cached.back());
    std::vector<int> frames, missing;
    for (int number = first; number <= last; ++number)
        (std::binary_search(cached.begin(), cached.end(), number) ? frames : missing).push_back(number);
    if (frames.empty())
        throw InputError(
            fmt::format("{}: no frame from {} to {}; there are {} to {}", cache.string(), first, last, cached.front(), cached.back()));
    if (!missing.empty())
        log::warn("{}: {} of the frames {} to {} are missing, the first is {}; the movie jumps over them", cache.string(), missing.size(),
                  first, last, missing.front());
    return frames;
}

/// A short text that changes when the picture of the sky does.
std::string map_identity(const RenderParams& look) {
    std::error_code error;
    if (!look.sky.map) return "";
    const auto time = std::filesystem::last_write_time(*look.sky.map, error);
    return fmt::format("{}", error ? 0 : time.time_since_epoch().count());
}

/// What a picture depends on; stored inside it.
std::string picture_hash(const RenderParams& look, Quality quality, const std::string& frame) {
    const std::string text =
        fmt::format("{}|{:016x}|{}|{}|{}", integrator_version, look_hash(look), int(quality), frame, map_identity(look));
    return fmt::format("{:016x}", fnv1a(text));
}

const char* name_of(Quality quality) {
    switch (quality) {
        case Quality::live: return "live";
        case Quality::draft: return "draft";
        case Quality::good: return "good";
        case Quality::final: return "final";
        case Quality::path: break;
    }
    return "path";
}

/// What is wrong with a frame is told with its file.
io::Image picture_of(const field::Frame& frame, const RenderParams& look, Quality quality, const std::filesystem::path& file) {
    try {
        return render_frame(frame, look, quality);
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", file.string(), error.what()));
    } catch (const RunError& error) {
        throw RunError(fmt::format("{}: {}", file.string(), error.what()));
    }
}

const char* depth_name(io::ExrDepth depth) { return depth == io::ExrDepth::half ? "half" : "float"; }

/// What a picture needs of a frame.
field::Frame read_for(const RenderJob& job, const std::filesystem::path& cache, int number) {
    return io::read_cache_frame(cache, number, {.velocity = needs_velocity(job.look), .occupied = true});
}

void write_picture(const RenderJob& job, const std::filesystem::path& images, int number, const io::Image& radiance,
                   const io::ImageMetadata& metadata) {
    if (job.exr) {
        io::ImageMetadata with_depth = metadata;
        with_depth["depth"] = depth_name(*job.exr);
        io::write_exr(io::frame_path(images, number, ".exr"), radiance, with_depth, *job.exr);
    }
    io::write_png(io::frame_path(images, number, ".png"), develop(radiance, {.exposure = job.look.exposure}), metadata);
}

io::ImageMetadata metadata_of(const RenderJob& job, const field::Frame& frame, int number, const std::string& hash) {
    io::ImageMetadata metadata{{"picture_hash", hash},
                               {"frame", std::to_string(number)},
                               {"fps", fmt::format("{}", frame.fps)},
                               {"time", fmt::format("{}", frame.time)},
                               {"quality", name_of(job.quality)},
                               {"exposure", fmt::format("{}", job.look.exposure)}};
    if (const auto scene_hash = frame.metadata.find("scene_hash"); scene_hash != frame.metadata.end())
        metadata["scene_hash"] = scene_hash->second;
    return metadata;
}

/// Whether the EXR that the job asks for is there already.
bool has_exr(const RenderJob& job, const std::filesystem::path& images, int number, const std::string& hash) {
    if (!job.exr) return true;
    io::ImageMetadata known = io::read_image_metadata(io::frame_path(images, number, ".exr"));
    return known["picture_hash"] == hash && known["depth"] == depth_name(*job.exr);
}

/// A frame of the job: what its picture depends on, and whether it is there already.
struct Shot {
    int number = 0;
    std::string hash = {};
    bool kept = false;
    std::string fps = {};  ///< of a picture that is kept
};

std::vector<Shot> plan(const RenderJob& job, const std::filesystem::path& cache, const std::filesystem::path& images) {
    std::vector<Shot> shots;
    for (const int number : frames_to_render(job, cache)) {
        Shot shot{.number = number};
        try {
            shot.hash = picture_hash(job.look, job.quality, io::frame_identity(cache, number));
        } catch (const RunError&) {
            shots.push_back(std::move(shot));  // a broken frame is told when it is its turn
            continue;
        }
        io::ImageMetadata known = io::read_image_metadata(io::frame_path(images, number, ".png"));
        shot.kept = !job.again && known["picture_hash"] == shot.hash && has_exr(job, images, number, shot.hash);
        if (shot.kept) shot.fps = known["fps"];
        shots.push_back(std::move(shot));
    }
    return shots;
}

/// The frames of a job in their order. While one is rendered, the next is read and the last one written, beside it: neither keeps all
/// cores busy. A job that may use one thread does one thing after the other.
class Pipeline {
public:
    Pipeline(const RenderJob& job, const std::vector<Shot>& shots, std::filesystem::path cache, std::filesystem::path images)
        : job_(job), shots_(shots), cache_(std::move(cache)), images_(std::move(images)) {}

    /// Renders shots[n]. Gives the frame's rate.
    double render(std::size_t n) {
        const int number = shots_[n].number;
        const field::Frame frame = next_.valid() && ahead_ == n ? next_.get() : read_for(job_, cache_, number);
        read_ahead(n + 1);
        io::Image radiance = picture_of(frame, job_.look, job_.quality, io::frame_path(cache_, number));
        finish();
        written_ = std::async(beside(),
                              [this, number, radiance = std::move(radiance), metadata = metadata_of(job_, frame, number, shots_[n].hash)] {
                                  write_picture(job_, images_, number, radiance, metadata);
                              });
        if (beside() == std::launch::deferred) finish();   // a frame that cannot be read must not take this picture with it
        return frame.fps;
    }

    /// Waits until every picture is a file.
    void finish() {
        if (written_.valid()) written_.get();
    }

private:
    static std::launch beside() { return thread_count() > 1 ? std::launch::async : std::launch::deferred; }

    void read_ahead(std::size_t n) {
        while (n < shots_.size() && shots_[n].kept) ++n;
        if (n == shots_.size() || thread_count() == 1) return;
        ahead_ = n;
        next_ = std::async(std::launch::async, [this, number = shots_[n].number] { return read_for(job_, cache_, number); });
    }

    const RenderJob& job_;
    const std::vector<Shot>& shots_;
    std::filesystem::path cache_, images_;
    std::size_t ahead_ = 0;
    std::future<field::Frame> next_;
    std::future<void> written_;
};

}  // namespace

RenderReport render_frames(const RenderJob& asked) {
    RenderJob job = asked;
    const auto cache = std::filesystem::is_directory(job.dir / "cache") ? job.dir / "cache" : job.dir;
    if (!std::filesystem::is_directory(cache)) throw InputError(fmt::format("{}: no such directory", job.dir.string()));
    const auto out = job.out.empty() ? job.dir : job.out, images = out / "images";
    job.look.width = job.width.value_or(job.look.width), job.look.height = job.height.value_or(job.look.height);

    RenderReport report;
    const double start = seconds_now();
    double fps = 24, spent = 0;
    const std::vector<Shot> shots = plan(job, cache, images);
    Pipeline pipeline(job, shots, cache, images);
    for (std::size_t n = 0; n < shots.size(); ++n) {
        if (job.stop && job.stop()) {
            report.stopped = true;
            break;
        }
        const double begun = seconds_now();
        const Shot& shot = shots[n];
        if (!shot.kept) fps = pipeline.render(n);
        else if (!shot.fps.empty()) fps = std::stod(shot.fps);
        report.pictures.push_back(io::frame_path(images, shot.number, ".png"));
        const double seconds = seconds_now() - begun;
        ++(shot.kept ? report.kept : report.rendered);
        if (!shot.kept) spent += seconds;
        if (job.progress)
            job.progress({.frame = shot.number,
                          .done = int(n) + 1,
                          .total = int(shots.size()),
                          .kept = shot.kept,
                          .seconds = seconds,
                          .remaining = report.rendered > 0 ? spent / report.rendered * double(shots.size() - n - 1) : 0});
    }
    pipeline.finish();
    if (job.movie && !report.stopped && report.pictures.size() > 1) {
        report.movie = out / "movie.mp4";
        io::write_movie(report.movie, report.pictures, fps);
    }
    report.seconds = seconds_now() - start;
    return report;
}

}  // namespace phlo::render
