#include "io/ply.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <sstream>

#include "base/error.h"
#include "io/atomic_file.h"
#include "io/image.h"

namespace phlo::io {
namespace {

template <class T>
void put(std::vector<char>& bytes, T value) {
    const auto at = bytes.size();
    bytes.resize(at + sizeof value);
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

std::size_t size_of(const std::string& type) {
    for (const char* name : {"char", "uchar", "int8", "uint8"})
        if (type == name) return 1;
    for (const char* name : {"short", "ushort", "int16", "uint16"})
        if (type == name) return 2;
    for (const char* name : {"int", "uint", "float", "int32", "uint32", "float32"})
        if (type == name) return 4;
    return type == "double" || type == "float64" ? 8 : 0;
}

struct Property {
    std::string name, type, count_type;  ///< count_type: of a list's length; empty for a plain value
};
struct Element {
    std::string name;
    std::size_t count = 0;
    std::vector<Property> properties;
};
struct Part {
    std::size_t points = 0, triangles = 0;
    Vec3f color;
    std::string name, substance;
};

class Reader {
public:
    Reader(const std::filesystem::path& path) : path_(path), bytes_(read_bytes(path)) {}

    std::vector<field::Surface> read() {
        header();
        for (const Element& element : elements_) {
            // A count that the file cannot hold would otherwise be believed, and allocated.
            if (element.count > bytes_.size()) fail("ends before its data do");
            for (std::size_t n = 0; n < element.count; ++n) record(element);
        }
        for (const Vec3i& t : mesh_.triangles)
            for (int c = 0; c < 3; ++c)
                if (t[c] < 0 || std::size_t(t[c]) >= mesh_.points.size()) fail("has a face that names a vertex it does not have");
        return split();
    }

private:
    [[noreturn]] void fail(const char* what) { throw RunError(fmt::format("{}: the PLY file {}", path_.string(), what)); }

    std::string line() {
        const auto end = std::find(bytes_.begin() + std::ptrdiff_t(at_), bytes_.end(), '\n');
        if (end == bytes_.end()) fail("has no complete header");
        std::string text(bytes_.begin() + std::ptrdiff_t(at_), end);
        at_ = std::size_t(end - bytes_.begin()) + 1;
        if (!text.empty() && text.back() == '\r') text.pop_back();
        return text;
    }

    void header() {
        if (line() != "ply") fail("does not begin with 'ply'");
        for (std::string text = line(); text != "end_header"; text = line()) {
            std::istringstream words(text);
            std::string word;
            words >> word;
            if (word == "format") {
                words >> word;
                if (word != "binary_little_endian") fail("is not binary little-endian");
            } else if (word == "comment") {
                comment(words);
            } else if (word == "element") {
                Element element;
                words >> element.name >> element.count;
                elements_.push_back(element);
            } else if (word == "property") {
                Property property;
                words >> property.type;
                if (property.type == "list") words >> property.count_type >> property.type;
                words >> property.name;
                if (elements_.empty() || size_of(property.type) == 0 || (!property.count_type.empty() && size_of(property.count_type) == 0))
                    fail("has a property of unknown type");
                elements_.back().properties.push_back(property);
            }
        }
    }

    void comment(std::istringstream& words) {
        std::string word;
        words >> word;
        if (word == "surface") {
            Part part;
            words >> part.points >> part.triangles >> part.color.x >> part.color.y >> part.color.z;
            std::getline(words >> std::ws, part.name);
            parts_.push_back(part);
        } else if (word == "substance" && !parts_.empty()) {
            std::getline(words >> std::ws, parts_.back().substance);
        }
    }

    double value(const std::string& type) {
        const std::size_t size = size_of(type);
        if (at_ + size > bytes_.size()) fail("ends before its data do");
        const char* p = bytes_.data() + at_;
        at_ += size;
        const auto as = [&](auto zero) {
            std::memcpy(&zero, p, sizeof zero);
            return double(zero);
        };
        if (type.starts_with("float")) return as(float());
        if (size == 8) return as(double());
        const bool is_unsigned = type[0] == 'u';
        if (size == 4) return is_unsigned ? as(std::uint32_t()) : as(std::int32_t());
        if (size == 2) return is_unsigned ? as(std::uint16_t()) : as(std::int16_t());
        return is_unsigned ? as(std::uint8_t()) : as(std::int8_t());
    }

    void record(const Element& element) {
        Vec3f point, velocity;
        bool moves = false;
        for (const Property& property : element.properties) {
            if (property.count_type.empty()) {
                const double v = value(property.type);
                const std::string& name = property.name;
                const bool axis = !name.empty() && name.back() >= 'x' && name.back() <= 'z';
                if (axis && name.size() == 1) point[name[0] - 'x'] = float(v);
                if (axis && name.size() == 2 && name[0] == 'v') velocity[name[1] - 'x'] = float(v), moves = true;
                continue;
            }
            const int count = int(value(property.count_type));
            const bool face = element.name == "face" && property.name.starts_with("vertex_ind");
            int corner[2] = {0, 0};
            for (int c = 0; c < count; ++c) {
                const int index = int(value(property.type));
                if (c >= 2 && face) mesh_.triangles.push_back({corner[0], corner[1], index});  // a polygon is a fan of triangles
                corner[c == 0 ? 0 : 1] = index;
            }
        }
        if (element.name != "vertex") return;
        mesh_.points.push_back(point);
        if (moves) velocity_.push_back(velocity);
    }

    /// One file holds all bodies; the comments say where each begins.
    std::vector<field::Surface> split() {
        if (parts_.empty()) return {{.name = path_.stem().string(), .mesh = std::move(mesh_), .velocity = std::move(velocity_)}};
        std::vector<field::Surface> surfaces;
        std::size_t point = 0, triangle = 0;
        for (const Part& part : parts_) {
            if (point + part.points > mesh_.points.size() || triangle + part.triangles > mesh_.triangles.size())
                fail("holds less than it says");
            field::Surface surface{.name = part.name, .color = part.color, .mesh = {}, .substance = part.substance};
            const auto points = mesh_.points.begin() + std::ptrdiff_t(point);
            surface.mesh.points.assign(points, points + std::ptrdiff_t(part.points));
            if (!velocity_.empty()) {
                const auto velocities = velocity_.begin() + std::ptrdiff_t(point);
                surface.velocity.assign(velocities, velocities + std::ptrdiff_t(part.points));
            }
            for (std::size_t t = triangle; t < triangle + part.triangles; ++t)
                surface.mesh.triangles.push_back(mesh_.triangles[t] - Vec3i(int(point)));
            point += part.points, triangle += part.triangles;
            surfaces.push_back(std::move(surface));
        }
        return surfaces;
    }

    std::filesystem::path path_;
    std::vector<char> bytes_;
    std::size_t at_ = 0;
    std::vector<Element> elements_;
    std::vector<Part> parts_;
    field::TriangleMesh mesh_;
    std::vector<Vec3f> velocity_;   ///< of each point, or empty
};

}  // namespace

void write_ply(const std::filesystem::path& path, const std::vector<field::Surface>& surfaces, std::span<const field::Volume> of_liquid) {
    std::size_t points = 0, triangles = 0;
    bool moving = false;
    std::string header = "ply\nformat binary_little_endian 1.0\ncomment phlogiston, metres, z up\n";
    for (const field::Surface& s : surfaces) {
        PHLO_CHECK(s.velocity.empty() || s.velocity.size() == s.mesh.points.size());
        points += s.mesh.points.size(), triangles += s.mesh.triangles.size();
        moving |= !s.velocity.empty();
        header += fmt::format("comment surface {} {} {:.9g} {:.9g} {:.9g} {}\n", s.mesh.points.size(), s.mesh.triangles.size(), s.color.x,
                              s.color.y, s.color.z, s.name);
        if (!s.substance.empty()) header += fmt::format("comment substance {}\n", s.substance);
    }
    std::string columns = moving ? "property float vx\nproperty float vy\nproperty float vz\n" : "";
    for (const field::Volume& volume : of_liquid) columns += fmt::format("property float {}\n", volume.name);
    header += fmt::format(
        "element vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
        "property uchar red\nproperty uchar green\nproperty uchar blue\n{}"
        "element face {}\nproperty list uchar int vertex_indices\nend_header\n",
        points, columns, triangles);
    std::vector<char> bytes(header.begin(), header.end());
    bytes.reserve(header.size() + (15 + (moving ? 12 : 0) + 4 * of_liquid.size()) * points + 13 * triangles);
    for (const field::Surface& s : surfaces) {
        std::uint8_t color[3];
        for (int c = 0; c < 3; ++c) color[c] = std::uint8_t(std::lround(255 * srgb_from_linear(std::clamp(s.color[c], 0.f, 1.f))));
        for (std::size_t n = 0; n < s.mesh.points.size(); ++n) {
            const Vec3f& p = s.mesh.points[n];
            put(bytes, p.x), put(bytes, p.y), put(bytes, p.z);
            for (const std::uint8_t c : color) put(bytes, c);
            const Vec3f v = s.velocity.empty() ? Vec3f() : s.velocity[n];
            if (moving) put(bytes, v.x), put(bytes, v.y), put(bytes, v.z);
            for (const field::Volume& volume : of_liquid) put(bytes, s.substance.empty() ? 0.f : field::value_at(volume, p));
        }
    }
    std::int32_t first = 0;
    for (const field::Surface& s : surfaces) {
        for (const Vec3i& t : s.mesh.triangles) {
            put(bytes, std::uint8_t(3));
            for (int c = 0; c < 3; ++c) put(bytes, std::int32_t(first + t[c]));
        }
        first += std::int32_t(s.mesh.points.size());
    }
    write_atomically(path, bytes);
}

std::vector<field::Surface> read_ply(const std::filesystem::path& path) { return Reader(path).read(); }

}  // namespace phlo::io
