// Velocity of vortons: the tree against direct summation, with its errors.
//
//   for (const VelocityRow& row : bench_tree_velocity({20'000, 100'000})) print(row);
#pragma once
#include <string>
#include <vector>

namespace phlo::bench {

struct VelocityRow {
    std::string method;             ///< "tree" or "direct"
    int vortons = 0;
    double milliseconds = 0;        ///< velocity and gradient at all vortons; of "direct" scaled from some of them where there are many
    double build = 0, evaluate = 0; ///< parts of it [ms]
    double error = 0, max_error = 0;///< of the velocity, by its root mean square, against sums in double precision
    double ratio_to_direct = 1;     ///< how many times as fast as direct summation in the same run
};

std::vector<VelocityRow> bench_tree_velocity(const std::vector<int>& counts, double theta = 0.5);

}  // namespace phlo::bench
