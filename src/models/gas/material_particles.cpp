#include "models/gas/material_particles.h"

namespace phlo::models {

void MaterialParticles::add(const MaterialParticle& p) {
    position.push_back(p.position), velocity.push_back(p.velocity), amount.push_back(p.amount), species.push_back(p.species);
    body.push_back(p.body), anchor.push_back(p.anchor), radius.push_back(p.radius), id.push_back(std::uint32_t(next_id));
    ++next_id;
}

double MaterialParticles::total(int of_species) const {
    double sum = 0;
    for (std::size_t i = 0; i < amount.size(); ++i)
        if (species[i] == of_species) sum += amount[i];
    return sum;
}

std::vector<double> MaterialParticles::totals(std::size_t count) const {
    std::vector<double> sums(count, 0);
    for (std::size_t i = 0; i < amount.size(); ++i)
        if (species[i] < count) sums[species[i]] += amount[i];
    return sums;
}

std::vector<char> MaterialParticles::save() const {
    particles::ColumnWriter out;
    particles::for_each_column(*this, out);
    out(std::vector<double>{next_id});
    return out.take();
}

void MaterialParticles::load(std::span<const char> data) {
    particles::ColumnReader in(data);
    particles::read_columns(in, *this);
    std::vector<double> next;
    in(next);
    if (next.size() != 1) throw RunError("the particles in the checkpoint do not fit together");
    next_id = next[0];
}

}  // namespace phlo::models
