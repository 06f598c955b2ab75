// The velocity of vortons by the law of Biot and Savart, and its gradient: all pairs, or near pairs and expansions by a tree.
//
//   TreeVelocity tree;
//   tree.build({.position = x, .strength = gamma, .core_radius = sigma}, {.theta = 0.5});
//   tree.at_vortons(u, gradient);
//   tree.at(tracers, tracer_velocity);
//   direct_velocity({.position = x, .strength = gamma, .core_radius = sigma}, tracers, tracer_velocity);
//
//   u(x) = 1/4π Σ_j f(|x - x_j|) Γ_j × (x - x_j),      Γ_j = ω_j V_j      with the core of models/vortex_fire/biot_savart.h
//
// Vortons are the leaves of a tree whose nodes know their moments (expansion.h); targets are the leaves of another. A group of targets
// has one Taylor expansion for everything that is far from it. Node and group are far from each other if the spheres around
// them leave room between them, their radii being at most 0.5 + 0.6 θ of their distance (that of the group times 1 + t/s_0), and
//   W/d² ((s + t)/d)⁴ <= (0.3 θ)⁴ W_0/s_0²
// W: sum of |Γ| of the node, d: distance of the centres, s and t: root mean square of the distance from them; W_0 and s_0: of all vortons. The left
// side is what the first term that is left out may do to the velocity [dehnen2014]: strong nodes must be farther away than weak ones. A
// node that is near to any of the groups that are looked at together, a pack's lanes, is opened; leaves that are near act vorton by vorton.
//
// The expansion of u is the curl of a polynomial, so it has no divergence either. The result does not depend on the number of threads.
#pragma once
#include <memory>
#include <span>

#include "base/vec.h"

namespace phlo::models {

struct VortonView {
    std::span<const Vec3f> position;  ///< [m]
    std::span<const Vec3f> strength;  ///< Γ, vorticity times volume [m³/s]
    double core_radius = 0;           ///< σ, of all of them; positive [m]
};

struct VelocityGradient {
    Vec3f x, y, z;  ///< of the component u_x, of u_y and of u_z [1/s]
};

/// Where `gradient` is empty it is not computed.
void direct_velocity(const VortonView& vortons, std::span<const Vec3f> places, std::span<Vec3f> velocity, std::span<VelocityGradient> gradient = {});

struct TreeParams {
    double theta = 0.5;   ///< opening angle: smaller is more exact and slower
};

/// What the last evaluation took.
struct TreeWork {
    double pairs = 0;       ///< of vorton and target
    double expansions = 0;  ///< of node and group
};

class TreeVelocity {
public:
    TreeVelocity();
    ~TreeVelocity();
    TreeVelocity(TreeVelocity&&) noexcept;
    TreeVelocity& operator=(TreeVelocity&&) noexcept;

    /// Takes copies of what it needs.
    void build(const VortonView& vortons, const TreeParams& params = {});
    TreeWork at_vortons(std::span<Vec3f> velocity, std::span<VelocityGradient> gradient = {}) const;
    TreeWork at(std::span<const Vec3f> places, std::span<Vec3f> velocity, std::span<VelocityGradient> gradient = {}) const;
    std::size_t bytes() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace phlo::models
