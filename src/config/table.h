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
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "config/schema.h"
#include "config/values.h"

namespace phlo::config {

template <class E>
struct Choice {
    std::string name;
    E value;
    std::string help = {};
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
    Variant(std::string title, std::string help) {
        Schema* schema = this->schema_.get();
        schema->kind = Schema::Kind::variant;
        schema->title = std::move(title);
        schema->help = std::move(help);
        schema->read = [schema](const Node& node, Reader& reader, void* object) { read_variant(*schema, node, reader, object); };
        schema->write = [schema](const void* object) { return write_variant(*schema, object); };
    }

    /// A bare word that stands for `value`; `is(v)` tells whether v is it.
    template <class Is>
    Variant& word(std::string name, std::string help, V value, Is is) {
        this->schema_->options.push_back({std::move(name), std::move(help), nullptr,
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
    Variant& option(std::string name, std::string help, const Typed<T>& table, Get get, Make make) {
        const SchemaPtr content = table.schema();
        this->schema_->options.push_back({std::move(name), std::move(help), content,
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
    explicit Table(std::string title, std::string help = "", std::optional<Affects> affects = {}) {
        Schema* schema = this->schema_.get();
        schema->kind = Schema::Kind::table;
        schema->title = std::move(title);
        schema->help = std::move(help);
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
    Table& key(std::string name, A access, Key key) {
        using T = typename Typed<S>::template Target<A>;
        return add(std::move(name), access, value_schema<T>(key), key);
    }

    /// One word of several.
    template <class A>
    Table& choice(std::string name, A access, std::vector<Choice<typename Typed<S>::template Target<A>>> choices, Key key) {
        using E = typename Typed<S>::template Target<A>;
        auto schema = std::make_shared<Schema>();
        schema->kind = Schema::Kind::choice;
        schema->key = key;
        for (const Choice<E>& c : choices) {
            schema->options.push_back({c.name, c.help, nullptr,
                                       [value = c.value](const Node&, Reader&, void* object) { *static_cast<E*>(object) = value; },
                                       [value = c.value](const void* object) -> std::optional<Node> {
                                           if (*static_cast<const E*>(object) != value) return std::nullopt;
                                           return Node::map();
                                       }});
        }
        Schema* raw = schema.get();
        schema->read = [raw](const Node& node, Reader& reader, void* object) { read_variant(*raw, node, reader, object); };
        schema->write = [raw](const void* object) { return write_variant(*raw, object); };
        return add(std::move(name), access, schema, key);
    }

    /// A colour, held as linear RGB in a Vec3f or Vec3d.
    template <class A>
    Table& colour(std::string name, A access, Key key) {
        using T = typename Typed<S>::template Target<A>;
        auto schema = std::make_shared<Schema>();
        schema->kind = Schema::Kind::colour;
        schema->key = key;
        schema->read = [](const Node& node, Reader& reader, void* object) {
            Vec3d value;
            if (read_colour(node, reader, value)) *static_cast<T*>(object) = T(value);
        };
        schema->write = [](const void* object) { return write_colour(Vec3f(*static_cast<const T*>(object))); };
        return add(std::move(name), access, schema, key);
    }

    /// A table or a variant in a member.
    template <class A, class T>
    Table& table(std::string name, A access, const Typed<T>& inner, Key key = {}) {
        return add(std::move(name), access, inner.schema(), std::move(key));
    }

    /// A table whose keys are bound to this same struct.
    Table& group(std::string name, const Table& inner, Key key = {}) {
        return add(
            std::move(name), [](S& object) -> S& { return object; }, inner.schema(), std::move(key));
    }

    /// A std::vector of tables or variants.
    template <class A, class T>
    Table& list(std::string name, A access, const Typed<T>& item, Key key = {}) {
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
        return add(std::move(name), access, schema, std::move(key));
    }

    /// A std::vector<Named<T>>: values by names that only the reader of the table can judge, such as {fuel: 2 mol/m^3, air: 1}.
    /// In place of Named<T> any struct with a name, a value and the type Value will do.
    template <class A>
    Table& names(std::string name, A access, Key key) {
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
        return add(std::move(name), access, schema, std::move(key));
    }

    /// A Node, kept as it is written: somebody else reads it. `content` describes it where it is a map, for help and editors.
    template <class A>
    Table& as_written(std::string name, A access, Key key, SchemaPtr content = nullptr) {
        return add(std::move(name), access, as_written_schema(key, std::move(content)), std::move(key));
    }

    /// A std::vector<std::string>: a list of words.
    template <class A>
    Table& words(std::string name, A access, Key key) {
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
        return add(std::move(name), access, schema, std::move(key));
    }

    /// Another way to say something: read as a T and handed to `use`, never dumped.
    template <class T, class Use>
    Table& input(std::string name, Use use, Key key) {
        auto inner = value_schema<T>(key);
        auto schema = std::make_shared<Schema>(*inner);
        schema->read = [inner, use](const Node& node, Reader& reader, void* object) {
            T value{};
            const std::size_t before = reader.problem_count();
            inner->read(node, reader, &value);
            if (reader.problem_count() == before) use(*static_cast<S*>(object), value);
        };
        this->schema_->members.push_back({std::move(name), std::move(key), schema, nullptr});
        return *this;
    }

    /// A T that is no member of its own: `get(object)` makes it, `set(object, t)` takes it.
    template <class T, class Get, class Set>
    Table& property(std::string name, Get get, Set set, Key key) {
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
            std::move(name), [](S& object) -> S& { return object; }, schema, std::move(key));
    }

    /// Called after all keys are read, with the section's node: for what involves several keys.
    Table& check(std::function<void(S&, const Node&, Reader&)> check) {
        checks_->push_back(std::move(check));
        return *this;
    }

private:
    template <class T>
    static SchemaPtr value_schema(const Key& key) {
        auto schema = std::make_shared<Schema>();
        schema->kind = KindOf<T>::kind;
        schema->animated = KindOf<T>::animated;
        schema->optional = KindOf<T>::optional;
        schema->key = key;
        schema->read = [key](const Node& node, Reader& reader, void* object) { read_value(node, reader, key, *static_cast<T*>(object)); };
        schema->write = [key](const void* object) { return write_value(key, *static_cast<const T*>(object)); };
        return schema;
    }

    template <class A>
    Table& add(std::string name, A access, SchemaPtr value, Key key) {
        auto locate = [access](void* object) -> void* { return &std::invoke(access, *static_cast<S*>(object)); };
        this->schema_->members.push_back({std::move(name), std::move(key), std::move(value), locate});
        return *this;
    }

    std::shared_ptr<std::vector<std::function<void(S&, const Node&, Reader&)>>> checks_ =
        std::make_shared<std::vector<std::function<void(S&, const Node&, Reader&)>>>();
};

}  // namespace phlo::config
