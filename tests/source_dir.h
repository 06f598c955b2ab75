// Where the project is, for tests that read its files. A function, so that only one small object depends on the place of a clone and ccache knows the
// others again in any.
#pragma once
#include <string>

namespace phlo::test {

std::string source_dir();

}  // namespace phlo::test
