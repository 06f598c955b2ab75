#include "examples.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "base/cpu.h"
#include "base/curve.h"
#include "base/error.h"
#include "base/gather_pairs.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/json_read.h"
#include "base/log.h"
#include "base/pack_growth.h"
#include "base/pack_math.h"
#include "base/parallel.h"
#include "base/parallel_items.h"
#include "base/random.h"
#include "base/random_pack.h"
#include "base/simd.h"
#include "base/simd_rank.h"
#include "base/simd_select.h"
#include "base/stage.h"

namespace phlo {

void cpu_example() {
    if (runs_here(Cpu::avx512)) return;
    log::info("hot loops use {}", name(compiled_for));
}

void simd_select_example(const float* distance, int n, simd::Float threshold, simd::Mask mask, simd::Float x, simd::Int index, float* out, int* indices, int count) {
    simd::TrueCount near;
    for (int v = 0; v < n; v += simd::width) near.add(simd::load(distance + v) < threshold);
    int found = near.total();
    const simd::Packer pack(simd::bits(mask));
    simd::store(out + count, pack(x)), simd::store(indices + count, pack(index)), count += pack.count();
}

void simd_rank_example() {
    alignas(64) float rows[simd::width][40] = {};
    simd::Float sixteenth = simd::middle_of_rows<16>(rows[0], 40);
}

void random_pack_example(int id, int step, int stream, const RandomKey& key) {
    const WordPack words = philox({simd::Int(id), 0, step, stream}, key.seed);
    const simd::Float u = uniform(words[0]);
    const auto [a, b] = normal_pair(words[1], words[2]);
}

void curve_example() {
    Curve<double> strength = 1.0;
    Curve<Vec3d> path({{0.0, {0, 0, 1}}, {2.0, {1, 0, 1}}}, Interpolation::smooth);
    Vec3d p = path(0.5), v = path.derivative(0.5);
}

void error_example(const std::string& path) {
    throw InputError("scene.yaml:3:5: domain.resolution: expected a whole number, got 'many'");
    throw RunError(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

void hash_example() {
    std::uint64_t hash = fnv1a("campfire");
    std::uint64_t both = fnv1a(" and logs", hash);
}

void json_example(const std::vector<int>& cells) {
    json::Object().text("grid", "density").number("max", 0.5).raw("cells", json::numbers(cells)).str();
}

void log_example(const std::string& name) {
    log::warn("emitter '{}' lies outside the domain", name);
    log::once("unit-less", "...");
    Warnings warnings;
    warnings.once("sealed-domain", "...");
}

void pack_example(const double* p, double* q) {
    using P = simd::Pack<double>;
    using Wide = simd::Pack<double, 4>;
    P a = P::load(p), b = exp(a) * P(2.0);
    b = select(a < P(0.0), P(0.0), b);
    b.store(q);
}

void gather_pairs_example(const float* row, simd::Int index) {
    const simd::LaneOffsets at(index);
    simd::Float first, second;
    simd::gather_pairs(row, at, first, second);
}

void pack_growth_example(const simd::Pack<float>& amount, const simd::Pack<float>& rate, const simd::Pack<float>& dt, const simd::Pack<float>& share) {
    simd::Pack<float> decayed = amount * -expm1(-rate * dt);
    simd::Pack<float> time = -log1p(-share) / rate;
}

void parallel_example(int n, const double* value) {
    parallel_for(n, [&](int i) { (void)value[i]; });
    double s = parallel_sum(n, [&](int i) { return value[i]; });
}

struct Tally {
    void add(const Tally&) {}
};
Tally follow_photons(int) { return {}; }
void parallel_items_example(int tiles, int groups, Tally& total) {
    parallel_items(tiles, [&](int tile) { (void)tile; });
    sum_in_order(groups, [&](int g) { return follow_photons(g); },
                 [&](const Tally& part) { total.add(part); });
}

void simd_example(int n, const float* p, float* q) {
    using namespace phlo;
    for (int i = 0; i < n; i += simd::width) {
        const simd::Float a = simd::load(p + i);
        simd::store(q + i, simd::select(a < 0.0f, -a, fma(a, a, 1.0f)));
    }
}

void json_read_example() {
    json::Value message = json::parse(R"({"type": "open", "scene": "plume"})");
    std::string scene = message.text("scene", "");
    double value = message.number("value", 0);
}

void advect_velocity(int) {}
void stage_example() {
    StageTimes times;
    { Stage stage(times, "velocity"); advect_velocity(1); }
    times.seconds("velocity");
}

}  // namespace phlo
