// The film of film.h for pictures that are made while one watches: the same curve from a table, and the same kind of dither from a tile that repeats.
//
//   QuickFilm film({.exposure = look.exposure});
//   io::DisplayImage picture = film.develop(radiance);          // within one level of develop(radiance, ...)
//
// The table has 256 entries for each power of two of the radiance, so the curve's own power functions are not asked for any pixel.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "render/film/film.h"

namespace phlo::render {

class QuickFilm {
public:
    explicit QuickFilm(const FilmParams& params);

    io::DisplayImage develop(const io::Image& radiance) const;
    /// Row y of a picture, its colours one after the other in memory: `count` numbers of each, and room for a register more behind them.
    void develop_row(int y, int count, const std::array<const float*, 3>& radiance, std::uint8_t* to) const;

private:
    // Radiance from 2^-20 to 2^12: darker is black, brighter white.
    static constexpr int first_power = -20, powers = 32, steps = 256, step_bits = 8;
    static constexpr int tile = 128;  ///< pixels along the dither's tile

    std::vector<float> levels_;       ///< 0 to 255
    std::vector<float> dither_;       ///< what is added before it is rounded down: by row of the tile, colour and pixel
};

}  // namespace phlo::render
