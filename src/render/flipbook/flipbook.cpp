#include "render/flipbook/flipbook.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/log.h"
#include "io/atomic_file.h"
#include "io/cache.h"
#include "render/flipbook/layout_json.h"
#include "render/flipbook/live_cell.h"
#include "render/volumes/lattice.h"

namespace phlo::render {
namespace {

/// How many cells at the end of a loop are mixed with what comes before its start.
int faded_cells(const FlipbookJob& job) { return job.loop ? std::max(1, job.layout.cells() / 4) : 0; }

std::vector<int> choose_frames(const FlipbookJob& job, const std::filesystem::path& cache) {
    std::vector<int> frames = io::cached_frames(cache);
    if (frames.empty()) throw InputError(fmt::format("{}: no frames (frame_NNNN.vdb); run the scene first", cache.string()));
    const int first = job.first.value_or(frames.front()), last = job.last.value_or(frames.back());
    const int known_first = frames.front(), known_last = frames.back();
    std::erase_if(frames, [&](int n) { return n < first || n > last; });
    const int have = int(frames.size()), need = job.layout.cells() + faded_cells(job);
    if (have == 0) throw InputError(fmt::format("{}: no frame from {} to {}; there are {} to {}", cache.string(), first, last, known_first, known_last));
    if (have < need) {
        const int side = std::max(1, int(std::sqrt(job.loop ? 0.8 * have : have)));
        throw InputError(fmt::format("{}: {} frame{} from {} to {}, but a grid of {}x{}{} needs {}. Use a smaller grid, for example --grid {}x{}, or simulate more frames",
                                     cache.string(), have, have == 1 ? "" : "s", frames.front(), frames.back(), job.layout.columns, job.layout.rows,
                                     job.loop ? " that loops" : "", need, side, side));
    }
    return spread_evenly(frames, need);
}

/// Cells that are a whole number of frames apart play smoothly; others stutter a little.
void tell_uneven_steps(const std::vector<int>& frames) {
    int least = frames.back(), most = 0;
    for (std::size_t n = 1; n < frames.size(); ++n) least = std::min(least, frames[n] - frames[n - 1]), most = std::max(most, frames[n] - frames[n - 1]);
    if (frames.size() < 2 || least == most) return;
    log::info("cells are {} to {} frames apart; even steps play more smoothly: --frames {}-{} or {}-{}", least, most, frames.front(),
              frames.front() + least * (int(frames.size()) - 1), frames.front(), frames.front() + most * (int(frames.size()) - 1));
}

/// What is wrong with a frame is told with its file.
template <class Work>
auto with_file(const std::filesystem::path& file, const Work& work) {
    try {
        return work();
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", file.string(), error.what()));
    }
}

struct Moments {
    std::vector<int> frames;
    std::vector<double> times;   ///< [s]
    /// From one to the next; behind the last as before it.
    double step(std::size_t n) const {
        if (times.size() < 2) return 0;
        return n + 1 < times.size() ? times[n + 1] - times[n] : times[n] - times[n - 1];
    }
    double fps() const { return times.size() < 2 || !(times.back() > times.front()) ? 24 : double(times.size() - 1) / (times.back() - times.front()); }
};

}  // namespace

std::vector<int> spread_evenly(const std::vector<int>& available, int count) {
    std::vector<int> chosen;
    const std::size_t steps = std::size_t(std::max(1, count - 1)), range = available.size() - 1;
    for (std::size_t n = 0; n < std::size_t(count); ++n) chosen.push_back(available[(2 * n * range + steps) / (2 * steps)]);
    return chosen;
}

FlipbookReport make_flipbook(const FlipbookJob& job) {
    const auto cache = std::filesystem::is_directory(job.dir / "cache") ? job.dir / "cache" : job.dir;
    if (!std::filesystem::is_directory(cache)) throw InputError(fmt::format("{}: no such directory", job.dir.string()));
    const auto out = job.out.empty() ? job.dir / "flipbook" : job.out;
    FlipbookReport report;
    Moments moments{.frames = choose_frames(job, cache), .times = {}};
    tell_uneven_steps(moments.frames);
    const auto stopped = [&] { return job.stop && job.stop(); };
    const auto tell = [&](bool framing, std::size_t n) {
        if (job.progress) job.progress({.framing = framing, .done = int(n) + 1, .total = int(moments.frames.size()), .frame = moments.frames[n]});
    };

    // The card is the same for all cells: first what is ever seen on it.
    CardBox box;
    CardAxes axes;
    for (std::size_t n = 0; n < moments.frames.size(); ++n) {
        if (stopped()) return report;
        const auto file = io::frame_path(cache, moments.frames[n]);
        const field::Frame frame = io::read_cache_frame(cache, moments.frames[n], {.velocity = false, .occupied = true});
        if (n == 0) axes = job.angles ? card_axes(job.angles->azimuth, job.angles->elevation) : card_axes(job.look.camera, bounds_of(frame), frame.time);
        moments.times.push_back(frame.time);
        box.include(with_file(file, [&] { return seen_on_card(frame, job.look, axes); }));
        tell(true, n);
    }
    if (box.empty())
        throw InputError(fmt::format("{}: nothing is seen in frames {} to {}: no gas that is thick or bright enough. Choose other frames with --frames, or change render.smoke.extinction",
                                     cache.string(), moments.frames.front(), moments.frames.back()));
    const SheetLayout& layout = job.layout;
    report.view = view_around(box, axes, double(layout.cell_width) / layout.cell_height);

    // A loop begins where the fade ends, and its last cells lead back to there.
    const int cells = layout.cells(), faded = faded_cells(job);
    std::vector<FlipbookCell> lead_in(static_cast<std::size_t>(faded));
    Sheet sheet(layout);
    for (std::size_t n = 0; n < moments.frames.size(); ++n) {
        if (stopped()) return report;
        const field::Frame frame = io::read_cache_frame(cache, moments.frames[n], {.occupied = true});
        FlipbookCell cell = with_file(io::frame_path(cache, moments.frames[n]), [&] {
            const CellParams params{.width = layout.cell_width, .height = layout.cell_height, .seconds = moments.step(n), .settings = preview_settings(job.quality)};
            return drawn_from_points(frame) ? render_live_cell(frame, job.look, report.view, params) : render_cell(frame, job.look, report.view, params);
        });
        const int at = int(n) - faded, end = at - (cells - faded);   // `end`: which of the faded cells it is
        if (at < 0) lead_in[n] = std::move(cell);
        else if (end < 0) sheet.place(at, cell);
        else sheet.place(at, blended(cell, lead_in[std::size_t(end)], float(end + 1) / float(faded + 1)));
        tell(false, n);
    }
    report.fps = moments.fps();
    report.frames.assign(moments.frames.begin() + faded, moments.frames.end());
    report.files = sheet.write(out, {.exposure = job.look.exposure, .straight = job.straight});
    report.files.push_back(out / "flipbook.json");
    io::write_atomically(report.files.back(), layout_json(job, report, sheet));
    return report;
}

}  // namespace phlo::render
