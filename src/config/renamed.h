// Keys that have got another name (Key::formerly). A scene with the old name means what it meant, and a note says what to write today.
//
//   Node today = with_new_names(parse_yaml(text, "scene.yaml"), *schema, problems);   // "chemistry.least is now chemistry.min_concentration"
//   hash_of(with_old_names(schema->write(&scene), *schema));                          // as the program that first knew the keys would have it
#pragma once
#include "config/schema.h"

namespace phlo::config {

/// A key given by both of its names is a problem.
Node with_new_names(Node node, const Schema& schema, Problems& problems);
/// Without notes, for text that no person will edit; of two names the new one counts.
Node with_new_names(Node node, const Schema& schema);
Node with_old_names(Node node, const Schema& schema);

/// Today's name of a key of a table: its own, unless it is an old one.
std::string new_name(const Schema& table, const std::string& key);

}  // namespace phlo::config
