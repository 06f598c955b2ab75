#include "config/renamed.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/log.h"

namespace phlo::config {
namespace {

/// rename(table, its schema, its path) for every table in the tree that has keys, the outer ones first.
template <class Rename>
void for_each_table(Node& node, const Schema& schema, const std::string& path, const Rename& rename) {
    if (schema.kind == Schema::Kind::table && node.is_map()) rename(node, schema, path);
    for (std::size_t i = 0; i < node.items.size(); ++i)
        if (schema.kind == Schema::Kind::list && schema.item) for_each_table(node.items[i], *schema.item, joined(path, std::to_string(i)), rename);
    for (Node::Entry& entry : node.entries) {
        const std::string here = joined(path, entry.key);
        for (const Schema::Member& member : schema.members)
            if (member.name == entry.key || (!member.key.formerly.empty() && member.key.formerly == entry.key))
                for_each_table(entry.value, *member.value, here, rename);
        for (const Schema::Option& option : schema.options)
            if (option.name == entry.key && option.content) for_each_table(entry.value, *option.content, here, rename);
    }
}

}  // namespace

Node with_new_names(Node node, const Schema& schema, Problems& problems) {
    for_each_table(node, schema, "", [&](Node& table, const Schema& keys, const std::string& path) {
        for (Node::Entry& entry : table.entries) {
            const std::string name = new_name(keys, entry.key);
            if (name == entry.key) continue;
            const std::string before = joined(path, entry.key), now = joined(path, name);
            if (table.get(name)) problems.add(entry.position, before, fmt::format("is now called {}, which is there too; expected only one of the two", now));
            else log::once("renamed " + before, fmt::format("{}: {} is now {}", entry.position.where(), before, now));
        }
    });
    return with_new_names(std::move(node), schema);
}

Node with_new_names(Node node, const Schema& schema) {
    for_each_table(node, schema, "", [](Node& table, const Schema& keys, const std::string&) {
        std::vector<Node::Entry> renamed;
        for (Node::Entry& entry : table.entries) {
            const std::string name = new_name(keys, entry.key);
            if (name == entry.key || !table.get(name)) renamed.push_back({name, entry.position, entry.value});
        }
        table.entries = std::move(renamed);
    });
    return node;
}

Node with_old_names(Node node, const Schema& schema) {
    for_each_table(node, schema, "", [](Node& table, const Schema& keys, const std::string&) {
        for (Node::Entry& entry : table.entries)
            if (const Schema::Member* member = keys.member(entry.key); member && !member->key.formerly.empty()) entry.key = member->key.formerly;
    });
    return node;
}

std::string new_name(const Schema& table, const std::string& key) {
    if (table.member(key)) return key;
    const auto found = std::ranges::find_if(table.members, [&](const Schema::Member& member) { return !key.empty() && member.key.formerly == key; });
    return found == table.members.end() ? key : found->name;
}

}  // namespace phlo::config
