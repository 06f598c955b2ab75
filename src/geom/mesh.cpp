#include "geom/mesh.h"

#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"
#include "geom/mesh_lattice.h"
#include "geom/mesh_nearest.h"
#include "geom/mesh_repair.h"

namespace phlo::geom {
namespace {

/// What a ray collects: crossings counted with their direction.
struct CountingContext {
    RTCIntersectContext context;
    int crossings = 0;
};

void count_crossing(const RTCFilterFunctionNArguments* args) {
    const RTCRay* ray = reinterpret_cast<const RTCRay*>(args->ray);
    const RTCHit* hit = reinterpret_cast<const RTCHit*>(args->hit);
    const float along = ray->dir_x * hit->Ng_x + ray->dir_y * hit->Ng_y + ray->dir_z * hit->Ng_z;
    auto* counting = reinterpret_cast<CountingContext*>(args->context);
    counting->crossings += along > 0 ? 1 : -1;
    args->valid[0] = 0;  // go on
}

}  // namespace

struct ClosedMesh::Data {
    Solid solid;
    Bounds bounds;
    double margin = 0;  ///< rounding of the float search [m]
    std::vector<Vec3d> face_normal;  ///< not normalised for slivers of no area: zero
    std::vector<Vec3d> corner_normal;  ///< per point, weighted by angle
    DistanceLattice lattice;
    RTCDevice device = nullptr;
    RTCScene scene = nullptr;

    Vec3d corner(int t, int c) const { return Vec3d(solid.mesh.points[std::size_t(solid.mesh.triangles[std::size_t(t)][c])]); }

    /// The pseudo-normal of the part of the surface that is nearest decides inside or outside [baerentzen2005].
    Vec3d pseudo_normal(int t, Feature feature) const {
        const int f = int(feature);
        if (feature == Feature::face) return face_normal[std::size_t(t)];
        if (f <= int(Feature::edge2)) return face_normal[std::size_t(t)] + face_normal[std::size_t(solid.opposite[std::size_t(t)][f - 1])];
        return corner_normal[std::size_t(solid.mesh.triangles[std::size_t(t)][f - int(Feature::corner0)])];
    }

    /// Whether p is inside, if the nearest part of the surface is this one.
    bool inside(const Vec3d& p, int t, const Nearest& nearest) const {
        if (dot(p - nearest.point, pseudo_normal(t, nearest.feature)) < 0) return true;
        // Outside the nearest shell, but overlapping shells are one solid.
        return solid.shells > 1 && bounds.contains(p) && inside_some_shell(p);
    }

    /// How many shells hold p, cavities counted negative. Two of three skew rays decide: a ray through an edge may count it twice.
    bool inside_some_shell(const Vec3d& p) const {
        static const Vec3d directions[3] = {normalized(Vec3d(0.6151, 0.2927, 0.7321)), normalized(Vec3d(-0.5477, 0.7746, 0.3163)),
                                            normalized(Vec3d(0.1826, -0.4082, -0.8944))};
        int votes = 0;
        for (const Vec3d& d : directions) {
            CountingContext counting;
            rtcInitIntersectContext(&counting.context);
            counting.context.filter = count_crossing;
            RTCRayHit ray{};
            ray.ray.org_x = float(p.x), ray.ray.org_y = float(p.y), ray.ray.org_z = float(p.z);
            ray.ray.dir_x = float(d.x), ray.ray.dir_y = float(d.y), ray.ray.dir_z = float(d.z);
            ray.ray.tfar = std::numeric_limits<float>::infinity();
            ray.ray.mask = ~0u;
            ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
            rtcIntersect1(scene, &counting.context, &ray);
            votes += counting.crossings > 0;
        }
        return votes >= 2;
    }
};

namespace {

template <class Data>
struct Search {
    const Data* data;
    Vec3d p;
    double distance_squared = std::numeric_limits<double>::infinity();
    int triangle = -1;
    Nearest nearest;
};

template <class Data>
bool visit_triangle(RTCPointQueryFunctionArguments* args) {
    auto& search = *static_cast<Search<Data>*>(args->userPtr);
    const int t = int(args->primID);
    const Data& data = *search.data;
    const Nearest here = closest_on_triangle(search.p, data.corner(t, 0), data.corner(t, 1), data.corner(t, 2));
    const Vec3d offset = search.p - here.point;
    const double d2 = dot(offset, offset);
    // Equal distances go to the lower index, so that the answer does not depend on the shape of the search tree.
    if (d2 > search.distance_squared || (d2 == search.distance_squared && t > search.triangle)) return false;
    search.distance_squared = d2, search.triangle = t, search.nearest = here;
    args->query->radius = float(std::sqrt(d2) * (1 + 1e-6) + data.margin);
    return true;
}

}  // namespace

ClosedMesh::ClosedMesh(field::TriangleMesh triangles, const std::string& name) : data_(std::make_unique<Data>()) {
    Data& d = *data_;
    d.solid = make_solid(std::move(triangles), name);
    const field::TriangleMesh& mesh = d.solid.mesh;
    for (const Vec3f& p : mesh.points) d.bounds.include(Vec3d(p));
    d.margin = 1e-6 * (length(d.bounds.size()) + length(d.bounds.center()));

    // Normals of faces and corners
    d.face_normal.resize(mesh.triangles.size());
    d.corner_normal.assign(mesh.points.size(), Vec3d());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Vec3d a = d.corner(int(t), 0), b = d.corner(int(t), 1), c = d.corner(int(t), 2);
        const Vec3d n = cross(b - a, c - a);
        const double area = length(n);
        d.face_normal[t] = area > 0 ? n / area : Vec3d();
        for (int corner = 0; corner < 3; ++corner) {
            const Vec3d at = d.corner(int(t), corner);
            const Vec3d u = d.corner(int(t), (corner + 1) % 3) - at, v = d.corner(int(t), (corner + 2) % 3) - at;
            d.corner_normal[std::size_t(mesh.triangles[t][corner])] += d.face_normal[t] * std::atan2(length(cross(u, v)), dot(u, v));
        }
    }

    // Search tree
    d.device = rtcNewDevice(nullptr);
    if (!d.device) throw RunError("Embree does not start on this machine");
    d.scene = rtcNewScene(d.device);
    rtcSetSceneFlags(d.scene, RTCSceneFlags(RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION));
    RTCGeometry geometry = rtcNewGeometry(d.device, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* points = static_cast<float*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), mesh.points.size()));
    auto* corners = static_cast<unsigned*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned), mesh.triangles.size()));
    if (!points || !corners) throw RunError(name + ": not enough memory for the mesh");
    for (std::size_t v = 0; v < mesh.points.size(); ++v)
        for (int axis = 0; axis < 3; ++axis) points[3 * v + std::size_t(axis)] = mesh.points[v][axis];
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (int c = 0; c < 3; ++c) corners[3 * t + std::size_t(c)] = unsigned(mesh.triangles[t][c]);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(d.scene, geometry);
    rtcReleaseGeometry(geometry);
    alone([&] { rtcCommitScene(d.scene); });  // the same tree for any number of threads

    d.lattice = DistanceLattice(mesh, d.bounds);
    d.lattice.set_signs(
        [&](const Vec3d& p, int t) { return d.inside(p, t, closest_on_triangle(p, d.corner(t, 0), d.corner(t, 1), d.corner(t, 2))); });
}

ClosedMesh::~ClosedMesh() {
    if (data_ && data_->scene) rtcReleaseScene(data_->scene);
    if (data_ && data_->device) rtcReleaseDevice(data_->device);
}

double ClosedMesh::signed_distance(const Vec3d& p) const { return quick_distance(p, std::numeric_limits<double>::infinity()); }

double ClosedMesh::quick_distance(const Vec3d& p, double exact_within) const {
    const Data& d = *data_;
    const DistanceLattice::Estimate estimate = d.lattice.at(p);
    if (std::fabs(estimate.distance) > exact_within + d.lattice.error()) return estimate.distance;

    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    RTCPointQuery query{float(p.x), float(p.y), float(p.z), 0.f, float(estimate.at_most * (1 + 1e-6) + d.margin)};
    Search<Data> search{.data = &d, .p = p, .nearest = {}};
    rtcPointQuery(d.scene, &query, &context, visit_triangle<Data>, &search);
    PHLO_CHECK(search.triangle >= 0);
    const double distance = std::sqrt(search.distance_squared);
    return d.inside(p, search.triangle, search.nearest) ? -distance : distance;
}

const Bounds& ClosedMesh::bounds() const { return data_->bounds; }
double ClosedMesh::volume() const { return data_->solid.volume; }
const field::TriangleMesh& ClosedMesh::triangles() const { return data_->solid.mesh; }

}  // namespace phlo::geom
