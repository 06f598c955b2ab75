// The light of hot gas as a display can show it: a table from temperature to linear sRGB radiance, fast enough for every cell.
//
//   BlackBody light({.white = 1900, .adaptation = 0.5});
//   Vec3f rgb = light(1500);                               // relative to a black body at `white`, whose luminance is 1
//
// The eye (or the camera) gets used to the light of a flame: with `adaptation` 0 a candle is deep orange, with 1 a body at `white` is
// white. Between 1000 K and 2000 K luminance grows by 3e5, more than any picture holds: `contrast` below 1 is the exponent of a power
// law on luminance, as film has one, and leaves colours and the luminance at `white` as they are.
#pragma once
#include <vector>

#include "base/vec.h"
#include "optics/observer.h"

namespace phlo::optics {

struct BlackBodyParams {
    double white = 1900;  ///< the temperature that the eye is used to [K]
    double adaptation = 1;  ///< how far: 0 to 1
    double contrast = 1;  ///< exponent on luminance; 1: Planck's law
    double shortest = shortest_visible;  ///< the band of wavelengths that is seen [m]
    double longest = longest_visible;
    double emissivity_slope = 0;  ///< emissivity ~ wavelength^-slope: 0 black body, 1 small soot particles
};

class BlackBody {
public:
    explicit BlackBody(const BlackBodyParams& params);

    /// 0 below 300 K, where nothing is visible.
    Vec3f operator()(float temperature) const;

    /// Without the table and the contrast: XYZ of the emitted radiance [W/(m^2 sr) times the observer].
    static Vec3d xyz(const BlackBodyParams& params, double temperature);

private:
    struct Entry {
        float log_luminance;
        Vec3f color;  ///< luminance one
    };
    std::vector<Entry> table_;  ///< evenly in 1/T, in which the logarithm of luminance is almost linear
};

}  // namespace phlo::optics
