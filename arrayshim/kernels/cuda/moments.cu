// Central moments. A thread sums powers of the distance from its first value, so nothing large cancels (Chan, Golub &
// LeVeque 1983, section 3); merging by Pebay 2008 (SAND2008-6212), with the mean kept as `k` + `d`: at a mean of 1e8
// their sum would lose the half of the digits that the merging lives on.
// KIND 0: variance, 1: standard deviation, 2: moment of ORDER, 3: total, number and moments.
template <class T, class R0, class R, int ORDER, bool SKIP, int KIND> struct Moment {
    struct Run { I n; T first; double k, s1, s2, s3, s4; };
    struct Acc { double n, k, d, m2, m3, m4; };
    FN void begin(Run& a, I) { a.n = 0; a.first = T(); a.k = a.s1 = a.s2 = a.s3 = a.s4 = 0; }
    FN void step(Run& a, T t, I, i64, const P&) {
        if (a.n == 0 && (!SKIP || !isnan_(t))) {
            a.first = t;
            a.k = To<double>::from(t);
        }
        next(a, t);
    }
    // The same where there was one before.
    FN bool warm(const Run& a) { return a.n != 0; }
    FN void next(Run& a, T t) {
        bool there = !SKIP || !isnan_(t);
        if (!there) t = a.first;  // whose distance is 0: no branch
        a.n += there;
        double d = To<double>::from(t) - a.k, d2 = d * d;
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
        if (SKIP && isnan_(t)) return;
        c16 x = To<c16>::from(t);
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

template <class Op> struct Warming { static const bool value = false; };
template <class T, class R0, class R, int ORDER, bool SKIP, int KIND> struct Warming<Moment<T, R0, R, ORDER, SKIP, KIND> > {
    static const bool value = true;
};
