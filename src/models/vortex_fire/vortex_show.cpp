// What leaves the model: frames for programs that look, and the exact state for checkpoints.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/parallel.h"
#include "models/vortex_fire/follow_box.h"
#include "models/vortex_fire/vortex_fire.h"
#include "models/vortex_fire/vortex_invariants.h"
#include "models/vortex_fire/vortex_splat.h"
#include "models/vortex_fire/vortex_stages.h"
#include "particles/columns.h"

namespace phlo::models {
namespace {

/// A tracer comes and goes softly: shares of its life.
float shown_share(float age, float life) {
    constexpr float coming = 0.03f, going = 0.3f;
    const float t = age / life;
    return std::clamp(std::min(t / coming, (1 - t) / going), 0.0f, 1.0f);
}

field::Points show_tracers(const Tracers& tracers, double radius) {
    std::vector<std::uint32_t> seen;
    for (std::size_t t = 0; t < tracers.size(); ++t)
        if (tracers.alive(t)) seen.push_back(std::uint32_t(t));
    const std::size_t count = seen.size();
    field::Points points{.name = "tracers"};
    points.id.resize(count), points.position.resize(count), points.velocity.resize(count), points.radius.assign(count, float(radius));
    std::vector<float> temperature(count), fuel(count), flame(count), smoke(count), lit(count);
    constexpr std::size_t chunk = 4096;
    parallel_for(int((count + chunk - 1) / chunk), [&](int c) {
        for (std::size_t n = std::size_t(c) * chunk; n < std::min(count, (std::size_t(c) + 1) * chunk); ++n) {
            const std::size_t t = seen[n];
            const FireMatter& m = tracers.matter[t];
            const float share = shown_share(tracers.age[t], tracers.life[t]);
            points.id[n] = tracers.id[t], points.position[n] = tracers.position[t], points.velocity[n] = tracers.velocity[t];
            temperature[n] = m.temperature, fuel[n] = share * m.fuel, flame[n] = share * m.flame, smoke[n] = share * m.smoke, lit[n] = share * m.lit;
        }
    });
    points.columns = {{"temperature", std::move(temperature)}, {"fuel", std::move(fuel)}, {"flame", std::move(flame)}, {"smoke", std::move(smoke)}, {"lit", std::move(lit)}};
    return points;
}

field::Points show_vortons(const Vortons& vortons, double spacing) {
    std::vector<Vec3f> vorticity(vortons.size());
    for (std::size_t p = 0; p < vortons.size(); ++p) vorticity[p] = vortons.strength[p] / vortons.volume[p];
    return {.name = "vortons", .position = vortons.position, .velocity = vortons.velocity, .radius = std::vector<float>(vortons.size(), float(0.5 * spacing)),
            .columns = {{"vorticity", std::move(vorticity)}, {"temperature", vortons.temperature}, {"fuel", vortons.fuel}, {"flame", vortons.flame},
                        {"smoke", vortons.smoke}}};
}

StateView::Block lattice_block(const char* name, VortexLattice& lattice) {
    return {name,
            [&lattice] {
                std::vector<char> bytes(sizeof lattice);
                std::memcpy(bytes.data(), &lattice, sizeof lattice);
                return bytes;
            },
            [&lattice](std::span<const char> data) {
                if (data.size() != sizeof lattice) throw RunError("the lattice in the checkpoint is not one of this program's");
                std::memcpy(&lattice, data.data(), sizeof lattice);
            }};
}

std::vector<char> saved(std::span<const float> values) {
    const auto* first = reinterpret_cast<const char*>(values.data());
    return {first, first + values.size_bytes()};
}

void restore(std::span<const char> data, std::span<float> values) {
    if (data.size() != values.size_bytes()) throw RunError("a lattice in the checkpoint has another size than it says");
    if (!data.empty()) std::memcpy(values.data(), data.data(), data.size());
}

}  // namespace

field::Frame VortexFire::show() const {
    field::Frame frame{.time = fire_.clock.time};
    if (fire_.closed()) frame.world = closed_lattice(fire_.params().box.bounds(), fire_.params().spacing).domain().bounds();
    frame.points.push_back(show_tracers(fire_.tracers, fire_.params().tracers.radius));
    if (fire_.params().show_vortons) frame.points.push_back(show_vortons(fire_.vortons, fire_.params().spacing));
    const std::vector<geom::Placement> placed = fire_.bodies.placements(fire_.clock.time);
    for (std::size_t b = 0; b < placed.size(); ++b) frame.surfaces.push_back(fire_.still[b] ? *fire_.still[b] : geom::surface(placed[b]));
    if (fire_.params().show_volumes) show_volumes(frame);
    return frame;
}

/// From the vortons as they are now; a volume's cells are the nodes of the lattice.
void VortexFire::show_volumes(field::Frame& frame) const {
    const VortexLattice& lattice = fire_.fields.lattice;
    NodeValues<4> vorticity;
    NodeValues<8> matter;
    NodeRows filled;
    splat_vortons(lattice, fire_.vortons, fire_.air, filled, vorticity, matter);
    if (fire_.closed()) fold_ghosts(vorticity, matter), filled.fill();
    normalise_matter(fire_.closed() ? closed_share : full_share, filled, matter);
    const field::Domain domain = lattice.domain();
    const auto volume = [&](const char* name, const char* unit, float background, float negligible, int channel) {
        auto grid = std::make_shared<field::Grid>(field::Layout(lattice.cells));
        parallel_for(lattice.cells.z, [&](int k) {
            for (int j = 0; j < lattice.cells.y; ++j)
                for (int i = 0; i < lattice.cells.x; ++i) (*grid)(i, j, k) = background + matter.node(i, j, k)[channel];
        });
        frame.volumes.push_back({.name = name, .unit = unit, .background = background, .negligible = negligible, .domain = domain, .room = domain, .grid = grid});
    };
    volume("density", "1", 0, 1e-4f, MatterChannel::smoke);
    volume("temperature", "K", fire_.air.temperature, 0.01f, MatterChannel::excess_temperature);
    volume("flame", "1", 0, 1e-4f, MatterChannel::flame);
}

StateView VortexFire::state() {
    VortexClock& clock = fire_.clock;
    StateView view{.fields = {}, .numbers = {{"time", &clock.time}, {"steps", &clock.steps}, {"step_before", &clock.step_before}, {"fastest", &clock.fastest}, {"strongest", &clock.strongest},
                                             {"vortons_kept", &clock.vortons_kept}, {"steps_since", &clock.steps_since}, {"born", &clock.born}, {"owed", &clock.owed}}};
    for (const auto& number : fire_.bodies.numbers()) view.numbers.push_back({number.name, number.value});
    view.blocks.push_back({"vortons", [this] { return particles::save(fire_.vortons); }, [this](std::span<const char> data) { particles::load(data, fire_.vortons); }});
    view.blocks.push_back({"tracers", [this] { return particles::save(fire_.tracers); }, [this](std::span<const char> data) { particles::load(data, fire_.tracers); }});
    VortexFields& fields = fire_.fields;
    view.blocks.push_back(lattice_block("lattice", fields.lattice));
    view.blocks.push_back(lattice_block("lattice_before", fields.lattice_before));
    view.blocks.push_back({"velocity_before", [&fields] { return saved(fields.before.storage()); }, [&fields](std::span<const char> data) {
                               if (!data.empty()) fields.before.fit(fields.lattice_before);
                               restore(data, fields.before.storage());
                           }});
    for (int c = 0; c < 3; ++c)   // from where the solver goes on
        view.blocks.push_back({std::string("velocity_") + "xyz"[c], [this, c] { return saved(fire_.solver.components()[std::size_t(c)].storage()); },
                               [this, c](std::span<const char> data) {
                                   if (!data.empty()) fire_.solver.fit(fire_.fields.lattice_before, fire_.closed() ? LatticeVelocity::Edge::closed : LatticeVelocity::Edge::far);
                                   restore(data, fire_.solver.components()[std::size_t(c)].storage());
                               }});
    return view;
}

void add_invariants(const VortexState& fire, std::vector<std::pair<std::string, double>>& numbers) {
    const VortexInvariants now = vortex_invariants(fire.vortons);
    numbers.insert(numbers.end(), {{"vorticity.strength", length(now.strength)}, {"vorticity.strength_sum", now.strength_sum},
                                   {"vorticity.impulse", length(now.impulse)}, {"vorticity.angular_impulse", length(now.angular_impulse)}});
    for (std::size_t f = 0; f < fire.bodies.free().free().size(); ++f) {
        const auto& one = fire.bodies.free().free()[f];
        const std::string name = "body." + fire.shot.bodies[std::size_t(one.index)].name;
        numbers.emplace_back(name + "_height", one.rigid.state.position.z);
        numbers.emplace_back(name + "_temperature", one.temperature);
    }
}

}  // namespace phlo::models
