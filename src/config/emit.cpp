#include <algorithm>

#include <fmt/format.h>

#include "base/units.h"
#include "config/node.h"

namespace phlo::config {
namespace {

constexpr std::size_t comment_column = 36;

/// A word that YAML reads back as itself without quotes, on a line or inside brackets.
bool is_plain(const std::string& text) {
    if (text.empty() || text.front() == ' ' || text.back() == ' ') return false;
    if (text.find_first_of(":#,[]{}&*!|>'\"%@`\n\r\t\\") != std::string::npos) return false;
    if (text.front() == '-' || text.front() == '?') return parse_number(text).has_value();
    return text != "null" && text != "~" && text != "Null" && text != "NULL";
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') result += '\\', result += c;
        else if (c == '\n') result += "\\n";
        else if (c == '\r') result += "\\r";
        else if (c == '\t') result += "\\t";
        else result += c;
    }
    return result + '"';
}

std::string scalar_text(const Node& node) {
    if (node.is_null()) return "~";
    const bool looks_like_number = parse_number(node.text).has_value();
    return is_plain(node.text) && !(node.quoted && looks_like_number) ? node.text : quoted(node.text);
}

std::string key_text(const std::string& key) { return is_plain(key) ? key : quoted(key); }

bool fits_on_line(const Node& node) {
    return node.is_scalar() || node.is_null() || node.flow || (node.is_list() && node.items.empty()) ||
           (node.is_map() && node.entries.empty());
}

class Writer {
public:
    std::string result;

    void block(const Node& node, std::size_t indent) {
        if (node.is_map()) {
            for (const Node::Entry& entry : node.entries) {
                line_start(indent);
                result += key_text(entry.key) + ":";
                value(entry.value, indent);
            }
        } else {
            for (const Node& item : node.items) {
                line_start(indent);
                result += "-";
                if (item.is_map() && !fits_on_line(item)) {
                    result += ' ';
                    on_line_ = true;  // the first key stands behind the dash
                    block(item, indent + 2);
                } else {
                    value(item, indent);
                }
            }
        }
    }

private:
    void line_start(std::size_t indent) {
        if (!on_line_) result.append(indent, ' ');
        on_line_ = false;
    }

    void value(const Node& node, std::size_t indent) {
        if (fits_on_line(node)) {
            result += " " + to_line(node);
            end_line(node.comment);
        } else {
            end_line(node.comment);
            block(node, indent + 2);
        }
    }

    void end_line(const std::string& comment) {
        if (!comment.empty()) {
            const std::size_t begin = result.rfind('\n') + 1;
            const std::size_t width = result.size() - begin;
            result.append(width < comment_column ? comment_column - width : 1, ' ');
            result += "# " + comment;
        }
        result += '\n';
    }

    bool on_line_ = false;
};

}  // namespace

std::string to_line(const Node& node) {
    std::string line;
    if (node.is_list()) {
        for (const Node& item : node.items) line += (line.empty() ? "" : ", ") + to_line(item);
        return "[" + line + "]";
    }
    if (node.is_map()) {
        for (const Node::Entry& entry : node.entries)
            line += (line.empty() ? "" : ", ") + key_text(entry.key) + ": " + to_line(entry.value);
        return "{" + line + "}";
    }
    return scalar_text(node);
}

std::string to_yaml(const Node& node) {
    if (fits_on_line(node)) return to_line(node) + "\n";
    Writer writer;
    writer.block(node, 0);
    return writer.result;
}

}  // namespace phlo::config
