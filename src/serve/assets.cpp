#include "serve/assets.h"

namespace phlo::serve {

const char* type_of(std::string_view name) {
    if (name.ends_with(".html")) return "text/html; charset=utf-8";
    if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
    if (name.ends_with(".css")) return "text/css; charset=utf-8";
    if (name.ends_with(".jpg")) return "image/jpeg";
    if (name.ends_with(".png")) return "image/png";
    if (name.ends_with(".mp4")) return "video/mp4";
    if (name.ends_with(".json")) return "application/json";
    if (name.ends_with(".txt")) return "text/plain; charset=utf-8";
    return "application/octet-stream";
}

namespace {

Asset find_in(const std::vector<EmbeddedAsset>& assets, std::string_view name) {
    for (const EmbeddedAsset& asset : assets)
        if (asset.name == name) return {.type = type_of(name), .body = std::string(asset.bytes)};
    return {.missing = true};
}

}  // namespace

Asset find_asset(const std::string& path) {
    constexpr std::string_view gallery = "/gallery/";
    if (path == "/favicon.ico") return find_in(embedded_gallery, "campfire.jpg");
    if (path == "/") return find_in(embedded_page, "index.html");
    if (path.starts_with(gallery)) return find_in(embedded_gallery, std::string_view(path).substr(gallery.size()));
    return find_in(embedded_page, std::string_view(path).substr(1));
}

}  // namespace phlo::serve
