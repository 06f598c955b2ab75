#include "io/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "base/error.h"
#include "complaint.h"
#include "io/csv.h"
#include "io/plot_layout.h"
#include "scratch_dir.h"

using namespace phlo;

namespace {

std::vector<double> sampled(const std::vector<double>& x, double (*f)(double)) {
    std::vector<double> y;
    for (const double at : x) y.push_back(f(at));
    return y;
}

std::vector<double> even(double first, double last, int count) {
    std::vector<double> x;
    for (int i = 0; i < count; ++i) x.push_back(first + (last - first) * i / (count - 1));
    return x;
}

io::Plot small_plot() {
    io::Plot plot{.x = {.label = "time", .unit = "s"}, .left = {.label = "mole fraction"}, .right = {.label = "temperature", .unit = "K"}};
    plot.abscissa = even(0, 0.004, 400);
    plot.curves.push_back(
        {.name = "H2O", .formula = true, .values = sampled(plot.abscissa, [](double t) { return 1 - std::exp(-t * 1e3); })});
    plot.curves.push_back({.name = "it's_a {name}", .values = sampled(plot.abscissa, [](double t) { return std::exp(-t * 1e3); })});
    plot.curves.push_back({.name = "T", .values = sampled(plot.abscissa, [](double t) { return 300 + 1e5 * t; }), .on_right = true});
    return plot;
}

}  // namespace

TEST(plot, seconds_become_what_reads_best) {
    io::Plot plot = small_plot();
    EXPECT_EQ(io::lay_out(plot).x_unit, "ms");
    EXPECT_DOUBLE_EQ(io::lay_out(plot).x.high, 4);
    for (double& t : plot.abscissa) t *= 1e-3;
    EXPECT_EQ(io::lay_out(plot).x_unit, "µs");
    for (double& t : plot.abscissa) t *= 1e8;
    EXPECT_EQ(io::lay_out(plot).x_unit, "s");
}

TEST(plot, time_is_logarithmic_only_when_all_happens_at_once) {
    io::Plot plot{.x = {.label = "time", .unit = "s"}};
    plot.abscissa = {0};
    for (double t = 1e-6; t < 100; t *= 1.1) plot.abscissa.push_back(t);
    plot.curves.push_back({.name = "early", .values = sampled(plot.abscissa, [](double t) { return 1 - std::exp(-t * 1e3); })});
    EXPECT_TRUE(io::lay_out(plot).x.log);
    EXPECT_GT(io::lay_out(plot).x.low, 1e-7) << "and begins shortly before anything happens";
    EXPECT_LT(io::lay_out(plot).x.low, 1e-5);
    plot.x.scale = io::Scale::linear;
    EXPECT_FALSE(io::lay_out(plot).x.log) << "unless told otherwise";
    plot.x.scale = io::Scale::automatic;
    plot.curves[0].values = sampled(plot.abscissa, [](double t) { return std::sin(t); });
    EXPECT_FALSE(io::lay_out(plot).x.log) << "oscillations go on all the time";
}

TEST(plot, values_are_logarithmic_only_when_peaks_are_decades_apart) {
    io::Plot plot = small_plot();
    EXPECT_FALSE(io::lay_out(plot).left.log);
    EXPECT_EQ(io::lay_out(plot).left.low, 0);
    EXPECT_GT(io::lay_out(plot).left.high, 1);
    EXPECT_GT(io::lay_out(plot).right.low, 200) << "a temperature axis need not begin at zero";
    for (double& y : plot.curves[0].values) y *= 1e-5;
    const io::PlotLayout layout = io::lay_out(plot);
    EXPECT_TRUE(layout.left.log);
    EXPECT_LE(layout.left.low, 1e-6) << "the small curve is seen";
    plot.left.scale = io::Scale::linear;
    EXPECT_FALSE(io::lay_out(plot).left.log);
    plot.left.scale = io::Scale::log;
    plot.curves[0].values[3] = -1;
    EXPECT_FALSE(io::lay_out(plot).left.log) << "negative values have no logarithm";
}

TEST(plot, tiny_values_have_their_power_of_ten_beside_the_label) {
    io::Plot plot = small_plot();
    EXPECT_EQ(io::lay_out(plot).left_power, 0);
    for (io::PlotCurve& curve : plot.curves)
        if (!curve.on_right)
            for (double& y : curve.values) y *= 3e-6;
    EXPECT_EQ(io::lay_out(plot).left_power, -6);
}

TEST(plot, few_points_draw_the_whole_curve) {
    const std::vector<double> x = even(0, 10, 20001), y = sampled(x, [](double t) { return std::sin(t) * std::exp(-0.2 * t); });
    const io::AxisRange xs{false, 0, 10}, ys{false, -1, 1};
    const std::vector<std::size_t> points = io::needed_points(x, y, xs, ys, 4e-4);
    EXPECT_LT(points.size(), 300u);
    EXPECT_EQ(points.front(), 0u);
    EXPECT_EQ(points.back(), 20000u);
    for (std::size_t p = 0; p + 1 < points.size(); ++p)
        for (std::size_t i = points[p]; i <= points[p + 1]; ++i) {
            const double s = (x[i] - x[points[p]]) / (x[points[p + 1]] - x[points[p]]);
            EXPECT_NEAR(ys.place(y[points[p]] * (1 - s) + y[points[p + 1]] * s), ys.place(y[i]), 4e-3);
        }
    const io::AxisRange decades{true, 1e-3, 1};
    for (const std::size_t i : io::needed_points(x, y, xs, decades, 4e-4))
        EXPECT_GT(y[i], 0) << "a logarithmic axis has no place for the rest";
}

TEST(plot, svg_names_curves_and_axes_as_they_are_written) {
    const test::ScratchDir dir;
    io::write_plot(dir / "it's a plot.svg", small_plot());
    const std::string svg = test::file_text(dir / "it's a plot.svg");
    for (const char* part : {"<svg", "time (ms)", "mole fraction", "temperature (K)", "it's_a {name}", "</svg>", "rgb(  0, 114, 178)"})
        EXPECT_NE(svg.find(part), std::string::npos) << part;
    EXPECT_NE(svg.find(">H<"), std::string::npos) << "the 2 of H2O is lowered, so it stands by itself";
    EXPECT_LT(svg.size(), 60000u);
    for (const auto& entry : std::filesystem::directory_iterator(dir.path))
        EXPECT_EQ(entry.path().filename(), "it's a plot.svg") << "nothing else is left";
}

TEST(plot, png_is_one_and_the_same_twice) {
    const test::ScratchDir dir;
    io::write_plot(dir / "a.png", small_plot());
    io::write_plot(dir / "b.png", small_plot());
    const std::string a = test::file_text(dir / "a.png");
    EXPECT_TRUE(a.starts_with("\x89PNG"));
    EXPECT_EQ(a, test::file_text(dir / "b.png"));
}

TEST(plot, what_cannot_be_drawn_is_said_with_the_remedy) {
    const test::ScratchDir dir;
    EXPECT_NE(test::complaint([&] { io::write_plot(dir / "a.jpg", small_plot()); }).find(".svg or a .png"), std::string::npos);
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", "/nonexistent", 1);
    const std::string message = test::complaint<RunError>([&] { io::write_plot(dir / "a.svg", small_plot()); });
    ::setenv("PATH", path.c_str(), 1);
    EXPECT_NE(message.find("apt install gnuplot-nox"), std::string::npos) << message;
    EXPECT_FALSE(std::filesystem::exists(dir / "a.svg"));
}

TEST(csv, header_and_numbers_come_back) {
    const test::ScratchDir dir;
    const std::vector<double> t{0, 0.1, 1e-20}, y{1, -2.5, 1234567.891};
    io::write_csv(dir / "a.csv", {"time [s]", "C2H4(1,2) \"x\""}, {&t, &y});
    EXPECT_EQ(test::file_text(dir / "a.csv"), "time [s],\"C2H4(1,2) \"\"x\"\"\"\n0,1\n0.1,-2.5\n1e-20,1234567.891\n");
}
