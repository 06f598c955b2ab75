// Two kinds of failure leave a library: the input is wrong, or the run failed. The program's exit code tells them apart.
//
//   throw InputError("scene.yaml:3:5: domain.resolution: expected a whole number, got 'many'");
//   throw RunError(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
//
// Programmer errors are PHLO_CHECKs: they name the broken promise and its place, and end the run.
#pragma once
#include <stdexcept>
#include <string>

namespace phlo {

/// The user's input is wrong: exit code 2. The message holds the position, the key path and the remedy.
struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The run failed for a reason outside the input (disk, memory, broken cache): exit code 1.
struct RunError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace phlo

#define PHLO_CHECK(condition) ((condition) ? void(0) : ::phlo::check_failed(#condition, __FILE__, __LINE__))
