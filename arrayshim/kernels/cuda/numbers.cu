// Reductions of a strided array. One source for all operations, dtypes and layouts; no headers, so that NVRTC is quick.
//
// The array is a table of `outputs` rows of `reductions` elements; `kept` and `red` say where the element (o, r) lies.
// A block of 256 threads serves 256 >> lanes outputs, with 1 << lanes threads each, and one of `segments` parts of
// their reductions. Each thread walks its part with steps of the block, wide loads where the layout has them; a block
// merges its threads in a fixed tree, and `second` merges the blocks in another. No atomics: the order of every
// operation depends on the layout alone.
//
// Before this text stand #define INDEX (u32 or u64) and UNROLL; behind it, the two kernels of one operation.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
typedef INDEX I;

#define FN static __device__ __forceinline__

struct b1 { u8 v; };
struct f16 { u16 v; };
template <class F> struct cx { F re, im; };
typedef float f32;
typedef double f64;
typedef cx<float> c8;
typedef cx<double> c16;

struct Axes {
    u64 size[8];
    i64 stride[8];  // in elements of the array
    i64 mate[8];    // kept: in elements of the result; red: what a step adds to the index
    u32 magic[8], shift[8];
};

struct P {
    Axes kept, red;
    u64 outputs, reductions, length;  // length: elements per segment
    i64 home, first;                  // place of output 0, index of element 0
    double ddof;
    const void* in;
    void *part, *out0, *out1, *out2;
    u32 nkept, nred, segments, lanes, settling, inner, monotone;
};

// ---- numbers

FN double from_bits(u64 b) { union { u64 u; double d; } x; x.u = b; return x.d; }
FN u64 to_bits(double d) { union { u64 u; double d; } x; x.d = d; return x.u; }
FN u32 to_bits(float f) { union { u32 u; float f; } x; x.f = f; return x.u; }
FN double inf() { return from_bits(0x7ff0000000000000ull); }
FN double nan_() { return from_bits(0x7ff8000000000000ull); }

#ifdef __CUDA_ARCH__
FN float widen(f16 h) { float f; asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h.v)); return f; }
FN f16 narrow(float f) { f16 h; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h.v) : "f"(f)); return h; }
FN f16 narrow(double d) { f16 h; asm("cvt.rn.f16.f64 %0, %1;" : "=h"(h.v) : "d"(d)); return h; }
#endif

// What a dtype is computed with: `W`, in which its values compare, and `A`, in which they add up.
template <class T> struct Of { typedef T W; typedef i64 A; };
template <> struct Of<b1> { typedef u8 W; typedef i64 A; };
template <> struct Of<u8> { typedef u8 W; typedef u64 A; };
template <> struct Of<u16> { typedef u16 W; typedef u64 A; };
template <> struct Of<u32> { typedef u32 W; typedef u64 A; };
template <> struct Of<u64> { typedef u64 W; typedef u64 A; };
template <> struct Of<f16> { typedef f32 W; typedef f64 A; };
template <> struct Of<f32> { typedef f32 W; typedef f64 A; };
template <> struct Of<f64> { typedef f64 W; typedef f64 A; };
template <class F> struct Of<cx<F> > { typedef cx<F> W; typedef c16 A; };

// Conversions: To<R>::from(x).
template <class R> struct To {
    template <class T> FN R from(T x) { return (R)x; }
    FN R from(b1 x) { return (R)(x.v != 0); }
    FN R from(f16 x) { return (R)widen(x); }
};
template <> struct To<b1> {
    template <class T> FN b1 from(T x) { b1 r = {(u8)(x != T(0))}; return r; }
    FN b1 from(b1 x) { return x; }
};
template <> struct To<f16> {
    template <class T> FN f16 from(T x) { return narrow((double)x); }
    FN f16 from(float x) { return narrow(x); }
    FN f16 from(b1 x) { return narrow((float)(x.v != 0)); }
    FN f16 from(f16 x) { return x; }
};
template <class F> struct To<cx<F> > {
    template <class T> FN cx<F> from(T x) { cx<F> r = {To<F>::from(x), F(0)}; return r; }
    template <class G> FN cx<F> from(cx<G> x) { cx<F> r = {(F)x.re, (F)x.im}; return r; }
};

template <class T> FN bool isnan_(T) { return false; }
FN bool isnan_(float x) { return x != x; }
FN bool isnan_(double x) { return x != x; }
FN bool isnan_(f16 x) { return (x.v & 0x7fff) > 0x7c00; }
template <class F> FN bool isnan_(cx<F> x) { return x.re != x.re || x.im != x.im; }

// False where one is NaN, of complex numbers in either part.
template <class T> FN bool less(T a, T b) { return a < b; }
template <class F> FN bool less(cx<F> a, cx<F> b) {
    return !isnan_(a) && !isnan_(b) && (a.re < b.re || (a.re == b.re && a.im < b.im));
}
template <class T> FN bool within(T a, T b) { return a <= b; }
template <class F> FN bool within(cx<F> a, cx<F> b) {
    return !isnan_(a) && !isnan_(b) && (a.re < b.re || (a.re == b.re && a.im <= b.im));
}
template <class T> FN bool before(T a, T b) { return a < b; }  // of what can be told by one comparison
template <class F> FN bool before(cx<F>, cx<F>) { return false; }
template <class T> FN bool same(T a, T b) { return a == b; }
template <class F> FN bool same(cx<F> a, cx<F> b) { return a.re == b.re && a.im == b.im; }

template <class T> FN bool nonzero(T x) { return x != T(0); }
FN bool nonzero(b1 x) { return x.v != 0; }
FN bool nonzero(f16 x) { return (x.v & 0x7fff) != 0; }
template <class F> FN bool nonzero(cx<F> x) { return x.re != 0 || x.im != 0; }

template <class T> FN T plus(T a, T b) { return a + b; }
FN c16 plus(c16 a, c16 b) { c16 r = {a.re + b.re, a.im + b.im}; return r; }
template <class T> FN T minus(T a, T b) { return (T)(a - b); }
template <class F> FN cx<F> minus(cx<F> a, cx<F> b) { cx<F> r = {a.re - b.re, a.im - b.im}; return r; }
template <class T> FN T times(T a, T b) { return a * b; }
FN c16 times(c16 a, c16 b) { c16 r = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; return r; }
template <class A> FN A over(A a, double n) { return (A)(a / n); }
FN c16 over(c16 a, double n) { c16 r = {a.re / n, a.im / n}; return r; }

// The least value in the order of the comparison (of complex numbers: the least that occurs).
template <class W> struct Least { FN W get(bool max) { return max ? (W(-1) < W(0) ? (W)(W(1) << (8 * sizeof(W) - 1)) : W(0)) : (W)~get(true); } };
template <> struct Least<float> { FN float get(bool max) { return (float)(max ? -inf() : inf()); } };
template <> struct Least<double> { FN double get(bool max) { return max ? -inf() : inf(); } };
template <class F> struct Least<cx<F> > { FN cx<F> get(bool max) { F v = Least<F>::get(max); cx<F> r = {v, v}; return r; } };
template <class W> struct Nan { FN W get() { return W(0); } };
template <> struct Nan<float> { FN float get() { return (float)nan_(); } };
template <> struct Nan<double> { FN double get() { return nan_(); } };
template <class F> struct Nan<cx<F> > { FN cx<F> get() { cx<F> r = {(F)nan_(), (F)nan_()}; return r; } };

// ---- places

FN u32 high(u32 a, u32 b) { return (u32)(((u64)a * b) >> 32); }
FN u32 divide(u32 n, const Axes& a, int k) { return (high(n, a.magic[k]) + n) >> a.shift[k]; }
FN u64 divide(u64 n, const Axes& a, int k) { return n / a.size[k]; }

FN i64 place(const Axes& a, u32 n, I at) {
    i64 sum = 0;
    for (u32 k = 0; k + 1 < n; ++k) {
        I next = divide(at, a, k);
        sum += (i64)(at - next * (I)a.size[k]) * a.stride[k];
        at = next;
    }
    return sum + (i64)at * a.stride[n - 1];
}

FN i64 mates(const Axes& a, u32 n, I at) {
    i64 sum = 0;
    for (u32 k = 0; k + 1 < n; ++k) {
        I next = divide(at, a, k);
        sum += (i64)(at - next * (I)a.size[k]) * a.mate[k];
        at = next;
    }
    return sum + (i64)at * a.mate[n - 1];
}
