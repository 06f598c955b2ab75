// A pipe whose reader has gone answers with an error, not with the end of this process.
//
//   const WithoutPipeSignal guard;            // while it lives
#pragma once
#include <signal.h>

namespace phlo::io {

struct WithoutPipeSignal {
    struct sigaction before {};
    WithoutPipeSignal() {
        struct sigaction ignore {};
        ignore.sa_handler = SIG_IGN;
        ::sigaction(SIGPIPE, &ignore, &before);
    }
    ~WithoutPipeSignal() { ::sigaction(SIGPIPE, &before, nullptr); }
    WithoutPipeSignal(const WithoutPipeSignal&) = delete;
    WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;
};

}  // namespace phlo::io
