#include "examples.h"

#include "render/film/camera.h"
#include "render/film/denoise.h"
#include "render/film/film.h"
#include "render/film/likeness.h"
#include "render/film/picture_watch.h"
#include "render/film/pixels.h"
#include "render/film/quick_film.h"
#include "render/film/shutter.h"
#include "render/film/sights.h"
#include "render/flipbook/cell.h"
#include "render/flipbook/fill.h"
#include "render/flipbook/flipbook.h"
#include "render/flipbook/framing.h"
#include "render/flipbook/live_cell.h"
#include "render/flipbook/sheet.h"
#include "render/frame_render.h"
#include "render/job.h"
#include "render/light/direct_light.h"
#include "render/light/emitters.h"
#include "render/light/environment.h"
#include "render/light/fire_light.h"
#include "render/light/gas_light.h"
#include "render/light/lamp_glow.h"
#include "render/light/lamps.h"
#include "render/light/lights.h"
#include "render/light/sky_light.h"
#include "render/light/sun_depth.h"
#include "render/live/cast.h"
#include "render/live/coarse.h"
#include "render/live/finer_mesh.h"
#include "render/live/fire_lamps.h"
#include "render/live/glare.h"
#include "render/live/halo.h"
#include "render/live/live_gas.h"
#include "render/live/live_liquid.h"
#include "render/live/live_renderer.h"
#include "render/live/live_surfaces.h"
#include "render/live/puff_light.h"
#include "render/live/ramp.h"
#include "render/live/raster.h"
#include "render/live/sky_harmonics.h"
#include "render/live/soft_shapes.h"
#include "render/live/sprites.h"
#include "render/live/streaks.h"
#include "render/live/tiles.h"
#include "render/look/material.h"
#include "render/look/params.h"
#include "render/path.h"
#include "render/photons/caustics.h"
#include "render/luminance.h"
#include "render/photons/gather_lattice.h"
#include "render/photons/photon_render.h"
#include "render/photons/pixel_surfaces.h"
#include "render/photons/shading.h"
#include "render/photons/photon_sources.h"
#include "render/photons/photons.h"
#include "render/preview.h"
#include "render/random_stream.h"
#include "render/surfaces/frame_surfaces.h"
#include "render/surfaces/ground_map.h"
#include "render/surfaces/inside.h"
#include "render/surfaces/reflections.h"
#include "render/surfaces/smooth_mesh.h"
#include "render/surfaces/liquid_mix.h"
#include "render/surfaces/subsurface.h"
#include "render/surfaces/surface_glow.h"
#include "render/surfaces/surfaces.h"
#include "render/volumes/bricks.h"
#include "render/grid_lines.h"
#include "render/sparks.h"
#include "render/volumes/carried_noise.h"
#include "render/volumes/detail.h"
#include "render/volumes/flash.h"
#include "render/volumes/gas_view.h"
#include "render/volumes/grid_walk.h"
#include "render/volumes/appearance.h"
#include "render/volumes/hot_gas.h"
#include "render/volumes/interior_flight.h"
#include "render/volumes/lattice.h"
#include "render/volumes/lit_volume.h"
#include "render/volumes/medium.h"
#include "render/volumes/particles.h"
#include "render/volumes/parts.h"
#include "render/volumes/vector_lattice.h"
#include "render/volumes/volume.h"
#include "scene/scene.h"

namespace phlo::render {

using field::Frame;
using field::Grid;

// ---- the whole ----

void picture_watch_example(const Frame& frame, const RenderParams& look, void (*put_on_screen)(const PictureSoFar&), const bool& stopped) {
    PictureWatch watch{.show = [&](const PictureSoFar& so_far) { put_on_screen(so_far); return !stopped; }};
    io::Image radiance = render_frame(frame, look, Quality::final, &watch);
}

void frame_render_example(const Frame& frame, const RenderParams& look) {
    io::Image radiance = render_frame(frame, look, Quality::good);
}

void job_example(const RenderParams& params, void (*print)(const RenderProgress&)) {
    RenderReport report = render_frames({.dir = "out", .quality = Quality::draft, .look = params, .progress = print});
}

void path_example(const Frame& frame, const RenderParams& params) {
    RenderScene scene(frame, params);
    io::Image radiance = render_path(scene, {.samples = 256});
}

void preview_example(const Frame& frame, const RenderParams& params) {
    RenderScene scene(frame, params);
    io::Image radiance = render_preview(scene, preview_settings(Quality::draft));
    io::write_png("frame.png", develop(radiance, {.exposure = params.exposure}));
}

void random_stream_example(std::uint32_t paths, std::uint32_t pixel) {
    RandomStream random({.seed = 1, .stream = paths}, pixel);
    float u = random.next();
}

// ---- live pictures ----

void live_renderer_example(const RenderParams& look, const Frame& frame) {
    LiveRenderer live(look);
    io::Image radiance = live.render(frame);
    live.times().seconds("streaks");
}

void cast_example(const Frame& frame, const RenderParams& look, const ColourRamp& by_composition, const ColourRamp& by_temperature, const PuffLight& light,
                  Sprites& sprites, const Camera& camera, const LiveSurfaces& surfaces, Picture& picture) {
    Cast cast = find_cast(frame, look, by_composition, by_temperature);
    std::vector<FireLamp> lamps = cast.lamps(8);
    cast.shine(light);
    sprites.draw(cast.sprites, camera.projection(), surfaces.depth(), 0.6f, picture);
}

void coarse_example(const LiveSurfaces& surfaces, double radius_in_pixels, const Plane& green, const Plane& blue, const Plane& passed, Picture& picture) {
    Coarse coarse;
    coarse.make(surfaces.depth(), coarse_factor(radius_in_pixels));
    Plane red(coarse.depth().width, coarse.depth().height);
    coarse.lay_over({&red, &green, &blue, &passed}, picture);
}

void fire_lamps_example(const Vec3f& color, const Vec3f& point, const Vec3f& normal, const std::vector<Glow>& all) {
    Vec3f irradiance;
    std::vector<Glow> glows = all;
    for (const FireLamp& lamp : gather_lamps(glows, color, 8)) irradiance += lamp.at(point, normal);
}

void glare_example(const Picture& picture, int y, float* row) {
    Glare glare;
    glare.find(picture, 0.06f);
    glare.add_to_row(picture, 0, y, row);
}

void halo_example(Plane& amount, float time) {
    blur_upwards(amount, {.height = 40, .jitter = 0.6f, .wavelength = 30, .phase = 3 * time});
}

void live_gas_example(const Frame& frame, const RenderParams& look, Cast& cast, const Camera& camera, const Lights& lights, const LiveSurfaces& surfaces,
                      Picture& picture) {
    LiveGas gas(frame, look);
    if (auto fire = gas.fire(1)) cast.fires.push_back(*fire);
    gas.draw(camera, lights, surfaces.depth(), picture);
}

void live_surfaces_example(const RenderParams& look, const Frame& frame, const field::Bounds& bounds, const Camera& camera, const Lights& lights, const std::vector<FireLamp>& lamps,
                           Picture& picture) {
    LiveSurfaces surfaces(look);
    surfaces.place(frame, bounds, camera, lights);
    surfaces.shade(lamps, camera, lights, picture);
}

void live_liquid_example(const RenderParams& look, const Frame& frame, const Camera& camera, const Lights& lights, const LiveSurfaces& surfaces,
                         Picture& picture) {
    LiveLiquid liquid(look);
    liquid.place(frame, camera);
    liquid.draw(camera, lights, surfaces.depth(), picture);
}

void puff_light_example(const std::vector<Matter>& matter, const Lights& lights, const std::vector<FireLamp>& lamps, const std::vector<SoftRod>& rods,
                        const Vec3f& color, const Vec3f& position) {
    PuffLight light(matter, lights, lamps, rods, 1);
    Vec3f radiance = color * light.at(position);
}

void ramp_example(const RenderParams& look) {
    ColourRamp ramp = composition_ramp(look.live.streaks, look.fire);
    Vec3f radiance = ramp(0.7f);
}

void raster_example(int width, int height, const std::vector<Vec3f>& corners, const std::vector<Vec3i>& triangles, int x, int y) {
    Raster raster(width, height);
    raster.draw(corners, triangles);
    int triangle = raster.triangle(x, y);
}

void sky_harmonics_example(const Lights& lights, const Vec3f& normal) {
    SkyHarmonics sky(lights);
    Vec3f light = sky(normal);
}

void soft_shapes_example(const SmoothMesh& mesh, int body_number, const Vec3f& point, const Vec3f& normal, int own_body, const Vec3f& lamp_position,
                         float lamp_radius) {
    std::vector<SoftRod> rods{soft_rod(mesh, body_number)};
    float seen = lamp_seen(rods, point, own_body, lamp_position, lamp_radius);
    float open = sky_seen(rods, point, normal, own_body);
}

void sprites_example(const std::vector<Sprite>& list, const Camera& camera, const LiveSurfaces& surfaces, Picture& picture) {
    Sprites sprites;
    sprites.draw(list, camera.projection(), surfaces.depth(), 0.6f, picture);
}

void streaks_example(Streaks& streaks, const field::Points& points, const StreakLook& look, const Projection& projection, const Plane& surfaces,
                     Plane& amount) {
    std::vector<Torch> torches = find_torches(points);
    streaks.draw(points, torches, look, projection, {.depth = surfaces, .factor = 2}, amount);
}

void finer_mesh_example(const field::Surface& surface) {
    SmoothMesh finer = finer_mesh(smooth_mesh(surface.mesh), 0.08f);
}

void tiles_example(int width, int height, int count, float x0, float y0, float x1, float y1) {
    struct Record {};
    Plane light(width, height);
    TileGrid tiles(width, height);
    Bins<Record> bins;
    bins.fill(tiles, count, [&](int n, Record& record) { record = {}; return tiles.covering(x0, y0, x1, y1); });
    bins.fill_runs(tiles, count, [&](int first, int last, Record* records, TileRect* rects) { records[0] = {}; });
    parallel_items(tiles.count(), [&](int tile) { for (const Record& record : bins.of(tile)) (void)record; });
}

// ---- film ----

void camera_example(const RenderParams& params, const Frame& frame, double time) {
    Camera camera(params.camera, frame.bounds(), time, 640, 360);
    Ray ray = camera.ray(320.0f, 180.0f);
    Camera sprite({.center = {0, 0, 1}, .width = 2, .height = 2}, 256, 256);
}

void denoise_example(int width, int height, io::Image& image, std::size_t n) {
    SurfaceLayer layer(width, height);
    denoise(layer);
    image.pixels[n] += layer.seen(n);
}

void likeness_example(const SurfacePlace& here, const SurfacePlace& there, float width) {
    const float w = likeness(here.normal, there.normal, there.point - here.point, width);
}

void film_example(const io::Image& radiance, const RenderParams& params) {
    io::DisplayImage picture = develop(radiance, {.exposure = params.exposure});
}

void quick_film_example(const RenderParams& look, const io::Image& radiance) {
    QuickFilm film({.exposure = look.exposure});
    io::DisplayImage picture = film.develop(radiance);
}

void pixels_example(int width, int height, io::Image& image, int samples, int s) {
    for_each_pixel(width, height, [&](int x, int y) { image(x, y) = Vec3f(1, 0, 0); });
    SamplePlaces places(samples);  SamplePlace place = places[s];
}

void shutter_example(const Frame& frame, OpticalVolume& volume, const RenderParams& look) {
    auto surfaces = moved(frame.surfaces, 0.5 / 24 / 2);
    carry(volume, *frame.velocity, 0.5 / 24 / 2);
    int moments = shutter_moments(frame, look);
}

void sights_example(const RenderScene& scene, const PreviewSettings& settings, const LitVolume& lit, int x, int y, Vec3f& sum) {
    Sights sights(scene, settings.samples, settings.part);
    auto march = [&](const Ray& ray, float distance, float jitter) { return lit.march(ray, distance, {settings.step, jitter}); };
    sights.of_pixel(x, y, march, [&](int sample, float noise, const Sight& sight) { sum += sight.gas.radiance; });
}

// ---- flipbook ----

void cell_example(const Frame& frame, const RenderParams& look, const CardBox& box, const CardAxes& axes, int x, int y, std::size_t at, const Vec3f& background) {
    ParallelView view = view_around(box, axes, 1.0);
    FlipbookCell cell = render_cell(frame, look, view, {.width = 256, .height = 256, .seconds = 1.0 / 24});
    Vec3f pixel = cell.light(x, y) + background * (1 - cell.alpha[at]);
}

void fill_example(const io::Image& sums, const std::vector<float>& weights) {
    io::Image values = filled(sums, weights);
}

void flipbook_example(const RenderParams& params, void (*print)(const FlipbookProgress&)) {
    FlipbookReport report = make_flipbook({.dir = "out/plume", .layout = {.columns = 8, .rows = 8}, .look = params, .progress = print});
}

void framing_example(const RenderParams& look, const field::Bounds& bounds, double time, const std::vector<Frame>& frames, int cell_width, int cell_height) {
    const CardAxes axes = card_axes(look.camera, bounds, time);
    CardBox box;
    for (const field::Frame& frame : frames) box.include(seen_on_card(frame, look, axes));
    ParallelView view = view_around(box, axes, double(cell_width) / cell_height);
}

void live_cell_example(const Frame& frame, const RenderParams& look, const ParallelView& view) {
    if (drawn_from_points(frame)) FlipbookCell cell = render_live_cell(frame, look, view, {.width = 256, .height = 256});
}

void sheet_example(int n, const FlipbookCell& cell) {
    Sheet sheet({.columns = 8, .rows = 8, .cell_width = 256, .cell_height = 256});
    sheet.place(n, cell);
    std::vector<std::filesystem::path> files = sheet.write("out/flipbook", {.exposure = 0});
}

// ---- light ----

void gas_light_example(const RenderScene& scene, const SunDepth& sun_depth, const SkyLight& sky, const OpticalVolume& volume, const Vec3f& irradiance, float cosine,
                       float depth, const Vec3f& albedo) {
    LitVolume lit(scene.volume, GasLight{scene, sun_depth, sky});
    Vec3f sent = scattered_light(irradiance, cosine, depth, albedo, volume.anisotropy);
}

void direct_light_example(const RenderScene& scene, const Medium& medium, const EmissionSampler& fire, const Vec3f& point, const DiffuseTurn& turn,
                          double u, RandomStream& random) {
    DirectLight direct(scene, medium, fire);
    Vec3f light = direct.outside(point, turn, random) + direct.from_fire(point, turn, u, random);
}

void emitters_example(const OpticalVolume& volume, RandomStream& random) {
    EmissionSampler fire(volume);
    auto [position, light] = fire.sample(random);
}

void environment_example(float u, float v) {
    auto map = load_environment("studio.exr");
    auto [direction, density] = map->sample(u, v);
    Vec3f radiance = map->radiance(direction);
}

void fire_light_example(const OpticalVolume& volume, SkyLight& sky, const Camera& camera, const Vec3f& point, const Vec3f& normal,
                        const std::function<bool(const Vec3f&, float)>& blocked) {
    FireLight fire(volume);
    fire.shine_into(sky, camera.position(), volume.anisotropy);
    Vec3f mean = fire.arriving(point, normal, sky, blocked);
}

void lamp_glow_example(const std::vector<Lamp>& lamps, const Vec3f& point, float cell_size, Vec3f sum) {
    for_lamp_points(lamps, point, cell_size, [&](const LightSample& light, const Vec3f& from) { sum += light.light; });
}

void lamps_example(const RenderParams& params, double time, const Lamp& lamp, const Vec3f& point, float u, float v, const Ray& ray,
                   RandomStream& random) {
    std::vector<Lamp> lamps = make_lamps(params.lights, time);
    LightSample s = sample_lamp(lamp, point, u, v);
    if (auto met = hit_lamp(lamp, ray)) met->distance;
    Emission e = emit(lamp, random);
}

void lights_example(const RenderParams& params, double time, const Vec3f& direction) {
    Lights lights(params, time);
    Vec3f sky = lights.radiance(direction);
}

void sky_light_example(const OpticalVolume& volume, const Lights& lights, const Vec3f& p, const Vec3f& direction) {
    SkyLight sky(volume, lights);
    Vec3f source = sky.at(volume.grid_from_world(p));
    float t = sky.transmittance(p, direction);
}

void sun_depth_example(const OpticalVolume& volume, const Lights& lights, const Vec3f& world_point) {
    SunDepth depth(volume, lights.to_sun);
    float transmittance = std::exp(-depth.at(world_point));
}

// ---- look ----

void material_example(const Material& material, const Vec3f& normal, const Vec3f& to_eye, const Vec3f& to_light, const Hit& hit, const Ray& ray,
                      RandomStream& random) {
    Turn on = turn(material, normal, to_eye, to_light);
    Bounce b = bounce(material, hit.normal, hit.ratio, ray.direction, random);
}

void params_example() {
    RenderParams look;
    look.camera.position = Curve<Vec3d>(Vec3d(2, -3, 1));
    scene::section("render", render_table(), look);
}

// ---- photons ----

void luminance_example(const Vec3f& radiance) { float y = luminance(radiance); }

void gather_lattice_example(int width, int height, int x, int y, const Hit& hit, const Inside& inside, const Shading& shading, int sample,
                            const std::array<float, 3>& turn, RandomStream& random, GatherLattice::Node (*node_at)(float, float)) {
    GatherLattice lattice(width, height, [&](float x, float y, int number) { return node_at(x, y); });
    const auto near = lattice.at(x, y, hit);
    Vec3f light = near ? near->light : shading.gathered(hit, inside, sample, turn, random);
}

void pixel_surfaces_example(const Hit& hit, const Vec3f& weight, const Vec3f& light, float footprint, SurfaceLayer& layer, std::size_t pixel, int samples) {
    PixelSurfaces surfaces;
    PixelSurfaces::Seen& seen = surfaces.add(hit, weight, footprint);
    if (seen.shaded == 0) seen.shine(weight, light, 0);
    surfaces.enter(layer, pixel, 1 / float(samples));
}

void shading_example(const RenderScene& scene, const DirectLight& direct, const Reflections& reflections, const CausticMap& caustics, const GasView& gas,
                     const Hit& hit, const Inside& inside, int sample, const std::array<float, 3>& turn, RandomStream& random) {
    Shading shading(scene, direct, reflections, caustics, gas, {.gas_rays = 2});
    Vec3f light = shading.direct(hit, inside, random) + shading.gathered(hit, inside, sample, turn, random);
}

void photon_render_example(const Frame& frame, const RenderParams& params) {
    RenderScene scene(frame, params);
    io::Image radiance = render_photons(scene, photon_settings(Quality::good));
}

void photon_sources_example(const RenderScene& scene, const EmissionSampler& fire, RandomStream& random, void (*follow)(const Ray&, const Vec3f&)) {
    PhotonSources sources(scene, fire);
    auto counts = sources.counts(400'000, 64);
    if (auto start = sources.start(PhotonSources::sun, random)) follow(start->ray, start->power / float(counts[PhotonSources::sun]));
}

void photons_example(const RenderScene& scene, const Medium& medium, const EmissionSampler& fire, const Vec3f& grid_point, const Hit& hit) {
    PhotonMap map(scene, medium, fire, {.photons = 500000});
    Vec3f source = map.in_gas(grid_point);
    Vec3f light = map.on(hit);
}

// ---- surfaces ----

void ground_map_example(const RenderScene& scene, float height, const Vec3f& point, Vec3f (*light_at)(const Vec3f&)) {
    GroundMap map(scene.bounds, height, 56, [&](const Vec3f& point) { return light_at(point); });
    Vec3f light = map.at(point);
}

void reflections_example(const RenderScene& scene, const Medium& medium, const DirectLight& direct, const LitVolume& lit, const PhotonMap& map,
                         const CausticMap& caustics, const Subsurface& milk, const Ray& ray, const Hit& hit, const Inside& inside,
                         Reflections::From from, RandomStream& random) {
    Reflections reflections(scene, medium, direct, lit, map, caustics, milk);
    Vec3f radiance = reflections(ray, hit, inside, from, random);
    ClearWay way = reflections.through_clear(ray, hit, inside, random);
}

void surface_glow_example(const Surfaces& surfaces, const Vec3f& point, float u, float v, float w, const Hit& hit, const Ray& ray) {
    SurfaceGlow glow(surfaces);
    LightSample s = glow.sample(point, u, v, w);
    float density = glow.density(hit, ray.direction);
}

void surfaces_example(const Frame& frame, const std::vector<Material>& materials, const Ground& ground, Ray ray, const Vec3f& point,
                      const Vec3f& to_sun, RandomStream& random) {
    Surfaces surfaces(frame.surfaces, materials, ground);
    Inside inside = surfaces.around(ray.origin);
    if (auto hit = surfaces.hit(ray, inside)) {
        const Bounce on = bounce(*hit, ray.direction, random);
        ray = surfaces.onward(*hit, on.direction, inside);
    }
    surfaces.blocked(point, to_sun);
}

void inside_example(const Surfaces& surfaces, const Camera& camera, const Ray& ray) {
    Inside inside = surfaces.around(camera.position());
    if (auto hit = surfaces.hit(ray, inside)) hit->distance;
    const optics::Interior& filled = surfaces.interior(inside);
}

void subsurface_example(const Surfaces& surfaces, const Hit& hit, const Vec3f& eye, Vec3f (*entering)(const Vec3f&, const Vec3f&, const Material&)) {
    Subsurface milk(surfaces, entering);
    Vec3f radiance = milk.towards(hit, eye);
}

void caustics_example(const RenderScene& scene, const Medium& medium, const Hit& hit) {
    CausticMap caustics(scene, medium, {.photons = 600'000});
    Vec3f light = caustics.on(hit);
}

void liquid_mix_example(const field::Frame& frame, const optics::Interior& water, const std::vector<optics::Interior>& milk, const Vec3f& point, const Vec3f& direction,
                        const Vec3f& inward, float metres, const Ray& ray, float to_the_next_surface, const Vec3f& weight, RandomStream& random) {
    using field::liquid_shares;
    LiquidMix mix(water, liquid_shares(frame), {milk});
    optics::Interior there = mix.at(point);
    Vec3f depth = mix.depth({point, direction}, metres);
    Vec3f white = mix.albedo(point, inward);
    InteriorFlight flight(mix, ray, to_the_next_surface, weight, random);
}

void interior_flight_example(const Surfaces& surfaces, const Inside& inside, Vec3f weight, float distance, RandomStream& random) {
    InteriorFlight flight(surfaces.interior(inside), weight, random);
    if (flight.way < distance) weight = weight * flight.scattered(flight.way);
    else weight = weight * flight.passed(distance);
}

// ---- volumes ----

void bricks_example(const OpticalVolume& volume, const Ray& ray, float distance, int visited) {
    BrickMap bricks(volume);
    bricks.walk(ray, distance, [&](int number, const Vec3i& brick, float from, float to) { ++visited; return true; });
}

void sparks_example(const RenderScene& scene, const RenderParams& look, const field::Frame& frame, io::Image& image) {
    add_sparks({.scene = scene, .look = look, .later = 0, .open = 0.5 / 24}, frame, image);
}

void grid_lines_example(const RenderScene& scene, const RenderParams& look, const field::Frame& frame, io::Image& image) {
    add_grid_lines(scene, look, frame, image);
}

void flash_example(const RenderScene& scene, const Medium& medium, const EmissionSampler& fire, const RenderParams& look, const LitVolume& lit,
                   const Ray& ray, float distance, float noise) {
    FlashMap flash(scene, medium, fire, look.flash, look.fire.brightness);
    Segment s = flash.march(lit, ray, distance, {.step = 0.5f, .jitter = noise});
}

void gas_view_example(const OpticalVolume& volume, const LitVolume& lit, double uniform, RandomStream& random, const Vec3f& point,
                      float distance_to_surface, Vec3f sum, const Vec3f& behind, float cosine) {
    GasView gas(volume, lit, 64);
    Vec3f towards = normalized(gas.draw(uniform, random) - point);
    GasView::Seen seen = gas.look({point, towards}, distance_to_surface);
    sum += (seen.radiance + seen.transmittance * behind) * cosine / seen.density;
}

void grid_walk_example(const Vec3i& count, const Vec3f& start, const Vec3f& direction, float length, float way) {
    walk_cells(count, start, direction, length, [&](const Vec3i& cell, float from, float to) { way += to - from; });
}

void appearance_example(const Frame& frame, const RenderParams& look) {
    Appearance seen = appearance(frame, look);
    seen.luminous_power;
    seen.box.upper.z - seen.box.lower.z;
}

void hot_gas_example(const Grid& grid, const FireLook& look, int i, int j, int k, float sigma, Vec3f emission, float absorbed) {
    HotGas fire{.temperature = &grid, .min_temperature = 800, .absorption = 2, .brightness = 10, .light = fire_colours(look, 1)};
    HotGas::Glow glow = fire.in_cell(i, j, k);
    sigma += glow.absorption;  emission = glow.own + absorbed * glow.light;
}

void lattice_example(const Frame& frame, const field::Volume* density, const field::Volume* temperature) {
    const field::Volume* seen[] = {density, temperature};
    OpticalLattice lattice = find_lattice(frame, seen, {});
    std::shared_ptr<const Grid> grid = on_lattice(*density, lattice.domain);
}

void lit_volume_example(const OpticalVolume& volume, const std::function<Vec3f(const Vec3f&, const Vec3i&)>& light, const Ray& ray,
                        float distance_to_surface, float noise, const Vec3f& surface) {
    LitVolume lit(volume, light);
    Segment s = lit.march(ray, distance_to_surface, {.step = 0.5f, .jitter = noise});
    Vec3f pixel = s.radiance + surface * s.transmittance;
}

void medium_example(const OpticalVolume& volume, const Ray& ray, float distance, RandomStream& random, int met) {
    Medium medium(volume);
    bool stopped = medium.track(ray, distance, random, [&](const Medium::Point& p, float majorant, float t) { ++met; return false; });
    float visible = medium.transmittance(ray, distance, random);
}

void particles_example(const field::Domain& domain, const field::Points& soot, Grid& grid) {
    add_particles({.domain = domain, .peak = 30, .size = 2}, soot, grid);
}

void parts_example(const Frame& frame, const RenderParams& look, int i, int j, int k, float sigma) {
    Parts parts = find_parts(frame, look);
    for (const Part& part : parts.dimming) sigma += part.per_unit * (*part.grid)(i, j, k);
}

void volume_example(const Frame& frame, const RenderParams& params, const Vec3f& world_point) {
    OpticalVolume volume = make_volume(frame, params);
    float sigma = volume.extinction_at(world_point);
}

void detail_example(const Frame& frame, const RenderParams& look) {
    OpticalVolume volume = make_volume(frame, look);
    add_detail(volume, frame, look.detail);
}

void carried_noise_example(const VectorLattice& velocity, bool (*near_gas)(int, int, int), const Vec3f& place, const Vec3f& first) {
    CarriedNoise noise(velocity, near_gas, {.time = 0.5, .period = 0.25, .seed = 1});
    for (const CarriedNoise::Phase& phase : noise.phases()) {
        Vec3f texture = place + phase.offset.sample(place - first);
        float share = phase.weight * phase.kept.sample(place - first).x;
    }
}

void vector_lattice_example(const Vec3i& cells, int i, int j, int k) {
    VectorLattice v(cells);
    v(i, j, k) = {1, 0, 0};
    Vec3f here = v.sample({3.2f, 7, 1.5f});
}

void frame_surfaces_example(const Frame& frame, const RenderParams& look) {
    Surfaces surfaces(frame.surfaces, body_materials(frame, look), ground_of(frame.bounds(), look.ground));
}

void smooth_mesh_example(const Frame& frame) {
    SmoothMesh mesh = smooth_mesh(frame.surfaces[0].mesh);
}

}  // namespace phlo::render
