// What stops a ray: the bodies' triangles (Embree) and an endless ground plane.
//
//   Surfaces surfaces(frame.surfaces, materials, ground);     // a material for each body
//   if (auto hit = surfaces.hit(ray)) ...                     // nearest
//   surfaces.blocked(point, to_sun);                          // bodies only: is there one on the way?
#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "field/frame.h"
#include "render/film/camera.h"
#include "render/look/material.h"

namespace phlo::render {

struct Ground {
    float height = 0;   ///< [m]
    Material material;
};

struct Hit {
    float distance = 0;
    Vec3f point, normal;   ///< normal: smooth, towards the side the ray came from
    Vec3f face;            ///< the triangle's own normal, outwards
    bool inside = false;   ///< the ray came from inside a body
    const Material* material = nullptr;
    Vec3f color;           ///< the material's
    Vec3f light;           ///< sky light there (see bake_light), bodies only
    bool ground = false;
    int corners[3] = {};   ///< of the triangle, bodies only, and their weights at the point
    float weights[3] = {};
};

class Surfaces {
public:
    Surfaces(const std::vector<field::Surface>& bodies, std::vector<Material> materials, std::optional<Ground> ground);
    ~Surfaces();
    Surfaces(Surfaces&&) noexcept;
    Surfaces& operator=(Surfaces&&) noexcept;

    std::optional<Hit> hit(const Ray& ray) const;
    bool blocked(const Vec3f& point, const Vec3f& direction, float distance = std::numeric_limits<float>::infinity()) const;
    /// The area of surface around each corner of the bodies' triangles: a third of those that meet there [m^2].
    const std::vector<float>& corner_areas() const { return areas_; }
    /// visit(a, b, c, material): corners counter-clockwise seen from outside.
    template <class Visit>
    void for_each_triangle(const Visit& visit) const {
        const auto at = [&](const Triangle& t, int n) { return corners_[std::size_t(t.corner[n])].point; };
        for (const Triangle& t : triangles_) visit(at(t, 0), at(t, 1), at(t, 2), materials_[std::size_t(t.body)]);
    }
    bool has_bodies() const { return !corners_.empty(); }
    const std::optional<Ground>& ground() const { return ground_; }

    /// Stores light(point, normal) at every vertex; hits interpolate it. For light that changes slowly over a surface.
    void bake_light(const std::function<Vec3f(const Vec3f&, const Vec3f&)>& light);

private:
    struct Vertex {
        Vec3f point, normal, light;
    };
    struct Triangle {
        int corner[3];     ///< into corners_
        int body;
    };
    struct Embree;

    void add(const field::Surface& surface, int body);

    std::vector<Vertex> corners_;
    std::vector<Triangle> triangles_;
    std::vector<float> areas_;         ///< of the corners
    std::vector<Material> materials_;  ///< of the bodies
    std::optional<Ground> ground_;
    std::unique_ptr<Embree> embree_;
};

}  // namespace phlo::render
