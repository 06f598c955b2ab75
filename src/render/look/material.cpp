#include "render/look/material.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace phlo::render {
namespace {

constexpr float pi = std::numbers::pi_v<float>;
constexpr float smoothest = 0.03f;  // roughness below which a metal is a mirror

/// GGX facets of width alpha around z [walter2007], with masking by height [heitz2014].
struct Facets {
    float alpha;

    float density(const Vec3f& h) const {
        const float a2 = alpha * alpha, d = h.z * h.z * (a2 - 1) + 1;
        return h.z > 0 ? a2 / (pi * d * d) : 0.f;
    }
    float lambda(const Vec3f& w) const {
        const float t2 = (w.x * w.x + w.y * w.y) / (w.z * w.z);
        return 0.5f * (std::sqrt(1 + alpha * alpha * t2) - 1);
    }
    float seen(const Vec3f& w) const { return 1 / (1 + lambda(w)); }
    float seen_by_both(const Vec3f& a, const Vec3f& b) const { return 1 / (1 + lambda(a) + lambda(b)); }

    /// A facet among those that are seen from w [heitz2018].
    Vec3f draw(const Vec3f& w, float u, float v) const {
        const Vec3f stretched = normalized(Vec3f(alpha * w.x, alpha * w.y, w.z));
        const Vec3f side = std::hypot(stretched.x, stretched.y) > 1e-6f ? normalized(Vec3f(-stretched.y, stretched.x, 0)) : Vec3f(1, 0, 0);
        const Vec3f other = cross(stretched, side);
        const float r = std::sqrt(u), angle = 2 * pi * v, s = 0.5f * (1 + stretched.z);
        const float a = r * std::cos(angle), b = (1 - s) * std::sqrt(std::max(0.f, 1 - a * a)) + s * r * std::sin(angle);
        const Vec3f n = side * a + other * b + stretched * std::sqrt(std::max(0.f, 1 - a * a - b * b));
        return normalized(Vec3f(alpha * n.x, alpha * n.y, std::max(1e-6f, n.z)));
    }
    /// Of the direction that a facet drawn from w reflects it into.
    float draw_density(const Vec3f& w, const Vec3f& h) const { return seen(w) * density(h) / (4 * w.z); }
};

/// What white facets send back after one reflection, by cosine and roughness; the mean over all directions by roughness.
struct Albedo {
    static constexpr int steps = 32;
    std::array<std::array<float, steps>, steps> by_cosine{};  ///< [roughness][cosine]
    std::array<float, steps> mean{};

    Albedo() {
        constexpr int strata = 32;
        for (int r = 0; r < steps; ++r) {
            const float roughness = std::max(smoothest, float(r) / (steps - 1));
            const Facets facets{roughness * roughness};
            for (int c = 0; c < steps; ++c) {
                const float cosine = cosine_of(float(c) / (steps - 1));
                const Vec3f w(std::sqrt(1 - cosine * cosine), 0, cosine);
                double sum = 0;
                for (int n = 0; n < strata * strata; ++n) {
                    const Vec3f h = facets.draw(w, (float(n % strata) + 0.5f) / strata, (float(n / strata) + 0.5f) / strata);
                    const Vec3f to = h * (2 * dot(w, h)) - w;
                    if (to.z > 0) sum += double(facets.seen_by_both(w, to) / facets.seen(w));
                }
                by_cosine[std::size_t(r)][std::size_t(c)] = float(sum / (strata * strata));
            }
            double sum = 0;
            constexpr int n = 256;
            for (int i = 0; i < n; ++i) {
                const float cosine = (float(i) + 0.5f) / n;
                sum += double(2 * cosine * interpolated(by_cosine[std::size_t(r)], place_of(cosine))) / n;
            }
            mean[std::size_t(r)] = float(sum);
        }
    }

    /// Nodes lie closer where light grazes.
    static float cosine_of(float place) { return std::max(0.005f, place * place); }
    static float place_of(float cosine) { return std::sqrt(std::max(0.f, cosine)); }

    static float interpolated(const std::array<float, steps>& row, float place) {
        const float x = std::clamp(place, 0.f, 1.f) * (steps - 1);
        const int i = std::min(int(x), steps - 2);
        return row[std::size_t(i)] + (row[std::size_t(i) + 1] - row[std::size_t(i)]) * (x - float(i));
    }
    float at(float roughness, float cosine) const {
        const float x = roughness * (steps - 1);
        const int i = std::min(int(x), steps - 2);
        const float a = interpolated(by_cosine[std::size_t(i)], place_of(cosine)),
                    b = interpolated(by_cosine[std::size_t(i) + 1], place_of(cosine));
        return a + (b - a) * (x - float(i));
    }
    float mean_at(float roughness) const { return interpolated(mean, roughness); }

    static const Albedo& table() {
        static const Albedo albedo;
        return albedo;
    }
};

Vec3f schlick(const Vec3f& straight, float cosine) {
    const float m = std::clamp(1 - cosine, 0.f, 1.f), m2 = m * m;
    return straight + (Vec3f(1.f) - straight) * (m2 * m2 * m);
}

/// To draw a direction from the facets and not from the lobe of what they lose. That lobe is strong where light grazes: it is drawn
/// often enough that no direction weighs much.
float chance_of_facet(float albedo) { return std::min(albedo, 0.95f); }

/// Both directions in the frame of the normal, z along it.
Turn glossy_turn(const Material& material, const Vec3f& eye, const Vec3f& light) {
    if (!(eye.z > 0) || !(light.z > 0)) return {};
    const Facets facets{material.roughness * material.roughness};
    const Albedo& albedo = Albedo::table();
    const Vec3f h = normalized(eye + light);
    const float once = facets.density(h) * facets.seen_by_both(eye, light) / (4 * eye.z);  // cosine included
    const float back = albedo.at(material.roughness, eye.z), mean = albedo.mean_at(material.roughness);
    const float lost = (1 - back) * (1 - albedo.at(material.roughness, light.z)) / std::max(1e-4f, 1 - mean) * light.z / pi;
    const Vec3f average = material.color + (Vec3f(1.f) - material.color) * (1 / 21.f);  // of Schlick's reflectance over the hemisphere
    Vec3f again;  // after several reflections
    for (int c = 0; c < 3; ++c) again[c] = average[c] * average[c] * mean / (1 - average[c] * (1 - mean));
    const float facet_chance = chance_of_facet(back);
    return {schlick(material.color, dot(eye, h)) * once + again * lost,
            facet_chance * facets.draw_density(eye, h) + (1 - facet_chance) * light.z / pi};
}

Bounce through_glass(const Vec3f& normal, float ratio, const Vec3f& direction, RandomStream& random) {
    const bool back = random.next() < fresnel(-dot(direction, normal), ratio);
    return {back ? mirrored(direction, normal) : refracted(direction, normal, ratio), Vec3f(1.f), only_way};
}

}  // namespace

float fresnel(float cosine, float ratio) {
    const float sine_squared = (1 - cosine * cosine) / (ratio * ratio);
    if (sine_squared >= 1) return 1;
    const float ahead = std::sqrt(1 - sine_squared);
    const float along = (ratio * cosine - ahead) / (ratio * cosine + ahead), across = (cosine - ratio * ahead) / (cosine + ratio * ahead);
    return 0.5f * (along * along + across * across);
}

Vec3f refracted(const Vec3f& direction, const Vec3f& normal, float ratio) {
    const float cosine = -dot(direction, normal), sine_squared = (1 - cosine * cosine) / (ratio * ratio);
    return normalized(direction / ratio + normal * (cosine / ratio - std::sqrt(std::max(0.f, 1 - sine_squared))));
}

optics::Interior interior_of(const LiquidSurface& liquid, const std::string& substance) {
    const std::string name = liquid.substance.value_or(substance);
    optics::Interior interior = optics::liquid_named(name).value_or(*optics::liquid_named("water"));
    if (liquid.tint)
        for (int c = 0; c < 3; ++c) interior.absorption[c] = float(-std::log((*liquid.tint)[c]) / liquid.depth);
    interior.absorption *= float(liquid.scale), interior.scattering *= float(liquid.scale);
    if (liquid.ior) interior.ior = float(*liquid.ior);
    return interior;
}

Material make_material(const SurfaceKind& surface, const Vec3f& color, const std::string& substance) {
    Material material;
    material.color = color;
    material.priority = substance.empty() ? 2 : 1;
    if (const auto* glossy = std::get_if<GlossySurface>(&surface)) {
        material.roughness = float(glossy->roughness);
        material.kind = material.roughness < smoothest ? Material::Kind::mirror : Material::Kind::glossy;
    } else if (const auto* glass = std::get_if<DielectricSurface>(&surface)) {
        material.kind = Material::Kind::dielectric;
        material.interior = {.ior = float(glass->ior),
                             .absorption = Vec3f(glass->absorption),
                             .scattering = Vec3f(glass->scattering),
                             .anisotropy = float(glass->anisotropy)};
    } else if (const auto* liquid = std::get_if<LiquidSurface>(&surface)) {
        material.kind = Material::Kind::dielectric;
        material.interior = interior_of(*liquid, substance);
    }
    return material;
}

Turn turn(const Material& material, const Vec3f& normal, const Vec3f& to_eye, const Vec3f& to_light) {
    if (material.clear()) return {};
    const float cosine = dot(normal, to_light);
    if (!(cosine > 0)) return {};
    if (material.diffuse()) return {material.color * (cosine / pi), cosine / pi};
    const Sides side(normal);
    const auto local = [&](const Vec3f& w) { return Vec3f(dot(w, side.u), dot(w, side.v), dot(w, normal)); };
    return glossy_turn(material, local(to_eye), local(to_light));
}

Bounce bounce(const Material& material, const Vec3f& normal, float ratio, const Vec3f& direction, RandomStream& random) {
    if (material.dielectric()) return through_glass(normal, ratio, direction, random);
    if (material.diffuse()) {
        const float cosine = std::sqrt(random.next());
        return {direction_around(normal, cosine, random.next()), material.color, cosine / pi};
    }
    const float cosine = std::max(1e-4f, -dot(direction, normal));
    if (material.kind == Material::Kind::mirror)
        return {mirrored(direction, normal), schlick(material.color, cosine), only_way};
    const Sides side(normal);
    const Vec3f eye(-dot(direction, side.u), -dot(direction, side.v), cosine);
    const float choice = random.next(), u = random.next(), v = random.next();
    Vec3f light;
    if (choice < chance_of_facet(Albedo::table().at(material.roughness, eye.z))) {
        const Vec3f h = Facets{material.roughness * material.roughness}.draw(eye, u, v);
        light = h * (2 * dot(eye, h)) - eye;
    } else {
        const float r = std::sqrt(u), angle = 2 * pi * v;
        light = Vec3f(r * std::cos(angle), r * std::sin(angle), std::sqrt(std::max(0.f, 1 - u)));
    }
    const Turn on = glossy_turn(material, eye, light);
    if (!(on.density > 0)) return {normal, Vec3f(), 1};
    return {normalized(side.u * light.x + side.v * light.y + normal * light.z), on.value / on.density, on.density};
}

const config::Variant<SurfaceKind>& surface_variant() {
    using config::Table;
    static const auto glossy =
        Table<GlossySurface>("glossy", "Metal with facets.")
            .key("roughness", &GlossySurface::roughness, {.min = 0, .max = 1, .help = "0: a mirror; 0.3: brushed; 1: dull"});
    static const auto dielectric =
        Table<DielectricSurface>("dielectric", "Clear, coloured or cloudy glass, or any liquid.")
            .key("ior", &DielectricSurface::ior, {.min = 1, .max = 4, .help = "index of refraction: water 1.33, glass 1.5, diamond 2.4"})
            .key("absorption", &DielectricSurface::absorption,
                 {.unit = "1/m", .min = 0, .help = "inside, of red, green and blue: light is dimmed by exp(-absorption x way)"})
            .key("scattering", &DielectricSurface::scattering, {.unit = "1/m", .min = 0, .help = "inside, of red, green and blue"})
            .key("anisotropy", &DielectricSurface::anisotropy,
                 {.min = -0.95, .max = 0.95, .help = "g of the phase function: above 0 scatters forwards"});
    static const std::string substances = fmt::format("{}; none: the liquid's own, or water", fmt::join(optics::liquid_names(), ", "));
    static const auto liquid =
        Table<LiquidSurface>("liquid", "Filled with a liquid whose optics are known.")
            .key("substance", &LiquidSurface::substance,
                 {.help = substances.c_str()})
            .key("scale", &LiquidSurface::scale,
                 {.min = 0, .help = "factor on absorption and scattering: 10 makes a glass of water as blue as a pool, 0 clear"})
            .key("tint", &LiquidSurface::tint,
                 {.above = 0, .max = 1, .help = "what is left of red, green and blue after `depth`; none: the liquid's own colour"})
            .key("depth", &LiquidSurface::depth, {.unit = "m", .above = 0, .help = "at which light has the colour `tint`"})
            .key("ior", &LiquidSurface::ior, {.min = 1, .max = 4, .help = "index of refraction; none: the liquid's own"})
            .check([](LiquidSurface& read, const config::Node& node, config::Reader& reader) {
                if (read.substance && !optics::liquid_named(*read.substance))
                    reader.fail(node.find("substance")->position, "substance",
                                fmt::format("no liquid '{}'; there are {}", *read.substance, fmt::join(optics::liquid_names(), ", ")));
            });
    constexpr auto make = [](auto kind, const config::Node&) { return SurfaceKind(kind); };
    static const auto variant =
        config::Variant<SurfaceKind>("surface", "What a surface does with light.")
            .word("diffuse", "dull: light goes everywhere", DiffuseSurface(),
                  [](const SurfaceKind& s) { return std::holds_alternative<DiffuseSurface>(s); })
            .option(
                "glossy", "metal in the body's colour", glossy, [](const SurfaceKind& s) { return std::get_if<GlossySurface>(&s); }, make)
            .option(
                "dielectric", "clear: light is reflected and refracted", dielectric,
                [](const SurfaceKind& s) { return std::get_if<DielectricSurface>(&s); }, make)
            .option(
                "liquid", "water, milk, honey …, in its own colour or another one", liquid,
                [](const SurfaceKind& s) { return std::get_if<LiquidSurface>(&s); }, make);
    return variant;
}

const config::Table<MaterialParams>& material_table() {
    static const auto table =
        config::Table<MaterialParams>("materials", "Surfaces of bodies that are not just dull, and of liquids.")
            .key("body", &MaterialParams::body, {.help = "the body's name, or that of a liquid's surface: liquid", .required = true})
            .table("surface", &MaterialParams::surface, surface_variant(), {.help = "what it does with light"})
            .key("radiance", &MaterialParams::radiance, {.min = 0, .help = "that it emits, in the body's colour"})
            .key("temperature", &MaterialParams::temperature,
                 {.unit = "K", .above = 0, .help = "glows as a black body, as bright as `fire` shows gas; none: does not"});
    return table;
}

}  // namespace phlo::render
