// Somebody looks on while a picture is made: what is finished of it, every now and then, and whether to go on.
//
//   PictureWatch watch{.show = [&](const PictureSoFar& so_far) { put_on_screen(so_far); return !stopped; }};
//   io::Image radiance = render_frame(frame, look, Quality::final, &watch);
//
// The picture does not depend on who looks.
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <vector>

#include "base/error.h"
#include "io/image.h"
#include "render/film/pixels.h"

namespace phlo::render {

struct PictureSoFar {
    io::Image radiance;                      ///< without the filters that come last
    std::vector<std::uint8_t> finished;      ///< of each pixel, 1 or 0
    double share = 0;                        ///< of the rays that are done
};

struct PictureWatch {
    double every = 0.4;                                          ///< [s]; less often where showing takes long
    std::function<bool(const PictureSoFar&)> show = {};          ///< false: the picture is not wanted any more, and making it ends in a RunError
};

/// All pixels of a picture, as for_each_pixel, while `watch` looks on if there is one; `seen(pixel)` is what a finished one shows.
template <class Shade, class Seen>
void for_each_pixel(int width, int height, const PictureWatch* watch, const Shade& shade, const Seen& seen) {
    if (!watch) return for_each_pixel(width, height, shade);
    using Clock = std::chrono::steady_clock;
    const PixelTiles tiles(width, height);
    std::vector<std::atomic<bool>> done(static_cast<std::size_t>(tiles.count()));
    std::atomic<bool> stopped = false;
    std::atomic<bool> looking = false;
    const auto seconds = [](double s) { return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s)); };
    Clock::time_point next = Clock::now() + seconds(watch->every);
    const auto look = [&] {
        PictureSoFar so_far{.radiance = io::Image(width, height), .finished = std::vector<std::uint8_t>(std::size_t(width) * std::size_t(height))};
        int count = 0;
        for (int n = 0; n < tiles.count(); ++n) {
            if (!done[std::size_t(n)].load(std::memory_order_acquire)) continue;
            ++count;
            tiles.each(n, [&](int x, int y) {
                const std::size_t pixel = std::size_t(y) * std::size_t(width) + std::size_t(x);
                so_far.radiance.pixels[pixel] = seen(pixel), so_far.finished[pixel] = 1;
            });
        }
        so_far.share = double(count) / tiles.count();
        const Clock::time_point begin = Clock::now();
        if (!watch->show(so_far)) stopped = true;
        const Clock::time_point now = Clock::now();
        constexpr int patience = 12;   // looking takes a small share of the work
        next = now + std::max(seconds(watch->every), patience * (now - begin));
    };
    parallel_items(tiles.count(), [&](int n) {
        if (stopped) return;
        tiles.each(n, shade);
        done[std::size_t(n)].store(true, std::memory_order_release);
        if (looking.exchange(true)) return;   // somebody is: perhaps this very thread, which helps out here while its own look waits for another loop
        if (!stopped && Clock::now() >= next) look();
        looking = false;
    });
    if (stopped) throw RunError("the picture was stopped");
}

}  // namespace phlo::render
