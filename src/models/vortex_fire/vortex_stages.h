// The stages of a step of a vortex fire, in their order.
#pragma once
#include "models/vortex_fire/vortex_state.h"

namespace phlo::models {

enum class FireEmission { starting, running };

void follow_fire(VortexState& fire);                          ///< the box, and bodies and emitters on its nodes
void emit_fuel(VortexState& fire, double dt, FireEmission emission);
void put_on_lattice(VortexState& fire);                       ///< splat, and remeshing when it is due
void sort_tracers(VortexState& fire);                         ///< when it is due; those at the end of their life go
void seed_vortons(VortexState& fire, FireEmission emission);  ///< where emitters and hot bodies have none left
void seed_tracers(VortexState& fire, double dt);
void find_velocity(VortexState& fire);
void push_gas(VortexState& fire, double dt);                  ///< by bodies and emitters; free bodies get their velocity
void change_vorticity(VortexState& fire, double dt);
void move_particles(VortexState& fire, double dt);
void move_immersed_bodies(VortexState& fire, double dt);      ///< and heat between them and the gas
void burn_fuel(VortexState& fire, double dt);

/// The same without a lattice for the velocity (velocity: tree).
void find_velocity_by_tree(VortexState& fire);
void move_by_tree(VortexState& fire, double dt, double ratio);

void take_fire_stock(VortexState& fire, const char* entry);
/// Total strength, linear and angular impulse, for the statistics.
void add_invariants(const VortexState& fire, std::vector<std::pair<std::string, double>>& numbers);

}  // namespace phlo::models
