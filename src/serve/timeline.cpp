#include "serve/timeline.h"

#include <algorithm>

#include "base/error.h"
#include "base/json.h"
#include "io/cache.h"

namespace phlo::serve {
namespace {

/// A frame's number as a message has it; none if there is none.
std::optional<int> frame_in(const json::Value& message, const char* name) {
    const json::Value* value = message.get(name);
    if (!value || value->kind != json::Value::Kind::number) return std::nullopt;
    return int(std::clamp(value->value, 0.0, 1e7));
}

}  // namespace

Timeline::Timeline(Worktable& table, std::array<Delivery*, slots> deliveries, std::function<void()> changed)
    : table_(table), changed_(std::move(changed)),
      scrubbers_{Scrubber([to = deliveries[0]](Scrubber::Message m) { to->publish(std::move(m)); }, [this](const std::string& error) { fail(error); }),
                 Scrubber([to = deliveries[1]](Scrubber::Message m) { to->publish(std::move(m)); }, [this](const std::string& error) { fail(error); })},
      runs_(table.folder / "out", [this] { tell_runs(); }) {}

void Timeline::add_handlers(MessageHandlers& handlers) {
    handlers["simulate"] = [this](int, const json::Value& m) { simulate(m); };
    handlers["stop_run"] = [this](int, const json::Value&) { runs_.stop(); };
    handlers["show"] = [this](int, const json::Value& m) { show(m); };
    handlers["timings"] = [this](int client, const json::Value& m) { send_timings(client, m); };
}

void Timeline::stop() {
    for (Scrubber& scrubber : scrubbers_) scrubber.stop();
    runs_.end();
}

void Timeline::simulate(const json::Value& m) {
    RunOrder order{.name = m.text("run", table_.document.name()), .from_frame = frame_in(m, "from_frame"), .from_run = m.text("from_run", ""), .last = frame_in(m, "last").value_or(0), .overwrite = m.flag("overwrite", false)};
    // The memory is asked for as `phlo run` does.
    runs_.start(order, read_scene(table_.right_text, table_.document.file().string()));
    // Both would share the processors: what was ordered in full goes first.
    table_.playing = false;
    changed_();
}

CachedFrame Timeline::cached(const std::string& run, int slot) const {
    const std::string header = json::Object().text("source", run).number("version", table_.document.version()).number("resolution", 0).number("slot", slot).str();
    return {.cache = runs_.find(run) / "cache", .frame = shown_->frame, .header = header.substr(1, header.size() - 2)};
}

void Timeline::show(const json::Value& m) {
    const std::string run = m.text("run", ""), other = m.text("other", "");
    if (run.empty()) return show_live();
    runs_.find(run);
    if (!other.empty()) runs_.find(other);
    std::vector<scene::Change> changes = shown_ && shown_->run == run ? std::move(shown_->changes) : changes_of(run);
    shown_ = Shown{.run = run, .other = other, .frame = frame_in(m, "frame").value_or(1), .changes = std::move(changes)};
    table_.playing = false;
    draw();
    changed_();
}

void Timeline::show_live() {
    if (!shown_) return;
    shown_.reset();
    for (Scrubber& scrubber : scrubbers_) scrubber.forget();
    changed_();
}

std::vector<scene::Change> Timeline::changes_of(const std::string& run) const {
    try {
        return runs_.changes(run, table_.whole);
    } catch (const std::exception&) {
        return {};   // what a run was made with cannot be read: nothing is said about it
    }
}

void Timeline::scene_changed() {
    if (!shown_) return;
    shown_->changes = changes_of(shown_->run);
    draw();
    changed_();
}

void Timeline::draw() {
    scrubbers_[0].show(cached(shown_->run, 0), table_.whole.look);
    if (!shown_->other.empty()) scrubbers_[1].show(cached(shown_->other, 1), table_.whole.look);
    else scrubbers_[1].forget();
}

std::function<std::shared_ptr<const field::Frame>()> Timeline::current() const {
    if (!shown_) return [frame = table_.live->frame()] { return frame; };
    const bool moves = render::needs_velocity(table_.whole.look);
    return [from = cached(shown_->run, 0), moves] { return std::make_shared<const field::Frame>(io::read_cache_frame(from.cache, from.frame, {.velocity = moves, .occupied = true})); };
}

std::string Timeline::shown_json() const {
    if (!shown_) return "null";
    return json::Object().text("run", shown_->run).text("other", shown_->other).number("frame", shown_->frame).raw("changes", json::array(shown_->changes, change_json)).str();
}

std::string Timeline::runs_message() const {
    std::string text = runs_.to_json();
    return text.insert(1, "\"type\":\"runs\",");
}

void Timeline::send_timings(int client, const json::Value& m) const {
    const std::string run = m.text("run", "");
    table_.voice.one(client, json::Object().text("type", "timings").text("run", run).raw("frames", runs_.timings_json(run, frame_in(m, "after").value_or(0))).str());
}

void Timeline::tell_runs() {
    if (telling_.exchange(true)) return;
    table_.voice.post([this] {
        telling_ = false;
        table_.voice.all(runs_message());
        // A run that is made anew is up to date again.
        if (!shown_ || shown_->changes.empty()) return;
        if (std::vector<scene::Change> now = changes_of(shown_->run); now.size() != shown_->changes.size()) shown_->changes = std::move(now), changed_();
    });
}

void Timeline::fail(const std::string& error) {
    table_.voice.post([this, error] { table_.voice.all(json::Object().text("type", "notice").text("message", "this frame cannot be shown: " + error).str()); });
}

}  // namespace phlo::serve
