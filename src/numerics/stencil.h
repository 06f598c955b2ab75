// The seven-point stencil on one half of a split row (split_row.h). Every loop of the solver over cells is made of these.
#pragma once
#include "numerics/eight.h"
#include "numerics/conductances.h"

namespace phlo::numerics {

/// Values at the six neighbours of the entries of a half row.
struct Neighbours {
    const float *w, *e, *s, *n, *d, *u;
};

/// Weights of the six faces of the entries of a half row.
struct FaceWeights {
    const float *w, *e, *s, *n, *d, *u;
};

/// The neighbours of half `half`: `row` is the row itself and the others lie around it, all whole split rows.
inline Neighbours neighbours(const SplitRow& shape, int half, const float* row, const float* s, const float* n, const float* d, const float* u) {
    const int o = shape.start(half);
    const float* x = half == 0 ? row + shape.odd - 1 : row;
    return {x, x + 1, s + o, n + o, d + o, u + o};
}

/// The faces in x of the entries of a half row.
inline const float* west_faces(const SplitRow& shape, int half, const float* x) { return x + shape.start(half); }
inline const float* east_faces(const SplitRow& shape, int half, const float* x) { return half == 0 ? x + shape.odd : x + 1; }

inline FaceWeights face_weights(const Conductances& net, int half, int j, int k) {
    const SplitRow& shape = net.shape;
    const int o = shape.start(half);
    const float* x = net.face[0](j, k);
    return {west_faces(shape, half, x),
            east_faces(shape, half, x),
            net.face[1](j, k) + o,
            net.face[1](j + 1, k) + o,
            net.face[2](j, k) + o,
            net.face[2](j, k + 1) + o};
}

/// out(c, sum of the neighbours of the entries from c on), all weights one, for c in [begin, end): multiples of eight, like all below.
/// `out` may have a state: it comes back.
template <class Out>
[[gnu::always_inline]] inline Out sum_plain(int begin, int end, const Neighbours& x, Out out) {
    const float *w = x.w, *e = x.e, *s = x.s, *n = x.n, *d = x.d, *u = x.u;
    for (std::ptrdiff_t c = begin; c < end; c += 8)
        out(c, ((load(w + c) + load(e + c)) + (load(s + c) + load(n + c))) + (load(d + c) + load(u + c)));
    return out;
}

/// The same with weights along x, and one weight for the four neighbours across.
template <class Out>
[[gnu::always_inline]] inline Out sum_even(int begin, int end, const float* fw, const float* fe, const float* across, const Neighbours& x, Out out) {
    const float *w = x.w, *e = x.e, *s = x.s, *n = x.n, *d = x.d, *u = x.u;
    for (std::ptrdiff_t c = begin; c < end; c += 8)
        out(c, (load(fw + c) * load(w + c) + load(fe + c) * load(e + c)) + load(across + c) * ((load(s + c) + load(n + c)) + (load(d + c) + load(u + c))));
    return out;
}

/// The same with all six weights.
template <class Out>
[[gnu::always_inline]] inline Out sum_weighted(int begin, int end, const FaceWeights& f, const Neighbours& x, Out out) {
    const float *w = x.w, *e = x.e, *s = x.s, *n = x.n, *d = x.d, *u = x.u;
    const float *fw = f.w, *fe = f.e, *fs = f.s, *fn = f.n, *fd = f.d, *fu = f.u;
    for (std::ptrdiff_t c = begin; c < end; c += 8)
        out(c, ((load(fw + c) * load(w + c) + load(fe + c) * load(e + c)) + (load(fs + c) * load(s + c) + load(fn + c) * load(n + c))) +
                   (load(fd + c) * load(d + c) + load(fu + c) * load(u + c)));
    return out;
}

}  // namespace phlo::numerics
