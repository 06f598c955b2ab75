#include "models/gas/heat_field.h"

#include "base/parallel.h"

namespace phlo::models {
namespace {

std::vector<const float*> rows_of(const std::vector<Substance>& substances, int j, int k) {
    std::vector<const float*> rows;
    for (const Substance& substance : substances) rows.push_back(substance.amount.row(j, k));
    return rows;
}

}  // namespace

void temperature_to_heat(const chem::HeatContent& content, const std::vector<Substance>& substances, const field::Grid& excess, field::Grid& heat) {
    const field::Layout& layout = excess.layout();
    parallel_for(layout.nz(), [&](int k) {
        for (int j = 0; j < layout.ny(); ++j)
            content.from_temperature(layout.nx(), rows_of(substances, j, k), excess.row(j, k), heat.row(j, k));
    });
}

long heat_to_temperature(const chem::HeatContent& content, const std::vector<Substance>& substances, const field::Grid& heat, field::Grid& excess) {
    const field::Layout& layout = excess.layout();
    return parallel_reduce(layout.nz(), 0L, [&](int k) {
        long lost = 0;
        for (int j = 0; j < layout.ny(); ++j)
            lost += content.to_temperature(layout.nx(), rows_of(substances, j, k), heat.row(j, k), excess.row(j, k));
        return lost;
    }, [](long a, long b) { return a + b; });
}

double sum_of_enthalpy(const chem::HeatContent& content, const std::vector<Substance>& substances, const field::Grid& excess,
                       const field::Grid* room) {
    const field::Layout& layout = excess.layout();
    return parallel_sum(layout.nz(), [&](int k) {
        std::vector<float> heat(std::size_t(layout.nx()));
        double sum = 0;
        for (int j = 0; j < layout.ny(); ++j) {
            const std::vector<const float*> rows = rows_of(substances, j, k);
            content.from_temperature(layout.nx(), rows, excess.row(j, k), heat.data());
            const auto part = [&](int i) { return room == nullptr ? 1.0 : double(room->row(j, k)[i]); };
            for (int i = 0; i < layout.nx(); ++i) sum += double(heat[std::size_t(i)]) * part(i);
            for (std::size_t s = 0; s < rows.size(); ++s) {
                double moles = 0;
                for (int i = 0; i < layout.nx(); ++i) moles += double(rows[s][i]) * part(i);
                sum += moles * content.zero(int(s));
            }
        }
        return sum;
    });
}

}  // namespace phlo::models
