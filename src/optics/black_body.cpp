#include "optics/black_body.h"

#include <cmath>

#include "base/error.h"
#include "optics/planck.h"

namespace phlo::optics {
namespace {

constexpr double coldest = 300, hottest = 40000;  // [K]
constexpr int entries = 1024;

}  // namespace

Vec3d BlackBody::xyz(const BlackBodyParams& params, double temperature) {
    constexpr double reference = 570e-9;  // where the emissivity is 1
    return xyz_from_spectrum(
        [&](double wavelength) { return std::pow(reference / wavelength, params.emissivity_slope) * planck(wavelength, temperature); },
        params.shortest, params.longest);
}

BlackBody::BlackBody(const BlackBodyParams& params) {
    PHLO_CHECK(params.white >= coldest && params.shortest < params.longest);
    const Vec3d white = xyz(params, params.white);
    const double reference = adapted(white, white, d65_white, params.adaptation).y;
    for (int n = 0; n < entries; ++n) {
        const double inverse = 1 / coldest + (1 / hottest - 1 / coldest) * n / (entries - 1);
        const Vec3d seen = adapted(xyz(params, 1 / inverse), white, d65_white, params.adaptation);
        const Vec3d color = in_gamut(srgb_from_xyz(seen));
        const double luminance = xyz_from_srgb(color).y;
        table_.push_back({float(params.contrast * std::log(luminance / reference)), Vec3f(color / luminance)});
    }
}

Vec3f BlackBody::operator()(float temperature) const {
    if (!(temperature >= float(coldest))) return {};
    constexpr float scale = float((entries - 1) / (1 / hottest - 1 / coldest));
    const float at = std::fmin((1 / temperature - float(1 / coldest)) * scale, float(entries - 1) - 0.001f);
    const auto n = std::size_t(std::fmax(at, 0.f));
    const float t = at - float(n);
    const Entry &a = table_[n], &b = table_[n + 1];
    return (a.color + (b.color - a.color) * t) * std::exp(a.log_luminance + (b.log_luminance - a.log_luminance) * t);
}

}  // namespace phlo::optics
