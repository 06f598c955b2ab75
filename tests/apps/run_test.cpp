// Runs from the outside: what lands in the directory, and that no interruption can change it.
#include <cstring>

#include "io/cache.h"
#include "program.h"

namespace phlo::apps {
namespace {

std::vector<std::string> run_arguments(const std::string& out, const std::string& frames, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"run", "plume-sphere", "-o", out, "--resolution", "24", "--frames", frames};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::stringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

::testing::AssertionResult same_bits(const field::Grid& a, const field::Grid& b) {
    if (a.storage().size() != b.storage().size()) return ::testing::AssertionFailure() << "different sizes";
    if (std::memcmp(a.storage().data(), b.storage().data(), a.storage().size_bytes()) != 0)
        return ::testing::AssertionFailure() << "different values";
    return ::testing::AssertionSuccess();
}

/// Every frame of both directories holds the same grids, bit by bit, and `frames` of them.
void expect_same_caches(const std::string& a, const std::string& b, int frames) {
    const std::vector<int> numbers = io::cached_frames(fs::path(a) / "cache");
    ASSERT_EQ(numbers, io::cached_frames(fs::path(b) / "cache"));
    ASSERT_EQ(int(numbers.size()), frames);
    for (const int number : numbers) {
        const field::Frame x = io::read_cache_frame(fs::path(a) / "cache", number), y = io::read_cache_frame(fs::path(b) / "cache", number);
        ASSERT_EQ(x.volumes.size(), y.volumes.size());
        ASSERT_GE(x.volumes.size(), 2u);
        for (std::size_t s = 0; s < x.volumes.size(); ++s) {
            EXPECT_EQ(x.volumes[s].name, y.volumes[s].name);
            EXPECT_TRUE(same_bits(*x.volumes[s].grid, *y.volumes[s].grid)) << x.volumes[s].name << " of frame " << number;
        }
        ASSERT_TRUE(x.velocity && y.velocity);
        for (int axis = 0; axis < 3; ++axis)
            EXPECT_TRUE(same_bits((*x.velocity->faces)[axis], (*y.velocity->faces)[axis])) << "velocity of frame " << number;
    }
}

TEST(run, a_tiny_run_leaves_a_complete_directory) {
    const test::ScratchDir dir;
    const std::string out = dir / "out";
    const Outcome outcome = phlo(run_arguments(out, "1-3"));
    ASSERT_EQ(outcome.code, 0) << outcome;
    EXPECT_TRUE(fs::exists(out + "/scene.yaml"));
    EXPECT_EQ(io::cached_frames(out + "/cache"), (std::vector<int>{1, 2, 3}));
    for (const auto& entry : fs::recursive_directory_iterator(out)) EXPECT_FALSE(contains(entry.path().filename(), "tmp")) << entry.path();

    const std::vector<std::string> stats = lines_of(test::file_text(out + "/stats.jsonl"));
    ASSERT_EQ(stats.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_TRUE(stats[i].starts_with('{') && stats[i].ends_with('}'));
        EXPECT_TRUE(contains(stats[i], fmt::format("\"frame\":{}", i + 1)) || contains(stats[i], fmt::format("\"frame\": {}", i + 1)))
            << stats[i];
        for (const char* key :
             {"time", "dt", "substeps", "seconds", "pressure", "iterations", "residual", "divergence", "ledger", "memory_bytes"})
            EXPECT_TRUE(contains(stats[i], fmt::format("\"{}\":", key))) << key;
    }
    EXPECT_EQ(phlo({"check", out + "/scene.yaml"}).code, 0) << "the scene as run must be a valid scene";
}

TEST(run, info_tells_grids_ranges_and_units) {
    const test::ScratchDir dir;
    const std::string out = dir / "out";
    ASSERT_EQ(phlo(run_arguments(out, "1-2", {"--quiet"})).code, 0);
    for (const std::string& path : {out, out + "/cache", out + "/cache/frame_0002.vdb"}) {
        const Outcome outcome = phlo({"info", path});
        EXPECT_EQ(outcome.code, 0) << outcome;
        for (const char* word : {"density", "temperature", "velocity", "K", "m/s"})
            EXPECT_TRUE(contains(outcome.out, word)) << word << outcome;
        const Outcome json = phlo({"info", path, "--json"});
        EXPECT_EQ(json.code, 0) << json;
        EXPECT_TRUE(json.out.starts_with('{') && json.out.ends_with("}\n")) << json;
    }
}

TEST(run, a_truncated_frame_is_named_and_the_others_stay_readable) {
    const test::ScratchDir dir;
    const std::string out = dir / "out";
    ASSERT_EQ(phlo(run_arguments(out, "1-3", {"--quiet"})).code, 0);
    const std::string broken = out + "/cache/frame_0002.vdb";
    fs::resize_file(broken, fs::file_size(broken) / 2);
    const Outcome info = phlo({"info", out});
    EXPECT_EQ(info.code, 1) << info;
    EXPECT_TRUE(contains(info.out + info.err, "frame_0002.vdb")) << info;
    const Outcome render = phlo({"render", out, "--size", "32x32", "--quiet"});
    EXPECT_EQ(render.code, 1) << render;
    EXPECT_TRUE(contains(render.err, "frame_0002.vdb")) << render;
    EXPECT_EQ(phlo({"info", out + "/cache/frame_0003.vdb"}).code, 0);
}

TEST(run, progress_is_a_line_a_frame_when_no_terminal_listens_and_nothing_when_quiet) {
    const test::ScratchDir dir;
    const Outcome loud = phlo(run_arguments(dir / "a", "1-3"));
    EXPECT_TRUE(contains(loud.err, "1/3") && contains(loud.err, "2/3") && contains(loud.err, "3/3")) << loud;
    EXPECT_FALSE(contains(loud.err, "\r")) << loud;
    const Outcome quiet = phlo(run_arguments(dir / "b", "1-3", {"--quiet"}));
    EXPECT_EQ(quiet.code, 0);
    EXPECT_EQ(quiet.err, "");
}

TEST(run, the_number_of_threads_does_not_change_a_bit) {
    const test::ScratchDir dir;
    ASSERT_EQ(phlo(run_arguments(dir / "one", "1-6", {"--threads", "1", "--quiet"})).code, 0);
    ASSERT_EQ(phlo(run_arguments(dir / "two", "1-6", {"--threads", "2", "--quiet"})).code, 0);
    expect_same_caches(dir / "one", dir / "two", 6);
}

TEST(run, a_longer_run_goes_on_where_the_shorter_one_ended) {
    const test::ScratchDir dir;
    ASSERT_EQ(phlo(run_arguments(dir / "whole", "1-6", {"--quiet"})).code, 0);
    ASSERT_EQ(phlo(run_arguments(dir / "parts", "1-3", {"--quiet"})).code, 0);
    const fs::file_time_type before = fs::last_write_time(dir / "parts/cache/frame_0003.vdb");
    const Outcome resumed = phlo(run_arguments(dir / "parts", "1-6", {"--resume"}));
    ASSERT_EQ(resumed.code, 0) << resumed;
    EXPECT_EQ(fs::last_write_time(dir / "parts/cache/frame_0003.vdb"), before) << "finished frames must not be made again";
    expect_same_caches(dir / "whole", dir / "parts", 6);
    EXPECT_EQ(lines_of(test::file_text(dir / "parts/stats.jsonl")).size(), 6u);
}

TEST(run, kill_at_any_moment_then_resume_gives_the_same_bits) {
    const test::ScratchDir dir;
    ASSERT_EQ(phlo(run_arguments(dir / "whole", "1-12", {"--quiet"})).code, 0);
    ASSERT_EQ(phlo(run_arguments(dir / "killed", "1-3", {"--quiet"})).code, 0);
    for (const int frame : {5, 8}) {
        Process process(run_arguments(dir / "killed", "1-12", {"--resume", "--quiet"}));
        EXPECT_TRUE(process.wait_for(io::frame_path(dir / "killed/cache", frame)));
        process.send(SIGKILL);
        process.wait();
    }
    const Outcome resumed = phlo(run_arguments(dir / "killed", "1-12", {"--resume", "--quiet"}));
    ASSERT_EQ(resumed.code, 0) << resumed;
    expect_same_caches(dir / "whole", dir / "killed", 12);
    EXPECT_EQ(lines_of(test::file_text(dir / "killed/stats.jsonl")).size(), 12u);
}

TEST(run, ctrl_c_stops_after_a_consistent_frame) {
    const test::ScratchDir dir;
    Process process(run_arguments(dir / "out", "1-60"));
    ASSERT_TRUE(process.wait_for(io::frame_path(dir / "out/cache", 2)));
    process.send(SIGINT);
    const Outcome stopped = process.wait();
    EXPECT_EQ(stopped.code, 1) << stopped;
    EXPECT_TRUE(contains(stopped.err, "--resume")) << stopped;
    const int last = io::cached_frames(dir / "out/cache").back();
    ASSERT_LT(last, 60);
    ASSERT_EQ(phlo(run_arguments(dir / "out", fmt::format("1-{}", last + 2), {"--resume", "--quiet"})).code, 0);
    ASSERT_EQ(phlo(run_arguments(dir / "whole", fmt::format("1-{}", last + 2), {"--quiet"})).code, 0);
    expect_same_caches(dir / "whole", dir / "out", last + 2);
}

TEST(run, a_scene_changed_under_a_cache_is_refused_and_the_keys_are_named) {
    const test::ScratchDir dir;
    ASSERT_EQ(phlo(run_arguments(dir / "out", "1-2", {"--quiet"})).code, 0);
    const std::string before = test::file_text(dir / "out/cache/frame_0002.vdb");
    for (const char* resume : {"--resume", "--quiet"}) {
        const Outcome outcome = phlo(run_arguments(dir / "out", "1-2", {"--set", "gas.cooling=0.123", resume}));
        EXPECT_NE(outcome.code, 0) << outcome;
        EXPECT_TRUE(contains(outcome.err, "gas.cooling")) << outcome;
    }
    EXPECT_EQ(test::file_text(dir / "out/cache/frame_0002.vdb"), before) << "the frames that were there must stay";
}

TEST(run, goes_on_from_a_frame_bit_by_bit_if_nothing_has_changed) {
    const test::ScratchDir dir;
    const std::vector<std::string> often{"--quiet", "--set", "time.checkpoints=3"};
    ASSERT_EQ(phlo(run_arguments(dir / "whole", "1-9", often)).code, 0);
    ASSERT_EQ(phlo(run_arguments(dir / "again", "1-9", often)).code, 0);
    const fs::file_time_type before = fs::last_write_time(dir / "again/cache/frame_0006.vdb");
    std::vector<std::string> resume = often;
    resume.insert(resume.end(), {"--resume", "6"});
    const Outcome resumed = phlo(run_arguments(dir / "again", "1-9", resume));
    ASSERT_EQ(resumed.code, 0) << resumed;
    EXPECT_EQ(fs::last_write_time(dir / "again/cache/frame_0006.vdb"), before) << "frames before must stay";
    EXPECT_NE(fs::last_write_time(dir / "again/cache/frame_0007.vdb"), before) << "later ones must be made anew";
    expect_same_caches(dir / "whole", dir / "again", 9);
    EXPECT_EQ(lines_of(test::file_text(dir / "again/stats.jsonl")).size(), 9u);
    EXPECT_EQ(test::file_text(dir / "whole/checkpoint/state.bin"), test::file_text(dir / "again/checkpoint/state.bin"));
}

TEST(run, a_branch_takes_the_frames_before_along_and_names_what_changed) {
    const test::ScratchDir dir;
    ASSERT_EQ(phlo(run_arguments(dir / "trunk", "1-8", {"--quiet", "--set", "time.checkpoints=4"})).code, 0);
    const std::string trunk = test::file_text(dir / "trunk/cache/frame_0007.vdb");
    const Outcome branch = phlo(run_arguments(dir / "branch", "1-8", {"--set", "gas.cooling=2", "--resume", "4", "--from", dir / "trunk"}));
    ASSERT_EQ(branch.code, 0) << branch;
    EXPECT_TRUE(contains(branch.err, "gas.cooling")) << branch;
    EXPECT_TRUE(contains(test::file_text(dir / "branch/history.jsonl"), "\"frame\":4,\"changed\":{\"gas.cooling\":")) << branch;
    EXPECT_EQ(io::cached_frames(dir / "branch/cache").size(), 8u);
    EXPECT_EQ(test::file_text(dir / "branch/cache/frame_0004.vdb"), test::file_text(dir / "trunk/cache/frame_0004.vdb"));
    EXPECT_NE(test::file_text(dir / "branch/cache/frame_0007.vdb"), trunk);
    EXPECT_EQ(test::file_text(dir / "trunk/cache/frame_0007.vdb"), trunk) << "the trunk must stay as it was";
    EXPECT_EQ(lines_of(test::file_text(dir / "branch/stats.jsonl")).size(), 8u);

    const Outcome longer = phlo(run_arguments(dir / "branch", "1-9", {"--set", "gas.cooling=2", "--resume"}));
    EXPECT_EQ(longer.code, 0) << "a branch goes on as any run does" << longer;
}

TEST(run, resume_without_a_frame_may_stand_before_the_scene) {
    const test::ScratchDir dir;
    ASSERT_EQ(phlo(run_arguments(dir / "out", "1-2", {"--quiet"})).code, 0);
    const Outcome resumed = phlo({"run", "--resume", "plume-sphere", "-o", dir / "out", "--resolution", "24", "--frames", "1-3", "--quiet"});
    EXPECT_EQ(resumed.code, 0) << resumed;
    EXPECT_EQ(io::cached_frames(dir / "out/cache").size(), 3u);
}

TEST(run, a_frame_without_a_checkpoint_is_refused_with_those_that_have_one) {
    const test::ScratchDir dir;
    ASSERT_EQ(phlo(run_arguments(dir / "out", "1-6", {"--quiet", "--set", "time.checkpoints=2"})).code, 0);
    const Outcome outcome = phlo(run_arguments(dir / "out", "1-6", {"--resume", "3"}));
    EXPECT_EQ(outcome.code, 2) << outcome;
    EXPECT_TRUE(contains(outcome.err, "2, 4, 6")) << outcome;
    EXPECT_EQ(io::cached_frames(dir / "out/cache").size(), 6u) << "nothing may be lost by asking";
    const Outcome finer = phlo({"run", "plume-sphere", "-o", dir / "out", "--resolution", "28", "--resume", "4"});
    EXPECT_EQ(finer.code, 2) << finer;
    EXPECT_TRUE(contains(finer.err, "domain.resolution")) << finer;
    EXPECT_EQ(io::cached_frames(dir / "out/cache").size(), 6u) << "nothing may be lost by asking";
}

TEST(run, a_directory_that_cannot_be_written_is_a_failed_run) {
    const test::ScratchDir dir;
    std::ofstream(dir / "file") << "not a directory";
    const Outcome outcome = phlo(run_arguments(dir / "file/out", "1-2"));
    EXPECT_EQ(outcome.code, 1) << outcome;
    EXPECT_TRUE(contains(outcome.err, dir / "file/out")) << outcome;
}

TEST(run, rendering_makes_pictures_and_a_movie) {
    const test::ScratchDir dir;
    const std::string out = dir / "out";
    ASSERT_EQ(phlo(run_arguments(out, "1-3", {"--quiet"})).code, 0);
    const Outcome outcome = phlo({"render", out, "--size", "64x48", "--quality", "draft"});
    ASSERT_EQ(outcome.code, 0) << outcome;
    EXPECT_EQ(io::cached_frames(out + "/images", ".png"), (std::vector<int>{1, 2, 3}));
    EXPECT_GT(fs::file_size(out + "/movie.mp4"), 1000u);
    EXPECT_TRUE(contains(outcome.out, "movie.mp4")) << outcome;
}

}  // namespace
}  // namespace phlo::apps
