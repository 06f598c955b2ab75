// From a name to a Scene: find the text, lay deltas over their bases, apply overrides, read, check.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/error.h"
#include "config/merge.h"
#include "config/renamed.h"
#include "scene/presets.h"
#include "scene/scene.h"

namespace phlo::scene {
namespace {

using config::Node;
using config::Problems;
using config::Schema;

constexpr const char* version = "1";

struct Source {
    Node root;
    std::string id;  ///< the same for the same scene, however it was named
    std::string folder;  ///< where relative names start
};

Source from_text(const std::string& text, const std::string& file) {
    return {config::parse_yaml(text, file), file, std::filesystem::path(file).parent_path().string()};
}

bool is_bare_word(const std::string& name) { return name.find('/') == std::string::npos && !std::filesystem::path(name).has_extension(); }

/// `here` is the folder of the scene that names it; "" for the command line.
Source find_source(const std::string& name, const std::string& here) {
    if (is_bare_word(name))
        if (const auto text = preset_text(name)) return from_text(*text, "preset " + name);
    const std::filesystem::path path = std::filesystem::path(here) / name;
    std::error_code error;
    if (is_bare_word(name) && !std::filesystem::exists(path, error)) {
        const std::vector<std::string> names = preset_names();
        throw InputError(fmt::format("{}: neither a file nor a preset; presets are {}{}", name, config::one_of(names),
                                     config::did_you_mean(name, names)));
    }
    return {config::parse_yaml_file(path.string()), std::filesystem::weakly_canonical(path, error).string(), path.parent_path().string()};
}

/// Every file says which format it is written in.
void check_version(Node& root, Problems& problems) {
    const Node* given = root.get("phlo");
    if (!given) {
        problems.add(root.position, "phlo", fmt::format("missing; expected the version of the scene format: 'phlo: {}'", version));
        root.set("phlo", Node::scalar(version));
    } else if (!given->is_scalar() || given->text != version) {
        problems.add(given->position, "phlo",
                     fmt::format("{} is no version that this program reads; expected {}", given->described(), version));
        problems.raise();  // what follows may mean something else there
    }
}

/// The tree of a scene with its bases under it.
Node with_bases(Source source, const Schema& schema, Problems& problems, std::vector<std::string>& chain) {
    Node& root = source.root;
    if (root.is_null() || (root.is_map() && root.entries.empty()))
        throw InputError(fmt::format("{}: the scene is empty; 'phlo new plume' writes one to start from",
                                     root.position.line ? root.position.where() : source.id));
    if (!root.is_map())
        throw InputError(fmt::format("{}: got {}; expected a scene: lines of 'key: value', beginning with 'phlo: {}'",
                                     root.position.where(), root.described(), version));
    check_version(root, problems);
    root = config::with_new_names(std::move(root), schema, problems);

    const Node::Entry* entry = root.entry("base");
    if (!entry) return std::move(root);
    const Node base = entry->value;
    root.remove("base");
    if (!base.is_scalar() || base.text.empty()) {
        problems.add(base.position, "base", fmt::format("got {}; expected the name of a preset or file", base.described()));
        return std::move(root);
    }
    chain.push_back(source.id);
    Source below;
    try {
        below = find_source(base.text, source.folder);
        if (std::find(chain.begin(), chain.end(), below.id) != chain.end())
            throw InputError(fmt::format("'{}' is built on itself; break the circle", base.text));
    } catch (const InputError& error) {
        problems.add(base.position, "base", error.what());
        problems.raise();
    }
    return merged(with_bases(std::move(below), schema, problems, chain), root, schema);
}

/// The model that a scene asks for by its key; the first of all if it names none.
AnySetup model_of(const Node& root, Problems& problems) {
    const std::vector<AnySetup> models = each_model();
    const AnySetup* asked = nullptr;
    for (const AnySetup& model : models) {
        const Node::Entry* entry = root.entry(key_of(model));
        if (!entry) continue;
        if (asked)
            problems.add(entry->position, entry->key, fmt::format("the scene asks for '{}' already; expected one of the two: a scene has one model", key_of(*asked)));
        asked = &model;
    }
    problems.raise();   // what else is wrong depends on the model
    return asked ? *asked : models.front();
}

/// All models' keys, to lay a change over its base before it is known which model they ask for.
config::SchemaPtr any_schema(const std::vector<Section>& sections) {
    std::shared_ptr<Schema> all;
    for (const AnySetup& model : each_model()) {
        const config::SchemaPtr schema = scene_schema(model, sections);
        if (!all) all = std::make_shared<Schema>(*schema);
        for (const Schema::Member& member : schema->members)
            if (!all->member(member.name)) all->members.push_back(member);
    }
    return all;
}

models::TimeParams time_of(const Node& root) {
    models::TimeParams time;
    Problems unheard;  // they are told when the section is read with all others
    config::Reader reader(unheard);
    if (const Node* node = root.get("time")) models::time_table().read(*node, reader, time);
    return time;
}

Scene build(Source source, const LoadOptions& options) {
    Problems problems;
    std::vector<std::string> chain;
    Node root = with_bases(std::move(source), *any_schema(options.sections), problems, chain);
    Scene scene;
    scene.model = model_of(root, problems);
    const config::SchemaPtr schema = scene_schema(scene.model, options.sections);
    for (const std::string& assignment : options.overrides) {
        try {
            config::apply_override(root, assignment, *schema);
        } catch (const InputError& error) {
            problems.add({}, "", error.what());
        }
    }
    if (const Node* base = root.get("base")) {   // those of files are under the scene already
        problems.add(base->position, "base",
                     fmt::format("got {}; a scene's base cannot be overridden; write it into the scene's file, or start from that one by its name", base->described()));
        root.remove("base");
    }

    config::Reader reader(problems, schema);
    reader.seconds_from_frame = [time = time_of(root)](double frame) { return time.seconds_at(frame); };
    schema->read(root, reader, &scene);
    problems.raise();
    for (std::size_t i = 0; i < scene.shot.bodies.size(); ++i)
        if (scene.shot.bodies[i].name.empty()) scene.shot.bodies[i].name = fmt::format("body-{}", i + 1);
    std::visit([&](auto& setup) { setup.complete(scene.shot, root, problems); }, scene.model);
    problems.raise();
    const models::Check check{scene.shot, root, options.memory_limit ? options.memory_limit : models::available_memory(), problems};
    std::visit([&](const auto& setup) { setup.check(check); }, scene.model);
    problems.raise();
    return scene;
}

}  // namespace

Scene load_scene(const std::string& preset_or_file, const LoadOptions& options) { return build(find_source(preset_or_file, ""), options); }

Scene parse_scene(const std::string& text, const std::string& file, const LoadOptions& options) {
    return build(from_text(text, file), options);
}

}  // namespace phlo::scene
