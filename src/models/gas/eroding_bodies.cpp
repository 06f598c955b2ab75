#include "models/gas/eroding_bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "flow/pieces.h"
#include "geom/noise.h"

namespace phlo::models {
namespace {

/// Distances are kept as deep as the rasterizer looks into a body, in cells of the gas.
constexpr double cells_kept = 3.5;
/// The volume catches up with the moles by at most this factor of a step's depth.
constexpr double most_catching_up = 3;
/// Pieces of fewer samples are crumbs: too small to be followed as bodies.
constexpr long crumb = 64;

double spacing(const GridFlow& flow, const geom::Erosion& erosion) { return flow.domain().h / erosion.detail; }
double band(const GridFlow& flow, const geom::SampledSolid& rest) { return cells_kept * flow.domain().h / rest.lattice.h; }

field::Grid make_softness(const geom::SampledSolid& rest, const geom::Erosion& erosion) {
    const Vec3i n = rest.lattice.cells;
    field::Grid softness(field::Layout(n), 1);
    if (erosion.grain == 0) return softness;
    const geom::Noise noise{.seed = std::uint32_t(erosion.grain_seed), .octaves = erosion.grain_octaves};
    const float step = float(rest.lattice.h / erosion.grain_scale);
    parallel_for(n.z, [&](int k) {
        std::vector<float> values(std::size_t(n.x), 0.0f);
        for (int j = 0; j < n.y; ++j) {
            const Vec3f start(rest.lattice.cell_center(0, j, k) / erosion.grain_scale);
            noise.row(start.x, step, start.y, start.z, 0, values);
            for (int i = 0; i < n.x; ++i) softness(i, j, k) = float(std::exp(erosion.grain * double(values[std::size_t(i)])));
        }
    });
    extend_into_ghosts(softness, n);
    return softness;
}

bool in_closed_wall(const GridFlow& flow, const Vec3d& p, double reach) {
    for (int w = 0; w < 6; ++w) {
        const int axis = w / 2;
        const double gap = w % 2 ? flow.domain().upper()[axis] - p[axis] : p[axis] - flow.domain().origin[axis];
        if (gap < reach && flow.shot().domain.walls[std::size_t(w)].kind == WallKind::closed) return true;
    }
    return false;
}

/// Pieces that touch a closed wall, or a body that does not move freely, are held by it.
std::vector<bool> find_held(const GridFlow& flow, std::size_t body, const geom::SampledSolid& rest, const flow::Pieces& pieces) {
    const auto& placed = flow.solids().placed;
    const double reach = 1.5 * rest.lattice.h;
    std::vector<const flow::Solids::Placed*> others;
    for (std::size_t b = 0; b < placed.size(); ++b)
        if (b != body && !flow.shot().bodies[b].free) others.push_back(&placed[b]);
    std::vector<bool> held(std::size_t(pieces.count()), false);
    for (const flow::Pieces::Run& run : pieces.runs)
        for (int i = run.first; i < run.last && !held[std::size_t(run.piece)]; ++i) {
            if (double(rest.distance(i, run.j, run.k)) < -reach) continue;
            const Vec3d world = placed[body].pose.world_from_local(rest.lattice.cell_center(i, run.j, run.k));
            held[std::size_t(run.piece)] =
                in_closed_wall(flow, world, reach) || std::ranges::any_of(others, [&](const auto* p) { return p->signed_distance(world) < reach; });
        }
    return held;
}

/// The pieces that stay where they are.
std::vector<bool> find_staying(const GridFlow& flow, std::size_t body, const geom::SampledSolid& rest, const flow::Pieces& pieces) {
    std::vector<bool> staying(std::size_t(pieces.count()), false);
    if (!flow.shot().bodies[body].free) staying = find_held(flow, body, rest, pieces);
    if (std::ranges::none_of(staying, [](bool held) { return held; })) staying[std::size_t(pieces.largest())] = true;
    return staying;
}

geom::Body loose_body(const geom::Body& whole, std::shared_ptr<const geom::SampledSolid> rest) {
    geom::Body body = whole;
    body.shape = geom::Sampled{std::move(rest)};
    body.revision = 0;
    if (!body.free) body.free = geom::FreeMotion{.density = whole.erosion.loose_density, .velocity = {}, .spin = {}};
    return body;
}

}  // namespace

ErodingBodies::ErodingBodies(GridFlow& flow, const chem::Mechanism& mechanism) {
    for (std::size_t b = 0; b < flow.shot().bodies.size(); ++b) {
        const geom::Body& body = flow.shot().bodies[b];
        if (!body.erosion.any()) continue;
        const int species = mechanism.find(body.erosion.species);
        Part part{.body = b, .origin = b, .species = species, .molar_density = *mechanism.species[std::size_t(species)].molar_density, .moles = 0,
                  .rest = std::make_shared<geom::SampledSolid>(body.shape, spacing(flow, body.erosion)), .softness = {}};
        redistance({.h = part.rest->lattice.h, .band = band(flow, *part.rest)}, part.rest->distance, scratch_);
        part.rest->update();
        part.moles = part.molar_density * part.rest->volume();
        part.softness = make_softness(*part.rest, body.erosion);
        flow.reshape(b, geom::Sampled{part.rest});
        parts_.push_back(std::move(part));
    }
    given_ = parts_.size();
    if (any()) flow.place_bodies(flow.time());
}

double ErodingBodies::moles(int species) const {
    double sum = 0;
    for (const Part& part : parts_)
        if (part.species == species) sum += part.moles;
    return sum;
}

double ErodingBodies::volume(int species) const {
    double sum = 0;
    for (const Part& part : parts_)
        if (part.species == species) sum += part.rest->volume();
    return sum;
}

void ErodingBodies::expose(const GridFlow& flow, const field::Grid& room, std::vector<Substance>& substances) const {
    for (Substance& substance : substances) {
        if (!substance.solid) continue;
        substance.amount.fill(0), substance.taken.fill(0);
        for (const Part& part : parts_)
            if (part.species == substance.species)
                flow::expose({flow.domain(), flow.solids(), room}, flow.solids().placed[part.body].pose, *part.rest, part.softness, substance.amount);
    }
}

void ErodingBodies::recede(GridFlow& flow, const field::Grid& room, const std::vector<Substance>& substances, Ledger& ledger, Warnings& warnings) {
    const flow::GasAround gas{flow.domain(), flow.solids(), room};
    for (const Substance& substance : substances) {
        if (!substance.solid) continue;
        const double taken = flow::sum_with_room(substance.taken, room) * flow.cell_volume();
        double eaten = 0;
        const std::size_t count = parts_.size();   // those that break off now were eaten with the whole
        for (std::size_t p = 0; p < count && taken > 0; ++p) {
            Part& part = parts_[p];
            if (part.species != substance.species || part.rest->gone()) continue;
            const flow::Bite bite{substance.amount, substance.taken, part.molar_density};
            const geom::Pose& pose = flow.solids().placed[part.body].pose;
            const double volume = eaten_volume(gas, bite, pose, *part.rest, part.softness);
            if (!(volume > 0)) continue;
            eaten += volume * part.molar_density;
            part.moles -= volume * part.molar_density;
            const double owed = part.rest->volume() - part.moles / part.molar_density;
            flow::recede(gas, bite, pose, {.scale = std::clamp(owed / volume, 0.0, most_catching_up), .band = band(flow, *part.rest)}, part.softness, *part.rest,
                         scratch_);
            split(p, flow, substance.name, ledger, warnings);
            flow.reshape(parts_[p].body, geom::Sampled{parts_[p].rest});
        }
        ledger.record(substance.name, ledger_entry::hand_back_error, taken - eaten);
    }
}

/// What hangs together stays together. The moles of the pieces are in proportion to their volumes.
void ErodingBodies::split(std::size_t p, GridFlow& flow, const std::string& species, Ledger& ledger, Warnings& warnings) {
    const geom::Body& body = flow.shot().bodies[parts_[p].body];
    const flow::Solids::Placed placed = flow.solids().placed[parts_[p].body];
    geom::SampledSolid& rest = *parts_[p].rest;
    const flow::Pieces pieces = flow::find_pieces(rest.distance);
    std::vector<std::shared_ptr<geom::SampledSolid>> loose;
    std::vector<bool> crumbs;
    const std::vector<bool> staying = pieces.count() > 0 ? find_staying(flow, parts_[p].body, rest, pieces) : std::vector<bool>();
    for (int piece = 0; piece < pieces.count(); ++piece) {
        const bool small = pieces.samples[std::size_t(piece)] < crumb;
        if (!small && staying[std::size_t(piece)]) continue;
        loose.push_back(std::make_shared<geom::SampledSolid>(cut_out(pieces, piece, band(flow, rest), rest)));
        crumbs.push_back(small);
    }
    double volume = rest.volume();
    for (const auto& piece : loose) volume += piece->volume();
    const double moles = parts_[p].moles, per_volume = volume > 0 ? moles / volume : 0;
    parts_[p].moles = per_volume * rest.volume();
    double vanished = moles - parts_[p].moles;
    for (std::size_t n = 0; n < loose.size(); ++n) {
        const bool room = flow.has_room_for_bodies();
        if (crumbs[n] || !body.erosion.loose_falls || !room) {
            if (!room && !crumbs[n] && body.erosion.loose_falls)
                warnings.once("pieces", fmt::format("'{}' breaks into more pieces than can be followed: the others vanish (t = {:.3f} s)", body.name, flow.time()));
            continue;
        }
        const Vec3d center = placed.pose.world_from_local(geom::mass_properties(geom::Sampled{loose[n]}, 1).center);
        Part part{.body = 0, .origin = parts_[p].origin, .species = parts_[p].species, .molar_density = parts_[p].molar_density,
                  .moles = per_volume * loose[n]->volume(), .rest = loose[n], .softness = flow::part_of(parts_[p].softness, rest, *loose[n])};
        vanished -= part.moles;
        part.body = flow.add_body(loose_body(body, loose[n]), placed.pose, placed.velocity_at(center), placed.angular);
        parts_.push_back(std::move(part));
    }
    if (rest.gone() || !loose.empty()) ledger.record(species, ledger_entry::vanished, -vanished);
    else parts_[p].moles = moles;   // without the rounding
}

namespace {

/// Plain numbers, one after the other.
class ByteWriter {
public:
    template <class T>
    void put(const T& value) { put(&value, sizeof value); }
    void put(const void* from, std::size_t count) { data_.insert(data_.end(), static_cast<const char*>(from), static_cast<const char*>(from) + count); }
    std::vector<char> take() { return std::move(data_); }

private:
    std::vector<char> data_;
};

class ByteReader {
public:
    explicit ByteReader(std::span<const char> data) : data_(data) {}
    template <class T>
    T get() {
        T value;
        get(&value, sizeof value);
        return value;
    }
    void get(void* to, std::size_t count) {
        if (data_.size() < count) throw RunError("what the checkpoint says of eroding bodies is cut short");
        std::copy_n(data_.data(), count, static_cast<char*>(to));
        data_ = data_.subspan(count);
    }

private:
    std::span<const char> data_;
};

void put_lattice(ByteWriter& out, const field::Domain& lattice) {
    for (int axis = 0; axis < 3; ++axis) out.put(std::int32_t(lattice.cells[axis])), out.put(lattice.origin[axis]);
    out.put(lattice.h);
}

field::Domain get_lattice(ByteReader& in) {
    field::Domain lattice;
    for (int axis = 0; axis < 3; ++axis) lattice.cells[axis] = in.get<std::int32_t>(), lattice.origin[axis] = in.get<double>();
    lattice.h = in.get<double>();
    return lattice;
}

}  // namespace

std::vector<char> ErodingBodies::save(GridFlow& flow) const {
    ByteWriter out;
    out.put(std::uint32_t(parts_.size()));
    out.put(flow.free_bodies().moved());
    for (const Part& part : parts_) {
        out.put(std::uint32_t(part.origin));
        out.put(part.moles);
        put_lattice(out, part.rest->lattice);
        out.put(part.rest->distance.storage().data(), part.rest->distance.storage().size_bytes());
        if (part.body == part.origin) continue;
        for (const double* number : flow::FreeBodies::numbers(*flow.free_bodies().find(int(part.body)))) out.put(*number);
    }
    return out.take();
}

void ErodingBodies::load(GridFlow& flow, std::span<const char> data) {
    ByteReader in(data);
    const auto count = in.get<std::uint32_t>();
    const double moved = in.get<double>();
    parts_.resize(given_);
    flow.drop_added_bodies();
    for (std::size_t p = 0; p < count; ++p) {
        const auto origin = in.get<std::uint32_t>();
        const auto own = std::ranges::find(parts_, std::size_t(origin), &Part::origin);
        if (own == parts_.end()) throw RunError("the checkpoint is of other eroding bodies; start anew");
        const double moles = in.get<double>();
        const field::Domain lattice = get_lattice(in);
        if (p < given_ && lattice != parts_[p].rest->lattice) throw RunError("a body of the checkpoint has another shape or detail; start anew");
        field::Grid distance{field::Layout(lattice.cells)};
        in.get(distance.storage().data(), distance.storage().size_bytes());
        auto rest = std::make_shared<geom::SampledSolid>(lattice, std::move(distance));
        if (p < given_) {
            parts_[p].moles = moles, parts_[p].rest = rest;
            const flow::FreeBodies::Free* free = flow.free_bodies().find(int(parts_[p].body));
            const geom::RigidState state = free ? free->rigid.state : geom::RigidState{};   // is that of the new shape already
            flow.reshape(parts_[p].body, geom::Sampled{rest});
            if (free) flow.free_bodies().find(int(parts_[p].body))->rigid.state = state;
            continue;
        }
        Part part{.body = 0, .origin = origin, .species = own->species, .molar_density = own->molar_density, .moles = moles, .rest = rest,
                  .softness = flow::part_of(own->softness, *own->rest, *rest)};
        part.body = flow.add_body(loose_body(flow.shot().bodies[origin], rest), {}, {}, {});
        for (double* number : flow::FreeBodies::numbers(*flow.free_bodies().find(int(part.body)))) *number = in.get<double>();
        parts_.push_back(std::move(part));
    }
    flow.free_bodies().moved() = moved;
    flow.place_bodies(flow.time());
}

void ErodingBodies::add_state(GridFlow& flow, StateView& view) {
    if (!any()) return;
    view.blocks.push_back({"erosion", [this, &flow] { return save(flow); }, [this, &flow](std::span<const char> data) { load(flow, data); }});
}

std::size_t ErodingBodies::bytes() const {
    std::size_t total = scratch_.bytes();
    for (const Part& part : parts_) total += part.rest->distance.bytes() + part.softness.bytes();
    return total;
}

}  // namespace phlo::models
