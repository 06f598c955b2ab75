// How far a live view goes on from one picture to the next: by the time that has really passed, so that a flame burns at its true speed.
//
//   Pace pace({.frame = 1 / 24.0});
//   double step = pace.step(seconds_now());            // the first one is a frame long
//   if (pace.speed() < 0.95) log::warn("cannot keep up");
//
// A step is never shorter than `shortest`, because the caller waits until it is due, and never longer than `longest`: where pictures take longer than
// that, time runs slower than it should, and speed() tells by how much. A fixed pace asks no clock: every step is a frame long.
#pragma once

namespace phlo::sim {

struct PaceParams {
    double frame = 1 / 24.0;         ///< [s]
    bool fixed = false;
    double shortest = 1 / 240.0;     ///< [s]
    double longest = 0.1;            ///< [s]
};

class Pace {
public:
    explicit Pace(const PaceParams& params) : params_(params) {}

    /// Seconds to go on by, `now` being the seconds of a clock that never goes back.
    double step(double now);
    /// Seconds to wait before the next step may be taken.
    double wait(double now) const;
    /// Simulated seconds over real ones, lately: 1 is true speed. A fixed pace has whatever speed it reaches.
    double speed() const { return real_ > 0 ? simulated_ / real_ : 1; }

private:
    PaceParams params_;
    bool begun_ = false;
    double last_ = 0;                        ///< when the last step was taken [s]
    double simulated_ = 0, real_ = 0;        ///< means that fade with the memory of a second
};

}  // namespace phlo::sim
