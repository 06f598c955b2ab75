#include "play_status.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "arguments.h"
#include "progress.h"

namespace phlo::apps {
namespace {

/// "true speed" or "0.43 of true speed".
std::string speed_text(double speed) { return speed > 0.95 && speed < 1.05 ? "true speed" : fmt::format("{:.2f} of true speed", speed); }

}  // namespace

std::string stages_text(const StageTimes& times, int count, int most) {
    auto stages = times.entries();
    std::ranges::stable_sort(stages, std::greater(), [](const auto& stage) { return stage.second; });
    std::string text;
    for (std::size_t n = 0; n < std::min(stages.size(), std::size_t(most)); ++n)
        text += fmt::format("{}{} {:.1f}", n == 0 ? "" : ", ", stages[n].first, 1000 * stages[n].second / count);
    return fmt::format("{:.1f} ms{}", 1000 * times.total() / count, text.empty() ? "" : " (" + text + ")");
}

PlayStatus::PlayStatus(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0), last_(std::chrono::steady_clock::now()) {}

PlayStatus::~PlayStatus() { finish(); }

void PlayStatus::tell(const PlayTick& tick) {
    if (quiet_) return;
    ++pictures_;
    simulation_.add(tick.simulation), drawing_.add(tick.drawing), writing_.add(tick.writing);
    const auto now = std::chrono::steady_clock::now();
    const double passed = std::chrono::duration<double>(now - last_).count();
    if (passed < (terminal_ ? 0.25 : 1)) return;
    const int most = terminal_ ? 2 : 4;
    std::string line = fmt::format("{:.1f} s  {:.1f} pictures/s  {}", tick.time, pictures_ / passed, speed_text(tick.speed));
    if (tick.particles > 0) line += fmt::format("  {} particles", count_text(tick.particles));
    line += fmt::format("  simulation {}  picture {}", stages_text(simulation_, pictures_, most), stages_text(drawing_, pictures_, most));
    if (writing_.total() > 0) line += fmt::format("  writing {:.1f} ms", 1000 * writing_.total() / pictures_);
    if (terminal_) {
        line.resize(std::min(line.size(), terminal_width() - 1));
        fmt::print(stderr, "\r\033[K{}", line);
        open_ = true;
    } else {
        fmt::print(stderr, "{}\n", line);
    }
    std::fflush(stderr);
    last_ = now, pictures_ = 0;
    simulation_.clear(), drawing_.clear(), writing_.clear();
}

void PlayStatus::finish() {
    if (open_) fmt::print(stderr, "\n");
    open_ = false;
}

}  // namespace phlo::apps
