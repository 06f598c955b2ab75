#include "examples.h"

#include "optics/black_body.h"
#include "optics/liquids.h"
#include "optics/observer.h"
#include "optics/planck.h"

namespace phlo::optics {

void black_body_example() {
    BlackBody light({.white = 1900, .adaptation = 0.5});
    Vec3f rgb = light(1500);
}

void liquids_example(float metres) {
    const Interior water = liquid_named("water").value();
    float red_left = std::exp(-water.absorption.x * metres);
    liquid_names();
}

void observer_example(const Vec3d& white_of_flame) {
    Vec3d xyz = xyz_from_spectrum([](double wavelength) { return planck(wavelength, 5000); });
    Chromaticity c = chromaticity(xyz);
    Vec3d rgb = srgb_from_xyz(xyz);
    Vec3d seen = adapted(xyz, white_of_flame, d65_white, 0.7);
}

void planck_example() {
    double b = planck(570e-9, 1800);
    double seen = band_radiance(380e-9, 780e-9, 1800);
    double all = total_radiance(1800);
}

}  // namespace phlo::optics
