"""Which dask this is: tested, the same source as a tested one, or unknown, in which case the probes decide.

`fixes/tested.json` holds the versions that CI runs and, for each target, the fingerprints of its source in them. The
answer of the probes on an unknown dask is kept in the user's cache folder, so that it is asked once per dask and
arrayshim.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import tempfile
import textwrap
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from arrayshim._version import __version__
from arrayshim.fix import Fix, locate

TESTED = Path(__file__).parent / "fixes" / "tested.json"


@lru_cache(maxsize=1)
def tested() -> dict[str, Any]:
    """`{"dask": [versions], "targets": {target: [fingerprints]}}`."""
    loaded: dict[str, Any] = json.loads(TESTED.read_text(encoding="utf-8"))
    return loaded


def dask_version() -> str:
    """Version of the dask that is imported."""
    import dask

    return str(dask.__version__)


def is_tested() -> bool:
    """Whether CI has run this version of dask."""
    return dask_version() in tested()["dask"]


def in_range(specifier: str) -> bool:
    """Whether this dask is in a range such as `>=2025.1`; an empty one holds every version."""
    from packaging.specifiers import SpecifierSet

    return SpecifierSet(specifier).contains(dask_version(), prereleases=True)


def fingerprint(value: Any) -> str:
    """Hash of the signature and source of a function; of what can be said of another object."""
    try:
        text = f"{inspect.signature(value)}\n{textwrap.dedent(inspect.getsource(value))}"
    except (OSError, TypeError, ValueError):
        text = f"{type(value).__module__}.{type(value).__qualname__}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def same_source(fix: Fix) -> bool:
    """Whether every target of a fix has, in this dask, the source that it has in a tested one."""
    known = tested()["targets"]
    return all(fingerprint(locate(target).value) in known.get(target, ()) for target in fix.targets)


class Verdicts:
    """What the probes said of this dask, kept between processes; losing the file costs a second, nothing else."""

    def __init__(self, fixes: Iterable[Fix]) -> None:
        self._targets = sorted(target for fix in fixes for target in fix.targets)
        self._answers: dict[str, str] | None = None

    @property
    def path(self) -> Path:
        """The file, in the user's cache folder."""
        base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
        return Path(base) / "arrayshim" / "verdicts.json"

    @property
    def key(self) -> str:
        """Which dask and which arrayshim the answers are about."""
        import dask

        folder = Path(dask.__file__).parent
        # A checkout of dask keeps its version while its files change.
        newest = max((path.stat().st_mtime_ns for path in (folder / "array").glob("*.py")), default=0)
        stamp = hashlib.sha256(f"{folder} {newest} {self._targets}".encode()).hexdigest()[:16]
        return f"dask {dask_version()}, arrayshim {__version__}, {stamp}"

    def _load(self) -> dict[str, dict[str, str]]:
        try:
            loaded = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return loaded if isinstance(loaded, dict) else {}

    @property
    def answers(self) -> dict[str, str]:
        """Fix id to `cured`, `healthy`, or the sentence of a probe that stayed faulty."""
        if self._answers is None:
            found = self._load().get(self.key)
            self._answers = dict(found) if isinstance(found, dict) else {}
        return self._answers

    def save(self) -> None:
        """Write the answers, if any were asked for; a folder that cannot be written is no error."""
        if self._answers is None:
            return
        kept = self._load()
        kept[self.key] = self.answers
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(
                "w", encoding="utf-8", dir=self.path.parent, suffix=".tmp", delete=False
            ) as file:
                json.dump(kept, file, indent=1, sort_keys=True)
            os.replace(file.name, self.path)
        except OSError:
            pass
