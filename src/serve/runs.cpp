#include "serve/runs.h"

#include <algorithm>
#include <chrono>
#include <fstream>

#include <fmt/format.h>

#include "base/error.h"
#include "base/json.h"
#include "base/json_read.h"
#include "config/file_gate.h"
#include "io/cache.h"
#include "serve/worktable.h"
#include "sim/replay.h"
#include "sim/run.h"

namespace phlo::serve {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int checkpoint_every = 10;        // frames: of any other one a few are simulated again
constexpr std::size_t most_runs = 200;      // that are listed

/// [[1, 40], [43, 50]]
std::string ranges_json(const std::vector<int>& frames) {
    std::vector<std::string> ranges;
    for (std::size_t n = 0, begin = 0; n < frames.size(); ++n) {
        if (n + 1 < frames.size() && frames[n + 1] == frames[n] + 1) continue;
        ranges.push_back(fmt::format("[{},{}]", frames[begin], frames[n]));
        begin = n + 1;
    }
    return json::array(ranges);
}

std::string run_json(const fs::path& path) {
    return json::Object().text("name", path.filename().string()).raw("frames", ranges_json(io::cached_frames(path / "cache"))).raw("checkpoints", json::numbers(io::cached_frames(path / "checkpoint", ".bin"))).str();
}

/// By what else than its look a scene differs from the one that a run was made with.
std::vector<scene::Change> changes_since(const sim::RunDirectory& directory, const LookedScene& scene) {
    if (!fs::exists(directory.scene())) return {};
    render::RenderParams look = scene.look;
    return directory.changes(scene.scene, look_section(look));
}

/// A run that was made with another scene is not gone on with by accident.
void check_scene(const sim::RunDirectory& directory, const LookedScene& scene) {
    const std::vector<scene::Change> changes = changes_since(directory, scene);
    if (changes.empty()) return;
    std::string keys;
    for (std::size_t n = 0; n < changes.size() && n < 4; ++n) keys += (keys.empty() ? "" : ", ") + changes[n].path;
    throw InputError(fmt::format("the run '{}' was made with another scene ({}{}): begin it anew, go on from one of its frames, or choose another name",
                                 directory.path.filename().string(), keys, changes.size() > 4 ? ", …" : ""));
}

}  // namespace

Runs::Runs(fs::path folder, std::function<void()> changed) : folder_(std::move(folder)), changed_(std::move(changed)) {}

Runs::~Runs() { end(); }

void Runs::end() {
    stop();
    if (thread_.joinable()) thread_.join();
}

bool Runs::running() const {
    const std::lock_guard hold(guard_);
    return progress_.running;
}

fs::path Runs::place(const std::string& name) const {
    if (!is_plain_name(name)) throw InputError("a run's name is letters, digits, '-', '_' and '.'");
    for (const fs::path& part : {folder_ / name, folder_ / name / "cache", folder_ / name / "checkpoint", folder_ / name / "scene.yaml"}) config::check_readable(part);
    return folder_ / name;
}

fs::path Runs::find(const std::string& name) const {
    fs::path path = place(name);
    std::error_code error;
    if (!fs::is_directory(path / "cache", error)) throw InputError(fmt::format("there is no run '{}'", name));
    return path;
}

std::vector<scene::Change> Runs::changes(const std::string& name, const LookedScene& scene) const { return changes_since({find(name)}, scene); }

void Runs::start(const RunOrder& order, const LookedScene& scene) {
    if (running()) throw InputError("a run goes on already; stop it first");
    const fs::path out = place(order.name);
    if (order.from_frame) find(order.from_run.empty() ? order.name : order.from_run);
    else if (!order.overwrite) check_scene({out}, scene);
    if (thread_.joinable()) thread_.join();
    LookedScene whole = scene;
    models::TimeParams& time = whole.scene.shot.time;
    if (time.checkpoints == 0) time.checkpoints = checkpoint_every;
    if (order.last > 0) time.last_frame = std::max(time.first_frame, order.last);
    const int begin = order.from_frame.value_or(time.first_frame - 1);
    note([&](Progress& p) { p = {.name = order.name, .first = begin + 1, .last = time.last_frame, .done = begin, .running = true}; });
    stop_ = false;
    thread_ = std::thread([this, order, whole = std::move(whole)]() mutable { run(order, std::move(whole)); });
}

void Runs::run(const RunOrder& order, LookedScene scene) {
    std::string error;
    try {
        sim::RunOptions options{.out = folder_ / order.name, .resume = !order.from_frame && !order.overwrite, .resume_frame = order.from_frame, .overwrite = order.overwrite, .sections = look_section(scene.look)};
        if (order.from_frame) {
            options.from = folder_ / (order.from_run.empty() ? order.name : order.from_run);
            sim::replay({options.from}, *order.from_frame, [&](int frame) {
                note([&](Progress& p) { p.replayed = frame; });
                return !stop_;
            });
        }
        Clock::time_point before = Clock::now();
        sim::run(scene.scene, options, [&](const models::FrameStats& stats) {
            const Clock::time_point now = Clock::now();
            const double seconds = std::chrono::duration<double>(now - std::exchange(before, now)).count();
            note([&](Progress& p) { p.done = stats.frame, p.replayed = 0, p.seconds = p.seconds > 0 ? p.seconds + 0.2 * (seconds - p.seconds) : seconds; });
            return !stop_;
        });
    } catch (const std::exception& failure) {
        error = stop_ ? "" : failure.what();
    }
    note([&](Progress& p) { p.running = false, p.replayed = 0, p.error = error; });
}

void Runs::note(const std::function<void(Progress&)>& change) {
    {
        const std::lock_guard hold(guard_);
        change(progress_);
    }
    changed_();
}

std::string Runs::to_json() const {
    Progress now;
    {
        const std::lock_guard hold(guard_);
        now = progress_;
    }
    std::error_code error;
    std::vector<fs::path> folders;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error))
        if (folders.size() < most_runs && entry.is_directory(error) && !entry.is_symlink(error) && is_plain_name(entry.path().filename().string()) && fs::exists(entry.path() / "scene.yaml", error))
            folders.push_back(entry.path());
    std::ranges::sort(folders);
    const std::string active = json::Object()
                                   .text("name", now.name)
                                   .raw("running", truth(now.running))
                                   .number("first", now.first)
                                   .number("last", now.last)
                                   .number("done", now.done)
                                   .number("replayed", now.replayed)
                                   .number("seconds_per_frame", now.seconds)
                                   .number("seconds_left", now.seconds * std::max(0, now.last - now.done))
                                   .text("error", now.error)
                                   .str();
    return json::Object().raw("runs", json::array(folders, run_json)).raw("active", now.name.empty() ? "null" : active).str();
}

std::string Runs::timings_json(const std::string& name, int after) const {
    std::ifstream lines(find(name) / "stats.jsonl");
    std::vector<std::string> frames;
    for (std::string line; std::getline(lines, line);) {
        const json::Value stats = json::parse(line);
        const json::Value* seconds = stats.get("seconds");
        if (stats.number("frame", 0) <= after || !seconds) continue;
        json::Object stages;
        for (const auto& [stage, value] : seconds->members) stages.number(stage, value.value);
        frames.push_back(json::Object().number("frame", stats.number("frame", 0)).raw("seconds", stages.str()).str());
    }
    return json::array(frames);
}

}  // namespace phlo::serve
