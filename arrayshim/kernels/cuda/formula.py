"""From a formula over the words of an element, written in ufuncs, to CUDA source: one kernel in place of one per ufunc.

The formula is called once with terms in place of arrays, which write down what is asked of them. Each operation is
rounded as the ufunc rounds it (no fused multiply-add), so that the values are those of the ufuncs. Text; no device.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

_FLOAT, _BOOL, _WORD = "f64", "bool", "u64"

#: ufunc -> the type of its operands, of its result, and its text.
_UFUNCS: dict[Any, tuple[str, str, str]] = {
    np.add: (_FLOAT, _FLOAT, "__dadd_rn({}, {})"),
    np.subtract: (_FLOAT, _FLOAT, "__dadd_rn({}, -({}))"),
    np.multiply: (_FLOAT, _FLOAT, "__dmul_rn({}, {})"),
    np.divide: (_FLOAT, _FLOAT, "({} / {})"),
    np.negative: (_FLOAT, _FLOAT, "-({})"),
    np.absolute: (_FLOAT, _FLOAT, "fabs({})"),
    np.floor: (_FLOAT, _FLOAT, "floor({})"),
    np.ceil: (_FLOAT, _FLOAT, "ceil({})"),
    np.maximum: (_FLOAT, _FLOAT, "larger({}, {})"),
    np.minimum: (_FLOAT, _FLOAT, "smaller({}, {})"),
    np.isfinite: (_FLOAT, _BOOL, "is_finite({})"),
    np.isinf: (_FLOAT, _BOOL, "(fabs({}) == 1.0 / 0.0)"),
    np.isnan: (_FLOAT, _BOOL, "({0} != {0})"),
    **{
        getattr(np, name): (_FLOAT, _FLOAT, f"{name}({{}})")
        for name in ("sqrt", "exp", "exp2", "expm1", "log", "log1p", "sin", "cos", "tan")
    },
    np.arccos: (_FLOAT, _FLOAT, "acos({})"),
    np.fmod: (_FLOAT, _FLOAT, "fmod({}, {})"),
    np.less: (_FLOAT, _BOOL, "({} < {})"),
    np.less_equal: (_FLOAT, _BOOL, "({} <= {})"),
    np.greater: (_FLOAT, _BOOL, "({} > {})"),
    np.greater_equal: (_FLOAT, _BOOL, "({} >= {})"),
    np.equal: (_FLOAT, _BOOL, "({} == {})"),
    np.invert: (_BOOL, _BOOL, "!{}"),
    np.bitwise_and: (_BOOL, _BOOL, "({} && {})"),
    np.bitwise_or: (_BOOL, _BOOL, "({} || {})"),
    np.right_shift: (_WORD, _WORD, "({} >> {})"),
}


class UntraceableError(TypeError):
    """What a formula asks for has no text here, or it asks which values there are."""


@dataclass(frozen=True, slots=True, eq=False)
class Term(np.lib.mixins.NDArrayOperatorsMixin):
    """A value of one element: its type and the name that it has in the source."""

    source: Source
    kind: str
    name: str

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Term:
        if method != "__call__" or kwargs or ufunc not in _UFUNCS:
            raise UntraceableError(f"{ufunc.__name__} has no text")
        operand, result, text = _UFUNCS[ufunc]
        return self.source.term(result, text.format(*(self.source.named(x, operand) for x in inputs)))

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Term:
        if func is not np.where or kwargs or len(args) != 3:
            raise UntraceableError(f"{func.__name__} has no text")
        names = [self.source.named(x, kind) for x, kind in zip(args, (_BOOL, _FLOAT, _FLOAT), strict=True)]
        return self.source.term(_FLOAT, "({} ? {} : {})".format(*names))

    def __bool__(self) -> bool:
        raise UntraceableError("a formula asks for a value")

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        """Words as doubles; they are below 2**53."""
        if self.kind != _WORD or np.dtype(dtype) != np.float64:
            raise UntraceableError(f"{self.kind} as {dtype} has no text")
        return self.source.term(_FLOAT, f"whole({self.name})")


class Source:
    """What terms write down: lines of what an element needs, and of what all elements of a unit share."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.shared: dict[str, str] = {}
        self._known: list[dict[str, Term]] = [{}]
        self._count = 0

    def new(self) -> int:
        """A number for a name."""
        self._count += 1
        return self._count

    def term(self, kind: str, text: str) -> Term:
        """A value; what has been written already is not written again."""
        for known in self._known:
            if text in known:
                return known[text]
        found = Term(self, kind, f"t{self.new()}")
        self.lines.append(f"const {kind} {found.name} = {text};")
        self._known[-1][text] = found
        return found

    def named(self, x: Any, kind: str) -> str:
        """The text of an operand."""
        if isinstance(x, Term):
            if (x.kind, kind) == (_BOOL, _FLOAT):
                return f"(f64){x.name}"
            if x.kind != kind:
                raise UntraceableError(f"{x.kind} where {kind} is asked for")
            return x.name
        if kind == _FLOAT and not isinstance(x, bool):
            number = float(x)
            if math.isfinite(number):
                return repr(number)
            return "(0.0 / 0.0)" if math.isnan(number) else f"({math.copysign(1.0, number)} / 0.0)"
        if kind == _WORD:
            return f"{int(x)}ull"
        raise UntraceableError(f"{x!r} has no text")

    @contextmanager
    def inner(self, behind: str = "") -> Iterator[None]:
        """Lines of a block, whose names end with it."""
        self.lines.append("{")
        self._known.append({})
        yield
        self._known.pop()
        self.lines.append("}" + behind)


class Element:
    """One element, for a formula to ask it what it asks of `arrayshim.random.streams._words.Words`."""

    def __init__(self, source: Source, attempt: str = "p.attempt") -> None:
        self._source, self._attempt = source, attempt

    def part(self, number: int) -> Element:
        """Independent words of the same element."""
        return Element(self._source, f"part({self._attempt}, {number})")

    def full(self, x: Any) -> Any:
        """A parameter."""
        return x

    def _word(self) -> str:
        return f"lane<64>(s.{self._shared(f'philox(unit, p, {self._attempt})', 'b')}, k)"

    def _shared(self, text: str, letter: str) -> str:
        return self._source.shared.setdefault(text, f"{letter}{self._source.new()}")

    def random(self) -> Term:
        """Uniform in [0, 1)."""
        return self._source.term(_FLOAT, f"uniform({self._word()})")

    def open(self) -> Any:
        """Uniform in (0, 1)."""
        word = self._source.term(_WORD, f"{self._word()} >> 12")
        return (word.astype(np.float64) + 0.5) * 2.0**-52

    def normal(self) -> Term:
        """Standard normal."""
        text = f"normals(philox(unit, p, {self._attempt}), p)"
        return self._source.term(_FLOAT, f"normal(s.{self._shared(text, 'n')}, k)")

    def block(self, attempt: int) -> list[Term]:
        """The four words of an attempt."""
        return self._block(str(attempt))

    def _block(self, attempt: str) -> list[Term]:
        source, name = self._source, f"c{self._source.new()}"
        source.lines.append(f"const Block {name} = philox(number, p, {self._attempt} + {attempt});")
        return [Term(source, _WORD, f"{name}.w[{k}]") for k in range(4)]

    def either(self, condition: Any, one: Any, other: Any, *parameters: Any) -> Term:
        """What ``one(words, *parameters)`` makes if a condition holds, and ``other`` if not."""
        source, found = self._source, f"r{self._source.new()}"
        source.lines += [f"f64 {found};", f"if ({source.named(condition, _BOOL)})"]
        for make, behind in ((one, " else"), (other, "")):
            with source.inner(behind):
                source.lines.append(f"{found} = {source.named(make(self, *parameters), _FLOAT)};")
        return Term(source, _FLOAT, found)

    def rejected(self, propose: Callable[..., Any], *parameters: Any) -> Term:
        """What a proposal accepts, each time with a block of the element's own; NaN if a thousand are not accepted."""
        source, n = self._source, self._source.new()
        found, attempt = f"r{n}", f"a{n}"
        source.lines += [f"f64 {found};", f"for (u32 {attempt} = 1;; ++{attempt})"]
        with source.inner():
            value, accepted = propose(self._block(attempt), *parameters)
            source.lines += [
                f"{found} = {source.named(value, _FLOAT)};",
                f"if ({source.named(accepted, _BOOL)}) break;",
                f"if ({attempt} == 1000) {{ {found} = 0.0 / 0.0; break; }}",
            ]
        return Term(source, _FLOAT, found)

    def searched(self, u: Any, first: Any, ratio: Callable[[Any], Any], most: int) -> Term:
        """The first count whose sum of probabilities reaches `u`, the first of them given, and the ratios of others."""
        source, n = self._source, self._source.new()
        chance, total, count = (Term(source, _FLOAT, f"{letter}{n}") for letter in "cse")
        begin, limit = source.named(first, _FLOAT), source.named(u, _FLOAT)
        source.lines += [
            f"f64 {chance.name} = {begin}, {total.name} = {begin}, {count.name} = 0.0;",
            f"for (f64 k{n} = 1.0; k{n} < {most}.0 && {limit} > {total.name}; k{n} += 1.0)",
        ]
        with source.inner():
            by = source.named(ratio(Term(source, _FLOAT, f"k{n}")), _FLOAT)
            source.lines += [
                f"{count.name} += 1.0;",
                f"{chance.name} = __dmul_rn({chance.name}, {by});",
                f"{total.name} = __dadd_rn({total.name}, {chance.name});",
            ]
        return count


def formula(draw: Callable[..., Any], count: int, dtype: np.dtype[Any]) -> str | None:
    """The CUDA type ``Formula`` of a sampler with parameters that are numbers.

    Parameters
    ----------
    draw : callable
        ``draw(words, *parameters)``, of a `Sampler`.
    count : int
        Number of parameters.
    dtype : dtype
        Of the result: float64, float32 or int64.

    Returns
    -------
    str or None
        None for a formula that cannot be written down.
    """
    source = Source()
    try:
        value = draw(Element(source), *(Term(source, _FLOAT, f"p.given[{k}]") for k in range(count)))
        name = source.named(value, _FLOAT)
    except (UntraceableError, AttributeError):
        return None
    kind = {"d": "f64", "f": "f32"}.get(dtype.char, "i64")
    # Counts beyond the type end where it ends, as NumPy's.
    name = f"smaller({name}, 9223372036854774784.0)" if kind == "i64" else name
    members = " ".join(f"{'Block' if x[0] == 'b' else 'Normals'} {x};" for x in source.shared.values())
    made = "\n        ".join(f"s.{x} = {text};" for text, x in source.shared.items())
    lines = "\n        ".join(source.lines)
    return f"""
struct Formula : Unit<{kind}, 64> {{
    struct Seen {{ {members} }};
    FN Seen block(u64 unit, const P& p) {{
        Seen s;
        {made}
        return s;
    }}
    FN {kind} one(const Seen& s, u64 unit, u32 k, const P& p) {{
        const u64 number = unit * N + k;
        {lines}
        return ({kind}){name};
    }}
    FN void make(u64 unit, {kind}* v, const P& p) {{
        const Seen s = block(unit, p);
#pragma unroll
        for (int k = 0; k < N; ++k) v[k] = one(s, unit, k, p);
    }}
}};
"""
