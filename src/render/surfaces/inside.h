// Which clear things a ray is inside of. Where several overlap, one of them counts: glass before liquids, then the one that comes first in its frame
// (nested dielectrics [schmidt2002]). So a tank may stand around its water with a gap, touch it or overlap it, and bodies displace the liquid they stand in.
//
//   Inside inside = surfaces.around(camera.position());
//   if (auto hit = surfaces.hit(ray, inside)) ...                       // the next surface that counts
//   const optics::Interior& filled = surfaces.interior(inside);         // what the ray went through on its way there
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

namespace phlo::render {

class Inside {
public:
    bool empty() const { return count_ == 0; }
    bool contains(int body) const { return std::find(begin(), end(), body) != end(); }
    /// More than it can hold at once are not remembered: the ray is set right where it leaves them.
    void enter(int body) {
        if (count_ < most && !contains(body)) bodies_[std::size_t(count_++)] = body;
    }
    void leave(int body) { count_ = int(std::remove(bodies_.begin(), bodies_.begin() + count_, body) - bodies_.begin()); }
    void set(int body, bool in) { in ? enter(body) : leave(body); }

    const int* begin() const { return bodies_.data(); }
    const int* end() const { return bodies_.data() + count_; }

private:
    static constexpr int most = 6;
    std::array<int, most> bodies_{};
    int count_ = 0;
};

}  // namespace phlo::render
