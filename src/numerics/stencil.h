// The seven-point stencil on one half of a split row (split_row.h). Every loop of the solver over cells is made of these.
#pragma once
#include "numerics/network.h"

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

inline FaceWeights face_weights(const Network& net, int half, int j, int k) {
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

/// body(c) for c in [0, count), a multiple of SplitRow::vector: rows are short, and the code for a remainder would cost as much as they do.
template <class Body>
inline void each_entry(int count, const Body& body) {
    if (count % SplitRow::vector != 0) __builtin_unreachable();
#pragma omp simd
    for (int c = 0; c < count; ++c) body(c);
}

/// out(c, sum of the neighbours of entry c), all weights one, for c in [begin, end): multiples of SplitRow::vector, like all below.
template <class Out>
inline void sum_plain(int begin, int end, const Neighbours& x, const Out& out) {
    const float *__restrict w = x.w, *__restrict e = x.e, *__restrict s = x.s, *__restrict n = x.n, *__restrict d = x.d, *__restrict u = x.u;
    if ((end - begin) % SplitRow::vector != 0) __builtin_unreachable();
#pragma omp simd
    for (int c = begin; c < end; ++c) out(c, ((w[c] + e[c]) + (s[c] + n[c])) + (d[c] + u[c]));
}

/// The same with weights along x, and one weight for the four neighbours across.
template <class Out>
inline void sum_even(int begin, int end, const float* __restrict fw, const float* __restrict fe, const float* __restrict across, const Neighbours& x,
                     const Out& out) {
    const float *__restrict w = x.w, *__restrict e = x.e, *__restrict s = x.s, *__restrict n = x.n, *__restrict d = x.d, *__restrict u = x.u;
    if ((end - begin) % SplitRow::vector != 0) __builtin_unreachable();
#pragma omp simd
    for (int c = begin; c < end; ++c) out(c, (fw[c] * w[c] + fe[c] * e[c]) + across[c] * ((s[c] + n[c]) + (d[c] + u[c])));
}

/// The same with all six weights.
template <class Out>
inline void sum_weighted(int begin, int end, const FaceWeights& f, const Neighbours& x, const Out& out) {
    const float *__restrict w = x.w, *__restrict e = x.e, *__restrict s = x.s, *__restrict n = x.n, *__restrict d = x.d, *__restrict u = x.u;
    const float *__restrict fw = f.w, *__restrict fe = f.e, *__restrict fs = f.s, *__restrict fn = f.n, *__restrict fd = f.d, *__restrict fu = f.u;
    if ((end - begin) % SplitRow::vector != 0) __builtin_unreachable();
#pragma omp simd
    for (int c = begin; c < end; ++c)
        out(c, ((fw[c] * w[c] + fe[c] * e[c]) + (fs[c] * s[c] + fn[c] * n[c])) + (fd[c] * d[c] + fu[c] * u[c]));
}

}  // namespace phlo::numerics
