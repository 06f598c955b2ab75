// Messages for people go to standard error, results to standard output.
//
//   log::warn("emitter '{}' lies outside the domain", name);
//   log::once("unit-less", "...");         // the same key is said once
//
//   Warnings warnings;                     // of one run
//   warnings.once("sealed-domain", "...");
#pragma once
#include <fmt/format.h>

#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace phlo::log {

enum class Level { quiet, normal, verbose };
void set_level(Level level);

void info_text(const std::string& text);
void warn_text(const std::string& text);
/// Says `text` as a warning the first time `key` is seen.
void once(std::string_view key, const std::string& text);

template <class... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
    info_text(fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void warn(fmt::format_string<Args...> format, Args&&... args) {
    warn_text(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace phlo::log

namespace phlo {

/// Warnings that belong to one run: each key is said once in it, and what was said can be asked for. Any thread may warn.
class Warnings {
public:
    void once(std::string_view key, const std::string& text);
    std::map<std::string, std::string, std::less<>> said() const;   ///< by key

private:
    mutable std::mutex mutex_;
    std::map<std::string, std::string, std::less<>> said_;
};

}  // namespace phlo
