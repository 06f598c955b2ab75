// Where a liquid's volume went, and how what was lost or gained by the numbers is mended.
#pragma once

namespace phlo::models {

/// Since the first frame [m^3].
struct VolumeBook {
    double start = 0;      ///< at the first frame
    double poured = 0;     ///< by emitters and walls
    double drained = 0;    ///< by emitters
    double left = 0;       ///< through open walls, drops too

    double expected() const { return start + poured - drained - left; }
};

/// How fast the numbers lose volume, so that mending does not come a step late: what is lost in each step alike would be missing for ever.
struct VolumeLoss {
    double rate = 0;       ///< that is lost, a mean over the last steps [m^3/s]
    double missing = 0;    ///< when it was last looked [m^3]
    double mending = 0;    ///< what was added since then [m^3/s]

    /// After a step of dt, with so much missing of a volume.
    void look(double missing_now, double volume, double dt);
};

struct VolumeMending {
    double rate = 0;       ///< most of what is missing that is mended in a second, in parts of it [1/s]; 0: nothing is
    double volume = 0;     ///< that is there [m^3]
    double missing = 0;    ///< [m^3]
    double losing = 0;     ///< what will be lost beside that, as VolumeLoss has found it [m^3/s]
    double speed = 0;      ///< of the fastest liquid [m/s]
    double gravity = 0;    ///< [m/s^2]
};
/// The divergence that brings the volume back to what it should be, the same in all of the liquid: in proportion to what is missing, and with a memory of what is always lost
/// [kim2007] [1/s].
double mending_divergence(const VolumeMending& how, double dt);

}  // namespace phlo::models
