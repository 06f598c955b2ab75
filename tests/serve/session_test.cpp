#include "serve/jobs.h"
#include "serve/session.h"
#include "serve/shelf.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include <fmt/format.h>

#include "base/json.h"
#include "base/json_read.h"
#include "complaint.h"
#include "config/file_gate.h"
#include "scratch_dir.h"

namespace phlo::serve {
namespace {

constexpr const char* tiny = R"(phlo: 1   # a puff
domain: {size: [1, 1, 1], resolution: 12}
time: {frames: 100}
gas:
  cooling: 0.5 1/s   # slowly
emitters:
  - {name: source, shape: {sphere: {radius: 0.2}}, position: [0, 0, 0.3], density: 1, temperature: 500}
)";

/// A session in a folder of its own, and all that it says to client 1.
struct Room : testing::Test {
    test::ScratchDir dir;
    config::FileGate gate{{dir.path}};
    std::mutex guard;
    std::condition_variable came;
    std::deque<std::string> said;
    std::size_t frames = 0;
    std::map<int, int> frames_of = {};         ///< by client
    std::string newest = {};                   ///< the beginning of the last frame
    Session room{{.folder = dir.path},
                    {.text = [this](int, std::string text) { const std::lock_guard hold(guard); said.push_back(std::move(text)), came.notify_all(); },
                     .binary = [this](int client, std::shared_ptr<const std::string> bytes) { const std::lock_guard hold(guard); ++frames, ++frames_of[client], newest = bytes->substr(0, 4000), came.notify_all(); }}};
    int last_id = 0;

    Room() {
        dir.write("puff.yaml", tiny);
        room.open_scene("puff.yaml");
        room.opened(1);
        tell("{\"type\":\"play\",\"on\":false}");
    }
    void tell(const std::string& message) {
        room.received(1, message);
        room.settle();
    }
    /// The answer to a message.
    json::Value ask(const std::string& type, const std::string& members = "") {
        const int id = ++last_id;
        tell(fmt::format("{{\"type\":\"{}\",\"id\":{}{}}}", type, id, members.empty() ? "" : "," + members));
        const std::lock_guard hold(guard);
        for (auto it = said.rbegin(); it != said.rend(); ++it) {
            json::Value value = json::parse(*it);
            if (value.number("id", 0) == id) return value;
        }
        return {};
    }
    bool done(const std::string& type, const std::string& members = "") { return ask(type, members).text("type", "") == "done"; }
    json::Value last(const std::string& type) {
        const std::lock_guard hold(guard);
        for (auto it = said.rbegin(); it != said.rend(); ++it)
            if (json::Value value = json::parse(*it); value.text("type", "") == type) return value;
        return {};
    }
    json::Value edit(const std::string& text, const std::string& what = "") {
        return ask("edit", "\"text\":" + json::quoted(text) + ",\"what\":" + json::quoted(what));
    }
    /// What is wrong with the scene as it is, in one text.
    std::string problems() {
        std::string all;
        const json::Value document = last("document");
        for (const json::Value& p : document.get("problems")->items) all += fmt::format("{}:{} {}: {}\n", p.number("line", 0), p.number("column", 0), p.text("path", ""), p.text("message", ""));
        return all;
    }
    static std::string with(const std::string& from, const std::string& to) {
        std::string text = tiny;
        return text.replace(text.find(from), from.size(), to);
    }
};

using session = Room;

TEST_F(session, a_newcomer_is_told_everything) {
    EXPECT_GT(last("welcome").get("presets")->items.size(), 20u);
    EXPECT_EQ(last("document").text("text", ""), tiny);
    EXPECT_EQ(last("document").get("values")->get("gas")->text("cooling", ""), "0.5");
    EXPECT_EQ(last("state").number("own_resolution", 0), 12);
    std::unique_lock hold(guard);
    EXPECT_TRUE(came.wait_for(hold, std::chrono::seconds(20), [&] { return frames > 0; }));
}

TEST_F(session, who_has_left_before_the_session_had_time_for_it_gets_nothing_more) {
    for (int n = 0; n < 4; ++n) room.received(1, "{\"type\":\"step\"}");   // it is busy
    room.opened(2), room.closed(2);
    room.settle();
    std::unique_lock hold(guard);
    const int of_one = frames_of[1], of_two = frames_of[2];
    hold.unlock();
    ASSERT_EQ(edit(with("0.5 1/s", "2 1/s")).text("type", ""), "done");   // seen at once by whoever is there
    hold.lock();
    ASSERT_TRUE(came.wait_for(hold, std::chrono::seconds(20), [&] { return frames_of[1] > of_one; }));
    EXPECT_EQ(frames_of[2], of_two);
}

TEST_F(session, an_edit_acts_on_the_running_simulation) {
    ASSERT_TRUE(done("step"));
    ASSERT_TRUE(done("step"));
    const double before = last("stats").get("stats")->number("frame", 0);
    EXPECT_EQ(edit(with("0.5 1/s", "2 1/s")).text("type", ""), "done");
    const json::Value applied = last("applied");
    EXPECT_FALSE(applied.flag("restarted", true));
    ASSERT_EQ(applied.get("changes")->items.size(), 1u);
    EXPECT_EQ(applied.get("changes")->items[0].text("path", ""), "gas.cooling");
    EXPECT_EQ(applied.get("changes")->items[0].text("affects", ""), "simulation");
    ASSERT_TRUE(done("step"));
    EXPECT_EQ(last("stats").get("stats")->number("frame", 0), before + 1) << "it went on from where it was";
}

TEST_F(session, a_change_of_the_look_simulates_nothing_again) {
    ASSERT_TRUE(done("step"));
    edit(std::string(tiny) + "render: {exposure: 1}\n");
    EXPECT_EQ(last("applied").get("changes")->items.at(0).text("affects", ""), "picture");
    EXPECT_FALSE(last("applied").flag("restarted", true));
}

TEST_F(session, what_a_hand_changes_is_seen_though_the_last_frame_is_not_drawn_yet) {
    const auto comes = [&](std::size_t count, double seconds) {
        std::unique_lock hold(guard);
        return came.wait_for(hold, std::chrono::duration<double>(seconds), [&] { return frames >= count; });
    };
    ASSERT_TRUE(comes(1, 20));   // and is never acknowledged
    edit(std::string(tiny) + "render: {exposure: 1}\n");
    EXPECT_TRUE(comes(2, 20));
    edit(std::string(tiny) + "render: {exposure: 2}\n");
    EXPECT_FALSE(comes(3, 0.3)) << "for who draws nothing, nothing queues";
    tell("{\"type\":\"ack\"}");
    EXPECT_TRUE(comes(3, 20));
    const std::lock_guard hold(guard);
    EXPECT_NE(newest.find("\"exposure\":2"), std::string::npos);
}

TEST_F(session, a_setting_acts_on_the_next_frame_which_does_not_wait_for_its_time) {
    const std::string slow = with("frames: 100", "frames: 100, fps: 0.01");   // a frame is due every hundred seconds
    edit(slow);
    tell("{\"type\":\"play\",\"on\":true}");
    const auto at = [&] { return last("stats").kind == json::Value::Kind::object ? last("stats").get("stats")->number("frame", 0) : 0; };
    const auto comes = [&](double frame, double seconds) {
        for (const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds); at() < frame; std::this_thread::sleep_for(std::chrono::milliseconds(5)))
            if (std::chrono::steady_clock::now() > end) return false;
        return true;
    };
    ASSERT_TRUE(comes(2, 20));
    ASSERT_FALSE(comes(at() + 1, 0.3)) << "the next one is not due";
    const double before = at();
    std::string colder = slow;
    colder.replace(colder.find("0.5 1/s"), 7, "2.5 1/s");
    edit(colder);
    EXPECT_TRUE(comes(before + 1, 20)) << "a hand waits for it";
    colder.replace(colder.find("2.5 1/s"), 7, "3.5 1/s");
    edit(colder);
    EXPECT_FALSE(comes(before + 2, 0.3)) << "a drag does not make the scene run faster";
}

TEST_F(session, nothing_waits_until_a_long_frame_is_done) {
    edit(with("frames: 100", "frames: 100, fps: 0.001, fixed_step: 0.01"));   // a frame has 100,000 sub-steps
    std::string colder = with("frames: 100", "frames: 100, fps: 0.001, fixed_step: 0.01");
    colder.replace(colder.find("0.5 1/s"), 7, "2.5 1/s");
    tell("{\"type\":\"play\",\"on\":true}");
    ASSERT_TRUE(done("probe", "\"position\":[0,0,0.3]"));
    tell("{\"type\":\"ack\"}");
    edit(colder);
    const double applied = last("applied").number("time", -1);
    EXPECT_GT(applied, 0);
    const auto shown = [&] {
        const std::lock_guard hold(guard);
        const std::size_t at = newest.find("\"time\":");
        return at == std::string::npos ? -1 : std::stod(newest.substr(at + 7));
    };
    for (int n = 0; n < 2000 && shown() <= applied; ++n) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_GT(shown(), applied) << "the first sub-step with the new setting is seen";
    EXPECT_LT(shown(), applied + 1);
    EXPECT_NE(last("stats").kind, json::Value::Kind::object) << "the frame is not done";
}

TEST_F(session, another_grid_begins_anew_and_says_why) {
    ASSERT_TRUE(done("step"));
    edit(with("size: [1, 1, 1]", "size: [1, 1, 2]"));
    EXPECT_TRUE(last("applied").flag("restarted", false));
    EXPECT_FALSE(last("applied").text("why", "").empty());
    EXPECT_EQ(last("applied").number("frame", 0), 1);
}

TEST_F(session, what_is_wrong_is_told_with_its_place_and_the_simulation_goes_on) {
    edit(with("cooling: 0.5", "coolign: 0.5"));
    EXPECT_NE(problems().find("5:3 gas.coolign: "), std::string::npos) << problems();
    EXPECT_NE(problems().find("did you mean 'cooling'"), std::string::npos) << problems();
    EXPECT_EQ(last("document").get("values")->get("gas")->text("cooling", ""), "0.5") << "forms show the last scene that was right";
    EXPECT_TRUE(done("step"));
    edit("phlo: 1\ngas: [");
    EXPECT_NE(problems().find("not valid YAML"), std::string::npos) << problems();
    edit(tiny);
    EXPECT_EQ(problems(), "");
}

TEST_F(session, undo_and_redo_go_through_all_texts_and_a_drag_is_one_step) {
    edit(with("0.5 1/s", "1 1/s"), "gas.cooling");
    edit(with("0.5 1/s", "1.5 1/s"), "gas.cooling");
    edit(with("0.5 1/s", "2 1/s"), "gas.cooling");
    EXPECT_TRUE(last("document").flag("unsaved", false));
    ASSERT_TRUE(done("undo"));
    EXPECT_EQ(last("document").text("text", ""), tiny);
    EXPECT_FALSE(last("document").flag("can_undo", true));
    EXPECT_FALSE(last("document").flag("unsaved", true));
    ASSERT_TRUE(done("redo"));
    EXPECT_EQ(last("document").text("text", ""), with("0.5 1/s", "2 1/s"));
}

TEST_F(session, an_edit_of_an_old_version_is_refused_and_the_new_one_comes) {
    edit(with("0.5 1/s", "1 1/s"));
    const json::Value late = ask("edit", "\"version\":1,\"text\":" + json::quoted(with("0.5 1/s", "9 1/s")));
    EXPECT_EQ(late.text("type", ""), "error");
    EXPECT_EQ(last("document").text("text", ""), with("0.5 1/s", "1 1/s"));
}

TEST_F(session, saves_in_its_folder_under_plain_names_only) {
    edit(with("0.5 1/s", "1 1/s"));
    for (const char* name : {"../escape", "a/b", "/tmp/x", "", ".hidden", "-rf", "a b", "..", "x\\\\y"}) EXPECT_FALSE(done("save", fmt::format("\"name\":\"{}\"", name))) << name;
    dir.write("taken.yaml", "phlo: 1\n");
    EXPECT_FALSE(done("save", "\"name\":\"taken\""));
    EXPECT_EQ(test::file_text(dir / "taken.yaml"), "phlo: 1\n");
    EXPECT_TRUE(done("save", "\"name\":\"taken\",\"overwrite\":true"));
    EXPECT_TRUE(done("save", "\"name\":\"copy\""));
    EXPECT_EQ(test::file_text(dir / "copy.yaml"), with("0.5 1/s", "1 1/s"));
    EXPECT_FALSE(last("document").flag("unsaved", true));
}

TEST_F(session, asks_before_it_throws_changes_away_and_keeps_them_at_the_end) {
    edit(with("0.5 1/s", "1 1/s"));
    EXPECT_FALSE(done("open", "\"scene\":\"puff.yaml\""));
    const auto kept = room.keep_unsaved();
    ASSERT_TRUE(kept);
    EXPECT_EQ(test::file_text(*kept), with("0.5 1/s", "1 1/s"));
    EXPECT_TRUE(done("open", "\"scene\":\"puff.yaml\",\"discard\":true"));
    EXPECT_FALSE(room.keep_unsaved());
}

TEST_F(session, opens_nothing_outside_its_folder) {
    const test::ScratchDir outside;
    outside.write("secret.yaml", "phlo: 1\nsecret: topsecret\n");
    std::filesystem::create_symlink(outside / "secret.yaml", dir / "link.yaml");
    std::filesystem::create_directory_symlink(outside.path, dir / "folder");
    // A folder whose name begins as this one's does.
    const std::string twin = dir.path.string() + "twin";
    std::filesystem::create_directory(twin);
    std::filesystem::copy_file(outside / "secret.yaml", twin + "/secret.yaml");
    for (const std::string& name : {outside / "secret.yaml", std::string("link.yaml"), std::string("folder/secret.yaml"), "../" + outside.path.filename().string() + "/secret.yaml",
                                    "../" + dir.path.filename().string() + "twin/secret.yaml", std::string("/etc/passwd"), std::string("."), std::string("/dev/zero"), std::string("")}) {
        const json::Value answer = ask("open", "\"scene\":" + json::quoted(name));
        EXPECT_EQ(answer.text("type", ""), "error") << name;
        EXPECT_EQ(answer.text("message", "").find("topsecret"), std::string::npos) << name;
    }
    std::filesystem::remove_all(twin);
}

TEST_F(session, the_scenes_own_file_keys_lead_nowhere_else_either) {
    const test::ScratchDir outside;
    const std::string secret = outside.write("secret.yaml", "phlo: 1\ntopsecret: 1\n"), mesh = outside.write("secret.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), map = outside.write("secret.exr", "topsecret");
    std::filesystem::create_symlink(secret, dir / "link.yaml");
    std::filesystem::create_symlink(mesh, dir / "link.obj");
    for (const std::string& file : {secret, std::string("link.yaml"), "../" + outside.path.filename().string() + "/secret.yaml"}) {
        edit("phlo: 1\nbase: " + file + "\n");
        EXPECT_NE(problems().find("lies outside of the folder"), std::string::npos) << problems();
        edit(with("cooling: 0.5 1/s", "method: grid") + "chemistry: {mechanism: " + file + "}\n");
        EXPECT_NE(problems().find("lies outside of the folder"), std::string::npos) << problems();
        EXPECT_EQ(problems().find("topsecret"), std::string::npos) << problems();
    }
    for (const std::string& file : {mesh, std::string("link.obj")}) {
        edit(std::string(tiny) + "bodies: [{shape: {mesh: {file: " + file + "}}}]\n");
        EXPECT_NE(problems().find("lies outside of the folder"), std::string::npos) << problems();
    }
    edit(std::string(tiny) + "render: {sky: {map: " + map + "}}\n");
    EXPECT_NE(problems().find("lies outside of the folder"), std::string::npos) << problems();
}

TEST_F(session, a_message_never_quotes_a_file_that_is_no_scene) {
    dir.write("passwords.yaml", "bank: topsecret\n");
    dir.write("notes.txt", "topsecret: [1, 2\n");
    for (const char* file : {"passwords.yaml", "notes.txt"}) {
        edit("phlo: 1\nbase: " + std::string(file) + "\n");
        EXPECT_NE(problems(), "");
        EXPECT_EQ(problems().find("topsecret"), std::string::npos) << problems();
        EXPECT_EQ(problems().find("bank"), std::string::npos) << problems();
        edit(with("cooling: 0.5 1/s", "method: grid") + "chemistry: {mechanism: " + file + "}\n");
        EXPECT_NE(problems(), "");
        EXPECT_EQ(problems().find("topsecret"), std::string::npos) << problems();
        EXPECT_EQ(problems().find("bank"), std::string::npos) << problems();
        EXPECT_EQ(ask("open", "\"scene\":\"" + std::string(file) + "\",\"discard\":true").text("message", "").find("topsecret"), std::string::npos);
    }
}

TEST_F(session, a_resolution_that_no_memory_holds_is_refused) {
    EXPECT_TRUE(done("resolution", "\"cells\":16"));
    EXPECT_EQ(last("state").number("resolution", 0), 16);
    EXPECT_FALSE(done("resolution", "\"cells\":4096"));
    EXPECT_EQ(last("state").number("resolution", 0), 16);
    EXPECT_TRUE(done("step"));
}

TEST_F(session, a_live_view_that_is_too_slow_becomes_coarser_even_while_the_text_is_wrong) {
    std::mutex here;
    std::condition_variable changed;
    std::string notices;
    Session slow({.folder = dir.path, .frame_seconds = 1000, .slow_seconds = 0}, {.text = [&](int, std::string text) { const std::lock_guard hold(here); notices += text, changed.notify_all(); }, .binary = [](int, std::shared_ptr<const std::string>) {}});
    dir.write("fine.yaml", with("resolution: 12", "resolution: 30"));
    slow.open_scene("fine.yaml");
    slow.opened(1);
    slow.received(1, "{\"type\":\"edit\",\"text\":\"phlo: 1\\nnonsense: [\"}");
    std::unique_lock hold(here);
    EXPECT_TRUE(changed.wait_for(hold, std::chrono::seconds(60), [&] { return notices.find("30 cells took") != std::string::npos; }));
}

TEST_F(session, a_probe_reads_the_fields_at_its_place) {
    ASSERT_TRUE(done("step"));
    ASSERT_TRUE(done("probe", "\"position\":[0,0,0.3]"));
    const json::Value inside = last("probe");
    EXPECT_NEAR(inside.get("values")->number("temperature", 0), 500, 60);
    EXPECT_GT(inside.get("values")->number("density", 0), 0.5);
    ASSERT_TRUE(done("probe", "\"position\":[0.45,0.45,0.95]"));
    EXPECT_LT(last("probe").get("values")->number("density", 1), 0.01);
}

/// With runs in the folder's out/.
struct Runner : Room {
    /// Until what is told of `type` fits, half a minute at most.
    template <class Fits>
    json::Value wait_for(const std::string& type, const Fits& fits) {
        std::unique_lock hold(guard);
        json::Value found;
        const bool there = came.wait_for(hold, std::chrono::seconds(30), [&] {
            for (auto it = said.rbegin(); it != said.rend(); ++it)
                if (json::Value value = json::parse(*it); value.text("type", "") == type) return found = value, fits(value);
            return false;
        });
        EXPECT_TRUE(there) << type;
        return found;
    }
    /// Draws frame after frame until one has these words in its header, which is given.
    std::string see(const std::string& words) {
        for (int n = 0; n < 400; ++n) {
            tell("{\"type\":\"ack\"}");
            std::unique_lock hold(guard);
            if (came.wait_for(hold, std::chrono::milliseconds(50), [&] { return newest.find(words) != std::string::npos; })) return newest;
        }
        return "";
    }
    json::Value simulated(const std::string& run, const std::string& members = "") {
        const json::Value answer = ask("simulate", "\"run\":\"" + run + "\",\"last\":14" + (members.empty() ? "" : "," + members));
        EXPECT_EQ(answer.text("type", ""), "done") << answer.text("message", "");
        return wait_for("runs", [&](const json::Value& m) { return m.get("active")->text("name", "") == run && !m.get("active")->flag("running", true); });
    }
    std::string cached(const std::string& run, int frame) { return test::file_text(dir / fmt::format("out/{}/cache/frame_{:04}.vdb", run, frame)); }
    json::Value job(std::size_t number) {
        const auto state = [=](const json::Value& m) { return m.get("jobs")->items.size() > number ? m.get("jobs")->items[number].text("state", "") : ""; };
        return wait_for("jobs", [&](const json::Value& m) { return state(m) == "done" || state(m) == "failed" || state(m) == "stopped"; }).get("jobs")->items.at(number);
    }
};
using session_runs = Runner;

TEST_F(session_runs, a_run_in_the_background_fills_a_cache_and_tells_how_far_it_is) {
    const json::Value runs = simulated("puff");
    EXPECT_EQ(runs.get("active")->text("error", "x"), "");
    EXPECT_EQ(runs.get("active")->number("done", 0), 14);
    ASSERT_EQ(runs.get("runs")->items.size(), 1u);
    const json::Value& range = runs.get("runs")->items[0].get("frames")->items.at(0);
    EXPECT_EQ(range.items.at(0).value, 1);
    EXPECT_EQ(range.items.at(1).value, 14);
    ASSERT_TRUE(done("timings", "\"run\":\"puff\",\"after\":4"));
    ASSERT_EQ(last("timings").get("frames")->items.size(), 10u);
    EXPECT_GT(last("timings").get("frames")->items[0].get("seconds")->members.size(), 2u);
}

TEST_F(session_runs, a_cached_frame_is_seen_until_the_live_view_is_wanted_again) {
    simulated("puff");
    ASSERT_TRUE(done("play"));
    EXPECT_TRUE(last("state").flag("playing", false));
    ASSERT_TRUE(done("show", "\"run\":\"puff\",\"frame\":9"));
    EXPECT_EQ(last("state").get("shown")->number("frame", 0), 9);
    EXPECT_FALSE(last("state").flag("playing", true));
    const std::string header = see("\"source\":\"puff\"");
    EXPECT_NE(header.find("\"frame\":9,"), std::string::npos) << header.substr(0, 100);
    ASSERT_TRUE(done("play", "\"on\":false"));
    EXPECT_NE(see("\"source\":\"live\""), "");
    EXPECT_FALSE(done("show", "\"run\":\"other\""));
}

TEST_F(session_runs, going_on_from_a_frame_without_a_checkpoint_gives_the_same_bits) {
    simulated("puff");
    const std::string last_frame = cached("puff", 14);
    ASSERT_FALSE(last_frame.empty());
    simulated("twin", "\"from_run\":\"puff\",\"from_frame\":7");
    EXPECT_EQ(cached("twin", 7), cached("puff", 7));
    EXPECT_EQ(cached("twin", 14), last_frame);
}

TEST_F(session_runs, a_branch_has_the_new_scene_from_its_frame_on_and_leaves_the_old_run_alone) {
    simulated("puff");
    const std::string before = cached("puff", 14);
    edit(with("0.5 1/s", "9 1/s"));
    EXPECT_FALSE(done("simulate", "\"run\":\"puff\"")) << "its frames are of another scene";
    simulated("cold", "\"from_run\":\"puff\",\"from_frame\":12");
    EXPECT_EQ(cached("cold", 12), cached("puff", 12));
    EXPECT_NE(cached("cold", 14), before);
    EXPECT_EQ(cached("puff", 14), before);
}

TEST_F(session_runs, a_run_of_other_settings_says_which_until_it_is_made_anew) {
    simulated("puff");
    ASSERT_TRUE(done("show", "\"run\":\"puff\",\"frame\":12"));
    EXPECT_TRUE(last("state").get("shown")->get("changes")->items.empty());
    edit(with("0.5 1/s", "9 1/s") + "render: {exposure: 1}\n");
    const json::Value state = last("state");
    const auto& changes = state.get("shown")->get("changes")->items;
    ASSERT_EQ(changes.size(), 1u) << "its look is no reason to simulate again";
    EXPECT_EQ(changes[0].text("path", ""), "gas.cooling");
    EXPECT_EQ(changes[0].text("before", ""), "0.5");
    ASSERT_TRUE(done("show", "\"run\":\"puff\",\"frame\":13"));
    EXPECT_EQ(last("state").get("shown")->get("changes")->items.size(), 1u);
    simulated("puff", "\"from_frame\":12");
    wait_for("state", [](const json::Value& m) { return m.get("shown")->get("changes")->items.empty(); });
}

TEST_F(session_runs, runs_have_plain_names_and_no_link_leads_out) {
    const test::ScratchDir outside;
    std::filesystem::create_directories(outside.path / "cache");
    std::filesystem::create_directories(dir.path / "out");
    std::filesystem::create_directory_symlink(outside.path, dir / "out/link");
    for (const char* name : {"../x", "a/b", "/tmp/x", ".hidden", "-rf", "..", "link"}) {
        EXPECT_FALSE(done("simulate", fmt::format("\"run\":\"{}\"", name))) << name;
        EXPECT_FALSE(done("show", fmt::format("\"run\":\"{}\"", name))) << name;
        EXPECT_FALSE(done("movie", fmt::format("\"run\":\"{}\"", name))) << name;
        EXPECT_FALSE(done("flipbook", fmt::format("\"run\":\"{}\"", name))) << name;
        EXPECT_FALSE(done("timings", fmt::format("\"run\":\"{}\"", name))) << name;
    }
    EXPECT_TRUE(std::filesystem::is_empty(outside.path / "cache"));
}

TEST_F(session_runs, a_picture_comes_in_passes_and_is_fetched_by_its_number) {
    ASSERT_TRUE(done("step"));
    ASSERT_TRUE(done("picture", "\"quality\":\"draft\",\"width\":64,\"height\":36"));
    const json::Value made = job(0);
    EXPECT_EQ(made.text("state", ""), "done") << made.text("error", "");
    EXPECT_EQ(made.number("done", 0), 200) << "hundredths of two passes";
    const int number = int(made.get("files")->items.at(0).number("number", 0));
    EXPECT_GE(number, 2) << "the second pass replaced the first";
    const Asset picture = room.made(fmt::format("/made/{}", number));
    EXPECT_EQ(picture.type, "image/png");
    EXPECT_TRUE(picture.body.starts_with("\x89PNG"));
    EXPECT_EQ(std::uint8_t(picture.body[19]), 64) << "its width";
    EXPECT_FALSE(room.made(fmt::format("/made/{}", number - 1)).missing) << "a page may be on its way to the one before";
    for (const char* path : {"/made/9999", "/made/2x", "/made/", "/made/-1", "/made/../puff.yaml", "/made/2/../../x"}) EXPECT_TRUE(room.made(path).missing) << path;
    EXPECT_FALSE(done("picture", "\"quality\":\"best\""));
    EXPECT_FALSE(done("picture", "\"width\":100000"));
}

TEST(jobs, of_files_that_better_ones_replaced_the_last_four_stay) {
    Shelf shelf;
    std::atomic<bool> done = false;
    Jobs jobs(shelf, [] {});
    jobs.add({}, [&](JobControl& job) {
        for (int n = 0; n < 8; ++n) job.put("picture.png", {.type = "image/png", .body = "x"});
        done = true;
    });
    while (!done) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    for (int n = 1; n <= 8; ++n) EXPECT_EQ(shelf.get(fmt::format("/made/{}", n)).missing, n <= 3) << n;
}

TEST(jobs, one_that_was_stopped_while_it_waited_is_never_begun_though_it_is_forgotten) {
    Shelf shelf;
    std::atomic<bool> go = false, done = false;
    std::atomic<int> begun = 0;
    Jobs jobs(shelf, [] {});
    jobs.add({}, [&](JobControl&) {
        while (!go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    for (int n = 0; n < 80; ++n) jobs.cancel(jobs.add({}, [&](JobControl&) { ++begun; }));   // more than are remembered
    jobs.add({}, [&](JobControl&) { done = true; });
    go = true;
    while (!done) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(begun, 0);
}

TEST_F(session_runs, a_wedge_shows_each_value_and_refuses_what_the_scene_would) {
    ASSERT_TRUE(done("wedge", "\"path\":\"emitters.source.density\",\"values\":[\"0.2\",\"5\"],\"frame\":4"));
    const json::Value made = job(0);
    ASSERT_EQ(made.text("state", ""), "done") << made.text("error", "");
    ASSERT_EQ(made.get("files")->items.size(), 2u);
    const auto body = [&](std::size_t n) { return room.made(fmt::format("/made/{}", int(made.get("files")->items[n].number("number", 0)))).body; };
    EXPECT_FALSE(body(0).empty());
    EXPECT_NE(body(0), body(1));
    EXPECT_NE(ask("wedge", "\"path\":\"gas.coolign\",\"values\":[\"1\"]").text("message", "").find("did you mean"), std::string::npos);
    EXPECT_FALSE(done("wedge", "\"path\":\"gas.cooling\",\"values\":[]"));
    const test::ScratchDir outside;
    outside.write("secret.exr", "topsecret");
    const std::string refusal = ask("wedge", "\"path\":\"render.sky.map\",\"values\":[" + json::quoted(outside / "secret.exr") + "]").text("message", "");
    EXPECT_NE(refusal.find("lies outside of the folder"), std::string::npos) << refusal;
}

TEST_F(session_runs, a_movie_and_a_flipbook_are_made_of_a_run) {
    simulated("puff");
    ASSERT_TRUE(done("movie", "\"run\":\"puff\",\"first\":10,\"last\":14,\"width\":64,\"height\":36"));
    ASSERT_TRUE(done("flipbook", "\"run\":\"puff\",\"columns\":2,\"rows\":2,\"cell\":16"));
    const json::Value movie = job(0), sheet = job(1);
    EXPECT_EQ(movie.text("state", ""), "done") << movie.text("error", "");
    EXPECT_EQ(sheet.text("state", ""), "done") << sheet.text("error", "");
    const Asset file = room.made(fmt::format("/made/{}", int(movie.get("files")->items.at(0).number("number", 0))));
    EXPECT_EQ(file.type, "video/mp4");
    EXPECT_TRUE(file.download);
    EXPECT_GT(file.body.size(), 500u);
    EXPECT_GT(sheet.get("files")->items.size(), 4u);
}

TEST_F(session_runs, the_chemistry_is_told_and_reacts) {
    ASSERT_TRUE(done("chemistry"));
    EXPECT_EQ(last("chemistry").get("mechanism")->kind, json::Value::Kind::null) << "smoke has none";
    ASSERT_TRUE(done("chemistry", "\"mechanism\":\"hydrogen\""));
    EXPECT_EQ(last("chemistry").get("mechanism")->get("species")->items.size(), 10u);
    EXPECT_EQ(last("chemistry").get("curves")->get("constants")->items.size(), last("chemistry").get("mechanism")->get("reactions")->items.size());
    const auto delay = [&](double kelvin) {
        { const std::lock_guard hold(guard); said.clear(); }
        EXPECT_TRUE(done("react", fmt::format("\"mechanism\":\"hydrogen\",\"set\":[\"temperature={}\"]", kelvin)));
        return wait_for("reaction", [](const json::Value&) { return true; }).get("curves")->number("ignition_delay", -1);
    };
    const double hot = delay(1200), hotter = delay(1400);
    EXPECT_GT(hot, 0);
    EXPECT_LT(hotter, hot) << "hotter gas ignites sooner";
    EXPECT_FALSE(done("chemistry", "\"mechanism\":\"../secret\""));
    EXPECT_FALSE(done("react")) << "this scene has no chemistry";
}

TEST_F(session_runs, totals_and_ledger_come_with_each_frame) {
    for (int n = 0; n < 3; ++n) ASSERT_TRUE(done("step"));
    const std::string frame = fmt::format("\"frame\":{},", last("stats").get("stats")->number("frame", 0));
    const std::string header = see(frame);
    ASSERT_NE(header, "");
    const std::size_t at = header.find("\"totals\":") + 9;
    const json::Value totals = json::parse(header.substr(at, header.find("}}", at) + 2 - at));
    // A ball of radius 0.2 m, and what has risen out of it.
    EXPECT_GT(totals.get("density")->number("sum", 0), 0.9 * 4.19 * 0.008);
    EXPECT_LT(totals.get("density")->number("sum", 0), 2.5 * 4.19 * 0.008);
    EXPECT_NEAR(totals.get("temperature")->number("most", 0), 500, 80);
    const json::Value stats = last("stats");
    const json::Value* density = stats.get("ledger")->get("density");
    ASSERT_TRUE(density);
    double sum = 0;
    for (const auto& [entry, value] : density->members) sum += entry == "now" ? -value.value : value.value;
    EXPECT_NEAR(sum, 0, 1e-6 * std::max(1.0, density->number("now", 0))) << "start and changes of all frames make what is there now";
}

TEST_F(session, a_point_of_reacting_gas_tells_how_fast_it_is_heated) {
    const auto scene = [](const std::string& chemistry) {
        return "phlo: 1\ndomain: {size: [1, 1, 1], resolution: 12}\ntime: {frames: 100}\ngas: {method: grid}\nchemistry: {mechanism: {species: [A, B], reactions: [{equation: A => B, rate: 2}]}, ambient: {A: 3}, " + chemistry + "}\n";
    };
    ASSERT_EQ(edit(scene("heat: 10*r1 + 0.1*(T - 293.15)")).text("type", ""), "done");
    ASSERT_EQ(problems(), "");
    const json::Value probe = (ask("probe", "\"position\":[0.1,0.1,0.5]"), last("probe"));
    const double left = probe.get("values")->number("c_A", 0), kelvin = probe.get("values")->number("temperature", 0);
    EXPECT_GT(left, 0.1);
    EXPECT_NEAR(probe.get("values")->number("heating", 0), 10 * 2 * left + 0.1 * (kelvin - 293.15), 1e-3) << "r1 = 2 A";
    ASSERT_EQ(edit(scene("expansion: 0.1*r1")).text("type", ""), "done");
    ask("probe", "\"position\":[0.1,0.1,0.5]");
    EXPECT_FALSE(last("probe").get("values")->get("heating")) << "nothing heats it";
}

TEST_F(session, a_hundred_thousand_messages_of_nonsense_leave_it_alive) {
    std::mt19937 random(7);
    const auto pick = [&](const auto& list) { return std::string(list[random() % std::size(list)]); };
    const char* types[] = {"play", "loop", "probe", "ack", "none", "", "edit ", "Save", "undo?", "show", "timings", "cancel", "stop_run"};
    // Those that read a scene, simulate or draw.
    const char* slow_types[] = {"open", "edit", "undo", "redo", "save", "form", "step", "restart", "resolution", "simulate", "chemistry", "react", "picture", "movie", "flipbook", "wedge"};
    const char* names[] = {"scene", "text", "version", "what", "name", "model", "on", "cells", "position", "id", "overwrite", "type", "run", "other", "frame", "from_frame", "from_run", "last", "slot", "after",
                           "job", "quality", "width", "height", "columns", "rows", "cell", "path", "values", "mechanism", "set", "at"};
    const char* values[] = {"null", "true", "false", "0", "-1", "1e300", "0.5", "\"\"", "\"../x\"", "\"gas\"", "[]", "{}", "[1,2,3]", "[1e308,-1,\"x\"]", "[[[[]]]]", "\"phlo: 1\"", "\"gas.cooling\"", "[\"1\",\"x\"]", "\"chain\"", "{\"r1\":1}", "16", "\"\\u0000\"", "\"phlo: 1\\ngas: {}\"", "4096"};
    const char* breaks[] = {"{", "}", "[", "\"", ",", ":", "\\", "\xff", "\0", "e9", "nul"};
    for (int n = 0; n < 100'000; ++n) {
        std::string message = "{\"type\":\"" + (random() % 50 == 0 ? pick(slow_types) : pick(types)) + "\"";
        for (auto members = random() % 4; members > 0; --members) message += ",\"" + pick(names) + "\":" + pick(values);
        message += "}";
        for (auto wounds = random() % 3; wounds > 0; --wounds) {
            const std::size_t at = random() % message.size();
            if (random() % 2) message.insert(at, pick(breaks));
            else message.erase(at, 1 + random() % 5);
        }
        if (n % 1000 == 0) message = std::string(random() % 200, '[') + message;
        room.received(1, message);
        if (n % 500 != 0) continue;
        room.settle();
        const std::lock_guard hold(guard);
        said.clear();
    }
    dir.write("puff.yaml", tiny);   // some of it was saved there
    ASSERT_TRUE(done("open", "\"scene\":\"puff.yaml\",\"discard\":true"));
    EXPECT_EQ(last("document").text("text", ""), tiny);
    EXPECT_TRUE(done("step"));
}

}  // namespace
}  // namespace phlo::serve
