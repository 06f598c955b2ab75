// The only file that knows yaml-cpp. Its events are turned into Nodes, so that positions, quotes, duplicate keys and aliases are ours.
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "base/error.h"
#include "config/file_gate.h"
#include "config/node.h"
#include "config/problems.h"

namespace phlo::config {
namespace {

constexpr std::size_t most_bytes = 16u << 20;  // a scene is written by hand or by a program, it is not a data file
constexpr std::size_t most_nodes = 1'000'000;  // aliases of aliases multiply: stop long before memory ends
constexpr std::size_t deepest = 100;

class Builder : public YAML::EventHandler {
public:
    explicit Builder(std::string file) : file_(std::move(file)) {}

    Node root;
    Problems problems;

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        Node node;
        node.position = position(mark);
        finish(std::move(node), anchor);
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto found = anchors_.find(anchor);
        if (found == anchors_.end()) fail(mark, "an alias (*name) may not stand inside its own anchor (&name)");
        count(size(found->second), position(mark));
        finish(found->second, YAML::NullAnchor);
    }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value) override {
        check_tag(mark, tag);
        Node node = Node::scalar(value, tag == "!");
        node.position = position(mark);
        finish(std::move(node), anchor);
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value style) override {
        open(mark, tag, anchor, Node::Kind::list, style);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value style) override {
        open(mark, tag, anchor, Node::Kind::map, style);
    }
    void OnMapEnd() override { close(); }

private:
    struct Open {
        Node node;
        YAML::anchor_t anchor;
        bool has_key = false;
        std::string key;
        Position key_position;
    };

    Position position(const YAML::Mark& mark) const { return {file_, mark.line + 1, mark.column + 1}; }

    [[noreturn]] void fail(const YAML::Mark& mark, const std::string& message) const {
        throw InputError(position(mark).where() + ": " + message);
    }

    void check_tag(const YAML::Mark& mark, const std::string& tag) const {
        if (!tag.empty() && tag != "?" && tag != "!") fail(mark, fmt::format("the tag '{}' has no meaning here; remove it", tag));
    }

    void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Node::Kind kind, YAML::EmitterStyle::value style) {
        check_tag(mark, tag);
        if (stack_.size() >= deepest) fail(mark, fmt::format("more than {} levels deep", deepest));
        Open frame{{}, anchor, false, {}, {}};
        frame.node.kind = kind;
        frame.node.flow = style == YAML::EmitterStyle::Flow;
        frame.node.position = position(mark);
        stack_.push_back(std::move(frame));
    }

    void close() {
        Open frame = std::move(stack_.back());
        stack_.pop_back();
        finish(std::move(frame.node), frame.anchor);
    }

    static std::size_t size(const Node& node) {
        std::size_t total = 1;
        for (const Node& item : node.items) total += size(item);
        for (const Node::Entry& entry : node.entries) total += size(entry.value);
        return total;
    }

    void count(std::size_t values, const Position& here) {
        count_ += values;
        if (count_ > most_nodes) throw InputError(fmt::format("{}: more than {} values; aliases of aliases?", here.where(), most_nodes));
    }

    void finish(Node node, YAML::anchor_t anchor) {
        count(1, node.position);
        if (anchor != YAML::NullAnchor) anchors_[anchor] = node;
        if (stack_.empty()) {
            root = std::move(node);
            return;
        }
        Open& parent = stack_.back();
        if (parent.node.is_list()) {
            parent.node.items.push_back(std::move(node));
        } else if (!parent.has_key) {
            if (!node.is_scalar())
                throw InputError(fmt::format("{}: a key must be a word, got {}", node.position.where(), node.described()));
            parent.has_key = true;
            parent.key = node.text;
            parent.key_position = node.position;
        } else {
            parent.has_key = false;
            if (const Node::Entry* first = parent.node.entry(parent.key)) {
                problems.add(parent.key_position, parent.key,
                             fmt::format("this key was given before, at line {}; keep one of the two", first->position.line));
            } else {
                parent.node.entries.push_back({parent.key, parent.key_position, std::move(node)});
            }
        }
    }

    std::string file_;
    std::vector<Open> stack_;
    std::map<YAML::anchor_t, Node> anchors_;
    std::size_t count_ = 0;
};

std::size_t utf8_length(unsigned char lead) {
    return lead < 0x80 ? 1 : lead >= 0xC2 && lead < 0xE0 ? 2 : lead >= 0xE0 && lead < 0xF0 ? 3 : lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

/// Text in UTF-8, indented by spaces: what YAML asks for, said better than its parser would.
void check_characters(const std::string& text, const std::string& file) {
    int line = 1, column = 1;
    bool indenting = true;
    const auto fail = [&](const std::string& message) { throw InputError(Position{file, line, column}.where() + ": " + message); };
    for (std::size_t i = 0; i < text.size();) {
        const unsigned char c = static_cast<unsigned char>(text[i]);
        const std::size_t length = utf8_length(c);
        bool valid = length > 0 && i + length <= text.size();
        for (std::size_t k = 1; valid && k < length; ++k) valid = (static_cast<unsigned char>(text[i + k]) & 0xC0) == 0x80;
        if (!valid || (c < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7F)
            fail(fmt::format("byte 0x{:02x} is not text; expected YAML in UTF-8", c));
        if (indenting && c == '\t') fail("a tab indents this line; YAML allows only spaces there");
        if (c != ' ') indenting = false;
        if (c == '\n') ++line, column = 1, indenting = true;
        else ++column;
        i += length;
    }
}

/// A line that only scenes and mechanisms have. What else lies in a folder must not be quoted to who may not read it.
bool is_ours(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        for (const char* key : {"phlo:", "species:", "reactions:", "phases:"})
            if (line.starts_with(key)) return true;
    return false;
}

}  // namespace

Node parse_yaml(const std::string& text, const std::string& file) {
    check_characters(text, file);
    std::istringstream stream(text);
    Builder builder(file);
    try {
        YAML::Parser parser(stream);
        if (!parser.HandleNextDocument(builder)) return {};
        Builder rest(file);
        if (parser.HandleNextDocument(rest))
            throw InputError(rest.root.position.where() + ": a second document begins here; expected one, remove the '---'");
    } catch (const YAML::Exception& error) {
        const Position position = error.mark.is_null() ? Position{file, 1, 1} : Position{file, error.mark.line + 1, error.mark.column + 1};
        throw InputError(fmt::format("{}: not valid YAML: {}; check the indentation, the brackets and the quotes before this place",
                                     position.where(), error.msg));
    }
    builder.problems.raise();
    return std::move(builder.root);
}

Node parse_yaml_file(const std::string& file) {
    check_readable(file);
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (!std::filesystem::exists(status)) throw InputError(fmt::format("{}: no such file", file));
    if (std::filesystem::is_directory(status)) throw InputError(fmt::format("{}: is a directory; expected a YAML file", file));
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw InputError(fmt::format("{}: cannot be opened for reading", file));
    std::string text(most_bytes + 1, '\0');
    stream.read(text.data(), std::streamsize(text.size()));
    text.resize(std::size_t(stream.gcount()));
    if (text.size() > most_bytes) throw InputError(fmt::format("{}: larger than {} MB; expected a YAML file written by hand", file, most_bytes >> 20));
    if (gate_stands() && !is_ours(text)) throw InputError(fmt::format("{}: neither a scene nor a mechanism", file));
    return parse_yaml(text, file);
}

}  // namespace phlo::config
