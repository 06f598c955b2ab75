// Particles of liquid that carry its velocity and how it changes around them: affine particle-in-cell [jiang2015]. They keep turning water
// turning, where a velocity that is carried on the grid alone blurs, and they fly on as spray where the grid no longer sees any liquid.
//
//   LiquidParticleParams params{.domain = domain, .band = 3, .seed = seed};
//   LiquidParticles particles;
//   seed_particles(params, phi, solids, particles);                        // the first time
//   ...
//   ParticleChanges changes = reseed(params, phi, u, solids, particles);   // every step: what it added and took away is for the ledger
//   from_grid({.gain = gravity * dt, .phi = &phi, .h = domain.h}, u, particles);   // u: projected, and extended beyond the surface
//   move_particles({.domain = domain, .dt = dt}, u, particles);            // phi and the grid's own velocity are carried too
//   to_grid({.h = domain.h, .band = params.band, .phi = &phi}, particles, u, scratch);  // u: as carried; then forces, pressure
//
//        air          spray: without other particles around, gravity alone moves it
//        ------------ phi = 0
//        : : : : : :  the band: 8 particles a cell; faces take their velocity
//        - - - - - -  between, a cell thick: a mean of both
//        deep water   no particles; faces keep the velocity that the grid carried
//
// Velocities are trilinear between faces. A particle takes the velocity there and its gradient, and gives every face around it the value
// that both together have at the face: affine fields pass without any loss, and so do linear and angular momentum.
//
// A band must not pump energy into the deep water [ferstl2016]. Here a face takes a mean of two velocities that both were carried from the
// same field, with weights that depend on its depth alone: the mean of the squares is no less than the square of the mean. Particles at the
// lower end of the band, whose neighbours are missing, count for nothing, and new ones take exactly what the field is at their places.
// Where few particles are on one side of a face alone, as at the liquid's edge, they say what lies beyond them: taken at their word
// (full_weight = 0.05 of 8) they made a shearing flow gain one percent of its energy a step. There the grid's own value counts too.
//
// Particles are in cell coordinates: the centre of cell (0, 0, 0) is at (0, 0, 0). All is the same for any number of threads; the columns
// and the count of steps are all the state there is.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

#include "field/domain.h"
#include "field/mac.h"
#include "flow/advect.h"
#include "flow/solids.h"
#include "flow/walls.h"

namespace phlo::flow {

struct LiquidParticles {
    std::vector<float> x, y, z;  ///< [cells]
    std::vector<float> u, v, w;  ///< velocity [m/s]
    std::vector<float> ux, uy, uz, vx, vy, vz, wx, wy, wz;  ///< its gradient, du/dx and so on [m/s a cell]
    std::vector<std::uint8_t> flying;  ///< 1: spray, moved by gravity alone
    std::uint32_t steps = 0;  ///< since the first seeding; reseeding draws other numbers each time

    std::size_t count() const { return x.size(); }
    std::size_t bytes() const;

    using Self = LiquidParticles;
    static constexpr std::tuple columns{&Self::x,  &Self::y,  &Self::z,  &Self::u,  &Self::v,  &Self::w,  &Self::ux, &Self::uy,
                                        &Self::uz, &Self::vx, &Self::vy, &Self::vz, &Self::wx, &Self::wy, &Self::wz, &Self::flying};
    /// One component of the velocity: itself and its derivatives along x, y, z.
    std::array<std::vector<float>*, 4> component(int axis);
    std::array<const float*, 4> component(int axis) const;
};

/// For checkpoints, exactly.
std::vector<char> save(const LiquidParticles& particles);
void load(std::span<const char> data, LiquidParticles& particles);

// ---- seeding ----------------------------------------------------------------------------------------------------------
inline constexpr double no_band = std::numeric_limits<double>::infinity();

struct LiquidParticleParams {
    field::Domain domain;
    int per_axis = 2;  ///< of a cell: 8 a cell
    double band = 3;  ///< particles live within this depth below the surface [cells]; no_band: in all of the liquid
    double seed_depth = 0;  ///< new ones begin at this depth [cells]: 1 where particles make the surface, which shall not grow by new ones
    double max_height = 1;  ///< those farther out in the air are taken away [cells]; no_band: none, where particles make the surface
    double max_share = 2;  ///< a cell holds up to this many times its number
    int spray_neighbors = 4;  ///< a particle with fewer of them in the 27 cells around flies alone
    std::uint64_t seed = 0;

    int per_cell() const { return per_axis * per_axis * per_axis; }
    double volume() const { return domain.h * domain.h * domain.h / per_cell(); }  ///< of a particle [m^3]
};

/// What reseeding did, in particles.
struct ParticleChanges {
    long added = 0;
    long deep = 0;  ///< left the band downwards
    long surplus = 0;  ///< too many in a cell
    long outside = 0;  ///< too far out in the air
    long in_bodies = 0;  ///< buried in bodies: nothing could push them out
    long flying = 0;  ///< are spray now

    long removed() const { return deep + surplus + outside + in_bodies; }
};

/// The first particles, or more where liquid was poured: cells with less than half of their number get one in each empty eighth (for
/// per_axis = 2) that lies where phi < 0, outside bodies. At rest. Those that are there stay, if they are not below the band.
ParticleChanges seed_particles(const LiquidParticleParams& params, const field::Grid& phi, const Solids& solids,
                               LiquidParticles& particles);

/// Cells of the band with less than half of their number get particles in their empty eighths, with the velocity of `u` there; the surplus
/// of a cell goes, from its fullest eighths. Cells on the surface want as much less as they are less full. Particles are sorted by cells.
/// Counts the step.
ParticleChanges reseed(const LiquidParticleParams& params, const field::Grid& phi, const field::MacGrid& u, const Solids& solids,
                       LiquidParticles& particles);

// ---- motion -----------------------------------------------------------------------------------------------------------
struct ParticleMotion {
    field::Domain domain;
    double dt = 0;  ///< [s]
    Trace trace = Trace::rk2;
    const Walls* walls = nullptr;  ///< particles leave through open ones; null: all are closed
    std::span<const geom::Placement> before{}, after{};  ///< bodies at the beginning and at the end of the step, the same ones
    const field::Grid* solid_distance = nullptr;  ///< to them at the end [m]; needed with bodies
};
struct PassedParticles {
    long held = 0;  ///< by bodies and walls
    long left = 0;  ///< through open walls: they are gone
};
/// Through the velocity field; spray goes straight. Particles stay in the box and outside bodies, however thin or fast (body_contacts.h);
/// those that are held lose the velocity that goes into what holds them.
PassedParticles move_particles(const ParticleMotion& how, const field::MacGrid& u, LiquidParticles& particles);

// ---- transfers --------------------------------------------------------------------------------------------------------
struct ToGrid {
    double h = 1;  ///< [m]
    double band = no_band;  ///< as in LiquidParticleParams
    const field::Grid* phi = nullptr;  ///< where the band is, ghosts filled; needed with a band
    double full_weight = 2;  ///< faces with a smaller sum of weights mix what particles say with what they have; 8 in full cells
};
/// Scratch of to_grid(): sums of momentum and weight, one after the other for each face.
struct TransferScratch {
    std::array<std::vector<float>, 3> sums;
    std::vector<std::uint8_t> rows;
    std::size_t bytes() const;
};
/// Faces near particles take the particles' velocity, others keep what `u` holds. Ghosts of `u` are not touched.
void to_grid(const ToGrid& how, const LiquidParticles& particles, field::MacGrid& u, TransferScratch& scratch);

struct FromGrid {
    Vec3d gain{};  ///< what spray adds to its own velocity [m/s]
    const field::Grid* phi = nullptr;  ///< the liquid's surface; null: there is none
    double h = 1;  ///< [m]
};
/// Particles take the velocity of the grid and its gradient. Those less than a cell below the surface take them from that depth: nearer to it
/// values are means with the continuation into the air, which has no gradient, and a ball of water lost five times as much of its spin.
void from_grid(const FromGrid& how, const field::MacGrid& u, LiquidParticles& particles);

}  // namespace phlo::flow
