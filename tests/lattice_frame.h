// A frame whose volumes all lie on one lattice, whole.
#pragma once
#include <memory>

#include "field/frame.h"

namespace phlo::test {

struct LatticeFrame : field::Frame {
    field::Domain domain;

    void set(const field::Domain& lattice) { domain = lattice, world = lattice.bounds(); }
    void add(field::Volume volume) {
        volume.domain = volume.room = domain;
        volumes.push_back(std::move(volume));
    }
    void add(std::shared_ptr<const field::MacGrid> faces) { velocity = {.domain = domain, .room = domain, .faces = std::move(faces)}; }
};

}  // namespace phlo::test
