// ---- operations: Run is what a thread keeps, Acc what is merged

// Sum; of TIMES, product.
template <class T, class V, class R, bool SKIP, bool TIMES> struct Total {
    typedef typename Of<V>::A A;
    struct Acc { A s; };
    typedef Acc Run;
    FN A with(A a, A b) { return TIMES ? times(a, b) : plus(a, b); }
    FN void begin(Run& a, I) { a.s = To<A>::from(TIMES ? 1 : 0); }
    FN void step(Run& a, T x, I, i64, const P&) {
        if (!SKIP || !isnan_(x)) a.s = with(a.s, To<A>::from(To<V>::from(x)));
    }
    FN Acc close(const Run& a) { return a; }
    FN void merge(Acc& a, const Acc& b, const P&) { a.s = with(a.s, b.s); }
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

// KIND 1: sum of absolute values, 2: root of the sum of their squares, 0: their maximum.
template <class T, class R, int KIND> struct Norm {
    struct Acc { double s; };
    typedef Acc Run;
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
