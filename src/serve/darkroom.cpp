#include "serve/darkroom.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.h"
#include "base/json.h"
#include "io/image.h"
#include "render/film/film.h"
#include "render/flipbook/flipbook.h"
#include "render/frame_render.h"
#include "render/job.h"
#include "render/live/cast.h"
#include "sim/simulation.h"

namespace phlo::serve {
namespace {

constexpr std::pair<const char*, render::Quality> qualities[] = {
    {"draft", render::Quality::draft}, {"good", render::Quality::good}, {"final", render::Quality::final}, {"path", render::Quality::path}};

struct Size {
    int width = 0, height = 0;
};

int whole_number(const json::Value& m, const char* name, double otherwise, int least, int most) {
    const double value = m.number(name, otherwise);
    if (!(value >= least && value <= most)) throw InputError(fmt::format("'{}' is a number from {} to {}", name, least, most));
    return int(value);
}

/// Of the message, or the look's own.
Size size_in(const json::Value& m, const render::RenderParams& look) { return {whole_number(m, "width", look.width, 16, 7680), whole_number(m, "height", look.height, 16, 4320)}; }

std::optional<int> frame_in(const json::Value& m, const char* name) { return m.get(name) ? std::optional(whole_number(m, name, 0, 0, 10'000'000)) : std::nullopt; }

/// Fires of particles are drawn live in every quality: no other draws them.
io::Image radiance_of(const field::Frame& frame, render::RenderParams look, render::Quality quality, const Size& size, const render::PictureWatch* watch = nullptr) {
    look.width = size.width, look.height = size.height;
    return render::render_frame(frame, look, render::holds_live_points(frame) ? render::Quality::live : quality, watch);
}

std::string developed(const io::Image& radiance, const render::RenderParams& look) { return io::png_bytes(render::develop(radiance, {.exposure = look.exposure})); }

struct Pass {
    render::Quality quality;
    int smaller;                 ///< by this the picture is smaller than what was asked for
};

/// A picture that gets better before one's eyes: each pass appears tile by tile in the place of the one before.
class Passes {
public:
    Passes(JobControl& job, const field::Frame& frame, const render::RenderParams& look, const Size& size) : job_(job), frame_(frame), look_(look), size_(size) {}

    void make(const std::vector<Pass>& passes) {
        for (std::size_t n = 0; n < passes.size(); ++n) {
            if (job_.stopped()) return;
            const auto tell = [&](double share) { job_.progress(int(std::lround(per_pass * (double(n) + share))), per_pass * int(passes.size())); };
            const render::PictureWatch watch{.show = [&](const render::PictureSoFar& so_far) {
                put(over_last(so_far)), tell(so_far.share);
                return !job_.stopped();
            }};
            const Size size{std::max(16, size_.width / passes[n].smaller), std::max(9, size_.height / passes[n].smaller)};
            last_ = radiance_of(frame_, look_, passes[n].quality, size, &watch);
            put(last_), tell(1);
        }
    }

private:
    static constexpr int per_pass = 100;

    void put(const io::Image& radiance) { job_.put("picture.png", {.type = "image/png", .body = developed(radiance, look_)}); }

    io::Image over_last(const render::PictureSoFar& so_far) const {
        io::Image image = so_far.radiance;
        if (last_.pixels.empty()) return image;
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x)
                if (!so_far.finished[std::size_t(y) * std::size_t(image.width) + std::size_t(x)]) image(x, y) = last_(x * last_.width / image.width, y * last_.height / image.height);
        return image;
    }

    JobControl& job_;
    const field::Frame& frame_;
    const render::RenderParams& look_;
    Size size_;
    io::Image last_ = {};        ///< of the pass before
};

/// Something is seen in a moment, and each pass is better than the one before.
std::vector<Pass> passes_to(render::Quality quality) {
    using enum render::Quality;
    if (quality == draft) return {{draft, 4}, {draft, 1}};
    if (quality == good) return {{draft, 4}, {draft, 1}, {good, 1}};
    return {{draft, 4}, {draft, 1}, {good, 1}, {quality, 1}};
}

/// The shot as a live view simulates it, at its `frame`, with a key set to another value.
std::string wedge_picture(const LookedScene& scene, int frame, const Size& size, const std::function<bool()>& next_frame) {
    sim::Simulation simulation(scene.scene);
    while (simulation.frame() < frame) {
        if (!next_frame()) throw RunError("stopped");
        simulation.advance();
    }
    return developed(radiance_of(simulation.snapshot(), scene.look, render::Quality::draft, size), scene.look);
}

std::vector<std::string> texts_in(const json::Value& m, const char* name, std::size_t most) {
    std::vector<std::string> texts;
    if (const json::Value* list = m.get(name); list && list->kind == json::Value::Kind::array)
        for (const json::Value& item : list->items)
            if (item.kind == json::Value::Kind::text) texts.push_back(item.string);
    if (texts.empty() || texts.size() > most) throw InputError(fmt::format("'{}' is a list of 1 to {} texts", name, most));
    return texts;
}

}  // namespace

render::Quality quality_named(const std::string& name) {
    for (const auto& [word, quality] : qualities)
        if (name == word) return quality;
    throw InputError("a quality is draft, good, final or path");
}

Darkroom::Darkroom(Worktable& table, const Timeline& timeline, Shelf& shelf) : table_(table), timeline_(timeline), jobs_(shelf, [this] { tell_jobs(); }) {}

void Darkroom::add_handlers(MessageHandlers& handlers) {
    handlers["picture"] = [this](int, const json::Value& m) { picture(m); };
    handlers["movie"] = [this](int, const json::Value& m) { movie(m); };
    handlers["flipbook"] = [this](int, const json::Value& m) { flipbook(m); };
    handlers["wedge"] = [this](int, const json::Value& m) { wedge(m); };
    handlers["cancel"] = [this](int, const json::Value& m) { jobs_.cancel(whole_number(m, "job", 0, 0, 1 << 30)); };
}

void Darkroom::picture(const json::Value& m) {
    const std::string word = m.text("quality", "draft");
    const render::Quality quality = quality_named(word);
    const render::RenderParams look = table_.whole.look;
    const Size size = size_in(m, look);
    const int frame = timeline_.shown() ? timeline_.shown()->frame : table_.live->simulation().frame();
    const std::string where = timeline_.shown() ? timeline_.shown()->run : "live";
    jobs_.add({.kind = "picture", .title = fmt::format("{}, frame {}, {}", where, frame, word)}, [=, current = timeline_.current()](JobControl& job) {
        const std::shared_ptr<const field::Frame> shown = current();
        Passes(job, *shown, look, size).make(render::holds_live_points(*shown) ? std::vector<Pass>{{quality, 1}} : passes_to(quality));
    });
}

void Darkroom::movie(const json::Value& m) {
    const std::string run = m.text("run", ""), word = m.text("quality", "draft");
    const Size size = size_in(m, table_.whole.look);
    const render::RenderJob order{.dir = timeline_.runs().find(run), .first = frame_in(m, "first"), .last = frame_in(m, "last"), .quality = quality_named(word), .width = size.width, .height = size.height, .look = table_.whole.look};
    jobs_.add({.kind = "movie", .title = fmt::format("{}, {}, {} x {}", run, word, size.width, size.height)}, [order](JobControl& job) {
        render::RenderJob making = order;
        making.progress = [&](const render::RenderProgress& p) { job.progress(p.done, p.total); };
        making.stop = [&] { return job.stopped(); };
        const render::RenderReport report = render::render_frames(making);
        if (!report.movie.empty()) job.put_file(report.movie);
        else if (!report.stopped && !report.pictures.empty()) job.put_file(report.pictures.front());
    });
}

void Darkroom::flipbook(const json::Value& m) {
    const std::string run = m.text("run", "");
    const int columns = whole_number(m, "columns", 8, 1, 64), rows = whole_number(m, "rows", 8, 1, 64), cell = whole_number(m, "cell", 128, 8, 1024);
    const render::FlipbookJob order{.dir = timeline_.runs().find(run), .layout = {.columns = columns, .rows = rows, .cell_width = cell, .cell_height = cell}, .loop = m.flag("loop", false), .look = table_.whole.look};
    jobs_.add({.kind = "flipbook", .title = fmt::format("{}, {} x {} cells of {} pixels", run, columns, rows, cell)}, [order](JobControl& job) {
        render::FlipbookJob making = order;
        making.progress = [&](const render::FlipbookProgress& p) { job.progress(p.framing ? 0 : p.done, p.total); };
        making.stop = [&] { return job.stopped(); };
        for (const std::filesystem::path& file : render::make_flipbook(making).files) job.put_file(file);
    });
}

void Darkroom::wedge(const json::Value& m) {
    const std::string path = m.text("path", "");
    if (path.empty()) throw InputError("'path' names the key that is varied");
    const std::vector<std::string> values = texts_in(m, "values", 16);
    const int resolution = has_resolution(table_.live->scene()) ? table_.live->scene().shot.domain.resolution : 0;
    std::vector<LookedScene> scenes;
    for (const std::string& value : values) scenes.push_back(read_scene(table_.right_text, table_.document.file().string(), resolution, {path + "=" + value}));
    const models::TimeParams& time = table_.live->scene().shot.time;
    const int frame = whole_number(m, "frame", std::max(time.first_frame, table_.live->simulation().frame()), time.first_frame, time.first_frame + 1000);
    const Size size{320, std::max(9, 320 * table_.whole.look.height / std::max(1, table_.whole.look.width))};
    const std::string about = json::Object().text("path", path).raw("values", json::array(values, [](const std::string& v) { return json::quoted(v); })).number("frame", frame).str();
    jobs_.add({.kind = "wedge", .title = fmt::format("{} over {} values, frame {}", path, values.size(), frame), .about = about}, [scenes = std::move(scenes), values, frame, size, first = time.first_frame](JobControl& job) {
        int done = 0;
        const int total = std::max(1, int(scenes.size()) * (frame - first));
        for (std::size_t n = 0; n < scenes.size() && !job.stopped(); ++n) {
            const auto next_frame = [&] {
                if (++done % 4 == 0) job.progress(done, total);
                return !job.stopped();
            };
            job.put(values[n], {.type = "image/png", .body = wedge_picture(scenes[n], frame, size, next_frame)});
        }
        job.progress(total, total);
    });
}

std::string Darkroom::jobs_message() const { return json::Object().text("type", "jobs").raw("jobs", jobs_.to_json()).str(); }

void Darkroom::tell_jobs() {
    if (telling_.exchange(true)) return;
    table_.voice.post([this] {
        telling_ = false;
        table_.voice.all(jobs_message());
    });
}

}  // namespace phlo::serve
