// Running totals along an axis: the text behind stages.cu, before the kernels of one operation.
//
// Where an axis is cut into parts, `first` or `across` has left the total of each in `part`; here each part begins with
// the total of those before it, so the array is read twice and written once. The order of adding is fixed.

FN const void* part_of(const P& p, u32 s, I o, u32 size) { return (const char*)p.part + ((u64)s * p.outputs + o) * size; }

// The total of the threads before this one, and of all.
template <class Op> FN typename Op::A ahead(typename Op::A value, typename Op::A& total) {
    __shared__ typename Op::A all[2][256];
    u32 t = threadIdx.x, b = 0;
    all[0][t] = value;
    __syncthreads();
    for (u32 d = 1; d < 256; d <<= 1) {
        value = all[b][t];
        if (t >= d) value = Op::with(all[b][t - d], value);
        b ^= 1;
        all[b][t] = value;
        __syncthreads();
    }
    typename Op::Run none;
    Op::begin(none, 0);
    total = all[b][255];
    value = t ? all[b][t - 1] : none.s;
    __syncthreads();
    return value;
}

// The axis is the innermost: a block takes a part of one row, a thread EACH neighbours at a time.
template <class Op, class T, class R, int V> FN void scan_rows(const P& p) {
    typedef typename Op::A A;
    const int EACH = 8;
    u32 t = threadIdx.x;
    I o = (I)blockIdx.x, end = (I)p.reductions, base = (I)blockIdx.y * (I)p.length, stop = base + (I)p.length;
    if (stop < end) end = stop;
    const T* in = (const T*)p.in + place(p.kept, p.nkept, o);
    R* out = (R*)p.out0 + p.home + mates(p.kept, p.nkept, o);
    typename Op::Run run;
    Op::begin(run, 0);
    for (u32 s = t; s < blockIdx.y; s += 256) Op::merge(run, *(const typename Op::Acc*)part_of(p, s, o, sizeof(run)), p);
    A carry, total;
    ahead<Op>(run.s, carry);
    for (; base < end; base += 256 * EACH) {
        I r = base + t * EACH;
        Pack<T, V> x[EACH / V];
        A sum[EACH];
        Op::begin(run, 0);
#pragma unroll
        for (int k = 0; k < EACH / V; ++k)
            if (r + k * V < end) x[k] = *(const Pack<T, V>*)(in + r + k * V);
#pragma unroll
        for (int k = 0; k < EACH / V; ++k)
#pragma unroll
            for (int v = 0; v < V; ++v) {
                if (r + k * V < end) Op::step(run, x[k].v[v], 0, 0, p);
                sum[k * V + v] = run.s;
            }
        A before = Op::with(carry, ahead<Op>(run.s, total));
#pragma unroll
        for (int k = 0; k < EACH / V; ++k)
            if (r + k * V < end) {
                Pack<R, V> y;
#pragma unroll
                for (int v = 0; v < V; ++v) y.v[v] = To<R>::from(Op::with(before, sum[k * V + v]));
                *(Pack<R, V>*)(out + r + k * V) = y;
            }
        carry = Op::with(carry, total);
    }
}

// Another axis is the innermost: a thread walks a part of V neighbouring columns.
template <class Op, class T, class R, int V> FN void scan_columns(const P& p) {
    I o = ((I)blockIdx.x * 256 + threadIdx.x) * V;
    I r = (I)blockIdx.y * (I)p.length, end = (I)p.reductions, stop = r + (I)p.length;
    if (stop < end) end = stop;
    if (o >= (I)p.outputs) return;
    typename Op::Run run[V];
#pragma unroll
    for (int v = 0; v < V; ++v) {
        Op::begin(run[v], 0);
        for (u32 s = 0; s < blockIdx.y; ++s)
            Op::merge(run[v], *(const typename Op::Acc*)part_of(p, s, o + v, sizeof(run[v])), p);
    }
    i64 step = p.red.stride[0], pitch = p.red.mate[0];
    const T* in = (const T*)p.in + place(p.kept, p.nkept, o) + (i64)r * step;
    R* out = (R*)p.out0 + p.home + mates(p.kept, p.nkept, o) + (i64)r * pitch;
    while (r < end) {
        Pack<T, V> x[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (r + u < end) x[u] = *(const Pack<T, V>*)(in + u * step);
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (r + u < end) {
                Pack<R, V> y;
#pragma unroll
                for (int v = 0; v < V; ++v) {
                    Op::step(run[v], x[u].v[v], 0, 0, p);
                    y.v[v] = To<R>::from(run[v].s);
                }
                *(Pack<R, V>*)(out + u * pitch) = y;
            }
        r += UNROLL;
        in += UNROLL * step;
        out += UNROLL * pitch;
    }
}
