"""One or several runs as one HTML file that needs nothing else: the template and its script lie beside this module."""

from __future__ import annotations

import base64
import hashlib
import html
import inspect
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Any

from arrayshim.conformance.document import OUTCOMES
from arrayshim.conformance.known import Known
from arrayshim.conformance.matrix import origin

#: How an outcome is coloured and marked; colour alone never tells it.
_TONES = {"pass": ("pass", "✓"), "skip": ("quiet", "-"), "blocked": ("quiet", "…")}
_TONES |= {"not implemented by the backend": ("quiet", "∅")}
_TONES |= dict.fromkeys(("computed early", "meta lies"), ("lies", "!"))
_TONES |= dict.fromkeys(("error", "timeout", "crash"), ("loud", "✗"))
_TONES |= dict.fromkeys(("wrong shape", "wrong dtype", "wrong chunk type", "wrong value"), ("wrong", "≠"))

_FILES = ("page.css", "page.html", "page.js", "page.detail.js")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run and what was known of it.

    Attributes
    ----------
    document : mapping
        As `document.load` gives it.
    known : Known
    """

    document: Mapping[str, Any]
    known: Known = field(default_factory=Known)


def page(runs: Sequence[Run]) -> str:
    """The matrix of operation x run as one self-contained HTML file.

    Parameters
    ----------
    runs : sequence of Run
        One column each.

    Returns
    -------
    str
        Opens from disk, loads nothing, and forbids itself to (Content-Security-Policy). Whatever comes from a run is
        data for the script, which shows it as text.
    """
    here = Path(__file__).parent
    style, text, *scripts = ((here / name).read_text("utf-8") for name in _FILES)
    script = "".join(scripts)
    title = "arrayshim conformance: " + ", ".join(run.document["name"] for run in runs)
    parts = {
        "TITLE": html.escape(title),
        "STYLE-HASH": _hash(style),
        "SCRIPT-HASH": _hash(script),
        "STYLE": style,
        "SCRIPT": script,
        "DATA": _embed(_data(runs)),
    }
    first, *rest = text.split("@")
    # The template is cut once, so that no text of a run is ever taken for a placeholder.
    return first + "".join(parts.get(part, part) for part in rest)


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _embed(data: Any) -> str:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    text = text.encode("utf-8", "replace").decode()  # half a surrogate pair is no character
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _data(runs: Sequence[Run]) -> dict[str, Any]:
    cases: dict[str, list[Any]] = {}
    for run in runs:
        for case in run.document["cases"]:
            cases.setdefault(case["case"], [case["case"], case["family"], case["names"]])
    used = {case.get("fix") for run in runs for case in run.document["cases"]}
    used |= {entry.fix for run in runs for entry in run.known.entries}
    return {
        "outcomes": [{"name": name, "tone": _TONES[name][0], "mark": _TONES[name][1]} for name in OUTCOMES],
        "cases": list(cases.values()),
        "runs": [_run(run, list(cases)) for run in runs],
        "fixes": _fixes(name for name in used if name),
    }


def _run(run: Run, names: Sequence[str]) -> dict[str, Any]:
    found = {case["case"]: case for case in run.document["cases"]}
    surprises = {surprise.case: surprise for surprise in run.known.surprises(found.values())}
    checks = Counter(json.dumps(case.get("checks", {})) for case in found.values())
    usual = json.loads(checks.most_common(1)[0][0]) if checks else {}
    made: dict[str, Any] = {
        "name": run.document["name"],
        "origin": origin(run.document),
        "known": [{"reason": it.reason, "link": it.link, "fix": it.fix} for it in run.known.entries],
        "outcomes": [],
        "seconds": [],
        "transfers": [],
        "usual": usual,
        "checks": {},
        "details": {},
    }
    for number, name in enumerate(names):
        case = found.get(name)
        made["outcomes"].append(OUTCOMES.index(case["outcome"]) if case else -1)
        made["seconds"].append(round(case["seconds"], 4) if case else None)
        made["transfers"].append(case["transfers"] if case else None)
        if case is None:
            continue
        if case.get("checks", {}) != usual:
            made["checks"][number] = case.get("checks", {})
        detail = {key: case.get(key) for key in ("message", "reproducer", "fix")}
        detail["known"] = run.known.index(name)
        if name in surprises:
            detail["surprise"] = f"{surprises[name].got}, expected {surprises[name].expected}"
        if detail := {key: value for key, value in detail.items() if value not in (None, "")}:
            made["details"][number] = detail
    return made


def _fixes(ids: Iterable[str]) -> dict[str, Any]:
    """What the page tells of each repair that a case names; of an id that this version lacks, only that."""
    from arrayshim.fixes import collect

    known, found = collect(), {}
    home = _homepage()
    for name in sorted(ids):
        fix = known.get(name)
        # in the installed package: the fix and, where there is one, the same as a patch for dask
        folder = Path(str(files("arrayshim"))) / "fixes"
        ends = [end for end in (".py", ".patch") if (folder / f"{name}{end}").is_file()]
        found[name] = {
            "id": name,
            "files": [f"arrayshim/fixes/{name}{end}" for end in ends],
            "address": f"{home}/blob/main/arrayshim/fixes/{name}.py" if home and fix else None,
            "command": f"arrayshim explain {name}" if fix else None,
            "title": fix.title if fix else "(this version of arrayshim has no such repair)",
            "issue": fix.issue if fix else None,
            "text": inspect.cleandoc(sys.modules[fix.module].__doc__ or "") if fix else "",
        }
    return found


def _homepage() -> str | None:
    """Where the project's sources are published, as its own metadata say; None where they do not."""
    try:
        urls = metadata.metadata("arrayshim").get_all("Project-URL") or []
    except metadata.PackageNotFoundError:
        return None
    found = {label.strip().lower(): address.strip() for label, _, address in (url.partition(",") for url in urls)}
    return next((found[label].rstrip("/") for label in ("source", "repository") if label in found), None)
