#include "react_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "config/problems.h"
#include "io/csv.h"

namespace phlo::apps {
namespace {

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        if (end > begin) parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

/// 1.234 ms, 56.7 µs.
std::string time_text(double seconds) {
    if (seconds >= 1 || seconds == 0) return fmt::format("{:.6g} s", seconds);
    if (seconds >= 1e-3) return fmt::format("{:.6g} ms", seconds * 1e3);
    return fmt::format("{:.6g} µs", seconds * 1e6);
}

}  // namespace

PlotRequest::PlotRequest(const PlotOptions& options, const chem::Mechanism& mechanism) : file(options.file) {
    if (!file.empty()) io::check_plot_name(file);
    for (const std::string& name : split(options.species)) {
        species.push_back(mechanism.find(name));
        if (species.back() < 0)
            throw InputError(fmt::format("--species {}: no species '{}'{}", options.species, name,
                                         config::did_you_mean(name, mechanism.species_names())));
    }
    for (const std::string& part : split(options.axes)) {
        const std::size_t colon = part.find(':');
        const std::string axis = part.substr(0, colon), scale = colon == std::string::npos ? "" : part.substr(colon + 1);
        if ((axis != "x" && axis != "y") || (scale != "log" && scale != "linear"))
            throw InputError(fmt::format("--axes {}: expected such as x:log,y:linear", options.axes));
        (axis == "x" ? x : y) = scale == "log" ? io::Scale::log : io::Scale::linear;
    }
}

void write_table(const std::filesystem::path& file, const std::vector<chem::Column>& columns) {
    std::vector<std::string> header;
    std::vector<const std::vector<double>*> values;
    for (const chem::Column& column : columns) {
        header.push_back(column.header());
        values.push_back(&column.values);
    }
    io::write_csv(file, header, values);
}

void draw(const PlotRequest& request, const chem::Network& network, const chem::ReactorParams& params,
          const std::vector<chem::Column>& columns) {
    using chem::SpeciesMeasure;
    const chem::Mechanism& mechanism = network.mechanism();
    const bool amounts = params.show == SpeciesMeasure::concentration;
    io::Plot plot;
    plot.x = {.label = "time", .unit = "s", .scale = request.x};
    plot.left = {.label = amounts                                        ? "concentration"
                          : params.show == SpeciesMeasure::mass_fraction ? "mass fraction"
                                                                         : "mole fraction",
                 .unit = amounts ? "mol/m³" : "",
                 .scale = request.y};
    plot.right = {.label = "temperature", .unit = "K"};
    plot.abscissa = columns[0].values;
    std::vector<const chem::Column*> shown;
    for (const int species : request.species) shown.push_back(&*std::ranges::find(columns, species, &chem::Column::species));
    if (shown.empty()) shown = chem::notable_species(network, columns, 7);
    if (shown.empty())  // nothing changes: draw what there is
        for (const chem::Column& column : columns)
            if (column.species >= 0 && column.values.front() > 0 && shown.size() < 7) shown.push_back(&column);
    for (const chem::Column* column : shown)
        plot.curves.push_back({.name = mechanism.species[std::size_t(column->species)].name, .formula = true, .values = column->values});
    const auto [coldest, hottest] = std::ranges::minmax(columns[1].values);
    if (hottest - coldest > 1) plot.curves.push_back({.name = "temperature", .values = columns[1].values, .on_right = true});
    io::write_plot(request.file, plot);
}

std::string summary(const chem::Network& network, const chem::ReactorParams& params, const chem::ReactorRun& run) {
    const chem::CellState &start = run.path.front(), &end = run.path.back();
    const bool adiabatic = params.thermal == chem::Thermal::adiabatic;
    std::string text;
    text +=
        fmt::format("mechanism        {}: {} species, {} reactions\n", network.mechanism().name, network.species(), network.reactions());
    text += fmt::format("reactor          constant {}, {}, {:.6g} K, {:.6g} Pa at the start\n",
                        params.hold == chem::Hold::pressure ? "pressure" : "volume", adiabatic ? "adiabatic" : "isothermal",
                        start.temperature, start.pressure);
    if (adiabatic) {
        text += fmt::format("ignition delay   {}\n", run.ignition_delay ? time_text(*run.ignition_delay) + " (largest dT/dt)"
                                                                        : "none within " + time_text(params.time));
        if (run.delay_400) text += fmt::format("                 {} (T0 + 400 K)\n", time_text(*run.delay_400));
    }
    text += fmt::format("end              {:.6g} K, {:.6g} Pa after {}\n", end.temperature, end.pressure, time_text(end.time));
    text += fmt::format("conserved totals {}, largest drift {:.1e}", network.invariants().size(), run.totals_drift);
    if (adiabatic) text += fmt::format("; energy {:+.1e} K", run.energy_drift);
    text += fmt::format("\nsteps            {}, {} of them rejected\n", run.report.steps, run.report.rejected);
    return text;
}

}  // namespace phlo::apps
