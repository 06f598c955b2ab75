#include "serve/worktable.h"

#include "base/json.h"

namespace phlo::serve {

bool is_plain_name(const std::string& name) {
    return !name.empty() && name.size() <= 80 && name.front() != '.' && name.front() != '-' &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") == std::string::npos;
}

std::string change_json(const scene::Change& change) {
    const char* affects = change.affects == config::Affects::render ? "picture" : change.affects == config::Affects::nothing ? "nothing" : "simulation";
    return json::Object().text("path", change.path).text("before", change.before).text("after", change.after).text("affects", affects).str();
}

}  // namespace phlo::serve
