#include "render/film/camera.h"

#include <cmath>
#include <numbers>

#include "base/error.h"

namespace phlo::render {
namespace {

constexpr double radians_per_degree = std::numbers::pi / 180;

struct Axes {
    Vec3d right, up, forward;
};

Axes axes_towards(const Vec3d& forward) {
    const Vec3d reference = std::fabs(forward.z) > 0.999 ? Vec3d(0, 1, 0) : Vec3d(0, 0, 1);
    const Vec3d right = normalized(cross(forward, reference));
    return {right, cross(right, forward), forward};
}

/// How far back the camera must stand so that every corner of a box is inside the picture, a little air around it.
double framing_distance(const field::Bounds& bounds, const Vec3d& target, const Axes& axes, double half_width, double half_height) {
    constexpr double air = 1.03;
    double distance = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3d p = bounds.lower + bounds.size() * Vec3d(corner & 1, corner >> 1 & 1, corner >> 2) - target;
        const double depth = dot(p, axes.forward);
        distance = std::max(distance, air * std::fabs(dot(p, axes.right)) / half_width - depth);
        distance = std::max(distance, air * std::fabs(dot(p, axes.up)) / half_height - depth);
    }
    return distance;
}

}  // namespace

Vec3d direction_from_angles(double azimuth, double elevation) {
    const double a = azimuth * radians_per_degree, e = elevation * radians_per_degree;
    return {std::cos(e) * std::cos(a), std::cos(e) * std::sin(a), std::sin(e)};
}

Camera::Camera(const CameraParams& params, const field::Bounds& bounds, double time, int width, int height) {
    const double half_height = std::tan(0.5 * params.fov(time) * radians_per_degree), half_width = half_height * width / height;
    const Vec3d target = params.target ? (*params.target)(time) : bounds.lower + bounds.size() * 0.5;
    Vec3d position;
    if (params.position) {
        position = (*params.position)(time);
    } else {
        const Vec3d from = direction_from_angles(params.azimuth, params.elevation);
        position = target + from * framing_distance(bounds, target, axes_towards(-from), half_width, half_height);
    }
    const Vec3d sight = target - position;
    Axes axes = axes_towards(length(sight) > 0 ? normalized(sight) : Vec3d(0, 1, 0));
    const double roll = params.roll(time) * radians_per_degree;
    const Vec3d right = axes.right * std::cos(roll) + axes.up * std::sin(roll);
    axes.up = axes.up * std::cos(roll) - axes.right * std::sin(roll);
    position_ = Vec3f(position);
    forward_ = Vec3f(axes.forward);
    across_ = Vec3f(right * (2 * half_width / width));
    down_ = Vec3f(axes.up * (-2 * half_height / height));
    corner_ = Vec3f(axes.forward - right * half_width + axes.up * half_height);
    focus_ = float(params.focus ? (*params.focus)(time) : std::max(1e-6, length(sight)));
    if (params.f_number) {
        const double focal_length = 0.5 * params.sensor / half_height, radius = 0.5 * focal_length / (*params.f_number)(time);
        lens_u_ = Vec3f(right * radius), lens_v_ = Vec3f(axes.up * radius);
    }
}

Projection Camera::projection() const {
    PHLO_CHECK(!parallel_);
    // corner_ + across_ x + down_ y reaches one metre forward, and the three axes are orthogonal.
    Projection p;
    p.position = position_, p.forward = forward_;
    p.right = across_ / dot(across_, across_), p.down = down_ / dot(down_, down_);
    p.middle_x = -dot(corner_, p.right), p.middle_y = -dot(corner_, p.down);
    p.pixel = length(across_);
    return p;
}

Camera::Camera(const ParallelView& view, int width, int height) : parallel_(true) {
    constexpr double far_behind = 1000;  // windows
    const Vec3d forward = view.forward();
    position_ = Vec3f(view.center - forward * (far_behind * std::max(view.width, view.height)));
    forward_ = Vec3f(forward);
    across_ = Vec3f(view.right * (view.width / width));
    down_ = Vec3f(view.up * (-view.height / height));
    corner_ = Vec3f(view.center - view.right * (0.5 * view.width) + view.up * (0.5 * view.height));
}

Ray Camera::ray(float x, float y, float u, float v) const {
    if (lens_u_ == Vec3f()) return ray(x, y);
    const float r = std::sqrt(u), angle = 2 * std::numbers::pi_v<float> * v;
    const Vec3f from = lens_u_ * (r * std::cos(angle)) + lens_v_ * (r * std::sin(angle));
    // corner_ + ... reaches one metre forward: times the focus it lies on the sharp plane.
    return {position_ + from, normalized((corner_ + across_ * x + down_ * y) * focus_ - from)};
}

}  // namespace phlo::render
