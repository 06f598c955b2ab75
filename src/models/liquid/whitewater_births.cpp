#include <cmath>
#include <numbers>

#include "base/parallel.h"
#include "base/random.h"
#include "flow/level_set.h"
#include "models/liquid/whitewater.h"

namespace phlo::models {
namespace {

constexpr std::uint32_t white_stream = 0x77686974;
constexpr float slanted = 0.57735027f;   ///< 1 / sqrt(3)

/// To the faces and the corners of a cube: no axis is favoured. A flat surface has liquid at seven of the fourteen.
constexpr Vec3f directions[] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1},
                                {slanted, slanted, slanted},   {-slanted, slanted, slanted},   {slanted, -slanted, slanted},
                                {-slanted, -slanted, slanted}, {slanted, slanted, -slanted},   {-slanted, slanted, -slanted},
                                {slanted, -slanted, -slanted}, {-slanted, -slanted, -slanted}};
constexpr float flat_neighbours = 7;

float ramp(double value, double low, double high) { return float(std::clamp((value - low) / (high - low), 0.0, 1.0)); }

/// How fast liquid around a place closes in on it [m/s].
float approach(const LiquidAround& around, const Vec3f& p, const Vec3f& u, float reach) {
    float sum = 0;
    for (const Vec3f& e : directions) {
        const Vec3f q = p + e * reach;
        // Places on the surface itself count by half, so that rounding cannot decide about them.
        const float liquid = std::clamp(0.5f - around.level(q) / reach, 0.0f, 1.0f);
        if (liquid == 0 || around.body_distance(q) < 0) continue;
        const Vec3f difference = u - around.velocity(q);
        sum += liquid * (length(difference) + dot(difference, e));
    }
    return sum / flat_neighbours;
}

/// The Laplacian of the level set over the distance `reach`: 2 / R for a ball of liquid that is larger than that.
float bend(const LiquidAround& around, const Vec3f& p, float reach) {
    float sum = -6 * around.level(p);
    for (int n = 0; n < 6; ++n) sum += around.level(p + directions[n] * reach);
    return sum / (reach * reach);
}

/// A place near the surface, moved onto it.
Vec3f on_surface(const LiquidAround& around, Vec3f p) {
    for (int n = 0; n < 2; ++n) p -= around.normal(p) * around.level(p);
    return p;
}

/// The births of single cells.
class Nursery {
public:
    Nursery(const WhitewaterParams& params, const LiquidAround& around)
        : params_(params), numbers_(whitewater_numbers(params, around.domain)), around_(around), key_{around.seed, around.step, white_stream} {}

    /// Births of a cell, whose surface is the smoothed delta function of its level set.
    void visit(int i, int j, int k, Whitewater& made) const {
        const double h = around_.domain.h, width = 1.5 * h, phi = double((*around_.phi)(i, j, k));
        if (!(std::fabs(phi) < width) || calm(i, j, k)) return;
        const Vec3f p = on_surface(around_, Vec3f(around_.domain.cell_center(i, j, k)));
        const WhitewaterPotentials at = whitewater_potentials(params_, numbers_, around_, p);
        const double air = numbers_.trapped_air_rate * double(at.trapped_air), crest = numbers_.crest_rate * double(at.crest);
        const double area = h * h * h * (1 + std::cos(std::numbers::pi * phi / width)) / (2 * width);
        const double mean = double(at.energy) * (air + crest) * area * around_.dt;
        if (!(mean > 0)) return;
        const auto cell = std::uint32_t(i + around_.domain.cells.x * (j + around_.domain.cells.y * k));
        const int number = int(mean + double(uniform4(key_, cell)[0]));
        for (int n = 0; n < number; ++n) add({i, j, k}, cell, std::uint32_t(3 * n + 1), air / (air + crest), at, made);
    }

private:
    /// The velocity hardly changes from here to the surface: where it is half of what makes whitewater there is no need to look closer.
    bool calm(int i, int j, int k) const {
        const field::MacGrid& u = *around_.u;
        const Vec3f twice{u.x(i, j, k) + u.x(i + 1, j, k), u.y(i, j, k) + u.y(i, j + 1, k), u.z(i, j, k) + u.z(i, j, k + 1)};
        return double(dot(twice, twice)) < params_.min_speed * params_.min_speed;
    }

    /// Born at a random time of the step, it has been on its way since.
    void add(const Vec3i& c, std::uint32_t cell, std::uint32_t index, double bubble_share, const WhitewaterPotentials& at, Whitewater& made) const {
        const auto a = uniform4(key_, cell, index), b = uniform4(key_, cell, index + 1), d = uniform4(key_, cell, index + 2);
        const Vec3d inside = around_.domain.cell_center(c.x, c.y, c.z) + Vec3d(a[0] - 0.5f, a[1] - 0.5f, a[2] - 0.5f) * around_.domain.h;
        Vec3f p = on_surface(around_, Vec3f(inside));
        const Vec3f n = around_.normal(p), u = around_.velocity(p);
        const float radius = float(numbers_.radius) * std::exp2(b[0] + b[1] - 1), since = a[3] * float(around_.dt);
        const bool bubble = double(b[2]) < bubble_share;
        Vec3f own;
        if (bubble) {
            p -= n * (d[0] * float(numbers_.reach));
        } else {
            const float z = 2 * d[0] - 1, flat = std::sqrt(std::max(0.0f, 1 - z * z)), angle = 2 * std::numbers::pi_v<float> * d[1];
            Vec3f way{flat * std::cos(angle), flat * std::sin(angle), z};
            if (dot(way, n) < 0) way = -way;
            own = way * (float(params_.spread) * length(u) * std::sqrt(d[2]));
            p += n * radius + own * since;
        }
        if (around_.body_distance(p) < 0 || (bubble && around_.level(p) >= 0)) return;
        const float violence = at.energy * std::max(at.trapped_air, at.crest);
        const float life = float(params_.life) * (0.5f + d[3]) * (0.5f + 0.5f * violence);
        made.position.push_back(p), made.velocity.push_back(u + own), made.radius.push_back(radius);
        made.age.push_back(since), made.life.push_back(life), made.span.push_back(life);
        made.kind.push_back(bubble ? WhiteKind::bubble : WhiteKind::spray), made.id.push_back(0);
    }

    const WhitewaterParams& params_;
    WhitewaterNumbers numbers_;
    const LiquidAround& around_;
    RandomKey key_;
};

/// As many of the new ones as there is room for, evenly among them.
WhitewaterCounts adopt(const Whitewater& made, int limit, Whitewater& white) {
    const std::size_t room = std::size_t(limit) > white.count() ? std::size_t(limit) - white.count() : 0, all = made.count();
    Whitewater kept = made;
    if (all > room) {
        std::vector<std::uint8_t> surplus(all);
        for (std::size_t n = 0; n < all; ++n) surplus[n] = (n + 1) * room / all == n * room / all;
        particles::remove_marked(surplus, kept);
    }
    for (std::uint64_t& id : kept.id) id = white.next_id++;
    particles::append(kept, white);
    return {.born = long(kept.count()), .not_born = long(all - kept.count())};
}

}  // namespace

WhitewaterPotentials whitewater_potentials(const WhitewaterParams& params, const WhitewaterNumbers& numbers, const LiquidAround& around,
                                           const Vec3f& position) {
    const Vec3f u = around.velocity(position);
    const double square = double(dot(u, u)), speed = std::sqrt(square), reach = numbers.reach;
    WhitewaterPotentials result;
    result.energy = ramp(0.5 * square, 0.5 * params.min_speed * params.min_speed, 0.5 * params.max_speed * params.max_speed);
    if (!(result.energy > 0)) return result;
    result.trapped_air = ramp(double(approach(around, position, u, float(reach))), params.min_impact, params.max_impact);
    if (double(dot(u, around.normal(position))) >= params.alignment * speed)
        result.crest = ramp(double(bend(around, position, float(reach))), numbers.min_bend, numbers.max_bend);
    return result;
}

WhitewaterCounts form_whitewater(const WhitewaterParams& params, const LiquidAround& around, Whitewater& white) {
    if (params.amount <= 0) return {};
    const Nursery nursery(params, around);
    const std::vector<flow::CellBox> boxes = flow::band_tiles(*around.phi, 1.5 * around.domain.h).runs();
    std::vector<Whitewater> formed(boxes.size());
    parallel_for(int(boxes.size()), [&](int b) {
        const flow::CellBox& box = boxes[std::size_t(b)];
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j)
                for (int i = box.lower.x; i < box.upper.x; ++i) nursery.visit(i, j, k, formed[std::size_t(b)]);
    }, Share::one_by_one);
    Whitewater made;
    for (const Whitewater& some : formed) particles::append(some, made);
    return adopt(made, params.limit, white);
}

}  // namespace phlo::models
