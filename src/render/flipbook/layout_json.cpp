#include "render/flipbook/layout_json.h"

#include "base/json.h"

namespace phlo::render {
namespace {

using json::Object;

std::string vector_text(const Vec3d& v) { return json::array({json::number(v.x), json::number(v.y), json::number(v.z)}); }

struct Channels {
    const char *r, *g, *b, *a;
    std::string text() const { return Object().text("R", r).text("G", g).text("B", b).text("A", a).str(); }
};

std::string files_of(const std::string& name) { return Object().text("exr", name + ".exr").text("png", name + ".png").str(); }

Object texture(const std::string& name, const Channels& channels) { return Object().text("name", name).raw("files", files_of(name)).raw("channels", channels.text()); }

std::string textures(const FlipbookJob& job, const Sheet& sheet) {
    const char* png_alpha = job.straight ? "straight; raised to the brightest channel where the gas shines more than it hides" : "premultiplied";
    const auto coloured = [&](const std::string& name, const char* what) {
        return texture(name, {"red", "green", "blue", "1 - transmittance"})
            .text("meaning", what)
            .raw("encoding", Object().text("exr", "linear radiance").text("png", "sRGB").str())
            .raw("alpha", Object().text("exr", "premultiplied").text("png", png_alpha).str())
            .number("exposure", job.look.exposure)
            .str();
    };
    const std::string light = json::number(sheet.light_scale());
    const auto lightmap = [&](const std::string& name, const Channels& channels) {
        return texture(name, channels)
            .text("meaning", "light that comes from a direction: pi radiance / irradiance, as the reflectance of a surface that faces it")
            .text("encoding", "linear")
            .text("alpha", "straight")
            .raw("png_scale", light)
            .text("decode_png", "light = value * png_scale")
            .str();
    };
    std::vector<std::string> all{coloured("color", "light of the shot's own sun, sky and lamps, and of the fire")};
    if (sheet.shines()) all.push_back(coloured("emission", "light of the fire alone"));
    all.push_back(lightmap("light_positive", {"from the right", "from above", "from behind", "1 - transmittance"}));
    all.push_back(lightmap("light_negative", {"from the left", "from below", "from the camera", "brightness of the emission"}));
    all.push_back(texture("motion", {"to the right", "down", "0", "1"})
                      .text("meaning", "screen motion to the next cell, in widths and heights of a cell")
                      .text("encoding", "linear")
                      .number("png_scale", sheet.motion_scale())
                      .text("decode_png", "motion = (value - 0.5) * 2 * png_scale")
                      .str());
    return json::array(all);
}

}  // namespace

std::string layout_json(const FlipbookJob& job, const FlipbookReport& report, const Sheet& sheet) {
    const SheetLayout& layout = job.layout;
    const ParallelView& view = report.view;
    const std::string card = Object()
                                 .number("width", view.width)
                                 .number("height", view.height)
                                 .raw("center", vector_text(view.center))
                                 .raw("right", vector_text(view.right))
                                 .raw("up", vector_text(view.up))
                                 .text("projection", "parallel")
                                 .str();
    return Object()
               .text("format", "phlogiston flipbook 1")
               .raw("grid", json::numbers(std::vector{layout.columns, layout.rows}))
               .raw("size", json::numbers(std::vector{layout.width(), layout.height()}))
               .raw("cell", json::numbers(std::vector{layout.cell_width, layout.cell_height}))
               .text("order", "rows from the top, each from the left")
               .number("fps", report.fps)
               .raw("frames", json::numbers(report.frames))
               .raw("loop", job.loop ? "true" : "false")
               .raw("card", card)
               .raw("textures", textures(job, sheet))
               .str() +
           "\n";
}

}  // namespace phlo::render
