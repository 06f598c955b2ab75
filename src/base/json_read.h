// Reads JSON text that may come from anybody: nothing in it can do more than be refused.
//
//   json::Value message = json::parse(R"({"type": "open", "scene": "plume"})");           // throws InputError
//   std::string scene = message.text("scene", "");
//   double value = message.number("value", 0);
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace phlo::json {

struct Member;

struct Value {
    enum class Kind { null, boolean, number, text, array, object };

    Kind kind = Kind::null;
    bool truth = false;
    double value = 0;
    std::string string;
    std::vector<Value> items;                             ///< of an array
    std::vector<Member> members;                          ///< of an object; of two with one name the first counts

    /// A member of an object; null if this is none, or has no such member.
    const Value* get(std::string_view name) const;
    /// The member if it is of this kind, or `otherwise`.
    std::string text(std::string_view name, std::string_view otherwise) const;
    double number(std::string_view name, double otherwise) const;
    bool flag(std::string_view name, bool otherwise) const;
};

struct Member {
    std::string name;
    Value value;
};

/// At most 32 levels deep. Throws InputError for anything that is not one JSON value in UTF-8.
Value parse(std::string_view text);

}  // namespace phlo::json
