"""A run as JUnit XML, for CI systems: green exactly where `arrayshim conformance` exits with 0."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

from arrayshim.conformance.known import Known, Surprise

# Characters that XML 1.0 cannot hold, escaped or not.
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_COUNTED = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}


def junit(run: Mapping[str, Any], known: Known) -> str:
    """One ``testsuite`` for each family.

    A failure that is known counts as skipped, with its reason and link; an unexpected pass, another outcome than the
    known one and an entry that matches no case are failures, and crashes and timeouts of this kind are errors.

    Parameters
    ----------
    run : mapping
        As `document.load` gives it.
    known : Known

    Returns
    -------
    str
        With the XML declaration, to be written as UTF-8.
    """
    root = ElementTree.Element("testsuites", name=_legal(run["name"]))
    suites: dict[str, ElementTree.Element] = {}
    surprises = {surprise.case: surprise for surprise in known.surprises(run["cases"])}
    for case in run["cases"]:
        family = case["family"]
        if family not in suites:
            suites[family] = _suite(root, run, f"{run['name']}.{family}")
        _case(suites[family], run, case, known, surprises.pop(case["case"], None))
    if surprises:
        suite = _suite(root, run, f"{run['name']}.known")
        for surprise in surprises.values():
            made = ElementTree.SubElement(suite, "testcase", classname=f"{run['name']}.known", time="0")
            made.set("name", _legal(surprise.case))
            ElementTree.SubElement(made, "failure", message=_legal(str(surprise)), type="known failures")
    for suite in (*root.findall("testsuite"), root):
        for name, tag in _COUNTED.items():
            suite.set(name, str(len(suite.findall(f".//{tag}"))))
        suite.set("time", f"{sum(float(case.get('time', 0)) for case in suite.iter('testcase')):.3f}")
    del root.attrib["skipped"]  # the schema that CI systems use has it in the suites only
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _suite(root: ElementTree.Element, run: Mapping[str, Any], name: str) -> ElementTree.Element:
    # The schema that CI systems use wants a time without a zone.
    return ElementTree.SubElement(root, "testsuite", name=_legal(name), timestamp=run["timestamp"][:19])


def _case(
    suite: ElementTree.Element, run: Mapping[str, Any], case: Mapping[str, Any], known: Known, surprise: Surprise | None
) -> None:
    made = ElementTree.SubElement(
        suite,
        "testcase",
        classname=_legal(f"{run['name']}.{case['family']}"),
        name=_legal(case["case"].removeprefix(f"{case['family']}/")),
        time=f"{case['seconds']:.3f}",
    )
    outcome, message = case["outcome"], case["message"]
    if surprise is not None:
        kind = "error" if outcome in ("crash", "timeout") else "failure"
        text = message if surprise.expected == "pass" else f"{surprise.got}, expected {surprise.expected}: {message}"
        found = ElementTree.SubElement(made, kind, message=_legal(text), type=outcome)
        found.text = _legal("\n\n".join(part for part in (message, case.get("reproducer")) if part))
    elif outcome == "skip":
        ElementTree.SubElement(made, "skipped", message=_legal(message), type="skip")
    elif outcome != "pass" and (entry := known.entry(case["case"])) is not None:
        text = f"known failure: {entry.reason} ({entry.link})"
        found = ElementTree.SubElement(made, "skipped", message=_legal(text), type=outcome)
        found.text = _legal(message)


def _legal(text: str) -> str:
    return _ILLEGAL.sub("\N{REPLACEMENT CHARACTER}", text)
