// Values by rank without sorting: the text behind numbers, before the kernels of one dtype.
//
// Numbers become unsigned ones in the order of NumPy's sort (-0 before +0, all NaN last and alike), and a rank is found
// digit by digit, the highest first: each pass counts the next digit of those numbers whose higher digits are the ones
// found. R ranks are looked for at once; those that have come to the same digits share a count. A slice lies in memory
// without gaps. Where one block has a slice, it does all passes; else the last of them to come settles the digit.
//
// Before this text stands #define DIGIT, the most bits of a digit.

template <class T, int V> struct alignas(sizeof(T) * V) Pack { T v[V]; };
template <int BYTES> struct Word { typedef u32 K; };
template <> struct Word<8> { typedef u64 K; };

template <class T> struct Key {
    typedef typename Word<sizeof(T)>::K K;
    static const int BITS = 8 * sizeof(T);
    static const K ALL = ~K(0) >> (8 * sizeof(K) - BITS), SIGN = (T)-1 < (T)0 ? K(1) << (BITS - 1) : K(0);
    FN K of(T x) { return ((K)x & ALL) ^ SIGN; }
    FN T back(K k) { return (T)(k ^ SIGN); }
};
template <> struct Key<b1> {
    typedef u32 K;
    static const int BITS = 8;
    static const K ALL = 0xff;
    FN K of(b1 x) { return x.v != 0; }
    FN b1 back(K k) { b1 x = {(u8)k}; return x; }
};
template <class T, class U, u64 INFINITE> struct OfFloat {
    typedef typename Word<sizeof(T)>::K K;
    static const int BITS = 8 * sizeof(T);
    static const K ALL = ~K(0) >> (8 * sizeof(K) - BITS), SIGN = K(1) << (BITS - 1);
    union Both { T x; U bits; };
    FN K of(T x) {
        Both both;
        both.x = x;
        K b = both.bits;
        return (b & ~SIGN) > (K)INFINITE ? ALL : b & SIGN ? b ^ ALL : b ^ SIGN;
    }
    FN T back(K k) {
        Both both;
        both.bits = (U)(k & SIGN ? k ^ SIGN : k ^ ALL);
        return both.x;
    }
};
template <> struct Key<f16> : OfFloat<f16, u16, 0x7c00> {};
template <> struct Key<f32> : OfFloat<f32, u32, 0x7f800000> {};
template <> struct Key<f64> : OfFloat<f64, u64, 0x7ff0000000000000ull> {};

// What is known of a slice: of each rank, the digits found and the rank among those that have them.
struct State { u64 prefix[4]; u32 rest[4], pass, done; };

template <class T> struct Digits {
    static const int BITS = Key<T>::BITS, PASSES = (BITS + DIGIT - 1) / DIGIT, EACH = (BITS + PASSES - 1) / PASSES;
    static const int BINS = 1 << EACH;
};

// The ranks that have come to the same digits are one group.
FN void regroup(const State& s, int ranks, u32* group, u64* heads, u32* groups) {
    u32 n = 0;
    for (int q = 0; q < ranks; ++q) {
        u32 g = 0;
        while (g < n && heads[g] != s.prefix[q]) ++g;
        if (g == n) heads[n++] = s.prefix[q];
        group[q] = g;
    }
    *groups = n;
}

// The sum over the threads up to this one, itself too; that over all threads is at sums[0][255] then.
template <class N> FN N summed(N (*sums)[256], N own) {
    u32 t = threadIdx.x, turn = 0;
    N upto = own;
    sums[0][t] = own;
    __syncthreads();
    for (u32 d = 1; d < 256; d <<= 1) {
        upto = sums[turn][t] + (t >= d ? sums[turn][t - d] : 0);
        turn ^= 1;
        sums[turn][t] = upto;
        __syncthreads();
    }
    return upto;
}

// TOP: of the rank p.lanes, from the other end where FLIP. Else of the ranks at out2, p.settling of them apart from those
// of the next (one for all slices where that is 1), and their values go to out0.
template <class T, int V, int R, bool TOP, bool FLIP> FN void narrow(const P& p) {
    typedef Key<T> Q;
    typedef typename Q::K K;
    const int BITS = Q::BITS, EACH = Digits<T>::EACH, PASSES = Digits<T>::PASSES, BINS = Digits<T>::BINS, OWN = BINS / 256;
    __shared__ u32 count[4 * BINS];
    __shared__ u32 sums[2][256];
    __shared__ State now;
    __shared__ u32 group[4], groups, ticket;
    __shared__ u64 heads[4];
    u32 t = threadIdx.x;
    I o = (I)blockIdx.x;
    State* known = (State*)p.part + o;
    u32* all = (u32*)((State*)p.part + p.outputs) + (u64)o * R * BINS;
    i64 home = p.home + mates(p.kept, p.nkept, o);
    if (t == 0) {
        now = *known;
        if (now.pass == 0)
            for (int q = 0; q < R; ++q) {
                now.prefix[q] = 0;
                now.rest[q] = TOP ? p.lanes : (u32)((const i64*)p.out2)[p.settling == 1 ? q : q * (i64)p.settling + home];
            }
        regroup(now, R, group, heads, &groups);
    }
    __syncthreads();
    const T* in = (const T*)p.in + place(p.kept, p.nkept, o);
    I begin = (I)blockIdx.y * (I)p.length + t * V, end = (I)p.reductions, stop = (I)(blockIdx.y + 1) * (I)p.length;
    if (stop < end) end = stop;
    do {
        u32 pass = now.pass, found = EACH * pass, wide = BITS - found < EACH ? BITS - found : EACH, low = BITS - found - wide;
        u32 n = groups, copies = n == 1 ? 4 : n == 2 ? 2 : 1, copy = t & (copies - 1), mask = (1u << wide) - 1;
        K head[R];
#pragma unroll
        for (int g = 0; g < R; ++g) head[g] = (K)heads[g];
        for (u32 b = t; b < 4 * BINS; b += 256) count[b] = 0;
        __syncthreads();
        u32 last = 0, run = 0;
        const I step = 256 * V;
        for (I r = begin; r < end; r += UNROLL * step) {
            Pack<T, V> x[UNROLL];
#pragma unroll
            for (int u = 0; u < UNROLL; ++u)
                if (r + u * step < end) x[u] = *(const Pack<T, V>*)(in + r + u * step);
#pragma unroll
            for (int u = 0; u < UNROLL; ++u)
                if (r + u * step < end)
#pragma unroll
                    for (int v = 0; v < V; ++v) {
                        K key = FLIP ? Q::of(x[u].v[v]) ^ Q::ALL : Q::of(x[u].v[v]), top = pass ? key >> (low + wide) : K(0);
                        u32 g = 4;
#pragma unroll
                        for (int h = 0; h < R; ++h)
                            if (h < n && top == head[h]) g = h;
                        if (g < 4) {
                            // Neighbours are often alike, as are the first digits of all: one atomic for a run of them.
                            u32 slot = (g * BINS + ((u32)(key >> low) & mask)) * copies + copy;
                            if (slot != last) {
                                if (run) atomicAdd(&count[last], run);
                                last = slot;
                                run = 0;
                            }
                            ++run;
                        }
                    }
        }
        if (run) atomicAdd(&count[last], run);
        __syncthreads();
        if (p.segments > 1) {
            for (u32 b = t; b < n * BINS; b += 256) {
                u32 sum = 0;
                for (u32 c = 0; c < copies; ++c) sum += count[b * copies + c];
                if (sum) atomicAdd(&all[b], sum);
            }
            __threadfence();
            __syncthreads();
            if (t == 0) ticket = atomicAdd(&known->done, 1u);
            __syncthreads();
            if (ticket != p.segments - 1) return;
            __threadfence();
        }
        for (u32 g = 0; g < n; ++g) {
            u32 own[OWN], sum = 0, rest[R];
#pragma unroll
            for (int j = 0; j < OWN; ++j) {
                u32 b = g * BINS + t * OWN + j;
                own[j] = 0;
                if (p.segments > 1) {
                    own[j] = ((volatile u32*)all)[b];
                    all[b] = 0;
                } else
                    for (u32 c = 0; c < copies; ++c) own[j] += count[b * copies + c];
                sum += own[j];
            }
#pragma unroll
            for (int q = 0; q < R; ++q) rest[q] = now.rest[q];
            u32 upto = summed(sums, sum);
#pragma unroll
            for (int q = 0; q < R; ++q)
                if (group[q] == g && rest[q] >= upto - sum && rest[q] < upto) {
                    u32 left = rest[q] - (upto - sum);
                    bool open = true;
#pragma unroll
                    for (int j = 0; j < OWN; ++j) {
                        if (open && left < own[j]) {
                            open = false;
                            now.prefix[q] = now.prefix[q] << wide | (t * OWN + j);
                            now.rest[q] = left;
                        }
                        if (open) left -= own[j];
                    }
                }
            __syncthreads();
        }
        if (t == 0) {
            ++now.pass;
            regroup(now, R, group, heads, &groups);
        }
        __syncthreads();
    } while (p.segments == 1 && now.pass < PASSES);
    if (t == 0) {
        now.done = 0;
        *known = now;
        if (!TOP && now.pass == PASSES)
            for (int q = 0; q < R; ++q) ((T*)p.out0)[q * (i64)p.outputs + home] = Q::back((K)now.prefix[q]);
    }
}

// How many of a part come before the value that `narrow` has found, and how many are it: for each part, one above the
// other in 64 bits, at out2.
template <class T, int V, bool FLIP> FN void tally(const P& p) {
    typedef Key<T> Q;
    typedef typename Q::K K;
    __shared__ u32 total[2];
    u32 t = threadIdx.x, before = 0, alike = 0;
    I o = (I)blockIdx.x;
    K bound = (K)((const State*)p.part)[o].prefix[0];
    if (t < 2) total[t] = 0;
    __syncthreads();
    const T* in = (const T*)p.in + place(p.kept, p.nkept, o);
    I r = (I)blockIdx.y * (I)p.length + t * V, end = (I)p.reductions, stop = (I)(blockIdx.y + 1) * (I)p.length;
    if (stop < end) end = stop;
    const I step = 256 * V;
    for (; r < end; r += UNROLL * step) {
        Pack<T, V> x[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (r + u * step < end) x[u] = *(const Pack<T, V>*)(in + r + u * step);
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (r + u * step < end)
#pragma unroll
                for (int v = 0; v < V; ++v) {
                    K key = FLIP ? Q::of(x[u].v[v]) ^ Q::ALL : Q::of(x[u].v[v]);
                    before += key < bound;
                    alike += key == bound;
                }
    }
    if (before) atomicAdd(&total[0], before);
    if (alike) atomicAdd(&total[1], alike);
    __syncthreads();
    if (t == 0) ((u64*)p.out2)[(u64)o * p.segments + blockIdx.y] = (u64)total[0] << 32 | total[1];
}

// Those that come before the bound, and the first of those that are it, up to p.lanes + 1 in all and in the order of
// their places: the values to out0, the places to out1.
template <class T, bool FLIP> FN void collect(const P& p) {
    typedef Key<T> Q;
    typedef typename Q::K K;
    const int EACH = 8;
    __shared__ u64 sums[2][256];
    u32 t = threadIdx.x, k = p.lanes + 1;
    I o = (I)blockIdx.x;
    const u64* parts = (const u64*)p.out2 + (u64)o * p.segments;
    u64 mine = parts[blockIdx.y];
    const State& s = ((const State*)p.part)[o];
    K bound = (K)s.prefix[0];
    u32 ties = s.rest[0] + 1;
    if (mine == 0) return;
    u64 ahead = 0;
    for (u32 b = t; b < blockIdx.y; b += 256) ahead += parts[b];
    sums[0][t] = ahead;
    __syncthreads();
    for (u32 d = 128; d > 0; d >>= 1) {
        if (t < d) sums[0][t] += sums[0][t + d];
        __syncthreads();
    }
    ahead = sums[0][0];
    __syncthreads();
    if ((u32)(mine >> 32) == 0 && (u32)ahead >= ties) return;
    const T* in = (const T*)p.in + place(p.kept, p.nkept, o);
    i64 home = (p.home + mates(p.kept, p.nkept, o)) * (i64)k;
    I base = (I)blockIdx.y * (I)p.length, end = (I)p.reductions, stop = (I)(blockIdx.y + 1) * (I)p.length;
    if (stop < end) end = stop;
    for (; base < end; base += 256 * EACH) {
        I r = base + t * EACH;
        T x[EACH];
        u64 found[EACH], own = 0;
#pragma unroll
        for (int j = 0; j < EACH; ++j) {
            found[j] = 0;
            if (r + j < end) {
                x[j] = in[r + j];
                K key = FLIP ? Q::of(x[j]) ^ Q::ALL : Q::of(x[j]);
                found[j] = key < bound ? u64(1) << 32 : key == bound;
                own += found[j];
            }
        }
        u64 here = ahead + summed(sums, own) - own;
#pragma unroll
        for (int j = 0; j < EACH; ++j) {
            u32 alike = (u32)here, at = (u32)(here >> 32) + (alike < ties ? alike : ties);
            if (found[j] && (found[j] >> 32 || alike < ties)) {
                if (p.out0) ((T*)p.out0)[home + at] = x[j];
                if (p.out1) ((i64*)p.out1)[home + at] = r + j;
            }
            here += found[j];
        }
        ahead += sums[0][255];
        __syncthreads();
    }
}
