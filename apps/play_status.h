// What `phlo play` says while it plays: a line that is written over on a terminal, a line a second otherwise. Goes to standard error.
//
//   PlayStatus status(quiet);
//   status.tell(tick);
//
//   2.3 s  31.2 pictures/s  true speed  300,000 particles  simulation 12.1 ms (motion 8.0, neighbours 3.1)  picture 9.7 ms (streaks 6.1, …)
#pragma once
#include <chrono>
#include <string>

#include "player.h"

namespace phlo::apps {

class PlayStatus {
public:
    explicit PlayStatus(bool quiet);
    ~PlayStatus();
    PlayStatus(const PlayStatus&) = delete;
    PlayStatus& operator=(const PlayStatus&) = delete;

    void tell(const PlayTick& tick);
    /// Leaves the line, so that other messages start on their own.
    void finish();

private:
    bool quiet_, terminal_, open_ = false;
    std::chrono::steady_clock::time_point last_;
    int pictures_ = 0;                               ///< since the last line
    StageTimes simulation_, drawing_, writing_;      ///< sums since then
};

/// "12.1 ms (motion 8.0, neighbours 3.1)": means over `count` pictures, the largest stages first.
std::string stages_text(const StageTimes& times, int count, int most);

}  // namespace phlo::apps
