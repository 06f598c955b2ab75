#include "render/surfaces/smooth_mesh.h"

#include <algorithm>

namespace phlo::render {

SmoothMesh smooth_mesh(const field::TriangleMesh& mesh) {
    constexpr float sharp = 0.77f;  // cosine of 40 degrees
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

}  // namespace phlo::render
