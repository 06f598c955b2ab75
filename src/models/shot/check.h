// Whether a shot fits together: what single keys cannot tell, and what every model asks of its shot.
//
//   Check check{shot, root, memory_limit, problems};
//   check_grid(check);                                                  // of models that fill the domain
//   check.fail("domain.resolution", "is too fine; expected 200 at most");   // points to where the key was written
#pragma once
#include <cstddef>
#include <functional>
#include <string>

#include "config/node.h"
#include "config/problems.h"
#include "models/shot/estimate.h"
#include "models/shot/shot.h"
#include "models/shot/source.h"

namespace phlo::models {

struct Check {
    const Shot& shot;
    const config::Node& root;      ///< the tree that the scene was read from
    std::size_t memory_limit;      ///< [bytes]
    config::Problems& problems;

    config::Position position(const std::string& path) const { return config::position_of(root, path); }
    void fail(const std::string& path, const std::string& message) const { problems.add(position(path), path, message); }
};

/// It fits into the memory; else the message tells the largest domain.resolution that does.
void check_memory(const Check& check, const std::function<Estimate(const Shot&)>& estimate);

/// The domain is not thinner than its cells, what is blown in can leave, and bodies are inside, at some time and not all of it.
void check_grid(const Check& check);

/// Sources: `path` is where they stand in the scene, such as "emitters". Inside the domain at some time, and on a body that exists.
void check_source(const Check& check, const std::string& path, const Source& source);

/// A note on something thin, or "": under two cells it will look blocky, or leak.
std::string thinness_note(const std::string& what, const geom::Shape& shape, double cell_size, const std::string& consequence);

}  // namespace phlo::models
