// What a model's folder offers to the rest of the program, and all that the rest knows of it. scene/model_list.h names the models.
//
//   struct LiquidSetup {
//       LiquidParams liquid;                                             // what the scene says beside the shot
//
//       static constexpr const char* key = "liquid";                     // the top-level key that chooses this model
//       static constexpr bool fills_domain = true;                       // false: it needs no box, and `domain` is no key of its scenes
//       static const config::Table<LiquidSetup>& table();                // its top-level sections, `liquid` among them
//       void complete(Shot&, const config::Node& root, config::Problems&);   // values that come from elsewhere if they are not given
//       void check(const Check&) const;                                  // what single keys cannot tell
//       Estimate estimate(const Shot&) const;                            // what it will cost
//       std::unique_ptr<Model> make(const Shot&) const;                  // the model at its first frame
//   };
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
