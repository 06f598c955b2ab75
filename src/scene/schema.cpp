// The top level of the scene file, and what is made from its tables: dump, help, JSON Schema, hash.
#include <algorithm>

#include <fmt/format.h>

#include "base/hash.h"
#include "config/renamed.h"
#include "models/shot/shape_table.h"
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
                    {{"blender", GridNames::blender, "temperature in thousands of kelvin"},
                     {"houdini", GridNames::houdini, "kelvin; the velocity is called vel"}},
                    {.help = "whose grid names and units to use"})
            .key("half", &OutputParams::half, {.help = "16-bit density and temperature: smaller files, three digits"})
            .key("velocity", &OutputParams::velocity, {.help = "write the velocity, for motion blur; false: smaller files"});
    return table;
}

/// The keys before the model's own sections, and those behind them.
const Table<Scene>& first_table() {
    static const auto table =
        Table<Scene>("scene", "A shot: what flows, what gives it off, what it flows around, and how it is seen.", Affects::simulation)
            .property<int>(
                "phlo", [](const Scene&) { return 1; }, [](Scene&, int) {},
                {.min = 1, .max = 1, .help = "version of the scene format", .affects = Affects::nothing, .required = true})
            .input<std::string>("base", [](Scene&, const std::string&) {},
                                {.help = "a preset or file that this scene changes", .affects = Affects::nothing})
            .key("name", &Scene::name, {.help = "a word for lists", .affects = Affects::nothing})
            .key("description", &Scene::description, {.help = "one line", .affects = Affects::nothing})
            .table("domain", [](auto& s) -> auto& { return s.shot.domain; }, models::domain_table())
            .table("time", [](auto& s) -> auto& { return s.shot.time; }, models::time_table());
    return table;
}

const Table<Scene>& last_table() {
    static const auto table = Table<Scene>("scene")
                                  .list("bodies", [](auto& s) -> auto& { return s.shot.bodies; }, models::body_table(), {.help = "solids in the flow"})
                                  .table("output", &Scene::output, output_table())
                                  .key("seed", [](auto& s) -> auto& { return s.shot.seed; }, {.help = "of all random numbers"});
    return table;
}

template <models::Setup S>
void add_sections(Schema& scene) {
    std::erase_if(scene.members, [](const Schema::Member& member) { return !S::fills_domain && member.name == "domain"; });
    for (Schema::Member member : S::table().schema()->members) {
        if (const auto in_setup = member.locate)
            member.locate = [in_setup](void* object) { return in_setup(&std::get<S>(static_cast<Scene*>(object)->model)); };
        scene.members.push_back(std::move(member));
    }
}

/// As written by a scene in which nothing but the model is given.
Node defaults_of(const Schema& schema, const AnySetup& model) {
    Scene scene;
    std::visit([&](const auto& setup) { scene.model = std::decay_t<decltype(setup)>(); }, model);
    return write_table(schema, &scene);
}

template <std::size_t... i>
std::vector<AnySetup> each_of(std::index_sequence<i...>) { return {AnySetup(std::in_place_index<i>)...}; }

}  // namespace

std::vector<AnySetup> each_model() { return each_of(std::make_index_sequence<std::variant_size_v<AnySetup>>()); }

const char* key_of(const AnySetup& model) {
    return std::visit([](const auto& setup) { return setup.key; }, model);
}

SchemaPtr scene_schema(const AnySetup& model, const std::vector<Section>& sections) {
    auto own = std::make_shared<Schema>(*first_table().schema());
    std::visit([&](const auto& setup) { add_sections<std::decay_t<decltype(setup)>>(*own); }, model);
    const auto& last = last_table().schema()->members;
    own->members.insert(own->members.end(), last.begin(), last.end());

    auto schema = std::make_shared<Schema>(*own);
    for (const Section& section : sections)
        schema->members.push_back({section.key, {}, section.schema, [object = section.object](void*) { return object; }});
    if (!schema->member("render")) {
        const auto locate = [](void* scene) -> void* { return &static_cast<Scene*>(scene)->render; };
        schema->members.push_back({"render", {.affects = Affects::render}, config::as_written_schema(), locate});
    }
    Schema* raw = schema.get();
    schema->read = [raw](const Node& node, Reader& reader, void* object) { read_table(*raw, node, reader, object); };
    schema->write = [raw](const void* object) { return write_table(*raw, object); };
    schema->defaults = [own, model] { return defaults_of(*own, model); };
    return schema;
}

models::Estimate estimate(const Scene& scene) {
    return std::visit([&](const auto& setup) { return setup.estimate(scene.shot); }, scene.model);
}

std::string dump_scene(const Scene& scene, const std::vector<Section>& sections) { return to_yaml(scene_schema(scene.model, sections)->write(&scene)); }

std::uint64_t scene_hash(const Scene& scene) {
    const SchemaPtr schema = scene_schema(scene.model);
    // By the keys' first names: a run that was begun before a key was renamed goes on.
    return fnv1a(to_line(config::with_old_names(only_affecting(*schema, schema->write(&scene), Affects::simulation), *schema)));
}

std::vector<Change> changed_keys(const std::string& old_dump, const Scene& scene, const std::vector<Section>& sections) {
    const SchemaPtr schema = scene_schema(scene.model, sections);
    return differences(*schema, config::with_new_names(config::parse_yaml(old_dump, "the scene of the cache"), *schema), schema->write(&scene));
}

std::string help_scene(const std::vector<Section>& sections) {
    std::string text;
    for (const AnySetup& model : each_model())
        text += text.empty() ? config::help_text(*scene_schema(model, sections))
                             : "\n" + std::visit([](const auto& setup) { return config::keys_text(*setup.table().schema()); }, model);
    return text;
}

std::string json_schema(const std::vector<Section>& sections) {
    std::vector<SchemaPtr> kinds;
    for (const AnySetup& model : each_model()) kinds.push_back(scene_schema(model, sections));
    return config::json_schema(kinds, "Phlogiston scene");
}

}  // namespace phlo::scene
