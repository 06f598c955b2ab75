#include "serve/diagnostics.h"

#include <charconv>

#include "base/json.h"

namespace phlo::serve {
namespace {

/// Takes "12:" from the front; 0 if there is no such number.
int take_number(std::string_view& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end == text.data() + text.size() || *end != ':') return 0;
    text.remove_prefix(std::size_t(end - text.data()) + 1);
    return value;
}

bool is_key_path(std::string_view text) {
    return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") == std::string_view::npos;
}

Diagnostic one(std::string_view line, std::string_view file) {
    Diagnostic result;
    if (line.starts_with(file) && line.substr(file.size()).starts_with(":")) {
        std::string_view rest = line.substr(file.size() + 1);
        result.line = take_number(rest), result.column = result.line ? take_number(rest) : 0;
        if (result.column) line = rest;
        while (line.starts_with(' ')) line.remove_prefix(1);
        if (const std::size_t colon = line.find(": "); result.column && colon != std::string_view::npos && is_key_path(line.substr(0, colon)))
            result.path = std::string(line.substr(0, colon)), line.remove_prefix(colon + 2);
    }
    result.message = std::string(line);
    return result;
}

}  // namespace

std::vector<Diagnostic> diagnostics(std::string_view error, std::string_view file) {
    std::vector<Diagnostic> list;
    while (!error.empty()) {
        const std::size_t end = error.find('\n');
        const std::string_view line = error.substr(0, end);
        error.remove_prefix(end == std::string_view::npos ? error.size() : end + 1);
        if (line.starts_with(' ') && !list.empty()) list.back().message += "\n" + std::string(line);
        else if (!line.empty()) list.push_back(one(line, file));
    }
    return list;
}

std::string to_json(const std::vector<Diagnostic>& list) {
    return json::array(list, [](const Diagnostic& d) {
        return json::Object().number("line", d.line).number("column", d.column).text("path", d.path).text("message", d.message).str();
    });
}

}  // namespace phlo::serve
