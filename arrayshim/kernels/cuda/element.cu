// Element streams: Philox4x64-10 counted by the index of the element, and what is made of its words. No headers.
//
// J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw: Parallel random numbers: as easy as 1, 2, 3. SC 2011.
//
// Every operation on the words and every rounding is that of arrayshim/kernels/philox.py: products and sums of doubles
// are kept apart (no fused multiply-add), so uniforms have NumPy's bits and normals differ by log, sin and cos alone.
//
// `run` serves elements that are neighbours in the stream, a unit of them per thread and turn; `strided` any other
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
    u64 low, most, few;                     // few: lanes are rejected whose product has less than this in its lower half
    f64 scale, shift, given[4];             // given: the parameters of a formula
    void* out;
    const u64* index;
    u32 axes, affine;
};

struct Block { u64 w[4]; };

FN Block philox(u64 c0, const P& p, u64 attempt) {
    u64 c1 = attempt, c2 = p.number, c3 = p.jump, k0 = p.key0, k1 = p.key1;
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

FN Block philox(u64 block, const P& p) { return philox(block, p, p.attempt); }

// Lane k of a block, from the lowest bits of its first word on.
template <int B> FN u64 lane(const Block& b, u32 k) {
    const u32 j = k / (64 / B);
    u64 word = j & 2 ? (j & 1 ? b.w[3] : b.w[2]) : (j & 1 ? b.w[1] : b.w[0]);
    return word >> (k % (64 / B) * B) & ~0ull >> (64 - B);
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

// Both pairs of a block.
struct Normals { f64 v[4]; };

FN f64 normal(const Normals& n, u32 k) { return k & 2 ? (k & 1 ? n.v[3] : n.v[2]) : (k & 1 ? n.v[1] : n.v[0]); }

FN Normals normals(const Block& b, const P& p) {
    Normals n;
    pair(b.w[0], b.w[1], n.v[0], n.v[1], p);
    pair(b.w[2], b.w[3], n.v[2], n.v[3], p);
    return n;
}

// For formulas; a NaN is kept, as NumPy keeps it.
FN bool is_finite(f64 x) { return x - x == 0.0; }
FN f64 larger(f64 x, f64 y) { return x >= y || x != x ? x : y; }
FN f64 smaller(f64 x, f64 y) { return x <= y || x != x ? x : y; }
FN u64 part(u64 attempt, u64 number) { return ((attempt >> 32) * 8 + number) << 32; }

// Exactly, below 2**53: its halves as the ends of 2**84 and of 2**52.
FN f64 whole(u64 w) {
    union { u64 u; f64 d; } upper, lower;
    upper.u = 0x4530000000000000ull | w >> 32;
    lower.u = 0x4330000000000000ull | (u32)w;
    return __dadd_rn(__dadd_rn(upper.d, -19342813118337666422669312.0), lower.d);
}

// What is made of one lane of B bits.
template <class U> struct Raw {
    typedef U T;
    enum { B = 8 * sizeof(U) };
    FN U of(u64 lane, const P&) { return (U)lane; }
};

struct Random {
    typedef f64 T;
    enum { B = 64 };
    FN f64 of(u64 lane, const P& p) { return affine(uniform(lane), p); }
};

struct Random32 {
    typedef f32 T;
    enum { B = 32 };
    FN f32 of(u64 lane, const P&) { return (f32)((u32)lane >> 8) * 5.9604644775390625e-8f; }
};

// A thread makes a unit of N neighbours: the lanes of a block, or of a part of one, since stores of more than 32 bytes
// by each thread are not coalesced. Element k of unit u is number N * u + k.
template <class T_, int B> struct Unit {
    typedef T_ T;
    typedef Block Seen;  // what the elements of a unit are made of
    enum { ALL = 256 / B, MOST = 32 / sizeof(T), N = ALL < MOST ? ALL : MOST, PARTS = ALL / N };
    FN Block block(u64 unit, const P& p) { return philox(unit / PARTS, p); }
    FN u64 at(const Block& b, u64 unit, u32 k) { return lane<B>(b, (u32)(unit % PARTS) * N + k); }
};

// What a kind makes of a unit, and the one value of a lane of it.
template <class K> struct Each : Unit<typename K::T, K::B> {
    typedef Unit<typename K::T, K::B> U;
    typedef typename K::T T;
    FN void make(u64 unit, T* v, const P& p) {
        const Block b = U::block(unit, p);
#pragma unroll
        for (int k = 0; k < U::N; ++k) v[k] = one(b, unit, k, p);
    }
    FN T one(const Block& b, u64 unit, u32 k, const P& p) { return K::of(U::at(b, unit, k), p); }
};

template <class F> struct Normal : Unit<F, 64> {
    FN void make(u64 unit, F* v, const P& p) {
        const Normals n = normals(philox(unit, p), p);
#pragma unroll
        for (int k = 0; k < 4; ++k) v[k] = (F)n.v[k];
    }
    FN F one(const Block& b, u64 unit, u32 k, const P& p) {
        f64 even, odd;
        pair(k & 2 ? b.w[2] : b.w[0], k & 2 ? b.w[3] : b.w[1], even, odd, p);
        return (F)(k & 1 ? odd : even);
    }
};

template <class I> FN I of_word(u64 w, const P& p) {
    u64 lower = w * p.most;
    return (I)(__umul64hi(w, p.most) + (lower + w < lower) + p.low);
}

template <int B> struct Product { typedef u32 T; };
template <> struct Product<32> { typedef u64 T; };

// The upper half of a lane times the range. An element whose lane is rejected has the first word of a block of its own.
template <class I, int B> struct Integers : Unit<I, B> {
    typedef Unit<I, B> U;
    typedef typename Product<B>::T X;
    FN X product(const Block& b, u64 unit, u32 k, const P& p) { return (X)U::at(b, unit, k) * ((X)p.most + 1); }
    FN bool rejected(X x, const P& p) { return (x & (X)(~0ull >> (64 - B))) < (X)p.few; }
    FN I upper(X x, const P& p) { return (I)((x >> B) + p.low); }
    FN I own(u64 number, const P& p) { return of_word<I>(philox(number, p, p.attempt + 1).w[0], p); }
    FN void make(u64 unit, I* v, const P& p) {
        const Block b = U::block(unit, p);
        u32 again = 0;
#pragma unroll
        for (u32 k = 0; k < U::N; ++k) {
            X x = product(b, unit, k, p);
            v[k] = upper(x, p);
            again |= (u32)rejected(x, p) << k;
        }
        // Threads of a warp go through theirs together.
        for (; again; again &= again - 1) {
            u32 k = __ffs(again) - 1;
            I found = own(unit * U::N + k, p);
#pragma unroll
            for (u32 j = 0; j < U::N; ++j)
                if (j == k) v[j] = found;
        }
    }
    FN I one(const Block& b, u64 unit, u32 k, const P& p) {
        X x = product(b, unit, k, p);
        return rejected(x, p) ? own(unit * U::N + k, p) : upper(x, p);
    }
};

template <class I> struct Whole {
    typedef I T;
    enum { B = 64 };
    FN I of(u64 lane, const P& p) { return of_word<I>(lane, p); }
};
template <class I> struct Integers<I, 64> : Each<Whole<I> > {};

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
        u64 first = place(row, p), unit = first / N + (t - row * per_row);
        // Element 0 of the unit is this far from the beginning of the row; before it for the first unit.
        i64 from = (i64)(unit * N - first);
        if (from >= (i64)p.length) continue;
        alignas(16) T v[N];
        K::make(unit, v, p);
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

// Some neighbours are left out: a unit per thread and turn, as for all of them.
template <class K> FN void stepped(const P& p) {
    typedef typename K::T T;
    enum { N = K::N };
    const u64 s = (u64)p.stride[0], per_row = p.length * s / N + 2;
    const u64 all = per_row * p.rows, step = (u64)gridDim.x * blockDim.x;
    for (u64 t = (u64)blockIdx.x * blockDim.x + threadIdx.x; t < all; t += step) {
        u64 row = p.rows == 1 ? 0 : divided(t, per_row);
        u64 first = place(row, p), unit = first / N + (t - row * per_row);
        i64 from = (i64)(unit * N - first);
        u64 j = from <= 0 ? 0 : divided((u64)from + s - 1, s);
        if (j >= p.length) continue;
        const typename K::Seen b = K::block(unit, p);
        for (; j < p.length && (i64)(j * s) < from + N; ++j)
            ((T*)p.out)[row * p.length + j] = K::one(b, unit, (u32)((i64)(j * s) - from), p);
    }
}

template <class K> FN void strided(const P& p) {
    typedef typename K::T T;
    enum { N = K::N };
    const u64 step = (u64)gridDim.x * blockDim.x;
    for (u64 t = (u64)blockIdx.x * blockDim.x + threadIdx.x; t < p.total; t += step) {
        u64 row = divided(t, p.length);
        u64 i = place(row, p) + (t - row * p.length) * (u64)p.stride[0], unit = i / N;
        ((T*)p.out)[t] = K::one(K::block(unit, p), unit, (u32)(i % N), p);
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
