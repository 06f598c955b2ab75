// The whole description of a shot: what `phlo run` is given.
//
//   Scene scene = load_scene("plume", {.overrides = {"domain.resolution=64"}});       // a preset or a file
//   RenderParams look;
//   Scene both = load_scene("shot.yaml", {.sections = {section("render", render_table(), look)}});
//   dump_scene(scene);                                                                 // complete YAML, loads to an equal scene
//
// Everything that is wrong with a scene is told at once, in one InputError: file:line:column: key.path: what is wrong; what was expected.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "config/table.h"
#include "models/shot/estimate.h"
#include "models/shot/shot.h"
#include "scene/model_list.h"

namespace phlo::scene {

enum class GridNames { blender, houdini };

/// What the cache is written for.
struct OutputParams {
    GridNames names = GridNames::blender;
    bool half = false;       ///< 16-bit density and temperature
    bool velocity = true;
};

struct Scene {
    std::string name, description;
    models::Shot shot;     ///< what all models share
    AnySetup model;        ///< and what one of them needs
    OutputParams output;
    config::Node render;   ///< the `render:` section as written, for who loads a scene without its table
};

/// One of each model, as a scene begins that says nothing about it; and the top-level key by which a scene chooses it.
std::vector<AnySetup> each_model();
const char* key_of(const AnySetup& model);

/// What it will cost.
models::Estimate estimate(const Scene& scene);

/// A top-level section that scene/ knows nothing about: its table and the object to fill, both the caller's.
struct Section {
    std::string key;
    config::SchemaPtr schema;
    void* object = nullptr;
};
template <class S>
Section section(std::string key, const config::Typed<S>& table, S& object) {
    return {std::move(key), table.schema(), &object};
}

struct LoadOptions {
    std::vector<std::string> overrides = {};  ///< "key.path=value", applied in order
    std::vector<Section> sections = {};
    std::size_t memory_limit = 0;  ///< [bytes]; 0: what this machine has available
};

/// By a preset's name or a file's. `base: other` in a scene makes it a change of another preset or file.
Scene load_scene(const std::string& preset_or_file, const LoadOptions& options = {});
/// From text; `file` names it in messages, and relative paths start at its folder.
Scene parse_scene(const std::string& text, const std::string& file, const LoadOptions& options = {});

/// Every key, defaults filled in, with comments.
std::string dump_scene(const Scene& scene, const std::vector<Section>& sections = {});

/// Of everything that affects the simulation: equal for scenes whose caches are interchangeable.
std::uint64_t scene_hash(const Scene& scene);

/// A key in which two scenes differ, if work becomes stale by it.
struct Change {
    std::string path, before, after;
    config::Affects affects = config::Affects::simulation;  ///< the first stage that must be redone
};
/// From the dump that a cache was made with to the scene as it is now. More or fewer frames are no change.
std::vector<Change> changed_keys(const std::string& old_dump, const Scene& scene, const std::vector<Section>& sections = {});

/// The reference of the scene file for people, and as JSON Schema (draft 2020-12) for editors.
std::string help_scene(const std::vector<Section>& sections = {});
std::string json_schema(const std::vector<Section>& sections = {});

/// The tables of all sections of a scene with this model as one tree.
config::SchemaPtr scene_schema(const AnySetup& model, const std::vector<Section>& sections = {});

}  // namespace phlo::scene
