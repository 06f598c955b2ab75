// Soft things are drawn at a half or a quarter of the picture's resolution and brought back to full size. At the edges of bodies full pixels take their
// values from coarse ones of their own depth, so that nothing bleeds over an edge.
//
//   Coarse coarse;
//   coarse.make(surfaces.depth(), coarse_factor(radius_in_pixels));
//   Plane red(coarse.depth().width, coarse.depth().height);                  // and green, blue and what passes: drawn before coarse.depth()
//   coarse.lay_over({&red, &green, &blue, &passed}, picture);
#pragma once
#include <array>
#include <span>

#include "render/live/tiles.h"

namespace phlo::render {

/// Pixels along a coarse one, for clouds of this size: coarse pixels still sample them well.
inline int coarse_factor(double radius) { return radius >= 7 ? 4 : radius >= 3.5 ? 2 : 1; }

class Coarse {
public:
    void make(const Plane& surfaces, int factor);

    int factor() const { return factor_; }
    /// The farthest of the pixels in each coarse one, so that nothing in front of any of them is lost.
    const Plane& depth() const { return factor_ == 1 ? *surfaces_ : depth_; }

    /// Full pixels of row y, of each plane, for x from `first` to before `last`.
    struct Columns {
        int first = 0, last = 0;
    };
    void enlarge_row(int y, std::span<const Plane* const> planes, std::span<float* const> rows, Columns columns) const;
    /// Full columns of row y that differ from `empty` in a plane.
    Columns occupied(int y, const Plane& plane, float empty) const;

    /// Over what the picture holds: red, green and blue light, and the share of what is behind that passes.
    using Layer = std::array<const Plane*, 4>;
    void lay_over(const Layer& layer, Picture& picture) const;

private:
    struct Corner {
        int x, y;
        float weight;
    };
    void near_edge(int x, int y, std::span<const Plane* const> planes, std::span<float* const> rows) const;
    /// The two coarse rows or columns around a full one, and the share of the second.
    struct Pair {
        int a, b;
        float share;
    };
    Pair around(int full, int count) const {
        const float at = (float(full) + 0.5f) / float(factor_) - 0.5f;
        const int a = std::clamp(int(std::floor(at)), 0, count - 1), b = std::min(a + 1, count - 1);
        return {a, b, std::clamp(at - float(a), 0.f, 1.f)};
    }

    const Plane* surfaces_ = nullptr;
    int factor_ = 1;
    Plane depth_;
    std::vector<unsigned char> edges_;  ///< coarse pixels at or beside which depth jumps
};

}  // namespace phlo::render
