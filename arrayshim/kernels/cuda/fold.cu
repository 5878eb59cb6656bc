// Results of chunks made one, in one launch: the text behind stages.cu, before the kernel of one operation.
//
// A piece is what a chunk came to, one to three arrays of `size` numbers without gaps. A thread takes one place and
// merges the pieces there in the order of the list, so the result depends on the order of the chunks alone.

struct Q {
    u64 size;
    double ddof;
    void *out0, *out1, *out2;
    const void* in[3 * PIECES];  // of piece k: in[3 * k], in[3 * k + 1], in[3 * k + 2]
    u32 count;
};

// A piece of most operations is one number.
template <class Op, class T> struct Piece {
    FN typename Op::Acc load(const void* const* in, i64 o, const P& p) {
        typename Op::Run run;
        Op::begin(run, 0);
        Op::step(run, ((const T*)in[0])[o], 0, 0, p);
        return Op::close(run);
    }
};

template <class V, class R, bool SKIP, bool PARTS, class T> struct Piece<Mean<T, V, R, SKIP, PARTS>, T> {
    typedef Mean<T, V, R, SKIP, PARTS> Op;
    FN typename Op::Acc load(const void* const* in, i64 o, const P&) {
        typename Op::Acc a;
        a.s = To<typename Op::A>::from(((const T*)in[0])[o]);
        a.n = (u64)To<c16>::from(((const T*)in[1])[o]).re;
        return a;
    }
};

template <class T, class R, int ORDER, bool SKIP, int KIND> struct Piece<Moment<T, T, R, ORDER, SKIP, KIND>, T> {
    typedef Moment<T, T, R, ORDER, SKIP, KIND> Op;
    FN typename Op::Acc load(const void* const* in, i64 o, const P&) {
        const R* m = (const R*)in[2] + o * (ORDER - 1);
        double total = To<double>::from(((const T*)in[0])[o]), n = (double)((const i64*)in[1])[o];
        typename Op::Acc a = {n, 0, 0, 0, 0, 0};
        if (n == 0) return a;
        a.k = total / n;
        a.d = (total - n * a.k) / n;
        if (a.d != a.d) a.d = 0;  // an infinite total
        a.m2 = To<double>::from(m[0]);
        if (ORDER > 2) a.m3 = To<double>::from(m[1]);
        if (ORDER > 3) a.m4 = To<double>::from(m[2]);
        return a;
    }
};

template <class T, class R, bool SKIP, int KIND> struct Piece<ComplexMoment<T, T, R, SKIP, KIND>, T> {
    typedef ComplexMoment<T, T, R, SKIP, KIND> Op;
    FN typename Op::Acc load(const void* const* in, i64 o, const P&) {
        c16 z = {0, 0};
        typename Op::Acc a = {(double)((const i64*)in[1])[o], z, z, 0};
        if (a.n == 0) return a;
        a.k = over(To<c16>::from(((const T*)in[0])[o]), a.n);
        a.m2 = To<double>::from(((const R*)in[2])[o]);
        return a;
    }
};

// Extreme (in[0], out1) and its index in the whole array (in[1], out0); of equal ones the first.
template <class T, bool MAX, bool SKIP> struct Place {
    typedef typename Of<T>::W W;
    typedef Arg<T, MAX, SKIP> Order;
    struct Acc { W v; i64 i; };
    FN void merge(Acc& a, const Acc& b, const P&) {
        bool none = SKIP && isnan_(b.v), first = SKIP && isnan_(a.v) && !isnan_(b.v);
        if (first || (!none && Order::better(b.v, a.v)) || (Order::tie(b.v, a.v) && b.i < a.i)) a = b;
    }
    FN void finish(const Acc& a, const P& p, i64 o) {
        ((i64*)p.out0)[o] = a.i;
        ((T*)p.out1)[o] = To<T>::from(a.v);
    }
};

template <class T, bool MAX, bool SKIP> struct Piece<Place<T, MAX, SKIP>, T> {
    typedef Place<T, MAX, SKIP> Op;
    FN typename Op::Acc load(const void* const* in, i64 o, const P&) {
        typename Op::Acc a;
        a.v = To<typename Op::W>::from(((const T*)in[0])[o]);
        a.i = ((const i64*)in[1])[o];
        return a;
    }
};

template <class Op, class T> FN void folded(const Q& q) {
    u64 o = (u64)blockIdx.x * 256 + threadIdx.x;
    if (o >= q.size) return;
    P p;
    p.out0 = q.out0;
    p.out1 = q.out1;
    p.out2 = q.out2;
    p.ddof = q.ddof;
    typename Op::Acc acc = Piece<Op, T>::load(q.in, o, p);
    for (u32 k = 1; k < q.count; ++k) Op::merge(acc, Piece<Op, T>::load(q.in + 3 * k, o, p), p);
    Op::finish(acc, p, o);
}
