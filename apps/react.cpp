// phlo react MECHANISM: a zero-dimensional reactor. Prints what happened; with --csv and --plot also writes it.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "arguments.h"
#include "chem/mechanism/equations_text.h"
#include "chem/mechanism/read.h"
#include "command.h"
#include "progress.h"
#include "react_output.h"

namespace phlo::apps {
namespace {

struct Options {
    std::string mechanism, time, csv;
    std::vector<std::string> overrides;
    PlotOptions plot;
    bool equations = false, quiet = false;
};

/// The bar appears when a run takes more than two seconds, and moves a few times a second.
class LateProgress {
public:
    explicit LateProgress(bool quiet) : bar_("reacting", 100, quiet) {}
    void update(double share) {
        const auto now = std::chrono::steady_clock::now();
        if (now < next_) return;
        next_ = now + std::chrono::seconds(1);
        bar_.update(int(100 * share), fmt::format("{:.1f} % of the time", 100 * share));
    }

private:
    ProgressBar bar_;
    std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::seconds(2);
};

int run(const Options& options) {
    config::Node file = chem::find_mechanism(options.mechanism), section;
    section.position = {options.mechanism, 0, 0};
    if (const config::Node* written = file.get("react")) section = *written;
    file.remove("react");  // the rest is the mechanism
    chem::Mechanism mechanism = chem::read_mechanism(file, "");
    if (mechanism.name.empty()) mechanism.name = std::filesystem::path(options.mechanism).stem().string();
    if (options.equations) {
        fmt::print("{}", chem::equations_text(mechanism));
        return 0;
    }
    std::vector<std::string> overrides = options.overrides;
    if (!options.time.empty()) overrides.push_back("time=" + options.time);
    const chem::ReactorParams params = chem::read_reactor(mechanism, section, overrides);
    const PlotRequest plot(options.plot, mechanism);

    const chem::Network network(mechanism);
    LateProgress progress(options.quiet);
    const chem::ReactorRun result = chem::run_reactor(network, params, [&](double share) { progress.update(share); });
    const std::vector<chem::Column> columns = chem::columns_of(mechanism, params, result);
    if (!options.csv.empty()) write_table(options.csv, columns);
    if (!plot.file.empty()) draw(plot, network, params, columns);
    fmt::print("{}", summary(network, params, result));
    return 0;
}

}  // namespace

void add_react(CommandLine& line) {
    const auto options = std::make_shared<Options>();
    line.add("react", "follows a chemical mechanism in a zero-dimensional reactor")
        .option("mechanism", options->mechanism, "a shipped mechanism's name, or a file: Cantera's YAML or the short form",
                {.type = "MECHANISM", .required = true})
        .option("--set", options->overrides, "changes what the file's 'react:' section says, for example --set temperature=1200", {.type = "KEY=VALUE"})
        .option("--time", options->time, "how long it is followed, in seconds or with a unit", {.type = "S"})
        .option("--csv", options->csv, "writes time, temperature, pressure, density and species to this file", {.type = "FILE"})
        .option("--plot", options->plot.file, "draws the species and the temperature: .svg or .png", {.type = "FILE"})
        .option("--species", options->plot.species, "what to draw (default: what changes most)", {.type = "A,B,…"})
        .option("--axes", options->plot.axes, "of the plot, for example x:log,y:linear (default: as fits)", {.type = "SCALES"})
        .flag("--equations", options->equations, "prints the reactions and the differential equations instead of solving them")
        .flag("--quiet", options->quiet, "shows no progress")
        .footer("Keys of --set and of the file's 'react:' section:\n" + config::keys_text(*chem::reactor_table({}).schema()))
        .run([options] { return run(*options); });
}

}  // namespace phlo::apps
