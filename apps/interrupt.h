// Ctrl-C ends a run after a consistent frame. A second one ends it at once.
//
//   Interrupt interrupt;                       // while it lives
//   ... if (interrupt.requested()) stop after this frame
#pragma once

namespace phlo::apps {

class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;
    bool requested() const;
};

}  // namespace phlo::apps
