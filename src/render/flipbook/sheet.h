// All cells of a flipbook on one sheet, as the textures that engines load.
//
//   Sheet sheet({.columns = 8, .rows = 8, .cell_width = 256, .cell_height = 256});
//   sheet.place(n, cell);                                        // rows from the top, each from the left
//   std::vector<std::filesystem::path> files = sheet.write("out/flipbook", {.exposure = 0});
//
// | texture        | RGB                                                | A                         | alpha         |
// | color          | radiance                                           | 1 - transmittance         | premultiplied |
// | emission       | of it what the gas sends out itself                | 1 - transmittance         | premultiplied |
// | light_positive | light from the right, from above, from behind      | 1 - transmittance         | straight      |
// | light_negative | light from the left, from below, from the front    | brightness of the emission| straight      |
// | motion         | to the next cell: right, down, 0                   | 1                         |               |
//
// Straight numbers go on beyond the edge of the gas, fading into the mean around: engines filter textures, and would mix them with black.
#pragma once
#include <filesystem>
#include <vector>

#include "render/flipbook/cell.h"

namespace phlo::render {

struct SheetLayout {
    int columns = 8, rows = 8;
    int cell_width = 256, cell_height = 256;   ///< [pixels]

    int cells() const { return columns * rows; }
    int width() const { return columns * cell_width; }
    int height() const { return rows * cell_height; }
};

struct SheetParams {
    double exposure = 0;         ///< [stops], for 8-bit colours
    bool straight = false;       ///< 8-bit colours are not premultiplied; where gas shines more than it hides, alpha is raised to hold the light
};

class Sheet {
public:
    explicit Sheet(const SheetLayout& layout);

    void place(int number, const FlipbookCell& cell);

    float motion_scale() const;       ///< the largest motion [cells]; 1 if nothing moves
    float light_scale() const;        ///< of the lightmaps: all but the brightest hundredth of what is seen lies below; 1 if nothing is lit
    bool shines() const;              ///< otherwise there is no texture `emission`

    const io::Texture& color() const { return color_; }
    const io::Texture& emission() const { return emission_; }
    const io::Texture& positive() const { return positive_; }
    const io::Texture& negative() const { return negative_; }
    const io::Texture& motion() const { return motion_; }

    /// Each as EXR, numbers as they are, and as PNG; returns their paths.
    std::vector<std::filesystem::path> write(const std::filesystem::path& folder, const SheetParams& params) const;

private:
    SheetLayout layout_;
    io::Texture color_, emission_, positive_, negative_, motion_;
};

/// Light on a screen without an engine's tone curve: linear up to 0.7, then bent so that it never reaches 1.
float shoulder(float radiance);

}  // namespace phlo::render
