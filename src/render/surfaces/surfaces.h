// What stops a ray: the bodies' triangles (Embree) and an endless ground plane.
//
//   Surfaces surfaces(frame.surfaces, materials, ground);     // a material for each body
//   Inside inside = surfaces.around(ray.origin);              // nothing, in the air
//   if (auto hit = surfaces.hit(ray, inside)) {               // nearest
//       const Bounce on = bounce(*hit, ray.direction, random);
//       ray = surfaces.onward(*hit, on.direction, inside);
//   }
//   surfaces.blocked(point, to_sun);                          // bodies only: is there one on the way?
//
// Where clear things meet, the border that counts is between what is there on either side (inside.h). A liquid's mesh is shut where a body, a tank or the
// ground begins, and need not fit: a gap of air thinner than the offset of rays between it and whatever comes next is closed.
#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "field/frame.h"
#include "render/film/camera.h"
#include "render/look/material.h"
#include "render/surfaces/inside.h"
#include "render/volumes/interior_flight.h"

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
    Vec3f color;           ///< the material's; of mixed liquids that are cloudy, the one there
    Vec3f light;           ///< sky light there (see bake_light), bodies only
    bool ground = false;
    int body = -1;         ///< which one; of the ground the number of bodies
    float ratio = 1;       ///< of a dielectric: index of refraction ahead over that behind
    int touching = -1;     ///< of a dielectric: another one that begins where this one ends
    int corners[3] = {};   ///< of the triangle, bodies only, and their weights at the point
    float weights[3] = {};
};

class Surfaces {
public:
    /// `offset`: rays start this far off surfaces that are not clear [m]; 0: a share of the bodies' size.
    Surfaces(const std::vector<field::Surface>& bodies, std::vector<Material> materials, std::optional<Ground> ground, float offset = 0);
    ~Surfaces();
    Surfaces(Surfaces&&) noexcept;
    Surfaces& operator=(Surfaces&&) noexcept;

    /// The nearest surface of all.
    std::optional<Hit> hit(const Ray& ray, float reach = std::numeric_limits<float>::infinity()) const;
    /// The nearest that counts for a ray that starts inside of some. What of them it leaves and enters unseen on its way is known in `inside` afterwards.
    std::optional<Hit> hit(const Ray& ray, Inside& inside, float reach = std::numeric_limits<float>::infinity()) const;
    /// The ray that leaves a surface in a direction that bounce() gave.
    Ray onward(const Hit& hit, const Vec3f& direction, Inside& inside) const;
    /// The dielectrics that a point lies in.
    Inside around(const Vec3f& point) const;
    /// What fills the place: air, or the dielectric that counts.
    const optics::Interior& interior(const Inside& inside) const;
    /// What fills the place if liquids are mixed there, else null.
    const LiquidMix* mix(const Inside& inside) const;
    /// Through what fills the place, as far as the next surface.
    InteriorFlight flight(const Ray& ray, const Inside& inside, const Vec3f& weight, RandomStream& random) const;
    /// The share of light that is left after a way through what fills the place.
    Vec3f passed(const Inside& inside, const Ray& ray, float way) const;
    /// The share of light that comes straight through clear things, as if it were not bent; nothing through all others.
    Vec3f through(const Vec3f& point, const Vec3f& direction, Inside inside, float distance = std::numeric_limits<float>::infinity()) const;
    bool has_dielectrics() const { return dielectrics_; }
    bool blocked(const Vec3f& point, const Vec3f& direction, float distance = std::numeric_limits<float>::infinity()) const;
    /// The area of surface around each corner of the bodies' triangles: a third of those that meet there [m^2].
    const std::vector<float>& corner_areas() const { return areas_; }
    /// visit(a, b, c, material): corners counter-clockwise seen from outside.
    template <class Visit>
    void for_each_triangle(const Visit& visit) const {
        const auto at = [&](const Triangle& t, int n) { return corners_[std::size_t(t.corner[n])].point; };
        for (const Triangle& t : triangles_) visit(at(t, 0), at(t, 1), at(t, 2), materials_[std::size_t(t.body)]);
    }
    /// The corners of a body: from `first` up to `last`, that one left out.
    struct Part {
        int first = 0, last = 0;
        const Material* material = nullptr;
    };
    std::vector<Part> parts() const;
    struct Corner {
        Vec3f point, normal, color;
    };
    Corner corner(int number) const {
        const Vertex& v = corners_[std::size_t(number)];
        return {v.point, v.normal, v.color};
    }
    bool has_bodies() const { return !corners_.empty(); }
    const std::optional<Ground>& ground() const { return ground_; }

    /// Stores light(point, normal) at every vertex that is not clear; hits interpolate it. For light that changes slowly over a surface.
    void bake_light(const std::function<Vec3f(const Vec3f&, const Vec3f&)>& light);

private:
    struct Vertex {
        Vec3f point, normal, light;
        Vec3f color;       ///< the material's, or what the liquids mixed there make of it
    };
    struct Triangle {
        int corner[3];     ///< into corners_
        int body;
    };
    struct Embree;

    void add(const field::Surface& surface, int body);
    const Material& material(int body) const { return body < int(materials_.size()) ? materials_[std::size_t(body)] : ground_->material; }
    /// The dielectric that counts, -1: none.
    int front(const Inside& inside) const;
    Hit ground_hit(const Ray& ray, float distance) const;
    /// As hit(), leaving out a body.
    std::optional<Hit> nearest(const Ray& ray, float reach, int without) const;
    std::optional<Hit> next_behind(const Hit& hit, const Vec3f& direction) const;

    float offset_ = 0;                 ///< rays leave surfaces this far off, and air thinner than that between a liquid and what holds it is none [m]
    float near_ = 0;                   ///< the same for clear surfaces, which may be close to each other [m]
    bool dielectrics_ = false;
    std::vector<Vertex> corners_;
    std::vector<int> first_corners_;   ///< of each body
    std::vector<Triangle> triangles_;
    std::vector<float> areas_;         ///< of the corners
    std::vector<Material> materials_;  ///< of the bodies
    std::optional<Ground> ground_;
    std::unique_ptr<Embree> embree_;
};

/// What a path carries: radiance against the light, from the eye, or power with it, as photons do. A cone of light that is refracted gets narrower, and
/// its radiance larger by the square of the indices' ratio.
enum class Carried { radiance, power };

/// The factor on what a path carries where it crosses a border.
inline float narrowed(const Hit& hit) { return 1 / (hit.ratio * hit.ratio); }
/// As bounce() of its material, kept on that side of the triangle on which it must be.
Bounce bounce(const Hit& hit, const Vec3f& direction, RandomStream& random, Carried carried = Carried::radiance);
/// The same for photons and where cloudy things are surfaces: light that enters one comes out at the same place in all directions.
Bounce bounce_off_cloudy(const Hit& hit, const Vec3f& direction, RandomStream& random);
/// A direction that leaves a surface on the side it came from, or on the other one: bent there if the smooth normal and the triangle disagree.
Vec3f on_side(const Hit& hit, const Vec3f& direction, bool reflected);

}  // namespace phlo::render
