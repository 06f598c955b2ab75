// Which cells hold liquid, and how they are joined to each other, to the air and to what holds them: the geometry of the pressure system of a
// free surface.
//
//   LiquidCells cells(layout);
//   cells.set_up(walls, solids, phi);                 // phi < 0 in liquid; it and `solids` must live as long as the rest is asked for
//   numerics::PoissonRows rows = cells.poisson_rows();
//
//      air       .     a liquid cell c with air across a face: the surface crosses the way between the two centres at the share
//     - - - - - -.- -  theta = phi_c / (phi_c - phi_a) of it, so that the pressure gradient is (p_surface - p_c) / (theta h) [gibou2002].
//       . theta  .     theta is held to [1e-5, 1]. (With 0.01 the largest error of the gradient no longer shrinks with h; with 0.1 the
//  -----c------  .     pressure falls towards first order.)
//      liquid
//
// Faces in walls: an open wall has pressure zero one cell centre outside (walls.h). A closed one is no part of the system, unless it is
// released: then the surface lies in it, half a cell from the centre.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "field/mac.h"
#include "flow/solids.h"
#include "flow/walls.h"
#include "numerics/poisson.h"

namespace phlo::flow {

inline constexpr float smallest_theta = 1e-5f;

inline float surface_share(float phi_liquid, float phi_air) {
    const float slope = 1 - phi_air / phi_liquid;  // 1 / theta
    return slope < 1 ? 1.f : slope > 1 / smallest_theta ? smallest_theta : 1 / slope;
}

class LiquidCells {
public:
    explicit LiquidCells(const field::Layout& layout);

    /// Nothing is released afterwards. `freed`: cells with phi < 0 that are no part of the system, but count as air: the pressure is zero in their centres.
    void set_up(const Walls& walls, const Solids& solids, const field::Grid& phi, std::span<const Vec3i> freed = {});
    numerics::PoissonRows poisson_rows() const;

    bool liquid(int i, int j, int k) const { return row(j, k)[i] != 0; }
    /// 1 in liquid cells, 0 in others and one cell beyond the walls: entries -1 to nx of rows -1 to ny, planes -1 to nz.
    const std::uint8_t* row(int j, int k) const { return mask_.data() + (std::size_t(k + 1) * std::size_t(layout_.ny() + 2) + std::size_t(j + 1)) * stride_ + 1; }
    numerics::PoissonRows::Kind kind(int j, int k) const;
    bool any(int j, int k) const { return kind(j, k) != numerics::PoissonRows::outside; }
    long count() const { return count_; }
    bool at_surface(int i, int j, int k) const;  ///< is there air across an open face?

    /// Faces in wall w = 0 ... 5, by the cell before them.
    bool open_wall(int w) const { return walls_[std::size_t(w)].kind == WallKind::open; }
    bool closed_wall(int w) const { return walls_[std::size_t(w)].kind == WallKind::closed; }
    bool released(int w, int i, int j, int k) const { return !released_[std::size_t(w)].empty() && released_[std::size_t(w)][wall_index(w, i, j, k)] != 0; }
    void release(int w, int i, int j, int k, bool let_go);
    /// 1 / theta of a wall face: 0 if it is no part of the system.
    float wall_slope(int w, int i, int j, int k) const { return open_wall(w) ? 1.f : released(w, i, j, k) ? 2.f : 0.f; }

    const field::Layout& layout() const { return layout_; }
    const field::Grid& phi() const { return *phi_; }
    const Solids& solids() const { return *solids_; }
    /// Open fractions of the faces before the cells of a row along `axis`; null: all are open.
    const float* apertures(int axis, int j, int k) const;
    std::size_t bytes() const { return mask_.size() + 2 * kind_.size() + extent_.size() * sizeof(Extent); }

    void faces(int axis, int j, int k, float* face) const;                              ///< as PoissonRows asks for them
    void ground(int j, int k, const std::array<float*, 3>& ground) const;

private:
    std::size_t wall_index(int w, int i, int j, int k) const;
    void find_kinds();
    bool is_plain(int j, int k) const;

    field::Layout layout_;
    std::size_t stride_;
    std::vector<std::uint8_t> mask_, kind_;
    std::vector<std::uint8_t> filled_;  ///< [k ny + j]: every cell of the row is liquid
    struct Extent {
        int first = 0, last = 0;
    };
    std::vector<Extent> extent_;  ///< [k ny + j]: cells [first, last) hold all liquid of the row
    std::array<std::vector<std::uint8_t>, 6> released_;
    std::vector<std::uint8_t> released_row_;
    Walls walls_{};
    const Solids* solids_ = nullptr;
    const field::Grid* phi_ = nullptr;
    long count_ = 0;
};

}  // namespace phlo::flow
