// The reference of a scene file, from its tables.
#include <algorithm>

#include <fmt/format.h>

#include "config/schema.h"

namespace phlo::config {
namespace {

std::string kind_text(const Schema& schema) {
    switch (schema.kind) {
        case Schema::Kind::number: return "number";
        case Schema::Kind::integer: return "whole number";
        case Schema::Kind::boolean: return "true or false";
        case Schema::Kind::text: return "text";
        case Schema::Kind::choice:
        case Schema::Kind::variant: {
            std::string words;
            for (const Schema::Option& option : schema.options) words += (words.empty() ? "" : " | ") + option.name;
            return words;
        }
        case Schema::Kind::vector: return "[x, y, z]";
        case Schema::Kind::colour: return "colour";
        case Schema::Kind::table: return "";
        case Schema::Kind::list: return "list";
        case Schema::Kind::names: return "{name: value}";
        case Schema::Kind::free: return "";
    }
    return "";
}

class Writer {
public:
    std::string result;

    void table(const Schema& schema, const Node& defaults, std::size_t indent) {
        for (const Schema::Member& member : schema.members) {
            const Node* value = defaults.get(member.name);
            entry(member, value, indent);
        }
    }

    void entry(const Schema::Member& member, const Node* default_value, std::size_t indent) {
        const Schema& schema = *member.value;
        std::string facts = kind_text(schema);
        const auto add = [&](const std::string& fact) {
            if (!fact.empty()) facts += (facts.empty() ? "" : ", ") + fact;
        };
        if (!schema.key.unit.empty()) add(fmt::format("[{}]", schema.key.unit));
        add(range_text(schema.key));
        if (schema.animated) add("may be keyframed");
        const bool inner = schema.kind == Schema::Kind::table || schema.kind == Schema::Kind::list;
        if (member.key.required) add("required");
        else if (default_value && !inner) add("default " + to_line(*default_value));
        line(indent, member.name, member.help());
        if (!facts.empty()) line(indent, "", facts);
        if (inner) result += '\n';

        if (schema.kind == Schema::Kind::table) {
            table(schema, default_value ? *default_value : schema.defaults ? schema.defaults() : Node::map(), indent + 2);
        } else if (schema.kind == Schema::Kind::list && schema.item) {
            item(*schema.item, indent + 2);
        } else if (schema.kind == Schema::Kind::free) {
            item(schema, indent + 2);
        } else if (schema.kind == Schema::Kind::choice || schema.kind == Schema::Kind::variant) {
            options(schema, indent + 2);
        }
    }

private:
    /// Keys of a list's item, or of what is kept as written.
    void item(const Schema& schema, std::size_t indent) {
        if (schema.kind != Schema::Kind::free) return table(schema, schema.defaults ? schema.defaults() : Node::map(), indent);
        if (schema.item && is_news(*schema.item)) table(*schema.item, Node::map(), indent);
    }

    bool is_news(const Schema& schema) {
        if (std::find(told_.begin(), told_.end(), &schema) != told_.end()) return false;
        told_.push_back(&schema);
        return true;
    }

    void options(const Schema& schema, std::size_t indent) {
        if (!is_news(schema)) return;
        for (const Schema::Option& option : schema.options) {
            if (!option.help.empty()) line(indent, option.name, option.help);
            if (option.content) table(*option.content, option.content->defaults ? option.content->defaults() : Node::map(), indent + 2);
        }
    }

    void line(std::size_t indent, const std::string& name, std::string_view text) {
        result += fmt::format("{:<{}}{}{}\n", std::string(indent, ' ') + name, text_column, text.empty() ? "" : " ", text);
    }

    static constexpr std::size_t text_column = 26;
    std::vector<const Schema*> told_;  ///< shapes, walls and rates occur often: their words are explained once
};

constexpr const char* introduction =
    R"(A scene is a YAML file. SI units are meant unless a value carries its own: 20 cm, 1200 K, 25 degC, 15 deg, 0.5 1/s.
What may be keyframed is a constant, or {keys: [[time, value], ...], interpolation: linear | smooth};
a time is in seconds, or in frames: 24 f. Instead of [time, value] also {time: 1 s, value: 2} or {frame: 24, value: 2}.
'base: plume' makes a scene a change of a preset or of another file: lists of named items are merged by name.

)";

}  // namespace

std::string keys_text(const Schema& root) {
    Writer writer;
    for (const Schema::Member& member : root.members) {
        if (!writer.result.empty() && !writer.result.ends_with("\n\n")) writer.result += '\n';
        const Node own = member.value->kind == Schema::Kind::table && member.value->defaults ? member.value->defaults() : Node();
        const Node defaults = root.defaults ? root.defaults() : Node::map();
        const Node* value = own.is_map() ? &own : defaults.get(member.name);
        writer.entry(member, value, 0);
    }
    return writer.result;
}

std::string help_text(const Schema& root) { return introduction + keys_text(root); }

}  // namespace phlo::config
