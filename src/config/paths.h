// Names of files in a scene are relative to the file that names them.
//
//   std::string path = resolved_path("studio.exr", node);      // absolute: beside the file that `node` was read from
#pragma once
#include <filesystem>
#include <string>

#include "config/node.h"

namespace phlo::config {

inline std::string resolved_path(const std::string& file, const Node& node) {
    const std::filesystem::path path(file);
    if (path.is_absolute() || node.position.line == 0) return std::filesystem::absolute(path).lexically_normal().string();
    return std::filesystem::absolute(std::filesystem::path(node.position.file).parent_path() / path).lexically_normal().string();
}

}  // namespace phlo::config
