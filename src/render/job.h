// Pictures and a movie of a run: DIR/cache/frame_NNNN.vdb becomes OUT/images/frame_NNNN.png and OUT/movie.mp4.
//
//   RenderReport report = render_frames({.dir = "out", .quality = Quality::draft, .look = params, .progress = print});
//
// A picture that was already made from the same frame with the same look is kept. So a job that was stopped goes on where it was,
// and one that was done is done at once.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>

#include "render/look/params.h"
#include "render/preview.h"

namespace phlo::render {

struct RenderProgress {
    int frame = 0;
    int done = 0, total = 0;       ///< frames, this one included
    bool kept = false;             ///< the picture was there already
    double seconds = 0;            ///< for this frame
    double remaining = 0;          ///< estimate for the others [s]
};

struct RenderJob {
    std::filesystem::path dir;                 ///< a run's directory, or a directory of .vdb frames
    std::filesystem::path out = {};            ///< empty: dir
    std::optional<int> first = {}, last = {};  ///< none: as cached
    Quality quality = Quality::draft;          ///< draft: preview; good and final: photon maps; path: the reference
    std::optional<int> width = {}, height = {};///< none: as the look says
    RenderParams look = {};
    std::optional<io::ExrDepth> exr = {};      ///< also the linear radiance, images/frame_NNNN.exr
    bool movie = true;                         ///< from two pictures on
    bool again = false;                        ///< make every picture anew
    std::function<void(const RenderProgress&)> progress = {};
    std::function<bool()> stop = {};           ///< asked between frames; true: stop there, pictures so far are complete
};

struct RenderReport {
    int rendered = 0, kept = 0;
    bool stopped = false;
    double seconds = 0;
    std::vector<std::filesystem::path> pictures;
    std::filesystem::path movie;               ///< empty if none was made
};

/// Throws InputError if there is nothing to render, RunError if a frame is broken or a file cannot be written.
RenderReport render_frames(const RenderJob& job);

}  // namespace phlo::render
