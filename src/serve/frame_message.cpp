#include "serve/frame_message.h"

#include <algorithm>
#include <chrono>

#include "base/json.h"
#include "render/live/live_gas.h"
#include "render/surfaces/frame_surfaces.h"
#include "render/volumes/lattice.h"
#include "serve/points_message.h"
#include "serve/ramps.h"
#include "serve/volume_message.h"

namespace phlo::serve {
namespace {

std::string camera_of(const field::Frame& frame, const render::RenderParams& look, const field::Bounds& bounds) {
    const render::Camera camera(look.camera, bounds, frame.time, look.width, look.height);
    const Vec3d target = look.camera.target ? (*look.camera.target)(frame.time) : bounds.lower + bounds.size() * 0.5;
    return json::Object()
        .raw("position", json_of(camera.position()))
        .raw("target", json_of(Vec3f(target)))
        .number("fov", look.camera.fov(frame.time))
        .number("aspect", double(look.width) / look.height)
        .str();
}

std::string look_of(const field::Frame& frame, const render::RenderParams& look, const render::Lights& lights, const field::Bounds& bounds) {
    return json::Object()
        .raw("to_sun", json_of(lights.to_sun))
        .raw("sun", json_of(lights.sun))
        .raw("zenith", json_of(lights.zenith))
        .raw("horizon", json_of(lights.horizon))
        .raw("background", json_of(look.background))
        .raw("sky_visible", render::shows_sky(frame, look) ? "true" : "false")
        .raw("ground", look.ground.visible ? json::Object().number("height", look.ground.height.value_or(bounds.lower.z)).raw("color", json_of(look.ground.color)).str() : "null")
        .number("exposure", look.exposure)
        .raw("camera", camera_of(frame, look, bounds))
        .str();
}

std::string lamps_of(const std::vector<render::FireLamp>& lamps) {
    return json::array(lamps, [](const render::FireLamp& lamp) {
        return json::Object().raw("position", json_of(lamp.position)).raw("intensity", json_of(lamp.intensity)).number("radius", lamp.radius).str();
    });
}

}  // namespace

Message encode_frame(const field::Frame& frame, const render::RenderParams& look, const EncodeParams& params) {
    constexpr int most_lamps = 8;
    const auto begin = std::chrono::steady_clock::now();
    const field::Bounds bounds = render::bounds_of(frame);
    const render::Lights lights(look, frame.time);
    const bool points = std::ranges::any_of(frame.points, [](const field::Points& set) { return set.size() > 0; });
    render::Cast cast;
    if (points) cast = render::find_cast(frame, look, ramps_of(look).by_composition, ramps_of(look).by_temperature);
    const bool fog = std::ranges::any_of(frame.volumes, [](const field::Volume& v) { return v.kind == field::VolumeClass::fog; });
    const bool gas = fog && !cast.fire_of_points;
    Payload payload;
    std::string volume;
    if (gas) {
        // Soot and other points lie in the volume, as in every other picture.
        cast = {};
        const render::LiveGas seen(render::make_volume(frame, look));
        if (auto fire = seen.fire(float(look.live.light))) cast.fires.push_back(std::move(*fire));
        volume = add_volume(seen.volume(), params.max_cells, payload);
    }
    const std::vector<render::FireLamp> lamps = cast.lamps(most_lamps);
    const std::vector<render::Material> materials = render::body_materials(frame, look);
    std::vector<std::string> surfaces;
    FrameParcel parcel;
    MeshMemory own;
    MeshMemory& meshes = params.meshes ? *params.meshes : own;
    for (std::size_t n = 0; n < frame.surfaces.size(); ++n) surfaces.push_back(meshes.add(n, frame.surfaces[n], materials[n], parcel.meshes));

    json::Object header;
    header.number("frame", frame.number).number("time", frame.time).number("fps", frame.fps);
    header.raw("low", json_of(Vec3f(bounds.lower))).raw("high", json_of(Vec3f(bounds.upper))).raw("boxed", frame.world ? "true" : "false");
    header.raw("look", look_of(frame, look, lights, bounds));
    header.raw("lamps", lamps_of(lamps));
    header.raw("points", add_points(look, cast, lights, lamps, params.max_points, payload));
    header.raw("surfaces", json::array(surfaces));
    header.raw("volume", volume.empty() ? "null" : volume);
    header.number("encode_seconds", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    std::string text = header.str();
    if (!params.header.empty()) text.insert(text.size() - 1, "," + params.header);
    parcel.frame = finished("PHLF", std::move(text), payload.data());
    return std::make_shared<const FrameParcel>(std::move(parcel));
}

}  // namespace phlo::serve
