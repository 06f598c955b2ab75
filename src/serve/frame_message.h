// A Frame as the page draws it: a binary message of a JSON header and bytes. docs/studio-protocol.md describes it.
//
//   Message message = encode_frame(frame, look, {.max_points = 50'000});
//
//   "PHLF"  u32 header length  header (JSON, padded with spaces to a multiple of 4)  payload; the same for each of its meshes, "PHLM"
//
// Gas goes as the renderer sees it (render/volumes/volume.h), in bricks of 16^3 cells of which only those with something in them travel: extinction
// and emission as roots, so that eight bits hold thin smoke and bright flame alike. Points go as clouds and streaks as `phlo play` draws them.
#pragma once
#include <memory>
#include <string>

#include "field/frame.h"
#include "render/look/params.h"
#include "serve/frame_parcel.h"
#include "serve/mesh_message.h"

namespace phlo::serve {

struct EncodeParams {
    std::size_t max_points = 50'000;         ///< of each set; of more, every so many-th is shown, that much larger
    std::size_t max_cells = 6'000'000;       ///< of a volume; a larger one is averaged over 2^3 cells, and again
    std::string header = {};                 ///< more members for the header: "\"source\":\"live\""
    MeshMemory* meshes = nullptr;            ///< of the frames before, if there were some: bodies that stand still are not made again
};

using Message = std::shared_ptr<const FrameParcel>;

Message encode_frame(const field::Frame& frame, const render::RenderParams& look, const EncodeParams& params = {});

}  // namespace phlo::serve
