#include "config/merge.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/error.h"
#include "config/renamed.h"

namespace phlo::config {
namespace {

/// Removes what says the same as `key` in another way.
void remove_other_spellings(Node& table, std::string_view key, const Schema& schema) {
    for (const Schema::Member& member : schema.members) {
        if (member.name == key && !member.key.replaces.empty()) table.remove(member.key.replaces);
        if (!member.key.replaces.empty() && member.key.replaces == key) table.remove(member.name);
    }
}

bool is_named(const Node& item) {
    const Node* name = item.get("name");
    return name && name->is_scalar();
}

Node merged_list(Node base, const Node& delta, const Schema& item) {
    const bool by_name = std::all_of(delta.items.begin(), delta.items.end(), is_named);
    if (!by_name || delta.items.empty()) return delta;
    for (const Node& change : delta.items) {
        const auto found = std::find_if(base.items.begin(), base.items.end(), [&](const Node& old) {
            return is_named(old) && old.get("name")->text == change.get("name")->text;
        });
        if (found == base.items.end()) base.items.push_back(change);
        else *found = merged(std::move(*found), change, item);
    }
    base.position = delta.position;
    return base;
}

void clear_positions(Node& node, const Position& position) {
    node.position = position;
    for (Node& item : node.items) clear_positions(item, position);
    for (Node::Entry& entry : node.entries) entry.position = position, clear_positions(entry.value, position);
}

const Schema* inner_schema(const Schema* schema, std::string_view key) {
    if (!schema) return nullptr;
    if (schema->kind == Schema::Kind::list || schema->kind == Schema::Kind::names) return schema->item.get();
    if (const Schema::Member* member = schema->member(key)) return member->value.get();
    for (const Schema::Option& option : schema->options)
        if (option.name == key) return option.content.get();
    return nullptr;
}

/// The part of `key` in `here`, made if need be.
Node& step_into(Node& here, const std::string& key, const Schema* schema, const Position& position, const std::string& path) {
    if (here.is_list()) {
        if (const Node* item = here.item(key)) return const_cast<Node&>(*item);
        std::vector<std::string> names;
        for (const Node& item : here.items)
            if (is_named(item)) names.push_back(item.get("name")->text);
        throw InputError(fmt::format("{}: {}: no item '{}'; expected an index below {}{}{}", position.where(), path, key, here.items.size(),
                                     names.empty() ? "" : " or a name: " + one_of(names), did_you_mean(key, names)));
    }
    if (schema && schema->kind == Schema::Kind::list)
        throw InputError(fmt::format("{}: {}: no item '{}'; the list is empty in this scene", position.where(), path, key));
    if (!here.is_map()) here = Node::map(), here.position = position;
    if (schema && schema->kind == Schema::Kind::table) remove_other_spellings(here, key, *schema);
    if (schema && schema->kind == Schema::Kind::variant && !here.get(key)) here.entries.clear();
    if (Node* old = here.get(key)) return *old;
    Node fresh;
    fresh.position = position;
    return here.set(key, std::move(fresh));
}

}  // namespace

Node merged(Node base, const Node& delta, const Schema& schema) {
    if (schema.kind == Schema::Kind::list && base.is_list() && delta.is_list() && schema.item)
        return merged_list(std::move(base), delta, *schema.item);
    const bool table = schema.kind == Schema::Kind::table;
    const bool variant = schema.kind == Schema::Kind::variant && base.entries.size() == 1 && delta.entries.size() == 1 &&
                         base.entries[0].key == delta.entries[0].key;
    if (!base.is_map() || !delta.is_map() || (!table && !variant)) return delta;
    for (const Node::Entry& entry : delta.entries) {
        remove_other_spellings(base, entry.key, schema);
        const Schema* inner = inner_schema(&schema, entry.key);
        Node* old = base.get(entry.key);
        if (!old || !inner) {
            base.remove(entry.key);
            base.entries.push_back(entry);
        } else {
            *old = merged(std::move(*old), entry.value, *inner);
        }
    }
    base.position = delta.position;
    return base;
}

void apply_override(Node& root, const std::string& assignment, const Schema& schema) {
    const std::size_t equals = assignment.find('=');
    const std::string path = assignment.substr(0, equals);
    const Position position{"--set " + assignment, 0, 0};
    if (equals == std::string::npos || path.empty())
        throw InputError(fmt::format("{}: expected key.path=value, such as gas.cooling=0.5", position.where()));
    Node value = parse_yaml(assignment.substr(equals + 1), position.where());
    clear_positions(value, position);

    Node* here = &root;
    const Schema* inner = &schema;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        std::string key = path.substr(begin, end - begin);
        if (inner && inner->kind == Schema::Kind::table) key = new_name(*inner, key);
        if (key.empty()) throw InputError(fmt::format("{}: an empty key in '{}'; expected key.path=value", position.where(), path));
        here = &step_into(*here, key, inner, position, path.substr(0, begin > 0 ? begin - 1 : 0));
        inner = inner_schema(inner, key);
        begin = end + 1;
    }
    *here = std::move(value);
}

}  // namespace phlo::config
