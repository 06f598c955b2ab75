// What a solver shows of one moment, and all that rendering sees: named fields, surfaces, and where they are.
// Caches on disk are Frames; a Frame can come from any program that writes the usual grid names.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "field/domain.h"
#include "field/mac.h"

namespace phlo::field {

struct ScalarField {
    std::string name;                   ///< density, temperature, flame, c_<species> ...
    std::string unit;                   ///< "kg/m^3", "K", ...
    float background = 0;               ///< value of empty space
    float negligible = 0;               ///< a value this close to the background counts as empty space, and is not stored
    std::shared_ptr<const Grid> grid{};
};

struct TriangleMesh {
    std::vector<Vec3f> points;          ///< world space [m]
    std::vector<Vec3i> triangles;       ///< counter-clockwise seen from outside
};

struct Surface {
    std::string name;                   ///< the body's name
    Vec3f color{0.5f, 0.5f, 0.5f};      ///< linear RGB reflectance
    TriangleMesh mesh;
};

/// Particles to be seen: soot, sparks, tracers.
struct Points {
    std::string name;                                   ///< soot, ...
    std::vector<Vec3f> position;                        ///< world space [m]
    std::vector<float> radius;                          ///< [m]; one a point
    std::map<std::string, std::vector<float>> values;   ///< temperature, age, ...; one a point each

    std::size_t size() const { return position.size(); }
};

struct Frame {
    int number = 1;
    double time = 0;                    ///< [s]
    double fps = 24;
    Domain domain;                      ///< where the fields lie
    std::optional<Domain> room = {};    ///< if they cover only the part where something is: the whole domain, a whole number of cells around
    std::vector<ScalarField> scalars;
    std::shared_ptr<const MacGrid> velocity;   ///< [m/s]; null if there is none
    std::vector<Surface> surfaces;
    std::vector<Points> points;
    std::map<std::string, std::string> metadata;   ///< scene hash, units, program version

    const Domain& whole() const { return room ? *room : domain; }
    const ScalarField* find(const std::string& name) const {
        for (const ScalarField& s : scalars)
            if (s.name == name) return &s;
        return nullptr;
    }
    const Points* find_points(const std::string& name) const {
        for (const Points& p : points)
            if (p.name == name) return &p;
        return nullptr;
    }
};

}  // namespace phlo::field
