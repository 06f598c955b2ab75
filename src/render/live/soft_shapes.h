// Bodies as a few balls, for soft shadows and for the darkness where things are close. A ball is itself; a long body is a row of balls; all of a body's
// balls together have its volume.
//
//   std::vector<SoftBall> balls = soft_balls(mesh, body_number);
//   float seen = lamp_seen(balls, point, own_body, lamp_position, lamp_radius);       // share of a lamp that is not hidden
//   float open = sky_seen(balls, point, normal, own_body);                            // share of the sky's light that is left
#pragma once
#include <span>
#include <vector>

#include "render/surfaces/smooth_mesh.h"

namespace phlo::render {

struct SoftBall {
    Vec3f middle;      ///< [m]
    float radius = 0;  ///< [m]
    int body = 0;
};

std::vector<SoftBall> soft_balls(const SmoothMesh& mesh, int body);

/// The share of the upper half around `normal`, weighted by the cosine, that balls of other bodies leave open.
float sky_seen(std::span<const SoftBall> balls, const Vec3f& point, const Vec3f& normal, int own_body);

/// Of a round lamp.
float lamp_seen(std::span<const SoftBall> balls, const Vec3f& point, int own_body, const Vec3f& lamp, float lamp_radius);

/// Of a sun with an apparent radius whose tangent is `spread`.
float sun_seen(std::span<const SoftBall> balls, const Vec3f& point, int own_body, const Vec3f& to_sun, float spread);

}  // namespace phlo::render
