#include "models/liquid/liquid.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/liquid/airborne.h"
#include "models/liquid/friction.h"
#include "models/liquid/landing.h"
#include "models/liquid/liquid_motion.h"
#include "models/liquid/mixing.h"
#include "models/liquid/particle_carriers.h"
#include "models/liquid/pouring.h"
#include "models/liquid/surface_motion.h"
#include "models/shot/sub_steps.h"
#include "particles/columns.h"

namespace phlo::models {
namespace {

/// Over the sub-steps of a frame.
struct PressureSummary {
    flow::FreeSurfaceReport pressure;   ///< iterations summed, the rest the worst

    flow::ViscosityReport friction;     ///< iterations summed, the residual the worst

    void add(const flow::FreeSurfaceReport& last, const flow::ViscosityReport& last_friction) {
        friction.iterations += last_friction.iterations;
        friction.residual = std::max(friction.residual, last_friction.residual);
        pressure.iterations += last.iterations;
        pressure.cells = last.cells;
        pressure.residual = std::max(pressure.residual, last.residual);
        pressure.divergence_max = std::max(pressure.divergence_max, last.divergence_max);
        pressure.divergence_rms = std::max(pressure.divergence_rms, last.divergence_rms);
    }

    void tell(const LiquidState& liquid, FrameStats& stats) const {
        const double volume = liquid.all_volume(), expected = liquid.book.expected();
        const double drift = expected > 0 ? volume / expected - 1 : 0;
        stats.numbers = {{"pressure.iterations", pressure.iterations}, {"pressure.residual", pressure.residual},
                         {"divergence.max", pressure.divergence_max}, {"divergence.rms", pressure.divergence_rms},
                         {"liquid_cells", double(pressure.cells)}, {"volume", volume}, {"volume_drift", drift}};
        if (liquid.viscosity) stats.numbers.insert(stats.numbers.end(), {{"friction.iterations", double(friction.iterations)}, {"friction.residual", friction.residual}});
        stats.words = fmt::format("{} sub-step{}, {} iterations, {:.3g} m^3, drift {:+.2f} %", stats.substeps, stats.substeps == 1 ? "" : "s",
                                  pressure.iterations, volume, 100 * drift);
        if (liquid.mixture.any()) {
            const std::vector<double> each = volumes_now(liquid);
            for (std::size_t k = 0; k < each.size(); ++k) {
                const std::string name = liquid.setup.liquid.substances()[k];
                stats.numbers.push_back({"liquids." + name, each[k]});
                stats.numbers.push_back({"liquids." + name + "_drift", expected > 0 ? (each[k] - liquid.mixture.book[k].expected()) / expected : 0});
            }
        }
        if (liquid.warmth.any()) stats.numbers.insert(stats.numbers.end(), {{"heat", heat_now(liquid)}, {"temperature.mean", mean_temperature(liquid)}});
        if (liquid.has_markers()) stats.particles["markers"] = long(liquid.markers.count());
        if (liquid.has_particles()) stats.particles["liquid"] = long(liquid.particles.count()), stats.particles["flying"] = liquid.spray;
        if (liquid.has_drops()) stats.particles["drops"] = long(phlo::particles::count(liquid.drops));
        if (liquid.setup.liquid.whitewater.amount <= 0) return;
        stats.particles["spray"] = liquid.white.count(WhiteKind::spray);
        stats.particles["foam"] = liquid.white.count(WhiteKind::foam);
        stats.particles["bubbles"] = liquid.white.count(WhiteKind::bubble);
    }
};

/// Wall faces and cells beside bodies that the water has let go of.
std::vector<char> save_let_go(LiquidState& liquid) {
    std::vector<int> faces, cells;
    for (const flow::WallFace& f : liquid.projector.edit_released()) faces.insert(faces.end(), {f.wall, f.i, f.j, f.k});
    for (const Vec3i& c : liquid.projector.edit_freed()) cells.insert(cells.end(), {c.x, c.y, c.z});
    particles::ColumnWriter out;
    out(faces), out(cells);
    return out.take();
}

void load_let_go(std::span<const char> data, LiquidState& liquid) {
    std::vector<int> faces, cells;
    particles::ColumnReader in(data);
    in(faces), in(cells);
    if (faces.size() % 4 != 0 || cells.size() % 3 != 0 || !in.at_end()) throw RunError("the places where liquid lets go in the checkpoint are of another program");
    auto& released = liquid.projector.edit_released();
    auto& freed = liquid.projector.edit_freed();
    released.clear(), freed.clear();
    for (std::size_t n = 0; n < faces.size(); n += 4) released.push_back({faces[n], faces[n + 1], faces[n + 2], faces[n + 3]});
    for (std::size_t n = 0; n < cells.size(); n += 3) freed.emplace_back(cells[n], cells[n + 1], cells[n + 2]);
}

}  // namespace

Liquid::Liquid(const Shot& shot, const LiquidSetup& setup) : liquid_(shot, setup) {
    liquid_.warnings = &warnings;
    edit([this](field::Grid&, field::MacGrid&) { fill_start(liquid_); });
}

void Liquid::edit(const std::function<void(field::Grid& phi, field::MacGrid& u)>& change) {
    change(liquid_.phi, liquid_.flow.edit_velocity());
    liquid_.markers = {};
    start_surface(liquid_);
    find_liquid_tiles(liquid_, 0);
    liquid_.old_tiles.activate_all();
    extend_beyond_surface(liquid_, 0);
    liquid_.book = {.start = liquid_.volume()};
    liquid_.loss = {};
    open_books(liquid_);
}

FrameStats Liquid::first_stats() const {
    FrameStats stats = Model::first_stats();
    PressureSummary().tell(liquid_, stats);
    return stats;
}

FrameStats Liquid::advance(double seconds) {
    FrameStats stats;
    PressureSummary summary;
    times_.clear();
    liquid_.ledger.clear();
    record_stock("start");
    SubSteps steps(time(), seconds, enough);
    while (steps.go_on()) {
        const double speed = coming_speed(liquid_), longest = longest_step_to_landing(liquid_, liquid_.flow.shot().time.cfl * liquid_.h() / speed);
        const double dt = liquid_.flow.choose_step(steps.remaining(), steps.count(), {.speed = speed, .longest = longest}, warnings);
        step(dt);
        steps.went(dt);
        summary.add(liquid_.pressure, liquid_.friction);
    }
    liquid_.flow.finish_frame(steps.end());
    steps.tell(stats);
    record_stock("now");
    summary.tell(liquid_, stats);
    stats.seconds = times_;
    stats.ledger = liquid_.ledger.entries();
    stats.memory_bytes = bytes();
    return stats;
}

void Liquid::record_stock(const char* when) {
    liquid_.ledger.record("volume", when, volume());
    if (liquid_.has_drops()) liquid_.ledger.record("drops", when, volume_of(liquid_.drops));
    if (liquid_.mixture.any()) {
        const std::vector<double> each = volumes_now(liquid_);
        for (std::size_t k = 0; k < each.size(); ++k) liquid_.ledger.record(liquid_.setup.liquid.substances()[k], when, each[k]);
    }
    if (liquid_.warmth.any()) liquid_.ledger.record("heat", when, heat_now(liquid_));
    if (liquid_.has_particles()) liquid_.ledger.record("particles", when, double(liquid_.particles.count()));
    if (liquid_.setup.liquid.whitewater.amount > 0) liquid_.ledger.record("whitewater", when, double(liquid_.white.count()));
}

void Liquid::step(double dt) {
    { Stage stage(times_, "particles"); prepare_particles(liquid_, dt); }
    { Stage stage(times_, "bodies");    move_liquid_bodies(liquid_, dt); find_liquid_tiles(liquid_, dt); }
    { Stage stage(times_, "mixture");   carry_liquids(liquid_, dt); }
    { Stage stage(times_, "sources");   foresee_pouring(liquid_, dt); }
    { Stage stage(times_, "surface");   carry_surface(liquid_, dt); }
    { Stage stage(times_, "drops");     move_drops(liquid_, dt); }
    { Stage stage(times_, "sources");   pour_and_drain(liquid_, dt); }
    { Stage stage(times_, "velocity");  carry_velocity(liquid_, dt); }
    { Stage stage(times_, "mixture");   settle_liquids(liquid_, dt); }
    { Stage stage(times_, "transfer");  mix_in_particle_velocity(liquid_); }
    { Stage stage(times_, "forces");    add_liquid_forces(liquid_, dt); }
    { Stage stage(times_, "pressure");  project_liquid(liquid_, dt); }
    const bool friction = feels_friction(liquid_.law.largest(), dt, liquid_.h());
    if (friction) { Stage stage(times_, "viscosity"); apply_friction(liquid_, dt); }
    { Stage stage(times_, "pressure");  turn_with_flow(liquid_, dt); project_again(liquid_, dt, friction ? 0 : liquid_.pressure.norm); }
    { Stage stage(times_, "extension"); extend_beyond_surface(liquid_, dt); }
    { Stage stage(times_, "whitewater"); move_white(liquid_, dt); }
    liquid_.flow.finish_step(dt);
}

StateView Liquid::state() {
    StateView view;
    liquid_.flow.add_state(view);
    view.fields.push_back({"phi", liquid_.phi.storage()});
    view.fields.push_back({"pressure", liquid_.projector.edit_pressure().storage()});
    view.numbers.insert(view.numbers.end(), {{"last_dt", &liquid_.last_dt}, {"volume.start", &liquid_.book.start}, {"volume.poured", &liquid_.book.poured},
                                             {"volume.drained", &liquid_.book.drained}, {"volume.left", &liquid_.book.left},
                                             {"volume.losing", &liquid_.loss.rate}, {"volume.missing", &liquid_.loss.missing}, {"volume.mending", &liquid_.loss.mending}});
    view.blocks.push_back({"let_go", [this] { return save_let_go(liquid_); }, [this](std::span<const char> data) { load_let_go(data, liquid_); }});
    view.blocks.push_back({"markers", [this] { return save(liquid_.markers); }, [this](std::span<const char> data) { load(data, liquid_.markers); }});
    view.blocks.push_back({"drops", [this] { return particles::save(liquid_.drops); }, [this](std::span<const char> data) { particles::load(data, liquid_.drops); }});
    view.blocks.push_back({"whitewater", [this] { return save(liquid_.white); }, [this](std::span<const char> data) { load(data, liquid_.white); }});
    const auto add = [&](Mixture& mixture, const std::vector<std::string>& names) {
        for (std::size_t k = 0; k < mixture.count(); ++k) {
            VolumeBook& book = mixture.book[k];
            const std::string& name = names[k];
            view.fields.push_back({"share." + name, mixture.share[k].storage()});
            view.numbers.insert(view.numbers.end(), {{name + ".start", &book.start}, {name + ".poured", &book.poured}, {name + ".drained", &book.drained}, {name + ".left", &book.left}});
        }
    };
    add(liquid_.mixture, liquid_.setup.liquid.substances()), add(liquid_.warmth, {"cold", "hot"});
    if (liquid_.has_particles())
        view.blocks.push_back({"particles", [this] { return save(liquid_.particles); }, [this](std::span<const char> data) { load(data, liquid_.particles); }});
    return view;
}

}  // namespace phlo::models
