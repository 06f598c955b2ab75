#include "serve/worktable.h"

namespace phlo::serve {

bool is_plain_name(const std::string& name) {
    return !name.empty() && name.size() <= 80 && name.front() != '.' && name.front() != '-' &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") == std::string::npos;
}

}  // namespace phlo::serve
