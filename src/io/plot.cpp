#include "io/plot.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "base/error.h"
#include "io/atomic_file.h"
#include "io/child_input.h"
#include "io/plot_layout.h"

namespace phlo::io {
namespace {

/// Okabe and Ito's colours, dark enough for thin lines on white first; black is for the right axis.
constexpr std::array colours{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A5C00"};

/// In gnuplot's single quotes; every character stands for itself.
std::string plain(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '\'') result += '\'';
        else if (std::string_view("_^{}@&~\\").find(c) != std::string_view::npos) result += '\\';
        result += c == '\n' ? ' ' : c;
    }
    return result;
}

/// H2O with its digits lowered. A number that starts the name, or follows a sign, stays.
std::string formula(const std::string& name) {
    std::string result;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto is_digit = [&](std::size_t at) { return at < name.size() && std::isdigit(static_cast<unsigned char>(name[at])) != 0; };
        const bool after_letter = i > 0 && (std::isalpha(static_cast<unsigned char>(name[i - 1])) || name[i - 1] == ')');
        if (!is_digit(i) || !after_letter) {
            result += plain(name.substr(i, 1));
            continue;
        }
        std::size_t end = i;
        while (is_digit(end)) ++end;
        result += "_{" + name.substr(i, end - i) + "}";
        i = end - 1;
    }
    return result;
}

std::string axis_label(const std::string& label, const std::string& unit) {
    return plain(unit.empty() ? label : fmt::format("{} ({})", label, unit));
}

/// "concentration (10⁻⁵ mol/m³)".
std::string left_label(const PlotAxis& axis, int power) {
    if (power == 0) return axis_label(axis.label, axis.unit);
    return fmt::format("{} (10^{{{}{}}}{}{})", plain(axis.label), power < 0 ? "−" : "", std::abs(power), axis.unit.empty() ? "" : " ",
                       plain(axis.unit));
}

std::string axis_commands(const char* name, const AxisRange& range, const std::string& label) {
    std::string text = fmt::format("set {}range [{:.9g}:{:.9g}]\n", name, range.low, range.high);
    if (range.log) {
        const double decades = std::log10(range.high / range.low);
        text += fmt::format("set logscale {}\nset format {} '10^{{%T}}'\nset m{}tics 10\n", name, name, name);
        if (decades > 8) text += fmt::format("unset m{}tics\n", name);
        if (decades > 8) text += fmt::format("set {}tics {:g}\n", name, decades > 16 ? 1e3 : 100.0);
    }
    return text + fmt::format("set {}label '{}'\n", name, label);
}

std::string terminal(const std::filesystem::path& path, const Plot& plot) {
    if (path.extension() == ".svg")
        return fmt::format("set terminal svg enhanced size {},{} font 'Helvetica,Arial,sans-serif,15' linewidth 1.7 background '#ffffff'\n",
                           plot.width, plot.height);
    return fmt::format("set terminal pngcairo enhanced size {},{} font 'Liberation Sans,22' linewidth 3 background '#ffffff'\n",
                       2 * plot.width, 2 * plot.height);
}

/// One data block a curve, only the points that it needs.
std::string data_block(std::size_t number, const Plot& plot, const PlotCurve& curve, const PlotLayout& layout) {
    std::vector<double> x = plot.abscissa;
    for (double& value : x) value *= layout.x_factor;
    const AxisRange& range = curve.on_right ? layout.right : layout.left;
    const double factor = curve.on_right ? 1 : std::pow(10, -layout.left_power);
    std::string text = fmt::format("$curve{} << END\n", number);
    for (const std::size_t i : needed_points(x, curve.values, layout.x, range, 4e-4))
        text += fmt::format("{:.7g} {:.7g}\n", x[i], factor * curve.values[i]);
    return text + "END\n";
}

/// A curve that hides an earlier one is dashed, so that both are seen.
std::string curve_style(const Plot& plot, std::size_t n, std::size_t coloured, const PlotLayout& layout) {
    const PlotCurve& curve = plot.curves[n];
    if (curve.on_right) return "lc rgb '#222222' dt (9,5) lw 1.1";
    bool dashed = coloured >= colours.size();
    for (std::size_t earlier = 0; earlier < n && !dashed; ++earlier)
        dashed = !plot.curves[earlier].on_right && coincide(plot.curves[earlier].values, curve.values, layout.left);
    return fmt::format("lc rgb '{}' dt {} lw 1.3", colours[coloured % colours.size()], dashed ? "(7,6)" : "1");
}

std::string script(const std::filesystem::path& path, const std::filesystem::path& output, const Plot& plot) {
    const PlotLayout layout = lay_out(plot);
    std::string text = "set encoding utf8\n" + terminal(path, plot);
    std::string name;
    for (const char c : output.string()) name += c == '\'' ? std::string("''") : std::string(1, c);
    text += fmt::format("set output '{}'\n", name);
    text += fmt::format("set border {} lc rgb '#333333' lw 0.8\nset tics nomirror out scale 0.8,0.4 textcolor rgb '#222222'\n",
                        layout.has_right ? 11 : 3);
    text +=
        "set grid xtics ytics lc rgb '#dcdcdc' lw 0.5 dt 1\nset key outside right center vertical Left reverse noautotitle samplen 2.2 "
        "spacing 1.25\n";
    text += "set bmargin 3.6\nset tmargin " + std::string(plot.title.empty() ? "1.2\n" : "2.6\n");
    if (!plot.title.empty()) text += fmt::format("set title '{}' offset 0,-0.3\n", plain(plot.title));
    text += axis_commands("x", layout.x, axis_label(plot.x.label, layout.x_unit));
    const double factor = std::pow(10, -layout.left_power);
    text += axis_commands("y", {layout.left.log, factor * layout.left.low, factor * layout.left.high},
                          left_label(plot.left, layout.left_power));
    if (layout.has_right) text += "set y2tics\n" + axis_commands("y2", layout.right, axis_label(plot.right.label, plot.right.unit));

    std::string lines;
    std::size_t coloured = 0;
    for (std::size_t n = 0; n < plot.curves.size(); ++n) {
        const PlotCurve& curve = plot.curves[n];
        PHLO_CHECK(curve.values.size() == plot.abscissa.size());
        text += data_block(n, plot, curve, layout);
        const std::string style = curve_style(plot, n, coloured, layout);
        coloured += !curve.on_right;
        lines += fmt::format("{}$curve{} using 1:2 axes {} with lines {} title '{}'", n == 0 ? "plot " : ", \\\n     ", n,
                             curve.on_right ? "x1y2" : "x1y1", style, curve.formula ? formula(curve.name) : plain(curve.name));
    }
    return text + lines + "\nunset output\n";
}

}  // namespace

void check_plot_name(const std::filesystem::path& path) {
    if (path.extension() != ".svg" && path.extension() != ".png")
        throw InputError(fmt::format("{}: a plot is an .svg or a .png file", path.string()));
}

void write_plot(const std::filesystem::path& path, const Plot& plot) {
    check_plot_name(path);
    PHLO_CHECK(!plot.abscissa.empty() && !plot.curves.empty());
    if (!program_exists("gnuplot"))
        throw RunError(fmt::format("cannot draw {}: there is no gnuplot. Install it (apt install gnuplot-nox)", path.string()));
    AtomicFile file(path);
    ChildInput gnuplot("exec gnuplot -", path);
    const bool drawn = gnuplot.write(script(path, file.temporary(), plot)) && gnuplot.finish();
    if (!drawn) gnuplot.finish();
    if (!drawn || !std::filesystem::exists(file.temporary()) || std::filesystem::file_size(file.temporary()) == 0)
        throw RunError(fmt::format("cannot draw {}: gnuplot failed: {}", path.string(), gnuplot.said()));
    file.commit();
}

}  // namespace phlo::io
