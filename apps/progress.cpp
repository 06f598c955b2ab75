#include "progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace phlo::apps {

std::size_t terminal_width() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? std::size_t(size.ws_col) : 80;
}

std::string clock_text(double seconds) {
    const long s = std::lround(std::clamp(seconds, 0.0, 1e7));
    return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60) : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

std::string bar_text(int done, int total, int width) {
    const int filled = total > 0 ? std::clamp(int(std::int64_t(width) * done / total), 0, width) : width;
    std::string bar(std::size_t(filled), '=');
    if (filled < width) bar += '>';
    bar.resize(std::size_t(width), ' ');
    return bar;
}

ProgressBar::ProgressBar(std::string title, int total, bool quiet)
    : title_(std::move(title)),
      total_(total),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(std::chrono::steady_clock::now()) {}

ProgressBar::~ProgressBar() { finish(); }

void ProgressBar::update(int done, const std::string& detail) {
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (before_ < 0) before_ = done - 1;  // a resumed job: what was there before took no time now
    update(done, detail, spent / std::max(done - before_, 1) * (total_ - done));
}

void ProgressBar::update(int done, const std::string& detail, double seconds_left) {
    if (quiet_) return;
    const std::string left = clock_text(seconds_left);
    if (!terminal_) {
        fmt::print(stderr, "{} {}/{}: {}, {} left\n", title_, done, total_, detail, left);
        return;
    }
    std::string line = fmt::format("{} {:>{}}/{} [{}] {:3} %, {} left   {}", title_, done, fmt::format("{}", total_).size(), total_,
                                   bar_text(done, total_, 24), total_ > 0 ? 100 * done / total_ : 100, left, detail);
    line.resize(std::min(line.size(), terminal_width() - 1));
    fmt::print(stderr, "\r\033[K{}", line);
    std::fflush(stderr);
    open_ = true;
}

void ProgressBar::finish() {
    if (open_) fmt::print(stderr, "\n");
    open_ = false;
}

}  // namespace phlo::apps
