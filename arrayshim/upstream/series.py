"""`arrayshim upstream export`: the series of patches, and a sheet of facts for each, written to a folder."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from arrayshim.fix import Fix
from arrayshim.upstream import sheets, sources
from arrayshim.upstream.patches import MADE_FOR, UpstreamError, chosen, patch_of
from arrayshim.upstream.trees import Tree

Say = Callable[[str], None]


def export(folder: Path, only: Iterable[str], *, dask: str = MADE_FOR, replace: bool = False, say: Say) -> list[Path]:
    """Write a series that `git am` takes, in order, with its sheets; all of it or nothing.

    Parameters
    ----------
    folder : pathlib.Path
        Must not exist, or be empty.
    only : iterable of str
        Ids of repairs, which bring those that they lean on; empty for every one that has a patch.
    dask : str
        Version or path, as for `sources.pristine`.
    replace : bool
        Replace an earlier series in that folder.
    say : callable
        Told what is being done.

    Returns
    -------
    list of pathlib.Path
        The patches.

    Raises
    ------
    UpstreamError
        The folder is in use, there is no such dask, or a patch does not apply to it.
    """
    fixes = chosen(only)
    _vacant(folder, replace)
    with tempfile.TemporaryDirectory(prefix="arrayshim-export-") as name:
        work = Path(name).resolve()
        say(f"dask: {sources.pristine(dask, work / 'stock', installed=True)}")
        stock = Tree.of(work / "stock")
        made = stock.beside(work / "patched")
        texts = []
        for fix in fixes:
            made.am(patch_of(fix))
            texts.append(made.formatted())
        say(f"{len(fixes)} patches apply one after the other; running the calls of their sheets")
        facts = sheets.gather([fix.id for fix in fixes], stock, made)
        for fix_id, why in sheets.unasked(facts).items():
            say(f"the sheet of {fix_id} shows no fault: {why}")
        part = folder.with_name(f".{folder.name}.part")
        shutil.rmtree(part, ignore_errors=True)
        try:
            _write(part, fixes, texts, facts)
            _put(part, folder)
        except OSError as error:
            raise UpstreamError(f"{folder} cannot be written: {error.strerror or error}") from None
        finally:
            shutil.rmtree(part, ignore_errors=True)
    return sorted(folder.glob("*.patch"))


def _vacant(folder: Path, replace: bool) -> None:
    if folder.is_file():
        raise UpstreamError(f"{folder} is a file; give a folder that does not exist yet")
    if folder.is_dir() and any(folder.iterdir()):
        ours = (folder / "series").is_file()
        if not (replace and ours):
            hint = "--replace puts the new series in its place" if ours else "give an empty one, or a new name"
            raise UpstreamError(f"{folder} is not empty; {hint}")


def _write(part: Path, fixes: list[Fix], texts: list[str], facts: sheets.Facts) -> None:
    part.mkdir(parents=True)
    names = [f"{number:04d}-{fix.id}" for number, fix in enumerate(fixes, start=1)]
    by_id = {fix.id: name for fix, name in zip(fixes, names, strict=True)}
    for fix, name, text in zip(fixes, names, texts, strict=True):
        (part / f"{name}.patch").write_text(text, encoding="utf-8", newline="\n")
        (part / f"{name}.md").write_text(sheets.sheet(fix, facts, by_id), encoding="utf-8", newline="\n")
    (part / "series").write_text("".join(f"{name}.patch\n" for name in names), encoding="utf-8", newline="\n")


def _put(part: Path, folder: Path) -> None:
    if folder.is_dir() and any(folder.iterdir()):
        old = folder.with_name(f".{folder.name}.old")
        folder.rename(old)
        part.rename(folder)
        shutil.rmtree(old)
        return
    if folder.is_dir():
        folder.rmdir()
    part.rename(folder)


def as_json(data: object) -> str:
    """JSON as the kit writes it."""
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"
