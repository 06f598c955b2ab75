// A flipbook for game engines from a run's cache: moments of smoke or fire, evenly spread, as the cells of a sheet.
//
//   FlipbookReport report = make_flipbook({.dir = "out/plume", .layout = {.columns = 8, .rows = 8}, .look = params, .progress = print});
//
// OUT/color, emission, light_positive, light_negative, motion (.exr and .png; sheet.h says what they hold) and OUT/flipbook.json, which says it
// to programs: grid, frames, rate, size in the world, scales and channels.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "render/flipbook/framing.h"
#include "render/flipbook/sheet.h"

namespace phlo::render {

struct FlipbookProgress {
    bool framing = false;               ///< looks for the card's size first
    int done = 0, total = 0;            ///< frames
    int frame = 0;
};

/// From where the card is looked at [deg].
struct CardAngles {
    double azimuth = 0, elevation = 0;
};

struct FlipbookJob {
    std::filesystem::path dir;                      ///< a run's directory, or a directory of .vdb frames
    std::filesystem::path out = {};                 ///< empty: DIR/flipbook
    SheetLayout layout = {};
    std::optional<int> first = {}, last = {};       ///< none: as cached
    bool loop = false;                              ///< the end fades into the start
    bool straight = false;                          ///< of 8-bit colours (SheetParams)
    std::optional<CardAngles> angles = {};          ///< none: the shot's camera's azimuth, level
    Quality quality = Quality::draft;               ///< draft or good: rays a pixel, fineness of light
    RenderParams look = {};
    std::function<void(const FlipbookProgress&)> progress = {};
    std::function<bool()> stop = {};                ///< asked between frames; true: nothing is written
};

struct FlipbookReport {
    std::vector<std::filesystem::path> files;       ///< the JSON last; none if it was stopped
    std::vector<int> frames;                        ///< of each cell; with a loop those that are faded in come after
    ParallelView view;
    double fps = 24;                                ///< at which the cells play at true speed
};

/// Throws InputError if there are too few frames or nothing is seen, RunError if a frame is broken or a file cannot be written.
FlipbookReport make_flipbook(const FlipbookJob& job);

/// `count` of the available ones, evenly spread, from the first to the last.
std::vector<int> spread_evenly(const std::vector<int>& available, int count);

}  // namespace phlo::render
