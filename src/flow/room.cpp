#include "flow/room.h"

#include <algorithm>

#include "base/parallel.h"

namespace phlo::flow {
namespace {

template <class Change>
void for_each_row(const field::Grid& room, field::Grid& q, const Change& change) {
    if (room.empty()) return;
    const field::Layout& layout = q.layout();
    parallel_for(layout.nz(), [&](int k) {
        for (int j = 0; j < layout.ny(); ++j) change(room.row(j, k), q.row(j, k), layout.nx());
    });
}

}  // namespace

void find_room(const Solids& solids, field::Grid& room) {
    if (!solids.present()) return;
    const field::Layout& layout = solids.volume.layout();
    if (!(room.layout() == layout)) room = field::Grid(layout);
    for_each_row(solids.volume, room, [](const float* open, float* to, int n) {
        for (int i = 0; i < n; ++i) to[i] = open[i] > 0 ? std::max(open[i], min_room) : 0.0f;
    });
}

double sum_with_room(const field::Grid& q, const field::Grid& room) {
    if (room.empty()) return sum(q);
    const field::Layout& layout = q.layout();
    return parallel_sum(layout.nz(), [&](int k) {
        double total = 0;
        for (int j = 0; j < layout.ny(); ++j) {
            const float *value = q.row(j, k), *part = room.row(j, k);
            double row = 0;
#pragma omp simd reduction(+ : row)
            for (int i = 0; i < layout.nx(); ++i) row += double(value[i]) * double(part[i]);
            total += row;
        }
        return total;
    });
}

void to_amounts(const field::Grid& room, field::Grid& q) {
    for_each_row(room, q, [](const float* part, float* value, int n) {
#pragma omp simd
        for (int i = 0; i < n; ++i) value[i] *= part[i];
    });
}

void to_values(const field::Grid& room, field::Grid& q) {
    for_each_row(room, q, [](const float* part, float* value, int n) {
#pragma omp simd
        for (int i = 0; i < n; ++i) value[i] /= part[i] > 0 ? part[i] : 1.0f;
    });
}

double most_exposed(const Solids& solids, const field::Grid& room) {
    if (room.empty()) return 1;
    const field::Layout& layout = room.layout();
    const field::MacGrid& a = solids.aperture;
    return parallel_max(layout.nz(), 1.0, [&](int k) {
        float most = 1;
        for (int j = 0; j < layout.ny(); ++j) {
            if (!solids.special_row[std::size_t(k) * std::size_t(layout.ny()) + std::size_t(j)]) continue;
            for (int i = 0; i < layout.nx(); ++i) {
                const float open = a.x(i, j, k) + a.x(i + 1, j, k) + a.y(i, j, k) + a.y(i, j + 1, k) + a.z(i, j, k) + a.z(i, j, k + 1);
                if (room(i, j, k) > 0) most = std::max(most, open / (6 * room(i, j, k)));
            }
        }
        return double(most);
    });
}

}  // namespace phlo::flow
