#include "base/json.h"

#include <fmt/ranges.h>

namespace phlo::json {

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\', result += c;
        else if (static_cast<unsigned char>(c) < 0x20) result += fmt::format("\\u{:04x}", int(c));
        else result += c;
    }
    return result + '"';
}

std::string array(const std::vector<std::string>& pieces) { return fmt::format("[{}]", fmt::join(pieces, ",")); }

Object& Object::raw(std::string_view key, std::string_view json) {
    if (!body_.empty()) body_ += ',';
    body_ += quoted(key);
    body_ += ':';
    body_ += json;
    return *this;
}

}  // namespace phlo::json
