// JSON text, piece by piece, in the order in which the pieces come.
//
//   json::Object().text("grid", "density").number("max", 0.5).raw("cells", json::numbers(cells)).str();
//   // {"grid":"density","max":0.5,"cells":[8,8,12]}
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace phlo::json {

/// In quotes, with what JSON does not allow between them escaped.
std::string quoted(std::string_view text);

/// The shortest text that reads back as the same number; null for infinity and not-a-number, which JSON does not have.
template <class T>
std::string number(T value) {
    if constexpr (std::is_floating_point_v<T>)
        if (!std::isfinite(value)) return "null";
    return fmt::format("{}", value);
}

/// An array of pieces that are JSON already, or of what `to_json(item)` makes of each item.
std::string array(const std::vector<std::string>& pieces);
template <class Items, class ToJson>
std::string array(const Items& items, const ToJson& to_json) {
    std::vector<std::string> pieces;
    for (const auto& item : items) pieces.push_back(to_json(item));
    return array(pieces);
}
template <class Items>
std::string numbers(const Items& items) {
    return array(items, [](auto item) { return number(item); });
}

class Object {
public:
    /// `json` is JSON already.
    Object& raw(std::string_view key, std::string_view json);
    Object& text(std::string_view key, std::string_view value) { return raw(key, quoted(value)); }
    template <class T>
    Object& number(std::string_view key, T value) {
        return raw(key, json::number(value));
    }
    std::string str() const { return "{" + body_ + "}"; }

private:
    std::string body_;
};

}  // namespace phlo::json
