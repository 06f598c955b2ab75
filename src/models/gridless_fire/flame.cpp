#include "models/gridless_fire/flame.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "geom/noise.h"
#include "models/gridless_fire/composition.h"
#include "models/gridless_fire/stochastic.h"

namespace phlo::models {
namespace {

enum Stream : std::uint32_t { birth_stream, birth_noise_stream, step_stream, eddy_stream };
enum Gone : std::uint8_t { stays, dark, stray, aged };

constexpr double rebase_distance = 16;   ///< of the source from the origin: then the origin follows [m]
constexpr std::size_t block_size = 2048; ///< particles of one task
constexpr std::size_t part_size = 256;   ///< of them that are moved together, in the nearest cache

}  // namespace

Flame::Flame(const Torch& torch, const TorchParams& shared, std::span<const geom::Body> bodies, const Numbers& numbers)
    : torch_(torch),
      shared_(shared),
      bodies_(bodies.begin(), bodies.end()),
      numbers_(numbers),
      bed_(torch_, bodies_, numbers.seed + numbers.stream),
      eddies_({.seed = numbers.seed, .stream = numbers.stream * 16 + eddy_stream, .size = torch.eddy_size}) {}

double Flame::theta(double time) const {
    const double chi = torch_.decay(time), lambda = torch_.overlap(time);
    if (torch_.flicker == Flicker::steady) return 0;
    if (torch_.flicker == Flicker::extinction) return torch_.extinction(time);
    return mean_tick_factor(chi) < 1 ? natural_extinction(bed_.width(), chi, lambda) : 0;
}

double Flame::visible_life(double time) const {
    return std::max(1e-3, std::min(torch_.life, seconds_until(dark_composition, torch_.decay(time), torch_.overlap(time))));
}

/// Streaks overlap their neighbours a little: half again the mean distance in a flame as wide as its source.
double Flame::streak_radius(double time) const {
    if (torch_.radius > 0) return torch_.radius;
    const double height = visible_life(time) * (torch_.launch(time) + 0.4 * std::max(0.0, torch_.buoyancy(time)) * visible_life(time));
    return 0.75 * std::cbrt(0.5 * bed_.width() * bed_.width() * height / torch_.particles);
}

float Flame::shown_composition(std::size_t i) const {
    const float t = std::clamp((particles_.age[i] / float(torch_.life) - 0.4f) / 0.6f, 0.0f, 1.0f);
    return particles_.composition[i] * (1 - t * t * (3 - 2 * t));
}

/// Positions are single precision relative to an origin that stays near the source, wherever that travels.
void Flame::follow_source(const Vec3d& place) {
    if (placed_ != 0 && length(place - origin_) < rebase_distance) return;
    const Vec3d next{std::round(place.x), std::round(place.y), std::round(place.z)};
    const Vec3f by(next - origin_);
    for (std::size_t i = 0; i < particles_.count(); ++i) particles_.x[i] -= by.x, particles_.y[i] -= by.y, particles_.z[i] -= by.z;
    origin_ = next, placed_ = 1;
}

void Flame::feed(double time, double dt) {
    const geom::Pose from = source_pose(torch_, bodies_, time), to = source_pose(torch_, bodies_, time + dt);
    source_place_ = to.world_from_local(bed_.middle());
    follow_source(source_place_);
    ++steps_;
    pending_ += torch_.strength(time) * torch_.particles * dt / visible_life(time);
    const std::size_t before = particles_.count();
    const double room = std::max(0.0, double(torch_.particles) - double(before));
    const double wanted = std::min(std::floor(pending_), room);
    pending_ = std::min(pending_ - wanted, 1.0 + torch_.particles * dt / visible_life(time));
    const std::size_t born = std::size_t(wanted);
    if (born == 0) return;

    particles::for_each_column(particles_, [&](auto& column) { column.resize(before + born); });
    const double launch = torch_.launch(time), eta = torch_.brushes(time), lambda = torch_.overlap(time);
    const double u_rms = torch_.turbulence(time), omega = torch_.frequency(time);
    const double start_curve = torch_.flicker == Flicker::steady ? 1 : curve_;
    const geom::Noise pattern{.seed = std::uint32_t(torch_.noise.seed), .octaves = torch_.noise.octaves};
    constexpr int chunk = 256;
    parallel_for(int((born + chunk - 1) / chunk), [&](int c) {
        for (std::size_t b = std::size_t(c) * chunk; b < std::min(born, (std::size_t(c) + 1) * chunk); ++b) {
            const std::size_t i = before + b;
            const std::uint32_t id = std::uint32_t(next_id_) + std::uint32_t(b);
            // Fuel vapour comes unevenly: where the noise is low a place is drawn again.
            std::array<float, 4> u{};
            FuelBed::Point point;
            for (std::uint32_t attempt = 0; attempt < 6; ++attempt) {
                const auto words = philox({id, attempt, std::uint32_t(steps_), key(birth_stream).stream}, {std::uint32_t(numbers_.seed), std::uint32_t(numbers_.seed >> 32)});
                u = uniform4(key(birth_noise_stream), id, attempt);
                point = bed_.point(words[0]);
                for (int a = 0; a < 3; ++a) point.local[a] += bed_.spacing() * (double(words[std::size_t(a) + 1]) * 0x1p-32 - 0.5);
                if (torch_.noise.amplitude <= 0) break;
                const Vec3f at(point.local / torch_.noise.scale);
                const float value = std::clamp(0.5f + pattern(at.x, at.y, at.z, float(time * torch_.noise.speed)), 0.0f, 1.0f);
                if (double(u[3]) >= torch_.noise.amplitude * double(1 - value)) break;
            }
            // Born at any moment of the step, where the source then is and with the velocity it then has. The step is still to come for all: its
            // place and age are set back to the step's beginning.
            const double moment = double(u[0]);
            const Vec3d p0 = from.world_from_local(point.local), p1 = to.world_from_local(point.local), carried = (p1 - p0) / dt;
            const auto g = uniform4(key(birth_noise_stream), id, 100), h = uniform4(key(birth_noise_stream), id, 101);
            const auto normal = [](float a, float angle) { return std::sqrt(-2 * std::log(1 - double(a))) * std::cos(6.283185307179586 * double(angle)); };
            const Vec3d velocity = carried + Vec3d(normal(g[0], g[1]), normal(g[2], g[3]), normal(h[0], h[1])) * u_rms +
                                   Vec3d(0, 0, launch * (1 + torch_.launch_spread * normal(h[2], h[3])));
            const Vec3d place = p0 + (p1 - p0) * moment - velocity * (moment * dt) - origin_;
            particles_.x[i] = float(place.x), particles_.y[i] = float(place.y), particles_.z[i] = float(place.z);
            // A gamma-distributed frequency of shape 4: the law that its steps keep.
            const auto e = uniform4(key(birth_noise_stream), id, 102);
            double product = 1;
            for (const float f : e) product *= 1 - double(f);
            particles_.motion[i] = {{float(velocity.x), float(velocity.y), float(velocity.z), float(-0.25 * omega * std::log(product)), 0, 0, 0, 0}};
            const double xi = eta * point.across;
            particles_.brush[i] = std::uint32_t(std::min(std::floor(xi), double(FlameAxes::max_brushes - 1)));
            particles_.composition[i] = float(brush_composition(xi, lambda) * start_curve);
            particles_.age[i] = float(-moment * dt);
            particles_.reach[i] = 0;
            particles_.cycle[i] = std::uint32_t(cycle_);
            particles_.id[i] = id;
        }
    });
    next_id_ += double(born);
    changes_["born"] += double(born);
}

void Flame::arrange() {
    nearest_.arrange({particles_.x, particles_.y, particles_.z, particles_.id});
    reorder(nearest_.order(), particles_, spare_);
}

/// Each particle's own, so that those near it can take its mean out of theirs.
void Flame::draw_noise() {
    const std::size_t count = particles_.count();
    const RandomKey random = key(step_stream);
    const int blocks = int((count + block_size - 1) / block_size);
    parallel_for(blocks, [&](int b) {
        const std::size_t first = std::size_t(b) * block_size, size = std::min(block_size, count - first);
        float noise[3][block_size];
        draw_normals(random, {&particles_.id[first], size}, {{noise[0], size}, {noise[1], size}, {noise[2], size}});
        for (std::size_t i = 0; i < size; ++i)
            for (int a = 0; a < 3; ++a) particles_.motion[first + i].value[4 + a] = noise[a][i];
    });
}

void Flame::find_means() {
    sums_.resize(particles_.count());
    nearest_.sum({particles_.x, particles_.y, particles_.z, particles_.id}, shared_.neighbours, particles_.motion, particles_.reach, sums_);
}

void Flame::move(const Air& air, double time, double dt) {
    eddies_.drift((air.wind * 0.5 + Vec3d(0, 0, torch_.launch(time))) * dt);
    eddies_.turn(torch_.eddies(time), dt);
    axes_.find(particles_, int(std::ceil(2 * torch_.brushes(time) - 1e-9)), visible_life(time), Vec3f(source_place_ - origin_));
    gone_.assign(particles_.count(), stays);
    const std::size_t count = particles_.count();
    parallel_for(int((count + block_size - 1) / block_size), [&](int b) {
        const std::size_t end = std::min(count, (std::size_t(b) + 1) * block_size);
        for (std::size_t first = std::size_t(b) * block_size; first < end; first += part_size) move_part(air, time, dt, first, std::min(end, first + part_size));
    });
}

void Flame::move_part(const Air& air, double time, double dt, std::size_t first, std::size_t last) {
    const std::size_t size = last - first;
    constexpr std::size_t row = part_size + 16;   // rows that begin in different lines of the cache
    float u[3][row], mean[3][row], noise[3][row], around[3][row], k[row], omega[row], mean_omega[row];
    const int m = std::min(shared_.neighbours, int(particles_.count()));
    const float per = 1.0f / float(m), per_free = m > 1 ? 0.5f / float(m - 1) : 0.0f;
    const double u_rms = torch_.turbulence(time);
    const float weight = m > 1 ? float(torch_.anchor) : 1.0f, source_k = float(1.5 * u_rms * u_rms), source_omega = float(torch_.frequency(time));
    for (std::size_t i = 0; i < size; ++i) {
        const particles::NearestRecord& own = particles_.motion[first + i];
        const particles::NearestSums& sum = sums_[first + i];
        float of_mean = 0;
        for (int a = 0; a < 3; ++a) {
            const float difference = sum.difference[a];
            of_mean += difference * difference;
            u[a][i] = own.value[a], mean[a][i] = own.value[a] + difference * per;
            noise[a][i] = -sum.difference[4 + a] * per;   // the particle's own, less the mean of those around it
            around[a][i] = float(air.wind[a]);
        }
        // The local k with n - 1, and its mean frequency, drawn towards the source's values: F1 has no dissipation of its own, and would let them wander.
        const float local_k = std::max(0.0f, (sum.squares - of_mean * per) * per_free);
        k[i] = local_k + weight * (source_k - local_k);
        const float local_omega = own.value[3] + sum.difference[3] * per;
        omega[i] = own.value[3], mean_omega[i] = local_omega + weight * (source_omega - local_omega);
    }
    const std::span<const std::uint32_t> id(&particles_.id[first], size);
    const ConstColumns3 place({&particles_.x[first], size}, {&particles_.y[first], size}, {&particles_.z[first], size});
    const auto columns = [&](float(&c)[3][row]) { return Columns3{{c[0], size}, {c[1], size}, {c[2], size}}; };
    step_velocity(dt, {.mean = columns(mean), .k = {k, size}, .omega = {mean_omega, size}, .normal = columns(noise)}, columns(u));
    step_frequency(dt, key(step_stream), id, {mean_omega, size}, {omega, size});
    eddies_.add(origin_, place, torch_.eddies(time), columns(around));
    if (air.gusts) air.gusts->add(origin_, place, air.gust_speed, columns(around));

    // Lift and the air around, exactly for a step in which both are constant; then the place, and what is drawn in across the tongue.
    const double drag = torch_.drag(time);
    const float gain = float(drag > 0 ? -std::expm1(-drag * dt) : 0.0), lift_time = float(drag > 0 ? -std::expm1(-drag * dt) / drag : dt);
    const float lift = float(torch_.buoyancy(time)), half_dt = float(0.5 * dt), drawn = float(-std::expm1(-torch_.taper(time) * dt));
    const float far = float(torch_.stray * bed_.half_width());
    for (std::size_t i = 0; i < size; ++i) {
        const std::size_t at = first + i;
        float* own = particles_.motion[at].value;
        for (int a = 0; a < 3; ++a) u[a][i] += gain * (around[a][i] - u[a][i]);
        u[2][i] += lift * particles_.composition[at] * lift_time;
        Vec3f p(particles_.x[at] + half_dt * (own[0] + u[0][i]), particles_.y[at] + half_dt * (own[1] + u[1][i]), particles_.z[at] + half_dt * (own[2] + u[2][i]));
        const Vec3f away = axes_.away(particles_.brush[at], particles_.age[at], p);
        p -= away * drawn;
        if (dot(away, away) > far * far) gone_[at] = stray;
        particles_.x[at] = p.x, particles_.y[at] = p.y, particles_.z[at] = p.z;
        own[0] = u[0][i], own[1] = u[1][i], own[2] = u[2][i], own[3] = omega[i];
    }
}

void Flame::burn(double time, double dt) {
    const double chi = torch_.decay(time);
    const RandomKey random = key(step_stream);
    const std::size_t count = particles_.count();
    struct Cycle {
        double composition = 0, count = 0;
    };
    const Cycle now = parallel_reduce(int((count + block_size - 1) / block_size), Cycle{}, [&](int b) {
        const std::size_t first = std::size_t(b) * block_size, last = std::min(count, first + block_size);
        step_composition(dt, random, {&particles_.id[first], last - first}, chi, {&particles_.composition[first], last - first});
        Cycle sum;
        for (std::size_t i = first; i < last; ++i) {
            particles_.age[i] += float(dt);
            if (particles_.cycle[i] == std::uint32_t(cycle_)) sum.composition += double(particles_.composition[i]), sum.count += 1;
            if (gone_[i]) continue;
            if (particles_.composition[i] < float(dark_composition)) gone_[i] = dark;
            else if (particles_.age[i] > float(torch_.life)) gone_[i] = aged;
        }
        return sum;
    }, [](Cycle a, const Cycle& b) { return a.composition += b.composition, a.count += b.count, a; });

    // The cycle's curve falls as the mean does; where nobody burns it stands for the mean.
    curve_ *= std::pow(mean_tick_factor(chi), ticks_per_second * dt);
    mean_composition_ = now.count > 0 ? now.composition / now.count : curve_ * mean_brush_composition(torch_.overlap(time));
    std::vector<int> dead;
    for (std::size_t i = 0; i < count; ++i) {
        if (!gone_[i]) continue;
        dead.push_back(int(i));
        const bool earlier = particles_.cycle[i] != std::uint32_t(cycle_);
        changes_[gone_[i] == stray ? "stray" : gone_[i] == aged ? "aged" : earlier ? "extinguished" : "dark"] -= 1;
        if (gone_[i] == stray) pending_ += 1;   // replaced at once; the others by the steady stream
    }
    particles::for_each_column(burnt_out_, [](auto& column) { column.clear(); });
    if (shared_.smoke.share.keys().size() > 1 || shared_.smoke.share(0) > 0)
        for (const int i : dead)
            if (gone_[std::size_t(i)] != stray)
                std::apply([&](auto... column) { ((burnt_out_.*column).push_back((particles_.*column)[std::size_t(i)]), ...); }, FireParticles::columns);
    remove_unordered(dead, particles_);

    const bool out = mean_composition_ < theta(time) || curve_ * mean_brush_composition(torch_.overlap(time)) < dark_composition;
    if (torch_.flicker != Flicker::steady && out) ++cycle_, curve_ = 1, cycle_start_ = time + dt;
}

std::map<std::string, double> Flame::take_changes() { return std::exchange(changes_, {}); }

std::vector<Flame::Number> Flame::numbers() {
    return {{"steps", &steps_}, {"next_id", &next_id_}, {"pending", &pending_}, {"cycle", &cycle_}, {"cycle_start", &cycle_start_},
            {"curve", &curve_}, {"mean_composition", &mean_composition_}, {"placed", &placed_},
            {"origin.x", &origin_.x}, {"origin.y", &origin_.y}, {"origin.z", &origin_.z},
            {"source.x", &source_place_.x}, {"source.y", &source_place_.y}, {"source.z", &source_place_.z},
            {"eddies.x", &eddies_.moved().x}, {"eddies.y", &eddies_.moved().y}, {"eddies.z", &eddies_.moved().z}, {"eddies.turned", &eddies_.turned()}};
}

std::size_t Flame::bytes() const {
    return particles::bytes_of(particles_) + particles::bytes_of(spare_) + sums_.capacity() * sizeof(particles::NearestSums) + nearest_.bytes() + gone_.capacity();
}

}  // namespace phlo::models
