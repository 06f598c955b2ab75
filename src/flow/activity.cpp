#include "flow/activity.h"

#include <algorithm>
#include <cmath>

namespace phlo::flow {

TileSet stirred_tiles(const field::MacGrid& u, double dt, double h, const Calm& calm) {
    const float fast = float(calm.displacement * h / dt), turning = float(calm.rotation * h / dt);
    const Vec3i n = u.layout().cells();
    return TileSet::where(u.layout(), [&](const CellBox& box) {
        // Rotation around the edges at the upper side of each cell that has neighbours on both axes.
        const Vec3i last = min(box.upper, n - Vec3i(1));
        float most_speed = 0, most_turn = 0;
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j) {
                const float *__restrict x = u.x.row(j, k), *__restrict y = u.y.row(j, k), *__restrict z = u.z.row(j, k);
                float speed = 0;
#pragma omp simd reduction(max : speed)
                for (int i = box.lower.x; i < box.upper.x; ++i)
                    speed = std::max(speed, std::max(std::fabs(x[i]), std::max(std::fabs(y[i]), std::fabs(z[i]))));
                most_speed = std::max(most_speed, speed);
                if (j + 1 > last.y || k + 1 > last.z) continue;
                const float *__restrict xy = u.x.row(j + 1, k), *__restrict xz = u.x.row(j, k + 1);
                const float *__restrict yz = u.y.row(j + 1, k + 1), *__restrict y1 = u.y.row(j + 1, k);
                const float *__restrict zy = u.z.row(j + 1, k + 1), *__restrict z1 = u.z.row(j, k + 1);
                float turn = 0;
#pragma omp simd reduction(max : turn)
                for (int i = box.lower.x; i < last.x; ++i) {
                    const float ox = (zy[i] - z1[i]) - (yz[i] - y1[i]);
                    const float oy = (xz[i + 1] - x[i + 1]) - (z1[i + 1] - z1[i]);
                    const float oz = (y1[i + 1] - y1[i]) - (xy[i + 1] - x[i + 1]);
                    turn = std::max(turn, std::max(std::fabs(ox), std::max(std::fabs(oy), std::fabs(oz))));
                }
                most_turn = std::max(most_turn, turn);
            }
        return most_speed > fast || most_turn > turning;
    });
}

}  // namespace phlo::flow
