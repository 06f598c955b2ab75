#include "render/live/coarse.h"

#include <limits>

namespace phlo::render {
namespace {

constexpr float jump = 1.05f;  // depths farther apart than this are two things
constexpr int run = 32;        // empty pixels that are passed over at once
constexpr float infinity = std::numeric_limits<float>::infinity();

}  // namespace

void Coarse::make(const Plane& surfaces, int factor) {
    surfaces_ = &surfaces, factor_ = factor;
    if (factor == 1) return;
    const int width = (surfaces.width + factor - 1) / factor, height = (surfaces.height + factor - 1) / factor;
    depth_.resize(width, height);
    Plane near(width, height);
    parallel_for(height, [&](int y) {
        for (int x = 0; x < width; ++x) {
            float low = infinity, high = 0;
            for (int j = y * factor; j < std::min(surfaces.height, (y + 1) * factor); ++j) {
                const float* row = surfaces.row(j);
                for (int i = x * factor; i < std::min(surfaces.width, (x + 1) * factor); ++i) low = std::min(low, row[i]), high = std::max(high, row[i]);
            }
            depth_(x, y) = high, near(x, y) = low;
        }
    });
    edges_.assign(std::size_t(width) * std::size_t(height), 0);
    parallel_for(height, [&](int y) {
        for (int x = 0; x < width; ++x) {
            float low = infinity, high = 0;
            for (int j = std::max(0, y - 1); j <= std::min(height - 1, y + 1); ++j)
                for (int i = std::max(0, x - 1); i <= std::min(width - 1, x + 1); ++i) low = std::min(low, near(i, j)), high = std::max(high, depth_(i, j));
            edges_[std::size_t(y) * std::size_t(width) + std::size_t(x)] = high > jump * low && low < infinity;
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
            bool same = true;
            for (int i = 0; i < run; ++i) same &= row[from + i] == empty;
            return same;
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

void Coarse::enlarge_row(int y, std::span<const Plane* const> planes, std::span<float* const> rows, Columns columns) const {
    if (factor_ == 1) {
        for (std::size_t p = 0; p < planes.size(); ++p)
            std::copy(planes[p]->row(y) + columns.first, planes[p]->row(y) + columns.last, rows[p] + columns.first);
        return;
    }
    const Pair down = around(y, depth_.height);
    const int cell_row = y / factor_;
    for (int x = columns.first; x < columns.last;) {
        const int cell = x / factor_, end = std::min(columns.last, (cell + 1) * factor_);
        if (edge(cell, cell_row)) {
            for (; x < end; ++x) near_edge(x, y, planes, rows);
            continue;
        }
        const int before = std::max(0, cell - 1), after = std::min(depth_.width - 1, cell + 1);
        for (std::size_t p = 0; p < planes.size(); ++p) {
            const float *a = planes[p]->row(down.a), *b = planes[p]->row(down.b);
            const auto at = [&](int i) { return a[i] + (b[i] - a[i]) * down.share; };
            const float left = at(before), middle = at(cell), right = at(after);
            for (int column = x; column < end; ++column) {
                const float t = (float(column - cell * factor_) + 0.5f) / float(factor_) - 0.5f;
                rows[p][column] = t < 0 ? middle + (middle - left) * t : middle + (right - middle) * t;
            }
        }
        x = end;
    }
}

}  // namespace phlo::render
