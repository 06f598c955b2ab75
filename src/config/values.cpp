#include "config/values.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"

namespace phlo::config {
namespace {

bool fail(Reader& reader, const Node& node, const std::string& message) {
    reader.fail(node.position, message);
    return false;
}

bool is_angle(const Key& key) {
    const auto unit = parse_unit(key.unit);
    return unit && unit->dimension == Dimension{0, 0, 0, 0, 0, 1};
}

std::string expected(const Key& key) {
    const std::string range = range_text(key);
    return expected_quantity(key.unit) + (range.empty() ? "" : fmt::format(", {}", range));
}

/// Whether `value` is in the key's range; says so if not.
bool check_range(const Node& node, Reader& reader, const Key& key, double value) {
    if (value >= key.min && value <= key.max && value > key.above) return true;
    const std::string unit = key.unit.empty() ? "" : fmt::format(" {}", key.unit);
    return fail(reader, node, fmt::format("{} is out of range; expected {}{}", node.described(), range_text(key), unit));
}

/// A number in the key's unit, its range not yet checked.
bool read_quantity(const Node& node, Reader& reader, const Key& key, double& value) {
    if (!node.is_scalar()) return fail(reader, node, fmt::format("{} where a value belongs; expected {}", node.described(), expected(key)));
    if (node.quoted && node.text.empty()) return fail(reader, node, fmt::format("empty text; expected {}", expected(key)));
    try {
        value = parse_quantity(node.text, key.unit);
    } catch (const InputError& error) {
        return fail(reader, node, error.what());
    }
    if (value != 0 && is_angle(key) && parse_number(node.text))
        return fail(reader, node, fmt::format("an angle needs its unit; expected '{0} deg' or '{0} rad'", node.text));
    return true;
}

template <class T>
bool read_components(const Node& node, Reader& reader, const Key& key, Vec3<T>& value) {
    if (!node.is_list() || node.items.size() != 3)
        return fail(reader, node, fmt::format("got {}; expected three values [x, y, z], each {}", node.described(), expected(key)));
    bool good = true;
    for (int axis = 0; axis < 3; ++axis) {
        double component = 0;
        if (read_value(node.items[std::size_t(axis)], reader, key, component)) value[axis] = T(component);
        else good = false;
    }
    return good;
}

// ---- keyframes

bool looks_like_keyframes(const Node& node) {
    return node.is_map() ||
           (node.is_list() && std::any_of(node.items.begin(), node.items.end(), [](const Node& item) { return item.is_map(); }));
}

bool read_time(const Node& node, Reader& reader, double& time) {
    if (node.is_scalar()) {
        for (const char* word : {"frames", "frame", "f"}) {
            const std::string_view text = node.text;
            if (!text.ends_with(word)) continue;
            if (const auto frame = parse_number(text.substr(0, text.size() - std::string_view(word).size()))) {
                time = reader.seconds_from_frame(*frame);
                return true;
            }
        }
    }
    return read_quantity(node, reader, Key{.unit = "s"}, time);
}

/// One keyframe: [time, value] or {time: …, value: …} or {frame: …, value: …}.
template <class T>
bool read_keyframe(const Node& node, Reader& reader, const Key& key, typename Curve<T>::Key& result) {
    if (node.is_list()) {
        if (node.items.size() != 2) return fail(reader, node, fmt::format("got {}; expected a keyframe [time, value]", node.described()));
        const bool timed = read_time(node.items[0], reader, result.time);
        return read_value(node.items[1], reader, key, result.value) && timed;
    }
    if (!node.is_map())
        return fail(reader, node, fmt::format("got {}; expected a keyframe [time, value] or {{time, value}}", node.described()));
    static const std::vector<std::string> names = {"time", "frame", "value"};
    bool good = true;
    for (const Node::Entry& entry : node.entries) {
        if (std::find(names.begin(), names.end(), entry.key) != names.end()) continue;
        reader.fail(entry.position, entry.key,
                    "unknown key in a keyframe; expected time or frame, and value" + did_you_mean(entry.key, names));
        good = false;
    }
    const Node *time = node.get("time"), *frame = node.get("frame"), *value = node.get("value");
    if (!value) good = fail(reader, node, "a keyframe without value; expected {time: …, value: …}");
    if ((time != nullptr) == (frame != nullptr)) good = fail(reader, node, "a keyframe needs either time or frame");
    if (!good) return false;
    if (time) {
        good = read_time(*time, reader, result.time);
    } else {
        double number = 0;
        good = read_quantity(*frame, reader, Key{}, number);
        result.time = reader.seconds_from_frame(number);
    }
    return read_value(*value, reader, key, result.value) && good;
}

bool read_interpolation(const Node& node, Reader& reader, Interpolation& interpolation) {
    static const std::vector<std::string> words = {"linear", "smooth"};
    if (node.is_scalar() && (node.text == "linear" || node.text == "smooth")) {
        interpolation = node.text == "smooth" ? Interpolation::smooth : Interpolation::linear;
        return true;
    }
    reader.fail(node.position, "interpolation",
                fmt::format("got {}; expected linear or smooth{}", node.described(), did_you_mean(node.text, words)));
    return false;
}

/// Keyframes in order of time; `prefix` is their place under the reader's path.
template <class T>
bool read_keyframes(const Node& node, Reader& reader, const Key& key, const char* prefix, std::vector<typename Curve<T>::Key>& keys) {
    if (!node.is_list() || node.items.empty())
        return fail(
            reader, node,
            fmt::format("got {} for keyframes; expected at least one [time, value]", node.is_list() ? "an empty list" : node.described()));
    bool good = true;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        Reader::Inside inside(reader, fmt::format("{}{}", prefix, i));
        typename Curve<T>::Key next;
        if (!read_keyframe<T>(node.items[i], reader, key, next)) {
            good = false;
        } else if (!keys.empty() && next.time <= keys.back().time) {
            good = fail(reader, node.items[i],
                        fmt::format("this keyframe is at {} s, not after the one before it at {} s; expected keyframes in order of time",
                                    next.time, keys.back().time));
        } else {
            keys.push_back(next);
        }
    }
    return good;
}

template <class T>
bool read_curve(const Node& node, Reader& reader, const Key& key, Curve<T>& curve) {
    if (!looks_like_keyframes(node)) {
        T constant{};
        if (!read_value(node, reader, key, constant)) return false;
        curve = Curve<T>(constant);
        return true;
    }
    bool good = true;
    std::vector<typename Curve<T>::Key> keys;
    Interpolation interpolation = Interpolation::linear;
    if (node.is_list()) {
        good = read_keyframes<T>(node, reader, key, "", keys);
    } else {
        static const std::vector<std::string> names = {"keys", "interpolation"};
        for (const Node::Entry& entry : node.entries) {
            if (entry.key == "keys") {
                good &= read_keyframes<T>(entry.value, reader, key, "keys.", keys);
            } else if (entry.key == "interpolation") {
                good &= read_interpolation(entry.value, reader, interpolation);
            } else {
                reader.fail(entry.position, entry.key,
                            "unknown key in a curve; expected keys and interpolation" + did_you_mean(entry.key, names));
                good = false;
            }
        }
        if (good && !node.get("keys"))
            good = fail(reader, node,
                        "got a map without keys; expected a constant or {keys: [[time, value], …], interpolation: linear|smooth}");
    }
    if (good) curve = Curve<T>(std::move(keys), interpolation);
    return good;
}

template <class T>
Node write_curve(const Key& key, const Curve<T>& curve) {
    if (curve.keys().size() == 1) return write_value(key, curve.keys().front().value);
    Node keys = Node::list({});
    for (const auto& k : curve.keys()) keys.items.push_back(Node::list({write_value(Key{}, k.time), write_value(key, k.value)}));
    Node node = Node::map();
    node.flow = true;
    node.set("interpolation", Node::scalar(curve.interpolation() == Interpolation::smooth ? "smooth" : "linear"));
    node.set("keys", std::move(keys));
    return node;
}

double linear_from_srgb(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }

}  // namespace

bool read_value(const Node& node, Reader& reader, const Key& key, double& value) {
    double number = 0;
    if (!read_quantity(node, reader, key, number) || !check_range(node, reader, key, number)) return false;
    value = number;
    return true;
}

bool read_value(const Node& node, Reader& reader, const Key& key, float& value) {
    double number = 0;
    if (!read_value(node, reader, key, number)) return false;
    value = float(number);
    return true;
}

bool read_value(const Node& node, Reader& reader, const Key& key, int& value) {
    const std::string range = range_text(key), wanted = "a whole number" + (range.empty() ? "" : ", " + range);
    if (!node.is_scalar()) return fail(reader, node, fmt::format("got {}; expected {}", node.described(), wanted));
    const auto number = parse_number(node.text);
    if (!number || *number != std::floor(*number)) return fail(reader, node, fmt::format("got {}; expected {}", node.described(), wanted));
    if (!check_range(node, reader, key, *number)) return false;
    if (std::abs(*number) > 2e9)
        return fail(reader, node, fmt::format("{} is out of range; expected a whole number below 2e9", node.described()));
    value = int(*number);
    return true;
}

bool read_value(const Node& node, Reader& reader, const Key&, std::uint64_t& value) {
    std::uint64_t number = 0;
    const char* last = node.text.data() + node.text.size();
    const auto [end, error] = std::from_chars(node.text.data(), last, number);
    if (!node.is_scalar() || error != std::errc() || end != last)
        return fail(reader, node, fmt::format("got {}; expected a whole number from 0 to 18446744073709551615", node.described()));
    value = number;
    return true;
}

bool read_value(const Node& node, Reader& reader, const Key&, bool& value) {
    const std::string& word = node.text;
    const bool yes = word == "true" || word == "yes" || word == "on", no = word == "false" || word == "no" || word == "off";
    if (!node.is_scalar() || (!yes && !no)) return fail(reader, node, fmt::format("got {}; expected true or false", node.described()));
    value = yes;
    return true;
}

bool read_value(const Node& node, Reader& reader, const Key&, std::string& value) {
    if (!node.is_scalar()) return fail(reader, node, fmt::format("got {}; expected text", node.described()));
    value = node.text;
    return true;
}

bool read_value(const Node& node, Reader& reader, const Key& key, Vec3d& value) { return read_components(node, reader, key, value); }
bool read_value(const Node& node, Reader& reader, const Key& key, Curve<double>& value) { return read_curve(node, reader, key, value); }
bool read_value(const Node& node, Reader& reader, const Key& key, Curve<Vec3d>& value) { return read_curve(node, reader, key, value); }

bool read_colour(const Node& node, Reader& reader, Vec3d& value) {
    if (node.is_list() && node.items.size() == 3) return read_components(node, reader, Key{.min = 0}, value);
    if (node.is_scalar() && node.text.size() == 7 && node.text[0] == '#') {
        unsigned bits = 0;
        const auto [end, error] = std::from_chars(node.text.data() + 1, node.text.data() + 7, bits, 16);
        if (error == std::errc() && end == node.text.data() + 7) {
            for (int c = 0; c < 3; ++c) value[c] = linear_from_srgb(double(bits >> (16 - 8 * c) & 255u) / 255);
            return true;
        }
    }
    return fail(
        reader, node,
        fmt::format("got {}; expected a colour: linear [red, green, blue] from 0 to 1, or \"#rrggbb\" in quotes", node.described()));
}

Node write_value(const Key& key, double value) {
    return Node::scalar(is_angle(key) && value != 0 ? fmt::format("{} {}", value, key.unit) : fmt::format("{}", value));
}
Node write_value(const Key& key, float value) {
    return Node::scalar(is_angle(key) && value != 0 ? fmt::format("{} {}", value, key.unit) : fmt::format("{}", value));
}
Node write_value(const Key&, int value) { return Node::scalar(fmt::format("{}", value)); }
Node write_value(const Key&, std::uint64_t value) { return Node::scalar(fmt::format("{}", value)); }
Node write_value(const Key&, bool value) { return Node::scalar(value ? "true" : "false"); }
Node write_value(const Key&, const std::string& value) { return Node::scalar(value, true); }
Node write_value(const Key& key, const Vec3d& value) {
    return Node::list({write_value(key, value.x), write_value(key, value.y), write_value(key, value.z)});
}
Node write_value(const Key& key, const Curve<double>& value) { return write_curve(key, value); }
Node write_value(const Key& key, const Curve<Vec3d>& value) { return write_curve(key, value); }
Node write_colour(const Vec3f& value) {
    return Node::list({write_value(Key{}, value.x), write_value(Key{}, value.y), write_value(Key{}, value.z)});
}

// ---- schemas

namespace {

/// The kind of a schema for a C++ type.
template <class T>
struct KindOf;
template <>
struct KindOf<double> {
    static constexpr auto kind = Schema::Kind::number;
    static constexpr bool animated = false, optional = false;
};
template <>
struct KindOf<float> : KindOf<double> {};
template <>
struct KindOf<int> : KindOf<double> {
    static constexpr auto kind = Schema::Kind::integer;
};
template <>
struct KindOf<std::uint64_t> : KindOf<int> {};
template <>
struct KindOf<bool> : KindOf<double> {
    static constexpr auto kind = Schema::Kind::boolean;
};
template <>
struct KindOf<std::string> : KindOf<double> {
    static constexpr auto kind = Schema::Kind::text;
};
template <>
struct KindOf<Vec3d> : KindOf<double> {
    static constexpr auto kind = Schema::Kind::vector;
};
template <class T>
struct KindOf<Curve<T>> : KindOf<T> {
    static constexpr bool animated = true;
};
template <class T>
struct KindOf<std::optional<T>> : KindOf<T> {
    static constexpr bool optional = true;
};

}  // namespace

template <class T>
SchemaPtr value_schema(const Key& key) {
    auto schema = std::make_shared<Schema>();
    schema->kind = KindOf<T>::kind;
    schema->animated = KindOf<T>::animated;
    schema->optional = KindOf<T>::optional;
    schema->key = key;
    schema->read = [key](const Node& node, Reader& reader, void* object) { read_value(node, reader, key, *static_cast<T*>(object)); };
    schema->write = [key](const void* object) { return write_value(key, *static_cast<const T*>(object)); };
    return schema;
}

template SchemaPtr value_schema<double>(const Key&);
template SchemaPtr value_schema<float>(const Key&);
template SchemaPtr value_schema<int>(const Key&);
template SchemaPtr value_schema<std::uint64_t>(const Key&);
template SchemaPtr value_schema<bool>(const Key&);
template SchemaPtr value_schema<std::string>(const Key&);
template SchemaPtr value_schema<Vec3d>(const Key&);
template SchemaPtr value_schema<Curve<double>>(const Key&);
template SchemaPtr value_schema<Curve<Vec3d>>(const Key&);
template SchemaPtr value_schema<std::optional<double>>(const Key&);
template SchemaPtr value_schema<std::optional<float>>(const Key&);
template SchemaPtr value_schema<std::optional<int>>(const Key&);
template SchemaPtr value_schema<std::optional<std::uint64_t>>(const Key&);
template SchemaPtr value_schema<std::optional<bool>>(const Key&);
template SchemaPtr value_schema<std::optional<std::string>>(const Key&);
template SchemaPtr value_schema<std::optional<Vec3d>>(const Key&);
template SchemaPtr value_schema<std::optional<Curve<double>>>(const Key&);
template SchemaPtr value_schema<std::optional<Curve<Vec3d>>>(const Key&);

}  // namespace phlo::config
