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

template <class T> FN bool less(T a, T b) { return a < b; }
template <class F> FN bool less(cx<F> a, cx<F> b) { return a.re < b.re || (a.re == b.re && a.im < b.im); }
template <class T> FN bool within(T a, T b) { return a <= b; }  // false where one is NaN
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

// ---- operations: Run is what a thread keeps, Acc what is merged

template <class T, class V, class R, bool SKIP> struct Sum {
    typedef typename Of<V>::A A;
    struct Acc { A s; };
    typedef Acc Run;
    FN void begin(Run& a, I) { a.s = To<A>::from(0); }
    FN void step(Run& a, T x, I, i64, const P&) {
        if (!SKIP || !isnan_(x)) a.s = plus(a.s, To<A>::from(To<V>::from(x)));
    }
    FN Acc close(const Run& a) { return a; }
    FN void merge(Acc& a, const Acc& b, const P&) { a.s = plus(a.s, b.s); }
    FN void finish(const Acc& a, const P& p, i64 o) { ((R*)p.out0)[o] = To<R>::from(a.s); }
};

template <class T, class V, class R, bool SKIP> struct Prod {
    typedef typename Of<V>::A A;
    struct Acc { A s; };
    typedef Acc Run;
    FN void begin(Run& a, I) { a.s = To<A>::from(1); }
    FN void step(Run& a, T x, I, i64, const P&) {
        if (!SKIP || !isnan_(x)) a.s = times(a.s, To<A>::from(To<V>::from(x)));
    }
    FN Acc close(const Run& a) { return a; }
    FN void merge(Acc& a, const Acc& b, const P&) { a.s = times(a.s, b.s); }
    FN void finish(const Acc& a, const P& p, i64 o) { ((R*)p.out0)[o] = To<R>::from(a.s); }
};

// Sum and number of what is not NaN; PARTS: both, else the mean.
template <class T, class V, class R, bool SKIP, bool PARTS> struct Mean {
    typedef typename Of<V>::A A;
    struct Acc { A s; u64 n; };
    typedef Acc Run;
    FN void begin(Run& a, I) { a.s = To<A>::from(0); a.n = 0; }
    FN void step(Run& a, T x, I, i64, const P&) {
        if (SKIP && isnan_(x)) return;
        a.s = plus(a.s, To<A>::from(To<V>::from(x)));
        ++a.n;
    }
    FN Acc close(const Run& a) { return a; }
    FN void merge(Acc& a, const Acc& b, const P&) { a.s = plus(a.s, b.s); a.n += b.n; }
    FN void finish(const Acc& a, const P& p, i64 o) {
        if (PARTS) {
            ((R*)p.out0)[o] = To<R>::from(a.s);
            ((R*)p.out1)[o] = To<R>::from((double)a.n);
        } else ((R*)p.out0)[o] = To<R>::from(over(a.s, (double)a.n));
    }
};

template <class T, class R, bool MAX, bool SKIP> struct Extreme {
    typedef typename Of<T>::W W;
    struct Acc { W v; };
    typedef Acc Run;
    FN void take(W& v, W x) {
        bool better = MAX ? less(v, x) : less(x, v);
        if (SKIP ? better || isnan_(v) : better || (isnan_(x) && !isnan_(v))) v = x;
    }
    FN void begin(Run& a, I) { a.v = SKIP ? Nan<W>::get() : Least<W>::get(MAX); }
    FN void step(Run& a, T x, I, i64, const P&) { take(a.v, To<W>::from(x)); }
    FN Acc close(const Run& a) { return a; }
    FN void merge(Acc& a, const Acc& b, const P&) { take(a.v, b.v); }
    FN void finish(const Acc& a, const P& p, i64 o) { ((T*)p.out0)[o] = To<T>::from(a.v); }
};

template <class T> struct Ptp {
    typedef typename Of<T>::W W;
    struct Acc { W lo, hi; };
    typedef Acc Run;
    FN void begin(Run& a, I) { a.lo = Least<W>::get(false); a.hi = Least<W>::get(true); }
    FN void step(Run& a, T x, I, i64, const P&) {
        W w = To<W>::from(x);
        Extreme<T, T, false, false>::take(a.lo, w);
        Extreme<T, T, true, false>::take(a.hi, w);
    }
    FN Acc close(const Run& a) { return a; }
    FN void merge(Acc& a, const Acc& b, const P&) {
        Extreme<T, T, false, false>::take(a.lo, b.lo);
        Extreme<T, T, true, false>::take(a.hi, b.hi);
    }
    FN void finish(const Acc& a, const P& p, i64 o) { ((T*)p.out0)[o] = To<T>::from(minus(a.hi, a.lo)); }
};

// KIND 0: how many are not zero, 1: how many are not NaN, 2: any, 3: all.
template <class T, class R, int KIND> struct Count {
    struct Acc { u64 n; };
    typedef Acc Run;
    FN void begin(Run& a, I) { a.n = 0; }
    FN void step(Run& a, T x, I, i64, const P&) { a.n += KIND == 1 ? !isnan_(x) : KIND == 3 ? !nonzero(x) : nonzero(x); }
    FN Acc close(const Run& a) { return a; }
    FN void merge(Acc& a, const Acc& b, const P&) { a.n += b.n; }
    FN void finish(const Acc& a, const P& p, i64 o) {
        ((R*)p.out0)[o] = To<R>::from(KIND == 2 ? (u64)(a.n != 0) : KIND == 3 ? (u64)(a.n == 0) : a.n);
    }
};

// Index of the first extreme (out0), and the extreme (out1).
template <class T, bool MAX, bool SKIP> struct Arg {
    typedef typename Of<T>::W W;
    struct Acc { W v; I r; };
    typedef Acc Run;
    FN bool none(I r) { return r == ~I(0); }
    // NaN is more than any number; where it is skipped, it stands for nothing found yet. Two comparisons at most.
    FN bool better(W x, W v) { return !(MAX ? within(x, v) : within(v, x)) && !isnan_(SKIP ? x : v); }
    FN bool tie(W x, W v) { return same(x, v) || (!SKIP && isnan_(x) && isnan_(v)); }
    FN void begin(Run& a, I r) { a.v = SKIP ? Nan<W>::get() : Least<W>::get(MAX); a.r = SKIP ? ~I(0) : r; }
    FN void step(Run& a, T t, I r, i64, const P& p) {
        W x = To<W>::from(t);
        if (MAX ? before(x, a.v) : before(a.v, x)) return;
        bool take = better(x, a.v);
        if (!p.monotone && !take && tie(x, a.v)) take = mates(p.red, p.nred, r) < mates(p.red, p.nred, a.r);
        if (take) { a.v = x; a.r = r; }
    }
    FN Acc close(const Run& a) { return a; }
    FN void merge(Acc& a, const Acc& b, const P& p) {
        if (none(b.r)) return;
        bool take = none(a.r) || better(b.v, a.v);
        if (!take && tie(b.v, a.v)) take = mates(p.red, p.nred, b.r) < mates(p.red, p.nred, a.r);
        if (take) a = b;
    }
    FN void finish(const Acc& a, const P& p, i64 o) {
        ((i64*)p.out0)[o] = p.first + (none(a.r) ? 0 : mates(p.red, p.nred, a.r));
        if (p.out1) ((T*)p.out1)[o] = To<T>::from(a.v);
    }
};

// Central moments. A thread sums powers of the distance from its first value, so nothing large cancels (Chan, Golub &
// LeVeque 1983, section 3); merging by Pebay 2008 (SAND2008-6212), with the mean kept as `k` + `d`: at a mean of 1e8
// their sum would lose the half of the digits that the merging lives on.
// KIND 0: variance, 1: standard deviation, 2: moment of ORDER, 3: total, number and moments.
template <class T, class R0, class R, int ORDER, bool SKIP, int KIND> struct Moment {
    struct Run { I n; double k, s1, s2, s3, s4; };
    struct Acc { double n, k, d, m2, m3, m4; };
    FN void begin(Run& a, I) { a.n = 0; a.k = a.s1 = a.s2 = a.s3 = a.s4 = 0; }
    FN void step(Run& a, T t, I, i64, const P&) {
        double x = To<double>::from(t);
        if (SKIP && isnan_(x)) return;
        if (a.n == 0) a.k = x;
        ++a.n;
        double d = x - a.k, d2 = d * d;
        a.s1 += d;
        a.s2 += d2;
        if (ORDER > 2) a.s3 += d2 * d;
        if (ORDER > 3) a.s4 += d2 * d2;
    }
    FN Acc close(const Run& a) {
        Acc r = {(double)a.n, a.k, 0, 0, 0, 0};
        if (a.n == 0) return r;
        double d = a.s1 / r.n;
        r.d = d;
        r.m2 = a.s2 - a.s1 * d;
        if (r.m2 < 0) r.m2 = 0;
        if (ORDER > 2) r.m3 = a.s3 - d * (3 * a.s2 - 2 * r.n * d * d);
        if (ORDER > 3) r.m4 = a.s4 - d * (4 * a.s3 - d * (6 * a.s2 - 3 * r.n * d * d));
        return r;
    }
    FN void merge(Acc& a, const Acc& b, const P&) {
        if (b.n == 0) return;
        if (a.n == 0) { a = b; return; }
        double n = a.n + b.n, e = (b.k - a.k) + (b.d - a.d), f = e / n, g = f * a.n * b.n * e;
        double ea = f * a.n, eb = f * b.n;
        if (ORDER > 3)
            a.m4 += b.m4 + g * (ea * ea - ea * eb + eb * eb) + 6 * (ea * ea * b.m2 + eb * eb * a.m2)
                  + 4 * (ea * b.m3 - eb * a.m3);
        if (ORDER > 2) a.m3 += b.m3 + g * (ea - eb) + 3 * (ea * b.m2 - eb * a.m2);
        a.m2 += b.m2 + g;
        a.d += eb;
        a.n = n;
    }
    FN void finish(const Acc& a, const P& p, i64 o) {
        if (KIND == 3) {
            ((R0*)p.out0)[o] = To<R0>::from(a.n == 0 ? 0.0 : a.n * a.k + a.n * a.d);
            ((i64*)p.out1)[o] = (i64)a.n;
            R* m = (R*)p.out2 + o * (ORDER - 1);
            m[0] = To<R>::from(a.m2);
            if (ORDER > 2) m[1] = To<R>::from(a.m3);
            if (ORDER > 3) m[2] = To<R>::from(a.m4);
            return;
        }
        double free = a.n - p.ddof, m = KIND < 2 || ORDER == 2 ? a.m2 : ORDER == 3 ? a.m3 : a.m4;
        m = free < 0 || (free == 0 && SKIP) ? (SKIP || KIND == 2 ? nan_() : m > 0 ? inf() : nan_()) : m / free;
        ((R*)p.out0)[o] = To<R>::from(KIND == 1 ? sqrt(m) : m);
    }
};

// Variance of complex numbers: the moment of the absolute differences.
template <class T, class R0, class R, bool SKIP, int KIND> struct ComplexMoment {
    struct Run { I n; c16 k, s; double q; };
    struct Acc { double n; c16 k, d; double m2; };
    FN void begin(Run& a, I) { c16 z = {0, 0}; a.n = 0; a.k = a.s = z; a.q = 0; }
    FN void step(Run& a, T t, I, i64, const P&) {
        c16 x = To<c16>::from(t);
        if (SKIP && isnan_(x)) return;
        if (a.n == 0) a.k = x;
        ++a.n;
        c16 d = minus(x, a.k);
        a.s = plus(a.s, d);
        a.q += d.re * d.re + d.im * d.im;
    }
    FN Acc close(const Run& a) {
        c16 z = {0, 0};
        Acc r = {(double)a.n, a.k, z, 0};
        if (a.n == 0) return r;
        r.d = over(a.s, r.n);
        r.m2 = a.q - (a.s.re * r.d.re + a.s.im * r.d.im);
        if (r.m2 < 0) r.m2 = 0;
        return r;
    }
    FN void merge(Acc& a, const Acc& b, const P&) {
        if (b.n == 0) return;
        if (a.n == 0) { a = b; return; }
        double n = a.n + b.n;
        c16 e = plus(minus(b.k, a.k), minus(b.d, a.d)), f = over(e, n);
        a.m2 += b.m2 + a.n * b.n * (e.re * f.re + e.im * f.im);
        a.d.re += f.re * b.n;
        a.d.im += f.im * b.n;
        a.n = n;
    }
    FN void finish(const Acc& a, const P& p, i64 o) {
        if (KIND == 3) {
            c16 total = {a.n * a.k.re + a.n * a.d.re, a.n * a.k.im + a.n * a.d.im};
            ((R0*)p.out0)[o] = To<R0>::from(total);
            ((i64*)p.out1)[o] = (i64)a.n;
            ((R*)p.out2)[o] = To<R>::from(a.m2);
            return;
        }
        double free = a.n - p.ddof, m = a.m2;
        m = free < 0 || (free == 0 && SKIP) ? (SKIP || KIND == 2 ? nan_() : m > 0 ? inf() : nan_()) : m / free;
        ((R*)p.out0)[o] = To<R>::from(KIND == 1 ? sqrt(m) : m);
    }
};

// KIND 1: sum of absolute values, 2: root of the sum of their squares, 0: their maximum.
template <class T, class R, int KIND> struct Norm {
    struct Acc { double s; };
    typedef Acc Run;
    FN double square(T x) { double v = To<double>::from(x); return v * v; }
    FN double size(double v) { return v < 0 ? -v : v; }
    FN void begin(Run& a, I) { a.s = 0; }
    FN void put(double& s, double v) { if (KIND == 0) { if (v > s || v != v) s = v; } else s += v; }
    FN void step(Run& a, T x, I, i64, const P&) {
        double v = To<double>::from(x);
        put(a.s, KIND == 2 ? v * v : size(v));
    }
    FN Acc close(const Run& a) { return a; }
    FN void merge(Acc& a, const Acc& b, const P&) { put(a.s, b.s); }
    FN void finish(const Acc& a, const P& p, i64 o) { ((R*)p.out0)[o] = To<R>::from(KIND == 2 ? sqrt(a.s) : a.s); }
};

// ---- a name for the content: 128 bits, sums of mixed words, which do not depend on the order of adding

FN u64 word(u8 x) { return x; }
FN u64 word(u16 x) { return x; }
FN u64 word(u32 x) { return x; }
FN u64 word(u64 x) { return x; }
FN u64 word(c16 x) { return to_bits(x.re) ^ (to_bits(x.im) * 0x9e3779b97f4a7c15ull + (to_bits(x.im) >> 29)); }

template <class T> struct Hash {
    struct Acc { u64 a, b; };
    typedef Acc Run;
    FN void begin(Run& s, I) { s.a = s.b = 0; }
    FN void step(Run& s, T x, I, i64 index, const P&) {
        u64 i = (u64)index;
        u64 h = (word(x) ^ (i * 0xd1342543de82ef95ull + 0x632be59bd9b4e019ull)) * 0x9e3779b97f4a7c15ull;
        h ^= h >> 32;
        h *= 0xbf58476d1ce4e5b9ull;
        h ^= h >> 29;
        s.a += h;
        u64 g = (h + word(x)) * 0x94d049bb133111ebull;
        s.b += g ^ (g >> 31);
    }
    FN Acc close(const Run& s) { return s; }
    FN void merge(Acc& s, const Acc& t, const P&) { s.a += t.a; s.b += t.b; }
    FN void finish(const Acc& s, const P& p, i64 o) { ((u64*)p.out0)[2 * o] = s.a; ((u64*)p.out0)[2 * o + 1] = s.b; }
};

// ---- the two stages

template <class T, int V> struct alignas(sizeof(T) * V) Pack { T v[V]; };

template <class Op> FN void settle(typename Op::Acc acc, const P& p, u32 t, u32 pitch, u32 r, u32 rs, bool mine, I o, bool last) {
    __shared__ typename Op::Acc all[256];
    if (rs > 1) {
        all[t] = acc;
        __syncthreads();
        for (u32 s = rs >> 1; s > 0; s >>= 1) {
            if (r < s) {
                typename Op::Acc sum = all[t];
                Op::merge(sum, all[t + s * pitch], p);
                all[t] = sum;
            }
            __syncthreads();
        }
        acc = all[t];
    }
    if (!mine || r != 0) return;
    if (last) Op::finish(acc, p, p.home + mates(p.kept, p.nkept, o));
    else ((typename Op::Acc*)p.part)[(u64)blockIdx.y * p.outputs + o] = acc;
}

// The index of an element, for the operations that ask for it with each.
template <class Op> struct Numbered { static const bool value = false; };
template <class T> struct Numbered<Hash<T> > { static const bool value = true; };
template <class Op> FN i64 numbered(I r, const P& p) { return Numbered<Op>::value ? p.first + mates(p.red, p.nred, r) : 0; }

template <class Op, class T, int V> FN void first(const P& p) {
    u32 t = threadIdx.x, rs = 1u << p.lanes, os = 256u >> p.lanes;
    u32 r0 = p.inner ? t & (rs - 1) : t / os, o0 = p.inner ? t >> p.lanes : t & (os - 1);
    I o = (I)blockIdx.x * os + o0;
    bool mine = o < (I)p.outputs;
    typename Op::Run run;
    I r = (I)blockIdx.y * (I)p.length + r0 * V, end = (I)p.reductions, stop = (I)(blockIdx.y + 1) * (I)p.length;
    if (stop < end) end = stop;
    bool any = mine && r < end;
    Op::begin(run, any ? r : ~I(0));
    if (any) {
        const T* in = (const T*)p.in + place(p.kept, p.nkept, o);
        I step = (I)(rs * V);
        for (; r + (UNROLL - 1) * step < end; r += UNROLL * step) {
            Pack<T, V> x[UNROLL];
#pragma unroll
            for (int u = 0; u < UNROLL; ++u) x[u] = *(const Pack<T, V>*)(in + place(p.red, p.nred, r + u * step));
#pragma unroll
            for (int u = 0; u < UNROLL; ++u) {
                i64 index = numbered<Op>(r + u * step, p);
#pragma unroll
                for (int v = 0; v < V; ++v) Op::step(run, x[u].v[v], r + u * step + v, index + v * p.red.mate[0], p);
            }
        }
        for (; r < end; r += step) {
            Pack<T, V> x = *(const Pack<T, V>*)(in + place(p.red, p.nred, r));
            i64 index = numbered<Op>(r, p);
#pragma unroll
            for (int v = 0; v < V; ++v) Op::step(run, x.v[v], r + v, index + v * p.red.mate[0], p);
        }
    }
    settle<Op>(Op::close(run), p, t, p.inner ? 1 : os, r0, rs, mine, o, p.segments == 1);
}

template <class Op> FN void second(const P& p) {
    u32 t = threadIdx.x, rs = 1u << p.settling, os = 256u >> p.settling, r0 = t / os;
    I o = (I)blockIdx.x * os + t % os;
    bool mine = o < (I)p.outputs;
    typename Op::Run run;
    Op::begin(run, ~I(0));
    typename Op::Acc acc = Op::close(run);
    if (mine)
        for (u32 s = r0; s < p.segments; s += rs) Op::merge(acc, ((const typename Op::Acc*)p.part)[(u64)s * p.outputs + o], p);
    settle<Op>(acc, p, t, os, r0, rs, mine, o, true);
}
