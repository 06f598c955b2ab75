// How a shot is seen: the `render:` section of a scene. The table in params.cpp gives each member its key, unit, range and help.
//
//   RenderParams look;                                    // defaults: a camera that frames the domain, a studio with sun and sky
//   look.camera.position = Curve<Vec3d>(Vec3d(2, -3, 1));
//   scene::section("render", render_table(), look);
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/curve.h"
#include "base/vec.h"
#include "config/table.h"
#include "render/look/light_params.h"
#include "render/look/live_look.h"
#include "render/look/material.h"
#include "render/look/point_look.h"

namespace phlo::render {

struct CameraParams {
    std::optional<Curve<Vec3d>> position;  ///< [m]; none: where the whole domain fills the picture
    std::optional<Curve<Vec3d>> target;    ///< the point in the middle of the picture [m]; none: the middle of the domain
    Curve<double> fov{30.0};               ///< across the picture's height [deg]
    Curve<double> roll{0.0};               ///< turns the camera about its own axis [deg]
    std::optional<Curve<double>> f_number = {};  ///< focal length over aperture: smaller blurs more; none: everything is sharp
    std::optional<Curve<double>> focus = {};     ///< distance that is sharp [m]; none: the target's
    double sensor = 0.024;                 ///< its height, which makes the focal length from the angle of view [m]
    double shutter = 0;                    ///< how long it is open, in frames, around the frame's time; 0: motion is not blurred
    double azimuth = -60;                  ///< where the automatic camera stands, seen from above, from +x towards +y [deg]
    double elevation = 8;                  ///< and how far above the horizon [deg]
};

struct GroundParams {
    bool visible = true;
    std::optional<double> height;          ///< [m]; none: the domain's floor
    Vec3f color{0.034f, 0.036f, 0.040f};    ///< reflectance
    SurfaceKind surface = {};              ///< what it does with light
};

struct SmokeLook {
    Vec3f color{0.93f, 0.93f, 0.94f};      ///< albedo: the share of light that goes on at each scattering
    std::optional<double> extinction;      ///< per metre and unit of density [1/m]; none: 45 / the domain's longest side
    double anisotropy = 0.35;              ///< g of the phase function: > 0 scatters forwards
};

/// One grid of a frame as it is seen.
struct VolumeLook {
    std::string grid;                      ///< its name: density, flame, c_<species> ...
    Vec3f color{0.93f, 0.93f, 0.94f};      ///< albedo
    std::optional<double> extinction = {}; ///< per metre and unit of the grid [1/m]; none: 45 / the domain's longest side
    bool glows = true;                     ///< what it absorbs it also emits where it is hot
};

/// Hot gas shines as a black body: what absorbs light at a wavelength emits absorption times Planck's law (Kirchhoff).
struct FireLook {
    double temperature = 1900;             ///< of gas that looks as bright as `brightness` [K]; hotter gas is whiter, cooler gas redder
    double brightness = 40;                ///< radiance of such gas where it is thick
    double contrast = 0.5;                 ///< exponent on luminance; 1: Planck's law, whose range no picture holds
    double adaptation = 0.35;              ///< 0: colours as measured, deep orange; 1: gas at `temperature` is white
    double min_temperature = 800;          ///< cooler gas does not shine [K]
    std::optional<double> absorption;      ///< of a unit of `flame`, or of hot gas if there is no such grid [1/m]; none: 12 / longest side
    double shortest = 380e-9, longest = 780e-9;   ///< wavelengths that are seen [m]
};

/// The points called soot, unless `points` says more of them.
struct SootLook {
    Vec3f color{0.16f, 0.14f, 0.13f};      ///< albedo
    std::optional<double> extinction;      ///< in the middle of a particle [1/m]; none: 30 / the domain's longest side
};

/// The glare of an explosion in the air around it; `good` and `final` only.
struct FlashLook {
    double strength = 0;                   ///< 0: none; 1: a ray gathers the flash's mean radiance over the domain's longest side
    std::optional<double> reach = {};      ///< of light from gas at `fire.temperature` [m]; none: the domain's longest side
    double loss = 0.3;                     ///< share of its energy that light loses at each scattering in the gas
    double falloff = 2;                    ///< its density along the way is (1 - s)^falloff, s from 0 to 1, unless:
    std::string density = {};              ///< an expression in s, where the light leaves the gas 0, where its energy is spent 1
    Vec3f color{1, 1, 1};                  ///< C_p: times the light of the fire
    double surfaces = 1;                   ///< how strongly it lights surfaces
};

/// Swirls finer than the cells of the flow, made for the picture alone (volumes/detail.h).
struct DetailLook {
    double strength = 0;                   ///< 0: none; 1: lively gas is displaced by about a quarter of `scale`
    double scale = 2;                      ///< of the largest swirls [cells of the flow]
    int refine = 2;                        ///< cells of the picture's gas along a cell of the frame's
    double period = 0.25;                  ///< for which a swirl goes with the gas before another has taken its place [s]
    int seed = 1;
};

struct RenderParams {
    CameraParams camera;
    SunParams sun;
    SkyParams sky;
    std::vector<LampParams> lights;        ///< lamps
    GroundParams ground;
    std::vector<MaterialParams> materials; ///< of bodies that are not just dull
    SmokeLook smoke;
    std::vector<VolumeLook> volumes;       ///< what is seen; none: `density`, as `smoke` says
    FireLook fire;
    SootLook soot;
    std::vector<PointsLook> points;        ///< sets of points that are seen; none: soot, as `soot` says
    FlashLook flash;
    DetailLook detail;
    LiveLook live;                         ///< of live pictures only
    Vec3f background{0.052f, 0.056f, 0.064f};  ///< what the camera sees behind everything; the ground fades into it
    double exposure = 0;                   ///< [stops]
    int width = 640, height = 360;         ///< [pixels]
};

const config::Table<RenderParams>& render_table();

/// Whether a picture asks for the frame's velocity.
inline bool needs_velocity(const RenderParams& look) { return look.camera.shutter > 0 || look.detail.strength > 0; }

/// Equal for looks that give equal pictures.
std::uint64_t look_hash(const RenderParams& params);

}  // namespace phlo::render
