// What surfaces do with light: diffuse, glossy (a metal with GGX roughness [walter2007]), dielectric (clear glass, or a liquid with its interior), each
// may glow.
//
//   Turn on = turn(material, normal, to_eye, to_light);               // reflectance times cosine, and the density of bounce()
//   Bounce b = bounce(material, hit.normal, hit.ratio, ray.direction, random);    // mean of b.weight L(b.direction) = what is sent back
//
// A glossy surface keeps what single reflections between its facets lose: the rest is added as a diffuse lobe with the shape that makes
// the whole reciprocal and a white surface white at any roughness [kulla2017].
#pragma once
#include <limits>
#include <memory>
#include <string>
#include <variant>

#include "base/curve.h"
#include "base/vec.h"
#include "config/table.h"
#include "optics/liquids.h"
#include "render/random_stream.h"

namespace phlo::render {

class LiquidMix;

struct DiffuseSurface {};
struct GlossySurface {
    double roughness = 0.3;  ///< 0: a mirror, 1: as dull as metal gets; its square is GGX's alpha
};
struct DielectricSurface {
    double ior = 1.5;  ///< index of refraction
    Vec3d absorption = {};  ///< inside; red, green, blue [1/m]
    Vec3d scattering = {};  ///< inside; red, green, blue [1/m]
    double anisotropy = 0;  ///< g of the phase function: above 0 scatters forwards
};
/// A dielectric as some known liquid fills it (optics/liquids.h), which may be made thicker or given another colour.
struct LiquidSurface {
    std::optional<std::string> substance = {};  ///< none: the surface's own, or water if it is a body
    double scale = 1;  ///< factor on absorption and scattering: what is seen is as deep as this many times its depth
    std::optional<Vec3d> tint = {};  ///< what is left of white light after `depth`, in place of the liquid's own colour
    double depth = 1;  ///< [m]
    std::optional<double> ior = {};  ///< none: the liquid's own
};
using SurfaceKind = std::variant<DiffuseSurface, GlossySurface, DielectricSurface, LiquidSurface>;

/// What the scene says about a body's surface. Its colour is the body's.
struct MaterialParams {
    std::string body;  ///< its name
    SurfaceKind surface = {};
    Curve<double> radiance{0.0};  ///< that it emits, in the body's colour
    std::optional<Curve<double>> temperature = {};  ///< glows as a black body [K], as bright as `render.fire` shows gas
};

const config::Variant<SurfaceKind>& surface_variant();
const config::Table<MaterialParams>& material_table();

struct Material {
    enum class Kind { diffuse, glossy, mirror, dielectric };

    Kind kind = Kind::diffuse;
    Vec3f color{0.5f, 0.5f, 0.5f};  ///< reflectance; of glossy ones where light falls straight on
    float roughness = 0;
    Vec3f emission;  ///< radiance of the outside
    optics::Interior interior = {};  ///< of a dielectric
    std::shared_ptr<const LiquidMix> mix = {};  ///< of one in which several liquids are mixed (liquid_mix.h): `interior` is the first one's; null: it is all
    bool cloudy = false;  ///< a dielectric so dense that light which enters it comes out nearby: for all but the path tracer it is a surface, and
                          ///< `color` the share of light that has entered and comes out again (subsurface.h)
    float passed_evenly = 1;  ///< of a cloudy one: what its border passes of even light from outside
    int priority = 0;  ///< of dielectrics that overlap the one with the larger number is there: 2 for bodies, 1 for liquids, 3 for cloudy ones that are surfaces

    bool diffuse() const { return kind == Kind::diffuse; }
    /// Light goes on in one direction, or in two.
    bool clear() const { return kind == Kind::mirror || kind == Kind::dielectric; }
    bool dielectric() const { return kind == Kind::dielectric; }
};
/// What fills a liquid's surface, as the scene changes it.
optics::Interior interior_of(const LiquidSurface& liquid, const std::string& substance);
/// `substance`: the liquid that fills the surface, if it is one's.
Material make_material(const SurfaceKind& surface, const Vec3f& color, const std::string& substance = "");

struct Turn {
    Vec3f value;  ///< reflectance times cosine, or the phase function [1/sr]
    float density = 0;  ///< with which an integrator draws the direction [1/sr]
};

/// The density of a direction that nothing else draws: a camera's, a mirror's.
inline constexpr float only_way = std::numeric_limits<float>::infinity();

/// Zero for clear materials. `normal` is on the side of `to_eye`.
Turn turn(const Material& material, const Vec3f& normal, const Vec3f& to_eye, const Vec3f& to_light);

struct Bounce {
    Vec3f direction;
    Vec3f weight;
    float density = 0;  ///< [1/sr]
};
/// For rays from the eye and for photons. `ratio`: of a dielectric, the index of refraction ahead over that behind; `direction`: of the flight.
Bounce bounce(const Material& material, const Vec3f& normal, float ratio, const Vec3f& direction, RandomStream& random);

/// Where light goes on at the border of two clear things, if it is not reflected; there must be such a direction.
Vec3f refracted(const Vec3f& direction, const Vec3f& normal, float ratio);
inline Vec3f mirrored(const Vec3f& direction, const Vec3f& normal) { return normalized(direction - normal * (2 * dot(direction, normal))); }

/// The share of light that glass reflects; `ratio`: index of refraction ahead over that behind. 1: all of it.
float fresnel(float cosine, float ratio);

}  // namespace phlo::render
