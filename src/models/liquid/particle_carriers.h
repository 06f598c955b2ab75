// The liquid's particles in a step, where they carry its velocity (velocity: apic) or make its surface (surface: particles).
#pragma once
#include "models/liquid/liquid_state.h"

namespace phlo::models {

/// After phi was set anew: particles in the liquid, and the surface that they make.
void start_particles(LiquidState& liquid);
/// Before bodies move: none too few, none too many, each with the velocity of the flow where it is.
void prepare_particles(LiquidState& liquid, double dt);
/// With the flow as it is before the step, past bodies that are already where the step ends. phi, which was carried before, becomes the surface that
/// they make, if they do; what was deep inside it stays inside.
void carry_particles(LiquidState& liquid, double dt);
/// More particles where `level` < 0: liquid was poured there.
void add_poured_particles(LiquidState& liquid, const field::Grid& level);
/// Walls through which liquid comes in keep the cells before them full.
void pour_particles_at_walls(LiquidState& liquid);
/// Where particles that make the surface are crowded, as before a body that swept them together, the liquid shall widen: adds to the divergence that
/// the pressure gives it [1/s]. Returns in how many cells.
long widen_crowds(LiquidState& liquid, double dt, field::Grid& divergence);
/// The velocity of particles joins the one that the grid has carried.
void mix_in_particle_velocity(LiquidState& liquid);

}  // namespace phlo::models
