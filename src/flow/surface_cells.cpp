#include "flow/surface_cells.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "flow/marker_packs.h"

namespace phlo::flow {
namespace {

template <class Body>
void for_each_row(const field::Layout& layout, const Body& body) {
    parallel_for(layout.nz(), [&](int k) {
        for (int j = 0; j < layout.ny(); ++j) body(std::size_t(layout.offset(0, j, k)));
    });
}

}  // namespace

SurfaceCells::SurfaceCells(const field::Layout& layout, std::span<const float> x, std::span<const float> y, std::span<const float> z,
                           int margin)
    : layout_(layout), cell_(x.size()), deep_(layout.size(), 1) {
    const auto cell_of = [](float at, int n) { return std::clamp(int(std::floor(at + 0.5f)), 0, n - 1); };
    for_each_marker_chunk(x.size(), [&](int, std::size_t first, std::size_t last) {
        for (std::size_t p = first; p < last; ++p)
            cell_[p] = int(layout.offset(cell_of(x[p], layout.nx()), cell_of(y[p], layout.ny()), cell_of(z[p], layout.nz())));
    });
    for_each_row(layout, [&](std::size_t at) { std::fill_n(deep_.begin() + std::ptrdiff_t(at), layout.nx(), std::uint8_t(0)); });
    for (const int c : cell_) deep_[std::size_t(c)] = 1;
    erode(margin, deep_);
}

/// Keeps the flags of cells around which all others have theirs too, two cells at a time along each axis.
void SurfaceCells::erode(int cells, Flags& flags) const {
    for (int done = 0; done < cells; done += 2)
        for (const std::ptrdiff_t step : {std::ptrdiff_t(1), layout_.stride_y(), layout_.stride_z()}) {
            const Flags before = flags;
            for_each_row(layout_, [&](std::size_t at) {
                const std::uint8_t* from = before.data() + at;
                std::uint8_t* to = flags.data() + at;
#pragma omp simd
                for (int i = 0; i < layout_.nx(); ++i)
                    to[i] = std::uint8_t(from[i] & from[i - step] & from[i + step] & from[i - 2 * step] & from[i + 2 * step]);
            });
        }
}

std::vector<int> SurfaceCells::drawn(int reach) const {
    Flags skipped = deep_;
    erode(reach, skipped);
    std::vector<std::vector<int>> of_chunk((cell_.size() + marker_chunk - 1) / marker_chunk);
    for_each_marker_chunk(cell_.size(), [&](int c, std::size_t first, std::size_t last) {
        for (std::size_t p = first; p < last; ++p)
            if (!skipped[std::size_t(cell_[p])]) of_chunk[std::size_t(c)].push_back(int(p));
    });
    std::vector<int> all;
    for (const auto& some : of_chunk) all.insert(all.end(), some.begin(), some.end());
    return all;
}

}  // namespace phlo::flow
