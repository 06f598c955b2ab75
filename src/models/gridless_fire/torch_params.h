// What an artist can say about torches: fires of particles without a grid. The tables in torch_params.cpp give each member its key, unit, range and
// help; docs/models/torch.md has the equations and how to shape a flame.
#pragma once
#include <string>
#include <vector>

#include "base/curve.h"
#include "base/vec.h"
#include "config/table.h"
#include "models/shot/source.h"

namespace phlo::models {

/// Air that blows on all torches.
struct WindParams {
    Curve<Vec3d> velocity{Vec3d()};        ///< [m/s]
    Curve<double> gusts{0.0};              ///< root mean square of what comes on top, as a share of the wind's speed
    double gust_size = 1.5;                ///< [m]
};

/// Burnt-out particles that go on as smoke.
struct TorchSmokeParams {
    Curve<double> share{0.0};              ///< of the particles that go dark, 0..1
    double life = 1.6;                     ///< until it is gone [s]
    double opacity = 0.25;                 ///< at its start, 0..1
    double radius = 0.03;                  ///< at its start [m]
    double growth = 0.09;                  ///< of the radius [m/s]
};

/// Volumes beside the points, for the qualities that render volumes.
struct TorchVolumeParams {
    double cell = 0;                       ///< size of a cell [m]; 0: none
    double temperature = 2600;             ///< of gas whose composition is 1, which no cell holds on average [K]
    double ambient = 293.15;               ///< [K]
};

/// What all torches of a scene share.
struct TorchParams {
    int neighbours = 16;                   ///< n: over how many nearest particles local means are taken, the particle itself among them
    double warm_up = 1.5;                  ///< burns so long before the first frame [s]
    WindParams wind;
    TorchSmokeParams smoke;
    TorchVolumeParams volumes;
};

enum class Flicker {
    natural,      ///< theta such that the fire puffs as often as a real one of its width
    extinction,   ///< when the mean composition falls below theta
    steady        ///< new particles always enter at full composition
};

/// One fire.
struct Torch : Source {
    int particles = 12000;                 ///< about so many at a time
    Flicker flicker = Flicker::natural;
    Curve<double> brushes{1.0};            ///< eta: flame brushes to a unit of x1; the unit is half the source's width along its own x
    Curve<double> overlap{1.0};            ///< lambda: of neighbouring brushes
    Curve<double> decay{0.94};             ///< chi: part of the composition that is left after 1/60 s
    Curve<double> extinction{0.1};         ///< theta: mean composition at which the fire goes out and starts anew
    Curve<double> launch{1.0};             ///< upward velocity of new particles [m/s]
    double launch_spread = 0.15;           ///< root mean square of its variation, as a share of it
    Curve<double> buoyancy{7.0};           ///< upward acceleration of gas whose composition is 1 [m/s^2]
    Curve<double> drag{2.5};               ///< rate at which the flame takes on the velocity of the air around it [1/s]
    Curve<double> taper{2.2};              ///< rate at which each brush is drawn together [1/s]
    Curve<double> turbulence{0.16};        ///< root mean square of the velocity's fluctuation, each component: k = 3/2 of its square [m/s]
    Curve<double> frequency{6.0};          ///< mean turbulent frequency <omega> [1/s]
    double anchor = 0.1;                   ///< weight of these two beside the local means
    Curve<double> eddies{0.5};             ///< speed of swirls that move whole tongues, root mean square of each component [m/s]
    double eddy_size = 0.22;               ///< of the largest [m]
    double life = 2.5;                     ///< oldest age; the flame fades before [s]
    double stray = 4;                      ///< farthest from its brush's axis, in half widths of the source
    double radius = 0;                     ///< half the thickness of a streak [m]; 0: from the source's size and the number of particles

    Torch() { noise = {.amplitude = 0.6, .scale = 0.06, .speed = 5, .octaves = 2, .seed = 1}; }
};

const config::Table<TorchParams>& torch_table();
const config::Table<Torch>& one_torch_table();

}  // namespace phlo::models
