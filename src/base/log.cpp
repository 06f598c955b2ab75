#include "base/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <mutex>
#include <set>

namespace phlo::log {
namespace {

spdlog::logger& logger() {
    static const auto instance = [] {
        auto made = spdlog::stderr_color_mt("phlo");
        made->set_pattern("%^%l%$: %v");
        return made;
    }();
    return *instance;
}

}  // namespace

void set_level(Level level) {
    logger().set_level(level == Level::quiet    ? spdlog::level::warn
                       : level == Level::normal ? spdlog::level::info
                                                : spdlog::level::debug);
}

void info_text(const std::string& text) { logger().info(text); }
void warn_text(const std::string& text) { logger().warn(text); }

void once(std::string_view key, const std::string& text) {
    static std::mutex mutex;
    static std::set<std::string, std::less<>> said;
    const std::scoped_lock lock(mutex);
    if (said.emplace(key).second) warn_text(text);
}

}  // namespace phlo::log

namespace phlo {

void Warnings::once(std::string_view key, const std::string& text) {
    const std::scoped_lock lock(mutex_);
    if (said_.emplace(key, text).second) log::warn_text(text);
}

std::map<std::string, std::string, std::less<>> Warnings::said() const {
    const std::scoped_lock lock(mutex_);
    return said_;
}

}  // namespace phlo
