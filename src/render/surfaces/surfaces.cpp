#include "render/surfaces/surfaces.h"

#include <embree3/rtcore.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/parallel.h"
#include "render/surfaces/smooth_mesh.h"

namespace phlo::render {

struct Surfaces::Embree {
    RTCDevice device = nullptr;
    RTCScene scene = nullptr;

    Embree() : device(rtcNewDevice(nullptr)) {
        if (!device) throw RunError(fmt::format("Embree cannot start (error {})", int(rtcGetDeviceError(nullptr))));
        scene = rtcNewScene(device);
        rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
    }
    ~Embree() {
        rtcReleaseScene(scene);
        rtcReleaseDevice(device);
    }
    Embree(const Embree&) = delete;
    Embree& operator=(const Embree&) = delete;
};

Surfaces::~Surfaces() = default;
Surfaces::Surfaces(Surfaces&&) noexcept = default;
Surfaces& Surfaces::operator=(Surfaces&&) noexcept = default;

Surfaces::Surfaces(const std::vector<field::Surface>& bodies, std::vector<Material> materials, std::optional<Ground> ground)
    : materials_(std::move(materials)), ground_(std::move(ground)) {
    PHLO_CHECK(materials_.size() == bodies.size());
    for (std::size_t n = 0; n < bodies.size(); ++n) add(bodies[n], int(n));
    if (triangles_.empty()) return;
    areas_.resize(corners_.size());
    for (const Triangle& t : triangles_) {
        const Vec3f &a = corners_[std::size_t(t.corner[0])].point, &b = corners_[std::size_t(t.corner[1])].point,
                    &c = corners_[std::size_t(t.corner[2])].point;
        for (const int corner : t.corner) areas_[std::size_t(corner)] += length(cross(b - a, c - a)) / 6;
    }
    embree_ = std::make_unique<Embree>();
    const RTCGeometry geometry = rtcNewGeometry(embree_->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* points = static_cast<float*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), corners_.size()));
    for (std::size_t n = 0; n < corners_.size(); ++n)
        for (int axis = 0; axis < 3; ++axis) points[3 * n + std::size_t(axis)] = corners_[n].point[axis];
    auto* indices = static_cast<unsigned*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned), triangles_.size()));
    for (std::size_t n = 0; n < triangles_.size(); ++n)
        for (std::size_t c = 0; c < 3; ++c) indices[3 * n + c] = unsigned(triangles_[n].corner[c]);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(embree_->scene, geometry);
    rtcReleaseGeometry(geometry);
    alone([&] { rtcCommitScene(embree_->scene); });  // the same tree for any number of threads
}

void Surfaces::add(const field::Surface& surface, int body) {
    const SmoothMesh mesh = smooth_mesh(surface.mesh);
    const int first = int(corners_.size());
    for (const SmoothMesh::Corner& corner : mesh.corners) corners_.push_back({corner.point, corner.normal, {}});
    for (const Vec3i& t : mesh.triangles) triangles_.push_back({{first + t.x, first + t.y, first + t.z}, body});
}

std::optional<Hit> Surfaces::hit(const Ray& ray) const {
    std::optional<Hit> result;
    float nearest = std::numeric_limits<float>::infinity();
    if (ground_ && ray.direction.z != 0) {
        const float t = (ground_->height - ray.origin.z) / ray.direction.z;
        if (t > 0) {
            nearest = t;
            Vec3f point = ray.origin + ray.direction * t;
            point.z = ground_->height;
            result.emplace();
            result->distance = t, result->point = point, result->normal = {0, 0, ray.direction.z < 0 ? 1.f : -1.f};
            result->face = {0, 0, 1}, result->inside = ray.direction.z > 0, result->ground = true;
            result->material = &ground_->material, result->color = ground_->material.color;
        }
    }
    if (!embree_) return result;
    RTCRayHit query{};
    query.ray.org_x = ray.origin.x, query.ray.org_y = ray.origin.y, query.ray.org_z = ray.origin.z;
    query.ray.dir_x = ray.direction.x, query.ray.dir_y = ray.direction.y, query.ray.dir_z = ray.direction.z;
    query.ray.tnear = 0, query.ray.tfar = nearest, query.ray.mask = ~0u;
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(embree_->scene, &context, &query);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return result;

    const Triangle& triangle = triangles_[query.hit.primID];
    const float u = query.hit.u, v = query.hit.v, w = 1 - u - v;
    const Vertex &a = corners_[std::size_t(triangle.corner[0])], &b = corners_[std::size_t(triangle.corner[1])],
                 &c = corners_[std::size_t(triangle.corner[2])];
    Hit hit;
    hit.distance = query.ray.tfar;
    hit.point = a.point * w + b.point * u + c.point * v;
    hit.normal = normalized(a.normal * w + b.normal * u + c.normal * v);
    hit.face = normalized(cross(b.point - a.point, c.point - a.point));
    hit.inside = dot(hit.face, ray.direction) > 0;
    if (dot(hit.normal, ray.direction) > 0) hit.normal = -hit.normal;
    hit.light = a.light * w + b.light * u + c.light * v;
    hit.material = &materials_[std::size_t(triangle.body)];
    hit.color = hit.material->color;
    const float weights[3] = {w, u, v};
    for (int n = 0; n < 3; ++n) hit.corners[n] = triangle.corner[n], hit.weights[n] = weights[n];
    return hit;
}

bool Surfaces::blocked(const Vec3f& point, const Vec3f& direction, float distance) const {
    if (!embree_) return false;
    RTCRay query{};
    query.org_x = point.x, query.org_y = point.y, query.org_z = point.z;
    query.dir_x = direction.x, query.dir_y = direction.y, query.dir_z = direction.z;
    query.tnear = 0, query.tfar = distance, query.mask = ~0u;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(embree_->scene, &context, &query);
    return query.tfar < 0;
}

void Surfaces::bake_light(const std::function<Vec3f(const Vec3f&, const Vec3f&)>& light) {
    constexpr int chunk = 64;
    parallel_for((int(corners_.size()) + chunk - 1) / chunk, [&](int item) {
        const int end = std::min(int(corners_.size()), (item + 1) * chunk);
        for (int n = item * chunk; n < end; ++n) {
            Vertex& vertex = corners_[std::size_t(n)];
            vertex.light = light(vertex.point, vertex.normal);
        }
    });
}

}  // namespace phlo::render
