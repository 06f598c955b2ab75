// The scene file's words for where emitters are.
#include "models/shot/source.h"

namespace phlo::models {

using config::Node;
using config::Reader;
using config::Table;

namespace {

/// Any shape, or `around`: the layer around the body that carries the source.
class SourceShapeSchema : public config::Typed<Source> {
public:
    SourceShapeSchema() {
        const config::SchemaPtr inner = shape_variant().schema();
        *schema_ = *inner;
        schema_->options.push_back({"around", "the layer around the body it is on", nullptr, nullptr, nullptr});
        schema_->read = [inner](const Node& node, Reader& reader, void* object) {
            Source& source = *static_cast<Source*>(object);
            source.has_shape = !(node.is_scalar() && node.text == "around");
            if (source.has_shape) inner->read(node, reader, &source.shape);
        };
        schema_->write = [inner](const void* object) {
            const Source& source = *static_cast<const Source*>(object);
            return source.has_shape ? inner->write(&source.shape) : Node::scalar("around");
        };
    }
};

}  // namespace

const config::Typed<Source>& source_shape_schema() {
    static const SourceShapeSchema schema;
    return schema;
}

const Table<NoiseParams>& noise_table() {
    static const auto table =
        Table<NoiseParams>("noise", "Turbulent variation of an emitter.")
            .key("amplitude", &NoiseParams::amplitude, {.min = 0, .max = 1, .help = "how much of the value the noise may take away"})
            .key("scale", &NoiseParams::scale, {.unit = "m", .above = 0, .help = "size of its largest features"})
            .key("speed", &NoiseParams::speed, {.unit = "1/s", .min = 0, .help = "how fast it changes"})
            .key("octaves", &NoiseParams::octaves, {.min = 1, .max = 10, .help = "layers of detail, each half as large as the one before"})
            .key("seed", &NoiseParams::seed, {.min = 0, .help = "another number, another pattern"});
    return table;
}

}  // namespace phlo::models
