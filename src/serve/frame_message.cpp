#include "serve/frame_message.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/json.h"
#include "base/parallel.h"
#include "render/live/live_gas.h"
#include "render/surfaces/frame_surfaces.h"
#include "render/surfaces/liquid_mix.h"
#include "render/surfaces/subsurface.h"
#include "render/volumes/lattice.h"
#include "serve/points_message.h"
#include "serve/ramps.h"
#include "serve/volume_message.h"

namespace phlo::serve {
namespace {

const char* name_of(const render::Material& material) {
    using Kind = render::Material::Kind;
    if (material.kind == Kind::dielectric) return material.cloudy ? "cloudy" : "clear";
    return material.kind == Kind::diffuse ? "diffuse" : "glossy";
}

/// The header's member for a surface; its mesh becomes a message of its own.
std::string add_mesh(const field::Surface& surface, const render::Material& material, std::vector<FrameParcel::Mesh>& meshes) {
    const field::TriangleMesh& mesh = surface.mesh;
    Vec3f low(0.f), high(1e-9f);
    if (!mesh.points.empty()) low = high = mesh.points.front();
    for (const Vec3f& p : mesh.points) low = min(low, p), high = max(high, p);
    const Vec3f size = max(high - low, Vec3f(1e-9f));
    std::vector<Vec3f> normals(mesh.points.size());
    for (const Vec3i& t : mesh.triangles) {
        const Vec3f &a = mesh.points[std::size_t(t.x)], &b = mesh.points[std::size_t(t.y)], &c = mesh.points[std::size_t(t.z)];
        const Vec3f area = cross(b - a, c - a);
        for (const int corner : {t.x, t.y, t.z}) normals[std::size_t(corner)] += area;
    }
    // x, y, z as u16 in the box of the mesh, red and green, then the normal as three i8, and blue: of liquids that mix, colours differ from place to place.
    const bool tinted = material.mix && material.cloudy;
    std::vector<std::uint8_t> vertices(mesh.points.size() * 12);
    const auto write = [&](std::size_t n) {
        const float norm = length(normals[n]);
        if (tinted && norm > 0) {
            const Vec3f color = render::comes_out(material, material.mix->albedo(mesh.points[n], normals[n] * (-1 / norm)));
            for (const auto& [byte, channel] : {std::pair(6, 0), std::pair(7, 1), std::pair(11, 2)}) vertices[12 * n + std::size_t(byte)] = root_code(color[channel], 1);
        }
        std::array<std::uint16_t, 3> place{};
        for (int axis = 0; axis < 3; ++axis) {
            place[std::size_t(axis)] = std::uint16_t(std::lround(65535 * std::clamp((mesh.points[n][axis] - low[axis]) / size[axis], 0.f, 1.f)));
            vertices[12 * n + 8 + std::size_t(axis)] = std::uint8_t(std::int8_t(norm > 0 ? std::lround(127 * normals[n][axis] / norm) : 0));
        }
        std::memcpy(vertices.data() + 12 * n, place.data(), 6);
    };
    parallel_for(int(mesh.points.size()), [&](int n) { write(std::size_t(n)); });
    std::vector<std::uint32_t> indices;
    indices.reserve(mesh.triangles.size() * 3);
    for (const Vec3i& t : mesh.triangles) indices.insert(indices.end(), {std::uint32_t(t.x), std::uint32_t(t.y), std::uint32_t(t.z)});
    Payload payload;
    const std::size_t vertex_bytes = payload.add(vertices), index_bytes = payload.add(indices);
    const std::uint64_t id = fnv1a(payload.data());
    const std::string name = fmt::format("{:016x}", id);
    meshes.push_back({.id = id, .bytes = finished("PHLM", json::Object().text("mesh", name).str(), payload.data())});
    return json::Object()
        .text("name", surface.name)
        .text("mesh", name)
        .text("material", name_of(material))
        .raw("color", json_of(material.color))
        .raw("tinted", tinted ? "true" : "false")
        .raw("emission", json_of(material.emission))
        .raw("absorption", json_of(material.interior.absorption))
        .number("ior", material.interior.ior)
        .raw("liquid", surface.substance.empty() ? "false" : "true")
        .raw("low", json_of(low))
        .raw("size", json_of(size))
        .number("vertices", mesh.points.size())
        .number("indices", indices.size())
        .number("vertex_bytes", vertex_bytes)
        .number("index_bytes", index_bytes)
        .str();
}

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
    for (std::size_t n = 0; n < frame.surfaces.size(); ++n) surfaces.push_back(add_mesh(frame.surfaces[n], materials[n], parcel.meshes));

    json::Object header;
    header.number("frame", frame.number).number("time", frame.time).number("fps", frame.fps);
    header.raw("low", json_of(Vec3f(bounds.lower))).raw("high", json_of(Vec3f(bounds.upper))).raw("boxed", frame.world ? "true" : "false");
    header.raw("look", look_of(frame, look, lights, bounds));
    header.raw("lamps", lamps_of(lamps));
    header.raw("points", add_points(frame, look, cast, lights, lamps, params.max_points, payload));
    header.raw("surfaces", json::array(surfaces));
    header.raw("volume", volume.empty() ? "null" : volume);
    header.number("encode_seconds", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    std::string text = header.str();
    if (!params.header.empty()) text.insert(text.size() - 1, "," + params.header);
    parcel.frame = finished("PHLF", std::move(text), payload.data());
    return std::make_shared<const FrameParcel>(std::move(parcel));
}

}  // namespace phlo::serve
