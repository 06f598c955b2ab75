#include "render/live/coarse.h"

#include <limits>

#include "base/simd.h"

namespace phlo::render {
namespace {

constexpr float jump = 1.05f;  // depths farther apart than this are two things
constexpr int run = 32;        // empty pixels that are passed over at once
constexpr float infinity = std::numeric_limits<float>::infinity();

void take_extremes(int count, const float* __restrict near, const float* __restrict far, float* __restrict low, float* __restrict high) {
#pragma omp simd
    for (int i = 0; i < count; ++i) low[i] = near[i] < low[i] ? near[i] : low[i], high[i] = far[i] > high[i] ? far[i] : high[i];
}

/// Each of `middle` becomes `factor` values, on the lines to those before and after it.
template <int factor>
void spread(int count, const float* __restrict middle, float* __restrict wide) {
    static_assert(factor % 2 == 0);
    for (int i = 0; i < count; ++i) {
        const float here = middle[i], fall = here - middle[i - 1], rise = middle[i + 1] - here;
        for (int l = 0; l < factor; ++l) {
            const float t = (float(l) + 0.5f) / factor - 0.5f;
            wide[i * factor + l] = here + (l < factor / 2 ? fall : rise) * t;
        }
    }
}

}  // namespace

void Coarse::make(const Plane& surfaces, int factor) {
    surfaces_ = &surfaces, factor_ = factor;
    if (factor == 1) return;
    const int width = (surfaces.width + factor - 1) / factor, height = (surfaces.height + factor - 1) / factor;
    depth_.resize(width, height);
    Plane near(width, height);
    // Along columns first: all of a row at once.
    parallel_for(height, [&](int y) {
        std::vector<float> lows(std::size_t(width * factor), infinity), highs(std::size_t(width * factor), 0.f);
        for (int j = y * factor; j < std::min(surfaces.height, (y + 1) * factor); ++j) take_extremes(surfaces.width, surfaces.row(j), surfaces.row(j), lows.data(), highs.data());
        for (int x = 0; x < width; ++x) {
            float low = infinity, high = 0;
            for (int i = x * factor; i < (x + 1) * factor; ++i) low = std::min(low, lows[std::size_t(i)]), high = std::max(high, highs[std::size_t(i)]);
            depth_(x, y) = high, near(x, y) = low;
        }
    });
    edges_.assign(std::size_t(width) * std::size_t(height), 0);
    parallel_for(height, [&](int y) {
        std::vector<float> lows(std::size_t(width) + 2, infinity), highs(std::size_t(width) + 2, 0.f);   // and nothing at either end
        for (int j = std::max(0, y - 1); j <= std::min(height - 1, y + 1); ++j) take_extremes(width, near.row(j), depth_.row(j), lows.data() + 1, highs.data() + 1);
        unsigned char* edges = edges_.data() + std::size_t(y) * std::size_t(width);
        for (int x = 0; x < width; ++x) {
            const float *l = lows.data() + x, *h = highs.data() + x;
            const float low = std::min(std::min(l[0], l[1]), l[2]), high = std::max(std::max(h[0], h[1]), h[2]);
            edges[x] = high > jump * low && low < infinity;
        }
    });
}

Coarse::Columns Coarse::occupied(int y, const Plane& plane, float empty) const {
    const Pair rows = factor_ == 1 ? Pair{y, y, 0} : around(y, plane.height);
    int first = plane.width, last = 0;
    for (const int j : {rows.a, rows.b}) {
        const float* row = plane.row(j);
        int low = 0, high = plane.width;
        const auto all_empty = [&](int from) {
            simd::Mask same = simd::all_lanes();
            for (int i = 0; i < run; i += simd::width) same = same & (simd::load(row + from + i) == simd::Float(empty));
            return simd::all(same);
        };
        while (low + run <= high && all_empty(low)) low += run;
        while (low < high && row[low] == empty) ++low;
        while (high - run >= low && all_empty(high - run)) high -= run;
        while (high > low && row[high - 1] == empty) --high;
        if (low < high) first = std::min(first, low), last = std::max(last, high);
    }
    if (first >= last) return {};
    if (factor_ == 1) return {first, last};
    return {std::max(0, (first - 1) * factor_), std::min(surfaces_->width, (last + 1) * factor_)};
}

void Coarse::near_edge(int x, int y, std::span<const Plane* const> planes, std::span<float* const> rows) const {
    const Pair i = around(x, depth_.width), j = around(y, depth_.height);
    Corner corners[4] = {{i.a, j.a, (1 - i.share) * (1 - j.share)},
                         {i.b, j.a, i.share * (1 - j.share)},
                         {i.a, j.b, (1 - i.share) * j.share},
                         {i.b, j.b, i.share * j.share}};
    constexpr float far = 1e6f;
    const float here = std::min((*surfaces_)(x, y), far);
    float sum = 0;
    for (Corner& c : corners) {
        c.weight = (c.weight + 1e-3f) / (0.01f + std::fabs(std::min(depth_(c.x, c.y), far) - here) / here);
        sum += c.weight;
    }
    for (std::size_t p = 0; p < planes.size(); ++p) {
        float value = 0;
        for (const Corner& c : corners) value += c.weight * (*planes[p])(c.x, c.y);
        rows[p][x] = value / sum;
    }
}

void Coarse::lay_over(const Layer& layer, Picture& picture) const {
    parallel_for(picture.height(), [&](int y) {
        Columns columns = occupied(y, *layer[3], 1.f);
        for (std::size_t c = 0; c < 3; ++c) {
            const Columns more = occupied(y, *layer[c], 0.f);
            if (more.first >= more.last) continue;
            columns = columns.first < columns.last ? Columns{std::min(columns.first, more.first), std::max(columns.last, more.last)} : more;
        }
        if (columns.first >= columns.last) return;
        std::vector<float> buffer(4 * std::size_t(picture.width()));
        const auto row = [&](std::size_t c) { return buffer.data() + c * std::size_t(picture.width()); };
        enlarge_row(y, layer, std::array{row(0), row(1), row(2), row(3)}, columns);
        const float* passed = row(3);
        for (std::size_t c = 0; c < 3; ++c) {
            float* to = picture.channels[c].row(y);
            const float* light = row(c);
            for (int x = columns.first; x < columns.last; ++x) to[x] = to[x] * passed[x] + light[x];
        }
    });
}

/// Straight lines between the middles of coarse pixels: down the columns first, then along the row.
void Coarse::enlarge_row(int y, std::span<const Plane* const> planes, std::span<float* const> rows, Columns columns) const {
    if (factor_ == 1) {
        for (std::size_t p = 0; p < planes.size(); ++p)
            std::copy(planes[p]->row(y) + columns.first, planes[p]->row(y) + columns.last, rows[p] + columns.first);
        return;
    }
    const Pair down = around(y, depth_.height);
    const int first = columns.first / factor_, last = (columns.last - 1) / factor_ + 1, count = last - first;
    std::vector<float> between(std::size_t(count) + 2), wide(std::size_t(count * factor_));
    for (std::size_t p = 0; p < planes.size(); ++p) {
        const float *a = planes[p]->row(down.a) + first, *b = planes[p]->row(down.b) + first;
        const int before = std::max(0, first - 1) - first, after = std::min(depth_.width - 1, last) - first;
        const auto at = [&](int i) { return a[i] + (b[i] - a[i]) * down.share; };
        float* middle = between.data() + 1;
#pragma omp simd
        for (int i = 0; i < count; ++i) middle[i] = a[i] + (b[i] - a[i]) * down.share;
        middle[-1] = at(before), middle[count] = at(after);
        if (factor_ == 2) spread<2>(count, middle, wide.data());
        else spread<4>(count, middle, wide.data());
        std::copy(wide.data() + (columns.first - first * factor_), wide.data() + (columns.last - first * factor_), rows[p] + columns.first);
    }
    const unsigned char* edges = edges_.data() + std::size_t(y / factor_) * std::size_t(depth_.width);
    for (int cell = first; cell < last; ++cell)
        if (edges[cell] != 0)
            for (int x = std::max(columns.first, cell * factor_); x < std::min(columns.last, (cell + 1) * factor_); ++x) near_edge(x, y, planes, rows);
}

}  // namespace phlo::render
