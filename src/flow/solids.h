// Bodies on the grid: which part of every face is open, where the bodies are, and how fast they move.
//
//   Solids solids;
//   if (rasterize(domain, bodies, time, solids)) projector.set_up(walls, solids);     // false: nothing moved
//   constrain_velocity(solids, u);                   // faces inside bodies get useful values
//   double lost = push_out(solids, density);         // what a body now covers moves to the fluid beside it
//   extend_inside(solids, density); advect(...); clear_inside(solids, density, 0);
//
// Cut cells [ng2009]: the open fraction of a face comes from the signed distances at its four corners, joined linearly along the
// edges, so that planes are exact and a sphere's volume converges at second order.
//
//      + - - - - +        a face with one corner inside the body:
//      |  open   |        aperture = 1 - covered area
//      |        /|
//      |      /  |        Fractions below `smallest_aperture` become 0: such slits carry nothing, and cells fed only through
//      + - - / # +        them would make the pressure system badly conditioned.
//
// A part of a body thinner than a cell may pass between the corners. There a face is closed if the line between its two cell
// centres goes through the body, and a cell is closed if its centre is inside and no neighbour's centre lies deep inside: no
// path of open faces leads through a plate, however thin or oblique.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "field/domain.h"
#include "field/mac.h"
#include "geom/placement.h"

namespace phlo::flow {

inline constexpr float smallest_aperture = 1e-3f;
inline constexpr int solid_band = 3;  ///< cells around and inside bodies that carry velocities

struct Solids {
    field::Grid distance;  ///< to the nearest body at cell centres and ghosts, < 0 inside; at most `far` [m]
    field::MacGrid aperture;  ///< open fraction of each face, walls included
    field::MacGrid velocity;  ///< the nearest body's velocity: mean over the covered part of a face; 0 beyond the band [m/s]
    field::Grid volume;  ///< open fraction of each cell; 0 if and only if all six faces are closed
    std::vector<std::uint8_t> special_row;  ///< [k * ny + j]: some face of a cell of the row is not fully open
    std::vector<std::uint8_t> sticky_row;  ///< [k * ny + j]: special, and near a no-slip body
    float far = 0;  ///< three cells [m]

    bool present() const { return !placed.empty(); }  ///< false: no body, grids empty
    bool covered(int i, int j, int k) const { return volume(i, j, k) == 0; }
    std::size_t bytes() const;

    // How the above was made; for the functions below.
    struct Placed : geom::Placement {
        Vec3i first, last;  ///< cells [first, last) it may touch, band included; reaches into the ghosts
        int revision = 0;  ///< of the body's shape, when it was placed
        friend bool operator==(const Placed& a, const Placed& b) {
            return a.body == b.body && a.revision == b.revision && a.pose.position == b.pose.position && a.pose.rotation.w == b.pose.rotation.w &&
                   a.pose.rotation.v == b.pose.rotation.v && a.linear == b.linear && a.angular == b.angular;
        }
    };
    struct Span {
        int first = 0, last = 0;  ///< cells [first, last) of a row; empty if first >= last
    };
    struct BandEntry {  ///< a closed face or covered cell near the fluid
        std::int16_t i, j, k;
        std::uint8_t axis, nearer;  ///< bit 2 a + s of `nearer`: the neighbour along axis a on side s is a layer nearer to the fluid
    };
    using Band = std::array<std::vector<BandEntry>, solid_band>;  ///< by layer: 0 touches the fluid
    std::vector<Placed> placed;
    std::vector<Span> span;  ///< [k * (ny + 1) + j], j <= ny, k <= nz: where bodies may be; faces reach to `last`
    Band band_faces;  ///< of bodies along which fluid slides
    Band band_cells;
};

/// Brings `solids` to time `time`. Only the surroundings of bodies that moved are visited. Returns whether anything changed.
bool rasterize(const field::Domain& domain, std::span<const geom::Placement> bodies, Solids& solids);
/// The same for bodies that follow their keyframes.
bool rasterize(const field::Domain& domain, std::span<const geom::Body> bodies, double time, Solids& solids);

/// The covered part of face (i, j, k) of component `axis`: where its centre is, and which body covers it. The body's velocity there is
/// solids.velocity of the face.
struct CoveredPart {
    Vec3d center;
    int body = 0;  ///< index into solids.placed
};
CoveredPart covered_part(const field::Domain& domain, const Solids& solids, int axis, const Vec3i& face);

/// Gives closed faces useful velocities: the body's; and, in a band of three faces where fluid may slide, the fluid's own,
/// continued inward with its normal part replaced by the body's. Open faces are not touched.
void constrain_velocity(const Solids& solids, field::MacGrid& u);

/// Hands what is in covered cells to the nearest fluid cells, in proportion to their open volume; sum(q) stays. Expects q = 0 in
/// cells that were covered before, and leaves 0 in all covered cells. Returns the amount that found no fluid and was removed.
double push_out(const Solids& solids, field::Grid& q);

/// Continues q from the fluid into the covered cells (three layers), so that interpolation near a body sees no false edge.
void extend_inside(const Solids& solids, field::Grid& q);

/// q = value in covered cells.
void clear_inside(const Solids& solids, field::Grid& q, float value);

/// How much passes through the bodies' surfaces, relative to the bodies: the sum of (a u + (1 - a) w) over the faces of each cell
/// that a body cuts, which is zero where phi is.
struct BodyFlux {
    double net = 0;  ///< over all cut cells, outward from the bodies [m^3/s]
    double largest = 0;  ///< in one cell [m^3/s]
    double gross = 0;  ///< sum of the cells' absolute values [m^3/s]
    long cells = 0;
};
BodyFlux flux_through_bodies(const field::Domain& domain, const Solids& solids, const field::MacGrid& u);

/// Volume of all bodies in the domain, from the open fractions [m^3].
double solid_volume(const field::Domain& domain, const Solids& solids);

}  // namespace phlo::flow
