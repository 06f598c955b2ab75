// What is wrong with a scene, as an editor marks it: the lines of an InputError taken apart.
//
//   std::vector<Diagnostic> list = diagnostics(error.what(), "/shots/plume.yaml");      // line, column, path, message of each
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace phlo::serve {

struct Diagnostic {
    int line = 0, column = 0;     ///< from 1; 0: of no place in this file
    std::string path = {};        ///< the key, "" if there is none
    std::string message;
};

std::vector<Diagnostic> diagnostics(std::string_view error, std::string_view file);

std::string to_json(const std::vector<Diagnostic>& list);

}  // namespace phlo::serve
