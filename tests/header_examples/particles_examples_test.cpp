#include "examples.h"

#include "base/vec.h"
#include "particles/bins.h"
#include "particles/columns.h"
#include "particles/nearest.h"
#include "particles/order.h"
#include "particles/sample.h"
#include "particles/sample_pack.h"
#include "particles/slabs.h"
#include "particles/splat.h"

namespace phlo::particles {

void use(int) {}
void bins_example(std::span<const Vec3f> points, double side, const Vec3f& place) {
    Bins bins;
    bins.build(points, side);
    bins.order();
    bins.for_each_range(place, [&](int first, int last) { for (int s = first; s < last; ++s) use(bins.order()[s]); });
}

struct Sparks {
    std::vector<Vec3f> position;
    std::vector<float> life;
    static constexpr std::tuple columns{&Sparks::position, &Sparks::life};
};
void columns_example(const std::vector<std::uint8_t>& dead, std::span<const int> those, std::span<const int> order) {
    Sparks sparks, others;
    append(others, sparks);
    remove_marked(dead, sparks);
    remove_few(those, sparks);
    reorder(order, sparks);
    std::vector<char> bytes = save(sparks);
    load(bytes, sparks);
}

void order_example(std::span<const int> key, int key_count, Sparks& sparks) {
    std::vector<int> order = order_by(key, key_count);
    reorder(order, sparks);
}

void nearest_example(const std::vector<float>& x, const std::vector<float>& y, const std::vector<float>& z, const std::vector<std::uint32_t>& id, Sparks& set,
                     const std::vector<NearestRecord>& records, std::vector<float>& reach, std::vector<NearestSums>& sums, std::size_t i) {
    Nearest nearest;
    nearest.arrange({x, y, z, id});
    reorder(nearest.order(), set);
    nearest.sum({x, y, z, id}, 16, records, reach, sums);
    float mean = records[i].value[0] + sums[i].difference[0] / 16;
}

void sample_example(const field::Domain& domain, const Vec3f& position, const field::Grid& temperature, const field::MacGrid& velocity) {
    const Vec3f at = cells_from_world(domain, position);
    float kelvin = sample(temperature, at);
    Vec3f u = sample(velocity, at);
}

void sample_pack_example(const field::Grid& grid, const field::MacGrid& u, simd::Float x, simd::Float y, simd::Float z) {
    const PackSampler density(grid, grid.layout().cells());
    simd::Float value = density(x, y, z);
    const MacPackSampler velocity(u);
    simd::Float3 v = velocity(x, y, z);
}

int first_plane_of(int p) { return p; }
int end_plane_of(int p) { return p + 1; }
void slabs_example(const Vec3i& cells, int count) {
    for_each_slab(cells.z, count, [&](int p) { return PlaneRange{first_plane_of(p), end_plane_of(p)}; },
                  [&](int first, int end, std::span<const int> those) { for (const int p : those) (void)p; });
}

struct {
    std::vector<double> heat;
    std::vector<std::vector<double>> products;
} effects;
struct {
    std::vector<Vec3f> position;
} particles;
void splat_example(const field::Domain& domain, const field::Grid& room, double r_sp, field::Grid& excess, field::Grid& smoke) {
    const Spread into[] = {{&effects.heat, &excess}, {&effects.products[0], &smoke}};
    std::vector<double> lost = splat({.domain = domain, .open = &room, .radius = r_sp}, particles.position, into);
}

}  // namespace phlo::particles
