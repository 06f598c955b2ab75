// Volumes of a fire that consists of points, so that whatever renders volumes can render it: flame, temperature and density on a lattice that follows
// the points.
//
//   VolumePoints points;
//   points.add({.position = x, .volume = 1e-6, .flame = 0.8, .temperature = 1600, .smoke = 0});
//   for (field::Volume& volume : point_volumes(points, {.cell = 0.02})) frame.volumes.push_back(std::move(volume));
//
// Each point stands for a small volume V of gas, spread over a ball around it (particles/splat.h). With c = sum of V per volume, which may exceed one
// where points crowd, the part of a cell that is fire's gas is 1 - exp(-c). `flame` is that part times the mean of the points' flame there,
// `temperature` goes from the air's to the points' mean by that part, `density` is the sum of V smoke per volume: amounts of smoke add up.
//
// Cells lie at whole multiples of their size, so that the lattice does not swim when the fire moves. Where points are so far apart that it would have
// more than max_cells, cells twice as large are taken, and so on: all volumes tell their cell size.
#pragma once
#include <vector>

#include "base/vec.h"
#include "field/frame.h"

namespace phlo::models {

struct VolumePoints {
    struct One {
        Vec3f position;             ///< [m]
        double volume = 0;          ///< of the gas that it stands for [m^3]
        double flame = 0;           ///< 0..1
        double temperature = 0;     ///< [K]
        double smoke = 0;           ///< 0..1
    };
    void add(const One& one);

    std::vector<Vec3f> position;
    std::vector<double> volume, flame, heat, smoke;   ///< the last three times the volume; heat is V T
};

struct PointVolumeParams {
    double cell = 0.02;             ///< [m]
    double radius = 0;              ///< over which a point is spread [m]; 0: one and a half cells
    double ambient = 293.15;        ///< [K]
    double max_cells = 32e6;
};

/// flame [1], temperature [K] and density [1]; none if there are no points.
std::vector<field::Volume> point_volumes(const VolumePoints& points, const PointVolumeParams& params);

}  // namespace phlo::models
