// Where a liquid's grid is fine: `liquid.adapt`. docs/models/liquid-adaptive.md has what it costs and gains.
#pragma once
#include <optional>

#include "base/curve.h"
#include "base/vec.h"
#include "config/table.h"
#include "models/shot/shot.h"

namespace phlo::models {

enum class AdaptMode {
    none,      ///< one size of cells
    surface,   ///< fine at the surface, whoever looks
    view       ///< fine at the surface that a camera sees
};

/// A camera as far as it says what is seen. What is not given is the picture's: `render.camera`.
struct AdaptView {
    std::optional<Curve<Vec3d>> position;   ///< [m]; none: all is seen
    std::optional<Curve<Vec3d>> target;     ///< in the middle of the picture [m]; none: the middle of the domain
    Curve<double> fov{30.0};                ///< across the picture's height [deg]
    double aspect = 16.0 / 9;               ///< width over height
    double margin = 0.1;                    ///< the picture is taken to be wider and higher by this, for light that reaches it from beside it
    double height = 720;                    ///< of the picture [pixels]
    double pixels = 1.5;                    ///< cells that look smaller than this are joined
    double ahead = 0.25;                    ///< what the camera sees so much later is fine now, so that cuts show no coarse water [s]
};

struct AdaptParams {
    AdaptMode mode = AdaptMode::none;
    int levels = 4;                         ///< the coarsest cells are 2^levels of the finest wide, in large boxes
    int surface_outside = 2;                ///< levels below the finest at the surface that nobody sees
    AdaptView view = {};
};

const config::Table<AdaptParams>& adapt_table();

/// A box of whole blocks.
struct AdaptGrid {
    field::Domain domain;   ///< of the finest cells
    int levels = 1;
};
/// Cells come in blocks of 2^levels along each side. A box that is not a multiple of that is rounded, by a thirtieth at most: else there are fewer levels, one at least.
AdaptGrid whole_blocks(const field::Domain& box, int levels);

/// Takes from `render.camera` what `liquid.adapt.view` does not say.
void look_through_camera(const TimeParams& time, const config::Node& root, config::Problems& problems, AdaptView& view);

}  // namespace phlo::models
