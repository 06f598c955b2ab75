// What the studio's server hands out as files: the page and the gallery's pictures, from inside the program. By name, never by path.
//
//   Asset asset = find_asset("/app.js");
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "serve/server.h"

namespace phlo::serve {

struct EmbeddedAsset {
    std::string_view name, bytes;
};
extern const std::vector<EmbeddedAsset> embedded_page;      ///< written by CMake from studio/dist
extern const std::vector<EmbeddedAsset> embedded_gallery;   ///< and from docs/gallery

/// What a file of this name holds, for a browser.
const char* type_of(std::string_view name);

/// "/" is the page, "/app.js" one of its files, "/gallery/plume.jpg" a picture; anything else is missing.
Asset find_asset(const std::string& path);

}  // namespace phlo::serve
