#include "numerics/block_coarsen.h"

#include <algorithm>

#include "numerics/block_loops.h"

namespace phlo::numerics {
namespace {

using field::BlockField;
using field::Blocks;

/// Held at zero if any part is, or the whole is a part of the system if any is.
std::uint8_t together(const std::uint8_t* kind, int level, const Vec3i& first, const Vec3i& last) {
    std::uint8_t found = outside;
    for (int z = first.z; z < last.z; ++z)
        for (int y = first.y; y < last.y; ++y)
            for (int x = first.x; x < last.x; ++x) found = std::max(found, kind[Blocks::offset(level, x, y, z)]);
    return found;
}

/// Kinds of the cells of a block from the eight parts of each; in the ghosts, where there is no neighbour to ask, from the four parts.
void coarsen_kinds(const std::uint8_t* fine, int level, std::uint8_t* coarse) {
    const int n = Blocks::side(level);
    const auto first = [&](int i) { return i < 0 ? -1 : 2 * i; };
    const auto last = [&](int i) { return i < 0 ? 0 : i == n ? 2 * n + 1 : 2 * i + 2; };
    for (int k = -1; k <= n; ++k)
        for (int j = -1; j <= n; ++j)
            for (int i = -1; i <= n; ++i)
                coarse[Blocks::offset(level, i, j, k)] = together(fine, level + 1, {first(i), first(j), first(k)}, {last(i), last(j), last(k)});
}

/// Weights of the faces before the cells, and after the last. Towards air the surface is taken to be a whole cell away.
template <class T>
void coarsen_weights(const T* fine, int level, int axis, T largest, T* coarse) {
    const int n = Blocks::side(level), first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    Vec3i c;
    for (c.z = 0; c.z < n + (axis == 2); ++c.z)
        for (c.y = 0; c.y < n + (axis == 1); ++c.y)
            for (c.x = 0; c.x < n + (axis == 0); ++c.x) {
                T sum = 0;
                for (int b = 0; b < 2; ++b)
                    for (int a = 0; a < 2; ++a) {
                        Vec3i f = c * 2;
                        f[first] += a, f[second] += b;
                        sum += std::min(fine[Blocks::offset(level + 1, f.x, f.y, f.z)], largest);
                    }
                coarse[Blocks::offset(level, c.x, c.y, c.z)] = sum / 2;
            }
}

/// Both blocks of a seam have one level now.
template <class T>
void close_seam(const Seam<T>& seam, BlockSystem<T>& system) {
    const int level = system.blocks.level(seam.coarse);
    const T largest = T(system.blocks.size(level));
    BlockField<T>& weight = system.weight[std::size_t(seam.face / 2)];
    const auto set = [&](int block, int face) {
        T* to = weight.block(system.blocks, block);
        std::size_t at = 0;
        each_at_face(level, face, [&](int, int, int place, int ghost) {
            to[face % 2 == 0 ? place : ghost] = std::min(T(0.75) * seam.faces[at].weight, largest);
            ++at;
        });
    };
    set(seam.coarse, seam.face), set(seam.fine, seam.face ^ 1);
}

template <class T>
Seam<T> plain_seam(const Blocks& blocks, int coarse, int fine, int face) {
    const int level = blocks.level(coarse), axis = face / 2, first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    Seam<T> seam{.coarse = coarse, .fine = fine, .face = face};
    each_at_face(level, face, [&](int a, int b, int place, int) {
        LevelFace<T> f{.coarse = place, .share = {T(0.25), T(0.25), T(0.25), T(0.25)}, .weight = T(4 * blocks.size(level)) / 3};
        Vec3i at;
        at[axis] = face % 2 == 0 ? Blocks::side(level + 1) - 1 : 0;
        for (int c = 0; c < 4; ++c) {
            at[first] = 2 * a + c % 2, at[second] = 2 * b + c / 2;
            f.fine[std::size_t(c)] = Blocks::offset(level + 1, at.x, at.y, at.z);
        }
        seam.faces.push_back(f);
    });
    return seam;
}

}  // namespace

template <class T>
void coarsen(const BlockSystem<T>& fine, int m, BlockSystem<T>& coarse) {
    if (Blocks clipped = fine.blocks.clipped(m); !(coarse.blocks == clipped)) coarse.reset(clipped);
    coarse.seams.clear();
    each_block(coarse.blocks, [&](int block) {
        const int level = coarse.blocks.level(block);
        const std::uint8_t* kinds = fine.kind.block(fine.blocks, block);
        if (fine.blocks.level(block) == level) {
            std::copy_n(kinds, Blocks::stored(level), coarse.kind.block(coarse.blocks, block));
            for (std::size_t a = 0; a < 3; ++a)
                std::copy_n(fine.weight[a].block(fine.blocks, block), Blocks::stored(level), coarse.weight[a].block(coarse.blocks, block));
            return;
        }
        coarsen_kinds(kinds, level, coarse.kind.block(coarse.blocks, block));
        for (int a = 0; a < 3; ++a)
            coarsen_weights(fine.weight[std::size_t(a)].block(fine.blocks, block), level, a, T(fine.blocks.size(level + 1)),
                            coarse.weight[std::size_t(a)].block(coarse.blocks, block));
    });
    fill_ghosts(coarse.blocks, coarse.kind);
    for (const Seam<T>& seam : fine.seams) {
        if (fine.blocks.level(seam.fine) <= m) coarse.seams.push_back(seam);
        else close_seam(seam, coarse);
    }
}

template <class T>
void make_plain(const Blocks& blocks, BlockSystem<T>& system) {
    system.reset(blocks);
    for (const int block : blocks.all()) {
        const int level = blocks.level(block), n = Blocks::side(level);
        std::uint8_t* kind = system.kind.block(blocks, block);
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i) {
                    const int place = Blocks::offset(level, i, j, k);
                    kind[place] = part;
                    for (int a = 0; a < 3; ++a)
                        if ((a == 0 ? i : a == 1 ? j : k) > 0) system.weight[std::size_t(a)].block(blocks, block)[place] = T(blocks.size(level));
                }
        for (int face = 0; face < 6; ++face) {
            const int other = blocks.neighbour(block, face);
            if (other < 0 || blocks.level(other) == Blocks::none) continue;
            T* weight = system.weight[std::size_t(face / 2)].block(blocks, block);
            if (blocks.level(other) == level) each_at_face(level, face, [&](int, int, int place, int ghost) { weight[face % 2 == 0 ? place : ghost] = T(blocks.size(level)); });
            if (blocks.level(other) > level) system.seams.push_back(plain_seam<T>(blocks, block, other, face));
        }
    }
    fill_ghosts(blocks, system.kind);
}

template void make_plain(const Blocks&, BlockSystem<float>&);
template void make_plain(const Blocks&, BlockSystem<double>&);
template void coarsen(const BlockSystem<float>&, int, BlockSystem<float>&);
template void coarsen(const BlockSystem<double>&, int, BlockSystem<double>&);

}  // namespace phlo::numerics
