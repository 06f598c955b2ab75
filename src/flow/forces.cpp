#include "flow/forces.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/parallel.h"

namespace phlo::flow {
namespace {

using field::Grid;
using field::Layout;
using field::MacGrid;

/// Rows of floats over a box of cells [first, last), x fastest; reused from block to block.
class Block {
public:
    void reset(Vec3i first, Vec3i last) {
        first_ = first;
        width_ = (last.x - first.x + 15) / 16 * 16;
        rows_ = last.y - first.y;
        values_.resize(std::size_t(width_) * std::size_t(rows_) * std::size_t(last.z - first.z));
    }
    /// row(j, k)[i] is the value of cell (i, j, k).
    float* row(int j, int k) { return values_.data() + (std::ptrdiff_t(k - first_.z) * rows_ + (j - first_.y)) * width_ - first_.x; }
    const float* row(int j, int k) const { return const_cast<Block*>(this)->row(j, k); }

private:
    Vec3i first_;
    int width_ = 0, rows_ = 0;
    std::vector<float> values_;
};

struct Scratch {
    Block omega[3], magnitude, force[3];
};

/// Vorticity at cell centres from central differences of the cell-centred velocity, for the cells of [first, last).
void vorticity(const MacGrid& u, double h, Vec3i first, Vec3i last, Scratch& s) {
    const float c = float(0.25 / h);  // 1/2 from averaging two faces, 1/2 from the central difference
    for (int k = first.z; k < last.z; ++k)
        for (int j = first.y; j < last.y; ++j) {
            const float *__restrict u_ym = u.x.row(j - 1, k), *__restrict u_yp = u.x.row(j + 1, k);
            const float *__restrict u_zm = u.x.row(j, k - 1), *__restrict u_zp = u.x.row(j, k + 1);
            const float *__restrict v0 = u.y.row(j, k), *__restrict v1 = u.y.row(j + 1, k);
            const float *__restrict v0_zm = u.y.row(j, k - 1), *__restrict v1_zm = u.y.row(j + 1, k - 1);
            const float *__restrict v0_zp = u.y.row(j, k + 1), *__restrict v1_zp = u.y.row(j + 1, k + 1);
            const float *__restrict w0 = u.z.row(j, k), *__restrict w1 = u.z.row(j, k + 1);
            const float *__restrict w0_ym = u.z.row(j - 1, k), *__restrict w1_ym = u.z.row(j - 1, k + 1);
            const float *__restrict w0_yp = u.z.row(j + 1, k), *__restrict w1_yp = u.z.row(j + 1, k + 1);
            float *__restrict ox = s.omega[0].row(j, k), *__restrict oy = s.omega[1].row(j, k), *__restrict oz = s.omega[2].row(j, k);
            float* __restrict m = s.magnitude.row(j, k);
#pragma omp simd
            for (int i = first.x; i < last.x; ++i) {
                const float x = c * (((w0_yp[i] + w1_yp[i]) - (w0_ym[i] + w1_ym[i])) - ((v0_zp[i] + v1_zp[i]) - (v0_zm[i] + v1_zm[i])));
                const float y = c * (((u_zp[i] + u_zp[i + 1]) - (u_zm[i] + u_zm[i + 1])) -
                                     ((w0[i + 1] + w1[i + 1]) - (w0[i - 1] + w1[i - 1])));
                const float z = c * (((v0[i + 1] + v1[i + 1]) - (v0[i - 1] + v1[i - 1])) -
                                     ((u_yp[i] + u_yp[i + 1]) - (u_ym[i] + u_ym[i + 1])));
                ox[i] = x, oy[i] = y, oz[i] = z;
                m[i] = std::sqrt(x * x + y * y + z * z);
            }
        }
}

/// Cell forces epsilon h (N x omega) for [first, last); `inside` bounds the cells whose vorticity is known.
void confinement(float strength, Vec3i first, Vec3i last, Vec3i known_first, Vec3i known_last, Scratch& s) {
    for (int k = first.z; k < last.z; ++k)
        for (int j = first.y; j < last.y; ++j) {
            const Block& m = s.magnitude;
            const float *__restrict c = m.row(j, k);
            const float *__restrict ym = m.row(std::max(j - 1, known_first.y), k), *__restrict yp = m.row(std::min(j + 1, known_last.y - 1), k);
            const float *__restrict zm = m.row(j, std::max(k - 1, known_first.z)), *__restrict zp = m.row(j, std::min(k + 1, known_last.z - 1));
            const float *__restrict ox = s.omega[0].row(j, k), *__restrict oy = s.omega[1].row(j, k), *__restrict oz = s.omega[2].row(j, k);
            float *__restrict fx = s.force[0].row(j, k), *__restrict fy = s.force[1].row(j, k), *__restrict fz = s.force[2].row(j, k);
            const auto one = [&](int i, float xm, float xp) {
                const float gx = xp - xm, gy = yp[i] - ym[i], gz = zp[i] - zm[i];
                // Where |omega| is flat there is no direction to push in; the tiny term keeps 0/0 away.
                const float scale = strength / (std::sqrt(gx * gx + gy * gy + gz * gz) + 1e-20f);
                fx[i] = scale * (gy * oz[i] - gz * oy[i]);
                fy[i] = scale * (gz * ox[i] - gx * oz[i]);
                fz[i] = scale * (gx * oy[i] - gy * ox[i]);
            };
            int begin = first.x, end = last.x;
            if (begin == known_first.x) one(begin, c[begin], c[std::min(begin + 1, known_last.x - 1)]), ++begin;
            if (end == known_last.x && end > begin) --end, one(end, c[std::max(end - 1, known_first.x)], c[end]);
#pragma omp simd
            for (int i = begin; i < end; ++i) one(i, c[i - 1], c[i + 1]);
        }
}

/// Cell forces of buoyancy, added to or stored in force[2].
void buoyancy(const Forces& f, const Grid& density, const Grid& temperature, Vec3i first, Vec3i last, bool add, Scratch& s) {
    const float alpha = float(f.alpha), beta = float(f.beta), ambient = float(f.ambient);
    for (int k = first.z; k < last.z; ++k)
        for (int j = first.y; j < last.y; ++j) {
            const float *__restrict d = density.row(j, k), *__restrict t = temperature.row(j, k);
            float* __restrict fz = s.force[2].row(j, k);
            if (!add) std::fill(fz + first.x, fz + last.x, 0.0f);
#pragma omp simd
            for (int i = first.x; i < last.x; ++i) fz[i] += beta * (t[i] - ambient) - alpha * d[i];
        }
}

/// u += dt * (mean of the two cells' forces) on the lower faces of the cells of [first, last), walls left out.
void add_to_faces(double dt, int axis, Vec3i first, Vec3i last, const Block& force, Grid& u) {
    const float c = float(0.5 * dt);
    first[axis] = std::max(first[axis], 1);
    for (int k = first.z; k < last.z; ++k)
        for (int j = first.y; j < last.y; ++j) {
            const float* __restrict upper = force.row(j, k);
            const float* __restrict lower = axis == 0 ? upper - 1 : axis == 1 ? force.row(j - 1, k) : force.row(j, k - 1);
            float* __restrict v = u.row(j, k);
#pragma omp simd
            for (int i = first.x; i < last.x; ++i) v[i] += c * (lower[i] + upper[i]);
        }
}

}  // namespace

void add_forces(const Forces& f, const MacGrid& old_u, const Grid& density, const Grid& temperature, const TileSet& active, MacGrid& u) {
    const bool confine = f.epsilon != 0, lift = f.alpha != 0 || f.beta != 0;
    if (!confine && !lift) return;
    const Vec3i n = u.layout().cells();
    active.for_each_run([&](const CellBox& box) {
        thread_local Scratch scratch;
        const Vec3i first = box.lower, last = box.upper;
        // Forces reach one cell below the block (the lower faces need both cells), vorticity one cell further all around.
        const Vec3i force_first = max(first - Vec3i(1), Vec3i()), known_first = max(first - Vec3i(2), Vec3i());
        const Vec3i known_last = min(last + Vec3i(1), n);
        for (Block& block : scratch.force) block.reset(force_first, last);
        if (confine) {
            for (Block& block : scratch.omega) block.reset(known_first, known_last);
            scratch.magnitude.reset(known_first, known_last);
            vorticity(old_u, f.h, known_first, known_last, scratch);
            confinement(float(f.epsilon * f.h), force_first, last, known_first, known_last, scratch);
        }
        if (lift) buoyancy(f, density, temperature, force_first, last, confine, scratch);
        for (int axis = confine ? 0 : 2; axis < 3; ++axis) add_to_faces(f.dt, axis, first, last, scratch.force[axis], u[axis]);
    });
}

}  // namespace phlo::flow
