// What may stand at a key, known at run time: one tree of Schemas serves reading, the complete dump, the help text, the JSON Schema
// for editors, merging, and telling which keys changed. Tables (table.h) build it from C++ structs.
//
//   scene (table) ── gas (table) ── cooling (number, 1/s, >= 0)
//                 └─ emitters (list) ── item (table) ── shape (variant) ── sphere (table) ── radius (number, m, > 0)
#pragma once
#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/node.h"
#include "config/problems.h"

namespace phlo::config {

/// The work that a change of a key makes stale.
enum class Affects { nothing, render, simulation };

/// A text that lives as long as the program: a literal. A compiler has nothing to tidy up after hundreds of them, and no text of a passing std::string gets in.
struct Literal : std::string_view {
    constexpr Literal(const char* text = "") : std::string_view(text) {}
    Literal(const std::string&) = delete;
};

/// What a table says about one of its keys.
struct Key {
    Literal unit = {};  ///< of the stored value; "": a plain number
    double above = -std::numeric_limits<double>::infinity();  ///< the value must be greater than this
    double min = -std::numeric_limits<double>::infinity();  ///< least value allowed
    double max = std::numeric_limits<double>::infinity();  ///< greatest value allowed
    Literal help = {};  ///< one line
    std::optional<Affects> affects = {};  ///< unset: as the table that holds the key
    bool required = false;
    Literal replaces = {};  ///< a key that says the same in another way; never both
    Literal formerly = {};  ///< what it was called in older programs: renamed.h
};

class Reader;
struct Schema;
using SchemaPtr = std::shared_ptr<const Schema>;

struct Schema {
    /// `names`: values by names that no table knows. `free`: any YAML, read by somebody else.
    enum class Kind { number, integer, boolean, text, choice, vector, colour, table, list, variant, names, free };

    /// A key of a table.
    struct Member {
        std::string name;
        Key key;
        SchemaPtr value;
        std::function<void*(void*)> locate;  ///< from the table's object to the member's; null: only read, through value->read

        std::string_view help() const { return key.help.empty() ? std::string_view(value->help) : std::string_view(key.help); }
    };
    /// A word of a choice, or an alternative of a variant.
    struct Option {
        std::string name, help;
        SchemaPtr content;  ///< variants: the keys it takes; null: a bare word
        std::function<void(const Node&, Reader&, void*)> read;
        std::function<std::optional<Node>(const void*)> write;  ///< none if the object is not this alternative
    };

    Kind kind = Kind::text;
    std::string title, help;
    Key key;  ///< unit and limits
    bool animated = false;  ///< a constant or keyframes
    bool optional = false;  ///< may be absent: 'none'
    std::optional<Affects> affects;
    std::vector<Member> members;  ///< table
    std::vector<Option> options;  ///< choice, variant
    SchemaPtr item;  ///< list, names; free: what a map would hold, for help and editors only
    std::function<void(const Node&, Reader&, void*)> read;
    std::function<Node(const void*)> write;
    std::function<Node()> defaults;  ///< table: the dump of a default-constructed object

    const Member* member(std::string_view name) const;
    std::vector<std::string> member_names() const;
    std::vector<std::string> option_names() const;
};

/// State of one reading: where it is, what it found wrong, and what frame numbers mean.
class Reader {
public:
    explicit Reader(Problems& problems, SchemaPtr root = nullptr) : root_(std::move(root)), problems_(problems) {}

    std::function<double(double)> seconds_from_frame = [](double frame) { return frame / 24; };

    const std::string& path() const { return path_; }
    const SchemaPtr& root() const { return root_; }
    void fail(const Position& position, const std::string& message) { problems_.add(position, path_, message); }
    void fail(const Position& position, std::string_view key, const std::string& message) {
        problems_.add(position, joined(path_, key), message);
    }
    std::size_t problem_count() const { return problems_.count(); }

    /// While it lives, the reader is inside `key`.
    class Inside {
    public:
        Inside(Reader& reader, std::string_view key) : reader_(reader), length_(reader.path_.size()) {
            reader_.path_ = joined(reader_.path_, key);
        }
        ~Inside() { reader_.path_.resize(length_); }
        Inside(const Inside&) = delete;
        Inside& operator=(const Inside&) = delete;

    private:
        Reader& reader_;
        std::size_t length_;
    };

private:
    SchemaPtr root_;
    Problems& problems_;
    std::string path_;
};

/// From a table's object to a member's, as an entry of the table says it: `follow(how, object)`. A few bytes, so that no entry needs a std::function of its own.
struct Access {
    void* (*follow)(const void* how, void* object) = nullptr;
    std::array<std::byte, 16> how = {};
};
void add_member(Schema& table, std::string_view name, const Key& key, SchemaPtr value, const Access& access);

/// The readers and writers behind tables, lists and variants.
void read_table(const Schema& schema, const Node& node, Reader& reader, void* object);
Node write_table(const Schema& schema, const void* object);
void read_variant(const Schema& schema, const Node& node, Reader& reader, void* object);
Node write_variant(const Schema& schema, const void* object);
/// Reports a list that is not one, and items that share a name.
bool check_list(const Node& node, Reader& reader);
/// Reports what is no map of names and values.
bool check_names(const Node& node, Reader& reader);
/// Of a Node that is kept as it was written.
SchemaPtr as_written_schema(const Key& key = {}, SchemaPtr content = nullptr);

/// "domain.resolution" for "resolution": where in the tree a key of this name belongs; "" if nowhere or in several places.
std::string home_of(const Schema& root, std::string_view key);

/// "[m] size of its features": unit and help of a key, for a comment.
std::string remark(const Key& key, std::string_view help);
/// ">= 0", "0 .. 1", "> 0", or "".
std::string range_text(const Key& key);

/// Every key of a tree with its unit, range and default.
std::string keys_text(const Schema& root);
/// The same under an introduction to scene files, and the JSON Schema (draft 2020-12) of documents that fit one of these trees.
std::string help_text(const Schema& root);
std::string json_schema(const std::vector<SchemaPtr>& roots, const std::string& title);

}  // namespace phlo::config
