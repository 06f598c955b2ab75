// How single values are read and written. The kind of a key follows from the type of the member it is bound to.
//
//   20 cm · 1200 K · 0.5 1/s           double                       (a bare number is in the key's own unit)
//   [1, 20 cm, 0]                      Vec3d
//   [0.8, 0.2, 0.1]  "#cc3311"         colour: linear RGB, or sRGB as on the web
//   {keys: [[0 s, 1], [2 s, 0]], interpolation: smooth}              Curve<double>, Curve<Vec3d>; or just a constant
//   [{frame: 1, value: 0}, {frame: 24, value: 1}]                    the same, linear
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/curve.h"
#include "base/vec.h"
#include "config/schema.h"

namespace phlo::config {

bool read_value(const Node& node, Reader& reader, const Key& key, double& value);
bool read_value(const Node& node, Reader& reader, const Key& key, float& value);
bool read_value(const Node& node, Reader& reader, const Key& key, int& value);
bool read_value(const Node& node, Reader& reader, const Key& key, std::uint64_t& value);
bool read_value(const Node& node, Reader& reader, const Key& key, bool& value);
bool read_value(const Node& node, Reader& reader, const Key& key, std::string& value);
bool read_value(const Node& node, Reader& reader, const Key& key, Vec3d& value);
bool read_value(const Node& node, Reader& reader, const Key& key, Curve<double>& value);
bool read_value(const Node& node, Reader& reader, const Key& key, Curve<Vec3d>& value);
bool read_colour(const Node& node, Reader& reader, Vec3d& value);

Node write_value(const Key& key, double value);
Node write_value(const Key& key, float value);
Node write_value(const Key& key, int value);
Node write_value(const Key& key, std::uint64_t value);
Node write_value(const Key& key, bool value);
Node write_value(const Key& key, const std::string& value);
Node write_value(const Key& key, const Vec3d& value);
Node write_value(const Key& key, const Curve<double>& value);
Node write_value(const Key& key, const Curve<Vec3d>& value);
Node write_colour(const Vec3f& value);

/// A value under a name that the scene chose.
template <class T>
struct Named {
    using Value = T;
    std::string name;
    T value{};
    Position position = {};  ///< of the name
};

/// 'none' stands for an absent value.
template <class T>
bool read_value(const Node& node, Reader& reader, const Key& key, std::optional<T>& value) {
    if (node.is_null() || (node.is_scalar() && node.text == "none")) return value.reset(), true;
    T present{};
    if (!read_value(node, reader, key, present)) return false;
    value = std::move(present);
    return true;
}
template <class T>
Node write_value(const Key& key, const std::optional<T>& value) {
    return value ? write_value(key, *value) : Node::scalar("none");
}

/// The schema of a single value. One for each type that a key may have stands in values.cpp.
template <class T>
SchemaPtr value_schema(const Key& key);

}  // namespace phlo::config
