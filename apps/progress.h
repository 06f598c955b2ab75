// How far a long job is: a bar with the time left on a terminal, plain lines otherwise, nothing when quiet. Goes to standard error.
//
//   ProgressBar bar("simulating", frames, quiet);
//   bar.update(done, "frame 12, 0.21 s");       // after each frame
//
//   simulating  12/120 [==>                      ]  10 %, 0:23 left   frame 12, 0.21 s
#pragma once
#include <chrono>
#include <string>

namespace phlo::apps {

class ProgressBar {
public:
    ProgressBar(std::string title, int total, bool quiet);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    /// `done` of `total` are finished; `detail` is a few words on the last one.
    void update(int done, const std::string& detail);
    void update(int done, const std::string& detail, double seconds_left);
    /// Leaves the bar's line, so that other messages start on their own.
    void finish();

private:
    std::string title_;
    int total_, before_ = -1;
    bool quiet_, terminal_, open_ = false;
    std::chrono::steady_clock::time_point start_;
};

/// Of standard error's terminal, in characters.
std::size_t terminal_width();
/// "0:07", "12:34", "1:02:03".
std::string clock_text(double seconds);
/// The bar of `width` characters between its brackets.
std::string bar_text(int done, int total, int width);

}  // namespace phlo::apps
