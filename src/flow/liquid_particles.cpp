#include "flow/liquid_particles.h"

#include "base/error.h"
#include "particles/columns.h"

namespace phlo::flow {

std::size_t LiquidParticles::bytes() const { return particles::bytes_of(*this); }

std::array<std::vector<float>*, 4> LiquidParticles::component(int axis) {
    if (axis == 0) return {&u, &ux, &uy, &uz};
    if (axis == 1) return {&v, &vx, &vy, &vz};
    return {&w, &wx, &wy, &wz};
}

std::array<const float*, 4> LiquidParticles::component(int axis) const {
    if (axis == 0) return {u.data(), ux.data(), uy.data(), uz.data()};
    if (axis == 1) return {v.data(), vx.data(), vy.data(), vz.data()};
    return {w.data(), wx.data(), wy.data(), wz.data()};
}

std::vector<char> save(const LiquidParticles& set) {
    particles::ColumnWriter out;
    particles::for_each_column(set, out);
    out(std::vector<std::uint32_t>{set.steps});
    return out.take();
}

void load(std::span<const char> data, LiquidParticles& set) {
    particles::ColumnReader in(data);
    particles::read_columns(in, set);
    std::vector<std::uint32_t> steps;
    in(steps);
    if (steps.size() != 1 || !in.at_end()) throw RunError("the particles of the liquid in the checkpoint are of another program");
    set.steps = steps[0];
}

}  // namespace phlo::flow
