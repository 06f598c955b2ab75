#include "config/node.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace phlo::config {

std::string Position::where() const { return line > 0 ? fmt::format("{}:{}:{}", file, line, column) : file; }

Node Node::scalar(std::string text, bool quoted) {
    Node node;
    node.kind = Kind::scalar;
    node.text = std::move(text);
    node.quoted = quoted;
    return node;
}

Node Node::list(std::vector<Node> items, bool flow) {
    Node node;
    node.kind = Kind::list;
    node.items = std::move(items);
    node.flow = flow;
    return node;
}

Node Node::map() {
    Node node;
    node.kind = Kind::map;
    return node;
}

const Node::Entry* Node::entry(std::string_view key) const {
    for (const Entry& candidate : entries)
        if (candidate.key == key) return &candidate;
    return nullptr;
}

const Node* Node::get(std::string_view key) const {
    const Entry* found = entry(key);
    return found ? &found->value : nullptr;
}

Node* Node::get(std::string_view key) { return const_cast<Node*>(std::as_const(*this).get(key)); }

Node& Node::set(std::string key, Node value) {
    if (Node* old = get(key)) return *old = std::move(value);
    Position position_of_key = value.position;
    entries.push_back({std::move(key), std::move(position_of_key), std::move(value)});
    return entries.back().value;
}

void Node::remove(std::string_view key) {
    std::erase_if(entries, [&](const Entry& candidate) { return candidate.key == key; });
}

const Node* Node::item(std::string_view index_or_name) const {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(index_or_name.data(), index_or_name.data() + index_or_name.size(), index);
    if (error == std::errc() && end == index_or_name.data() + index_or_name.size()) return index < items.size() ? &items[index] : nullptr;
    for (const Node& candidate : items) {
        const Node* name = candidate.get("name");
        if (name && name->is_scalar() && name->text == index_or_name) return &candidate;
    }
    return nullptr;
}

const Node* Node::find(std::string_view path) const {
    const Node* here = this;
    while (here && !path.empty()) {
        const std::size_t dot = path.find('.');
        const std::string_view key = path.substr(0, dot);
        here = here->is_list() ? here->item(key) : here->get(key);
        path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    }
    return here;
}

std::string Node::described() const {
    switch (kind) {
        case Kind::null: return "nothing";
        case Kind::scalar: return fmt::format("'{}'", text.size() <= 60 ? text : text.substr(0, 57) + "...");
        case Kind::list: return fmt::format("a list of {}", items.size());
        case Kind::map: return "a map";
    }
    return "";
}

Position position_of(const Node& root, std::string path) {
    while (!path.empty()) {
        if (const Node* node = root.find(path)) return node->position;
        const std::size_t dot = path.rfind('.');
        path.resize(dot == std::string::npos ? 0 : dot);
    }
    return root.position;
}

bool same(const Node& a, const Node& b) {
    if (a.kind != b.kind || a.text != b.text || a.items.size() != b.items.size() || a.entries.size() != b.entries.size()) return false;
    for (std::size_t i = 0; i < a.items.size(); ++i)
        if (!same(a.items[i], b.items[i])) return false;
    for (const Node::Entry& entry : a.entries) {
        const Node* other = b.get(entry.key);
        if (!other || !same(entry.value, *other)) return false;
    }
    return true;
}

}  // namespace phlo::config
