#include "scene/changes.h"

#include <fmt/format.h>

namespace phlo::scene {
namespace {

using config::Affects;
using config::Node;
using config::Schema;

Affects affects_of(const Schema::Member& member, Affects outer) {
    if (member.key.affects) return *member.key.affects;
    return member.value->affects.value_or(outer);
}

const Node nothing;

class Comparison {
public:
    std::vector<Change> changes;

    void compare(const Schema& schema, const Node& before, const Node& after, const std::string& path, Affects affects) {
        if (before.is_null() && after.is_null()) return;   // a table that is not written where it says nothing
        switch (schema.kind) {
            case Schema::Kind::table: compare_tables(schema, before, after, path, affects); break;
            case Schema::Kind::list: compare_lists(schema, before, after, path, affects); break;
            case Schema::Kind::variant: compare_variants(schema, before, after, path, affects); break;
            default: compare_leaf(before, after, path, affects);
        }
    }

private:
    void compare_leaf(const Node& before, const Node& after, const std::string& path, Affects affects) {
        if (affects != Affects::nothing && !same(before, after)) changes.push_back({path, to_line(before), to_line(after), affects});
    }

    void compare_tables(const Schema& schema, const Node& before, const Node& after, const std::string& path, Affects affects) {
        const Node defaults = schema.defaults ? schema.defaults() : Node::map();
        for (const Schema::Member& member : schema.members) {
            if (!member.locate) continue;
            const Node* old = before.get(member.name);
            if (!old) old = defaults.get(member.name);
            const Node* now = after.get(member.name);
            compare(*member.value, old ? *old : nothing, now ? *now : nothing, config::joined(path, member.name),
                    affects_of(member, affects));
        }
    }

    void compare_lists(const Schema& schema, const Node& before, const Node& after, const std::string& path, Affects affects) {
        const auto label = [](const Node& list, std::size_t i) {
            const Node* name = list.items[i].get("name");
            return name && name->is_scalar() ? name->text : fmt::format("{}", i);
        };
        for (std::size_t i = 0; i < after.items.size(); ++i) {
            const std::string here = config::joined(path, label(after, i));
            if (const Node* old = before.item(label(after, i))) compare(*schema.item, *old, after.items[i], here, affects);
            else changes.push_back({here, "absent", "present", affects});
        }
        for (std::size_t i = 0; i < before.items.size(); ++i)
            if (!after.item(label(before, i))) changes.push_back({config::joined(path, label(before, i)), "present", "absent", affects});
    }

    void compare_variants(const Schema& schema, const Node& before, const Node& after, const std::string& path, Affects affects) {
        if (before.entries.size() == 1 && after.entries.size() == 1 && before.entries[0].key == after.entries[0].key) {
            for (const Schema::Option& option : schema.options)
                if (option.name == after.entries[0].key && option.content)
                    return compare(*option.content, before.entries[0].value, after.entries[0].value, config::joined(path, option.name),
                                   affects);
        }
        compare_leaf(before, after, path, affects);
    }
};

Node filtered(const Schema& schema, const Node& node, Affects wanted, Affects outer) {
    if (schema.kind == Schema::Kind::list && schema.item) {
        Node result = Node::list({});
        for (const Node& item : node.items) result.items.push_back(filtered(*schema.item, item, wanted, outer));
        return result;
    }
    if (schema.kind != Schema::Kind::table) return node;
    Node result = Node::map();
    for (const Schema::Member& member : schema.members) {
        const Node* value = node.get(member.name);
        const Affects affects = affects_of(member, outer);
        const bool holds_keys = member.value->kind == Schema::Kind::table;
        if (value && (affects == wanted || holds_keys)) result.set(member.name, filtered(*member.value, *value, wanted, affects));
    }
    return result;
}

}  // namespace

std::vector<Change> differences(const Schema& schema, const Node& before, const Node& after) {
    Comparison comparison;
    comparison.compare(schema, before, after, "", schema.affects.value_or(Affects::simulation));
    return std::move(comparison.changes);
}

Node only_affecting(const Schema& schema, const Node& node, Affects affects) {
    return filtered(schema, node, affects, schema.affects.value_or(Affects::simulation));
}

}  // namespace phlo::scene
