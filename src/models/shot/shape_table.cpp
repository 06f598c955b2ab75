#include "models/shot/shape_table.h"

#include <cstdint>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "base/hash.h"
#include "config/file_gate.h"
#include "config/paths.h"

namespace phlo::models {
namespace {

using config::Table;
using config::Variant;

struct MeshFile {
    std::string file;
    double scale = 1;
    std::string checksum;  ///< of the content: a mesh edited under a cache is a change
};

std::string checksum_of(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return fmt::format("{:016x}", fnv1a(std::string(std::istreambuf_iterator<char>(stream), {})));
}

const Table<geom::Sphere>& sphere_table() {
    static const auto table = Table<geom::Sphere>("sphere", "A ball around its origin.")
                                  .key("radius", &geom::Sphere::radius, {.unit = "m", .above = 0, .help = "radius"});
    return table;
}

const Table<geom::Box>& box_table() {
    static const auto table = Table<geom::Box>("box", "A box around its origin.")
                                  .key("size", &geom::Box::size, {.unit = "m", .above = 0, .help = "full edge lengths"})
                                  .key("rounding", &geom::Box::rounding, {.unit = "m", .min = 0, .help = "radius of edges and corners"});
    return table;
}

const Table<geom::Capsule>& capsule_table() {
    static const auto table =
        Table<geom::Capsule>("capsule", "A cylinder along z with round ends.")
            .key("radius", &geom::Capsule::radius, {.unit = "m", .above = 0, .help = "radius"})
            .key("height", &geom::Capsule::height, {.unit = "m", .min = 0, .help = "between the centres of its ends"});
    return table;
}

const Table<geom::Cylinder>& cylinder_table() {
    static const auto table = Table<geom::Cylinder>("cylinder", "A cylinder along z.")
                                  .key("radius", &geom::Cylinder::radius, {.unit = "m", .above = 0, .help = "radius"})
                                  .key("height", &geom::Cylinder::height, {.unit = "m", .above = 0, .help = "height"});
    return table;
}

const Table<geom::Cup>& cup_table() {
    using C = geom::Cup;
    static const auto table = Table<C>("cup", "A glass, a bowl or a bucket along z, open at the top.")
                                  .key("radius", &C::radius, {.unit = "m", .above = 0, .help = "outer one, at the bottom"})
                                  .key("height", &C::height, {.unit = "m", .above = 0, .help = "height"})
                                  .key("wall", &C::wall, {.unit = "m", .above = 0, .help = "thickness of its side"})
                                  .key("base", &C::base, {.unit = "m", .above = 0, .help = "thickness of its bottom"})
                                  .key("flare", &C::flare, {.unit = "m", .help = "how much wider it is at the top; below 0: narrower"});
    return table;
}

const Table<MeshFile>& mesh_table() {
    static const auto table =
        Table<MeshFile>("mesh", "A closed triangle surface.")
            .key("file", &MeshFile::file, {.help = "obj, ply, stl, gltf, ...; relative to the scene file", .required = true})
            .key("scale", &MeshFile::scale, {.above = 0, .help = "metres per unit of the file"})
            .key("checksum", &MeshFile::checksum, {.help = "of the file's content; written by the program, not read"});
    return table;
}

template <class T>
constexpr auto get = [](const geom::Shape& shape) { return std::get_if<T>(&shape.kind()); };
constexpr auto make = [](auto kind, const config::Node&) { return geom::Shape(kind); };

}  // namespace

const Variant<geom::Shape>& shape_variant() {
    static const auto variant = Variant<geom::Shape>("shape", "A solid around its own origin.")
                                    .option("sphere", "a ball", sphere_table(), get<geom::Sphere>, make)
                                    .option("box", "a box, with round edges if you like", box_table(), get<geom::Box>, make)
                                    .option("capsule", "a cylinder along z with round ends", capsule_table(), get<geom::Capsule>, make)
                                    .option("cylinder", "a cylinder along z", cylinder_table(), get<geom::Cylinder>, make)
                                    .option("cup", "a glass or a bowl along z, open at the top", cup_table(), get<geom::Cup>, make)
                                    .option(
                                        "mesh", "a closed triangle surface from a file", mesh_table(),
                                        [](const geom::Shape& shape) -> std::optional<MeshFile> {
                                            const geom::Mesh* mesh = std::get_if<geom::Mesh>(&shape.kind());
                                            if (!mesh) return std::nullopt;
                                            return MeshFile{mesh->file, mesh->scale, checksum_of(mesh->file)};
                                        },
                                        [](MeshFile mesh, const config::Node& node) {
                                            const std::string path = config::resolved_path(mesh.file, node);
                                            config::check_readable(path);
                                            return geom::Shape(geom::Mesh{geom::load_mesh(path, mesh.scale), path, mesh.scale});
                                        });
    return variant;
}

namespace {

const Table<geom::FreeMotion>& free_table() {
    using Free = geom::FreeMotion;
    static const auto table =
        Table<Free>("free", "A rigid body that gas, gravity and collisions move.")
            .key("density", &Free::density, {.unit = "kg/m^3", .above = 0, .help = "of its material; air has 1.2"})
            .key("velocity", &Free::velocity, {.unit = "m/s", .help = "at the start"})
            .key("spin", &Free::spin, {.unit = "rad/s", .help = "angular velocity at the start"})
            .key("restitution", &Free::restitution, {.min = 0, .max = 1, .help = "share of the speed that a bounce keeps"})
            .key("friction", &Free::friction, {.min = 0, .max = 100, .help = "Coulomb's coefficient against what it touches"})
            .key("expansion", &Free::expansion,
                 {.unit = "1/K", .min = 0, .max = 1, .help = "makes it lighter as it warms, as a hot-air balloon: density / (1 + expansion (T - T at the start))"})
            .key("drag", &Free::drag, {.min = 0, .max = 100, .help = "friction of gas along it: stress over rho v^2 / 2"});
    return table;
}

const Variant<std::optional<geom::FreeMotion>>& motion_variant() {
    using Free = std::optional<geom::FreeMotion>;
    static const auto variant =
        Variant<Free>("motion", "What moves a body.")
            .word("keyframes", "position and rotation as given, fixed or keyframed", Free(), [](const Free& free) { return !free.has_value(); })
            .option(
                "free", "gas, gravity and collisions; position and rotation are where it starts", free_table(),
                [](const Free& free) { return free ? &*free : nullptr; }, [](geom::FreeMotion free, const config::Node&) { return Free(free); });
    return variant;
}

void check_body(geom::Body& body, const config::Node& node, config::Reader& reader) {
    const auto position = [&](const char* key) { return node.get(key) ? node.get(key)->position : node.position; };
    for (const char* key : {"position", "rotation"}) {
        const bool moves = key[0] == 'p' ? !body.motion.position.is_constant() : !body.motion.rotation.is_constant();
        if (body.free && moves)
            reader.fail(position(key), key, "a free body goes where it is pushed; expected the one value it starts with, or no 'motion: free'");
    }
    if (body.heat_capacity > 0 && !body.free)
        reader.fail(position("heat_capacity"), "heat_capacity", "only a free body warms and cools; expected 'motion: free', or no heat_capacity");
    if (body.heat_capacity > 0 && !body.temperature)
        reader.fail(position("heat_capacity"), "heat_capacity", "needs the temperature that the body starts with; expected 'temperature' too");
    if (body.color.x > 1 || body.color.y > 1 || body.color.z > 1)
        reader.fail(position("color"), "color", "reflects more light than it gets; expected shares of 0 to 1 each");
}

}  // namespace

const Table<geom::Body>& body_table() {
    static const auto table =
        Table<geom::Body>("body", "A solid that the gas flows around.")
            .key("name", &geom::Body::name,
                 {.help = "for messages, --set and scenes built on this one", .affects = config::Affects::nothing})
            .table("shape", &geom::Body::shape, shape_variant(),
                   {.help = "give its shape, such as {sphere: {radius: 10 cm}}", .required = true})
            .key(
                "position", [](auto& body) -> auto& { return body.motion.position; }, position_key)
            .key(
                "rotation", [](auto& body) -> auto& { return body.motion.rotation; }, rotation_key)
            .choice("surface", &geom::Body::no_slip, {{"free-slip", false, "gas slides along it"}, {"no-slip", true, "gas sticks to it"}},
                    {.help = "how the gas meets it"})
            .table("motion", &geom::Body::free, motion_variant(), {.help = "what moves it"})
            .key("temperature", &geom::Body::temperature,
                 {.unit = "K", .above = 0, .help = "of its surface, which warms or cools the gas; none: no heat passes"})
            .key("heat_transfer", &geom::Body::heat_transfer, {.unit = "W/(m^2 K)", .min = 0, .help = "between its surface and the gas"})
            .key("heat_capacity", &geom::Body::heat_capacity,
                 {.unit = "J/(kg K)", .min = 0, .help = "of a free body, which then warms and cools; 0: it keeps its temperature"})
            .names("catalyst", &geom::Body::catalyst,
                   {.unit = "mol/m^3", .min = 0, .help = "species on its surface"})
            .key("catalyst_layer", &geom::Body::catalyst_layer, {.unit = "m", .above = 0, .help = "thickness of the layer that holds them"})
            .colour("color", &geom::Body::color, {.help = "reflectance", .affects = config::Affects::render})
            .check(check_body);
    return table;
}

}  // namespace phlo::models
