// The scene file's words for where a liquid's grid is fine.
#include "models/liquid/adapt_params.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "config/problems.h"
#include "field/blocks.h"

namespace phlo::models {

using config::Table;

namespace {

/// What a picture's camera has, too.
Table<AdaptView> camera_keys(std::string title, std::string help) {
    using V = AdaptView;
    return Table<V>(std::move(title), std::move(help))
        .key("position", &V::position, {.unit = "m", .help = "of the camera; may be keyframed; none: render.camera.position"})
        .key("target", &V::target, {.unit = "m", .help = "the point in the middle of the picture; may be keyframed"})
        .key("fov", &V::fov, {.unit = "deg", .above = 0, .max = 170, .help = "angle of view across the picture's height"});
}

}  // namespace

void look_through_camera(const TimeParams& time, const config::Node& root, config::Problems& problems, AdaptView& view) {
    static const Table<AdaptView> table = camera_keys("camera", "");
    config::Node missing = config::Node::map();
    for (const char* key : {"position", "target", "fov"})
        if (!root.find(fmt::format("liquid.adapt.view.{}", key)))
            if (const config::Node* given = root.find(fmt::format("render.camera.{}", key))) missing.set(key, *given);
    config::Reader reader(problems);
    reader.seconds_from_frame = [time](double frame) { return time.seconds_at(frame); };
    table.read(missing, reader, view);
}

AdaptGrid whole_blocks(const field::Domain& box, int levels) {
    constexpr double most = 1.0 / 30;   // of a side
    AdaptGrid grid{box, levels};
    for (;; --grid.levels) {
        const int edge = 1 << grid.levels;
        double change = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const double cells = box.cells[axis];
            grid.domain.cells[axis] = std::max(1, int(std::lround(cells / edge))) * edge;
            change = std::max(change, std::fabs(grid.domain.cells[axis] - cells) / cells);
        }
        if (change <= most || grid.levels == 1) return grid;
    }
}

const Table<AdaptParams>& adapt_table() {
    using A = AdaptParams;
    using V = AdaptView;
    static const auto view =
        camera_keys("view", "Who looks at the liquid. What is not given is the picture's camera (render.camera).")
            .key("aspect", &V::aspect, {.above = 0, .max = 20, .help = "width of the picture over its height"})
            .key("margin", &V::margin, {.min = 0, .max = 10, .help = "so much wider and higher than the picture is what counts as seen; 0.1: by a tenth"})
            .key("height", &V::height, {.min = 16, .max = 100000, .help = "of the picture in pixels"})
            .key("pixels", &V::pixels, {.above = 0, .max = 1000, .help = "far away, cells that look smaller than this are joined"})
            .key("ahead", &V::ahead, {.unit = "s", .min = 0, .max = 10, .help = "how long before the camera sees it water becomes fine: no cut shows coarse water"});
    static const auto table =
        Table<A>("adapt", "Cells of several sizes: fine where it matters.")
            .choice("mode", &A::mode,
                    {{"none", AdaptMode::none, "cells of one size"},
                     {"surface", AdaptMode::surface, "fine at the surface, coarser below"},
                     {"view", AdaptMode::view, "fine at the surface that the camera sees, coarser elsewhere"}},
                    {.help = "where cells are as small as domain.resolution says"})
            .key("levels", &A::levels, {.min = 1, .max = field::Blocks::max_depth, .help = "the coarsest cells are 2^levels of the finest wide; fewer where the box is small"})
            .key("surface_outside", &A::surface_outside,
                 {.min = 0, .max = field::Blocks::max_depth, .help = "levels by which the surface that nobody sees is coarser; too many spoil the waves that come from there"})
            .table("view", &A::view, view);
    return table;
}

}  // namespace phlo::models
