// Random numbers written straight to memory. Value i of a draw depends on the key, the stream and the place of i alone:
// a counter that nothing has to keep on the device, so grids of any size write the same bits.
//
// The words are Philox4x32-10's (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
// Its counter here: the number of the block of four words (two words), the attempt (one), the stream (one).
// Every product that is added to is written as an fma, so that a CPU and a device round alike.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

struct P {
    u64 out, count, block;
    double a, b;  // loc and scale, low and width
    u64 low, span;  // of integers; a span of 0 is all that the words hold
    u32 stream, spare;
    u32 keys[20];  // of the ten rounds
};

struct Words {
    u32 w[4];
};

// Both words of a product. From one of 64 bits the compiler makes twice as many instructions.
__device__ __forceinline__ void product(u32 a, u32 b, u32& low, u32& high) {
#ifdef __CUDA_ARCH__
    asm("{ .reg .u64 t; mul.wide.u32 t, %2, %3; mov.b64 {%0, %1}, t; }" : "=r"(low), "=r"(high) : "r"(a), "r"(b));
#else
    u64 t = (u64)a * b;
    low = (u32)t, high = (u32)(t >> 32);
#endif
}

__device__ __forceinline__ Words philox(u64 block, u32 attempt, const P& p) {
    u32 c0 = (u32)block, c1 = (u32)(block >> 32), c2 = attempt, c3 = p.stream;
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        u32 l0, h0, l2, h2;
        product(0xD2511F53u, c0, l0, h0);
        product(0xCD9E8D57u, c2, l2, h2);
        c0 = h2 ^ c1 ^ p.keys[2 * round], c1 = l2;
        c2 = h0 ^ c3 ^ p.keys[2 * round + 1], c3 = l0;
    }
    return Words{{c0, c1, c2, c3}};
}

__device__ __forceinline__ u64 pair(u32 low, u32 high) { return (u64)high << 32 | low; }

// ---- -ln((U + 1/2) / 2^64), from 2^-65 to 45, of a relative precision of 2^-46 and of three ulp nearly everywhere -----
// The table has 128 pairs (1/c, ln c), c in the middle of a 128th of [0.6875, 1.375); the two about 1 have c = 1, so
// that what is near 1 loses no digit. There |f| < 2^-7, and the series of ln(1 + f) ends with the eighth power.

// Coefficients of doubles are read from memory where they are used: an instruction has no room for one.
__constant__ double LN[9] = {1.0 / 3,  -1.0 / 4, 1.0 / 5, -1.0 / 6, 1.0 / 7, -1.0 / 8,
                             -1.0 / 2, 0x1.62e42fefa3800p-1, 0x1.ef35793c76730p-45};  // the last two are ln 2

__device__ const double LOGS[256] = {TABLE};
#define OFFSET 0x3FE6000000000000ull

__device__ __forceinline__ double minus_log(u64 U, const double* table) {
    bool near = U >= 0xFF00000000000000ull;  // 1 - 2^-8
    double d = (double)(near ? ~U : U) + 0.5;
    u64 bits = (u64)__double_as_longlong(d) - OFFSET;
    int place = (int)(bits >> 45) & 127;
    int exponent = (int)((i64)bits >> 52);
    double z = __longlong_as_double((i64)((bits & 0xFFFFFFFFFFFFFull) + OFFSET));
    double f = fma(z, table[2 * place], -1.0), base = table[2 * place + 1], k = (double)(exponent - 64);
    if (near) f = d * -0x1p-64, base = 0.0, k = 0.0;
    double s = LN[5];
#pragma unroll
    for (int i = 4; i >= 0; --i) s = fma(s, f, LN[i]);
    s = fma(s, f, LN[6]);
    double square = f * f;
    s = fma(s, square, k * LN[8]);
    return -(fma(k, LN[7], base) + (f + s));
}

// The same in float, from 32 bits; where those are few, 32 more keep the digits and the tail.
__device__ __forceinline__ float minus_log(u32 U, u32 more) {
    bool near = U >= 0xB504F334u;  // the square root of 1/2
    float f, k = 0.0f;
    if (near) {
        f = ((float)~U + 0.5f) * -0x1p-32f;
    } else {
        float d = U < 0x10000u ? (float)pair(more, U) + 0.5f : (float)U + 0.5f;
        u32 bits = (u32)__float_as_int(d) - 0x3F3504F3u;
        k = (float)(((int)bits >> 23) - (U < 0x10000u ? 64 : 32));
        f = __int_as_float((int)((bits & 0x7FFFFFu) + 0x3F3504F3u)) - 1.0f;
    }
    float t = f / (2.0f + f), square = t * t;
    float s = 2.0f / 9;
    s = fmaf(s, square, 2.0f / 7);
    s = fmaf(s, square, 2.0f / 5);
    s = fmaf(s, square, 2.0f / 3);
    s = fmaf(s * square, t, 2.0f * t);
    return -fmaf(k, 0.693147181f, s);
}

// ---- cosine and sine of a turn's 2^64th (2^32nd) parts -------------------------------------------------------------

__constant__ double TURN = 0x1.921fb54442d18p-62;  // 2 pi / 2^64
__constant__ double SINE[8] = {-1.0 / 6,        1.0 / 120,          -1.0 / 5040,          1.0 / 362880,
                               -1.0 / 39916800, 1.0 / 6227020800.0, -1.0 / 1307674368000, 1.0 / 355687428096000};
__constant__ double COSINE[9] = {1.0,           -1.0 / 2,        1.0 / 24,          -1.0 / 720,           1.0 / 40320,
                                 -1.0 / 3628800, 1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000};

struct Turn {
    double c, s;
};

__device__ __forceinline__ Turn turn(u64 V) {
    u64 quarter = (V + 0x2000000000000000ull) >> 62;
    double y = (double)(i64)(V - (quarter << 62)) * TURN, square = y * y;
    double s = SINE[7], c = COSINE[8];
#pragma unroll
    for (int i = 6; i >= 0; --i) s = fma(s, square, SINE[i]);
    s = fma(s * square, y, y);
#pragma unroll
    for (int i = 7; i >= 0; --i) c = fma(c, square, COSINE[i]);
    double x = quarter & 1 ? s : c, z = quarter & 1 ? c : s;
    return Turn{(quarter + 1) & 2 ? -x : x, quarter & 2 ? -z : z};
}

struct TurnF {
    float c, s;
};

__device__ __forceinline__ TurnF turn(u32 V) {
    u32 quarter = (V + 0x20000000u) >> 30;
    float y = (float)(int)(V - (quarter << 30)) * 0x1.921fb6p-30f, square = y * y;
    float s = 1.0f / 362880;
    s = fmaf(s, square, -1.0f / 5040);
    s = fmaf(s, square, 1.0f / 120);
    s = fmaf(s, square, -1.0f / 6);
    s = fmaf(s * square, y, y);
    float c = 1.0f / 40320;
    c = fmaf(c, square, -1.0f / 720);
    c = fmaf(c, square, 1.0f / 24);
    c = fmaf(c, square, -0.5f);
    c = fmaf(c, square, 1.0f);
    float x = quarter & 1 ? s : c, z = quarter & 1 ? c : s;
    return TurnF{(quarter + 1) & 2 ? -x : x, quarter & 2 ? -z : z};
}

// ---- distributions: from one block of words to a few values --------------------------------------------------------

template <class T>
struct Place {
    u64 block;
    const P& p;
    const double* table;
};

// Words of a later attempt at the same place.
template <class T>
__device__ __forceinline__ Words again(const Place<T>& at, u32 attempt) {
    return philox(at.block, attempt, at.p);
}

struct Raw {
    template <class T>
    static constexpr int each = 4;
    static constexpr bool logs = false;
    static __device__ __forceinline__ void draw(const Words& w, const Place<u32>& at, u32* v) {
        for (int i = 0; i < 4; ++i) v[i] = w.w[i];
    }
};

// Box and Muller (1958): the radius is the square root of twice an exponential, the angle is uniform.
struct Normal {
    template <class T>
    static constexpr int each = 16 / sizeof(T);
    static constexpr bool logs = true;
    static __device__ __forceinline__ void draw(const Words& w, const Place<double>& at, double* v) {
        double radius = at.p.b * sqrt(2.0 * minus_log(pair(w.w[0], w.w[1]), at.table));
        Turn t = turn(pair(w.w[2], w.w[3]));
        v[0] = fma(radius, t.c, at.p.a), v[1] = fma(radius, t.s, at.p.a);
    }
    static __device__ __forceinline__ void draw(const Words& w, const Place<float>& at, float* v) {
        Words more = {{0, 0, 0, 0}};
        if (w.w[0] < 0x10000u || w.w[2] < 0x10000u) more = again(at, 1);
        for (int i = 0; i < 4; i += 2) {
            float radius = (float)at.p.b * sqrtf(2.0f * minus_log(w.w[i], more.w[i]));
            TurnF t = turn(w.w[i + 1]);
            v[i] = fmaf(radius, t.c, (float)at.p.a), v[i + 1] = fmaf(radius, t.s, (float)at.p.a);
        }
    }
};

struct Lognormal {
    template <class T>
    static constexpr int each = 16 / sizeof(T);
    static constexpr bool logs = true;
    template <class T>
    static __device__ __forceinline__ void draw(const Words& w, const Place<T>& at, T* v) {
        Normal::draw(w, at, v);
        for (int i = 0; i < each<T>; ++i) v[i] = exp(v[i]);
    }
};

struct Exponential {
    template <class T>
    static constexpr int each = 16 / sizeof(T);
    static constexpr bool logs = true;
    static __device__ __forceinline__ void draw(const Words& w, const Place<double>& at, double* v) {
        for (int i = 0; i < 2; ++i)
            v[i] = fma(minus_log(pair(w.w[2 * i], w.w[2 * i + 1]), at.table), at.p.b, at.p.a);
    }
    static __device__ __forceinline__ void draw(const Words& w, const Place<float>& at, float* v) {
        Words more = {{0, 0, 0, 0}};
        if (min(min(w.w[0], w.w[1]), min(w.w[2], w.w[3])) < 0x10000u) more = again(at, 1);
        for (int i = 0; i < 4; ++i) v[i] = fmaf(minus_log(w.w[i], more.w[i]), (float)at.p.b, (float)at.p.a);
    }
};

// As many bits as the mantissa has, from 0 up to but without 1.
struct Uniform {
    template <class T>
    static constexpr int each = 16 / sizeof(T);
    static constexpr bool logs = false;
    static __device__ __forceinline__ void draw(const Words& w, const Place<double>& at, double* v) {
        for (int i = 0; i < 2; ++i)
            v[i] = fma((double)(pair(w.w[2 * i], w.w[2 * i + 1]) >> 11) * 0x1p-53, at.p.b, at.p.a);
    }
    static __device__ __forceinline__ void draw(const Words& w, const Place<float>& at, float* v) {
        for (int i = 0; i < 4; ++i) v[i] = fmaf((float)(w.w[i] >> 8) * 0x1p-24f, (float)at.p.b, (float)at.p.a);
    }
};

// Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019): the high word of a product; without
// bias, because the few low words that would cause one are drawn anew, at the same place by the next attempt.
struct Integers32 {
    template <class T>
    static constexpr int each = 4;
    static constexpr bool logs = false;
    template <class T>
    static __device__ __forceinline__ void draw(const Words& w, const Place<T>& at, T* v) {
        u32 span = (u32)at.p.span;
        for (int i = 0; i < 4; ++i) {
            u64 product = (u64)w.w[i] * span;
            if ((u32)product < span) {
                u32 least = (0u - span) % span;
                for (u32 attempt = 1; (u32)product < least; ++attempt) product = (u64)again(at, attempt).w[i] * span;
            }
            v[i] = (T)(at.p.low + (span ? product >> 32 : w.w[i]));
        }
    }
};

struct Integers64 {
    template <class T>
    static constexpr int each = 2;
    static constexpr bool logs = false;
    static __device__ __forceinline__ void draw(const Words& w, const Place<u64>& at, u64* v) {
        u64 span = at.p.span;
        for (int i = 0; i < 2; ++i) {
            u64 word = pair(w.w[2 * i], w.w[2 * i + 1]);
            if (word * span < span) {
                u64 least = (0ull - span) % span;
                for (u32 attempt = 1; word * span < least; ++attempt) {
                    Words next = again(at, attempt);
                    word = pair(next.w[2 * i], next.w[2 * i + 1]);
                }
            }
            v[i] = at.p.low + (span ? __umul64hi(word, span) : word);
        }
    }
};

// ---- the walk ------------------------------------------------------------------------------------------------------

template <class T, int each>
struct __align__(each * sizeof(T) < 16 ? each * sizeof(T) : 16) Values {
    T v[each];
};

template <class D, class T>
__device__ __forceinline__ void fill(const P& p) {
    constexpr int each = D::template each<T>;
    __shared__ double table[D::logs ? 256 : 1];
    if constexpr (D::logs && sizeof(T) == 8) {
        table[threadIdx.x] = LOGS[threadIdx.x];
        __syncthreads();
    }
    u64 whole = p.count / each, step = (u64)gridDim.x * 256;
    T* out = (T*)p.out;
    u64 i = (u64)blockIdx.x * 256 + threadIdx.x;
    // Two blocks at a time share the constants, and one computes while the other waits.
    for (; i + step < whole; i += 2 * step) {
        Values<T, each> values[2];
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            u64 block = p.block + i + k * step;
            D::draw(philox(block, 0, p), Place<T>{block, p, table}, values[k].v);
        }
#pragma unroll
        for (int k = 0; k < 2; ++k) ((Values<T, each>*)out)[i + k * step] = values[k];
    }
    for (; i * each < p.count; i += step) {
        Values<T, each> values;
        u64 block = p.block + i;
        D::draw(philox(block, 0, p), Place<T>{block, p, table}, values.v);
        if (i < whole)
            ((Values<T, each>*)out)[i] = values;
        else
#pragma unroll
            for (int j = 0; j < each; ++j)
                if (i * each + j < p.count) out[i * each + j] = values.v[j];
    }
}
