#include "models/gas/material_particles.h"

#include "models/gas/columns.h"

namespace phlo::models {

void MaterialParticles::add(const MaterialParticle& p) {
    position.push_back(p.position), velocity.push_back(p.velocity), amount.push_back(p.amount), species.push_back(p.species);
    body.push_back(p.body), anchor.push_back(p.anchor), id.push_back(std::uint32_t(next_id));
    ++next_id;
}

void MaterialParticles::reorder(std::span<const int> order) {
    for_each_column(*this, [&](auto& column) { reorder_column(column, order); });
}

void MaterialParticles::remove_marked(const std::vector<std::uint8_t>& dead) {
    for_each_column(*this, [&](auto& column) { remove_from_column(column, dead); });
}

double MaterialParticles::total(int of_species) const {
    double sum = 0;
    for (std::size_t i = 0; i < amount.size(); ++i)
        if (species[i] == of_species) sum += amount[i];
    return sum;
}

std::size_t MaterialParticles::bytes() const {
    std::size_t sum = 0;
    for_each_column(*this, [&](const auto& column) { sum += column.capacity() * sizeof(column[0]); });
    return sum;
}

std::vector<char> MaterialParticles::save() const {
    ColumnWriter out;
    for_each_column(*this, out);
    out(std::vector<double>{next_id});
    return out.take();
}

void MaterialParticles::load(std::span<const char> data) {
    ColumnReader in(data);
    for_each_column(*this, in);
    std::vector<double> next;
    in(next);
    bool same = next.size() == 1;
    for_each_column(*this, [&](const auto& column) { same = same && column.size() == position.size(); });
    if (!same) throw RunError("the particles in the checkpoint do not fit together");
    next_id = next[0];
}

}  // namespace phlo::models
