#include "render/surfaces/smooth_mesh.h"

#include <algorithm>

namespace phlo::render {

namespace {

/// Faces that turn by more than the angle with the cosine `sharp` have an edge between them.
SmoothMesh smooth_mesh(const field::TriangleMesh& mesh, float sharp) {
    SmoothMesh result;
    std::vector<std::vector<int>> split(mesh.points.size());  // the corners that stand at each point
    std::vector<Vec3f> facing;  // the first face's direction, for each corner
    for (const Vec3i& t : mesh.triangles) {
        const Vec3f &a = mesh.points[std::size_t(t.x)], &b = mesh.points[std::size_t(t.y)], &c = mesh.points[std::size_t(t.z)];
        const Vec3f area = cross(b - a, c - a);
        const float size = length(area);
        if (!(size > 0)) continue;
        Vec3i triangle;
        for (int n = 0; n < 3; ++n) {
            auto& candidates = split[std::size_t(t[n])];
            auto found = std::find_if(candidates.begin(), candidates.end(),
                                      [&](int corner) { return dot(facing[std::size_t(corner)], area) > sharp * size; });
            if (found == candidates.end()) {
                candidates.push_back(int(result.corners.size()));
                facing.push_back(area / size);
                result.corners.push_back({mesh.points[std::size_t(t[n])], {}});
                found = candidates.end() - 1;
            }
            result.corners[std::size_t(*found)].normal += area;
            triangle[n] = *found;
        }
        result.triangles.push_back(triangle);
    }
    for (SmoothMesh::Corner& corner : result.corners) corner.normal = normalized(corner.normal);
    return result;
}

/// Every normal becomes a mean over the triangles around it.
void smooth_normals(SmoothMesh& mesh) {
    std::vector<Vec3f> sums(mesh.corners.size());
    for (const Vec3i& t : mesh.triangles) {
        const SmoothMesh::Corner &a = mesh.corners[std::size_t(t.x)], &b = mesh.corners[std::size_t(t.y)], &c = mesh.corners[std::size_t(t.z)];
        const Vec3f sum = (a.normal + b.normal + c.normal) * length(cross(b.point - a.point, c.point - a.point));
        for (int n = 0; n < 3; ++n) sums[std::size_t(t[n])] += sum;
    }
    for (std::size_t n = 0; n < sums.size(); ++n)
        if (const float size = length(sums[n]); size > 0) mesh.corners[n].normal = sums[n] / size;
}

}  // namespace

SmoothMesh smooth_mesh(const field::TriangleMesh& mesh) { return smooth_mesh(mesh, 0.77f); }  // 40 degrees

SmoothMesh smooth_liquid(const field::TriangleMesh& mesh) {
    SmoothMesh result = smooth_mesh(mesh, 0.34f);  // 70 degrees
    for (int n = 0; n < 2; ++n) smooth_normals(result);
    return result;
}

}  // namespace phlo::render
