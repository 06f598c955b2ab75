#include "render/surfaces/subsurface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/parallel_items.h"
#include "render/surfaces/liquid_mix.h"

namespace phlo::render {
namespace {

constexpr float pi = std::numbers::pi_v<float>;

/// A place where light enters.
struct Entry {
    Vec3f point;
    Vec3f light;  ///< irradiance times area
    float area = 0;
    int corner = 0;
};

/// Entries in boxes of boxes; a box far away counts as one.
class EntryTree {
public:
    explicit EntryTree(std::vector<Entry> entries) : entries_(std::move(entries)) {
        if (!entries_.empty()) build(0, int(entries_.size()));
    }
    const std::vector<Entry>& entries() const { return entries_; }

    /// Sum of visit(entry or box, squared distance) seen from a point; nothing beyond `reach`.
    template <class Visit>
    void visit(const Vec3f& point, float reach, const Visit& see) const {
        if (!nodes_.empty()) visit(0, point, reach, see);
    }

private:
    struct Node {
        Vec3f low, high;
        Entry sum;  ///< in the middle of its entries
        int first = 0, last = 0;
        int right = 0;  ///< the left child is the next node; 0: a leaf
    };

    int build(int first, int last) {
        const int at = int(nodes_.size());
        nodes_.emplace_back();
        Node node;
        node.first = first, node.last = last, node.low = node.high = entries_[std::size_t(first)].point;
        Vec3d middle, light;
        double area = 0;
        for (int n = first; n < last; ++n) {
            const Entry& e = entries_[std::size_t(n)];
            node.low = min(node.low, e.point), node.high = max(node.high, e.point);
            middle += Vec3d(e.point) * double(e.area), light += Vec3d(e.light), area += double(e.area);
        }
        node.sum = {Vec3f(middle / std::max(area, 1e-30)), Vec3f(light), float(area), -1};
        if (last - first > 8) {
            const Vec3f size = node.high - node.low;
            const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2, half = (first + last) / 2;
            std::nth_element(entries_.begin() + first, entries_.begin() + half, entries_.begin() + last, [axis](const Entry& a, const Entry& b) {
                return std::pair(a.point[axis], a.corner) < std::pair(b.point[axis], b.corner);
            });
            build(first, half);
            node.right = build(half, last);
        }
        nodes_[std::size_t(at)] = node;
        return at;
    }

    template <class Visit>
    void visit(int at, const Vec3f& point, float reach, const Visit& see) const {
        const Node& node = nodes_[std::size_t(at)];
        const Vec3f outside = max(max(node.low - point, point - node.high), Vec3f());
        const float nearest = dot(outside, outside);
        if (nearest > reach * reach) return;
        const Vec3f way = node.sum.point - point;
        if (nearest > 0 && node.sum.area < 0.12f * dot(way, way)) return see(node.sum, dot(way, way));
        if (node.right > 0) {
            visit(at + 1, point, reach, see);
            visit(node.right, point, reach, see);
            return;
        }
        for (int n = node.first; n < node.last; ++n) {
            const Vec3f to = entries_[std::size_t(n)].point - point;
            see(entries_[std::size_t(n)], dot(to, to));
        }
    }

    std::vector<Entry> entries_;
    std::vector<Node> nodes_;
};

std::array<Dipole, 3> dipoles_of(const optics::Interior& i) {
    std::array<Dipole, 3> result;
    for (int c = 0; c < 3; ++c) result[std::size_t(c)] = Dipole(i.absorption[c], i.scattering[c] * (1 - i.anisotropy), i.ior);
    return result;
}

/// What absorbs much shines less straight out than aslant: the radiance in a direction, of `cosine` outside, over the even mean of all [hapke1981].
Vec3f leaning(const optics::Interior& interior, float cosine) {
    const float inner = std::sqrt(1 - (1 - cosine * cosine) / (interior.ior * interior.ior));
    const Vec3f mean = half_space_albedo(interior);
    Vec3f result;
    for (int c = 0; c < 3; ++c) {
        const float reduced = interior.scattering[c] * (1 - interior.anisotropy), gamma = std::sqrt(interior.absorption[c] / (interior.absorption[c] + reduced));
        result[c] = mean[c] > 0 ? (1 - gamma * (1 + 2 * inner) / (1 + 2 * inner * gamma)) / mean[c] : 1.f;
    }
    return result;
}

}  // namespace

Dipole::Dipole(float absorption, float reduced_scattering, float ior) {
    const float extinction = absorption + reduced_scattering;
    albedo = reduced_scattering / extinction;
    sigma_tr = std::sqrt(3 * absorption * extinction);
    // Light inside that meets the border is reflected back by this share on the average [egan1973].
    const float inner = -1.440f / (ior * ior) + 0.710f / ior + 0.668f + 0.0636f * ior;
    z_r = 1 / extinction, z_v = z_r * (1 + 4 / 3.f * (1 + inner) / (1 - inner));
}

float Dipole::at(float r2) const {
    const float d_r = std::sqrt(r2 + z_r * z_r), d_v = std::sqrt(r2 + z_v * z_v);
    return albedo / (4 * pi) *
           (z_r * (1 + sigma_tr * d_r) * std::exp(-sigma_tr * d_r) / (d_r * d_r * d_r) +
            z_v * (1 + sigma_tr * d_v) * std::exp(-sigma_tr * d_v) / (d_v * d_v * d_v));
}

float Dipole::within(float radius) const {
    const auto part = [&](float z) {
        const float d = std::sqrt(radius * radius + z * z);
        return std::exp(-sigma_tr * z) - z * std::exp(-sigma_tr * d) / d;
    };
    return 0.5f * albedo * (part(z_r) + part(z_v));
}

float Dipole::around(float distance, float half_width) const {
    const float far = distance + half_width, near = std::max(0.f, distance - half_width);
    return (within(far) - within(near)) / (pi * (far * far - near * near));
}

float Dipole::total() const { return 0.5f * albedo * (std::exp(-sigma_tr * z_r) + std::exp(-sigma_tr * z_v)); }

/// The dipole's own sum is too dark where much is absorbed; this is what even light of a half-space that scatters evenly does, and what its border sends back
/// inside counts again and again.
Vec3f comes_out(const Material& material, const Vec3f& albedo) {
    const float inner = 1 - material.passed_evenly / (material.interior.ior * material.interior.ior);
    Vec3f result;
    for (int c = 0; c < 3; ++c) result[c] = albedo[c] * (1 - inner) / (1 - inner * albedo[c]);
    return result;
}

void make_cloudy(Material& material) {
    constexpr int n = 64;
    material.passed_evenly = 0;
    for (int i = 0; i < n; ++i) {
        const float cosine = (float(i) + 0.5f) / n;
        material.passed_evenly += 2 * cosine * (1 - fresnel(cosine, material.interior.ior)) / n;
    }
    material.priority = 3;  // before the glass that it stands in: against the wall it is seen through it
    material.cloudy = true, material.color = comes_out(material, half_space_albedo(material.interior));
}

Subsurface::Subsurface(const Surfaces& surfaces, const std::function<Vec3f(const Vec3f&, const Vec3f&, const Material&)>& entering) {
    for (const Surfaces::Part& part : surfaces.parts()) {
        if (!part.material->cloudy) continue;
        leaving_.resize(surfaces.corner_areas().size());
        std::vector<Entry> entries(std::size_t(part.last - part.first));
        constexpr int chunk = 64;
        const int chunks = (part.last - part.first + chunk - 1) / chunk;
        const auto each = [&](int item, const auto& visit) {
            for (int n = item * chunk; n < std::min(part.last - part.first, (item + 1) * chunk); ++n) visit(n);
        };
        parallel_items(chunks, [&](int item) {
            each(item, [&](int n) {
                const int corner = part.first + n;
                const Surfaces::Corner at = surfaces.corner(corner);
                const float area = surfaces.corner_areas()[std::size_t(corner)];
                entries[std::size_t(n)] = {at.point, entering(at.point, at.normal, *part.material) * (pi * area), area, corner};
            });
        });
        const auto common = dipoles_of(part.material->interior);
        // Where the liquid lies on the ground light neither enters nor leaves.
        if (const auto& ground = surfaces.ground())
            std::erase_if(entries, [&](const Entry& e) { return e.point.z < ground->height + 1e-5f && surfaces.corner(e.corner).normal.z < -0.5f; });
        const EntryTree tree(std::move(entries));
        parallel_items(chunks, [&](int item) {
            each(item, [&](int n) {
                if (std::size_t(n) >= tree.entries().size()) return;
                const Entry& own = tree.entries()[std::size_t(n)];
                Vec3f light, area;
                const auto dipoles = part.material->mix ? dipoles_of(part.material->mix->at(own.point)) : common;
                // Beyond this nothing is left of any colour.
                const float reach = 5 / std::min({dipoles[0].sigma_tr, dipoles[1].sigma_tr, dipoles[2].sigma_tr}) + 20 * dipoles[0].z_v;
                tree.visit(own.point, reach, [&](const Entry& entry, float r2) {
                    const bool close = entry.corner >= 0 && r2 < 4 * entry.area;
                    for (int c = 0; c < 3; ++c) {
                        const Dipole& dipole = dipoles[std::size_t(c)];
                        const float weight = close ? dipole.around(std::sqrt(r2), std::sqrt(entry.area / pi) + dipole.z_r) : dipole.at(r2);
                        light[c] += entry.light[c] * weight, area[c] += entry.area * weight;
                    }
                });
                for (int c = 0; c < 3; ++c)
                    if (area[c] > 0) leaving_[std::size_t(own.corner)][c] = surfaces.corner(own.corner).color[c] * light[c] / (area[c] * pi);
            });
        });
    }
}

Vec3f Subsurface::towards(const Hit& hit, const Vec3f& direction) const {
    if (leaving_.empty() || hit.ground) return {};
    Vec3f light;
    for (int n = 0; n < 3; ++n) light += leaving_[std::size_t(hit.corners[n])] * hit.weights[n];
    const optics::Interior inside = hit.material->mix ? hit.material->mix->at(hit.point) : hit.material->interior;
    const float cosine = std::clamp(dot(hit.normal, direction), 0.f, 1.f);
    return light * leaning(inside, cosine) * ((1 - fresnel(cosine, inside.ior)) / hit.material->passed_evenly);
}

}  // namespace phlo::render
