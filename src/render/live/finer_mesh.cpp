#include "render/live/finer_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace phlo::render {
namespace {

class Halver {
public:
    Halver(SmoothMesh& mesh, float longest) : mesh_(mesh), longest_squared_(longest * longest) {}

    /// Across its longest edge, again and again; what is left is added to `made`.
    void halve(const Vec3i& t, std::vector<Vec3i>& made) {
        int edge = 0;   // opposite the corner of this number
        float longest = -1;
        for (int e = 0; e < 3; ++e) {
            const Vec3f way = point(t[(e + 2) % 3]) - point(t[(e + 1) % 3]);
            if (const float squared = dot(way, way); squared > longest) longest = squared, edge = e;
        }
        if (longest <= longest_squared_) return made.push_back(t);
        const int apex = t[edge], a = t[(edge + 1) % 3], b = t[(edge + 2) % 3], between = middle(a, b);
        halve({apex, a, between}, made), halve({apex, between, b}, made);
    }

private:
    const Vec3f& point(int corner) const { return mesh_.corners[std::size_t(corner)].point; }

    int middle(int a, int b) {
        const auto [found, fresh] = middles_.try_emplace(std::minmax(a, b), int(mesh_.corners.size()));
        if (fresh) {
            const SmoothMesh::Corner &p = mesh_.corners[std::size_t(a)], &q = mesh_.corners[std::size_t(b)];
            mesh_.corners.push_back({(p.point + q.point) * 0.5f, normalized(p.normal + q.normal)});
        }
        return found->second;
    }

    SmoothMesh& mesh_;
    float longest_squared_;
    std::map<std::pair<int, int>, int> middles_;   ///< of edges
};

}  // namespace

SmoothMesh finer_mesh(SmoothMesh mesh, float longest, int max_triangles) {
    float area = 0;
    for (const Vec3i& t : mesh.triangles) {
        const Vec3f& a = mesh.corners[std::size_t(t.x)].point;
        area += 0.5f * length(cross(mesh.corners[std::size_t(t.y)].point - a, mesh.corners[std::size_t(t.z)].point - a));
    }
    // Halved triangles are about half as large as a square over their longest edge, or a quarter.
    longest = std::max(longest, std::sqrt(4 * area / float(max_triangles)));
    std::vector<Vec3i> made;
    Halver halver(mesh, longest);
    for (const Vec3i& t : mesh.triangles) halver.halve(t, made);
    mesh.triangles = std::move(made);
    return mesh;
}

}  // namespace phlo::render
