// How sets of points are seen: the list `render.points` of a scene.
//
//   points:
//     - {points: sparks, kind: light, color: {column: temperature, ramp: blackbody}, brightness: 200}
//     - {points: ember, kind: spark, color: {column: left, ramp: [[0, [0, 0, 0]], [1, [1, 0.6, 0.2]]]}, size: 0.2, brightness: 900, streak: 0.02 s}
//     - {points: ash, color: {column: age, ramp: [[0 , [0.8, 0.8, 0.8]], [2, [0.1, 0.1, 0.1]]]}, size: 2}
//
// Every point is a Gaussian cloud of standard deviation radius / 2. `matter` scatters light and shines where the gas around it is hot, as soot does;
// `light` absorbs and sends out light of its own. A `spark` is a small ball of light, drawn sharp, with a streak where it moves (sparks.h). A `grid` is no matter at all: cubes whose
// walls are drawn as lines on what is seen (grid_lines.h).
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/vec.h"
#include "config/table.h"

namespace phlo::render {

struct ColourStop {
    double value = 0;   ///< of the column
    Vec3f color;
};

/// By a column of numbers: linear between the stops, and the first and last colour beyond them.
struct ColumnColour {
    std::string column;
    std::vector<ColourStop> ramp = {};   ///< none: the column is a temperature [K] and the colour that of a black body, as `fire` shows it
};

using PointColour = std::variant<Vec3f, ColumnColour>;

enum class PointKind { matter, light, spark, grid };

struct PointsLook {
    std::string points;                          ///< the name of the set
    PointColour color = Vec3f{0.16f, 0.14f, 0.13f};   ///< of matter the albedo; of light that of its radiance
    double size = 1;                             ///< factor on the radii
    PointKind kind = PointKind::matter;
    std::optional<double> extinction = {};       ///< in the middle of a point [1/m]; none: 30 / the longest side of what is seen
    std::optional<double> brightness = {};       ///< of light: radiance where points are so many that nothing passes; of a spark its own; none: the fire's
    std::optional<double> streak = {};           ///< of sparks: they draw the way of so many seconds; none: of the time the shutter is open
};

const config::Table<PointsLook>& points_table();

/// `blackbody`, which is an empty ramp, or a list of [value, colour] with rising values.
const config::Typed<std::vector<ColourStop>>& ramp_schema();

/// Linear between the stops, of which there is at least one; the first and last colour beyond them.
Vec3f colour_at(const std::vector<ColourStop>& ramp, double value);

}  // namespace phlo::render
