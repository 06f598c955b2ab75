#include "render/surfaces/surfaces.h"

#include <embree3/rtcore.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "base/parallel.h"
#include "render/surfaces/smooth_mesh.h"
#include "render/surfaces/subsurface.h"

namespace phlo::render {

struct Surfaces::Embree {
    RTCDevice device = nullptr;
    RTCScene scene = nullptr;

    Embree() : device(rtcNewDevice(nullptr)) {
        if (!device) throw RunError(fmt::format("Embree cannot start (error {})", int(rtcGetDeviceError(nullptr))));
        scene = rtcNewScene(device);
        rtcSetSceneFlags(scene, RTCSceneFlags(RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION));
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

Surfaces::Surfaces(const std::vector<field::Surface>& bodies, std::vector<Material> materials, std::optional<Ground> ground, float offset)
    : offset_(offset), materials_(std::move(materials)), ground_(std::move(ground)) {
    PHLO_CHECK(materials_.size() == bodies.size());
    for (std::size_t n = 0; n < bodies.size(); ++n) add(bodies[n], int(n));
    dielectrics_ = std::ranges::any_of(materials_, &Material::dielectric) || (ground_ && ground_->material.dielectric());
    if (triangles_.empty()) return;
    Vec3f low = corners_[0].point, high = low;
    for (const Vertex& corner : corners_) low = min(low, corner.point), high = max(high, corner.point);
    const Vec3f size = high - low, far = max(max(high, -low), max(-high, low));
    const float extent = std::max({size.x, size.y, size.z});
    if (!(offset_ > 0)) offset_ = 4e-4f * extent;
    near_ = std::max(1e-5f * extent, 16 * std::numeric_limits<float>::epsilon() * std::max({far.x, far.y, far.z}));
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
    const SmoothMesh mesh = surface.substance.empty() ? smooth_mesh(surface.mesh) : smooth_liquid(surface.mesh);
    const int first = int(corners_.size());
    first_corners_.push_back(first);
    const Material& material = materials_[std::size_t(body)];
    for (const SmoothMesh::Corner& corner : mesh.corners) corners_.push_back({corner.point, corner.normal, {}, material.color});
    if (material.cloudy && material.mix) {
        constexpr int chunk = 256;
        const int count = int(mesh.corners.size());
        parallel_for((count + chunk - 1) / chunk, [&](int item) {
            for (int n = item * chunk; n < std::min(count, (item + 1) * chunk); ++n) {
                Vertex& vertex = corners_[std::size_t(first + n)];
                vertex.color = comes_out(material, material.mix->albedo(vertex.point, -vertex.normal));
            }
        });
    }
    for (const Vec3i& t : mesh.triangles) triangles_.push_back({{first + t.x, first + t.y, first + t.z}, body});
}

Hit Surfaces::ground_hit(const Ray& ray, float distance) const {
    Hit hit;
    hit.distance = distance, hit.point = ray.origin + ray.direction * distance, hit.point.z = ground_->height;
    hit.normal = {0, 0, ray.direction.z < 0 ? 1.f : -1.f}, hit.face = {0, 0, 1}, hit.inside = ray.direction.z > 0, hit.ground = true;
    hit.material = &ground_->material, hit.color = ground_->material.color, hit.body = int(materials_.size());
    if (hit.material->dielectric()) hit.ratio = hit.inside ? 1 / hit.material->interior.ior : hit.material->interior.ior;
    return hit;
}

std::optional<Hit> Surfaces::hit(const Ray& ray, float reach) const { return nearest(ray, reach, -1); }

std::optional<Hit> Surfaces::nearest(const Ray& ray, float reach, int without) const {
    std::optional<Hit> result;
    if (ground_ && ray.direction.z != 0) {
        const float t = (ground_->height - ray.origin.z) / ray.direction.z;
        if (t > 0 && t < reach) reach = t, result = ground_hit(ray, t);
    }
    if (!embree_) return result;
    RTCRayHit query{};
    query.ray.org_x = ray.origin.x, query.ray.org_y = ray.origin.y, query.ray.org_z = ray.origin.z;
    query.ray.dir_x = ray.direction.x, query.ray.dir_y = ray.direction.y, query.ray.dir_z = ray.direction.z;
    query.ray.tnear = 0, query.ray.tfar = reach, query.ray.mask = ~0u;
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    struct Context : RTCIntersectContext {
        const Surfaces* surfaces;
        int without;
    } context;
    rtcInitIntersectContext(&context);
    context.surfaces = this, context.without = without;
    if (without >= 0)
        context.filter = [](const RTCFilterFunctionNArguments* found) {
            const auto* asked = static_cast<const Context*>(found->context);
            const unsigned triangle = RTCHitN_primID(found->hit, found->N, 0);
            if (asked->surfaces->triangles_[triangle].body == asked->without) found->valid[0] = 0;
        };
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
    hit.light = a.light * w + b.light * u + c.light * v;
    hit.body = triangle.body;
    hit.material = &materials_[std::size_t(triangle.body)];
    if (hit.material->dielectric()) {
        // Seen along the surface, a smooth normal may turn away from the ray: then one that just does not.
        if (hit.inside) hit.normal = -hit.normal;
        constexpr float grazing = 0.01f;
        if (const float facing = -dot(hit.normal, ray.direction); facing < grazing)
            hit.normal = normalized(hit.normal - ray.direction * (grazing - facing));
        hit.ratio = hit.inside ? 1 / hit.material->interior.ior : hit.material->interior.ior;
    } else if (dot(hit.normal, ray.direction) > 0) {
        hit.normal = -hit.normal;
    }
    hit.color = hit.material->cloudy ? a.color * w + b.color * u + c.color * v : hit.material->color;
    const float weights[3] = {w, u, v};
    for (int n = 0; n < 3; ++n) hit.corners[n] = triangle.corner[n], hit.weights[n] = weights[n];
    return hit;
}

int Surfaces::front(const Inside& inside) const {
    int best = -1;
    for (const int body : inside)
        if (best < 0 || std::pair(-material(body).priority, body) < std::pair(-material(best).priority, best)) best = body;
    return best;
}

const optics::Interior& Surfaces::interior(const Inside& inside) const {
    static const optics::Interior air;
    const int body = front(inside);
    return body < 0 ? air : material(body).interior;
}

const LiquidMix* Surfaces::mix(const Inside& inside) const {
    const int body = front(inside);
    return body < 0 ? nullptr : material(body).mix.get();
}

InteriorFlight Surfaces::flight(const Ray& ray, const Inside& inside, const Vec3f& weight, RandomStream& random) const {
    if (const LiquidMix* const mixed = mix(inside)) {
        Inside there = inside;
        if (const auto end = hit(ray, there)) return {*mixed, ray, end->distance, weight, random};
    }
    return {interior(inside), weight, random};
}

Vec3f Surfaces::passed(const Inside& inside, const Ray& ray, float way) const {
    const LiquidMix* const mixed = mix(inside);
    const Vec3f depth = mixed ? mixed->depth(ray, way) : interior(inside).extinction() * way;
    return {std::exp(-depth.x), std::exp(-depth.y), std::exp(-depth.z)};
}

/// What else lies at a surface or close behind it, as the ray goes on straight.
std::optional<Hit> Surfaces::next_behind(const Hit& hit, const Vec3f& direction) const {
    // A floor in the same plane.
    if (ground_ && direction.z < 0 && std::fabs(hit.point.z - ground_->height) < offset_) return ground_hit({hit.point, direction}, 0);
    const float steep = std::max(0.1f, std::fabs(dot(hit.face, direction)));
    return nearest({hit.point - direction * (near_ / steep), direction}, (offset_ + near_) / steep, hit.body);
}

std::optional<Hit> Surfaces::hit(const Ray& ray, Inside& inside, float reach) const {
    Ray rest = ray;
    float gone = 0;
    for (int unseen = 0; unseen < 256; ++unseen) {
        auto hit = this->hit(rest, reach - gone);
        if (!hit) return std::nullopt;
        hit->distance += gone;
        if (!hit->material->dielectric()) return hit;
        // Whatever was thought before: a closed surface tells on which side the ray is.
        inside.set(hit->body, hit->inside);
        Inside after = inside;
        after.set(hit->body, !hit->inside);
        const int before = front(inside);
        int ahead = front(after);
        if (before >= 0 && ahead < 0)
            if (auto next = next_behind(*hit, ray.direction)) {
                next->distance = dot(next->point - ray.origin, ray.direction);
                if (!next->material->dielectric()) return next;
                if (!next->inside) hit->touching = next->body, after.enter(next->body), ahead = front(after);
            }
        if (ahead != before) {
            hit->ratio = interior(after).ior / interior(inside).ior;
            return hit;
        }
        rest = onward(*hit, ray.direction, inside);
        gone = dot(rest.origin - ray.origin, ray.direction);
    }
    return std::nullopt;
}

Ray Surfaces::onward(const Hit& hit, const Vec3f& direction, Inside& inside) const {
    if (!hit.material->dielectric()) return {hit.point + hit.normal * std::copysign(offset_, dot(direction, hit.normal)), direction};
    const Vec3f back = hit.inside ? -hit.face : hit.face;  // the side that the ray came from
    if (dot(direction, back) > 0) return {hit.point + back * near_, direction};
    inside.set(hit.body, !hit.inside);
    if (hit.touching >= 0) inside.enter(hit.touching);
    return {hit.point - back * (hit.touching < 0 ? near_ : offset_ + near_), direction};
}

Inside Surfaces::around(const Vec3f& point) const {
    Inside inside;
    if (!dielectrics_) return inside;
    if (ground_ && ground_->material.dielectric() && point.z < ground_->height) inside.enter(int(materials_.size()));
    std::vector<bool> met(materials_.size());
    Ray ray{point, normalized(Vec3f(0.13f, 0.29f, 0.94f))};
    for (int n = 0; n < 256; ++n) {
        const auto next = hit(ray);
        if (!next) break;
        ray.origin = next->point + ray.direction * near_;
        if (next->ground || met[std::size_t(next->body)]) continue;
        met[std::size_t(next->body)] = true;
        if (next->inside && next->material->dielectric()) inside.enter(next->body);
    }
    return inside;
}

Vec3f Surfaces::through(const Vec3f& point, const Vec3f& direction, Inside inside, float distance) const {
    if (!dielectrics_) return Vec3f(blocked(point, direction, distance) ? 0.f : 1.f);
    Vec3f share(1.f);
    Ray ray{point, direction};
    float left = distance;
    for (int n = 0; n < 64; ++n) {
        const auto next = hit(ray, inside, left);
        const float way = next ? next->distance : left;
        if (!next && way == std::numeric_limits<float>::infinity()) return share;
        share = share * passed(inside, ray, way);
        if (!next) return share;
        if (!next->material->dielectric()) return {};
        share *= 1 - fresnel(-dot(next->normal, direction), std::max(next->ratio, 1 / next->ratio));
        ray = onward(*next, direction, inside);
        left -= way;
    }
    return {};
}

std::vector<Surfaces::Part> Surfaces::parts() const {
    std::vector<Part> result;
    for (std::size_t n = 0; n < materials_.size(); ++n) {
        const int last = n + 1 < first_corners_.size() ? first_corners_[n + 1] : int(corners_.size());
        result.push_back({first_corners_[n], last, &materials_[n]});
    }
    return result;
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
    std::vector<char> shows(corners_.size());
    for (const Triangle& t : triangles_)
        for (const int corner : t.corner) shows[std::size_t(corner)] = !materials_[std::size_t(t.body)].clear();
    constexpr int chunk = 64;
    parallel_for((int(corners_.size()) + chunk - 1) / chunk, [&](int item) {
        const int end = std::min(int(corners_.size()), (item + 1) * chunk);
        for (int n = item * chunk; n < end; ++n) {
            Vertex& vertex = corners_[std::size_t(n)];
            if (shows[std::size_t(n)]) vertex.light = light(vertex.point, vertex.normal);
        }
    });
}

Vec3f on_side(const Hit& hit, const Vec3f& direction, bool reflected) {
    const Vec3f to = hit.inside != reflected ? hit.face : -hit.face;
    constexpr float grazing = 0.01f;
    const float along = dot(direction, to);
    return along > 0 ? direction : normalized(direction + to * (grazing - along));
}

Bounce bounce(const Hit& hit, const Vec3f& direction, RandomStream& random, Carried carried) {
    Bounce on = bounce(*hit.material, hit.normal, hit.ratio, direction, random);
    if (!hit.material->dielectric()) return on;
    const bool back = dot(on.direction, hit.normal) > 0;
    on.direction = on_side(hit, on.direction, back);
    if (!back && carried == Carried::radiance) on.weight *= narrowed(hit);
    return on;
}

Bounce bounce_off_cloudy(const Hit& hit, const Vec3f& direction, RandomStream& random) {
    if (!hit.material->cloudy) return bounce(hit, direction, random, Carried::power);
    if (hit.inside) return {hit.normal, Vec3f(), only_way};
    if (random.next() < fresnel(-dot(direction, hit.normal), hit.ratio)) return {on_side(hit, mirrored(direction, hit.normal), true), Vec3f(1.f), only_way};
    const float cosine = std::sqrt(random.next());
    return {on_side(hit, direction_around(hit.normal, cosine, random.next()), true), hit.color, cosine * std::numbers::inv_pi_v<float>};
}

}  // namespace phlo::render
