#include "scene/scene.h"

#include <gtest/gtest.h>

#include "complaint.h"
#include "scene/presets.h"
#include "scratch_dir.h"
#include "source_dir.h"

namespace phlo::scene {
namespace {

using config::Affects;

struct Look {
    double exposure = 1;
    std::string note = "none yet";
};

const models::GasSetup& gas_of(const Scene& scene) { return std::get<models::GasSetup>(scene.model); }

const config::Table<Look>& look_table() {
    static const auto table = config::Table<Look>("render", "How it is seen.", Affects::render)
                                  .key("exposure", &Look::exposure, {.above = 0, .help = "brightness"})
                                  .key("note", &Look::note, {.affects = Affects::nothing});
    return table;
}

TEST(Scene, every_preset_loads_and_describes_itself) {
    const auto presets = list_presets();
    ASSERT_GE(presets.size(), 3u);
    for (const Preset& preset : presets) {
        EXPECT_FALSE(preset.description.empty()) << preset.name;
        EXPECT_EQ(load_scene(preset.name).name, preset.name);
        EXPECT_TRUE(estimate(load_scene(preset.name)).notes.empty()) << preset.name;
        EXPECT_GT(preset.seconds, 0);
    }
    EXPECT_FALSE(preset_text("nothing of the kind"));
}

TEST(Scene, a_preset_is_the_file_in_scenes) {
    for (const std::string& name : preset_names()) {
        const std::string file = phlo::test::source_dir() + "/scenes/" + name + ".yaml";
        EXPECT_EQ(dump_scene(load_scene(file)), dump_scene(load_scene(name)));
    }
}

TEST(Scene, a_dump_loads_to_an_equal_scene) {
    for (const std::string& name : preset_names()) {
        const bool of_gas = std::holds_alternative<models::GasSetup>(load_scene(name).model);
        std::vector<std::string> overrides;
        if (of_gas)
            overrides = {"domain.walls.left.inflow.velocity={keys: [[0, 0], [0.1, 0.3]], interpolation: smooth}", "emitters.0.rotation=[1 deg, 2 deg, 33 deg]"};
        const Scene scene = load_scene(name, {.overrides = overrides});
        const std::string dump = dump_scene(scene);
        const Scene again = parse_scene(dump, "dump.yaml");
        EXPECT_EQ(dump_scene(again), dump);
        EXPECT_EQ(scene_hash(again), scene_hash(scene));
        EXPECT_TRUE(changed_keys(dump, scene).empty());
        if (!of_gas) continue;
        EXPECT_TRUE(again.shot.domain.walls[0].velocity == scene.shot.domain.walls[0].velocity);
        EXPECT_EQ(gas_of(again).emitters[0].motion.rotation(0), gas_of(scene).emitters[0].motion.rotation(0));
    }
}

TEST(Scene, what_is_not_given_follows_from_what_is) {
    const Scene scene = parse_scene(
        "phlo: 1\ndomain: {size: [2, 4, 3]}\ntime: {first_frame: 1001, frames: 20}\ngas: {ambient_temperature: 0 degC}\n"
        "emitters: [{shape: sphere}, {shape: sphere, temperature: 500, velocity: [0, 0, 1]}]\n",
        "s.yaml");
    EXPECT_EQ(scene.shot.domain.origin, Vec3d(-1, -2, 0));
    EXPECT_EQ(scene.shot.domain.walls[4].kind, models::WallKind::closed);
    EXPECT_EQ(scene.shot.domain.walls[5].kind, models::WallKind::open);
    EXPECT_EQ(scene.shot.time.last_frame, 1020);
    EXPECT_EQ(gas_of(scene).emitters[0].name, "emitter-1");
    EXPECT_EQ(gas_of(scene).emitters[0].temperature(0), 273.15);
    EXPECT_FALSE(gas_of(scene).emitters[0].sets_velocity);
    EXPECT_EQ(gas_of(scene).emitters[1].temperature(0), 500);
    EXPECT_TRUE(gas_of(scene).emitters[1].sets_velocity);
    EXPECT_EQ(gas_of(scene).emitters[1].velocity(0).z, 1);
}

TEST(Scene, frames_of_keyframes_count_from_the_first_frame) {
    const Scene scene = parse_scene(
        "phlo: 1\ntime: {first_frame: 1001, frames: 100, fps: 50}\ngas: {vorticity: {keys: [[1001 f, 0], [1051 f, 1]]}}\n", "s.yaml");
    EXPECT_DOUBLE_EQ(gas_of(scene).gas.vorticity(0), 0);
    EXPECT_DOUBLE_EQ(gas_of(scene).gas.vorticity(0.5), 0.5);
    EXPECT_DOUBLE_EQ(gas_of(scene).gas.vorticity(1), 1);
}

TEST(Scene, overrides_win_over_the_file) {
    const Scene scene =
        load_scene("two-plumes", {.overrides = {"domain.resolution=40", "emitters.right.density=2", "emitters.0.temperature=300 degC",
                                                "time.frames=5", "gas.vorticity=3", "gas.vorticity=4"}});
    EXPECT_EQ(scene.shot.domain.resolution, 40);
    EXPECT_EQ(gas_of(scene).emitters[1].density(0), 2);
    EXPECT_EQ(gas_of(scene).emitters[0].temperature(0), 573.15);
    EXPECT_EQ(scene.shot.time.last_frame, 5);
    EXPECT_EQ(gas_of(scene).gas.vorticity(0), 4);
}

TEST(Scene, a_delta_changes_only_what_it_says) {
    const test::ScratchDir folder;
    folder.write("base.yaml",
                 "phlo: 1\nbase: plume\ndomain: {resolution: 50, walls: {ceiling: {inflow: {velocity: 0.1, density: 0.5}}}}\n");
    const std::string file =
        folder.write("delta.yaml",
                     "phlo: 1\nbase: base.yaml\ndomain: {walls: {ceiling: {inflow: {velocity: 0.2}}}}\n"
                     "emitters: [{name: source, shape: {box: {size: [0.1, 0.1, 0.1]}}}, {name: second, shape: sphere}]\n");
    const Scene plume = load_scene("plume"), scene = load_scene(file);
    EXPECT_EQ(scene.shot.domain.resolution, 50);
    EXPECT_EQ(scene.shot.domain.size, plume.shot.domain.size);
    EXPECT_EQ(scene.shot.domain.walls[5].velocity(0), 0.2);
    EXPECT_EQ(scene.shot.domain.walls[5].density(0), 0.5);
    ASSERT_EQ(gas_of(scene).emitters.size(), 2u);
    EXPECT_TRUE(std::holds_alternative<geom::Box>(gas_of(scene).emitters[0].shape.kind())) << "another shape replaces the old one";
    EXPECT_EQ(gas_of(scene).emitters[0].temperature(0), gas_of(plume).emitters[0].temperature(0));
}

TEST(Scene, mistakes_in_a_base_point_into_the_base) {
    const test::ScratchDir folder;
    const std::string base = folder.write("base.yaml", "phlo: 1\ngas:\n  coolin: 3\n");
    const std::string delta = folder.write("delta.yaml", "phlo: 1\nbase: base.yaml\ngas: {cooling: many}\n");
    const std::string message = test::complaint([&] { load_scene(delta); });
    EXPECT_NE(message.find(base + ":3:3: gas.coolin: unknown key"), std::string::npos) << message;
    EXPECT_NE(message.find(delta + ":3:16: gas.cooling: 'many'"), std::string::npos) << message;
}

TEST(Scene, bases_that_go_in_circles_are_refused) {
    const test::ScratchDir folder;
    const std::string one = folder.write("one.yaml", "phlo: 1\nbase: two.yaml\n");
    folder.write("two.yaml", "phlo: 1\nbase: one.yaml\n");
    EXPECT_NE(test::complaint([&] { load_scene(one); }).find("two.yaml:2:7: base: 'one.yaml' is built on itself"), std::string::npos);
    const std::string lost = folder.write("lost.yaml", "phlo: 1\nbase: plum\n");
    EXPECT_EQ(test::complaint([&] { load_scene(lost); }),
              lost + ":2:7: base: plum: neither a file nor a preset; presets are " + config::one_of(preset_names()) + "; did you mean 'plume'?");
}

TEST(Scene, meshes_are_found_beside_the_scene_file) {
    const test::ScratchDir folder;
    folder.write("tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    const std::string file = folder.write("mesh.yaml", "phlo: 1\nbodies: [{shape: {mesh: {file: tetra.obj, scale: 0.5}}}]\n");
    const Scene scene = load_scene(file);
    EXPECT_NEAR(scene.shot.bodies[0].shape.volume(), 1.0 / 48, 1e-6);
    const std::string dump = dump_scene(scene);
    const std::uint64_t hash = scene_hash(scene);
    EXPECT_EQ(dump_scene(parse_scene(dump, "elsewhere/dump.yaml")), dump);
    folder.write("tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0.5\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    const auto changes = changed_keys(dump, load_scene(file));
    ASSERT_EQ(changes.size(), 1u) << "the file has another content";
    EXPECT_EQ(changes[0].path, "bodies.body-1.shape.mesh.checksum");
    EXPECT_NE(scene_hash(load_scene(file)), hash);
}

TEST(Scene, foreign_sections_are_read_by_who_knows_them_and_kept_by_who_does_not) {
    const std::string text = "phlo: 1\nrender: {exposure: 2}\n";
    Look look;
    const Scene known = parse_scene(text, "s.yaml", {.sections = {section("render", look_table(), look)}});
    EXPECT_EQ(look.exposure, 2);
    const std::string dump = dump_scene(known, {section("render", look_table(), look)});
    EXPECT_NE(dump.find("note: none yet"), std::string::npos);
    const Scene kept = parse_scene(text, "s.yaml");
    EXPECT_NE(dump_scene(kept).find("render: {exposure: 2}"), std::string::npos);
    EXPECT_EQ(test::complaint(
                  [&] { parse_scene("phlo: 1\nrender: {exposur: 2}\n", "s.yaml", {.sections = {section("render", look_table(), look)}}); }),
              "s.yaml:2:10: render.exposur: unknown key; did you mean 'exposure'?");
    Look set;
    parse_scene(text, "s.yaml", {.overrides = {"render.exposure=5"}, .sections = {section("render", look_table(), set)}});
    EXPECT_EQ(set.exposure, 5);
}

TEST(Changes, each_changed_key_is_named_with_what_must_be_redone) {
    Look look;
    const std::vector<Section> sections = {section("render", look_table(), look)};
    const std::string shot = "phlo: 1\ngas: {cooling: 0.15}\n"
                             "emitters: [{name: source, shape: {cylinder: {radius: 9 cm}}, position: [0, 0, 20 cm]}]\n"
                             "bodies: [{name: ball, shape: sphere, position: [0, 0, 70 cm]}]\n";
    const std::string dump = dump_scene(parse_scene(shot, "shot.yaml", {.sections = sections}), sections);
    const Scene now = parse_scene(
        shot, "shot.yaml", {.overrides = {"gas.cooling=1", "emitters.source.shape.cylinder.radius=5 cm", "bodies.ball.color=[1, 1, 1]",
                                       "render.exposure=3", "render.note=hello", "bodies.ball.shape={box: {}}"},
                         .sections = sections});
    const auto changes = changed_keys(dump, now, sections);
    ASSERT_EQ(changes.size(), 5u);
    EXPECT_EQ(changes[0].path, "gas.cooling");
    EXPECT_EQ(changes[0].before, "0.15");
    EXPECT_EQ(changes[0].after, "1");
    EXPECT_EQ(changes[0].affects, Affects::simulation);
    EXPECT_EQ(changes[1].path, "emitters.source.shape.cylinder.radius");
    EXPECT_EQ(changes[2].path, "bodies.ball.shape");
    EXPECT_EQ(changes[3].path, "bodies.ball.color");
    EXPECT_EQ(changes[3].affects, Affects::render);
    EXPECT_EQ(changes[4].path, "render.exposure");
    EXPECT_EQ(changes[4].affects, Affects::render);
}

TEST(Changes, more_frames_and_another_name_are_no_change) {
    const Scene scene = load_scene("plume");
    const Scene longer = load_scene("plume", {.overrides = {"time.frames=500", "name=other", "description=else"}});
    EXPECT_TRUE(changed_keys(dump_scene(scene), longer).empty());
    EXPECT_EQ(scene_hash(scene), scene_hash(longer));
}

TEST(Changes, the_hash_sees_what_the_simulation_sees) {
    const std::uint64_t hash = scene_hash(load_scene("plume-sphere"));
    for (const char* change :
         {"gas.vorticity=2.01", "domain.resolution=127", "emitters.0.noise.seed=9", "bodies.ball.surface=free-slip", "time.fps=25", "seed=2"})
        EXPECT_NE(scene_hash(load_scene("plume-sphere", {.overrides = {change}})), hash) << change;
    for (const char* change : {"bodies.ball.color=[1, 0, 0]", "render.exposure=2"})
        EXPECT_EQ(scene_hash(load_scene("plume-sphere", {.overrides = {change}})), hash) << change;
}

TEST(Changes, emitters_that_come_and_go_are_told) {
    const std::string one = dump_scene(load_scene("plume"));
    const Scene two = load_scene("plume", {.overrides = {"emitters=[{name: other, shape: sphere}]"}});
    const auto changes = changed_keys(one, two);
    ASSERT_EQ(changes.size(), 2u);
    EXPECT_EQ(changes[0].path, "emitters.other");
    EXPECT_EQ(changes[0].after, "present");
    EXPECT_EQ(changes[1].path, "emitters.source");
    EXPECT_EQ(changes[1].after, "absent");
}

TEST(Changes, keys_that_an_old_scene_did_not_have_were_at_their_default) {
    std::string dump = dump_scene(load_scene("plume"));
    const std::size_t at = dump.find("  viscosity: 0");
    ASSERT_NE(at, std::string::npos);
    dump.erase(at, dump.find('\n', at) + 1 - at);
    EXPECT_TRUE(changed_keys(dump, load_scene("plume")).empty());
    EXPECT_EQ(changed_keys(dump, load_scene("plume", {.overrides = {"gas.viscosity=1"}})).size(), 1u);
}

TEST(Estimate, counts_cells_and_warns_of_thin_things) {
    const Scene scene = parse_scene(
        "phlo: 1\ndomain: {size: [1, 2, 4], resolution: 64}\ntime: {frames: 10}\n"
        "bodies: [{name: sheet, shape: {box: {size: [0.5, 0.5, 1 cm]}}, position: [0, 0, 1]}]\n",
        "s.yaml");
    const models::Estimate cost = estimate(scene);
    EXPECT_EQ(cost.cells, Vec3i(16, 32, 64));
    EXPECT_EQ(cost.frames, 10);
    ASSERT_EQ(cost.notes.size(), 2u);
    EXPECT_EQ(cost.notes[1], "bodies.sheet: 0.01 m thick, under two cells of 0.0625 m; gas may leak through it");
    EXPECT_EQ(models::size_text(1.26e9), "1.3 GB");
}

TEST(Estimate, counts_species_particles_and_sub_steps) {
    const auto cost = [](const std::string& preset, std::vector<std::string> changes = {}) { return estimate(load_scene(preset, {.overrides = std::move(changes)})); };
    const models::Estimate hybrid = cost("explosion-1"), grid = cost("explosion-1", {"gas.method=grid"}), smoke = cost("explosion-1", {"gas.method=smoke"});
    EXPECT_GT(grid.memory_bytes - smoke.memory_bytes, 2 * (hybrid.memory_bytes - smoke.memory_bytes));
    EXPECT_GT(grid.seconds, 1.2 * hybrid.seconds);
    // 2,026 material particles and 2.9 sub-steps a frame were measured in the campfire, 2,144 (its charge was smaller then) and 3.2 in the explosion
    EXPECT_NEAR(cost("campfire").particles, 2000, 1000);
    EXPECT_NEAR(hybrid.particles, 2144, 1000);
    EXPECT_NEAR(cost("campfire").substeps, 2.9, 1);
    EXPECT_NEAR(hybrid.substeps, 2.7, 1);
    EXPECT_NEAR(cost("campfire", {"time.cfl=2"}).substeps, 2 * cost("campfire", {"time.cfl=4"}).substeps, 1e-9);
    EXPECT_EQ(smoke.particles, 0);
    EXPECT_GT(cost("hydrogen-jet").seconds, 20 * cost("hydrogen-jet", {"gas.method=smoke"}).seconds);   // real kinetics
}

TEST(Scene, bodies_that_are_free_hot_and_carry_emitters_survive_a_dump) {
    const std::string text = R"(phlo: 1
bodies:
  - name: ball
    shape: {sphere: {radius: 10 cm}}
    position: [0, 0, 0.8]
    motion: {free: {density: 2 kg/m^3, velocity: [1, 0, 0], spin: [0, 0, 90 deg/s]}}
    temperature: 100 degC
    heat_transfer: 40
    heat_capacity: 500
emitters:
  - {name: halo, on: ball, thickness: 3 cm}
  - {name: nozzle, on: ball, shape: {sphere: {radius: 2 cm}}, position: [0, 0, 10 cm]}
)";
    const Scene scene = parse_scene(text, "s.yaml"), again = parse_scene(dump_scene(scene), "dump.yaml");
    for (const Scene* s : {&scene, &again}) {
        const geom::Body& ball = s->shot.bodies[0];
        ASSERT_TRUE(ball.free.has_value());
        EXPECT_EQ(ball.free->density, 2);
        EXPECT_NEAR(ball.free->spin.z, 1.5708, 1e-4);
        EXPECT_NEAR((*ball.temperature)(0), 373.15, 1e-9);
        EXPECT_EQ(ball.heat_capacity, 500);
        EXPECT_FALSE(gas_of(*s).emitters[0].has_shape);
        EXPECT_TRUE(gas_of(*s).emitters[1].has_shape);
        EXPECT_EQ(gas_of(*s).emitters[1].on, "ball");
    }
    EXPECT_EQ(scene_hash(scene), scene_hash(again));
}

}  // namespace
}  // namespace phlo::scene
