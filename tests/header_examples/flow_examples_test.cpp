#include "examples.h"

#include "flow/advect.h"
#include "flow/air_pockets.h"
#include "flow/averaged_surface.h"
#include "flow/block_extend.h"
#include "flow/block_level_set.h"
#include "flow/block_liquid.h"
#include "flow/block_projector.h"
#include "flow/block_redistance.h"
#include "flow/block_sampler.h"
#include "flow/block_solids.h"
#include "flow/block_transport.h"
#include "flow/body_contacts.h"
#include "flow/conserve.h"
#include "flow/cubic.h"
#include "flow/diffusion.h"
#include "flow/erosion.h"
#include "flow/balance.h"
#include "flow/extend.h"
#include "flow/forces.h"
#include "flow/free_bodies.h"
#include "flow/free_surface.h"
#include "flow/level_set.h"
#include "flow/liquid_cells.h"
#include "flow/liquid_particles.h"
#include "flow/marker_packs.h"
#include "flow/markers.h"
#include "flow/outflow.h"
#include "flow/pieces.h"
#include "flow/plane_part.h"
#include "flow/projection.h"
#include "flow/reach.h"
#include "flow/redistance.h"
#include "flow/room.h"
#include "flow/sampler.h"
#include "flow/solids.h"
#include "flow/sources.h"
#include "flow/sticky_faces.h"
#include "flow/stir.h"
#include "flow/surface.h"
#include "flow/surface_cells.h"
#include "flow/tiles.h"
#include "flow/turning.h"
#include "flow/viscosity.h"
#include "flow/viscosity_system.h"
#include "field/frame.h"
#include "geom/motion.h"

namespace phlo::flow {

using field::Grid;
using field::MacGrid;

void block_liquid_example(const Walls& walls, const BlockSolids& solids, const field::Blocks& blocks, const field::BlockField<float>& phi, double h, BlockVelocity& u,
                          numerics::BlockSystem<float>& system, field::BlockField<float>& b, field::BlockField<float>& q) {
    BlockLiquid liquid;
    liquid.set_up(walls, solids, blocks, phi, system);
    liquid.outflow(0, h, u, b);
    liquid.subtract_gradient(q, u);
}

void block_projector_example(const Walls& walls, const BlockSolids& solids, const field::Blocks& blocks, const field::BlockField<float>& phi, double h, BlockVelocity& u) {
    BlockProjector projector;
    projector.set_up(walls, solids, blocks, phi);
    FreeSurfaceReport report = projector.project({.h = h, .tolerance = 1e-4}, u);
}

void block_solids_example(const field::Domain& domain, const field::Blocks& blocks, const std::vector<geom::Body>& bodies, double time) {
    BlockSolids solids;
    rasterize(domain, blocks, geom::place(bodies, time), solids);
}

void block_transport_example(const field::Blocks& blocks, BlockVelocity& u, field::BlockField<float>& phi, double dt, double h) {
    BlockTransport transport;
    transport.start(blocks, u, phi);
    transport.carry_level_set({.dt = dt, .h = h, .fastest = 2}, phi);
    transport.carry_velocity({.dt = dt, .h = h}, phi, u);
}

void block_redistance_example(const field::Blocks& blocks, double h, field::BlockField<float>& phi, BlockMarchScratch& scratch) {
    redistance(blocks, {.h = h, .band = 8}, phi, scratch);
}

void block_extend_example(const field::Blocks& blocks, const Walls& walls, const BlockProjector& projector, double h, const field::BlockField<float>& phi, BlockVelocity& u,
                          BlockExtensionScratch& scratch) {
    extend_velocity(blocks, walls, projector.kind(), {.h = h, .reach = 12}, phi, u, scratch);
}

void block_sampler_example(const field::Blocks& blocks, int block, const Float3& p, const field::PaddedField& padded_phi, const PaddedVelocity& padded_u) {
    const BlockPoints points(blocks, block, p);
    Float phi = points.cubic(padded_phi, field::centres);
    Float3 u = points.velocity(padded_u);
}

void block_level_set_example(const field::Blocks& blocks, const field::Blocks& new_blocks, double h, field::BlockField<float>& phi, const field::PaddedField& padded_phi,
                             const Vec3i& cells, field::BlockField<float>& spare) {
    double litres = 1e3 * inside_volume(blocks, h, phi);
    field::Grid fine{field::Layout(cells)};
    sample(blocks, padded_phi, field::centres, fine);
    transfer(blocks, padded_phi, field::centres, new_blocks, phi, spare);
}

void advect_example(Grid& density, Grid& new_density, Grid& temperature, Grid& new_temperature, MacGrid& velocity, MacGrid& new_velocity,
                    const TileSet& active, float ambient, double dt, double h) {
    Workspace work;
    Advection how{.scheme = Scheme::maccormack, .dt = dt, .h = h};
    Carried carried[] = {{&density, &new_density, walls_with(0.0f)}, {&temperature, &new_temperature, walls_with(ambient)}};
    advect_scalars(how, velocity, carried, active, work);
    advect_velocity(how, velocity, new_velocity, active, work);
}

void air_pockets_example(const LiquidCells& cells, const MacGrid& u) {
    std::vector<AirPocket> pockets = find_air_pockets(cells);
    double inflow = flux_into(pockets[0], u);
}

void erosion_example(const GasAround& gas, const geom::Pose& pose, geom::SampledSolid& rest, const Grid& softness, Grid& area, const Grid& taken,
                     double molar_density, double moles, MarchScratch& scratch) {
    expose(gas, pose, rest, softness, area);
    const Bite bite{area, taken, molar_density};
    moles -= molar_density * eaten_volume(gas, bite, pose, rest, softness);
    recede(gas, bite, pose, {.scale = 1, .band = 8}, softness, rest, scratch);
}

void pieces_example(geom::SampledSolid& rest) {
    const Pieces pieces = find_pieces(rest.distance);
    if (pieces.count() > 1) geom::SampledSolid loose = cut_out(pieces, 1, 8, rest);
}

void conserve_example(Grid& density, Grid& new_density, const MacGrid& velocity, const TileSet& active, double dt, double h, int step) {
    const Conserving how{.dt = dt, .h = h, .x_first = step % 2 == 0};
    Throughput through = transport_conserving(how, velocity, {&density, &new_density, walls_with(0.0f)}, active);
}

void cubic_example(const View& density, int i, int j, int k, Float dx, Float dy, Float dz) {
    Float value = sample_cubic(density.at(i, j, k), {dx, dy, dz});
}

void diffusion_example(Grid& density, const Solids& solids, double kappa, double dt, double h) {
    Diffuser diffuser;
    diffuser.diffuse_cells(density, kappa * dt / (h * h), solids);
}

void balance_example(const Walls& walls, const Solids& solids, double h, const Grid& phi, const TileSet& tiles, Grid& q, MacGrid& u) {
    MarchScratch scratch;
    extend_velocity({.h = h, .layers = 8}, phi, u, scratch);
    balance_extension({.h = h}, walls, solids, phi, tiles, q, u);
}

void turning_example(const Solids& solids, double dt, double h, const Grid& phi, const TileSet& tiles, const std::array<Grid*, 2>& spare, MacGrid& u) {
    MarchScratch scratch;
    MacGrid before = u;
    add_turn({.dt = dt, .h = h}, phi, solids, tiles, before, spare, scratch, u);
}

void extend_example(const Solids& solids, double h, Grid& phi, MacGrid& u) {
    MarchScratch scratch;
    extend_velocity({.h = h, .layers = 4, .open = &solids.aperture}, phi, u, scratch);
    extend_into_solids(solids, 4, float(h), phi, scratch);
}

void reach_example(const Solids& solids, double dt, double h, const Grid& before, Grid& phi, const MacGrid& u, Markers& markers) {
    std::vector<int> denied = deny_unreached({.dt = dt, .h = h, .u = &u}, solids, before, phi);
    remove_inside(phi.layout(), denied, markers);
}

void forces_example(const MacGrid& old_u, const Grid& density, const Grid& temperature, const TileSet& active, MacGrid& u, double dt, double h, double a,
                    double b, double T0, double e) {
    add_forces({.dt = dt, .h = h, .alpha = a, .beta = b, .ambient = T0, .epsilon = e}, old_u, density, temperature, active, u);
}

void free_bodies_example(std::span<const geom::Body> bodies, const BodySurroundings& surroundings, const field::Domain& domain, const Walls& walls,
                         const Grid* phi, double h, const numerics::PoissonSolver::Options& options, double time, double dt, Solids& solids,
                         Projector& projector, MacGrid& u) {
    FreeBodies free(bodies);
    free.move(surroundings, time, dt);
    rasterize(domain, free.placements(time + dt), solids);
    projector.set_up(walls, solids);
    projector.couple(free.pressure_terms(surroundings, solids));
    projector.project(solids, phi, h, options, u, [&](const Grid& q) {
        free.respond(q);
        rasterize(domain, free.placements(time + dt), solids);
    });
}

void level_set_example(const field::Domain& domain, const Solids& solids, const field::TriangleMesh& mesh, double h, double dt, Grid& phi, Grid& moved, Grid& kappa,
                       MacGrid& u, Workspace& work, MarchScratch& scratch) {
    const TileSet band = band_tiles(phi, 4 * h);
    advect_level_set({.scheme = Scheme::maccormack, .dt = dt, .h = h}, u, phi, moved, band, work);
    redistance({.h = h}, moved, scratch);
    double litres = 1e3 * inside_volume(h, moved, &solids.volume);
    curvature(h, moved, band_tiles(moved, 2 * h), kappa);
    slope_into_ghosts(h, moved);
    std::vector<Vec3f> velocity = velocities_at(domain, u, mesh.points);
}

void marker_packs_example(std::size_t count, const float* x, float* y) {
    for_each_pack(count, [&](std::size_t first, int lanes) { store_lanes(y + first, load_lanes(x + first, lanes) * 2.0f, lanes); });
}

void markers_example(const field::Domain& domain, double h, double dt, std::uint64_t seed, MacGrid& u, Grid& phi, MarchScratch& march, CorrectScratch& scratch) {
    MarkerParams params{.h = h, .per_cell = 16, .seed = seed};
    Markers markers;
    reseed(params, phi, markers);
    move_markers({.dt = dt, .h = h}, u, markers);
    correct(phi, markers, h, scratch);
    redistance({.h = h}, phi, march);
    correct(phi, markers, h, scratch);
    adjust_radii(params, phi, markers);
    if (++markers.steps % params.reseed_interval == 0) reseed(params, phi, markers);
    Drops drops = take_drops(params, domain, phi, u, markers);
}

void averaged_surface_example(double h, std::span<const float> x, std::span<const float> y, std::span<const float> z, Grid& phi) {
    averaged_level_set({.h = h, .per_cell = 8}, x, y, z, phi);
}

void surface_cells_example(const field::Layout& layout, std::span<const float> x, std::span<const float> y, std::span<const float> z) {
    const SurfaceCells near(layout, x, y, z, 2);
    for (const int p : near.drawn(0)) (void)p;
}

void body_contacts_example(const field::Domain& domain, std::span<const geom::Placement> before, std::span<const geom::Placement> after, Vec3f from,
                           Vec3f center, Vec3f point) {
    const BodyContacts contacts(domain, before, after);
    Vec3f to = from;
    if (const auto contact = contacts.hold(from, to)) (void)contact;
    bool on_this_side = contacts.free_way(center, point);
}

void liquid_particles_example(const field::Domain& domain, double dt, std::uint64_t seed, const Vec3d& gravity, const Solids& solids, MacGrid& u, Grid& phi,
                              TransferScratch& scratch) {
    LiquidParticleParams params{.domain = domain, .band = 3, .seed = seed};
    LiquidParticles particles;
    seed_particles(params, phi, solids, particles);
    ParticleChanges changes = reseed(params, phi, u, solids, particles);
    from_grid({.gain = gravity * dt, .phi = &phi, .h = domain.h}, u, particles);
    move_particles({.domain = domain, .dt = dt}, u, particles);
    to_grid({.h = domain.h, .band = params.band, .phi = &phi}, particles, u, scratch);
}

void redistance_example(double h, Grid& phi) {
    MarchScratch scratch;
    redistance({.h = h, .band = 5}, phi, scratch);
}

void free_surface_example(const field::Layout& layout, const Walls& walls, const Solids& solids, const Grid& phi, double h, MacGrid& u) {
    FreeSurfaceProjector projector(layout);
    projector.set_up(walls, solids, phi);
    FreeSurfaceReport report = projector.project({.h = h, .tolerance = 1e-4}, u);
}

void liquid_cells_example(const field::Layout& layout, const Walls& walls, const Solids& solids, const Grid& phi) {
    LiquidCells cells(layout);
    cells.set_up(walls, solids, phi);
    numerics::PoissonRows rows = cells.poisson_rows();
}

void outflow_example(const Solids& solids, const MacGrid& u, int j, int k) {
    std::vector<float> row(std::size_t(u.layout().nx()));
    outflow_row(solids, u, j, k, row.data());
}

void plane_part_example() {
    const Slopes slopes{.ahead = {0.1, 0, 0}, .behind = {0.1, 0, 0}};
    double part = part_inside(0.02, slopes);
}

void projection_example(const field::Layout& layout, const Walls& walls, const Solids& solids, const Grid* phi, double h,
                        const numerics::PoissonSolver::Options& options, MacGrid& u) {
    Projector projector(layout);
    projector.set_up(walls, solids);
    ProjectionReport report = projector.project(solids, phi, h, options, u);
}

void sampler_example(const Grid& grid, int i, int j, int k, Float dx, Float dy, Float dz, const Float3& points) {
    const View density(grid);
    Float value = sample_linear(density.at(i, j, k), {dx, dy, dz});
    const Centre centre(points, density.strides);
    Bounded::Value b = sample<Bounded>(density.at(i, j, k), points, centre);
}

void advect(int) {}
void solids_example(const field::Domain& domain, std::span<const geom::Body> bodies, double time, const Walls& walls, Projector& projector, MacGrid& u,
                    Grid& density) {
    Solids solids;
    if (rasterize(domain, bodies, time, solids)) projector.set_up(walls, solids);
    constrain_velocity(solids, u);
    double lost = push_out(solids, density);
    extend_inside(solids, density); advect(1); clear_inside(solids, density, 0);
}

void sources_example(const field::Domain& domain, const geom::Shape& shape, const geom::Motion& motion, double t, double dt, const Solids& solids,
                     Grid& density, Grid& temperature, Grid& fuel, Grid& phi, double expansion, MacGrid& u, double& ledger) {
    Coverage coverage;
    cover(domain, {.shape = &shape, .pose = motion.pose(t), .softness = 1.5, .noise = {.amplitude = 0.3}}, t, &solids, coverage);
    ledger += hold(coverage, density, 1.0);
    hold(coverage, temperature, 600, 293.15);
    ledger += add(coverage, fuel, 0.5 * dt);
    blend_velocity(coverage, {0, 0, 2}, &solids, u);
    add(coverage, phi, expansion);
}

void stir_example(const field::Domain& domain, const Coverage& coverage, double time, const Solids& solids, MacGrid& u) {
    stir(domain, coverage, {.speed = 6, .scale = 0.8, .octaves = 3}, 6.0, time, &solids, u);
}

void surface_example(const field::Domain& domain, const Solids& solids, double dt, std::span<const HotBody> hot, Grid& excess, int b, Grid& catalyst,
                     const BodySurroundings& around, std::span<const geom::Body> bodies, FreeBodies& free, MacGrid& u) {
    std::vector<SurfaceCell> surface = surface_cells(domain, solids);
    double given = exchange_heat({.dt = dt, .h = domain.h}, surface, hot, excess);
    rub(around, solids, surface, bodies, dt, free, u);
    hold_on_surface(surface, b, 2.0, 0.01, domain.h, catalyst);
}

void room_example(const Solids& solids, Grid& density, const Grid& new_room, double h) {
    Grid room;
    find_room(solids, room);
    double mol = sum_with_room(density, room) * h * h * h;
    to_amounts(room, density);
    to_values(new_room, density);
}

void sticky_faces_example(const field::Domain& domain, const Solids& solids, const Walls& walls, Diffuser& diffuser, MacGrid& u, double nu, double dt, double h) {
    const StickyFaces sticky(domain, solids);
    sticky.hold(u);
    diffuser.diffuse_velocity(u, nu * dt / (h * h), walls, solids, &sticky);
}

void tiles_example(const field::Layout& layout, const Grid& density, const TileSet& near_emitters) {
    TileSet active(layout);
    active.activate_where(density, 0.0f, 1e-4f, 3);
    active |= near_emitters;
    active.for_each_run([&](const CellBox& box) { (void)box; });
}

void viscosity_example(const field::Domain& domain, const Walls& walls, const Solids& solids, const Grid& phi, double dt, MacGrid& u) {
    ViscositySolver solver(domain);
    ViscosityReport report = solver.solve({.dt = dt, .nu = 1e-2, .walls_stick = true}, walls, solids, phi, u);
}

void viscosity_system_example(const field::Domain& domain, const Walls& walls, const Solids& solids, const Grid& phi, double dt, MacGrid& u, MacGrid& p,
                              MacGrid& product) {
    ViscousSystem system(domain);
    system.set_up({.dt = dt, .nu = 1e-2}, walls, solids, phi, u);
    double energy = system.apply(p, product);
}

}  // namespace phlo::flow
