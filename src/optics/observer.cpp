#include "optics/observer.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace phlo::optics {
namespace {

constexpr double table_step = 5e-9;  // [m]

// x, y, z from 380 nm to 780 nm [cie2018, table 6].
constexpr std::array<std::array<float, 3>, 81> table = {{
    {0.001368f, 0.000039f, 0.006450f}, {0.002236f, 0.000064f, 0.010550f}, {0.004243f, 0.000120f, 0.020050f},
    {0.007650f, 0.000217f, 0.036210f}, {0.014310f, 0.000396f, 0.067850f}, {0.023190f, 0.000640f, 0.110200f},
    {0.043510f, 0.001210f, 0.207400f}, {0.077630f, 0.002180f, 0.371300f}, {0.134380f, 0.004000f, 0.645600f},
    {0.214770f, 0.007300f, 1.039050f}, {0.283900f, 0.011600f, 1.385600f}, {0.328500f, 0.016840f, 1.622960f},
    {0.348280f, 0.023000f, 1.747060f}, {0.348060f, 0.029800f, 1.782600f}, {0.336200f, 0.038000f, 1.772110f},
    {0.318700f, 0.048000f, 1.744100f}, {0.290800f, 0.060000f, 1.669200f}, {0.251100f, 0.073900f, 1.528100f},
    {0.195360f, 0.090980f, 1.287640f}, {0.142100f, 0.112600f, 1.041900f}, {0.095640f, 0.139020f, 0.812950f},
    {0.057950f, 0.169300f, 0.616200f}, {0.032010f, 0.208020f, 0.465180f}, {0.014700f, 0.258600f, 0.353300f},
    {0.004900f, 0.323000f, 0.272000f}, {0.002400f, 0.407300f, 0.212300f}, {0.009300f, 0.503000f, 0.158200f},
    {0.029100f, 0.608200f, 0.111700f}, {0.063270f, 0.710000f, 0.078250f}, {0.109600f, 0.793200f, 0.057250f},
    {0.165500f, 0.862000f, 0.042160f}, {0.225750f, 0.914850f, 0.029840f}, {0.290400f, 0.954000f, 0.020300f},
    {0.359700f, 0.980300f, 0.013400f}, {0.433450f, 0.994950f, 0.008750f}, {0.512050f, 1.000000f, 0.005750f},
    {0.594500f, 0.995000f, 0.003900f}, {0.678400f, 0.978600f, 0.002750f}, {0.762100f, 0.952000f, 0.002100f},
    {0.842500f, 0.915400f, 0.001800f}, {0.916300f, 0.870000f, 0.001650f}, {0.978600f, 0.816300f, 0.001400f},
    {1.026300f, 0.757000f, 0.001100f}, {1.056700f, 0.694900f, 0.001000f}, {1.062200f, 0.631000f, 0.000800f},
    {1.045600f, 0.566800f, 0.000600f}, {1.002600f, 0.503000f, 0.000340f}, {0.938400f, 0.441200f, 0.000240f},
    {0.854450f, 0.381000f, 0.000190f}, {0.751400f, 0.321000f, 0.000100f}, {0.642400f, 0.265000f, 0.000050f},
    {0.541900f, 0.217000f, 0.000030f}, {0.447900f, 0.175000f, 0.000020f}, {0.360800f, 0.138200f, 0.000010f},
    {0.283500f, 0.107000f, 0.000000f}, {0.218700f, 0.081600f, 0.000000f}, {0.164900f, 0.061000f, 0.000000f},
    {0.121200f, 0.044580f, 0.000000f}, {0.087400f, 0.032000f, 0.000000f}, {0.063600f, 0.023200f, 0.000000f},
    {0.046770f, 0.017000f, 0.000000f}, {0.032900f, 0.011920f, 0.000000f}, {0.022700f, 0.008210f, 0.000000f},
    {0.015840f, 0.005723f, 0.000000f}, {0.011359f, 0.004102f, 0.000000f}, {0.008111f, 0.002929f, 0.000000f},
    {0.005790f, 0.002091f, 0.000000f}, {0.004109f, 0.001484f, 0.000000f}, {0.002899f, 0.001047f, 0.000000f},
    {0.002049f, 0.000740f, 0.000000f}, {0.001440f, 0.000520f, 0.000000f}, {0.001000f, 0.000361f, 0.000000f},
    {0.000690f, 0.000249f, 0.000000f}, {0.000476f, 0.000172f, 0.000000f}, {0.000332f, 0.000120f, 0.000000f},
    {0.000235f, 0.000085f, 0.000000f}, {0.000166f, 0.000060f, 0.000000f}, {0.000117f, 0.000042f, 0.000000f},
    {0.000083f, 0.000030f, 0.000000f}, {0.000059f, 0.000021f, 0.000000f}, {0.000042f, 0.000015f, 0.000000f},
}};

using Matrix = std::array<Vec3d, 3>;  // rows

Vec3d times(const Matrix& m, const Vec3d& v) { return {dot(m[0], v), dot(m[1], v), dot(m[2], v)}; }

constexpr Matrix srgb_rows = {
    {{3.2404542, -1.5371385, -0.4985314}, {-0.9692660, 1.8760108, 0.0415560}, {0.0556434, -0.2040259, 1.0572252}}};
constexpr Matrix xyz_rows = {{{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}};
constexpr Matrix cone_rows = {{{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}}};
constexpr Matrix from_cones = {{{0.9869929, -0.1470543, 0.1599627}, {0.4323053, 0.5183603, 0.0492912}, {-0.0085287, 0.0400428, 0.9684867}}};

}  // namespace

Vec3d observer(double wavelength) {
    const double at = (wavelength - shortest_visible) / table_step;
    if (!(at >= 0) || at > double(table.size() - 1)) return {};
    const auto n = std::min(std::size_t(at), table.size() - 2);
    const double t = at - double(n);
    Vec3d result;
    for (int c = 0; c < 3; ++c) result[c] = (1 - t) * double(table[n][std::size_t(c)]) + t * double(table[n + 1][std::size_t(c)]);
    return result;
}

Vec3d xyz_from_spectrum(const std::function<double(double)>& spectrum, double shortest, double longest) {
    shortest = std::max(shortest, shortest_visible), longest = std::min(longest, longest_visible);
    if (!(shortest < longest)) return {};
    // Simpson's rule over intervals of at most 2.5 nm.
    const int n = 2 * std::max(1, int(std::ceil((longest - shortest) / table_step)));
    const double step = (longest - shortest) / n;
    Vec3d sum;
    for (int i = 0; i <= n; ++i) {
        const double wavelength = shortest + step * i, weight = i == 0 || i == n ? 1 : i % 2 ? 4 : 2;
        sum += observer(wavelength) * (weight * spectrum(wavelength));
    }
    return sum * (step / 3);
}

Chromaticity chromaticity(const Vec3d& xyz) {
    const double sum = xyz.x + xyz.y + xyz.z;
    return {xyz.x / sum, xyz.y / sum};
}

Vec3d xyz_from_chromaticity(const Chromaticity& c) { return {c.x / c.y, 1, (1 - c.x - c.y) / c.y}; }

Vec3d srgb_from_xyz(const Vec3d& xyz) { return times(srgb_rows, xyz); }
Vec3d xyz_from_srgb(const Vec3d& rgb) { return times(xyz_rows, rgb); }

Vec3d adapted(const Vec3d& xyz, const Vec3d& white, const Vec3d& display, double degree) {
    const Vec3d from = times(cone_rows, white / white.y), to = times(cone_rows, display / display.y);
    Vec3d cones = times(cone_rows, xyz);
    for (int c = 0; c < 3; ++c) cones[c] *= 1 - degree + degree * to[c] / from[c];
    return times(from_cones, cones);
}

Vec3d in_gamut(const Vec3d& rgb) {
    const double luminance = dot(rgb, xyz_rows[1]), least = std::min({rgb.x, rgb.y, rgb.z});
    if (least >= 0 || !(luminance > 0)) return max(rgb, Vec3d());
    const double share = luminance / (luminance - least);  // of the colour; the rest is grey
    return max(Vec3d(luminance) + (rgb - Vec3d(luminance)) * share, Vec3d());
}

}  // namespace phlo::optics
