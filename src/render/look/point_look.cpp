#include "render/look/point_look.h"

#include <fmt/format.h>

namespace phlo::render {
namespace {

using config::Node;
using config::Reader;

constexpr const char* black_body = "blackbody";

bool read_stop(const Node& node, Reader& reader, ColourStop& stop) {
    if (!node.is_list() || node.items.size() != 2) {
        reader.fail(node.position, fmt::format("got {}; expected [value, colour]", node.described()));
        return false;
    }
    Vec3d color;
    if (!config::read_value(node.items[0], reader, {}, stop.value) || !config::read_colour(node.items[1], reader, color)) return false;
    stop.color = Vec3f(color);
    return true;
}

/// `blackbody`, or stops with rising values.
class RampSchema : public config::Typed<std::vector<ColourStop>> {
public:
    RampSchema() {
        schema_->kind = config::Schema::Kind::free;
        schema_->read = [](const Node& node, Reader& reader, void* object) {
            auto& ramp = *static_cast<std::vector<ColourStop>*>(object);
            ramp.clear();
            if (node.is_scalar() && node.text == black_body) return;
            ramp.resize(1);  // what is wrong is wrong once: no ramp at all would be a black body's
            if (!node.is_list() || node.items.empty())
                return reader.fail(node.position,
                                   fmt::format("got {}; expected {} or a list of [value, colour]", node.described(), black_body));
            std::vector<ColourStop> stops;
            for (const Node& item : node.items) {
                ColourStop stop;
                if (!read_stop(item, reader, stop)) return;
                if (!stops.empty() && !(stop.value > stops.back().value))
                    return reader.fail(item.position, "values must rise from one stop to the next");
                stops.push_back(stop);
            }
            ramp = stops;
        };
        schema_->write = [](const void* object) {
            const auto& ramp = *static_cast<const std::vector<ColourStop>*>(object);
            if (ramp.empty()) return Node::scalar(black_body);
            Node node = Node::list({});
            for (const ColourStop& stop : ramp)
                node.items.push_back(Node::list({config::write_value(config::Key{}, stop.value), config::write_colour(stop.color)}));
            return node;
        };
    }
};

const config::Table<ColumnColour>& column_table() {
    static const auto table = config::Table<ColumnColour>("color", "A colour by a column of the points.")
                                  .key("column", &ColumnColour::column, {.help = "its name: temperature, age …", .required = true})
                                  .table("ramp", &ColumnColour::ramp, ramp_schema(), {.help = "blackbody, or a list of [value, colour]"});
    return table;
}

/// A colour, or a map that names a column.
class PointColourSchema : public config::Typed<PointColour> {
public:
    PointColourSchema() {
        schema_->kind = config::Schema::Kind::free;
        schema_->item = column_table().schema();
        schema_->read = [](const Node& node, Reader& reader, void* object) {
            auto& color = *static_cast<PointColour*>(object);
            if (node.is_map()) return column_table().read(node, reader, color.emplace<ColumnColour>());
            Vec3d plain;
            if (config::read_colour(node, reader, plain)) color = Vec3f(plain);
        };
        schema_->write = [](const void* object) {
            const auto& color = *static_cast<const PointColour*>(object);
            if (const auto* plain = std::get_if<Vec3f>(&color)) return config::write_colour(*plain);
            return column_table().write(std::get<ColumnColour>(color));
        };
    }
};

/// Matter that sent back more than all light would make light of nothing.
void check_matter(PointsLook& look, const Node& node, Reader& reader) {
    const Node* color = node.find("color");
    if (look.kind != PointKind::matter || !color) return;
    std::vector<ColourStop> stops;
    if (const auto* column = std::get_if<ColumnColour>(&look.color)) {
        if (column->ramp.empty() && !column->column.empty())
            reader.fail(color->position, "color", "a black body's colour is light: expected kind: light or spark, or a ramp of [value, colour]");
        stops = column->ramp;
    } else {
        stops.push_back({0, std::get<Vec3f>(look.color)});
    }
    for (const ColourStop& stop : stops)
        if (stop.color.x > 1 || stop.color.y > 1 || stop.color.z > 1)
            return reader.fail(color->position, "color", "expected shares of light, 0 to 1 each, for points of kind matter");
}

}  // namespace

const config::Typed<std::vector<ColourStop>>& ramp_schema() {
    static const RampSchema schema;
    return schema;
}

Vec3f colour_at(const std::vector<ColourStop>& ramp, double value) {
    if (value <= ramp.front().value) return ramp.front().color;
    for (std::size_t n = 1; n < ramp.size(); ++n)
        if (value < ramp[n].value) {
            const ColourStop &a = ramp[n - 1], &b = ramp[n];
            return a.color + (b.color - a.color) * float((value - a.value) / (b.value - a.value));
        }
    return ramp.back().color;
}

const config::Table<PointsLook>& points_table() {
    static const PointColourSchema color;
    static const auto table =
        config::Table<PointsLook>("points", "Sets of points that are seen, each with its own look.")
            .key("points", &PointsLook::points, {.help = "the name of the set: soot, material …", .required = true})
            .table("color", &PointsLook::color, color,
                   {.help = "a colour, or {column: NAME, ramp: blackbody | [[value, colour], …]}: share of light that goes on, or colour "
                            "of light"})
            .key("size", &PointsLook::size, {.above = 0, .max = 1000, .help = "factor on the radii"})
            .choice("kind", &PointsLook::kind,
                    {{"matter", PointKind::matter, "scatters light, and glows where the gas is hot"},
                     {"light", PointKind::light, "shines by itself"},
                     {"spark", PointKind::spark, "small balls of light, drawn sharp, with a streak where they move; they light nothing"},
                     {"grid", PointKind::grid, "cubes whose walls, and those of their cells, are drawn as lines on surfaces"}},
                    {.help = "what the points are"})
            .key("extinction", &PointsLook::extinction,
                 {.unit = "1/m", .min = 0, .help = "in the middle of a point: larger is thicker; none: 30 / the longest side of the scene"})
            .key("brightness", &PointsLook::brightness,
                 {.min = 0, .help = "of light: radiance where points are so many that nothing passes; of a spark its own; none: that of `fire`"})
            .key("streak", &PointsLook::streak,
                 {.unit = "s", .min = 0, .help = "of sparks: they draw the way of so many seconds; none: of the time the shutter is open"})
            .check(check_matter);
    return table;
}

}  // namespace phlo::render
