// phlo play from the outside: what is in the movie and in the pipe, and that it ends well.
#include <cstdlib>

#include "program.h"

namespace phlo::apps {
namespace {

std::vector<std::string> play(std::vector<std::string> more) {
    std::vector<std::string> arguments{"play", "plume", "--resolution", "16", "--size", "64x36"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

/// Frames that ffprobe decodes in a movie; -1 if it is no movie.
int frames_in(const std::string& movie) {
    const test::ScratchDir dir;
    const std::string said = dir / "probe";
    const std::string command = "ffprobe -v error -count_frames -select_streams v -show_entries stream=nb_read_frames -of csv=p=0 " + movie + " > " + said + " 2>&1";
    return std::system(command.c_str()) == 0 ? std::atoi(test::file_text(said).c_str()) : -1;
}

constexpr std::size_t frame_bytes = 6 + 64 * 36 + 2 * 32 * 18;   // FRAME and its line's end, Y, U and V
const std::string header = "YUV4MPEG2 W64 H36 F24:1 Ip A1:1 C420jpeg\n";

TEST(play, a_movie_has_as_many_frames_as_were_asked_for) {
    const test::ScratchDir dir;
    const std::string movie = dir / "m.mp4";
    const Outcome fixed = phlo(play({"--fixed", "--seconds", "0.5", "--to", movie}));
    ASSERT_EQ(fixed.code, 0) << fixed;
    EXPECT_EQ(frames_in(movie), 12);
    for (const char* word : {"m.mp4: 12 pictures", "simulation", "pressure", "picture", "rays", "film"}) EXPECT_TRUE(contains(fixed.out, word)) << word << fixed;
    const Outcome live = phlo(play({"--seconds", "0.5", "--to", movie}));
    ASSERT_EQ(live.code, 0) << live;
    EXPECT_EQ(frames_in(movie), 12) << "pictures are repeated or left out until the movie is as long as the scene's time\n" << live;
}

TEST(play, standard_output_is_raw_video_and_nothing_else) {
    for (const bool fixed : {true, false}) {
        std::vector<std::string> arguments = play({"--seconds", "0.25", "--to", "-"});
        if (fixed) arguments.push_back("--fixed");
        const Outcome outcome = phlo(arguments);
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        ASSERT_TRUE(outcome.out.starts_with(header)) << outcome.out.substr(0, 80);
        EXPECT_EQ(outcome.out.size(), header.size() + 6 * frame_bytes) << outcome.err;
        for (std::size_t n = 0; n < 6; ++n) EXPECT_EQ(outcome.out.substr(header.size() + n * frame_bytes, 6), "FRAME\n") << n;
        EXPECT_TRUE(contains(outcome.err, "pictures")) << "what it has to say goes to standard error";
    }
}

TEST(play, fixed_steps_give_the_same_bytes_with_any_number_of_threads) {
    const std::string many = phlo(play({"--fixed", "--seconds", "0.5", "--to", "-"})).out;
    EXPECT_EQ(many.size(), header.size() + 12 * frame_bytes);
    EXPECT_EQ(phlo(play({"--fixed", "--seconds", "0.5", "--to", "-"})).out, many);
    EXPECT_EQ(phlo(play({"--fixed", "--seconds", "0.5", "--to", "-", "--threads", "1"})).out, many);
}

TEST(play, fixed_steps_are_the_frames_of_a_run) {
    // The last picture differs from the first: time goes on.
    const std::string video = phlo(play({"--fixed", "--seconds", "1", "--to", "-"})).out;
    ASSERT_EQ(video.size(), header.size() + 24 * frame_bytes);
    EXPECT_NE(video.substr(header.size(), frame_bytes), video.substr(header.size() + 23 * frame_bytes, frame_bytes));
}

TEST(play, an_interrupt_leaves_a_movie_that_plays) {
    const test::ScratchDir dir;
    const std::string movie = dir / "m.mp4";
    Process process(play({"--seconds", "600", "--to", movie}), PHLO_PROGRAM, Process::Group::own);
    ASSERT_TRUE(process.wait_until_said("pictures/s"));
    process.send_to_group(SIGINT);   // as Ctrl-C does: ffmpeg is in the group, unless it was taken out
    const Outcome outcome = process.wait();
    EXPECT_EQ(outcome.code, 0) << outcome;
    EXPECT_GT(frames_in(movie), 4) << outcome;
    for (const auto& entry : fs::directory_iterator(dir.path)) EXPECT_EQ(entry.path().filename(), "m.mp4");
}

TEST(play, a_reader_that_goes_away_ends_it) {
    const test::ScratchDir dir;
    const std::string command = fmt::format("{} play plume --resolution 16 --size 64x36 --fixed --seconds 600 --quiet --to - 2>{} | head -c 20000 >{}; echo ${{PIPESTATUS[0]}} >{}",
                                            PHLO_PROGRAM, dir / "err", dir / "out", dir / "code");
    ASSERT_EQ(std::system(fmt::format("bash -c '{}'", command).c_str()), 0);
    EXPECT_EQ(test::file_text(dir / "code"), "0\n") << test::file_text(dir / "err");
}

TEST(play, without_a_target_it_says_that_nothing_is_written) {
    const Outcome outcome = phlo(play({"--seconds", "0.2"}));
    EXPECT_EQ(outcome.code, 0) << outcome;
    EXPECT_TRUE(contains(outcome.out, "not written")) << outcome;
    EXPECT_TRUE(contains(outcome.out, "pictures a second")) << outcome;
}

TEST(play, bad_arguments_are_wrong_input) {
    const test::ScratchDir dir;
    const std::vector<std::vector<std::string>> wrong{{"--to", dir / "m.gif"}, {"--seconds", "0"},  {"--seconds", "long"}, {"--size", "64"},
                                                      {"--size", "8x8"},       {"--threads", "-1"}, {"--nonsense"},         {"--set", "time.fps=0"}};
    for (const auto& more : wrong) {
        const Outcome outcome = phlo(play(more));
        EXPECT_EQ(outcome.code, 2) << fmt::format("{}", fmt::join(more, " ")) << "\n" << outcome;
        EXPECT_NE(outcome.err, "");
    }
    EXPECT_TRUE(contains(phlo(play({"--to", dir / "m.gif"})).err, ".mp4"));
    EXPECT_EQ(phlo({"play"}).code, 2);
    EXPECT_EQ(phlo({"play", "no-such-scene"}).code, 2);
}

}  // namespace
}  // namespace phlo::apps
