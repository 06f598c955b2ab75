#include "simulate_job.h"

#include <fmt/format.h>

#include "interrupt.h"
#include "progress.h"
#include "sim/ledger_summary.h"
#include "sim/run.h"

namespace phlo::apps {

int simulate(LoadedScene& loaded, const SimulateJob& job) {
    const scene::Scene& scene = loaded.scene;
    const int first = scene.shot.time.first_frame, last = job.frames.last.value_or(scene.shot.time.last_frame);
    const Interrupt interrupt;
    ProgressBar bar("simulating", last - first + 1, job.quiet);
    sim::LedgerSummary ledger;
    const auto after_frame = [&](const models::FrameStats& stats) {
        ledger.add(stats.ledger);
        bar.update(stats.frame - first + 1,
                   fmt::format("frame {}, {:.2f} s, {}", stats.frame, stats.seconds.total(), stats.words));
        return !interrupt.requested();
    };
    const sim::RunOptions options{.out = job.out,
                                  .first = job.frames.first.value_or(first),
                                  .last = last,
                                  .threads = job.threads,
                                  .resume = job.resume,
                                  .resume_frame = job.resume_frame,
                                  .from = job.from,
                                  .overwrite = job.overwrite,
                                  .sections = look_section(loaded.look)};
    const sim::RunReport report = sim::run(scene, options, after_frame);
    bar.finish();
    if (report.stopped) {
        fmt::print(stderr, "stopped after frame {}; 'phlo run ... --resume' goes on from there\n", report.last_frame);
        return 1;
    }
    if (!job.quiet) {
        const int made = report.last_frame - report.first_frame + 1;
        fmt::print("{}/cache: frames {}-{}, {} simulated now in {}\n", job.out, job.frames.first.value_or(first), last, made > 0 ? made : 0,
                   clock_text(report.seconds));
        for (const std::string& line : ledger.lines()) fmt::print("ledger: {}\n", line);
    }
    return 0;
}

}  // namespace phlo::apps
