// The top level of the scene file, and what is made from its tables: dump, help, JSON Schema, hash.
#include <algorithm>

#include <fmt/format.h>

#include "base/hash.h"
#include "config/renamed.h"
#include "models/shape_table.h"
#include "scene/changes.h"
#include "scene/scene.h"

namespace phlo::scene {
namespace {

using config::Affects;
using config::Node;
using config::Reader;
using config::Schema;
using config::SchemaPtr;
using config::Table;

const Table<OutputParams>& output_table() {
    static const auto table =
        Table<OutputParams>("output", "What the frames in cache/ are written for.")
            .choice("names", &OutputParams::names,
                    {{"blender", GridNames::blender, "the velocity is called velocity"}, {"houdini", GridNames::houdini, "it is called vel"}},
                    {.help = "whose grid names to use"})
            .key("half", &OutputParams::half, {.help = "16-bit density and temperature: smaller files, three digits"})
            .key("velocity", &OutputParams::velocity, {.help = "write the velocity, for motion blur; false: smaller files"});
    return table;
}

const Table<Scene>& scene_table() {
    static const auto table =
        Table<Scene>("scene", "A shot: the gas, what gives it off, what it flows around, and how it is seen.", Affects::simulation)
            .property<int>(
                "phlo", [](const Scene&) { return 1; }, [](Scene&, int) {},
                {.min = 1, .max = 1, .help = "version of the scene format", .affects = Affects::nothing, .required = true})
            .input<std::string>("base", [](Scene&, const std::string&) {},
                                {.help = "a preset or file that this scene changes", .affects = Affects::nothing})
            .key("name", &Scene::name, {.help = "a word for lists", .affects = Affects::nothing})
            .key("description", &Scene::description, {.help = "one line", .affects = Affects::nothing})
            .table("domain", &Scene::domain, models::domain_table())
            .table("time", &Scene::time, models::time_table())
            .table("gas", &Scene::gas, models::gas_table())
            .table("chemistry", &Scene::chemistry, models::chemistry_table())
            .list("emitters", &Scene::emitters, models::emitter_table(), {.help = "where smoke, species and heat come from"})
            .list("bodies", &Scene::bodies, models::body_table(), {.help = "solids in the gas"})
            .table("output", &Scene::output, output_table())
            .key("seed", &Scene::seed, {.help = "of all random numbers"});
    return table;
}

}  // namespace

SchemaPtr scene_schema(const std::vector<Section>& sections) {
    auto schema = std::make_shared<Schema>(*scene_table().schema());
    Schema* raw = schema.get();
    schema->read = [raw](const Node& node, Reader& reader, void* object) { read_table(*raw, node, reader, object); };
    schema->write = [raw](const void* object) { return write_table(*raw, object); };
    for (const Section& section : sections)
        schema->members.push_back({section.key, {}, section.schema, [object = section.object](void*) { return object; }});
    if (!schema->member("render")) {
        const auto locate = [](void* scene) -> void* { return &static_cast<Scene*>(scene)->render; };
        schema->members.push_back({"render", {.affects = Affects::render}, config::as_written_schema(), locate});
    }
    return schema;
}

std::string dump_scene(const Scene& scene, const std::vector<Section>& sections) { return to_yaml(scene_schema(sections)->write(&scene)); }

std::uint64_t scene_hash(const Scene& scene) {
    const SchemaPtr schema = scene_schema();
    // By the keys' first names: a run that was begun before a key was renamed goes on.
    return fnv1a(to_line(config::with_old_names(only_affecting(*schema, schema->write(&scene), Affects::simulation), *schema)));
}

std::vector<Change> changed_keys(const std::string& old_dump, const Scene& scene, const std::vector<Section>& sections) {
    const SchemaPtr schema = scene_schema(sections);
    return differences(*schema, config::with_new_names(config::parse_yaml(old_dump, "the scene of the cache"), *schema), schema->write(&scene));
}

std::string help_scene(const std::vector<Section>& sections) { return config::help_text(*scene_schema(sections)); }
std::string json_schema(const std::vector<Section>& sections) { return config::json_schema(*scene_schema(sections), "Phlogiston scene"); }

}  // namespace phlo::scene
