#include "models/liquid/landing.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/parallel.h"
#include "particles/sample.h"

namespace phlo::models {
namespace {

constexpr double most_lost = 0.001;   ///< of the liquid's volume, in a step
constexpr double least_way = 0.1;     ///< of the fastest liquid that lands, in a step [cells]

/// Liquid on its way to a cell beside a wall.
struct Landing {
    double speed;   ///< [m/s]
    double gap;     ///< to the wall [m]
};

class Landings {
public:
    Landings(const LiquidState& liquid, double most) : liquid_(liquid), h_(liquid.h()), most_(most), n_(liquid.flow.layout().cells()), walls_(liquid.flow.walls()) {}

    std::vector<Landing> find() const {
        std::vector<std::vector<Landing>> of_plane(std::size_t(n_.z));
        parallel_for(n_.z, [&](int k) {
            for (int j = 0; j < n_.y; ++j) look_at_row(j, k, of_plane[std::size_t(k)]);
        });
        std::vector<Landing> all;
        for (const auto& plane : of_plane) all.insert(all.end(), plane.begin(), plane.end());
        return all;
    }

private:
    void look_at_row(int j, int k, std::vector<Landing>& found) const {
        const flow::Solids& solids = liquid_.flow.solids();
        const bool beside_wall = j == 0 || k == 0 || j == n_.y - 1 || k == n_.z - 1;
        const bool beside_body = solids.present() && solids.special_row[std::size_t(k) * std::size_t(n_.y) + std::size_t(j)] != 0;
        const int step = beside_wall || beside_body ? 1 : std::max(1, n_.x - 1);   // else only the row's ends
        for (int i = 0; i < n_.x; i += step) {
            const float phi = liquid_.phi(i, j, k);
            if (!(phi >= 0 && double(phi) < distance_band * h_)) continue;
            for (int w = 0; w < 6; ++w)
                if (walls_[std::size_t(w)].kind != flow::WallKind::open && at_wall({i, j, k}, w)) {
                    Vec3f normal;
                    normal[w / 2] = w % 2 ? -1.f : 1.f;
                    look({i, j, k}, normal, 0.5 * h_, found);
                }
            if (!beside_body) continue;
            const double distance = double(solids.distance(i, j, k));
            if (distance >= 0 && distance < h_ && !solids.covered(i, j, k)) look({i, j, k}, slope(solids.distance, {i, j, k}), distance, found);
        }
    }

    bool at_wall(const Vec3i& c, int w) const { return c[w / 2] == (w % 2 ? n_[w / 2] - 1 : 0); }

    /// In parts of a cell, its length as the level set has it.
    Vec3f slope(const field::Grid& q, const Vec3i& c) const {
        Vec3f s;
        for (int a = 0; a < 3; ++a) {
            Vec3i up = c, down = c;
            up[a] = std::min(c[a] + 1, n_[a] - 1), down[a] = std::max(c[a] - 1, 0);
            s[a] = (q(up.x, up.y, up.z) - q(down.x, down.y, down.z)) / (float(up[a] - down[a]) * float(h_));
        }
        return s;
    }

    /// `distance` from the cell's centre to the wall, whose normal leads to the liquid.
    void look(const Vec3i& c, const Vec3f& normal, double distance, std::vector<Landing>& found) const {
        constexpr float facing = 0.6f;   // the cosine between the wall and the surface that comes
        if (dot(slope(liquid_.phi, c), normal) > -facing) return;
        const Vec3f before = Vec3f(c) + normal * 1.5f;   // nearer than that the wall has its say
        const double speed = -double(dot(particles::sample(liquid_.flow.velocity(), before), normal)), gap = double(liquid_.phi(c.x, c.y, c.z)) + distance;
        if (speed * most_ > gap) found.push_back({speed, gap});
    }

    const LiquidState& liquid_;
    double h_, most_;
    Vec3i n_;
    flow::Walls walls_;
};

}  // namespace

double longest_step_to_landing(const LiquidState& liquid, double most) {
    const std::vector<Landing> landings = Landings(liquid, most).find();
    const double h = liquid.h(), bearable = most_lost * liquid.volume() / (h * h);
    const auto lost = [&](double dt) {
        double sum = 0;
        for (const Landing& one : landings) sum += std::max(0.0, one.speed * dt - one.gap);
        return sum;
    };
    if (lost(most) <= bearable) return most;
    double fastest = 0;
    for (const Landing& one : landings) fastest = std::max(fastest, one.speed);
    double low = std::min(most, least_way * h / fastest), high = most;
    constexpr int halvings = 20;
    for (int n = 0; n < halvings; ++n) {
        const double middle = 0.5 * (low + high);
        (lost(middle) <= bearable ? low : high) = middle;
    }
    return low;
}

}  // namespace phlo::models
