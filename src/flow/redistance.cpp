#include "flow/redistance.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/parallel.h"
#include "base/simd.h"

namespace phlo::flow {
namespace {

using field::Layout;

enum Mark : std::uint8_t { far = 0, known = 1, wanted = 2, outside = 4 };  ///< `outside`: ghosts

constexpr float bucket_depth = 0.5f;  ///< [cells]
constexpr int chunk = 512;  ///< cells of one task

template <class Body>
void for_each_chunk(std::size_t count, const Body& body) {
    parallel_for(int((count + chunk - 1) / chunk),
                 [&](int c) { body(std::size_t(c) * chunk, std::min(count, (std::size_t(c) + 1) * chunk)); });
}

void set_up(const Layout& layout, MarchScratch& scratch) {
    if (scratch.layout == layout && !scratch.mark.empty()) return;
    scratch.layout = layout;
    if (!(scratch.slope.layout() == layout) || scratch.slope.empty()) scratch.slope = field::Grid(layout);
    scratch.mark.assign(layout.size(), outside);
    for (int k = 0; k < layout.nz(); ++k)
        for (int j = 0; j < layout.ny(); ++j) std::fill_n(scratch.mark.begin() + layout.offset(0, j, k), layout.nx(), far);
}

/// Cells with a neighbour of the other sign, in the order of the grid.
void find_interface(const field::Grid& phi, std::vector<int>& cells) {
    const Layout& layout = phi.layout();
    const std::ptrdiff_t sy = layout.stride_y(), sz = layout.stride_z();
    std::vector<std::vector<int>> of_plane(std::size_t(layout.nz()));
    parallel_for(layout.nz(), [&](int k) {
        for (int j = 0; j < layout.ny(); ++j) {
            const float* row = phi.row(j, k);
            const auto inside = [](const float* p) { return simd::bits(simd::load(p) < simd::Float(0.0f)); };
            for (int i = 0; i < layout.nx(); i += simd::width) {
                const float* p = row + i;
                const unsigned own = inside(p);
                unsigned differs = (own ^ inside(p - sy)) | (own ^ inside(p + sy)) | (own ^ inside(p - sz)) | (own ^ inside(p + sz)) |
                                   (own ^ inside(p - 1)) | (own ^ inside(p + 1));
                if (layout.nx() - i < simd::width) differs &= (1u << (layout.nx() - i)) - 1;
                for (; differs; differs &= differs - 1)
                    of_plane[std::size_t(k)].push_back(int(layout.offset(i + std::countr_zero(differs), j, k)));
            }
        }
    });
    cells.clear();
    for (const std::vector<int>& plane : of_plane) cells.insert(cells.end(), plane.begin(), plane.end());
}

/// |grad phi| h of a cell beside the surface.
float slope(const float* p, const std::uint8_t* mark, const std::ptrdiff_t (&step)[3]) {
    float ahead[3], behind[3];
    for (int a = 0; a < 3; ++a) {
        ahead[a] = p[step[a]] - p[0], behind[a] = p[0] - p[-step[a]];
        if (mark[step[a]] == outside) ahead[a] = behind[a];
        if (mark[-step[a]] == outside) behind[a] = mark[step[a]] == outside ? 0 : ahead[a];
        if (mark[step[a]] == outside && mark[-step[a]] == outside) ahead[a] = 0;
    }
    return surface_slope(ahead, behind);
}

/// sum of weight (u - a)^2 over the axes = 1, from the smallest a on, as many axes as are behind the front; all in cells.
float solve_eikonal(float (&a)[3], float (&weight)[3]) {
    const auto order = [&](int m, int n) {
        if (a[n] < a[m]) std::swap(a[m], a[n]), std::swap(weight[m], weight[n]);
    };
    order(0, 1), order(1, 2), order(0, 1);
    float w = weight[0], wa = w * a[0], waa = wa * a[0], u = a[0] + 1 / std::sqrt(w);
    for (int n = 1; n < 3 && a[n] < u; ++n) {
        w += weight[n], wa += weight[n] * a[n], waa += weight[n] * a[n] * a[n];
        const float root = wa * wa - w * (waa - 1);
        if (root < 0) break;
        u = (wa + std::sqrt(root)) / w;
    }
    return u;
}

/// The distance of a cell from what is known around it [cells].
float distance_at(const float* p, const std::uint8_t* mark, const std::ptrdiff_t (&step)[3], float per_cell) {
    constexpr float none = 1e30f;
    float a[3], weight[3];
    for (int axis = 0; axis < 3; ++axis) {
        const std::ptrdiff_t s = step[axis];
        const float ahead = mark[s] & known ? std::fabs(p[s]) : none, behind = mark[-s] & known ? std::fabs(p[-s]) : none;
        const std::ptrdiff_t side = ahead < behind ? s : -s;
        a[axis] = std::min(ahead, behind), weight[axis] = 1;
        if (a[axis] == none) continue;
        a[axis] *= per_cell;
        if (!(mark[2 * side] & known)) continue;
        const float further =
            (p[0] < 0 ? -p[2 * side] : p[2 * side]) * per_cell;  // beyond the surface distances are negative, seen from here
        if (further <= a[axis]) a[axis] = (4 * a[axis] - further) / 3, weight[axis] = 2.25f;
    }
    return solve_eikonal(a, weight);
}

class March {
public:
    March(const Redistancing& how, field::Grid& phi, MarchScratch& scratch)
        : how_(how),
          phi_(phi.storage().data()),
          scratch_(scratch),
          h_(float(how.h)),
          step_{1, phi.layout().stride_y(), phi.layout().stride_z()} {
        scratch_.buckets.resize(std::size_t(how.band / double(bucket_depth)) + 1);
        for (auto& bucket : scratch_.buckets) bucket.clear();
    }

    void start(const field::Grid& phi) {
        find_interface(phi, scratch_.known);
        const std::vector<int>& cells = scratch_.known;
        float* slopes = scratch_.slope.storage().data();
        for_each_chunk(cells.size(), [&](std::size_t first, std::size_t last) {
            for (std::size_t n = first; n < last; ++n) slopes[cells[n]] = slope(phi_ + cells[n], scratch_.mark.data() + cells[n], step_);
        });
        scratch_.value.resize(cells.size());
        for_each_chunk(cells.size(), [&](std::size_t first, std::size_t last) {
            for (std::size_t n = first; n < last; ++n) scratch_.value[n] = phi_[cells[n]] / steepness(smooth_slope(slopes + cells[n]) / h_);
        });
        for (const int cell : cells) slopes[cell] = 0;
        for (std::size_t n = 0; n < cells.size(); ++n) phi_[cells[n]] = scratch_.value[n], scratch_.mark[std::size_t(cells[n])] = known;
        reach_out(0, 0);
    }

    void run() {
        for (std::size_t b = 0; b < scratch_.buckets.size(); ++b) {
            // Cells that a later visit put into a lower bucket are known by now.
            const std::size_t before = scratch_.known.size();
            for (const int cell : scratch_.buckets[b]) {
                std::uint8_t& mark = scratch_.mark[std::size_t(cell)];
                if (mark & known) continue;
                mark = known;
                scratch_.known.push_back(cell);
            }
            settle(before);
            reach_out(before, b + 1);
        }
    }

private:
    float visit(int cell) const { return distance_at(phi_ + cell, scratch_.mark.data() + cell, step_, 1 / h_); }

    /// The mean around a cell beside the surface, of its like: the slope is 0 elsewhere.
    float smooth_slope(const float* slopes) const {
        float sum = 0, weights = std::numeric_limits<float>::min();
        for (int c = -1; c <= 1; ++c)
            for (int b = -1; b <= 1; ++b)
                for (int a = -1; a <= 1; ++a)
                    if (const float s = slopes[a * step_[0] + b * step_[1] + c * step_[2]]; s > 0) {
                        const float weight = float((2 - std::abs(a)) * (2 - std::abs(b)) * (2 - std::abs(c)));
                        sum += weight * s, weights += weight;
                    }
        return std::max(sum / weights, std::numeric_limits<float>::min());
    }

    /// The cells of a bucket once more, from each other too.
    void settle(std::size_t first_cell) {
        const std::size_t count = scratch_.known.size() - first_cell;
        const int* cells = scratch_.known.data() + first_cell;
        scratch_.value.resize(std::max(count, scratch_.value.size()));
        for_each_chunk(count, [&](std::size_t first, std::size_t last) {
            for (std::size_t n = first; n < last; ++n) {
                const float was = phi_[cells[n]], now = std::min(visit(cells[n]) * h_, std::fabs(was));
                scratch_.value[n] = was < 0 ? -now : now;
            }
        });
        for_each_chunk(count, [&](std::size_t first, std::size_t last) {
            for (std::size_t n = first; n < last; ++n) phi_[cells[n]] = scratch_.value[n];
        });
    }

    /// Computes the neighbours of the cells that became known last, and puts them into buckets that are still to come.
    void reach_out(std::size_t first_cell, std::size_t next_bucket) {
        std::vector<int>& cells = scratch_.wanted;
        cells.clear();
        for (std::size_t n = first_cell; n < scratch_.known.size(); ++n)
            for (const std::ptrdiff_t s : step_)
                for (const std::ptrdiff_t at : {scratch_.known[n] - s, scratch_.known[n] + s})
                    if (std::uint8_t& mark = scratch_.mark[std::size_t(at)]; mark == far) mark = wanted, cells.push_back(int(at));
        for_each_chunk(cells.size(), [&](std::size_t first, std::size_t last) {
            for (std::size_t n = first; n < last; ++n) {
                float& value = phi_[cells[n]];
                const float distance = visit(cells[n]) * h_;
                value = value < 0 ? -distance : distance;
            }
        });
        const float per_bucket = 1 / (bucket_depth * h_);
        const float band = float(how_.band) * h_;
        for (const int cell : cells) {
            scratch_.mark[std::size_t(cell)] = far;
            const float distance = std::fabs(phi_[cell]);
            if (distance < band && next_bucket < scratch_.buckets.size())
                scratch_.buckets[std::clamp(std::size_t(distance * per_bucket), next_bucket, scratch_.buckets.size() - 1)].push_back(cell);
        }
    }

    const Redistancing& how_;
    float* phi_;
    MarchScratch& scratch_;
    float h_;
    std::ptrdiff_t step_[3];
};

/// Beyond the band only the sign counts.
void flatten_rest(float band, field::Grid& phi, const MarchScratch& scratch) {
    const Layout& layout = phi.layout();
    parallel_for(layout.nz(), [&](int k) {
        for (int j = 0; j < layout.ny(); ++j) {
            float* row = phi.row(j, k);
            const std::uint8_t* mark = scratch.mark.data() + layout.offset(0, j, k);
            const simd::Float flat(band);
            for (int i = 0; i < layout.nx(); i += simd::width) {  // most packs are flat already: they are only read
                const int lanes = std::min(simd::width, layout.nx() - i);
                const unsigned all = (1u << lanes) - 1, off = ~simd::bits(simd::abs(simd::load(row + i)) == flat) & all;
                if (off == 0) continue;
                for (int l = 0; l < lanes; ++l)
                    if (mark[i + l] != known) row[i + l] = row[i + l] < 0 ? -band : band;
            }
        }
    });
}

}  // namespace

float surface_slope(const float (&ahead)[3], const float (&behind)[3]) {
    float steepest = 0, squares = 0;
    for (int a = 0; a < 3; ++a) steepest = std::max({steepest, std::fabs(ahead[a]), std::fabs(behind[a])});
    for (int a = 0; a < 3; ++a) {
        float s = 0.5f * (ahead[a] + behind[a]);
        if (std::fabs(ahead[a] - behind[a]) > 0.5f * steepest) s = std::max(std::fabs(ahead[a]), std::fabs(behind[a]));
        squares += s * s;
    }
    return std::sqrt(squares);
}

float steepness(float slope_found) {
    const float off = slope_found - 1;
    return 1 + off * std::clamp((std::fabs(off) - 0.01f) / 0.02f, 0.0f, 1.0f);
}

std::size_t MarchScratch::bytes() const {
    std::size_t total =
        mark.capacity() + (known.capacity() + wanted.capacity()) * sizeof(int) + value.capacity() * sizeof(float) + slope.bytes();
    for (const auto& bucket : buckets) total += bucket.capacity() * sizeof(int);
    return total;
}

void redistance(const Redistancing& how, field::Grid& phi, MarchScratch& scratch) {
    PHLO_CHECK(how.h > 0 && how.band >= 1);
    PHLO_CHECK(phi.layout().size() < std::size_t(std::numeric_limits<int>::max()));
    set_up(phi.layout(), scratch);
    field::extend_into_ghosts(phi, phi.layout().cells());
    March march(how, phi, scratch);
    march.start(phi);
    march.run();
    flatten_rest(float(how.band * how.h), phi, scratch);
    for (const int cell : scratch.known) scratch.mark[std::size_t(cell)] = far;
    field::extend_into_ghosts(phi, phi.layout().cells());
}

}  // namespace phlo::flow
