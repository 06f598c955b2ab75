#include "config/schema.h"

#include <cmath>
#include <map>

#include <fmt/format.h>

#include "base/error.h"

namespace phlo::config {

const Schema::Member* Schema::member(std::string_view name) const {
    for (const Member& candidate : members)
        if (candidate.name == name) return &candidate;
    return nullptr;
}

std::vector<std::string> Schema::member_names() const {
    std::vector<std::string> names;
    for (const Member& m : members) names.push_back(m.name);
    return names;
}

std::vector<std::string> Schema::option_names() const {
    std::vector<std::string> names;
    for (const Option& option : options) names.push_back(option.name);
    return names;
}

namespace {

void report_unknown_key(const Schema& schema, const Node::Entry& entry, Reader& reader) {
    const std::vector<std::string> names = schema.member_names();
    std::string message = "unknown key";
    const std::string home = reader.root() ? home_of(*reader.root(), entry.key) : "";
    const std::string guess = did_you_mean(entry.key, names);
    if (!home.empty()) message += fmt::format("; '{}' belongs to {}", entry.key, home);
    else if (!guess.empty()) message += guess;
    else message += "; expected " + one_of(names);
    reader.fail(entry.position, entry.key, message);
}

void find_homes(const Schema& schema, const std::string& path, std::string_view key, std::vector<std::string>& homes) {
    for (const Schema::Member& member : schema.members) {
        const std::string here = joined(path, member.name);
        if (member.name == key) homes.push_back(here);
        if (member.value->kind == Schema::Kind::table) find_homes(*member.value, here, key, homes);
        if (member.value->kind == Schema::Kind::list && member.value->item) find_homes(*member.value->item, here, key, homes);
    }
}

}  // namespace

std::string home_of(const Schema& root, std::string_view key) {
    std::vector<std::string> homes;
    find_homes(root, "", key, homes);
    return homes.size() == 1 ? homes.front() : "";
}

void add_member(Schema& table, std::string_view name, const Key& key, SchemaPtr value, const Access& access) {
    table.members.push_back({std::string(name), key, std::move(value), [access](void* object) { return access.follow(access.how.data(), object); }});
}

void read_table(const Schema& schema, const Node& node, Reader& reader, void* object) {
    if (!node.is_map() && !node.is_null()) {
        reader.fail(node.position, fmt::format("got {}; expected the keys {}", node.described(), one_of(schema.member_names())));
        return;
    }
    for (const Node::Entry& entry : node.entries)
        if (!schema.member(entry.key)) report_unknown_key(schema, entry, reader);

    for (const Schema::Member& member : schema.members) {
        const Node::Entry* entry = node.entry(member.name);
        if (!entry) {
            if (member.key.required) reader.fail(node.position, member.name, fmt::format("missing; {}", member.key.help));
            continue;
        }
        if (!member.key.replaces.empty() && node.entry(member.key.replaces)) {
            reader.fail(entry->position, member.name, fmt::format("'{}' says the same; expected only one of the two", member.key.replaces));
            continue;
        }
        const bool may_be_empty = member.value->kind == Schema::Kind::table || member.value->optional;
        Node value = entry->value;
        if (value.is_null()) value.position = entry->position;
        if (value.is_null() && !may_be_empty) {
            reader.fail(entry->position, member.name, "has no value; give one, or remove the key to have the default");
            continue;
        }
        Reader::Inside inside(reader, member.name);
        member.value->read(value, reader, member.locate ? member.locate(object) : object);
    }
}

Node write_table(const Schema& schema, const void* object) {
    Node node = Node::map();
    for (const Schema::Member& member : schema.members) {
        if (!member.locate) continue;
        Node value = member.value->write(member.locate(const_cast<void*>(object)));
        if (value.is_null()) continue;
        value.comment = remark(member.key, member.help());
        node.set(member.name, std::move(value));
    }
    return node;
}

void read_variant(const Schema& schema, const Node& node, Reader& reader, void* object) {
    const std::vector<std::string> names = schema.option_names();
    const bool one_key = node.is_map() && node.entries.size() == 1;
    if (!node.is_scalar() && !(one_key && schema.kind == Schema::Kind::variant)) {
        const bool several = node.is_map() && node.entries.size() > 1;
        reader.fail(node.position, fmt::format("got {}; expected {} of {}", several ? "several keys" : node.described(),
                                               several ? "only one" : "one", one_of(names)));
        return;
    }
    const std::string& name = one_key ? node.entries[0].key : node.text;
    for (const Schema::Option& option : schema.options) {
        if (option.name != name) continue;
        if (!option.content && one_key && !node.entries[0].value.is_null()) {
            reader.fail(node.entries[0].position, fmt::format("'{0}' takes no keys; expected the word {0}", name));
            return;
        }
        if (!one_key) {
            Node empty;
            empty.position = node.position;
            option.read(empty, reader, object);
            return;
        }
        Node content = node.entries[0].value;
        if (content.is_null()) content.position = node.entries[0].position;
        Reader::Inside inside(reader, name);
        option.read(content, reader, object);
        return;
    }
    reader.fail(one_key ? node.entries[0].position : node.position,
                fmt::format("'{}' is unknown; expected {}{}", name, one_of(names), did_you_mean(name, names)));
}

Node write_variant(const Schema& schema, const void* object) {
    for (const Schema::Option& option : schema.options) {
        std::optional<Node> content = option.write(object);
        if (!content) continue;
        if (!option.content) return Node::scalar(option.name);
        Node node = Node::map();
        node.set(option.name, std::move(*content));
        return node;
    }
    throw std::logic_error("a value that is none of its options");
}

bool check_list(const Node& node, Reader& reader) {
    if (!node.is_list()) {
        reader.fail(node.position, fmt::format("got {}; expected a list: each item begins with '- '", node.described()));
        return false;
    }
    std::map<std::string, int> lines;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        const Node* name = node.items[i].get("name");
        if (!name || !name->is_scalar()) continue;
        const auto [first, fresh] = lines.emplace(name->text, name->position.line);
        if (!fresh)
            reader.fail(name->position, fmt::format("{}.name", i),
                        fmt::format("the name '{}' is taken, at line {}; names must differ", name->text, first->second));
    }
    return true;
}

bool check_names(const Node& node, Reader& reader) {
    if (node.is_map()) return true;
    reader.fail(node.position, fmt::format("got {}; expected names with values: {{name: value}}", node.described()));
    return false;
}

SchemaPtr as_written_schema(const Key& key, SchemaPtr content) {
    auto schema = std::make_shared<Schema>();
    schema->kind = Schema::Kind::free;
    schema->key = key;
    schema->item = std::move(content);
    schema->read = [](const Node& node, Reader&, void* object) { *static_cast<Node*>(object) = node; };
    schema->write = [](const void* object) { return *static_cast<const Node*>(object); };
    return schema;
}

std::string range_text(const Key& key) {
    const bool low = std::isfinite(key.min), high = std::isfinite(key.max), above = std::isfinite(key.above);
    if (low && high) return fmt::format("{} .. {}", key.min, key.max);
    if (above && high) return fmt::format("> {} and <= {}", key.above, key.max);
    if (low) return fmt::format(">= {}", key.min);
    if (above) return fmt::format("> {}", key.above);
    if (high) return fmt::format("<= {}", key.max);
    return "";
}

std::string remark(const Key& key, std::string_view help) {
    if (key.unit.empty()) return std::string(help);
    return fmt::format("[{}]{}{}", key.unit, help.empty() ? "" : " ", help);
}

}  // namespace phlo::config
