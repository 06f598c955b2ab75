#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "peers.h"

namespace phlo::bench {

std::optional<PeerResult> run_hypre(int n, const std::string& variant, double tolerance, int repetitions, std::string& note) {
    const auto peer = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "phlo_bench_hypre";
    if (!std::filesystem::exists(peer)) {
        note = "hypre or MPI was not found when the bench was built (libhypre-dev, libopenmpi-dev)";
        return {};
    }
    const std::string as_root = geteuid() == 0 ? "--allow-run-as-root " : "";
    const std::string command =
        fmt::format("mpirun {}--oversubscribe -np 2 '{}' {} {} {} {} 2>/dev/null", as_root, peer.string(), n, variant, tolerance, repetitions);
    std::FILE* pipe = popen(command.c_str(), "r");
    PeerResult result;
    const int fields = pipe == nullptr ? 0
                                       : std::fscanf(pipe, "hypre setup %lf solve %lf iterations %d residual %lf", &result.setup_seconds,
                                                     &result.solve_seconds, &result.iterations, &result.residual);
    const int status = pipe == nullptr ? -1 : pclose(pipe);
    if (fields == 4 && status == 0) return result;
    note = fmt::format("'{}' failed", command);
    return {};
}

}  // namespace phlo::bench
