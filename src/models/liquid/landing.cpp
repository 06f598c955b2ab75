#include "models/liquid/landing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/parallel.h"
#include "models/liquid/thick_body.h"
#include "particles/sample.h"

namespace phlo::models {
namespace {

constexpr double most_lost = 0.001;   ///< of the liquid's volume, in a step
constexpr double least_way = 0.1;     ///< of the fastest liquid that lands, in a step [cells]

/// Liquid on its way to a cell beside a wall.
struct Landing {
    double speed;     ///< [m/s]
    double gap;       ///< to the wall [m]
    Vec3i cell;
    Vec3f normal;     ///< of the wall, to the liquid
    Vec3f velocity;   ///< of the liquid [m/s]
};

class Landings {
public:
    /// In a step of `most` [s].
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
            if (!(phi >= 0 && double(phi) < distance_band * h_) || liquid_.wet(i, j, k) < 0) continue;
            for (int w = 0; w < 6; ++w)
                if (walls_[std::size_t(w)].kind != flow::WallKind::open && at_wall({i, j, k}, w)) {
                    Vec3f normal;
                    normal[w / 2] = w % 2 ? -1.f : 1.f;
                    look({i, j, k}, normal, 0.5 * h_, found);
                }
            if (!beside_body) continue;
            const double distance = double(solids.distance(i, j, k));
            if (distance > -h_ && distance < h_ && !solids.covered(i, j, k)) look({i, j, k}, slope(solids.distance, {i, j, k}), distance, found);
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
        const Vec3f velocity = particles::sample(liquid_.flow.velocity(), before);
        const double speed = -double(dot(velocity, normal)), gap = double(liquid_.phi(c.x, c.y, c.z)) + distance;
        if (speed > 0 && speed * most_ > gap) found.push_back({speed, gap, c, normal, velocity});
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

Unslowed::Unslowed(LiquidState& liquid) : liquid_(liquid) {
    for (const Landing& one : Landings(liquid, std::numeric_limits<double>::infinity()).find()) let_go(one.cell, one.normal, one.velocity);
}

Unslowed::~Unslowed() {
    field::MacGrid& u = liquid_.flow.edit_velocity();
    for (std::size_t n = faces_.size(); n-- > 0;) u[faces_[n].axis](faces_[n].at.x, faces_[n].at.y, faces_[n].at.z) = faces_[n].before;
}

/// Shut faces of a cell on the body's side; those of bodies that move push the liquid.
void Unslowed::let_go(const Vec3i& cell, const Vec3f& normal, const Vec3f& velocity) {
    constexpr float across = 0.3f;   // less of the normal along an axis: its faces run along with the body
    const Vec3i n = liquid_.flow.layout().cells();
    const flow::Solids& solids = liquid_.flow.solids();
    const float size = length(normal);
    if (!solids.present() || !(size > 0) || !is_thick(solids, liquid_.h(), cell, normal / size)) return;
    for (int axis = 0; axis < 3; ++axis) {
        if (std::fabs(normal[axis]) < across) continue;
        Vec3i face = cell;
        if (normal[axis] < 0) ++face[axis];
        if (face[axis] == 0 || face[axis] == n[axis]) continue;   // a wall's own cell fills up at once when its centre is reached: that makes up for what was lost on the way
        if (solids.aperture[axis](face.x, face.y, face.z) == 0 && solids.velocity[axis](face.x, face.y, face.z) == 0) change(axis, face, velocity[axis]);
    }
}

void Unslowed::change(int axis, const Vec3i& face, float velocity) {
    float& now = liquid_.flow.edit_velocity()[axis](face.x, face.y, face.z);
    faces_.push_back({axis, face, now});
    now = velocity;
}

}  // namespace phlo::models
