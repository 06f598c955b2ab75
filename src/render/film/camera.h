// A camera with a thin lens, a pinhole, or parallel lines of sight. z is up in the world; in the picture x runs right and y runs down.
//
//   Camera camera(params.camera, frame.bounds(), time, 640, 360);
//   Ray ray = camera.ray(320.0f, 180.0f);              // through the middle of the picture
//   Camera sprite({.center = {0, 0, 1}, .width = 2, .height = 2}, 256, 256);     // as large near as far
#pragma once
#include "field/bounds.h"
#include "render/look/params.h"

namespace phlo::render {

struct Ray {
    Vec3f origin, direction;  ///< direction has length one
};

/// From the world to the picture: the way back along a ray.
struct Projection {
    struct Place {
        float x = 0, y = 0;  ///< as of Camera::ray [pixels]
        float depth = 0;     ///< along the camera's axis, negative behind it [m]
    };
    Vec3f position, forward, right, down;  ///< of the camera; right and down have the length of one over a pixel's size at depth one
    float middle_x = 0, middle_y = 0;      ///< where its axis meets the picture [pixels]
    float pixel = 0;                       ///< size of a pixel at depth one [m]

    float depth(const Vec3f& point) const { return dot(point - position, forward); }
    Place operator()(const Vec3f& point) const {
        const Vec3f way = point - position;
        const float z = dot(way, forward);
        return {middle_x + dot(way, right) / z, middle_y + dot(way, down) / z, z};
    }
    friend bool operator==(const Projection&, const Projection&) = default;
};

/// A window in space that is looked through at right angles.
struct ParallelView {
    Vec3d center;                          ///< of the window; what lies before it is not seen [m]
    Vec3d right{1, 0, 0}, up{0, 0, 1};     ///< unit vectors along its edges
    double width = 1, height = 1;          ///< [m]

    Vec3d forward() const { return cross(up, right); }
};

class Camera {
public:
    Camera(const CameraParams& params, const field::Bounds& bounds, double time, int width, int height);
    Camera(const ParallelView& view, int width, int height);

    /// Through picture coordinates in pixels; (0, 0) is the upper left corner of the picture, whole numbers are pixel edges.
    Ray ray(float x, float y) const {
        const Vec3f through = corner_ + across_ * x + down_ * y;
        return parallel_ ? Ray{through, forward_} : Ray{position_, normalized(through)};
    }
    /// The same through a point of the lens, chosen by two numbers in [0, 1): all of a pixel's rays meet where the picture is sharp.
    Ray ray(float x, float y, float u, float v) const;
    /// The direction in which a point is seen.
    Vec3f sight(const Vec3f& point) const { return parallel_ ? forward_ : normalized(point - position_); }
    /// With parallel lines of sight: far behind the window.
    const Vec3f& position() const { return position_; }
    const Vec3f& forward() const { return forward_; }
    /// Of the pinhole in the middle of the lens; there is none with parallel lines of sight.
    Projection projection() const;
    /// Of a pixel in the middle of the picture [rad].
    float pixel_angle() const { return length(down_); }
    /// How wide a pixel is at a distance [m].
    float pixel_size(float distance) const { return parallel_ ? length(down_) : length(down_) * distance; }
    /// Everything is sharp: the rays of a pixel leave from one point, or side by side.
    bool pinhole() const { return lens_u_ == Vec3f(); }

private:
    Vec3f position_, forward_, corner_, across_, down_;
    Vec3f lens_u_, lens_v_;  ///< from the middle of the lens to its rim [m]; zero: a pinhole
    bool parallel_ = false;  ///< corner_ is a place then, not a direction
    float focus_ = 1;  ///< distance of the plane that is sharp [m]
};

/// Unit vector towards a point of the sky; angles in degrees, azimuth from +x towards +y.
Vec3d direction_from_angles(double azimuth, double elevation);

}  // namespace phlo::render
