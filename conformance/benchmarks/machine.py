"""What this machine has: free memory, processors, GPUs and the versions of the libraries. Asking never raises."""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any

_PACKAGES = ("numpy", "dask", "distributed", "cupy", "dask-cuda", "multipledispatch")


def cores() -> int:
    """CPU cores that this process may use; affinity and cgroup quota included."""
    from dask.system import CPU_COUNT

    return max(1, int(CPU_COUNT))


def host_memory() -> tuple[int, int]:
    """Total and available bytes of host memory, cgroup limits included.

    psutil is asked where it is installed, else /proc/meminfo, else sysconf.

    Returns
    -------
    total, available : int
    """
    total, available = _system_memory()
    limits = list(cgroup_memory())
    return min([total, *(limit for limit, _ in limits)]), min([available, *(left for _, left in limits)])


def _system_memory() -> tuple[int, int]:
    with suppress(Exception):
        import psutil

        memory = psutil.virtual_memory()
        return int(memory.total), int(memory.available)
    with suppress(Exception):
        lines = Path("/proc/meminfo").read_text().splitlines()
        fields = {line.partition(":")[0]: int(line.split()[1]) * 1024 for line in lines}
        return fields["MemTotal"], fields["MemAvailable"]
    with suppress(Exception):
        page = os.sysconf("SC_PAGE_SIZE")
        return page * os.sysconf("SC_PHYS_PAGES"), page * os.sysconf("SC_AVPHYS_PAGES")
    return 4 * 2**30, 2 * 2**30  # nobody knows: small enough for any machine that can run dask


def cgroup_memory(root: Path = Path("/")) -> Iterator[tuple[int, int]]:
    """Limit and rest, in bytes, of each cgroup that this process is in (v1 and v2) and of its parents.

    Parameters
    ----------
    root : Path
        Where `proc` and `sys` lie.

    Yields
    ------
    limit, left : int
    """
    with suppress(OSError):
        for line in (root / "proc/self/cgroup").read_text().splitlines():
            _, controllers, group = line.split(":", 2)
            if controllers == "":
                base, files = root / "sys/fs/cgroup", ("memory.max", "memory.current", "inactive_file")
            elif "memory" in controllers.split(","):
                base = root / "sys/fs/cgroup/memory"
                files = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
            else:
                continue
            here = base / group.lstrip("/")
            for folder in (here, *here.parents):
                with suppress(OSError, ValueError):
                    yield _cgroup_folder(folder, *files)
                if folder == base:
                    break


def _cgroup_folder(folder: Path, limit_file: str, usage_file: str, cache_field: str) -> tuple[int, int]:
    limit = int((folder / limit_file).read_text())  # v2 writes "max" for none: ValueError
    used = int((folder / usage_file).read_text())
    cache = 0
    with suppress(OSError, ValueError):
        stat = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
        cache = int(stat.get(cache_field, 0))
    return limit, max(0, limit - used + cache)


def cpu_name() -> str:
    """The processor's model, or its architecture where the system does not tell."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def missing(module: str, package: str | None = None) -> str | None:
    """None where `module` can be found, else a sentence."""
    with suppress(Exception):
        if importlib.util.find_spec(module) is not None:
            return None
    return f"{package or module} is not installed"


def gpu_missing() -> str | None:
    """None where CuPy computes on a CUDA device, else the reason why not."""
    if reason := missing("cupy", "CuPy"):
        return reason
    try:
        import cupy
    except Exception as error:
        return f"CuPy does not import: {first_line(error)}"
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except Exception as error:
        return f"CuPy finds no usable GPU: {first_line(error)}"
    return None if count else "CuPy finds no GPU"


def gpu_count() -> int:
    """CUDA devices that CuPy sees."""
    import cupy

    return int(cupy.cuda.runtime.getDeviceCount())


def gpu_free(count: int) -> int:
    """Free bytes on the fullest of the first `count` devices."""
    import cupy

    free = []
    for device in range(count):
        with cupy.cuda.Device(device):
            free.append(int(cupy.cuda.runtime.memGetInfo()[0]))
    return min(free)


def release_gpu() -> None:
    """Give CuPy's unused pool memory back, so that the next leg's workers find it free."""
    import cupy

    cupy.get_default_memory_pool().free_all_blocks()


def gpus() -> list[dict[str, Any]]:
    """Name and memory of each GPU; empty where there is none."""
    if gpu_missing():
        return []
    import cupy

    found = []
    for device in range(gpu_count()):
        properties = cupy.cuda.runtime.getDeviceProperties(device)
        name = properties["name"]
        found.append(
            {
                "name": name.decode() if isinstance(name, bytes) else str(name),
                "memory_bytes": int(properties["totalGlobalMem"]),
            }
        )
    return found


def hardware() -> dict[str, Any]:
    """Names and sizes of processor, memory and GPUs."""
    total, available = host_memory()
    return {
        "system": platform.platform(),
        "cpu": cpu_name(),
        "cores": cores(),
        "memory_bytes": total,
        "memory_available_bytes": available,
        "gpus": gpus(),
    }


def versions() -> dict[str, str | int | None]:
    """Versions of Python, of arrayshim and of what it runs on; None for what is missing. CUDA's as 13000 for 13.0."""
    import arrayshim

    found: dict[str, str | int | None] = {"arrayshim": arrayshim.__version__, "python": platform.python_version()}
    for package in _PACKAGES:
        found[package] = None
        with suppress(metadata.PackageNotFoundError):
            found[package] = metadata.version(package)
    found["cuda_driver"] = found["cuda_runtime"] = None
    with suppress(Exception):
        import cupy

        found["cupy"] = cupy.__version__  # its distribution is cupy-cuda12x, cupy-cuda13x, ...
        found["cuda_driver"] = int(cupy.cuda.runtime.driverGetVersion())
        found["cuda_runtime"] = int(cupy.cuda.runtime.runtimeGetVersion())
    return found


def peak_rss() -> int | None:
    """Peak resident bytes of this process since it started; None where the system does not tell."""
    # On Linux getrusage also counts what the parent held when it started this process, VmHWM does not.
    with suppress(OSError, StopIteration):
        lines = Path("/proc/self/status").read_text().splitlines()
        return 1024 * int(next(line.split()[1] for line in lines if line.startswith("VmHWM:")))
    with suppress(ImportError):
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return None


def first_line(error: BaseException) -> str:
    """Class and first line of an error's message."""
    text = " ".join(str(error).split("\n", 1)[0].split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
