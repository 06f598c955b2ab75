// Everything an adaptive liquid (adaptive.h) is made of. The parts of a step change it: adaptive_motion.h.
#pragma once
#include <cstdint>
#include <vector>

#include "flow/block_extend.h"
#include "flow/block_projector.h"
#include "flow/block_redistance.h"
#include "flow/block_transport.h"
#include "models/liquid/adaptive_levels.h"
#include "models/liquid/liquid_setup.h"
#include "models/liquid/volume_book.h"
#include "models/shot/ledger.h"

namespace phlo::models {

struct AdaptiveState {
    AdaptiveState(const Shot& shot, const LiquidSetup& setup);

    Shot shot;
    LiquidSetup setup;
    field::Domain domain;                 ///< of the finest cells
    field::Blocks blocks;
    field::BlockField<float> phi;         ///< the level set: < 0 in the liquid, a distance within six cells, of any size, of its surface [m]
    flow::BlockVelocity u;                ///< [m/s]
    flow::BlockSolids solids;
    flow::BlockProjector projector;
    flow::FreeSurfaceReport pressure;     ///< of the last step
    flow::BlockTransport transport;
    flow::BlockMarchScratch march;
    flow::BlockExtensionScratch extension;
    field::PaddedField padded;            ///< while blocks change
    field::BlockField<float> spare;
    LevelChooser choose_levels;           ///< by liquid.adapt.mode
    std::vector<std::int8_t> needed;      ///< levels that base cells were to have at some time of this frame
    bool frame_begins = true;             ///< the next step is the first of a frame: what was not needed in the last one may become coarse
    double time = 0, last_dt = 0;         ///< [s]; last_dt 0: there was no step
    double fastest = 0;                   ///< largest component of the velocity [m/s]
    VolumeBook book;
    Ledger ledger;                        ///< of this frame
    Warnings* warnings = nullptr;         ///< of this run

    double h() const { return domain.h; }
    double volume() const;                ///< [m^3]
    flow::Walls walls() const;            ///< as they are now
    std::size_t structure_bytes() const;  ///< of the blocks themselves, without what they hold
    std::size_t bytes() const;
};

/// Cells, of any size, on either side of the surface in which phi is a distance.
inline constexpr double block_band = 6;

}  // namespace phlo::models
