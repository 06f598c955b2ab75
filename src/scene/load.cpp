// From a name to a Scene: find the text, lay deltas over their bases, apply overrides, read, check.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/error.h"
#include "chem/read.h"
#include "config/merge.h"
#include "config/renamed.h"
#include "scene/check.h"
#include "scene/estimate.h"
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

/// Values that come from another place in the scene when they are not given.
void fill_in(Scene& scene, const Node& root) {
    for (std::size_t w = 0; w < 6; ++w)
        if (!root.find(fmt::format("domain.walls.{}.inflow.temperature", models::wall_names[w])))
            scene.domain.walls[w].temperature = scene.gas.ambient_temperature;
    for (std::size_t i = 0; i < scene.emitters.size(); ++i) {
        models::Emitter& emitter = scene.emitters[i];
        if (emitter.name.empty()) emitter.name = fmt::format("emitter-{}", i + 1);
        if (!root.find(fmt::format("emitters.{}.temperature", i))) emitter.temperature = scene.gas.ambient_temperature;
    }
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
        if (scene.bodies[i].name.empty()) scene.bodies[i].name = fmt::format("body-{}", i + 1);
}

/// The text of the mechanism takes the place of its name: a scene that was run is complete, and a mechanism edited under a cache is a change.
void read_chemistry(Scene& scene, Problems& problems) {
    if (scene.gas.method == models::GasMethod::smoke) return;
    Node& written = scene.chemistry.mechanism;
    try {
        if (written.is_null())
            throw InputError("chemistry.mechanism: missing; the methods grid and hybrid need a mechanism: its name, a file, or species and reactions");
        const std::filesystem::path file = written.position.file;
        if (written.is_scalar()) written = chem::find_mechanism(written.text, written.position.line > 0 ? file.parent_path().string() : "");
        scene.mechanism = chem::read_mechanism(written, "chemistry.mechanism");
    } catch (const InputError& error) {
        problems.add({}, "", error.what());
    }
}

models::TimeParams time_of(const Node& root) {
    models::TimeParams time;
    Problems unheard;  // they are told when the section is read with all others
    config::Reader reader(unheard);
    if (const Node* node = root.get("time")) models::time_table().read(*node, reader, time);
    return time;
}

Scene build(Source source, const LoadOptions& options) {
    const config::SchemaPtr schema = scene_schema(options.sections);
    Problems problems;
    std::vector<std::string> chain;
    Node root = with_bases(std::move(source), *schema, problems, chain);
    for (const std::string& assignment : options.overrides) {
        try {
            config::apply_override(root, assignment, *schema);
        } catch (const InputError& error) {
            problems.add({}, "", error.what());
        }
    }

    Scene scene;
    config::Reader reader(problems, schema);
    reader.seconds_from_frame = [time = time_of(root)](double frame) { return time.seconds_at(frame); };
    schema->read(root, reader, &scene);
    problems.raise();
    read_chemistry(scene, problems);
    problems.raise();
    fill_in(scene, root);
    check_scene(scene, root, options.memory_limit ? options.memory_limit : available_memory(), problems);
    problems.raise();
    return scene;
}

}  // namespace

Scene load_scene(const std::string& preset_or_file, const LoadOptions& options) { return build(find_source(preset_or_file, ""), options); }

Scene parse_scene(const std::string& text, const std::string& file, const LoadOptions& options) {
    return build(from_text(text, file), options);
}

}  // namespace phlo::scene
