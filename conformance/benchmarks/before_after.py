"""The README's table: what a call gives in stock dask, and with arrayshim imported.

    python -m arrayshim.conformance.benchmarks.before_after --backend cupy

Each call runs in two fresh processes, one of them with ARRAYSHIM_DISABLE=all. What is shown is the type in the meta and
the type of the computed chunk, or the error.
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import click

from arrayshim.conformance.benchmarks.machine import gpu_missing

PREPARE = {
    "cupy": "import cupy; make = cupy.asarray; name = 'cupy'",
    "strict": (
        "import arrayshim, dask; from arrayshim.strict import StrictArray, to_device as make, to_host, namespace\n"
        "name = 'strict'; arrayshim.register_backend(arrayshim.Backend(name=name, namespace=namespace,"
        " to_device=make, to_host=to_host, chunk_types=(StrictArray,)))"
    ),
}


@dataclass(frozen=True, slots=True)
class Call:
    """A row: the expression, how it is shown, and a remark; `backend_set`: under dask's `array.backend`."""

    expression: str
    shown: str
    remark: str = ""
    backend_set: bool = False


CALLS = (
    Call("x[x > 3]", "x[x > 3]"),
    Call("x[x > 3].std()", "x[x > 3].std()"),
    Call("da.percentile(v, 50)", "da.percentile(v, 50)", "first call of a process"),
    Call("other.mean(axis=0)", "x.mean(axis=0)", "chunks of a type nobody registered"),
    Call("other.std()", "x.std()", "the same"),
    Call("da.percentile(other[:, 0], 50)", "da.percentile(v, 50)", "the same"),
    Call("da.eye(4)", "da.eye(4)", "`array.backend` set", backend_set=True),
    Call("da.linspace(0, 1, 5)", "da.linspace(0, 1, 5)", "the same", backend_set=True),
    Call("da.asarray([1, 2])", "da.asarray([1, 2])", "the same", backend_set=True),
)

SCRIPT = """
import os, sys, warnings
import numpy as np, dask, dask.array as da
import arrayshim
from arrayshim.strict import fresh_type
warnings.simplefilter("ignore")
{prepare}
host = np.arange(24.0).reshape(6, 4)
x = da.from_array(make(host), chunks=(3, 2), name=False, asarray=False)
v = da.from_array(make(host[:, 0]), chunks=6, name=False, asarray=False)
unknown = fresh_type("Unknown")
kind = lambda array: f"{{type(array).__module__.partition('.')[0]}}.{{type(array).__name__}}".replace("arrayshim.", "")
other = da.from_array(unknown._wrap(host.copy()), chunks=(3, 2), name=False, asarray=False)
try:
    with dask.config.set({{"array.backend": name}} if {backend_set} else {{}}):
        y = {call}
    print(f"meta {{kind(y._meta)}}, chunks {{kind(y.compute(scheduler='sync'))}}")
except Exception as error:
    print(f"{{type(error).__name__}}: {{(str(error).splitlines() or [''])[0]}}")
"""


def outcome(backend: str, call: Call, *, stock: bool) -> str:
    """What a call gives, in a process of its own.

    Parameters
    ----------
    backend : str
        A key of `PREPARE`.
    call : Call
    stock : bool
        Whether the repairs are left out.
    """
    code = SCRIPT.format(prepare=PREPARE[backend], backend_set=call.backend_set, call=call.expression)
    environment = {key: value for key, value in os.environ.items() if key != "ARRAYSHIM_DISABLE"}
    if stock:
        environment["ARRAYSHIM_DISABLE"] = "all"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    return (done.stdout or done.stderr).strip().splitlines()[-1]


@click.command()
@click.option("--backend", type=click.Choice(list(PREPARE)), default="cupy", show_default=True)
def main(backend: str) -> None:
    """Print the table as Markdown."""
    if backend == "cupy" and (reason := gpu_missing()):
        raise click.UsageError(f"--backend cupy: {reason}; --backend strict runs on a CPU")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        before = pool.map(lambda call: outcome(backend, call, stock=True), CALLS)
        after = pool.map(lambda call: outcome(backend, call, stock=False), CALLS)
    print("| call | stock dask | with arrayshim |\n| --- | --- | --- |")
    for call, stock, repaired in zip(CALLS, before, after, strict=True):
        remark = f", {call.remark}" if call.remark else ""
        print(f"| `{call.shown}`{remark} | {stock} | {repaired} |")


if __name__ == "__main__":
    main()
