#include "particles/slabs.h"

#include <gtest/gtest.h>

namespace phlo::particles {
namespace {

TEST(slabs, every_plane_meets_its_particles_once_in_their_order) {
    const std::vector<PlaneRange> ranges{{3, 9}, {-5, 2}, {0, 11}, {10, 40}, {4, 4}, {-7, -2}, {11, 15}, {8, 9}, {6, 3}};
    const int planes = 11;
    std::vector<std::vector<int>> met(planes);
    for_each_slab(planes, int(ranges.size()), [&](int p) { return ranges[std::size_t(p)]; },
                  [&](int first, int end, std::span<const int> those) {
                      for (const int p : those)
                          for (int k = std::max(first, ranges[std::size_t(p)].first); k < std::min(end, ranges[std::size_t(p)].end); ++k)
                              met[std::size_t(k)].push_back(p);
                  });
    for (int k = 0; k < planes; ++k) {
        std::vector<int> expected;
        for (int p = 0; p < int(ranges.size()); ++p)
            if (k >= ranges[std::size_t(p)].first && k < ranges[std::size_t(p)].end) expected.push_back(p);
        EXPECT_EQ(met[std::size_t(k)], expected) << "plane " << k;
    }
}

}  // namespace
}  // namespace phlo::particles
