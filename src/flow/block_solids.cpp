#include "flow/block_solids.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "flow/solids.h"
#include "flow/solids_cut.h"
#include "numerics/block_loops.h"

namespace phlo::flow {
namespace {

using field::Blocks;

/// One block among bodies.
class CutBlock {
public:
    CutBlock(const field::Domain& domain, const Blocks& blocks, int block, std::span<const geom::Placement> bodies, BlockSolids& solids)
        : blocks_(blocks), block_(block), level_(blocks.level(block)), n_(Blocks::side(level_)), size_(domain.h * blocks.size(level_)), bodies_(bodies), solids_(solids),
          corner_(domain.origin + Vec3d(blocks.place(block) * (1 << blocks.depth())) * domain.h) {}

    void run() {
        distance_.resize(std::size_t((n_ + 1) * (n_ + 1) * (n_ + 1)));
        each(Vec3i(n_ + 1), [&](const Vec3i& c) { at(c) = float(std::clamp(nearest(world(Vec3d(c))).first, -2 * size_, 2 * size_)); });
        for (int axis = 0; axis < 3; ++axis) {
            Vec3i last(n_);
            ++last[axis];
            each(last, [&](const Vec3i& c) { cut(axis, c); });
        }
        each(Vec3i(n_), [&](const Vec3i& c) { find_room(c); });
    }

private:
    template <class Each>
    static void each(const Vec3i& last, const Each& body) {
        Vec3i c;
        for (c.z = 0; c.z < last.z; ++c.z)
            for (c.y = 0; c.y < last.y; ++c.y)
                for (c.x = 0; c.x < last.x; ++c.x) body(c);
    }
    float& at(const Vec3i& c) { return distance_[std::size_t(c.x + (n_ + 1) * (c.y + (n_ + 1) * c.z))]; }
    int place(const Vec3i& c) const { return Blocks::offset(level_, c.x, c.y, c.z); }
    Vec3d world(const Vec3d& cells) const { return corner_ + cells * size_; }
    std::pair<double, const geom::Placement*> nearest(const Vec3d& p) const {
        std::pair<double, const geom::Placement*> least{1e30, nullptr};
        for (const geom::Placement& body : bodies_)
            if (const double d = body.signed_distance(p); d < least.first) least = {d, &body};
        return least;
    }

    void cut(int axis, const Vec3i& c) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        const auto corner = [&](int a, int b) {
            Vec3i p = c;
            p[u] += a, p[v] += b;
            return at(p);
        };
        CutFace face = cut_face({corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)});
        if (face.open < smallest_aperture) face = {0, 0.5f, 0.5f};
        float pushed = 0;
        if (face.open < 1) {
            Vec3d middle(c);
            middle[u] += double(face.u), middle[v] += double(face.v);
            const Vec3d p = world(middle);
            pushed = (1 - face.open) * float(nearest(p).second->velocity_at(p)[axis]);
        }
        solids_.open[std::size_t(axis)].block(blocks_, block_)[place(c)] = face.open;
        solids_.pushed[std::size_t(axis)].block(blocks_, block_)[place(c)] = pushed;
    }

    void find_room(const Vec3i& c) {
        std::array<float, 8> d;
        std::array<float, 6> open;
        for (int k = 0; k < 8; ++k) d[std::size_t(k)] = at(c + Vec3i(k & 1, k >> 1 & 1, k >> 2));
        bool shut = true;
        for (int face = 0; face < 6; ++face) {
            Vec3i f = c;
            f[face / 2] += face % 2;
            open[std::size_t(face)] = solids_.open[std::size_t(face / 2)].block(blocks_, block_)[place(f)], shut = shut && open[std::size_t(face)] == 0;
        }
        solids_.room.block(blocks_, block_)[place(c)] = shut ? 0.f : std::max(cut_volume(d, open), smallest_aperture);
    }

    const Blocks& blocks_;
    int block_, level_, n_;
    double size_;
    std::span<const geom::Placement> bodies_;
    BlockSolids& solids_;
    Vec3d corner_;
    std::vector<float> distance_;   ///< of the cells' corners [m]
};

/// What flows through a coarse face is what flows through the fine ones on it.
void join_seam(const Blocks& blocks, int block, int face, std::array<field::BlockField<float>, 3>& fields) {
    const int level = blocks.level(block), other = blocks.neighbour(block, face), axis = face / 2, first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    if (other < 0 || blocks.level(other) <= level) return;
    const float* fine = fields[std::size_t(axis)].block(blocks, other);
    float* coarse = fields[std::size_t(axis)].block(blocks, block);
    numerics::each_at_face(level, face, [&](int a, int b, int place, int ghost) {
        Vec3i at;
        at[axis] = face % 2 == 0 ? Blocks::side(level + 1) : 0;
        float sum = 0;
        for (int c = 0; c < 4; ++c) {
            at[first] = 2 * a + c % 2, at[second] = 2 * b + c / 2;
            sum += fine[Blocks::offset(level + 1, at.x, at.y, at.z)];
        }
        coarse[face % 2 == 0 ? place : ghost] = sum / 4;
    });
}

}  // namespace

void rasterize(const field::Domain& domain, const Blocks& blocks, std::span<const geom::Placement> bodies, BlockSolids& solids) {
    solids = {};
    if (bodies.empty()) return;
    solids.present = true;
    solids.room = field::BlockField<float>(blocks);
    for (std::size_t a = 0; a < 3; ++a) solids.open[a] = solids.pushed[a] = field::BlockField<float>(blocks);
    numerics::each_block(blocks, [&](int block) { CutBlock(domain, blocks, block, bodies, solids).run(); });
    numerics::each_block(blocks, [&](int block) {
        for (int face = 0; face < 6; ++face) join_seam(blocks, block, face, solids.open), join_seam(blocks, block, face, solids.pushed);
    });
}

}  // namespace phlo::flow
