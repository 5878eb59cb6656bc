// Element streams: Philox4x64-10 counted by the index of the element, and what is made of its words. No headers.
//
// J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw: Parallel random numbers: as easy as 1, 2, 3. SC 2011.
//
// Every operation on the words and every rounding is that of arrayshim/kernels/philox.py: products and sums of doubles
// are kept apart (no fused multiply-add), so uniforms have NumPy's bits and normals differ by log, sin and cos alone.
//
// `run` serves elements that are neighbours in the stream, a block of Philox per thread and turn; `strided` any other
// layout, an element per thread and turn, and `stepped` those between; `all_words` gives the four words of a block for
// each element of a list.

typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;
typedef float f32;
typedef double f64;

#define FN static __device__ __forceinline__

struct P {
    u64 key0, key1, attempt, number, jump;  // attempt: the part and the attempt, as they are counted
    u64 offset, length, rows, total;        // index of element 0; elements in a row; rows; elements in all
    u64 size[8];                            // of the axes, innermost first
    i64 stride[8];                          // in elements of the stream
    u64 low, most;
    f64 scale, shift;
    void* out;
    const u64* index;
    u32 axes, affine;
};

struct Block { u64 w[4]; };

FN Block philox(u64 c0, const P& p) {
    u64 c1 = p.attempt, c2 = p.number, c3 = p.jump, k0 = p.key0, k1 = p.key1;
#pragma unroll
    for (int r = 0; r < 10; ++r) {
        u64 h0 = __umul64hi(0xD2E7470EE14C6C93ull, c0), l0 = 0xD2E7470EE14C6C93ull * c0;
        u64 h1 = __umul64hi(0xCA5A826395121157ull, c2), l1 = 0xCA5A826395121157ull * c2;
        c0 = h1 ^ c1 ^ k0;
        c1 = l1;
        c2 = h0 ^ c3 ^ k1;
        c3 = l0;
        k0 += 0x9E3779B97F4A7C15ull;
        k1 += 0xBB67AE8584CAA73Bull;
    }
    Block b = {{c0, c1, c2, c3}};
    return b;
}

// (w >> 11) * 2**-53, exactly: its halves as the ends of 2**31 and of 1/2, for conversions take four times as long.
FN f64 uniform(u64 w) {
    union { u64 u; f64 d; } upper, lower;
    upper.u = 0x41E0000000000000ull | w >> 43;
    lower.u = 0x3FE0000000000000ull | (u32)(w >> 11);
    return __dadd_rn(__dadd_rn(upper.d, -2147483648.5), lower.d);
}

FN f64 affine(f64 x, const P& p) {
    if (p.affine & 1) x = __dmul_rn(x, p.scale);
    return p.affine & 2 ? __dadd_rn(x, p.shift) : x;
}

// Box and Muller: the pair of elements 2k and 2k + 1.
FN void pair(u64 first, u64 second, f64& even, f64& odd, const P& p) {
    f64 radius = sqrt(__dmul_rn(log(__dadd_rn(1.0, -uniform(first))), -2.0));
    f64 angle = __dmul_rn(uniform(second), 6.283185307179586), s, c;
    sincos(angle, &s, &c);
    even = affine(__dmul_rn(radius, c), p);
    odd = affine(__dmul_rn(radius, s), p);
}

// What a kind makes of a block: N values.
struct Raw {
    typedef u64 T;
    enum { N = 4 };
    FN void make(const Block& b, u64* v, const P&) {
#pragma unroll
        for (int k = 0; k < 4; ++k) v[k] = b.w[k];
    }
};

struct Random {
    typedef f64 T;
    enum { N = 4 };
    FN void make(const Block& b, f64* v, const P& p) {
#pragma unroll
        for (int k = 0; k < 4; ++k) v[k] = affine(uniform(b.w[k]), p);
    }
};

struct Random32 {
    typedef f32 T;
    enum { N = 8 };
    FN void make(const Block& b, f32* v, const P&) {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            v[2 * k] = (f32)((u32)b.w[k] >> 8) * 5.9604644775390625e-8f;
            v[2 * k + 1] = (f32)((u32)(b.w[k] >> 32) >> 8) * 5.9604644775390625e-8f;
        }
    }
};

template <class F> struct Normal {
    typedef F T;
    enum { N = 4 };
    FN void make(const Block& b, F* v, const P& p) {
        f64 x[4];
        pair(b.w[0], b.w[1], x[0], x[1], p);
        pair(b.w[2], b.w[3], x[2], x[3], p);
#pragma unroll
        for (int k = 0; k < 4; ++k) v[k] = (F)x[k];
    }
};

template <class I> struct Integers {
    typedef I T;
    enum { N = 4 };
    FN void make(const Block& b, I* v, const P& p) {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            u64 w = b.w[k], lower = w * p.most;
            v[k] = (I)(__umul64hi(w, p.most) + (lower + w < lower) + p.low);
        }
    }
};

// One of the values, by its place in the block.
template <class K> struct One {
    FN typename K::T make(const Block& b, u32 lane, const P& p) {
        typename K::T v[K::N];
        K::make(b, v, p);
        typename K::T found = v[0];
#pragma unroll
        for (u32 k = 1; k < K::N; ++k)
            if (lane == k) found = v[k];
        return found;
    }
};

template <class F> struct One<Normal<F> > {
    FN F make(const Block& b, u32 lane, const P& p) {
        f64 even, odd;
        pair(lane & 2 ? b.w[2] : b.w[0], lane & 2 ? b.w[3] : b.w[1], even, odd, p);
        return (F)(lane & 1 ? odd : even);
    }
};

struct alignas(16) Wide { u32 v[4]; };

// Division of 64 bits takes ten times as long.
FN u64 divided(u64 a, u64 b) { return (a | b) >> 32 ? a / b : (u32)a / (u32)b; }

// The place of a row: the axes but the innermost, which is the row itself.
FN u64 place(u64 row, const P& p) {
    u64 at = p.offset;
    for (u32 k = 1; k < p.axes; ++k) {
        u64 next = k + 1 < p.axes ? divided(row, p.size[k]) : 0;
        at += (row - next * p.size[k]) * (u64)p.stride[k];
        row = next;
    }
    return at;
}

template <class K> FN void run(const P& p) {
    typedef typename K::T T;
    enum { N = K::N, PACK = 16 / sizeof(T) < N ? 16 / sizeof(T) : N };
    const u64 per_row = p.length / N + 2;
    const u64 all = per_row * p.rows, step = (u64)gridDim.x * blockDim.x;
    for (u64 t = (u64)blockIdx.x * blockDim.x + threadIdx.x; t < all; t += step) {
        u64 row = p.rows == 1 ? 0 : divided(t, per_row);
        u64 first = place(row, p), block = first / N + (t - row * per_row);
        // Element 0 of the block is this far from the beginning of the row; before it for the first block.
        i64 from = (i64)(block * N - first);
        if (from >= (i64)p.length) continue;
        alignas(16) T v[N];
        K::make(philox(block, p), v, p);
        T* out = (T*)p.out + row * p.length + from;
        if (from >= 0 && from + N <= (i64)p.length && sizeof(T) * PACK == 16 && (u64)out % 16 == 0) {
#pragma unroll
            for (int k = 0; k < N; k += PACK) *(Wide*)(out + k) = *(Wide*)(v + k);
        } else {
#pragma unroll
            for (int k = 0; k < N; ++k)
                if (from + k >= 0 && from + k < (i64)p.length) out[k] = v[k];
        }
    }
}

// Every second or third neighbour: a block of Philox per thread and turn, as for all of them.
template <class K> FN void stepped(const P& p) {
    typedef typename K::T T;
    enum { N = K::N };
    const u64 s = (u64)p.stride[0], per_row = p.length * s / N + 2;
    const u64 all = per_row * p.rows, step = (u64)gridDim.x * blockDim.x;
    for (u64 t = (u64)blockIdx.x * blockDim.x + threadIdx.x; t < all; t += step) {
        u64 row = p.rows == 1 ? 0 : divided(t, per_row);
        u64 first = place(row, p), block = first / N + (t - row * per_row);
        i64 from = (i64)(block * N - first);
        u64 j = from <= 0 ? 0 : divided((u64)from + s - 1, s);
        if (j >= p.length) continue;
        T v[N];
        K::make(philox(block, p), v, p);
        for (; j < p.length && (i64)(j * s) < from + N; ++j) {
            int lane = (int)((i64)(j * s) - from);
            T found = v[0];
#pragma unroll
            for (int k = 1; k < N; ++k)
                if (lane == k) found = v[k];
            ((T*)p.out)[row * p.length + j] = found;
        }
    }
}

template <class K> FN void strided(const P& p) {
    typedef typename K::T T;
    enum { N = K::N };
    const u64 step = (u64)gridDim.x * blockDim.x;
    for (u64 t = (u64)blockIdx.x * blockDim.x + threadIdx.x; t < p.total; t += step) {
        u64 row = divided(t, p.length);
        u64 i = place(row, p) + (t - row * p.length) * (u64)p.stride[0];
        ((T*)p.out)[t] = One<K>::make(philox(i / N, p), (u32)(i % N), p);
    }
}

// The four words of blocks, planar; of the places of an array, or of the indices in a list.
FN void all_words(const P& p) {
    const u64 step = (u64)gridDim.x * blockDim.x;
    u64* out = (u64*)p.out;
    for (u64 t = (u64)blockIdx.x * blockDim.x + threadIdx.x; t < p.total; t += step) {
        u64 i;
        if (p.index) {
            i = p.index[t];
        } else {
            u64 row = divided(t, p.length);
            i = place(row, p) + (t - row * p.length) * (u64)p.stride[0];
        }
        Block b = philox(i, p);
#pragma unroll
        for (int k = 0; k < 4; ++k) out[t + k * p.total] = b.w[k];
    }
}
