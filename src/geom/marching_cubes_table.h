// How a surface runs through one cube, for every choice of corners inside and of ambiguous faces. No table is typed: it is computed once, from
// the rules below.
//
//   const CubeTable& table = CubeTable::get();
//   CubeTable::Case c = table.at(inside, joined);         // bit n of `inside`: corner n; bit f of `joined`: the insides meet on face f
//
//        6 ------- 7          corner = x + 2 y + 4 z
//       /|        /|          edge   = 4 axis + (place on the next axis) + 2 (place on the one after), axes x, y, z, x, ...
//      4 ------- 5 |          face   = 2 axis + side
//      | 2 ------| 3
//      |/        |/           A face with two corners inside, opposite to each other, is ambiguous: the value at the saddle of the bilinear
//      0 ------- 1            function decides [nielson1991], so that both cubes beside the face find the same.
//
// The surface cuts each face in lines between points on its edges. The lines of all six faces join to closed loops, and each loop is filled by a
// disk of triangles. Why the mesh is a closed manifold: a line is shared by the two cubes beside its face; the four loops around a point on an edge
// join in a ring; and no triangle has a side between two points of one face other than its lines, where a neighbour might have drawn one too. Loops
// that cannot be filled so get a point in their middle.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace phlo::geom {

class CubeTable {
public:
    /// Corners of a triangle: the points on edges 0 to 11; 12 and more are middles of loops. Counter-clockwise seen from outside.
    using Triangle = std::array<std::uint8_t, 3>;
    /// The edges whose points a loop joins, as bits: its middle is their mean.
    using Loop = std::uint16_t;
    struct Case {
        std::span<const Triangle> triangles;
        std::span<const Loop> middles;
    };

    static const CubeTable& get();

    /// Bit f: face f is ambiguous.
    unsigned ambiguous(unsigned inside) const { return ambiguous_[inside]; }
    int index(unsigned inside, unsigned joined) const;
    Case at(int index) const;
    Case at(unsigned inside, unsigned joined) const { return at(index(inside, joined)); }

    /// The four corners of a face, in order around it, counter-clockwise seen from outside the cube.
    static std::array<int, 4> face_corners(int face);

private:
    CubeTable();
    void add_case(unsigned inside, unsigned joined);

    struct Range {
        int triangle = 0, triangles = 0, middle = 0, middles = 0;
    };
    std::array<std::uint8_t, 256> ambiguous_{};
    std::array<int, 256> first_{};
    std::vector<Range> cases_;
    std::vector<Triangle> triangles_;
    std::vector<Loop> middles_;
};

}  // namespace phlo::geom
