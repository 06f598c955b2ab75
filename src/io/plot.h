// Curves over one axis as a figure for a paper: SVG or PNG, by the file's extension, drawn by gnuplot.
//
//   Plot plot{.x = {.label = "time", .unit = "s"}, .left = {.label = "mole fraction"}, .right = {.label = "temperature", .unit = "K"}};
//   plot.abscissa = times;
//   plot.curves.push_back({.name = "H2O", .formula = true, .values = x_h2o});
//   plot.curves.push_back({.name = "temperature", .values = T, .on_right = true});
//   write_plot("ignition.svg", plot);                         // RunError with the remedy if there is no gnuplot
//
// Axes choose for themselves whether they are linear or logarithmic unless told; seconds become ms or µs where that reads better.
// Colours are those of Okabe and Ito, which colour-blind readers can tell apart [okabe2008]; what is on the right axis is black and dashed.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace phlo::io {

enum class Scale { automatic, linear, log };

struct PlotAxis {
    std::string label, unit = {};
    Scale scale = Scale::automatic;
};

struct PlotCurve {
    std::string name;
    bool formula = false;  ///< the name is a chemical one: its digits are lowered
    std::vector<double> values = {};
    bool on_right = false;
};

struct Plot {
    std::string title = {};
    PlotAxis x = {}, left = {}, right = {};
    std::vector<double> abscissa = {};  ///< ascending
    std::vector<PlotCurve> curves = {};  ///< each as long as `abscissa`
    int width = 760, height = 460;  ///< of the SVG; a PNG has twice as many pixels
};

/// Throws InputError if the extension is neither .svg nor .png.
void check_plot_name(const std::filesystem::path& path);
void write_plot(const std::filesystem::path& path, const Plot& plot);

}  // namespace phlo::io
