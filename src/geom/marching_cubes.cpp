#include "geom/marching_cubes.h"

#include <bit>
#include <cmath>
#include <cstdint>

#include "base/error.h"
#include "base/parallel.h"
#include "base/simd.h"
#include "geom/marching_cubes_table.h"

namespace phlo::geom {
namespace {

constexpr float bevel = 1e-3f;  ///< [cells]: points keep this distance from nodes and from the edges of the box

/// The nodes of the lattice: the centres of all cells, a layer at the walls, and one of air. Node a is cell a - 2.
class Lattice {
public:
    Lattice(const field::Domain& domain, const field::Grid& phi, const KeptWay& kept)
        : domain_(domain),
          phi_(phi),
          kept_(kept),
          cells_(phi.layout().cells()),
          nodes_(cells_ + Vec3i(4)),
          words_((nodes_.x + 63) / 64 + 1),
          bits_(std::size_t(words_) * std::size_t(nodes_.y) * std::size_t(nodes_.z), 0) {
        parallel_for(nodes_.z, [&](int c) {
            if (c == 0 || c == nodes_.z - 1) return;
            for (int b = 1; b < nodes_.y - 1; ++b) find_signs(b, c);
        });
    }

    const Vec3i& nodes() const { return nodes_; }
    int words() const { return words_; }

    /// Bit a % 64 of word a / 64: node a is inside. One word more than there are nodes for.
    const std::uint64_t* row(int b, int c) const {
        return bits_.data() + std::size_t(words_) * (std::size_t(b) + std::size_t(nodes_.y) * std::size_t(c));
    }

    /// Of any node but those of air.
    float value(int a, int b, int c) const {
        const int i = low(a, 0), j = low(b, 1), k = low(c, 2), i1 = high(a), j1 = high(b), k1 = high(c);
        if (i == i1 && j == j1 && k == k1) return phi_(i, j, k);
        const auto line = [&](int y, int z) { return 0.5f * (phi_(i, y, z) + phi_(i1, y, z)); };
        return 0.5f * (0.5f * (line(j, k) + line(j1, k)) + 0.5f * (line(j, k1) + line(j1, k1)));
    }
    /// In cell coordinates.
    double place(int a, int axis) const {
        if (a <= 1) return -0.5 + double(bevel);
        return a >= nodes_[axis] - 2 ? cells_[axis] - 0.5 - double(bevel) : a - 2;
    }
    /// Where the surface crosses the edge from a node to the next one along `axis`, in cell coordinates.
    Vec3d crossing(const Vec3i& node, int axis) const {
        Vec3d p(place(node.x, 0), place(node.y, 1), place(node.z, 2));
        const int a = node[axis];
        if (a == 0) p[axis] = -0.5;
        else if (a == nodes_[axis] - 2) p[axis] = cells_[axis] - 0.5;
        else {
            Vec3i next = node;
            ++next[axis];
            const float from = value(node.x, node.y, node.z), to = value(next.x, next.y, next.z);
            float t = from / (from - to);
            const double way = place(a + 1, axis) - place(a, axis);
            if (kept_) t = from < 0 ? t * part_kept(p, axis, 0, t * way) : 1 - (1 - t) * part_kept(p, axis, way, t * way);
            p[axis] += double(std::clamp(t, bevel, 1 - bevel)) * way;
        }
        return p;
    }
    Vec3d world(const Vec3d& at) const { return domain_.origin + (at + Vec3d(0.5)) * domain_.h; }

private:
    /// Of an edge from `p` along `axis`: its inner node and the surface are so far ahead.
    float part_kept(const Vec3d& p, int axis, double inside, double surface) const {
        Vec3d from = p, to = p;
        from[axis] += inside, to[axis] += surface;
        return float(kept_(world(from), world(to)));
    }

    /// The cells on the two sides of a node; the same one but at the walls.
    int low(int a, int axis) const { return a == nodes_[axis] - 2 ? cells_[axis] - 1 : a - 2; }
    int high(int a) const { return a == 1 ? 0 : a - 2; }

    void find_signs(int b, int c) {
        std::uint64_t* to = bits_.data() + (row(b, c) - bits_.data());
        const auto set = [&](int a, bool inside) { to[a / 64] |= std::uint64_t(inside) << (a % 64); };
        const bool inner = b > 1 && b < nodes_.y - 2 && c > 1 && c < nodes_.z - 2;
        set(1, value(1, b, c) < 0);
        set(nodes_.x - 2, value(nodes_.x - 2, b, c) < 0);
        if (inner) {
            const float* from = phi_.row(b - 2, c - 2) - 2;
            for (int a = 2; a < nodes_.x - 2; a += simd::width) {
                std::uint64_t inside = simd::bits(simd::load(from + a) < simd::Float(0.0f));
                if (nodes_.x - 2 - a < simd::width) inside &= (std::uint64_t(1) << (nodes_.x - 2 - a)) - 1;
                to[a / 64] |= inside << (a % 64);
                if (a % 64 + simd::width > 64) to[a / 64 + 1] |= inside >> (64 - a % 64);
            }
        } else
            for (int a = 2; a < nodes_.x - 2; ++a) set(a, value(a, b, c) < 0);
    }

    const field::Domain& domain_;
    const field::Grid& phi_;
    const KeptWay& kept_;
    Vec3i cells_, nodes_;
    int words_;
    std::vector<std::uint64_t> bits_;
};

/// A node from which edges lead through the surface.
struct CutNode {
    int a;
    int first;  ///< point of its first such edge, counted from the plane's first
    std::uint8_t axes;  ///< bit n: the edge along axis n
};
/// A cube that the surface goes through.
struct CutCube {
    int a;
    int table_index;
};

/// What lies between one plane of nodes and the next, the plane included.
struct Plane {
    std::vector<CutNode> nodes;
    std::vector<CutCube> cubes;
    std::vector<int> row_nodes, row_cubes;  ///< where each row begins
    int points = 0, middles = 0, triangles = 0;
    int first_point = 0, first_triangle = 0;
};

template <class Visit>
void for_each_bit(std::uint64_t word, int base, const Visit& visit) {
    for (; word; word &= word - 1) visit(base + std::countr_zero(word));
}

void find_cut_nodes(const Lattice& lattice, int c, Plane& plane) {
    const Vec3i n = lattice.nodes();
    for (int b = 0; b < n.y; ++b) {
        plane.row_nodes.push_back(int(plane.nodes.size()));
        const std::uint64_t *own = lattice.row(b, c), *beside = b + 1 < n.y ? lattice.row(b + 1, c) : own,
                            *above = c + 1 < n.z ? lattice.row(b, c + 1) : own;
        for (int w = 0; w + 1 < lattice.words(); ++w) {
            const std::uint64_t x = own[w] ^ (own[w] >> 1 | own[w + 1] << 63), y = own[w] ^ beside[w], z = own[w] ^ above[w];
            for_each_bit(x | y | z, 0, [&](int bit) {
                const auto axes = std::uint8_t((x >> bit & 1) | (y >> bit & 1) << 1 | (z >> bit & 1) << 2);
                plane.nodes.push_back({64 * w + bit, plane.points, axes});
                plane.points += std::popcount(unsigned(axes));
            });
        }
    }
    plane.row_nodes.push_back(int(plane.nodes.size()));
}

/// On which of the ambiguous faces the insides meet: where the saddle of the bilinear function lies inside. Products of two floats are
/// exact as doubles.
unsigned joined_faces(const Lattice& lattice, const Vec3i& cube, unsigned inside, unsigned faces) {
    unsigned joined = 0;
    for (; faces; faces &= faces - 1) {
        const int face = std::countr_zero(faces);
        const std::array<int, 4> corner = CubeTable::face_corners(face);
        const auto value = [&](int n) {
            return double(lattice.value(cube.x + (corner[std::size_t(n)] & 1), cube.y + (corner[std::size_t(n)] >> 1 & 1),
                                        cube.z + (corner[std::size_t(n)] >> 2)));
        };
        const double even = value(0) * value(2), odd = value(1) * value(3);
        const bool even_inside = inside >> corner[0] & 1;
        joined |= unsigned(even_inside ? even > odd : odd > even) << face;
    }
    return joined;
}

void find_cut_cubes(const Lattice& lattice, int c, Plane& plane) {
    const CubeTable& table = CubeTable::get();
    const Vec3i n = lattice.nodes();
    for (int b = 0; b + 1 < n.y; ++b) {
        plane.row_cubes.push_back(int(plane.cubes.size()));
        const std::uint64_t* rows[4] = {lattice.row(b, c), lattice.row(b + 1, c), lattice.row(b, c + 1), lattice.row(b + 1, c + 1)};
        for (int w = 0; w + 1 < lattice.words(); ++w) {
            std::uint64_t any = 0, all = ~std::uint64_t(0), ahead[4];
            for (int r = 0; r < 4; ++r) {
                ahead[r] = rows[r][w] >> 1 | rows[r][w + 1] << 63;
                any |= rows[r][w] | ahead[r], all &= rows[r][w] & ahead[r];
            }
            for_each_bit(any & ~all, 0, [&](int bit) {
                unsigned inside = 0;
                for (int r = 0; r < 4; ++r) inside |= unsigned((rows[r][w] >> bit & 1) | (ahead[r] >> bit & 1) << 1) << (2 * r);
                const unsigned faces = table.ambiguous(inside);
                const int index = table.index(inside, faces ? joined_faces(lattice, {64 * w + bit, b, c}, inside, faces) : 0);
                const CubeTable::Case found = table.at(index);
                plane.cubes.push_back({64 * w + bit, index});
                plane.triangles += int(found.triangles.size());
                plane.middles += int(found.middles.size());
            });
        }
    }
    plane.row_cubes.push_back(int(plane.cubes.size()));
}

void place_points(const Lattice& lattice, int c, const Plane& plane, Vec3f* points) {
    for (int b = 0; b < lattice.nodes().y; ++b)
        for (int n = plane.row_nodes[std::size_t(b)]; n < plane.row_nodes[std::size_t(b) + 1]; ++n) {
            const CutNode& node = plane.nodes[std::size_t(n)];
            Vec3f* to = points + plane.first_point + node.first;
            for (int axis = 0; axis < 3; ++axis)
                if (node.axes >> axis & 1) *to++ = Vec3f(lattice.world(lattice.crossing({node.a, b, c}, axis)));
        }
}

/// Goes along a row of nodes, and knows the points on the edges of each.
class RowWalk {
public:
    RowWalk(const Plane& plane, int b)
        : at_(plane.nodes.data() + plane.row_nodes[std::size_t(b)]),
          end_(plane.nodes.data() + plane.row_nodes[std::size_t(b) + 1]),
          first_(plane.first_point) {}
    /// Cubes are visited from left to right.
    void go_to(int a) {
        while (at_ != end_ && at_->a < a) ++at_;
        cube_ = a;
    }
    /// The point on the edge along `axis` from the cube's node, or from the next one; there must be one.
    int point(int axis, bool next) const {
        const CutNode* node = next && at_->a == cube_ ? at_ + 1 : at_;
        return first_ + node->first + std::popcount(node->axes & ((1u << axis) - 1));
    }

private:
    const CutNode *at_, *end_;
    int first_, cube_ = -1;
};

/// The points on the twelve edges of a cube; only those that the surface cuts are right.
void find_edge_points(RowWalk* rows, int a, unsigned edges, int* point) {
    for (int r = 0; r < 4; ++r) rows[r].go_to(a);
    for (; edges; edges &= edges - 1) {
        const int e = std::countr_zero(edges), axis = e / 4, b = e & 1, c = e >> 1 & 1;
        int corner[3];
        corner[axis] = 0, corner[(axis + 1) % 3] = b, corner[(axis + 2) % 3] = c;
        point[e] = rows[corner[1] + 2 * corner[2]].point(axis, corner[0]);
    }
}

void write_triangles(int rows_of_cubes, const Plane& plane, const Plane& above, field::TriangleMesh& mesh) {
    const CubeTable& table = CubeTable::get();
    Vec3i* to = mesh.triangles.data() + plane.first_triangle;
    int middle = plane.first_point + plane.points;
    for (int b = 0; b < rows_of_cubes; ++b) {
        RowWalk rows[4] = {RowWalk(plane, b), RowWalk(plane, b + 1), RowWalk(above, b), RowWalk(above, b + 1)};
        for (int n = plane.row_cubes[std::size_t(b)]; n < plane.row_cubes[std::size_t(b) + 1]; ++n) {
            const CutCube& cube = plane.cubes[std::size_t(n)];
            const CubeTable::Case found = table.at(cube.table_index);
            unsigned edges = 0;
            for (const CubeTable::Triangle& t : found.triangles) edges |= 1u << t[0] | 1u << t[1] | 1u << t[2];
            int point[16];
            find_edge_points(rows, cube.a, edges & 0xfff, point);
            for (std::size_t m = 0; m < found.middles.size(); ++m) {
                Vec3d sum;
                for (unsigned loop = found.middles[m]; loop; loop &= loop - 1)
                    sum += Vec3d(mesh.points[std::size_t(point[std::countr_zero(loop)])]);
                point[12 + m] = middle;
                mesh.points[std::size_t(middle++)] = Vec3f(sum / double(std::popcount(unsigned(found.middles[m]))));
            }
            for (const CubeTable::Triangle& t : found.triangles) *to++ = {point[t[0]], point[t[1]], point[t[2]]};
        }
    }
}

}  // namespace

field::TriangleMesh marching_cubes(const field::Domain& domain, const field::Grid& phi, const KeptWay& kept) {
    PHLO_CHECK(phi.layout().cells() == domain.cells);
    const Lattice lattice(domain, phi, kept);
    const Vec3i n = lattice.nodes();
    std::vector<Plane> planes(std::size_t(n.z));
    parallel_for(n.z, [&](int c) {
        find_cut_nodes(lattice, c, planes[std::size_t(c)]);
        if (c + 1 < n.z) find_cut_cubes(lattice, c, planes[std::size_t(c)]);
    });

    int points = 0, triangles = 0;
    for (Plane& plane : planes) {
        plane.first_point = points, plane.first_triangle = triangles;
        points += plane.points + plane.middles, triangles += plane.triangles;
    }
    field::TriangleMesh mesh;
    mesh.points.resize(std::size_t(points));
    mesh.triangles.resize(std::size_t(triangles));
    parallel_for(n.z, [&](int c) { place_points(lattice, c, planes[std::size_t(c)], mesh.points.data()); });
    parallel_for(n.z - 1, [&](int c) { write_triangles(n.y - 1, planes[std::size_t(c)], planes[std::size_t(c) + 1], mesh); });
    return mesh;
}

}  // namespace phlo::geom
