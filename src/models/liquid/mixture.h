// Several liquids in one: of what is in a cell, so much is coffee and so much milk. They mix by being carried and folded, and nothing else: no diffusion, no
// tension between them.
//
//   Mixture mixture(layout, 2);                                          // none but the first, everywhere
//   carry_shares({.dt = dt, .h = h}, u, phi, tiles, {}, slopes, mixture);   // with the flow, before phi is
//   continue_shares(phi, h, mixture);                                    // into the air around the liquid that phi shows now
//   std::vector<double> m3 = volumes(mixture, phi, h, open);             // of each liquid
//   mend_shares(wanted, 0.1, h, open, mixture);                          // what was lost at the surface
//
// The heat of a liquid is a mixture too: of liquid at the coldest and liquid at the hottest temperature of the scene (viscosity_law.h).
//
//   symbol  meaning                                                         unit
//   c_k     share of liquid k in the liquid of a cell, sum over k = 1       1
//   f       part of a cell that is liquid, from phi                         1
//
// What is carried are the amounts f c_k of all liquids, by the conserving transport with one limiter for all of them (flow/conserve.h): what leaves a cell of one
// liquid enters the next, no share leaves [0, 1], and pure liquids stay pure. The shares are the amounts over their sum. Their sum is not f of the
// moved phi, since phi moves in another way, nor is it asked for. In the air f counts as `trace`, which is how shares are continued there.
//
// So inside the liquid each volume is kept to rounding, and at its surface as well as phi keeps the whole. What is missing there is mended: in cells that hold several
// liquids c_k becomes w_k c_k / sum(w c), with weights near 1 found by Newton's method. Cells of one liquid alone stay as they are.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "flow/conserve.h"
#include "flow/redistance.h"
#include "flow/solids.h"
#include "models/liquid/volume_book.h"

namespace phlo::models {

inline constexpr int most_liquids = 4;
/// Of each liquid, the first one first; sum 1.
using Shares = std::array<float, std::size_t(most_liquids)>;

inline Shares only(int liquid) {
    Shares all{};
    all[std::size_t(liquid)] = 1;
    return all;
}
/// The mixture of cold and hot liquid at a share of the way from one to the other.
inline Shares warm(double share) { return {float(1 - share), float(share)}; }
/// `more` parts of b to one part of a.
Shares mixed(const Shares& a, const Shares& b, double more);

struct Mixture {
    std::vector<field::Grid> share;    ///< c_k; none: there is one liquid only
    mutable field::Grid part;          ///< f, to work in
    std::vector<VolumeBook> book;      ///< of each liquid

    Mixture() = default;
    Mixture(const field::Layout& layout, int liquids);
    bool any() const { return !share.empty(); }
    std::size_t count() const { return share.size(); }
    std::size_t bytes() const;
    Shares in_cell(int i, int j, int k) const;
    void set(int i, int j, int k, const Shares& shares);
    Shares at(const Vec3f& cells) const;   ///< interpolated; without others the first liquid
};

/// `slopes`: a grid to work in. `inflow`: of walls that bring liquid in, what they bring.
using Inflow = std::array<std::optional<Shares>, 6>;
void carry_shares(const flow::Conserving& how, const field::MacGrid& u, const field::Grid& phi, const flow::TileSet& tiles, const Inflow& inflow, field::Grid& slopes,
                  Mixture& mixture);
/// Along the way out of the liquid, for three cells; cells that are liquid in part keep theirs.
void continue_shares(const field::Grid& phi, double h, Mixture& mixture);
/// Into bodies, so that nothing else is seen or met beside them.
void continue_shares_inside(const flow::Solids& solids, Mixture& mixture, flow::MarchScratch& scratch);
/// [m^3]; `open`: the part of each cell that no body covers, null: all of it. Leaves f in mixture.part.
std::vector<double> volumes(const Mixture& mixture, const field::Grid& phi, double h, const field::Grid* open);
/// Liquids come as near to the `wanted` volumes as mixed cells allow if no weight changes by more than the factor e^most. Expects f in mixture.part. Returns how
/// each has changed [m^3].
std::vector<double> mend_shares(std::span<const double> wanted, double most, double h, const field::Grid* open, Mixture& mixture);
/// Where phi shows more liquid than mixture.part did, what has come has these shares.
void mix_in_added(const field::Grid& phi, double h, const Shares& added, Mixture& mixture, field::Grid& spare);

}  // namespace phlo::models
