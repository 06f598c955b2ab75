// What a model's folder offers to the rest of the program, and all that the rest knows of it: a struct with what a scene says about it beside
// the shot, and with
//
//   key             the top-level key of a scene that chooses this model
//   fills_domain    whether it needs a box; if not, `domain` is no key of its scenes
//   table()         its top-level sections, the one of `key` among them
//   complete()      fills in values that come from elsewhere in the scene if they are not given
//   check()         finds what single keys cannot tell
//   estimate()      what it will cost
//   make()          the model at its first frame
//
// scene/model_list.h names the setups that there are. tests/toy_model has the smallest one.
#pragma once
#include <concepts>
#include <memory>

#include "models/model.h"
#include "models/shot/check.h"
#include "models/shot/estimate.h"
#include "models/shot/shot.h"

namespace phlo::models {

template <class S>
concept Setup = std::default_initializable<S> && std::copyable<S> &&
                requires(S setup, const S fixed, Shot& shot, const Shot& given, const config::Node& root, config::Problems& problems, const Check& check) {
                    { S::key } -> std::convertible_to<const char*>;
                    { S::fills_domain } -> std::convertible_to<bool>;
                    { S::table() } -> std::same_as<const config::Table<S>&>;
                    setup.complete(shot, root, problems);
                    fixed.check(check);
                    { fixed.estimate(given) } -> std::same_as<Estimate>;
                    { fixed.make(given) } -> std::same_as<std::unique_ptr<Model>>;
                };

}  // namespace phlo::models
