// Spray, foam and bubbles [ihmsen2012], for a liquid with a level set on a grid: born where air is trapped and where crests break, carried by
// the water, or by themselves, and gone after a while. They weigh nothing and change nothing.
//
//   Whitewater white;
//   WhitewaterCounts counts = move_whitewater(params, around, white);     // fly, float, rise; change their kind; dissolve
//   counts += form_whitewater(params, around, white);                     // new ones, at the surface as it is now
//   for (field::Points& set : show_whitewater(white)) frame.points.push_back(std::move(set));
//
//                 .  .
//              .   spray: flies by itself                    how many are born a second on a square metre of surface:
//     ~~ foam ~~~~~~~~~~~ : on the surface                     I_k (k_ta I_ta + k_wc I_wc)
//          o  o  bubbles: rise, and follow the water
//
// symbol  meaning                                                                          ramp from 0 to 1
// I_k     kinetic energy of the surface, |u|²/2 [m²/s²]                                    from min_speed²/2 to max_speed²/2
// I_ta    trapped air: sum over liquid neighbours of |u_ij| - u_ij · x_ij / |x_ij| [m/s]   from min_impact to max_impact
// I_wc    wave crest: curvature [1/m], if u · n ≥ alignment |u|                            from min_bend to max_bend
// k_ta, k_wc   rates [1/(m² s)]
//
// What differs from the paper: its neighbours are particles within a kernel, here they are 14 places at the distance `reach` from the surface,
// the sum relative to the seven that a flat surface has; the curvature is the Laplacian of the level set over the same distance. Both are
// properties of the flow at that scale, whatever the grid. The paper counts births per particle, here they are per area, found from the
// smoothed delta function of the level set. Its spray is what has few neighbours, so that a sheet has to fall apart before it makes any; here
// trapped air gives bubbles within `reach` below the surface and crests give spray, with `spread` of their own about the water's velocity.
// The paper's bubbles rise at a speed that depends on the step; ours approach `rise`, in a time in which twice gravity (a bubble moves half
// its volume of water with it) would give them that speed.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "field/frame.h"
#include "models/liquid/liquid_around.h"
#include "models/liquid/whitewater_params.h"
#include "particles/columns.h"

namespace phlo::models {

enum class WhiteKind : std::uint8_t { spray, foam, bubble };

struct Whitewater {
    std::vector<Vec3f> position = {};    ///< [m]
    std::vector<Vec3f> velocity = {};    ///< [m/s]
    std::vector<float> radius = {};      ///< at birth [m]
    std::vector<float> age = {};         ///< since birth [s]
    std::vector<float> life = {}, span = {};   ///< as foam, or in touch with a solid: what is left of it, and what it was at birth [s]
    std::vector<WhiteKind> kind = {};
    std::vector<std::uint64_t> id = {};
    std::uint64_t next_id = 0;           ///< of the next one to be born

    std::size_t count() const { return position.size(); }
    long count(WhiteKind kind) const;
    std::size_t bytes() const { return particles::bytes_of(*this); }
    static constexpr std::tuple columns{&Whitewater::position, &Whitewater::velocity, &Whitewater::radius, &Whitewater::age,
                                        &Whitewater::life,     &Whitewater::span,     &Whitewater::kind,   &Whitewater::id};
};

/// For checkpoints, exactly.
std::vector<char> save(const Whitewater& white);
void load(std::span<const char> data, Whitewater& white);

/// What happened to their number.
struct WhitewaterCounts {
    long born = 0;
    long not_born = 0;                   ///< the limit kept them from it
    long dissolved = 0;                  ///< at the end of their lives
    long left = 0;                       ///< through open walls
    WhitewaterCounts& operator+=(const WhitewaterCounts& o) {
        born += o.born, not_born += o.not_born, dissolved += o.dissolved, left += o.left;
        return *this;
    }
};

/// Ramps from 0 to 1 at a place of the surface.
struct WhitewaterPotentials {
    float energy = 0, trapped_air = 0, crest = 0;
};
WhitewaterPotentials whitewater_potentials(const WhitewaterParams& params, const WhitewaterNumbers& numbers, const LiquidAround& around,
                                           const Vec3f& position);

/// Births in a step of around.dt, at random times within it.
WhitewaterCounts form_whitewater(const WhitewaterParams& params, const LiquidAround& around, Whitewater& white);

/// A step of around.dt in the flow as it is now.
WhitewaterCounts move_whitewater(const WhitewaterParams& params, const LiquidAround& around, Whitewater& white);

/// The sets spray, foam and bubbles, those that are not empty, with columns age and life; they shrink as their lives end.
std::vector<field::Points> show_whitewater(const Whitewater& white);

}  // namespace phlo::models
