#include "source_dir.h"

namespace phlo::test {

std::string source_dir() { return PHLO_SOURCE_DIR; }

}  // namespace phlo::test
