"""Which dask this is: tested, the same source as a tested one, or unknown, in which case the probes decide.

`fixes/tested.json` holds the versions that CI runs and, for each target, the fingerprints of its source in them. The
answer of the probes on an unknown dask is kept in the user's cache folder, so that it is asked once per dask and
arrayshim.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import operator
import os
import sys
import textwrap
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

from arrayshim._version import __version__
from arrayshim.fix import Fix, Replacement, locate

TESTED = Path(__file__).parent / "fixes" / "tested.json"


@lru_cache(maxsize=1)
def tested() -> dict[str, Any]:
    """`{"dask": [versions], "sources": {name: [fingerprints]}}`."""
    loaded: dict[str, Any] = json.loads(TESTED.read_text(encoding="utf-8"))
    return loaded


def dask_version() -> str:
    """Version of the dask that is imported."""
    import dask

    return str(dask.__version__)


def is_tested() -> bool:
    """Whether CI has run this version of dask."""
    return dask_version() in tested()["dask"]


_COMPARISONS = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
}


def in_range(specifier: str) -> bool:
    """Whether this dask is in a range such as `>=2025.1,<2026.1`; an empty one holds every version."""
    # packaging.specifiers would say the same, but dask has not imported it.
    return all(_holds(clause.strip()) for clause in specifier.split(",") if clause.strip())


@cache
def _version(text: str) -> Version:
    try:
        version = Version(text)
    except InvalidVersion:
        version = Version("0")
    # A checkout without tags calls itself 0+unknown: newer than everything tested, rather than older.
    return version if any(version.release) else Version("9999")


def _holds(clause: str) -> bool:
    sign = clause[:2] if clause[:2] in _COMPARISONS else clause[:1]
    return bool(_COMPARISONS[sign](_version(dask_version()), _version(clause[len(sign) :].strip())))


def meant_for_here(fix: Fix) -> list[Replacement]:
    """The replacements of a fix that are meant for this dask, as far as their modules are to be had."""
    return [replacement for replacement in fix.replacements if in_range(replacement.dask) and _present(replacement)]


def _present(replacement: Replacement) -> bool:
    return not replacement.late or replacement.target.rpartition(".")[0] in sys.modules


#: Where dask writes its own rows and hooks; what a fix with rows of its own leans on besides its targets.
REGISTRATIONS = "dask.array.backends"


def watched(fix: Fix) -> list[str]:
    """Names of the objects whose source decides whether this dask is, for the fix, like a tested one."""
    targets = [replacement.target for replacement in meant_for_here(fix) if not replacement.late]
    return targets + [REGISTRATIONS] if fix.rows or fix.hangs else targets


def live(name: str) -> Any:
    """The object, or module, that is watched under a name."""
    return sys.modules.get(name) or locate(name).value


def fingerprint(value: Any) -> str:
    """Hash of the source of a function, with those of what its decorators wrap; of another object, of its type."""
    parts = []
    while value is not None:
        code = getattr(value, "__code__", value)  # inspect would go to the innermost function
        try:
            parts.append(textwrap.dedent(inspect.getsource(code)))
        except (OSError, TypeError):
            parts.append(f"{type(value).__module__}.{type(value).__qualname__}")
        value = getattr(value, "__dict__", {}).get("__wrapped__")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def same_source(fix: Fix) -> bool:
    """Whether all that a fix leans on has, in this dask, the source that it has in a tested one."""
    known = tested()["sources"]
    return all(fingerprint(live(name)) in known.get(name, ()) for name in watched(fix))


class Verdicts:
    """What the probes said of this dask, kept between processes; losing the file costs a second, nothing else."""

    def __init__(self) -> None:
        self._found: dict[str, str] | None = None
        self._answers: dict[str, str] = {}

    @property
    def path(self) -> Path:
        """The file, in the user's cache folder."""
        base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or "~/.cache"
        return Path(base).expanduser() / "arrayshim" / "verdicts.json"

    @property
    def key(self) -> str:
        """Which dask and which arrayshim the answers are about."""
        import dask

        # A checkout keeps its version while its files change.
        folders = Path(dask.__file__).parent / "array", TESTED.parent
        newest = [max(file.stat().st_mtime_ns for file in folder.glob("*.py")) for folder in folders]
        stamp = hashlib.sha256(f"{folders} {newest}".encode()).hexdigest()[:16]
        return f"dask {dask_version()}, arrayshim {__version__}, {stamp}"

    def _load(self) -> dict[str, Any]:
        try:
            loaded = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RuntimeError):  # unreadable, not JSON, no home folder
            return {}
        return loaded if isinstance(loaded, dict) else {}

    @property
    def answers(self) -> dict[str, str]:
        """Fix id to `cured`, `healthy`, or the sentence of a probe that stayed faulty."""
        if self._found is None:
            known = self._load().get(self.key)
            known = known if isinstance(known, dict) else {}
            self._found = {fix_id: said for fix_id, said in known.items() if isinstance(said, str)}
            self._answers = dict(self._found)
        return self._answers

    @property
    def news(self) -> bool:
        """Whether there are answers that were not known before."""
        return self._answers != (self._found or {})

    def save(self) -> None:
        """Write the answers, if there are new ones; a folder that cannot be written is no error."""
        if not self.news:
            return
        kept = {**self._load(), self.key: self._answers}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            draft = self.path.with_suffix(f".{os.getpid()}")
            draft.write_text(json.dumps(kept, indent=1, sort_keys=True), encoding="utf-8")
            draft.replace(self.path)
        except (OSError, RuntimeError):
            pass
