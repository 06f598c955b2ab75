// Binds the keys of a section to the members of a struct. One table serves reading, dumping, help and the JSON Schema.
//
//   struct Noise { double amplitude = 0; double scale = 0.1; Curve<double> speed{1.0}; Mode mode = Mode::hold; };
//
//   const Table<Noise>& noise_table() {
//       static const auto table = Table<Noise>("noise", "Turbulent variation of an emitter.")
//           .key("amplitude", &Noise::amplitude, {.min = 0, .max = 1, .help = "share that the noise may take away"})
//           .key("scale", &Noise::scale, {.unit = "m", .above = 0, .help = "size of its largest features"})
//           .key("speed", &Noise::speed, {.unit = "1/s", .help = "how fast it changes"})                // a Curve: may be keyframed
//           .choice("mode", &Noise::mode, {{"hold", Mode::hold, "at least"}, {"add", Mode::add, "per second"}}, {.help = "…"});
//       return table;
//   }
//
// Defaults are those of a default-constructed struct. A member is named by a member pointer, or by a function that returns a
// reference to it: [](auto& body) -> auto& { return body.motion.position; }.
#pragma once
#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "config/schema.h"
#include "config/values.h"

namespace phlo::config {

template <class E>
struct Choice {
    std::string_view name;
    E value;
    std::string_view help = {};
};

/// A schema whose objects are of type S.
template <class S>
class Typed {
public:
    const SchemaPtr schema() const { return schema_; }
    void read(const Node& node, Reader& reader, S& object) const { schema_->read(node, reader, &object); }
    Node write(const S& object) const { return schema_->write(&object); }

protected:
    template <class A>
    using Target = std::remove_cvref_t<std::invoke_result_t<A, S&>>;

    std::shared_ptr<Schema> schema_ = std::make_shared<Schema>();
};

/// A value that is one of several alternatives, each named by a word: `floor: closed`, `shape: {sphere: {radius: 1}}`.
template <class V>
class Variant : public Typed<V> {
public:
    Variant(std::string_view title, std::string_view help) {
        Schema* schema = this->schema_.get();
        schema->kind = Schema::Kind::variant;
        schema->title = title;
        schema->help = help;
        schema->read = [schema](const Node& node, Reader& reader, void* object) { read_variant(*schema, node, reader, object); };
        schema->write = [schema](const void* object) { return write_variant(*schema, object); };
    }

    /// A bare word that stands for `value`; `is(v)` tells whether v is it.
    template <class Is>
    Variant& word(std::string_view name, std::string_view help, V value, Is is) {
        this->schema_->options.push_back({std::string(name), std::string(help), nullptr,
                                          [value](const Node&, Reader&, void* object) { *static_cast<V*>(object) = value; },
                                          [is](const void* object) -> std::optional<Node> {
                                              if (!std::invoke(is, *static_cast<const V*>(object))) return std::nullopt;
                                              return Node::map();
                                          }});
        return *this;
    }

    /// An alternative with keys. `get(v)` points to its T, or is empty if v is another one; `make(t, node)` is the V that holds t,
    /// and may throw an InputError.
    template <class T, class Get, class Make>
    Variant& option(std::string_view name, std::string_view help, const Typed<T>& table, Get get, Make make) {
        const SchemaPtr content = table.schema();
        this->schema_->options.push_back({std::string(name), std::string(help), content,
                                          [content, make](const Node& node, Reader& reader, void* object) {
                                              T value{};
                                              const std::size_t before = reader.problem_count();
                                              content->read(node, reader, &value);
                                              if (reader.problem_count() != before) return;
                                              try {
                                                  *static_cast<V*>(object) = make(std::move(value), node);
                                              } catch (const InputError& error) {
                                                  reader.fail(node.position, error.what());
                                              }
                                          },
                                          [content, get](const void* object) -> std::optional<Node> {
                                              const auto value = get(*static_cast<const V*>(object));
                                              if (!value) return std::nullopt;
                                              return content->write(&*value);
                                          }});
        return *this;
    }
};

template <class S>
class Table : public Typed<S> {
public:
    explicit Table(std::string_view title, std::string_view help = "", std::optional<Affects> affects = {}) {
        Schema* schema = this->schema_.get();
        schema->kind = Schema::Kind::table;
        schema->title = title;
        schema->help = help;
        schema->affects = affects;
        schema->write = [schema](const void* object) { return write_table(*schema, object); };
        schema->defaults = [schema] {
            const S object{};
            return write_table(*schema, &object);
        };
        schema->read = [schema, checks = checks_](const Node& node, Reader& reader, void* object) {
            read_table(*schema, node, reader, object);
            for (const auto& check : *checks) check(*static_cast<S*>(object), node, reader);
        };
    }

    /// A number, whole number, truth value, text, vector, or a curve or optional of these: the member's type says which.
    template <class A>
    Table& key(std::string_view name, A access, const Key& key) {
        using T = typename Typed<S>::template Target<A>;
        return add(name, access, value_schema<T>(key), key);
    }

    /// One word of several.
    template <class A>
    Table& choice(std::string_view name, A access, std::initializer_list<Choice<typename Typed<S>::template Target<A>>> choices, const Key& key) {
        return choice(name, access, std::span(choices.begin(), choices.size()), key);
    }
    template <class A>
    Table& choice(std::string_view name, A access, std::span<const Choice<typename Typed<S>::template Target<A>>> choices, const Key& key) {
        using E = typename Typed<S>::template Target<A>;
        auto schema = std::make_shared<Schema>();
        schema->kind = Schema::Kind::choice;
        schema->key = key;
        for (const Choice<E>& c : choices) {
            schema->options.push_back({std::string(c.name), std::string(c.help), nullptr,
                                       [value = c.value](const Node&, Reader&, void* object) { *static_cast<E*>(object) = value; },
                                       [value = c.value](const void* object) -> std::optional<Node> {
                                           if (*static_cast<const E*>(object) != value) return std::nullopt;
                                           return Node::map();
                                       }});
        }
        Schema* raw = schema.get();
        schema->read = [raw](const Node& node, Reader& reader, void* object) { read_variant(*raw, node, reader, object); };
        schema->write = [raw](const void* object) { return write_variant(*raw, object); };
        return add(name, access, schema, key);
    }

    /// A colour, held as linear RGB in a Vec3f or Vec3d.
    template <class A>
    Table& colour(std::string_view name, A access, const Key& key) {
        using T = typename Typed<S>::template Target<A>;
        auto schema = std::make_shared<Schema>();
        schema->kind = Schema::Kind::colour;
        schema->key = key;
        schema->read = [](const Node& node, Reader& reader, void* object) {
            Vec3d value;
            if (read_colour(node, reader, value)) *static_cast<T*>(object) = T(value);
        };
        schema->write = [](const void* object) { return write_colour(Vec3f(*static_cast<const T*>(object))); };
        return add(name, access, schema, key);
    }

    /// A table or a variant in a member.
    template <class A, class T>
    Table& table(std::string_view name, A access, const Typed<T>& inner, const Key& key = {}) {
        return add(name, access, inner.schema(), key);
    }

    /// A table whose keys are bound to this same struct.
    Table& group(std::string_view name, const Table& inner, const Key& key = {}) {
        return add(
            name, [](S& object) -> S& { return object; }, inner.schema(), key);
    }

    /// A std::vector of tables or variants.
    template <class A, class T>
    Table& list(std::string_view name, A access, const Typed<T>& item, const Key& key = {}) {
        auto schema = std::make_shared<Schema>();
        schema->kind = Schema::Kind::list;
        schema->title = name;
        schema->key = key;
        schema->item = item.schema();
        schema->read = [inner = item.schema()](const Node& node, Reader& reader, void* object) {
            auto& values = *static_cast<std::vector<T>*>(object);
            values.clear();
            if (!check_list(node, reader)) return;
            for (std::size_t i = 0; i < node.items.size(); ++i) {
                Reader::Inside inside(reader, std::to_string(i));
                inner->read(node.items[i], reader, &values.emplace_back());
            }
        };
        schema->write = [inner = item.schema()](const void* object) {
            Node node = Node::list({}, false);
            for (const T& value : *static_cast<const std::vector<T>*>(object)) node.items.push_back(inner->write(&value));
            return node;
        };
        return add(name, access, schema, key);
    }

    /// A std::vector<Named<T>>: values by names that only the reader of the table can judge, such as {fuel: 2 mol/m^3, air: 1}.
    /// In place of Named<T> any struct with a name, a value and the type Value will do.
    template <class A>
    Table& names(std::string_view name, A access, const Key& key) {
        using N = typename Typed<S>::template Target<A>::value_type;
        using T = typename N::Value;
        auto schema = std::make_shared<Schema>();
        schema->kind = Schema::Kind::names;
        schema->key = key;
        schema->item = value_schema<T>(key);
        schema->read = [inner = schema->item](const Node& node, Reader& reader, void* object) {
            auto& values = *static_cast<std::vector<N>*>(object);
            values.clear();
            if (!check_names(node, reader)) return;
            for (const Node::Entry& entry : node.entries) {
                Reader::Inside inside(reader, entry.key);
                values.push_back({entry.key, T{}});
                if constexpr (requires { values.back().position; }) values.back().position = entry.position;
                inner->read(entry.value, reader, &values.back().value);
            }
        };
        schema->write = [inner = schema->item](const void* object) {
            Node node;
            for (const N& named : *static_cast<const std::vector<N>*>(object)) {
                if (node.is_null()) node = Node::map();
                node.set(named.name, inner->write(&named.value));
            }
            return node;
        };
        return add(name, access, schema, key);
    }

    /// A Node, kept as it is written: somebody else reads it. `content` describes it where it is a map, for help and editors.
    template <class A>
    Table& as_written(std::string_view name, A access, const Key& key, SchemaPtr content = nullptr) {
        return add(name, access, as_written_schema(key, std::move(content)), key);
    }

    /// A std::vector<std::string>: a list of words.
    template <class A>
    Table& words(std::string_view name, A access, const Key& key) {
        auto schema = std::make_shared<Schema>();
        schema->kind = Schema::Kind::list;
        schema->key = key;
        schema->item = value_schema<std::string>(key);
        schema->read = [inner = schema->item](const Node& node, Reader& reader, void* object) {
            auto& values = *static_cast<std::vector<std::string>*>(object);
            values.clear();
            if (!check_list(node, reader)) return;
            for (std::size_t i = 0; i < node.items.size(); ++i) {
                Reader::Inside inside(reader, std::to_string(i));
                inner->read(node.items[i], reader, &values.emplace_back());
            }
        };
        schema->write = [inner = schema->item](const void* object) {
            Node node = Node::list({});
            for (const std::string& word : *static_cast<const std::vector<std::string>*>(object)) node.items.push_back(inner->write(&word));
            return node;
        };
        return add(name, access, schema, key);
    }

    /// Another way to say something: read as a T and handed to `use`, never dumped.
    template <class T, class Use>
    Table& input(std::string_view name, Use use, const Key& key) {
        auto inner = value_schema<T>(key);
        auto schema = std::make_shared<Schema>(*inner);
        schema->read = [inner, use](const Node& node, Reader& reader, void* object) {
            T value{};
            const std::size_t before = reader.problem_count();
            inner->read(node, reader, &value);
            if (reader.problem_count() == before) use(*static_cast<S*>(object), value);
        };
        this->schema_->members.push_back({std::string(name), key, schema, nullptr});
        return *this;
    }

    /// A T that is no member of its own: `get(object)` makes it, `set(object, t)` takes it.
    template <class T, class Get, class Set>
    Table& property(std::string_view name, Get get, Set set, const Key& key) {
        auto inner = value_schema<T>(key);
        auto schema = std::make_shared<Schema>(*inner);
        schema->read = [inner, set](const Node& node, Reader& reader, void* object) {
            T value{};
            const std::size_t before = reader.problem_count();
            inner->read(node, reader, &value);
            if (reader.problem_count() == before) set(*static_cast<S*>(object), std::move(value));
        };
        schema->write = [inner, get](const void* object) {
            const T value = get(*static_cast<const S*>(object));
            return inner->write(&value);
        };
        return add(
            name, [](S& object) -> S& { return object; }, schema, key);
    }

    /// Called after all keys are read, with the section's node: for what involves several keys.
    Table& check(std::function<void(S&, const Node&, Reader&)> check) {
        checks_->push_back(std::move(check));
        return *this;
    }

private:
    template <class A>
    Table& add(std::string_view name, A access, SchemaPtr value, const Key& key) {
        static_assert(std::is_trivially_copyable_v<A> && sizeof(A) <= sizeof(Access::how), "a member pointer, or a function that captures nothing");
        Access way;
        std::memcpy(way.how.data(), &access, sizeof(A));
        way.follow = [](const void* how, void* object) -> void* {
            alignas(A) std::array<std::byte, sizeof(A)> bytes;
            std::memcpy(bytes.data(), how, sizeof(A));
            return &std::invoke(*reinterpret_cast<const A*>(bytes.data()), *static_cast<S*>(object));
        };
        add_member(*this->schema_, name, key, std::move(value), way);
        return *this;
    }

    std::shared_ptr<std::vector<std::function<void(S&, const Node&, Reader&)>>> checks_ =
        std::make_shared<std::vector<std::function<void(S&, const Node&, Reader&)>>>();
};

}  // namespace phlo::config
