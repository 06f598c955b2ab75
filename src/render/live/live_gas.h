// Gas of a frame in a live picture: light is baked into its cells as in a draft, coarser, and rays march through it at half the picture's resolution, one
// for each coarse pixel.
//
//   LiveGas gas(frame, look);
//   if (auto fire = gas.fire(1)) cast.fires.push_back(*fire);       // hot gas lights bodies and ground, too
//   gas.draw(camera, lights, surfaces.depth(), picture);            // over what the picture holds
#pragma once
#include <optional>

#include "field/frame.h"
#include "render/film/camera.h"
#include "render/live/cast.h"
#include "render/live/coarse.h"
#include "render/volumes/volume.h"

namespace phlo::render {

class LiveGas {
public:
    /// Throws as RenderScene does.
    LiveGas(const field::Frame& frame, const RenderParams& look);
    explicit LiveGas(OpticalVolume volume) : volume_(std::move(volume)) {}

    bool empty() const { return volume_.empty(); }
    const OpticalVolume& volume() const { return volume_; }
    /// What of it shines, as points; `light` is a factor on their light. None if nothing does.
    std::optional<Cast::Fire> fire(float light) const;
    void draw(const Camera& camera, const Lights& lights, const Plane& surfaces, Picture& picture) const;

private:
    OpticalVolume volume_;
};

}  // namespace phlo::render
