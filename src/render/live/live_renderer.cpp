#include "render/live/live_renderer.h"

#include <array>
#include <cmath>

#include "base/parallel_items.h"
#include "base/simd.h"
#include "render/fast_math.h"
#include "render/live/halo.h"
#include "render/live/live_gas.h"
#include "render/volumes/lattice.h"

namespace phlo::render {
namespace {

constexpr int fire_lamps = 8;

/// Streaks make the finest detail of a fire.
int streak_factor(double radius) { return radius >= 8 ? 4 : radius >= 3 ? 2 : 1; }

}  // namespace

LiveRenderer::LiveRenderer(const RenderParams& look)
    : look_(look),
      surfaces_(look_),
      liquid_(look_),
      by_composition_(composition_ramp(look.live.streaks, look.fire)),
      by_temperature_(temperature_ramp(look.live, look.fire)) {}

io::Image LiveRenderer::render(const field::Frame& frame) {
    io::Image image;
    render(frame, image);
    return image;
}

void LiveRenderer::render(const field::Frame& frame, io::Image& image) {
    draw(frame);
    const Stage stage(times_, "picture");
    image.width = look_.width, image.height = look_.height;
    image.pixels.resize(std::size_t(look_.width) * std::size_t(look_.height));
    for_rows([&](int y, const Row& row) {
        Vec3f* to = &image(0, y);
        for (int x = 0; x < look_.width; ++x) to[x] = {row[0][x], row[1][x], row[2][x]};
    });
}

io::DisplayImage LiveRenderer::render(const field::Frame& frame, const QuickFilm& film) {
    draw(frame);
    const Stage stage(times_, "film");
    io::DisplayImage image(look_.width, look_.height);
    for_rows([&](int y, const Row& row) { film.develop_row(y, look_.width, row, image.at(0, y)); });
    return image;
}

/// Rows of the picture with its glare: visit(y, row).
template <class Visit>
void LiveRenderer::for_rows(const Visit& visit) const {
    const std::size_t room = std::size_t(look_.width) + 2 * simd::width;   // for whole registers
    parallel_for(look_.height, [&](int y) {
        std::vector<float> row(3 * room);
        for (int c = 0; c < 3; ++c) glare_.add_to_row(picture_, c, y, row.data() + std::size_t(c) * room);
        visit(y, Row{row.data(), row.data() + room, row.data() + 2 * room});
    });
}

void LiveRenderer::draw(const field::Frame& frame) {
    times_.clear();
    const field::Bounds bounds = bounds_of(frame);
    const Camera camera(look_.camera, bounds, frame.time, look_.width, look_.height);
    const Projection projection = camera.projection();
    const Lights lights(look_, frame.time);
    {
        const Stage stage(times_, "surfaces");
        surfaces_.place(frame, bounds, camera, lights);
    }
    Cast& cast = cast_;
    {
        const Stage stage(times_, "cast");
        cast = find_cast(frame, look_, by_composition_, by_temperature_, std::move(cast_));
    }
    std::optional<LiveGas> gas;
    if (!cast.fire_of_points && !frame.volumes.empty()) {
        const Stage stage(times_, "gas");
        gas.emplace(frame, look_);
        if (auto fire = gas->fire(float(look_.live.light))) cast.fires.push_back(std::move(*fire));
    }
    std::vector<FireLamp> lamps;
    {
        const Stage stage(times_, "light");
        lamps = cast.lamps(fire_lamps);
        surfaces_.shade(lamps, camera, lights, picture_);
    }
    {
        const Stage stage(times_, "liquid");
        liquid_.place(frame, camera);
        liquid_.draw(camera, lights, surfaces_.depth(), picture_);
    }
    if (gas) {
        const Stage stage(times_, "gas");
        gas->draw(camera, lights, surfaces_.depth(), picture_);
    }
    for (const Cast::StreakSet& set : cast.streaks) draw_streaks(set, projection, frame.time);
    if (!cast.sprites.empty()) {
        {
            const Stage stage(times_, "cloud light");
            cast.shine(PuffLight(cast.matter, lights, lamps, surfaces_.rods(), float(look_.live.shadow)));
        }
        const Stage stage(times_, "clouds");
        sprites_.draw(cast.sprites, projection, surfaces_.depth(), float(look_.live.texture), picture_);
    }
    const Stage stage(times_, "glare");
    glare_.find(picture_, float(look_.live.glare));
}

void LiveRenderer::draw_streaks(const Cast::StreakSet& set, const Projection& projection, double time) {
    const StreakLook& look = look_.live.streaks;
    const std::vector<Torch>& torches = set.torches;
    {
        const Stage stage(times_, "streaks");
        coarse_.make(surfaces_.depth(), streak_factor(Streaks::mean_radius(*set.points, look, projection)));
        amount_.resize(coarse_.depth().width, coarse_.depth().height), amount_.fill(0);
        streaks_.draw(*set.points, torches, look, projection, {coarse_.depth(), coarse_.factor()}, amount_);
    }
    {
        const Stage stage(times_, "halo");
        const Torch& largest = *std::ranges::max_element(torches, {}, [](const Torch& t) { return t.count; });
        const Projection::Place at = projection(largest.middle), above = projection(largest.middle + Vec3f(0, 0, largest.spread.z));
        const float up = std::hypot(above.x - at.x, above.y - at.y), inverse = 1 / float(coarse_.factor());
        if (at.depth > 0 && up > 0) {
            const float height = float(look.halo) * 4 * up * inverse;
            blur_upwards(amount_, {.height = height,
                                   .up_x = (above.x - at.x) / up,
                                   .up_y = (above.y - at.y) / up,
                                   .jitter = float(look.jitter),
                                   .wavelength = std::max(4.f, 0.35f * up * inverse),
                                   .phase = float(std::fmod(3 * time, 4096.0)),
                                   .x = at.x * inverse,
                                   .y = at.y * inverse});
        }
    }
    const Stage stage(times_, "ramp");
    const std::array<const Plane*, 1> planes{&amount_};
    parallel_for(look_.height, [&](int y) {
        const Coarse::Columns columns = coarse_.occupied(y, amount_, 0.f);
        if (columns.first >= columns.last) return;
        std::vector<float> amount(std::size_t(look_.width));
        coarse_.enlarge_row(y, planes, std::array{amount.data()}, columns);
        float *r = picture_.channels[0].row(y), *g = picture_.channels[1].row(y), *b = picture_.channels[2].row(y);
        for (int x = columns.first; x < columns.last; ++x) {
            if (!(amount[std::size_t(x)] > 0)) continue;
            const Vec3f light = by_composition_(1 - fast_exp(-amount[std::size_t(x)]));
            r[x] += light.x, g[x] += light.y, b[x] += light.z;
        }
    });
}

}  // namespace phlo::render
