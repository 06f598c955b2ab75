#include "render/job.h"

#include <fmt/format.h>

#include <chrono>

#include "base/error.h"
#include "base/log.h"
#include "io/cache.h"
#include "io/movie.h"
#include "render/film.h"
#include "render/frame_render.h"

namespace phlo::render {
namespace {

/// Part of every picture's hash: a new number when the integrator's pictures change.
constexpr int integrator_version = 6;

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
    std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return fmt::format("{:016x}", hash);
}

const char* name_of(Quality quality) {
    switch (quality) {
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

void render_one(const RenderJob& job, const RenderParams& look, const std::filesystem::path& cache, const std::filesystem::path& images,
                int number, const std::string& hash) {
    const field::Frame frame = io::read_cache_frame(cache, number);
    const io::Image radiance = picture_of(frame, look, job.quality, io::frame_path(cache, number));
    io::ImageMetadata metadata{{"picture_hash", hash},
                               {"frame", std::to_string(number)},
                               {"fps", fmt::format("{}", frame.fps)},
                               {"time", fmt::format("{}", frame.time)},
                               {"quality", name_of(job.quality)},
                               {"exposure", fmt::format("{}", look.exposure)}};
    if (const auto scene_hash = frame.metadata.find("scene_hash"); scene_hash != frame.metadata.end())
        metadata["scene_hash"] = scene_hash->second;
    if (job.exr) {
        io::ImageMetadata with_depth = metadata;
        with_depth["depth"] = depth_name(*job.exr);
        io::write_exr(io::frame_path(images, number, ".exr"), radiance, with_depth, *job.exr);
    }
    io::write_png(io::frame_path(images, number, ".png"), develop(radiance, {.exposure = look.exposure}), metadata);
}

/// Whether the EXR that the job asks for is there already.
bool has_exr(const RenderJob& job, const std::filesystem::path& images, int number, const std::string& hash) {
    if (!job.exr) return true;
    io::ImageMetadata known = io::read_image_metadata(io::frame_path(images, number, ".exr"));
    return known["picture_hash"] == hash && known["depth"] == depth_name(*job.exr);
}

}  // namespace

RenderReport render_frames(const RenderJob& job) {
    const auto cache = std::filesystem::is_directory(job.dir / "cache") ? job.dir / "cache" : job.dir;
    if (!std::filesystem::is_directory(cache)) throw InputError(fmt::format("{}: no such directory", job.dir.string()));
    const auto out = job.out.empty() ? job.dir : job.out, images = out / "images";
    RenderParams look = job.look;
    look.width = job.width.value_or(look.width), look.height = job.height.value_or(look.height);

    RenderReport report;
    const double start = seconds_now();
    double fps = 24, spent = 0;
    const std::vector<int> frames = frames_to_render(job, cache);
    for (std::size_t n = 0; n < frames.size(); ++n) {
        if (job.stop && job.stop()) {
            report.stopped = true;
            break;
        }
        const double begun = seconds_now();
        const auto picture = io::frame_path(images, frames[n], ".png");
        const std::string hash = picture_hash(look, job.quality, io::frame_identity(cache, frames[n]));
        io::ImageMetadata known = io::read_image_metadata(picture);
        const bool kept = !job.again && known["picture_hash"] == hash && has_exr(job, images, frames[n], hash);
        if (!kept) {
            render_one(job, look, cache, images, frames[n], hash);
            known = io::read_image_metadata(picture);
        }
        if (!known["fps"].empty()) fps = std::stod(known["fps"]);
        report.pictures.push_back(picture);
        const double seconds = seconds_now() - begun;
        ++(kept ? report.kept : report.rendered);
        if (!kept) spent += seconds;
        if (job.progress)
            job.progress({.frame = frames[n],
                          .done = int(n) + 1,
                          .total = int(frames.size()),
                          .kept = kept,
                          .seconds = seconds,
                          .remaining = report.rendered > 0 ? spent / report.rendered * double(frames.size() - n - 1) : 0});
    }
    if (job.movie && !report.stopped && report.pictures.size() > 1) {
        report.movie = out / "movie.mp4";
        io::write_movie(report.movie, report.pictures, fps);
    }
    report.seconds = seconds_now() - start;
    return report;
}

}  // namespace phlo::render
