#include "sim/run_directory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>

#include "base/error.h"
#include "base/json.h"
#include "io/atomic_file.h"
#include "io/cache.h"
#include "sim/checkpoint.h"
#include "sim/stats.h"

namespace phlo::sim {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
    const std::vector<char> bytes = io::read_bytes(path);
    return {bytes.begin(), bytes.end()};
}

/// A second name for the file, or a copy where there can be none. Files are only ever replaced as a whole, so what happens to one name later
/// does not happen to the other.
void link_or_copy(const fs::path& from, const fs::path& to) {
    fs::remove(to);
    std::error_code error;
    fs::create_hard_link(from, to, error);
    if (error) fs::copy_file(from, to);
}

}  // namespace

fs::path RunDirectory::state_of(int frame) const { return io::frame_path(path / "checkpoint", frame, ".bin"); }

std::vector<int> RunDirectory::checkpoints() const {
    std::vector<int> frames = io::cached_frames(path / "checkpoint", ".bin");
    if (const auto last = read_checkpoint_header(last_state()); last && !std::ranges::count(frames, last->frame)) frames.push_back(last->frame);
    std::ranges::sort(frames);
    return frames;
}

fs::path RunDirectory::find_state(int frame) const {
    if (fs::exists(state_of(frame))) return state_of(frame);
    const std::vector<int> known = checkpoints();
    if (std::ranges::count(known, frame)) return last_state();
    throw InputError(fmt::format("{} has no checkpoint of frame {}; {}. 'time: {{checkpoints: 10}}' in a scene keeps one every tenth frame", path.string(), frame,
                                 known.empty() ? "it has none at all" : fmt::format("there are those of {}", fmt::join(known, ", "))));
}

std::vector<scene::Change> RunDirectory::changes(const scene::Scene& scene, const std::vector<scene::Section>& sections) const {
    std::vector<scene::Change> changes = scene::changed_keys(text_of(this->scene()), scene, sections);
    std::erase_if(changes, [](const scene::Change& change) { return change.affects != config::Affects::simulation; });
    return changes;
}

void RunDirectory::make() const {
    std::error_code error;
    fs::create_directories(cache(), error);
    if (error) throw RunError(fmt::format("cannot make the directory {}: {}. Choose another with -o", path.string(), error.message()));
}

void RunDirectory::remove_all() const {
    for (const fs::path& what : {path / "checkpoint", stats(), history(), cache()}) fs::remove_all(what);
    make();
}

void RunDirectory::remove_after(int frame) const {
    keep_stats_until(stats(), frame);
    for (const auto& [folder, extension] : {std::pair(cache(), ".vdb"), std::pair(cache(), ".ply"), std::pair(path / "checkpoint", ".bin")})
        for (const int number : io::cached_frames(folder, extension))
            if (number > frame) fs::remove(io::frame_path(folder, number, extension));
}

void RunDirectory::take_over(const RunDirectory& from, int frame) const {
    fs::create_directories(path / "checkpoint");
    for (const char* folder : {"cache", "checkpoint"})
        for (const char* extension : {".vdb", ".ply", ".bin"})
            for (const int number : io::cached_frames(from.path / folder, extension))
                if (number <= frame) link_or_copy(io::frame_path(from.path / folder, number, extension), io::frame_path(path / folder, number, extension));
    for (const fs::path& file : {from.stats(), from.history()})
        if (fs::exists(file)) io::write_atomically(path / file.filename(), io::read_bytes(file));
}

void RunDirectory::write_scene(const scene::Scene& scene, const std::vector<scene::Section>& sections) const {
    io::write_atomically(this->scene(), scene::dump_scene(scene, sections));
}

void RunDirectory::note_changes(int frame, const std::vector<scene::Change>& changes) const {
    json::Object keys;
    for (const scene::Change& change : changes) keys.raw(change.path, json::array({json::quoted(change.before), json::quoted(change.after)}));
    const std::string before = fs::exists(history()) ? text_of(history()) : "";
    io::write_atomically(history(), before + json::Object().number("frame", frame).raw("changed", keys.str()).str() + "\n");
}

std::string lines_of(const std::vector<scene::Change>& changes) {
    std::string lines;
    for (const scene::Change& change : changes) lines += fmt::format("\n  {}: {} -> {}", change.path, change.before, change.after);
    return lines;
}

}  // namespace phlo::sim
