// Carries what lies on blocks of several levels along their velocity, as advect.h does on a uniform grid: paths back in time by the midpoint rule, monotone
// cubic interpolation at their ends, inside of the block in which they end.
//
//   BlockTransport transport;
//   transport.start(blocks, u, phi);                            // copies with two ghost layers, for all that follows
//   transport.carry_level_set({.dt = dt, .h = h, .fastest = 2}, phi);
//   transport.carry_velocity({.dt = dt, .h = h}, phi, u);       // where there is liquid now
#pragma once
#include "flow/block_liquid.h"

namespace phlo::flow {

struct BlockMotion {
    double dt = 0;        ///< [s]
    double h = 1;         ///< finest cell [m]
    double fastest = 0;   ///< largest component of the velocity [m/s]
};

class BlockTransport {
public:
    /// The fields' own ghosts need not be filled; those of face fields are consistent where blocks meet.
    void start(const field::Blocks& blocks, const BlockVelocity& u, const field::BlockField<float>& phi);
    /// Cells that the surface may have come near to, others keep what they have: redistance() afterwards.
    void carry_level_set(const BlockMotion& how, field::BlockField<float>& phi) const;
    /// Faces beside liquid; others keep what they have. The ghosts of phi must be filled; those of u behind the faces of blocks are, afterwards.
    void carry_velocity(const BlockMotion& how, const field::BlockField<float>& phi, BlockVelocity& u) const;

    const PaddedVelocity& velocity() const { return u_; }
    const field::PaddedField& level_set() const { return phi_; }
    std::size_t bytes() const { return u_[0].bytes() + u_[1].bytes() + u_[2].bytes() + phi_.bytes(); }

private:
    const field::Blocks* blocks_ = nullptr;
    PaddedVelocity u_;
    field::PaddedField phi_;
};

}  // namespace phlo::flow
