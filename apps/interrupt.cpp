#include "interrupt.h"

#include <unistd.h>

#include <csignal>
#include <cstring>

namespace phlo::apps {
namespace {

volatile std::sig_atomic_t signals_seen = 0;
struct sigaction before_int, before_term;

extern "C" void note_signal(int) {
    signals_seen = signals_seen + 1;
    if (signals_seen > 1) _exit(1);  // the checkpoint on disk is consistent at every moment
    constexpr char message[] = "\nstopping after this frame (once more: at once)\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, message, sizeof message - 1);
}

}  // namespace

Interrupt::Interrupt() {
    signals_seen = 0;
    struct sigaction action {};
    action.sa_handler = note_signal;
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, &before_int);
    sigaction(SIGTERM, &action, &before_term);
}

Interrupt::~Interrupt() {
    sigaction(SIGINT, &before_int, nullptr);
    sigaction(SIGTERM, &before_term, nullptr);
}

bool Interrupt::requested() const { return signals_seen > 0; }

}  // namespace phlo::apps
