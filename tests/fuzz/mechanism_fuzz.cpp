// libFuzzer on the readers of mechanisms: whatever the bytes are, only an InputError may leave them.
//
//   cmake --preset fuzz && cmake --build --preset fuzz
//   build-fuzz/tests/fuzz/mechanism_fuzz -dict=tests/fuzz/mechanism.dict -close_fd_mask=3 -max_total_time=600 build-fuzz/corpus mechanisms
//
// What it finds becomes a case of tests/chem/bad_mechanisms.h.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "chem/mechanism/read.h"
#include "chem/mechanism/shipped.h"

/// None is looked for by its name here.
const std::vector<phlo::chem::ShippedMechanism> phlo::chem::shipped_mechanisms;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        phlo::chem::read_mechanism(phlo::config::parse_yaml(text, "fuzz.yaml"), "");
    } catch (const phlo::InputError&) {
    }
    return 0;
}
