#include "base/json_read.h"

#include <charconv>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "base/error.h"

namespace phlo::json {
namespace {

constexpr int deepest = 32;

class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    Value whole() {
        Value value = any(0);
        skip_space();
        if (at_ < text_.size()) fail("something stands behind the value");
        return value;
    }

private:
    [[noreturn]] void fail(const char* what) const { throw InputError(fmt::format("not valid JSON at byte {}: {}", at_, what)); }
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip_space() {
        while (at_ < text_.size() && (peek() == ' ' || peek() == '\n' || peek() == '\t' || peek() == '\r')) ++at_;
    }
    bool take(char c) {
        skip_space();
        if (peek() != c || at_ >= text_.size()) return false;
        ++at_;
        return true;
    }
    bool word(std::string_view w) {
        if (text_.substr(at_, w.size()) != w) return false;
        at_ += w.size();
        return true;
    }

    Value any(int depth) {
        if (depth > deepest) fail("too many levels");
        skip_space();
        Value value;
        switch (peek()) {
            case '{': object(value, depth); break;
            case '[': array(value, depth); break;
            case '"': value.kind = Value::Kind::text, value.string = text(); break;
            case 't': case 'f':
                value.kind = Value::Kind::boolean, value.truth = peek() == 't';
                if (!word(value.truth ? "true" : "false")) fail("expected true or false");
                break;
            case 'n':
                if (!word("null")) fail("expected null");
                break;
            default: value.kind = Value::Kind::number, value.value = number();
        }
        return value;
    }

    void object(Value& value, int depth) {
        value.kind = Value::Kind::object;
        take('{');
        if (take('}')) return;
        do {
            skip_space();
            if (peek() != '"') fail("expected a name in quotes");
            std::string name = text();
            if (!take(':')) fail("expected ':'");
            value.members.push_back({std::move(name), any(depth + 1)});
        } while (take(','));
        if (!take('}')) fail("expected ',' or '}'");
    }

    void array(Value& value, int depth) {
        value.kind = Value::Kind::array;
        take('[');
        if (take(']')) return;
        do value.items.push_back(any(depth + 1));
        while (take(','));
        if (!take(']')) fail("expected ',' or ']'");
    }

    double number() {
        const char* first = text_.data() + at_;
        const char* last = text_.data() + text_.size();
        const char* digits = first != last && *first == '-' ? first + 1 : first;
        if (digits == last || *digits < '0' || *digits > '9') fail("expected a value");
        double value = 0;
        const auto [end, error] = std::from_chars(first, last, value);
        if (error == std::errc::result_out_of_range || !std::isfinite(value)) fail("a number too large");
        if (error != std::errc()) fail("expected a number");
        at_ += std::size_t(end - first);
        return value;
    }

    std::uint32_t hex4() {
        std::uint32_t code = 0;
        for (int n = 0; n < 4; ++n, ++at_) {
            const char c = peek();
            const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
            if (digit < 0) fail("expected four hexadecimal digits");
            code = code * 16 + std::uint32_t(digit);
        }
        return code;
    }

    void append_utf8(std::string& to, std::uint32_t code) {
        if (code < 0x80) {
            to += char(code);
        } else if (code < 0x800) {
            to += char(0xC0 | code >> 6), to += char(0x80 | (code & 0x3F));
        } else if (code < 0x10000) {
            to += char(0xE0 | code >> 12), to += char(0x80 | (code >> 6 & 0x3F)), to += char(0x80 | (code & 0x3F));
        } else {
            to += char(0xF0 | code >> 18), to += char(0x80 | (code >> 12 & 0x3F)), to += char(0x80 | (code >> 6 & 0x3F)), to += char(0x80 | (code & 0x3F));
        }
    }

    std::uint32_t escaped_code() {
        const std::uint32_t first = hex4();
        if (first < 0xD800 || first > 0xDFFF) return first;
        if (first > 0xDBFF || !word("\\u")) fail("half of a surrogate pair");
        const std::uint32_t second = hex4();
        if (second < 0xDC00 || second > 0xDFFF) fail("half of a surrogate pair");
        return 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
    }

    std::string text() {
        ++at_;  // the quote
        std::string result;
        for (;;) {
            if (at_ >= text_.size()) fail("a text without its end");
            const char c = text_[at_++];
            if (c == '"') return result;
            if (static_cast<unsigned char>(c) < 0x20) fail("a control character in a text");
            if (c != '\\') {
                result += c;
                continue;
            }
            if (at_ >= text_.size()) fail("a text without its end");
            switch (text_[at_++]) {
                case '"': result += '"'; break;
                case '\\': result += '\\'; break;
                case '/': result += '/'; break;
                case 'b': result += '\b'; break;
                case 'f': result += '\f'; break;
                case 'n': result += '\n'; break;
                case 'r': result += '\r'; break;
                case 't': result += '\t'; break;
                case 'u': append_utf8(result, escaped_code()); break;
                default: fail("an unknown escape");
            }
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

const Value* Value::get(std::string_view name) const {
    for (const auto& [key, member] : members)
        if (key == name) return &member;
    return nullptr;
}

std::string Value::text(std::string_view name, std::string_view otherwise) const {
    const Value* member = get(name);
    return member && member->kind == Kind::text ? member->string : std::string(otherwise);
}

double Value::number(std::string_view name, double otherwise) const {
    const Value* member = get(name);
    return member && member->kind == Kind::number ? member->value : otherwise;
}

bool Value::flag(std::string_view name, bool otherwise) const {
    const Value* member = get(name);
    return member && member->kind == Kind::boolean ? member->truth : otherwise;
}

Value parse(std::string_view text) { return Parser(text).whole(); }

}  // namespace phlo::json
