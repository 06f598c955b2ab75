// JSON Schema (draft 2020-12) for editors, from the tables.
#include <cmath>

#include <fmt/format.h>

#include "base/json.h"
#include "base/units.h"
#include "config/schema.h"

namespace phlo::config {
namespace {

using json::array;
using json::Object;
using json::quoted;

std::string number(const Key& key, const char* type) {
    Object limits;
    limits.text("type", type);
    if (std::isfinite(key.min)) limits.number("minimum", key.min);
    if (std::isfinite(key.above)) limits.number("exclusiveMinimum", key.above);
    if (std::isfinite(key.max)) limits.number("maximum", key.max);
    return limits.str();
}

/// A number, or text with a unit.
std::string quantity(const Key& key) {
    Object text;
    text.text("type", "string").text("pattern", "^[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?\\s*\\S.*$");
    return Object().raw("anyOf", array({number(key, "number"), text.str()})).str();
}

std::string vector_of(const std::string& item) {
    return Object().text("type", "array").raw("items", item).number("minItems", 3).number("maxItems", 3).str();
}

std::string curve_of(const std::string& value) {
    const std::string pair = Object()
                                 .text("type", "array")
                                 .raw("prefixItems", array({R"({"type":["number","string"]})", value}))
                                 .number("minItems", 2)
                                 .number("maxItems", 2)
                                 .str();
    const std::string moment = R"({"type":["number","string"]})";
    const std::string key = Object()
                                .text("type", "object")
                                .raw("properties", Object().raw("time", moment).raw("frame", moment).raw("value", value).str())
                                .raw("required", R"(["value"])")
                                .raw("additionalProperties", "false")
                                .str();
    const std::string keys =
        Object().text("type", "array").number("minItems", 1).raw("items", Object().raw("anyOf", array({pair, key})).str()).str();
    const std::string curve =
        Object()
            .text("type", "object")
            .raw("properties", Object().raw("keys", keys).raw("interpolation", R"({"enum":["linear","smooth"]})").str())
            .raw("required", R"(["keys"])")
            .raw("additionalProperties", "false")
            .str();
    const std::string bare = Object().text("type", "array").number("minItems", 1).raw("items", key).str();
    return Object().raw("anyOf", array({value, curve, bare})).str();
}

std::string json_of(const Schema& schema);

std::string table_of(const Schema& schema) {
    Object properties;
    std::vector<std::string> required;
    const Node defaults = schema.defaults ? schema.defaults() : Node::map();
    for (const Schema::Member& member : schema.members) {
        Object property;
        std::string about = remark(member.key, member.help());
        const Node* standard = defaults.get(member.name);
        const bool inner = member.value->kind == Schema::Kind::table || member.value->kind == Schema::Kind::list;
        if (standard && !inner && !member.key.required) about += fmt::format(" (default {})", to_line(*standard));
        if (!about.empty()) property.text("description", about);
        property.raw("allOf", array({json_of(*member.value)}));
        properties.raw(member.name, property.str());
        if (member.key.required) required.push_back(json::quoted(member.name));
    }
    Object table;
    table.raw("type", R"(["object","null"])");
    if (schema.members.empty()) return table.str();
    table.raw("properties", properties.str()).raw("additionalProperties", "false");
    if (!required.empty()) table.raw("required", array(required));
    return table.str();
}

std::string variant_of(const Schema& schema) {
    std::vector<std::string> alternatives;
    for (const Schema::Option& option : schema.options) {
        alternatives.push_back(Object().raw("const", json::quoted(option.name)).text("description", option.help).str());
        if (option.content)
            alternatives.push_back(Object()
                                       .text("type", "object")
                                       .text("description", option.help)
                                       .raw("properties", Object().raw(option.name, json_of(*option.content)).str())
                                       .raw("required", array({json::quoted(option.name)}))
                                       .raw("additionalProperties", "false")
                                       .str());
    }
    return Object().raw("anyOf", array(alternatives)).str();
}

std::string plain(const Schema& schema) {
    switch (schema.kind) {
        case Schema::Kind::number: return quantity(schema.key);
        case Schema::Kind::integer: return number(schema.key, "integer");
        case Schema::Kind::boolean: return R"({"type":"boolean"})";
        case Schema::Kind::text: return R"({"type":["string","number"]})";
        case Schema::Kind::vector: return vector_of(quantity(schema.key));
        case Schema::Kind::colour:
            return Object()
                .raw("anyOf", array({vector_of(R"({"type":"number","minimum":0})"), R"({"type":"string","pattern":"^#[0-9a-fA-F]{6}$"})"}))
                .str();
        case Schema::Kind::choice:
        case Schema::Kind::variant: return variant_of(schema);
        case Schema::Kind::table: return table_of(schema);
        case Schema::Kind::list: return Object().text("type", "array").raw("items", json_of(*schema.item)).str();
        case Schema::Kind::names: return Object().text("type", "object").raw("additionalProperties", json_of(*schema.item)).str();
        case Schema::Kind::free:
            return schema.item ? Object().raw("anyOf", array({R"({"type":["string","number"]})", json_of(*schema.item)})).str() : "{}";
    }
    return "{}";
}

std::string json_of(const Schema& schema) {
    std::string value = plain(schema);
    if (schema.animated) value = curve_of(value);
    if (schema.optional) value = Object().raw("anyOf", array({value, R"({"enum":["none",null]})"})).str();
    return value;
}

}  // namespace

std::string json_schema(const std::vector<SchemaPtr>& roots, const std::string& title) {
    std::vector<std::string> kinds;
    for (const SchemaPtr& root : roots) kinds.push_back(table_of(*root));
    std::string body = kinds.size() == 1 ? kinds.front() : Object().raw("anyOf", array(kinds)).str();
    body.erase(0, 1);
    return fmt::format("{{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"title\":{},{}\n", json::quoted(title), body);
}

}  // namespace phlo::config
