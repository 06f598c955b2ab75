#include "serve/session.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/json.h"
#include "base/json_read.h"
#include "base/log.h"
#include "config/file_gate.h"
#include "config/form.h"
#include "io/atomic_file.h"
#include "scene/presets.h"
#include "serve/assets.h"
#include "serve/darkroom.h"
#include "serve/frame_message.h"
#include "serve/laboratory.h"
#include "serve/probe.h"
#include "serve/timeline.h"
#include "serve/totals.h"
#include "serve/worker.h"
#include "serve/worktable.h"
#include "sim/stats.h"

namespace phlo::serve {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_scene = 1u << 20;       // [bytes]
constexpr std::size_t max_tasks = 2000;           // waiting: more than any hand makes
constexpr int coarsest_live = 24;

double seconds_now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::string text_of(const fs::path& file) {
    config::check_readable(file);
    std::error_code error;
    if (!fs::is_regular_file(file, error)) throw InputError(fmt::format("{}: no such scene file", file.filename().string()));
    if (fs::file_size(file, error) > max_scene) throw InputError(fmt::format("{}: larger than a scene can be ({} MB)", file.filename().string(), max_scene >> 20));
    std::ifstream stream(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream) throw InputError(fmt::format("{}: cannot be read", file.filename().string()));
    if (text.find("phlo:") == std::string::npos) throw InputError(fmt::format("{}: is not a scene (there is no 'phlo: 1' in it)", file.filename().string()));
    return text;
}

}  // namespace

class Session::Impl {
public:
    Impl(const SessionParams& params, Outbox outbox)
        : params_(params), outbox_(std::move(outbox)),
          table_{.folder = fs::canonical(params.folder),
                 .voice = {.one = outbox_.text, .all = [this](const std::string& text) { send_all(text); }, .post = [this](std::function<void()> task) { worker_.post(std::move(task)); }}},
          deliveries_{Delivery(outbox_.binary), Delivery(outbox_.binary)},
          timeline_(table_, {&deliveries_[0], &deliveries_[1]}, [this] { seen_changed(); }), darkroom_(table_, timeline_, shelf_), laboratory_(table_) {
        add_handlers();
        timeline_.add_handlers(handlers_);
        darkroom_.add_handlers(handlers_);
        laboratory_.add_handlers(handlers_);
    }
    ~Impl() {
        worker_.stop();
        encoder_.stop();
        laboratory_.stop();
        darkroom_.stop();
        timeline_.stop();
    }

    // ---- any thread

    void opened(int client) {
        worker_.post([this, client] {
            clients_.insert(client);
            send(client, welcome());
            if (table_.live) send(client, document_message()), send(client, state_message()), send(client, timeline_.runs_message()), send(client, darkroom_.jobs_message());
            for (Delivery& delivery : deliveries_) delivery.open(client);
        });
    }
    void closed(int client) {
        const auto forget = [this, client] {
            for (Delivery& delivery : deliveries_) delivery.close(client);
        };
        forget();   // nothing more is sent to it
        worker_.post([this, client, forget] { clients_.erase(client), forget(); });   // its coming may still have waited here
    }
    void received(int client, std::string text) {
        json::Value message;
        try {
            message = json::parse(text);
            if (message.kind != json::Value::Kind::object) throw InputError("expected a JSON object with a 'type'");
        } catch (const InputError& error) {
            return send(client, json::Object().text("type", "error").text("message", error.what()).str());
        }
        // Nothing waits for a simulation's frame to say that it has drawn one.
        if (message.text("type", "") == "ack") {
            deliveries_[message.number("slot", 0) == 1 ? 1 : 0].acknowledge(client);
            return worker_.wake();
        }
        if (worker_.waiting() > max_tasks) return send(client, json::Object().text("type", "error").text("message", "too many messages wait already").str());
        worker_.post([this, client, message = std::move(message)] { handle(client, message); });
    }
    void settle() { worker_.settle(); }
    void do_now(const std::function<void()>& task) {
        std::exception_ptr failure;
        worker_.post([&] {
            try {
                task();
            } catch (...) {
                failure = std::current_exception();
            }
        });
        worker_.settle();
        if (failure) std::rethrow_exception(failure);
    }

    Asset made(const std::string& path) const { return shelf_.get(path); }

    // ---- the session's thread

    void open_scene(const std::string& name) {
        const auto preset = scene::preset_text(name);
        if (preset) {
            take({*preset, table_.folder / (name + ".yaml"), false});
            return;
        }
        const fs::path file = fs::path(name).is_absolute() ? fs::path(name) : table_.folder / name;
        take({text_of(file), fs::weakly_canonical(file), true});
    }

    std::optional<fs::path> keep_unsaved() {
        if (!table_.live || !table_.document.unsaved()) return std::nullopt;
        const fs::path to = table_.folder / (table_.document.name() + ".unsaved.yaml");
        io::write_atomically(to, table_.document.text());
        return to;
    }

private:
    void add_handlers() {
        handlers_["open"] = [this](int, const json::Value& m) { open(m); };
        handlers_["edit"] = [this](int client, const json::Value& m) { edit(client, m); };
        handlers_["undo"] = [this](int, const json::Value&) {
            if (table_.document.undo()) changed("undo");
        };
        handlers_["redo"] = [this](int, const json::Value&) {
            if (table_.document.redo()) changed("redo");
        };
        handlers_["save"] = [this](int, const json::Value& m) { save(m); };
        handlers_["form"] = [this](int client, const json::Value& m) { send_form(client, m); };
        handlers_["play"] = [this](int, const json::Value& m) { timeline_.show_live(), table_.playing = m.flag("on", true), due_ = seconds_now(), send_all(state_message()); };
        handlers_["step"] = [this](int, const json::Value&) { timeline_.show_live(), table_.playing = false, step(), send_all(state_message()); };
        handlers_["restart"] = [this](int, const json::Value&) { restart(); };
        handlers_["loop"] = [this](int, const json::Value& m) { loop_ = m.flag("on", true), send_all(state_message()); };
        handlers_["resolution"] = [this](int, const json::Value& m) { choose_resolution(int(std::clamp(m.number("cells", 0), 0.0, 4096.0))); };
        handlers_["probe"] = [this](int, const json::Value& m) { set_probe(m); };
    }

    void handle(int client, const json::Value& message) {
        const std::string type = message.text("type", "");
        json::Object reply;
        const auto found = handlers_.find(type);
        try {
            if (found == handlers_.end()) throw InputError("no message is called '" + type.substr(0, 40) + "'");
            if (!table_.live && type != "open") throw InputError("no scene is open; send 'open' first");
            found->second(client, message);
            reply.text("type", "done");
        } catch (const std::exception& error) {
            reply.text("type", "error").text("message", error.what());
        }
        if (const json::Value* id = message.get("id"); id && id->kind == json::Value::Kind::number) reply.number("id", id->value);
        send(client, reply.text("of", type.substr(0, 40)).str());
    }

    void send(int client, std::string text) { outbox_.text(client, std::move(text)); }
    void send_all(const std::string& text) {
        for (const int client : clients_) send(client, text);
    }

    // -- the scene

    void take(Document document) {
        CheckedScene checked = check_text(document.text(), document.file().string());
        if (!checked.scene) {
            std::string all;
            for (const Diagnostic& d : checked.problems) all += (all.empty() ? "" : "\n") + (d.line ? fmt::format("line {}: ", d.line) : "") + (d.path.empty() ? "" : d.path + ": ") + d.message;
            throw InputError(all);
        }
        std::swap(table_.document, document);
        std::string text_before = std::exchange(table_.right_text, table_.document.text());
        try {
            begin(std::move(*checked.scene));
        } catch (...) {
            std::swap(table_.document, document), table_.right_text = std::move(text_before);
            throw;
        }
        problems_.clear();
        timeline_.show_live();
        table_.playing = true;
        send_all(document_message());
        send_all(state_message());
    }

    /// Chooses the live resolution and begins there.
    void begin(LookedScene scene) {
        const int own = has_resolution(scene.scene) ? scene.scene.shot.domain.resolution : 0;
        const std::string file = table_.document.file().string();
        const int wanted = chosen_resolution_ > 0 && own > 0 ? chosen_resolution_ : live_resolution(table_.right_text, file, params_.frame_seconds);
        LookedScene live = read_scene(table_.right_text, file, wanted);
        table_.live = nullptr;   // its memory, before the next one takes as much
        table_.live = std::make_unique<LiveRun>(std::move(live));
        table_.whole = std::move(scene);
        own_resolution_ = own, resolution_ = wanted;
        due_ = seconds_now(), show_ = true;
    }

    void open(const json::Value& m) {
        if (table_.live && table_.document.unsaved() && !m.flag("discard", false)) throw InputError("unsaved changes; save them, or send 'open' with \"discard\": true");
        open_scene(m.text("scene", ""));
    }

    void edit(int client, const json::Value& m) {
        const std::string text = m.text("text", "");
        if (text.size() > max_scene) throw InputError("a scene of more than a megabyte");
        if (const double version = m.number("version", table_.document.version()); version != table_.document.version()) {
            send(client, document_message());
            throw InputError("the scene has changed meanwhile");
        }
        table_.document.edit(text, m.text("what", ""), seconds_now());
        changed(m.text("what", ""));
    }

    /// The text is another one: what is right goes on at once, what is wrong is told and nothing else happens.
    void changed(const std::string& what) {
        CheckedScene checked = check_text(table_.document.text(), table_.document.file().string());
        problems_ = checked.problems;
        if (checked.scene) {
            const int own = has_resolution(checked.scene->scene) ? checked.scene->scene.shot.domain.resolution : 0;
            table_.whole = std::move(*checked.scene), table_.right_text = table_.document.text();
            if (own == 0) resolution_ = 0;
            else if (own_resolution_ == 0) resolution_ = live_resolution(table_.document.text(), table_.document.file().string(), params_.frame_seconds);
            else if (chosen_resolution_ == 0) resolution_ = std::min(resolution_, own);
            own_resolution_ = own;
            try {
                const Applied applied = table_.live->apply(read_scene(table_.document.text(), table_.document.file().string(), resolution_));
                show_changed(applied);
                timeline_.scene_changed();
                send_all(json::Object()
                             .text("type", "applied")
                             .text("what", what)
                             .raw("changes", json::array(applied.changes, change_json))
                             .raw("restarted", truth(applied.restarted))
                             .text("why", applied.why)
                             .number("frame", table_.live->simulation().frame())
                             .number("time", table_.live->simulation().time())
                             .str());
            } catch (const std::exception& error) {
                problems_ = diagnostics(error.what(), table_.document.file().string());
            }
        }
        send_all(document_message());
    }

    void save(const json::Value& m) {
        const std::string name = m.text("name", table_.document.name());
        if (!is_plain_name(name)) throw InputError("a name of letters, digits, '-', '_' and '.' is expected; scenes are kept in the studio's folder");
        const fs::path file = name == table_.document.name() && table_.document.in_file() ? table_.document.file() : table_.folder / (name.ends_with(".yaml") ? name : name + ".yaml");
        config::check_readable(file);
        std::error_code error;
        const bool own = table_.document.in_file() && file == table_.document.file();
        if (!own && fs::exists(file, error) && !m.flag("overwrite", false)) throw InputError(fmt::format("{} exists already", file.filename().string()));
        io::write_atomically(file, table_.document.text());
        table_.document.saved(file);
        send_all(document_message());
    }

    // -- the simulation

    /// Nothing that goes wrong here ends the program: it pauses and says so.
    std::optional<double> idle() {
        try {
            return go_on();
        } catch (const std::exception& error) {
            table_.playing = false;
            send_all(notice("the simulation stopped: " + std::string(error.what())));
            return std::nullopt;
        }
    }

    std::optional<double> go_on() {
        if (!table_.live) return std::nullopt;
        std::optional<double> wait;
        if (at_once_) show();
        if (at_once_ && encoding_) return 0.1;   // the encoder is done in a moment, and says so
        at_once_ = false;
        if (table_.playing) {
            const double now = seconds_now(), frame = 1 / table_.live->scene().shot.time.fps;
            const bool begun = table_.live->simulation().begun();
            if (begun || now >= due_ || (hasten_ && now >= due_ - frame)) {
                // No faster than the scene's own time, but for a frame that a hand waits for: the one after it waits for longer. What is missed is not made up for.
                if (!begun) due_ = std::max(due_ + frame, now);
                advance();
                keep_live();
            }
            wait = table_.live->simulation().begun() ? 0 : std::max(0.0, due_ - seconds_now());
        }
        show();
        return wait;
    }

    /// Towards the next frame. A message does not wait until that is done, and a hand that has turned something sees it after the first sub-step.
    void advance() {
        const models::TimeParams& time = table_.live->scene().shot.time;
        if (loop_ && table_.live->simulation().frame() >= time.last_frame) return restart();
        table_.live->go_on([this] { return hasten_ || worker_.wanted(); });
        if (std::exchange(hasten_, false)) show_ = true;
        if (!table_.live->simulation().begun()) tell_frame();
    }

    void step() {
        table_.live->advance();
        tell_frame();
    }

    void tell_frame() {
        const models::FrameStats& stats = table_.live->simulation().stats();
        show_ = true;
        json::Object message;
        message.text("type", "stats").raw("stats", sim::to_json(stats)).number("seconds_per_frame", table_.live->seconds_per_frame());
        message.raw("ledger", table_.live->ledger().to_json());
        if (probe_) message.raw("probe", probe_json());
        send_all(message.str());
    }

    void restart() {
        timeline_.show_live();
        table_.live->restart();
        show_ = true, due_ = seconds_now();
        send_all(state_message());
    }

    /// An automatic resolution that turns out too slow is lowered, and said.
    void keep_live() {
        constexpr int sure = 6;
        const double seconds = table_.live->seconds_per_frame();
        if (chosen_resolution_ > 0 || resolution_ <= coarsest_live || table_.live->frames_measured() < sure || seconds <= params_.slow_seconds) return;
        const int before = resolution_;
        resolution_ = std::clamp(int(resolution_ * std::pow(params_.frame_seconds / seconds, 1 / 3.5)), coarsest_live, before - 1);
        table_.live = std::make_unique<LiveRun>(read_scene(table_.right_text, table_.document.file().string(), resolution_));
        show_ = true;
        send_all(notice(fmt::format("{} cells took {:.0f} ms a frame; the live view begins anew with {} (the scene keeps its own)", before, 1000 * seconds, resolution_)));
        send_all(state_message());
    }

    void choose_resolution(int cells) {
        if (own_resolution_ == 0) throw InputError("this model has no cells; its particles are what there is to choose");
        const int before = chosen_resolution_;
        chosen_resolution_ = cells;
        try {
            begin(LookedScene(table_.whole));
        } catch (...) {
            chosen_resolution_ = before;
            throw;
        }
        send_all(state_message());
    }

    std::string probe_json() { return probe(*table_.live->frame(), *probe_, table_.live->heat()); }

    void set_probe(const json::Value& m) {
        const json::Value* at = m.get("position");
        probe_.reset();
        if (!at || at->kind != json::Value::Kind::array || at->items.size() != 3) return;
        for (const json::Value& item : at->items)
            if (item.kind != json::Value::Kind::number) throw InputError("a position is three numbers");
        probe_ = Vec3d(at->items[0].value, at->items[1].value, at->items[2].value);
        send_all(json::Object().text("type", "probe").number("frame", table_.live->simulation().frame()).raw("values", probe_json()).str());
    }

    // -- what is seen

    /// Another run's frame, or the live simulation again.
    void seen_changed() {
        show_ = true, due_ = seconds_now();
        send_all(state_message());
    }

    /// A hand waits for what it has changed: a look is seen before anything else is done; other settings act on the next frame, which does not wait for its time.
    void show_changed(const Applied& applied) {
        const bool simulates = std::ranges::any_of(applied.changes, [](const scene::Change& c) { return c.affects == config::Affects::simulation; });
        show_ = true, at_once_ = applied.restarted || !simulates || !table_.playing, hurried_ = true;
        hasten_ = !at_once_;
    }

    /// Hands the newest state to the encoder if somebody waits for it and the encoder has nothing to do.
    void show() {
        if (!show_ || encoding_ || timeline_.shown() || !(hurried_ ? deliveries_[0].watched() : deliveries_[0].wanted())) return;
        show_ = at_once_ = false, encoding_ = true;
        const auto urgency = std::exchange(hurried_, false) ? Delivery::Urgency::changed : Delivery::Urgency::usual;
        const double begin = seconds_now();
        const std::shared_ptr<const field::Frame> frame = render::needs_velocity(table_.live->look()) ? table_.live->frame() : table_.live->still_frame();
        EncodeParams params;
        params.header = json::Object().text("source", "live").number("version", table_.document.version()).number("resolution", resolution_).number("step_seconds", table_.live->seconds()).number("snapshot_seconds", seconds_now() - begin).str();
        params.header = params.header.substr(1, params.header.size() - 2);
        encoder_.post([this, frame, look = table_.live->look(), params, urgency]() mutable {
            try {
                params.header += ",\"totals\":" + totals_json(*frame);
                params.meshes = &meshes_;
                deliveries_[0].publish(encode_frame(*frame, look, params), urgency);
            } catch (const std::exception& error) {
                worker_.post([this, message = std::string(error.what())] { send_all(notice("this frame cannot be shown: " + message)); });
            }
            encoding_ = false;
            worker_.wake();
        });
    }

    static std::string notice(const std::string& text) { return json::Object().text("type", "notice").text("message", text).str(); }

    std::string welcome() {
        if (presets_.empty())
            presets_ = json::array(scene::list_presets(), [](const scene::Preset& p) {
                return json::Object().text("name", p.name).text("description", p.description).number("seconds", p.seconds).raw("picture", truth(!find_asset("/gallery/" + p.name + ".jpg").missing)).str();
            });
        std::vector<std::string> files;
        std::error_code error;
        for (const fs::directory_entry& entry : fs::directory_iterator(table_.folder, error))
            if (entry.path().extension() == ".yaml" && is_plain_name(entry.path().filename().string())) files.push_back(json::quoted(entry.path().filename().string()));
        return json::Object().text("type", "welcome").number("protocol", 1).text("folder", table_.folder.filename().string()).raw("presets", presets_).raw("files", json::array(files)).str();
    }

    void send_form(int client, const json::Value& m) {
        const std::string key = m.text("model", scene::key_of(table_.whole.scene.model));
        render::RenderParams look;
        for (const scene::AnySetup& model : scene::each_model())
            if (key == scene::key_of(model))
                return send(client, json::Object().text("type", "form").text("model", key).raw("form", config::form_json(*scene::scene_schema(model, look_section(look)))).str());
        throw InputError("no model is called '" + key.substr(0, 40) + "'");
    }

    std::string document_message() {
        const config::SchemaPtr schema = scene::scene_schema(table_.whole.scene.model, look_section(table_.whole.look));
        return json::Object()
            .text("type", "document")
            .text("name", table_.document.name())
            .text("text", table_.document.text())
            .number("version", table_.document.version())
            .raw("unsaved", truth(table_.document.unsaved()))
            .raw("in_file", truth(table_.document.in_file()))
            .raw("can_undo", truth(table_.document.can_undo()))
            .raw("can_redo", truth(table_.document.can_redo()))
            .text("model", scene::key_of(table_.whole.scene.model))
            .raw("values", config::to_json(schema->write(&table_.whole.scene)))
            .raw("problems", to_json(problems_))
            .str();
    }

    std::string state_message() {
        const models::TimeParams& time = table_.live->scene().shot.time;
        const models::Estimate cost = scene::estimate(table_.live->scene());
        return json::Object()
            .text("type", "state")
            .raw("playing", truth(table_.playing))
            .raw("shown", timeline_.shown_json())
            .raw("loop", truth(loop_))
            .number("frame", table_.live->simulation().frame())
            .number("first_frame", time.first_frame)
            .number("last_frame", time.last_frame)
            .number("fps", time.fps)
            .number("resolution", resolution_)
            .number("own_resolution", own_resolution_)
            .raw("automatic", truth(chosen_resolution_ == 0))
            .raw("cells", json::numbers(std::array<int, 3>{cost.cells.x, cost.cells.y, cost.cells.z}))
            .number("full_seconds", scene::estimate(table_.whole.scene).seconds)
            .str();
    }

    SessionParams params_;
    Outbox outbox_;
    Worktable table_;
    std::array<Delivery, slots> deliveries_;
    Timeline timeline_;
    Shelf shelf_;
    Darkroom darkroom_;
    Laboratory laboratory_;
    MessageHandlers handlers_;
    std::set<int> clients_;
    std::string presets_;

    std::vector<Diagnostic> problems_;     ///< of the text as it is
    int own_resolution_ = 0;               ///< of the scene; 0: its model has none
    int chosen_resolution_ = 0;            ///< by the user; 0: automatic
    int resolution_ = 0;                   ///< of the live run; 0: the scene's own
    bool loop_ = true;
    bool show_ = false;                    ///< there is something that nobody has seen
    bool at_once_ = false;                 ///< and a hand has changed it: before the next frame
    bool hurried_ = false;                 ///< without waiting for who still draws the last one
    bool hasten_ = false;                  ///< a hand waits for the next frame
    double due_ = 0;                       ///< when the next frame may be simulated [s]
    std::optional<Vec3d> probe_;

    MeshMemory meshes_;                    ///< the encoder's
    std::atomic<bool> encoding_ = false;
    Worker encoder_;
    Worker worker_{[this] { return idle(); }};   // last: it begins when everything else is there
};

Session::Session(const SessionParams& params, Outbox outbox) : impl_(std::make_unique<Impl>(params, std::move(outbox))) {}
Session::~Session() = default;
void Session::open_scene(const std::string& name) {
    impl_->do_now([&] { impl_->open_scene(name); });
}
void Session::opened(int client) { impl_->opened(client); }
void Session::received(int client, std::string text) { impl_->received(client, std::move(text)); }
void Session::closed(int client) { impl_->closed(client); }
Asset Session::made(const std::string& path) const { return impl_->made(path); }
void Session::settle() { impl_->settle(); }
std::optional<fs::path> Session::keep_unsaved() {
    std::optional<fs::path> where;
    impl_->do_now([&] { where = impl_->keep_unsaved(); });
    return where;
}

}  // namespace phlo::serve
