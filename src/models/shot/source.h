// Where something comes from: the part of an emitter that all models share. A model's emitter derives from it and says what comes out.
//
//   struct Emitter : Source { Curve<double> density{1.0}; };
//   add_source_keys(table);                                             // name, shape, on, thickness, position, rotation, mode; without the
//                                                                       // last: add_place_keys(table)
//   flow::SourceShape where = source_shape(emitter, placements, time);   // then flow::cover()
#pragma once
#include <span>
#include <string>

#include "config/table.h"
#include "flow/sources.h"
#include "geom/motion.h"
#include "geom/placement.h"
#include "geom/shape.h"
#include "models/shot/shape_table.h"

namespace phlo::models {

/// hold: at least this value inside; add: this much per second; start: these values at the first frame, nothing later
enum class EmitMode { hold, add, start };

using NoiseParams = flow::SourceNoise;

struct Source {
    std::string name;
    std::string on = {};                   ///< a body that carries it along; place and rotation are then the body's own
    double thickness = 0.02;               ///< without a shape of its own: of the layer around that body [m]
    bool has_shape = true;                 ///< false: all around the body it is on
    geom::Shape shape;
    geom::Motion motion;
    EmitMode mode = EmitMode::hold;
    Curve<double> strength{1.0};           ///< 0 switches it off; keyframe it
    double softness = 1.5;                 ///< width of the edge [cells]
    NoiseParams noise;
};

/// Where it is now: in the world, or in the frame of the body that carries it, all around that body if it has no shape of its own.
flow::SourceShape source_shape(const Source& source, std::span<const geom::Placement> bodies, double time);

/// Any shape, or `around`: the layer around the body that carries the source.
const config::Typed<Source>& source_shape_schema();
const config::Table<NoiseParams>& noise_table();

/// The keys of where it is.
template <class Emitter>
config::Table<Emitter>& add_place_keys(config::Table<Emitter>& table) {
    return table
        .key("name", &Emitter::name, {.help = "for messages, --set and scenes built on this one", .affects = config::Affects::nothing})
        .table("shape", [](auto& e) -> Source& { return e; }, source_shape_schema(),
               {.help = "give its shape, such as {sphere: {radius: 10 cm}}"})
        .key("on", &Emitter::on, {.help = "name of a body that carries it along; without a shape it is the layer around that body"})
        .key("thickness", &Emitter::thickness, {.unit = "m", .above = 0, .help = "of the layer around the body it is on"})
        .key("position", [](auto& e) -> auto& { return e.motion.position; }, position_key)
        .key("rotation", [](auto& e) -> auto& { return e.motion.rotation; }, rotation_key);
}

/// A source needs a shape, or a body to be all around of.
template <class Emitter>
void check_place(Emitter& emitter, const config::Node& node, config::Reader& reader) {
    if (!node.get("shape")) emitter.has_shape = false;
    if (!emitter.has_shape && emitter.on.empty())
        reader.fail(node.position, "shape", "missing; give its shape, such as {sphere: {radius: 10 cm}}");
}

/// The keys before those that say what comes out.
template <class Emitter>
config::Table<Emitter>& add_source_keys(config::Table<Emitter>& table) {
    return add_place_keys(table)
        .choice("mode", &Emitter::mode,
                {{"hold", EmitMode::hold, "at least these values inside"},
                 {"add", EmitMode::add, "this much more each second; of temperature, the excess over ambient"},
                 {"start", EmitMode::start, "these values at the first frame, nothing later"}},
                {.help = "what the values mean"});
}

/// And those behind them.
template <class Emitter>
config::Table<Emitter>& add_source_edge_keys(config::Table<Emitter>& table) {
    return table.key("strength", &Emitter::strength, {.min = 0, .help = "multiplies density, heat and push; 0 is off"})
        .key("softness", &Emitter::softness, {.min = 0, .max = 100, .help = "width of its edge in cells"})
        .table("noise", &Emitter::noise, noise_table())
        .check(check_place<Emitter>);
}

}  // namespace phlo::models
