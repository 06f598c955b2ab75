#include "flow/solids_region.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "flow/solids_cut.h"

namespace phlo::flow {
namespace {

using field::Domain;
using field::Layout;

constexpr int block = 4;  ///< samples along the edge of a block that is skipped as a whole
constexpr float on_surface = 1e-4f;  ///< [cells] this near, a sample counts as inside: a wall along grid faces closes them
constexpr float deep = 0.8660255f;  ///< [cells] half a cell's diagonal
constexpr float deepest = 5;  ///< [cells] distances inside are cut here; outside they are cut at the band, where every
                              ///< body's own box of cells ends, so that the same place gives the same value in any region
/// Between two bodies that touch or nearly do, a narrower slit is closed: gas in the wedge behind it would be shot through.
constexpr float narrowest_slit = 0.05f;
constexpr int margin = 2;  ///< cells around the region that the test for thin parts looks at

/// Distances at a lattice of points of spacing h, x fastest, in cells.
struct Samples {
    Vec3i first, count;
    std::vector<float> values;

    std::size_t index(int i, int j, int k) const {
        return (std::size_t(k - first.z) * std::size_t(count.y) + std::size_t(j - first.y)) * std::size_t(count.x) +
               std::size_t(i - first.x);
    }
    float operator()(int i, int j, int k) const { return values[index(i, j, k)]; }
};

class RegionRasterizer {
public:
    RegionRasterizer(const Domain& domain, const Region& region, Solids& solids)
        : domain_(domain), region_(region), solids_(solids), far_(solids.far / float(domain.h)) {
        const Vec3i ghost(Layout::ghost);
        wide_ = {max(region.first - Vec3i(margin), -ghost), min(region.last + Vec3i(margin), domain.cells + ghost)};
        for (const Solids::Placed& p : solids.placed) {
            const bool meets = p.first.x < wide_.last.x && p.last.x > wide_.first.x && p.first.y < wide_.last.y &&
                               p.last.y > wide_.first.y && p.first.z < wide_.last.z && p.last.z > wide_.first.z;
            if (!meets) continue;
            near_.push_back(&p);
            moving_ = moving_ || p.linear != Vec3d() || p.angular != Vec3d();
        }
        first_ = max(region.first, Vec3i());
        last_ = min(region.last, domain.cells);
    }

    void run() {
        centers_ = sample(wide_.first, wide_.last - wide_.first, 0.5, 0.6);  // thin parts: up to half a cell from the surface
        write_distances();
        if (first_.x >= last_.x || first_.y >= last_.y || first_.z >= last_.z) return;
        corners_ = sample(first_, last_ - first_ + Vec3i(1), 0.0, 1.0);  // cut edges: up to a cell
        parallel_for(last_.z - first_.z + 1, [&](int plane) { cut_faces(first_.z + plane); });
        parallel_for(last_.z - first_.z, [&](int plane) { cut_volumes(first_.z + plane); });
        parallel_for(last_.z - first_.z + 1, [&](int plane) { close_thin_parts(first_.z + plane); });
        parallel_for(last_.z - first_.z, [&](int plane) { settle_volumes(first_.z + plane); });
    }

private:
    /// Signed distance of the union of bodies; farther away than `exact_within` it need not be exact [m].
    double distance(const Vec3d& p, double exact_within) const {
        double least = 1e300;
        for (const Solids::Placed* b : near_)
            least = std::min(least, b->body->shape.quick_distance(b->pose.local_from_world(p), exact_within));
        return least;
    }
    double distance(const Vec3d& p) const { return distance(p, 1e300); }

    Vec3d gradient(const Vec3d& p) const {
        const double e = 1e-3 * domain_.h;
        const auto slope = [&](const Vec3d& step) { return distance(p + step) - distance(p - step); };
        const Vec3d g{slope({e, 0, 0}), slope({0, e, 0}), slope({0, 0, e})};
        const double size = length(g);
        return size > 0 ? g / size : Vec3d();
    }

    /// Distances vary by no more than the way walked, so a block far from every surface needs one sample.
    Samples sample(const Vec3i& first, const Vec3i& count, double offset, double exact_within) const {
        Samples s{first, count, std::vector<float>(std::size_t(count.x) * std::size_t(count.y) * std::size_t(count.z), far_)};
        const auto blocks = [](int n) { return (n + block - 1) / block; };
        const double inverse = 1 / domain_.h, reach = 0.5 * std::sqrt(3.0) * (block - 1);
        if (near_.empty()) return s;
        const auto world = [&](double i, double j, double k) { return domain_.origin + (Vec3d(i, j, k) + Vec3d(offset)) * domain_.h; };
        parallel_for(blocks(count.z) * blocks(count.y), [&](int item) {
            const int k0 = item / blocks(count.y) * block, j0 = item % blocks(count.y) * block;
            const int k1 = std::min(k0 + block, count.z), j1 = std::min(j0 + block, count.y);
            for (int i0 = 0; i0 < count.x; i0 += block) {
                const int i1 = std::min(i0 + block, count.x);
                const double half = 0.5 * (block - 1);
                const double middle = distance(world(first.x + i0 + half, first.y + j0 + half, first.z + k0 + half), 0) * inverse;
                const bool skip = std::fabs(middle) > reach + double(deepest) + 1;  // 1: a mesh's distances need not be exact here
                for (int k = k0; k < k1; ++k)
                    for (int j = j0; j < j1; ++j)
                        for (int i = i0; i < i1; ++i) {
                            double d =
                                skip ? middle : distance(world(first.x + i, first.y + j, first.z + k), exact_within * domain_.h) * inverse;
                            if (std::fabs(d) < double(on_surface)) d = -double(on_surface);
                            s.values[s.index(first.x + i, first.y + j, first.z + k)] = float(std::clamp(d, -double(deepest), double(far_)));
                        }
            }
        });
        return s;
    }

    void write_distances() {
        const float h = float(domain_.h);
        parallel_for(region_.last.z - region_.first.z, [&](int plane) {
            const int k = region_.first.z + plane;
            for (int j = region_.first.y; j < region_.last.y; ++j)
                for (int i = region_.first.x; i < region_.last.x; ++i) solids_.distance(i, j, k) = centers_(i, j, k) * h;
        });
    }

    /// Component `axis` of the velocity at a point, of the body nearest to it.
    float body_velocity(int axis, const Vec3d& p) const {
        const Solids::Placed* best = near_.front();
        if (near_.size() > 1) {
            double least = 1e300;
            for (const Solids::Placed* b : near_) {
                const double d = b->body->shape.signed_distance(b->pose.local_from_world(p));
                if (d < least) least = d, best = b;
            }
        }
        return float((best->linear + cross(best->angular, p - best->pose.position))[axis]);
    }

    /// Two bodies reach to within a face's half diagonal of its centre.
    bool between_bodies(const Vec3d& p) const {
        const auto touches = [&](const Solids::Placed* b) { return b->body->shape.signed_distance(b->pose.local_from_world(p)) < 0.7072 * domain_.h; };
        return std::ranges::count_if(near_, touches) > 1;
    }

    /// The velocity of a rigid body is linear along a row: value at the row's first sample, and what each cell adds.
    struct RowVelocity {
        float start = 0, step = 0;
    };
    RowVelocity row_velocity(int axis, const Vec3d& p) const {
        const Solids::Placed& b = *near_.front();
        return {float((b.linear + cross(b.angular, p - b.pose.position))[axis]), float(cross(b.angular, Vec3d(domain_.h, 0, 0))[axis])};
    }

    void cut_faces(int k) {
        for (int axis = 0; axis < 3; ++axis) {
            Vec3i ea;
            ea[axis] = 1;
            const Vec3i end = last_ + ea;
            for (int j = first_.y; j < end.y && k < end.z; ++j) cut_row(axis, j, k, end.x);
        }
    }

    void cut_row(int axis, int j, int k, int end) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        Vec3i eu, ev;
        eu[u] = 1, ev[v] = 1;
        const Vec3i euv = eu + ev;
        const auto corner_row = [&](const Vec3i& o) {
            return corners_.values.data() + corners_.index(first_.x + o.x, j + o.y, k + o.z) - first_.x;
        };
        const float *c0 = corner_row({}), *c1 = corner_row(eu), *c2 = corner_row(euv), *c3 = corner_row(ev);
        float *aperture = solids_.aperture[axis].row(j, k), *velocity = solids_.velocity[axis].row(j, k);
        const bool alone = near_.size() == 1;
        const RowVelocity along = moving_ && alone ? row_velocity(axis, domain_.face_center(axis, first_.x, j, k)) : RowVelocity{};
        for (int i = first_.x; i < end; ++i) {
            const float low = std::min(std::min(c0[i], c1[i]), std::min(c2[i], c3[i])),
                        high = std::max(std::max(c0[i], c1[i]), std::max(c2[i], c3[i]));
            aperture[i] = low >= 0 ? 1.f : 0.f;
            const bool cut = low < 0 && high >= 0, near = moving_ && low < float(solid_band);
            velocity[i] = near ? along.start + along.step * float(i - first_.x) : 0.f;
            if (!cut && (!near || alone)) continue;
            CutFace face = {aperture[i], 0.5f, 0.5f};
            if (cut) {
                face = cut_face({c0[i], c1[i], c2[i], c3[i]});
                const bool slit = !alone && face.open < narrowest_slit && between_bodies(domain_.face_center(axis, i, j, k));
                if (face.open < smallest_aperture || slit) face = {0, 0.5f, 0.5f};
                if (face.open > 1 - 2 * on_surface) face.open = 1;
                aperture[i] = face.open;
            }
            if (!near) continue;
            // A rigid velocity is linear in space, so its mean over the covered part is its value at the centroid.
            Vec3d p = domain_.origin + Vec3d(i, j, k) * domain_.h;
            p[u] += double(face.u) * domain_.h, p[v] += double(face.v) * domain_.h;
            velocity[i] = body_velocity(axis, p);
        }
    }

    std::array<float, 6> open_faces(int i, int j, int k) const {
        const field::MacGrid& a = solids_.aperture;
        return {a.x(i, j, k), a.x(i + 1, j, k), a.y(i, j, k), a.y(i, j + 1, k), a.z(i, j, k), a.z(i, j, k + 1)};
    }

    void cut_volumes(int k) {
        for (int j = first_.y; j < last_.y; ++j)
            for (int i = first_.x; i < last_.x; ++i) {
                const auto open = open_faces(i, j, k);
                float& volume = solids_.volume(i, j, k);
                volume = open[0];
                if (std::all_of(open.begin(), open.end(), [&](float o) { return o == open[0]; }) && (open[0] == 0 || open[0] == 1))
                    continue;
                std::array<float, 8> d;
                for (int c = 0; c < 8; ++c) d[std::size_t(c)] = corners_(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2 & 1));
                volume = cut_volume(d, open);
            }
    }

    /// Centre inside, but none of the 27 centres around is half a diagonal deep: the body is thinner there than a cell is wide.
    bool thin_here(int i, int j, int k) const {
        if (!(centers_(i, j, k) < 0)) return false;
        for (int c = std::max(k - 1, wide_.first.z); c <= std::min(k + 1, wide_.last.z - 1); ++c)
            for (int b = std::max(j - 1, wide_.first.y); b <= std::min(j + 1, wide_.last.y - 1); ++b)
                for (int a = std::max(i - 1, wide_.first.x); a <= std::min(i + 1, wide_.last.x - 1); ++a)
                    if (centers_(a, b, c) <= -deep) return false;
        return true;
    }

    /// A point of the segment a + s e, 0 <= s <= size, inside a body; s, or -1. The bounds da, db at its ends rule most segments out.
    double find_inside(const Vec3d& a, const Vec3d& e, double s0, double s1, double d0, double d1, int depth) const {
        if (d0 + d1 > s1 - s0 || depth == 0) return -1;
        const double middle = 0.5 * (s0 + s1), d = distance(a + e * middle);
        if (d <= 0) return middle;
        const double left = find_inside(a, e, s0, middle, d0, d, depth - 1);
        return left >= 0 ? left : find_inside(a, e, middle, s1, d, d1, depth - 1);
    }

    /// The line between two centres in the fluid goes in and out of a body through sides that face away from each other. A line that
    /// only grazes a thick body's bulge enters and leaves through the same side, and the apertures see that body already.
    bool separated(const Vec3d& a, int axis, double da, double db) const {
        const double h = domain_.h;
        if (da + db > h) return false;
        Vec3d e;
        e[axis] = 1;
        const double hit = find_inside(a, e, 0, h, da, db, 7);
        if (hit < 0) return false;
        const auto edge = [&](double outside, double inside) {
            for (int step = 0; step < 8; ++step) {
                const double middle = 0.5 * (outside + inside);
                (distance(a + e * middle) > 0 ? outside : inside) = middle;
            }
            return outside;
        };
        return dot(gradient(a + e * edge(0, hit)), gradient(a + e * edge(h, hit))) < -0.5;
    }

    void close_thin_parts(int k) {
        const float h = float(domain_.h);
        for (int axis = 0; axis < 3; ++axis) {
            Vec3i ea;
            ea[axis] = 1;
            const Vec3i end = last_ + ea;
            if (k >= end.z) continue;
            for (int j = first_.y; j < end.y; ++j)
                for (int i = first_.x; i < end.x; ++i) {
                    const Vec3i low = Vec3i(i, j, k) - ea;
                    const float dl = centers_(low.x, low.y, low.z), dh = centers_(i, j, k);
                    if (dl + dh > 1) continue;
                    if (solids_.aperture[axis](i, j, k) == 0) continue;
                    bool shut = thin_here(i, j, k) || thin_here(low.x, low.y, low.z);
                    if (!shut && dl > 0 && dh > 0)
                        shut = separated(domain_.cell_center(low.x, low.y, low.z), axis, double(dl * h), double(dh * h));
                    if (!shut) continue;
                    solids_.aperture[axis](i, j, k) = 0;
                    if (moving_) solids_.velocity[axis](i, j, k) = body_velocity(axis, domain_.face_center(axis, i, j, k));
                }
        }
    }

    void settle_volumes(int k) {
        for (int j = first_.y; j < last_.y; ++j)
            for (int i = first_.x; i < last_.x; ++i) {
                const auto open = open_faces(i, j, k);
                const bool shut = *std::max_element(open.begin(), open.end()) == 0;
                float& volume = solids_.volume(i, j, k);
                volume = shut ? 0.f : std::max(volume, smallest_aperture);
            }
    }

    const Domain& domain_;
    const Region region_;
    Region wide_;  ///< with the margin
    Solids& solids_;
    const float far_;  ///< [cells]
    Vec3i first_, last_;  ///< the region's cells inside the domain
    std::vector<const Solids::Placed*> near_;
    bool moving_ = false;
    Samples centers_, corners_;
};

}  // namespace

void rasterize_region(const Domain& domain, const Region& region, Solids& solids) { RegionRasterizer(domain, region, solids).run(); }

CoveredPart covered_part(const Domain& domain, const Solids& solids, int axis, const Vec3i& face) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    Vec3i eu, ev;
    eu[u] = 1, ev[v] = 1;
    CutFace cut{0, 0.5f, 0.5f};
    if (solids.aperture[axis](face.x, face.y, face.z) > 0) {  // as RegionRasterizer::cut_row does
        const auto corner = [&](const Vec3i& c) {
            const Vec3d p = domain.origin + Vec3d(c) * domain.h;
            double least = 1e300;
            for (const Solids::Placed& b : solids.placed)
                least = std::min(least, b.body->shape.quick_distance(b.pose.local_from_world(p), domain.h));
            least /= domain.h;
            return float(std::fabs(least) < double(on_surface) ? -double(on_surface) : std::clamp(least, -double(deepest), double(solid_band)));
        };
        cut = cut_face({corner(face), corner(face + eu), corner(face + eu + ev), corner(face + ev)});
    }
    CoveredPart part{domain.origin + Vec3d(face) * domain.h, 0};
    part.center[u] += double(cut.u) * domain.h, part.center[v] += double(cut.v) * domain.h;
    double least = 1e300;
    for (std::size_t b = 0; b < solids.placed.size() && solids.placed.size() > 1; ++b) {
        const double d = solids.placed[b].signed_distance(part.center);
        if (d < least) least = d, part.body = int(b);
    }
    return part;
}

}  // namespace phlo::flow
