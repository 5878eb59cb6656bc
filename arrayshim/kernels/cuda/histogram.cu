// Counting in bins: the text behind stages.cu, before the kernel of one dtype.
//
// A block counts its part in shared memory, in as many copies of the bins as there is room for, so that threads that
// meet in a bin seldom meet in a copy; then it adds them to those of the others. Counts do not depend on any order.

const u32 MOST_BINS = 1024, ROOM = 4096, MOST_VALUES = 8192;

#define FN_OF __device__ __forceinline__

// The bin of a value: the last whose lower edge is no more; `bins` where there is none. NaN is in none.
FN u32 bin_of(double v, const double* edges, u32 bins, double first, double last, double scale) {
    if (!(v >= first && v <= last)) return bins;
    double guess = (v - first) * scale;
    u32 low = guess >= 0 && guess < bins ? (u32)guess : bins - 1;
    // Right at once where the edges are evenly spaced, but for rounding.
    for (int tries = 0; tries < 2; ++tries) {
        if (v < edges[low]) { if (low) --low; }
        else if (low + 1 < bins && v >= edges[low + 1]) ++low;
        else return low;
    }
    low = 0;
    for (u32 high = bins; high - low > 1;) {
        u32 middle = (low + high) >> 1;
        if (edges[middle] <= v) low = middle; else high = middle;
    }
    return low;
}

// The bin of a number between the edges of a histogram, and of a number that is itself a bin.
struct Between {
    const double* edges;
    double first, last, scale;
    template <class T> FN_OF u32 operator()(T x, u32 bins) const {
        return bin_of(To<double>::from(x), edges, bins, first, last, scale);
    }
};
struct Itself {
    template <class T> FN_OF u32 operator()(T x, u32 bins) const { return (u64)x < bins ? (u32)x : bins; }
};

template <class T, int V, u32 ROOM, class Bin> FN void counted(const P& p, const Bin& bin, u32 bins, u32 copies, u64* counts) {
    __shared__ u32 count[ROOM];
    u32 t = threadIdx.x, copy = t & (copies - 1);
    for (u32 b = t; b < bins * copies; b += 256) count[b] = 0;
    __syncthreads();
    I r = (I)blockIdx.y * (I)p.length + t * V, end = (I)p.reductions, stop = (I)(blockIdx.y + 1) * (I)p.length;
    if (stop < end) end = stop;
    const T* in = (const T*)p.in;
    I step = 256 * V;
    for (; r < end; r += UNROLL * step) {
        Pack<T, V> x[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (r + u * step < end) x[u] = *(const Pack<T, V>*)(in + place(p.red, p.nred, r + u * step));
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (r + u * step < end)
#pragma unroll
                for (int v = 0; v < V; ++v) {
                    u32 b = bin(x[u].v[v], bins);
                    if (b < bins) atomicAdd(&count[b * copies + copy], 1u);
                }
    }
    __syncthreads();
    for (u32 b = t; b < bins; b += 256) {
        u64 sum = 0;
        for (u32 c = 0; c < copies; ++c) sum += count[b * copies + c];
        if (sum) atomicAdd(&counts[b], sum);
    }
}

template <class T, int V> FN void binned(const P& p, const double* given, u32 bins, u32 copies, u64* counts) {
    __shared__ double edges[MOST_BINS + 1];
    for (u32 b = threadIdx.x; b <= bins; b += 256) edges[b] = given[b];
    __syncthreads();
    Between bin = {edges, edges[0], edges[bins], bins / (edges[bins] - edges[0])};
    counted<T, V, ROOM>(p, bin, bins, copies, counts);
}

// Numbers from 0 on, each its own bin; there are no edges.
template <class T, int V> FN void valued(const P& p, const double*, u32 bins, u32 copies, u64* counts) {
    counted<T, V, MOST_VALUES>(p, Itself(), bins, copies, counts);
}
