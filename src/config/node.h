// A scene file as a tree. Every value remembers where it stands, so that every complaint can point at it.
//
//   Node root = parse_yaml(text, "scene.yaml");
//   if (const Node* size = root.find("domain.size")) size->position.where();     // "scene.yaml:4:11"
//   to_yaml(root);
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace phlo::config {

struct Position {
    std::string file;  ///< or what stands for it: "--set gas.cooling=1"
    int line = 0, column = 0;  ///< from 1; 0 for values that come from no file
    std::string where() const;  ///< "scene.yaml:4:11"
};

struct Node {
    enum class Kind { null, scalar, list, map };
    struct Entry;

    Kind kind = Kind::null;
    std::string text;  ///< of a scalar
    bool quoted = false;  ///< a scalar in quotes is text, never a number
    bool flow = false;  ///< written on one line: [1, 2, 3]
    std::string comment;  ///< written behind the value
    std::vector<Node> items;  ///< of a list
    std::vector<Entry> entries;  ///< of a map, in the order of the file
    Position position;

    static Node scalar(std::string text, bool quoted = false);
    static Node list(std::vector<Node> items, bool flow = true);
    static Node map();

    bool is_scalar() const { return kind == Kind::scalar; }
    bool is_list() const { return kind == Kind::list; }
    bool is_map() const { return kind == Kind::map; }
    bool is_null() const { return kind == Kind::null; }

    /// The value of a map's key; null if there is none.
    const Node* get(std::string_view key) const;
    Node* get(std::string_view key);
    const Entry* entry(std::string_view key) const;
    Node& set(std::string key, Node value);  ///< replaces or appends
    void remove(std::string_view key);

    /// The value at a key path such as "emitters.0.position" or "emitters.source.position"; null if there is none.
    const Node* find(std::string_view path) const;
    /// The item of a list by its index or by its `name`; null if there is none.
    const Node* item(std::string_view index_or_name) const;

    /// A few words for messages: "'many'", "a list", "a map", "nothing".
    std::string described() const;
};

struct Node::Entry {
    std::string key;
    Position position;  ///< of the key
    Node value;
};

/// Of the key at a path, or of the nearest thing around it that was written down.
Position position_of(const Node& root, std::string path);

/// Same value, wherever it stands and however it is quoted.
bool same(const Node& a, const Node& b);

/// Throws InputError with the position for anything that is not one well-formed YAML document with unique keys.
/// An empty text is a null node.
Node parse_yaml(const std::string& text, const std::string& file);

/// Reads and parses a file; says so when it is missing, a directory, not text or too large.
Node parse_yaml_file(const std::string& file);

/// As YAML that parses to the same tree; comments stand behind their values.
std::string to_yaml(const Node& node);
/// On one line, without comments.
std::string to_line(const Node& node);

}  // namespace phlo::config
