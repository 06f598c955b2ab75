// Bodies as rods with round ends, for soft shadows and for the darkness where things are close. A ball is a rod without length; a rod is as long as its
// body and has its volume.
//
//   std::vector<SoftRod> rods{soft_rod(mesh, body_number)};
//   float seen = lamp_seen(rods, point, own_body, lamp_position, lamp_radius);        // share of a lamp that is not hidden
//   float open = sky_seen(rods, point, normal, own_body);                             // share of the sky's light that is left
#pragma once
#include <span>
#include <vector>

#include "render/surfaces/smooth_mesh.h"

namespace phlo::render {

struct SoftRod {
    Vec3f middle;         ///< [m]
    Vec3f half_axis = {}; ///< from there to the middle of a round end [m]
    float radius = 0;     ///< 0: nothing [m]
    int body = 0;
};

SoftRod soft_rod(const SmoothMesh& mesh, int body);

/// The share of the upper half around `normal`, weighted by the cosine, that rods of other bodies leave open.
float sky_seen(std::span<const SoftRod> rods, const Vec3f& point, const Vec3f& normal, int own_body);

/// Of a round lamp.
float lamp_seen(std::span<const SoftRod> rods, const Vec3f& point, int own_body, const Vec3f& lamp, float lamp_radius);

/// Of a sun with an apparent radius whose tangent is `spread`.
float sun_seen(std::span<const SoftRod> rods, const Vec3f& point, int own_body, const Vec3f& to_sun, float spread);

}  // namespace phlo::render
