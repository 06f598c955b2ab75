// phlo compare A B [MORE…]: are these runs the same shot? Prints heat, amounts, soot, light and size of the visible gas side by side over time.
#include <fmt/format.h>

#include <memory>

#include "arguments.h"
#include "base/error.h"
#include "command.h"
#include "compare/comparison.h"
#include "config/problems.h"
#include "io/plot.h"
#include "render_job.h"

namespace phlo::apps {
namespace {

struct Options {
    std::string first;
    std::vector<std::string> others;
    int times = 5;
    std::string mean = "0", plot, curve, within;
    bool json = false;
};

std::string name_of(const std::filesystem::path& directory) {
    const std::filesystem::path path = directory.lexically_normal();
    return (path.has_filename() ? path.filename() : path.parent_path().filename()).string();
}

/// All curves of one run less those of the other, in per cent; or one curve of both.
void draw(const Options& options, const compare::Record& a, const compare::Record& b) {
    io::Plot plot;
    plot.title = fmt::format("{} and {}", name_of(options.first), name_of(options.others.front()));
    plot.x = {.label = "time", .unit = "s", .scale = io::Scale::linear};
    const compare::Comparison fine = compare::compare(a, b, {.times = 100, .mean = parse_number("--mean", options.mean, 0, 1e6)});
    plot.abscissa = fine.times;
    if (options.curve.empty()) {
        plot.left = {.label = "difference", .unit = "%", .scale = io::Scale::linear};
        for (const compare::ComparedCurve& curve : fine.curves) {
            if (curve.name == "sub-steps" || curve.name.starts_with("amount of ")) continue;   // a plot has eight colours
            plot.curves.push_back({.name = curve.name, .values = curve.difference});
            for (double& value : plot.curves.back().values) value *= 100;
        }
    } else {
        const compare::ComparedCurve& curve = *fine.find(options.curve);
        plot.left = {.label = curve.name, .unit = curve.unit};
        plot.curves = {{.name = name_of(options.first), .values = curve.a}, {.name = name_of(options.others.front()), .values = curve.b}};
    }
    io::write_plot(options.plot, plot);
}

/// 1 if some curve of some run is farther away than `within` per cent.
int verdict(const Options& options, const std::vector<compare::Comparison>& comparisons) {
    if (options.within.empty()) return 0;
    const double bound = parse_number("--within", options.within, 0, 1e6) / 100;
    int code = 0;
    for (std::size_t n = 0; n < comparisons.size(); ++n)
        for (const compare::ComparedCurve& curve : comparisons[n].curves)
            if (curve.name != "sub-steps" && curve.worst() > bound) {
                fmt::print(stderr, "{}: {} differs by {:.1f} %\n", options.others[n], curve.name, 100 * curve.worst());
                code = 1;
            }
    return code;
}

int run(const Options& options) {
    if (!options.plot.empty()) io::check_plot_name(options.plot);
    const compare::CompareParams params{.times = options.times, .mean = parse_number("--mean", options.mean, 0, 1e6)};
    // All by one look: another picture of the same gas is no other gas.
    const render::RenderParams look = look_of(options.first);
    const compare::Record a = compare::read_run(options.first, look);
    std::vector<compare::Comparison> comparisons;
    std::vector<std::string> names;
    for (const std::string& other : options.others) {
        const compare::Record b = compare::read_run(other, look);
        comparisons.push_back(compare::compare(a, b, params)), names.push_back(name_of(other));
        if (comparisons.back().curves.empty()) throw InputError(fmt::format("{} and {} have nothing in common that could be compared", options.first, other));
        if (comparisons.size() > 1 || options.plot.empty()) continue;
        if (!options.curve.empty() && !comparisons.front().find(options.curve)) {
            std::vector<std::string> known;
            for (const compare::ComparedCurve& curve : comparisons.front().curves) known.push_back(curve.name);
            throw InputError(fmt::format("--curve {}: the runs have no such curve{}", options.curve, config::did_you_mean(options.curve, known)));
        }
        draw(options, a, b);
    }
    if (options.json)
        for (const compare::Comparison& comparison : comparisons) fmt::print("{}\n", to_json(comparison));
    else fmt::print("{}", comparisons.size() == 1 ? to_table(comparisons.front()) : to_summary(names, comparisons));
    return verdict(options, comparisons);
}

}  // namespace

void add_compare(CommandLine& line) {
    const auto options = std::make_shared<Options>();
    line.add("compare", "two runs side by side over time: heat, amounts, soot, volume, light, size of the visible gas")
        .option("a", options->first, "a run's directory", {.type = "A", .required = true})
        .option("b", options->others, "another one; with more than one a table of the largest differences from A", {.type = "B…", .required = true, .several = true})
        .option("--times", options->times, "at how many times, evenly spread", {.type = "N", .min = 1, .tell_default = true})
        .option("--mean", options->mean, "compares means over this many seconds around each time: for turbulent scenes", {.type = "S"})
        .option("--within", options->within, "exit code 1 if anything differs by more per cent than this", {.type = "PERCENT"})
        .option("--plot", options->plot, "draws the differences of A and the first B over time: .svg or .png", {.type = "FILE"})
        .option("--curve", options->curve, "draws this curve of both runs instead, for example heat", {.type = "NAME"})
        .flag("--json", options->json, "one JSON object for each B")
        .run([options] { return run(*options); });
}

}  // namespace phlo::apps
