// ---- the two stages

template <class T, int V> struct alignas(sizeof(T) * V) Pack { T v[V]; };

FN void meet(bool warp) { if (warp) __syncwarp(); else __syncthreads(); }

template <class Op> FN void settle(typename Op::Acc acc, const P& p, u32 t, u32 pitch, u32 r, u32 rs, bool mine, I o, bool last) {
    __shared__ typename Op::Acc all[256];
    if (rs > 1) {
        bool warps = rs * pitch <= 32;  // nothing passes from one warp to another
        all[t] = acc;
        meet(warps);
        for (u32 s = rs >> 1; s > 0; s >>= 1) {
            if (r < s) {
                typename Op::Acc sum = all[t];
                Op::merge(sum, all[t + s * pitch], p);
                all[t] = sum;
            }
            meet(warps);
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

// The elements of a load; operations that begin with their first element ask once whether they have begun.
template <class Op, class T, int V> FN void steps(typename Op::Run& run, const Pack<T, V>& x, I r, i64 index, const P& p) {
    if constexpr (Warming<Op>::value)
        if (Op::warm(run)) {
#pragma unroll
            for (int v = 0; v < V; ++v) Op::next(run, x.v[v]);
            return;
        }
#pragma unroll
    for (int v = 0; v < V; ++v) Op::step(run, x.v[v], r + v, index + v * p.red.mate[0], p);
}

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
            for (int u = 0; u < UNROLL; ++u) steps<Op>(run, x[u], r + u * step, numbered<Op>(r + u * step, p), p);
        }
        for (; r < end; r += step) {
            Pack<T, V> x = *(const Pack<T, V>*)(in + place(p.red, p.nred, r));
            steps<Op>(run, x, r, numbered<Op>(r, p), p);
        }
    }
    settle<Op>(Op::close(run), p, t, p.inner ? 1 : os, r0, rs, mine, o, p.segments == 1);
}

// The same where neighbouring threads take neighbouring results: V of them each, in one load.
template <class Op, class T, int V> FN void across(const P& p) {
    u32 t = threadIdx.x, rs = 1u << p.lanes, os = 256u >> p.lanes, r0 = t / os;
    I o = ((I)blockIdx.x * os + (t & (os - 1))) * V;
    bool mine = o < (I)p.outputs;
    typename Op::Run run[V];
    I r = (I)blockIdx.y * (I)p.length + r0, end = (I)p.reductions, stop = (I)(blockIdx.y + 1) * (I)p.length;
    if (stop < end) end = stop;
    bool any = mine && r < end;
#pragma unroll
    for (int v = 0; v < V; ++v) Op::begin(run[v], any ? r : ~I(0));
    if (any) {
        const T* in = (const T*)p.in + place(p.kept, p.nkept, o);
        for (; r + (UNROLL - 1) * rs < end; r += UNROLL * rs) {
            Pack<T, V> x[UNROLL];
#pragma unroll
            for (int u = 0; u < UNROLL; ++u) x[u] = *(const Pack<T, V>*)(in + place(p.red, p.nred, r + u * rs));
#pragma unroll
            for (int u = 0; u < UNROLL; ++u)
#pragma unroll
                for (int v = 0; v < V; ++v) Op::step(run[v], x[u].v[v], r + u * rs, 0, p);
        }
        for (; r < end; r += rs) {
            Pack<T, V> x = *(const Pack<T, V>*)(in + place(p.red, p.nred, r));
#pragma unroll
            for (int v = 0; v < V; ++v) Op::step(run[v], x.v[v], r, 0, p);
        }
    }
#pragma unroll
    for (int v = 0; v < V; ++v) settle<Op>(Op::close(run[v]), p, t, os, r0, rs, mine, o + v, p.segments == 1);
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
