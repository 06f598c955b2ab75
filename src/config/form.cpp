// The tables as a tree that a program can make forms of.
#include <cmath>

#include <fmt/format.h>

#include "base/json.h"
#include "config/form.h"

namespace phlo::config {
namespace {

using json::array;
using json::Object;

const char* name_of(Schema::Kind kind) {
    switch (kind) {
        case Schema::Kind::number: return "number";
        case Schema::Kind::integer: return "integer";
        case Schema::Kind::boolean: return "boolean";
        case Schema::Kind::text: return "text";
        case Schema::Kind::choice: return "choice";
        case Schema::Kind::vector: return "vector";
        case Schema::Kind::colour: return "colour";
        case Schema::Kind::table: return "table";
        case Schema::Kind::list: return "list";
        case Schema::Kind::variant: return "variant";
        case Schema::Kind::names: return "names";
        case Schema::Kind::free: return "free";
    }
    return "free";
}

const char* name_of(Affects affects) {
    return affects == Affects::nothing ? "nothing" : affects == Affects::render ? "picture" : "simulation";
}

std::string form_of(const Schema& schema, const Key& key, std::string_view help, Affects outer);

std::string member_of(const Schema::Member& member, const Node& defaults, Affects outer) {
    const Affects affects = member.key.affects ? *member.key.affects : member.value->affects.value_or(outer);
    Object object;
    object.text("name", member.name);
    object.raw("form", form_of(*member.value, member.key, member.help(), affects));
    if (member.key.required) object.raw("required", "true");
    if (!member.locate) object.raw("input", "true");   // another way to say something: read, never written by a program
    if (const Node* standard = defaults.get(member.name); standard && standard->is_scalar()) object.text("default", standard->text);
    else if (standard && standard->is_list()) object.text("default", to_line(*standard));
    return object.str();
}

std::string option_of(const Schema::Option& option, Affects affects) {
    Object object;
    object.text("name", option.name).text("help", option.help);
    if (option.content) object.raw("form", form_of(*option.content, {}, option.content->help, affects));
    return object.str();
}

std::string form_of(const Schema& schema, const Key& key, std::string_view help, Affects affects) {
    Object object;
    object.text("kind", name_of(schema.kind)).text("affects", name_of(affects));
    if (!help.empty()) object.text("help", help);
    if (!key.unit.empty()) object.text("unit", key.unit);
    if (std::isfinite(key.min)) object.number("min", key.min);
    if (std::isfinite(key.max)) object.number("max", key.max);
    if (std::isfinite(key.above)) object.number("above", key.above);
    if (schema.animated) object.raw("animated", "true");
    if (schema.optional) object.raw("optional", "true");
    if (!schema.options.empty()) object.raw("options", array(schema.options, [&](const Schema::Option& option) { return option_of(option, affects); }));
    if (schema.item) object.raw("item", form_of(*schema.item, schema.item->key, schema.item->help, affects));
    if (schema.kind == Schema::Kind::table) {
        const Node defaults = schema.defaults ? schema.defaults() : Node::map();
        object.raw("members", array(schema.members, [&](const Schema::Member& member) { return member_of(member, defaults, affects); }));
    }
    return object.str();
}

}  // namespace

std::string form_json(const Schema& root) { return form_of(root, {}, root.help, root.affects.value_or(Affects::simulation)); }

std::string to_json(const Node& node) {
    switch (node.kind) {
        case Node::Kind::null: return "null";
        case Node::Kind::scalar: return json::quoted(node.text);
        case Node::Kind::list: return array(node.items, [](const Node& item) { return to_json(item); });
        case Node::Kind::map: break;
    }
    Object object;
    for (const Node::Entry& entry : node.entries) object.raw(entry.key, to_json(entry.value));
    return object.str();
}

}  // namespace phlo::config
