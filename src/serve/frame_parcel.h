// A frame on its way to clients: its own message, and the messages of its meshes, which a client that has had them with the frame before does not get again.
//
//   FrameParcel parcel{.frame = bytes, .meshes = {{.id = fnv1a(vertices), .bytes = mesh}}};
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace phlo::serve {

struct FrameParcel {
    using Bytes = std::shared_ptr<const std::string>;
    struct Mesh {
        std::uint64_t id = 0;        ///< of its bytes: the same mesh has the same
        Bytes bytes;
    };
    Bytes frame;
    std::vector<Mesh> meshes = {};

    std::size_t size() const {
        std::size_t sum = frame->size();
        for (const Mesh& mesh : meshes) sum += mesh.bytes->size();
        return sum;
    }
};

}  // namespace phlo::serve
