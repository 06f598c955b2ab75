// The surfaces of a frame as meshes: a part of frame_message.h. A body that stands still is made into a message once, and compared from then on.
//
//   MeshMemory memory;                                        // of one sequence of frames
//   std::string member = memory.add(n, surface, material, parcel.meshes);   // the header's member for the frame's surface n
#pragma once
#include <string>
#include <vector>

#include "field/frame.h"
#include "render/look/material.h"
#include "serve/frame_parcel.h"

namespace phlo::serve {

/// A mesh as its message, and what the header says of it.
struct MeshMessage {
    FrameParcel::Mesh mesh;
    std::string name;
    Vec3f low, size;                               ///< the box in which its places are shares [m]
    std::size_t vertices = 0, indices = 0, vertex_bytes = 0, index_bytes = 0;
};

class MeshMemory {
public:
    std::string add(std::size_t which, const field::Surface& surface, const render::Material& material, std::vector<FrameParcel::Mesh>& meshes);

private:
    struct Kept {
        field::TriangleMesh made_of;
        MeshMessage message;
    };
    std::vector<Kept> kept_;                       ///< by the place in the frame
};

}  // namespace phlo::serve
