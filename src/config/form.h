// The tables as a tree that a program can make forms of, and values as JSON.
//
//   form_json(*scene_schema(model));     // {"kind":"table","members":[{"name":"gas","form":{…}},…]}
//   to_json(schema->write(&scene));      // {"gas":{"cooling":"0.5"}}
#pragma once
#include <string>

#include "config/schema.h"

namespace phlo::config {

/// Kind, unit, limits, help, default, and which work a change makes stale ("nothing", "picture", "simulation"), of each key.
std::string form_json(const Schema& root);

/// Scalars are texts, whatever they mean.
std::string to_json(const Node& node);

}  // namespace phlo::config
