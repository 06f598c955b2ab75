#include "serve/mesh_message.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/json.h"
#include "base/parallel.h"
#include "render/surfaces/liquid_mix.h"
#include "render/surfaces/subsurface.h"
#include "serve/payload.h"

namespace phlo::serve {
namespace {

constexpr std::size_t vertex_size = 12;

const char* name_of(const render::Material& material) {
    using Kind = render::Material::Kind;
    if (material.kind == Kind::dielectric) return material.cloudy ? "cloudy" : "clear";
    return material.kind == Kind::diffuse ? "diffuse" : "glossy";
}

bool tinted(const render::Material& material) { return material.mix && material.cloudy; }

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// A name for bytes, many at once: four sums that go on side by side, because each waits for its own last product.
std::uint64_t name_of(const std::string& bytes) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15u;
    std::array<std::uint64_t, 4> sums{1, 2, 3, 4};
    std::size_t at = 0;
    for (; at + 32 <= bytes.size(); at += 32)
        for (std::size_t lane = 0; lane < 4; ++lane) {
            std::uint64_t word;
            std::memcpy(&word, bytes.data() + at + 8 * lane, 8);
            sums[lane] = std::rotl((sums[lane] ^ word) * odd, 29);
        }
    for (; at < bytes.size(); ++at) sums[0] = std::rotl((sums[0] ^ std::uint8_t(bytes[at])) * odd, 29);
    std::uint64_t all = bytes.size();
    for (const std::uint64_t sum : sums) all = std::rotl((all ^ sum) * odd, 31);
    return all;
}

std::vector<Vec3f> normals_of(const field::TriangleMesh& mesh) {
    std::vector<Vec3f> normals(mesh.points.size());
    for (const Vec3i& t : mesh.triangles) {
        const Vec3f &a = mesh.points[std::size_t(t.x)], &b = mesh.points[std::size_t(t.y)], &c = mesh.points[std::size_t(t.z)];
        const Vec3f area = cross(b - a, c - a);
        for (const int corner : {t.x, t.y, t.z}) normals[std::size_t(corner)] += area;
    }
    return normals;
}

/// Vertices are x, y, z as u16 in the box of the mesh, red and green, then the normal as three i8, and blue: of liquids that mix, colours differ from place to place.
MeshMessage message_of(const field::TriangleMesh& mesh, const render::Material& material) {
    Vec3f low(0.f), high(1e-9f);
    if (!mesh.points.empty()) low = high = mesh.points.front();
    for (const Vec3f& p : mesh.points) low = min(low, p), high = max(high, p);
    const Vec3f size = max(high - low, Vec3f(1e-9f));
    const std::vector<Vec3f> normals = normals_of(mesh);
    Payload payload;
    const std::size_t vertex_bytes = payload.reserve(mesh.points.size() * vertex_size), index_bytes = payload.reserve(mesh.triangles.size() * 12);
    const auto write = [&](std::size_t n) {
        std::uint8_t* vertex = payload.at(vertex_bytes + vertex_size * n);
        const float norm = length(normals[n]);
        if (tinted(material) && norm > 0) {
            const Vec3f color = render::comes_out(material, material.mix->albedo(mesh.points[n], normals[n] * (-1 / norm)));
            for (const auto& [byte, channel] : {std::pair(6, 0), std::pair(7, 1), std::pair(11, 2)}) vertex[byte] = root_code(color[channel], 1);
        }
        std::array<std::uint16_t, 3> place{};
        for (int axis = 0; axis < 3; ++axis) {
            place[std::size_t(axis)] = std::uint16_t(65535 * std::clamp((mesh.points[n][axis] - low[axis]) / size[axis], 0.f, 1.f) + 0.5f);
            vertex[8 + axis] = std::uint8_t(std::int8_t(norm > 0 ? std::lround(127 * normals[n][axis] / norm) : 0));
        }
        std::memcpy(vertex, place.data(), sizeof(place));
    };
    parallel_for(int(mesh.points.size()), [&](int n) { write(std::size_t(n)); });
    static_assert(sizeof(Vec3i) == 12, "three u32");
    if (!mesh.triangles.empty()) std::memcpy(payload.at(index_bytes), mesh.triangles.data(), mesh.triangles.size() * sizeof(Vec3i));
    const std::uint64_t id = name_of(payload.data());
    std::string name = fmt::format("{:016x}", id);
    return {.mesh = {.id = id, .bytes = finished("PHLM", json::Object().text("mesh", name).str(), payload.data())}, .name = name, .low = low, .size = size,
            .vertices = mesh.points.size(), .indices = 3 * mesh.triangles.size(), .vertex_bytes = vertex_bytes, .index_bytes = index_bytes};
}

std::string member_of(const MeshMessage& m, const field::Surface& surface, const render::Material& material) {
    return json::Object()
        .text("name", surface.name)
        .text("mesh", m.name)
        .text("material", name_of(material))
        .raw("color", json_of(material.color))
        .raw("tinted", tinted(material) ? "true" : "false")
        .raw("emission", json_of(material.emission))
        .raw("absorption", json_of(material.interior.absorption))
        .number("ior", material.interior.ior)
        .raw("liquid", surface.substance.empty() ? "false" : "true")
        .raw("low", json_of(m.low))
        .raw("size", json_of(m.size))
        .number("vertices", m.vertices)
        .number("indices", m.indices)
        .number("vertex_bytes", m.vertex_bytes)
        .number("index_bytes", m.index_bytes)
        .str();
}

}  // namespace

std::string MeshMemory::add(std::size_t which, const field::Surface& surface, const render::Material& material, std::vector<FrameParcel::Mesh>& meshes) {
    if (!surface.substance.empty() || tinted(material)) {   // liquids change with every frame
        const MeshMessage made = message_of(surface.mesh, material);
        meshes.push_back(made.mesh);
        return member_of(made, surface, material);
    }
    if (which >= kept_.size()) kept_.resize(which + 1);
    Kept& kept = kept_[which];
    if (!kept.message.mesh.bytes || !same_bytes(kept.made_of.points, surface.mesh.points) || !same_bytes(kept.made_of.triangles, surface.mesh.triangles))
        kept = {.made_of = surface.mesh, .message = message_of(surface.mesh, material)};
    meshes.push_back(kept.message.mesh);
    return member_of(kept.message, surface, material);
}

}  // namespace phlo::serve
