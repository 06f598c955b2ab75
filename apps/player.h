// Simulates a scene and draws it at its own pace. While a picture is drawn, the next step is simulated and the last picture is written.
//
//   Player player(scene, look, {.seconds = 10});
//   PlayReport report = player.play(write_picture, tell);
//
// A fixed pace gives the same pictures on any machine, whatever their number of threads. Otherwise each step is as long as the last picture took, and
// pictures are written once, several times or not at all, so that a movie of the scene's rate runs at true speed.
#pragma once
#include <functional>
#include <future>

#include "live_picture.h"
#include "sim/pace.h"
#include "sim/simulation.h"

namespace phlo::apps {

struct PlayParams {
    double seconds = 5;         ///< of the scene's time
    bool fixed = false;         ///< steps of 1 / fps, as fast as they can be made
    bool overlapped = true;     ///< the three at the same time; needs two threads
};

/// Of one picture.
struct PlayTick {
    int picture = 0;                    ///< its number, from 1 on
    double time = 0;                    ///< of the scene [s]
    double step = 0;                    ///< that led to it [s]
    double real = 0;                    ///< since the last picture [s]
    double speed = 1;                   ///< simulated over real time, lately
    long particles = 0;
    StageTimes simulation = {}, drawing = {}, writing = {};
};

struct PlayReport {
    int pictures = 0;                   ///< drawn
    int written = 0;                    ///< in the stream, repeated ones included
    double time = 0, real = 0;          ///< simulated and passed [s]
    long particles = 0;                 ///< at the end
    bool kept_up = true;                ///< it ran at true speed, or was not asked to
    StageTimes simulation, drawing, writing;   ///< sums
};

/// False: nobody wants more pictures.
using WritePicture = std::function<bool(const io::DisplayImage&)>;
/// False: stop.
using TellTick = std::function<bool(const PlayTick&)>;

class Player {
public:
    Player(const scene::Scene& scene, const render::RenderParams& look, const PlayParams& params);

    /// Without `write` nothing is written, and nothing waits for the scene's rate.
    PlayReport play(const WritePicture& write, const TellTick& tell);

private:
    /// One moment: what is drawn of it, and what it took.
    struct Moment {
        field::Frame frame;
        models::FrameStats stats;
        double step = 0;
        StageTimes seconds;
    };
    Moment first() const;
    Moment next(double step);

    PlayParams params_;
    double fps_;
    sim::Simulation simulation_;
    LivePicture picture_;
};

}  // namespace phlo::apps
