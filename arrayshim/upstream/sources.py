"""Where a pristine dask comes from: a path, the installed one if nobody has changed it, or a source distribution."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import zlib
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.version import InvalidVersion, Version

from arrayshim.upstream.patches import UpstreamError

_METADATA = ("dask.egg-info", "dask-*.dist-info")


def is_version(asked: str) -> bool:
    """Whether a text is a version, rather than a path."""
    if re.match(r"\d+\.\d", asked) is None or Path(asked).exists():
        return False
    try:
        Version(asked)
    except InvalidVersion:
        return False
    return True


def pristine(asked: str, folder: Path, *, installed: bool = False) -> str:
    """Put an unchanged dask into a folder: the package with its tests, and its metadata.

    Parameters
    ----------
    asked : str
        A version, or the path of a source distribution (a file) or of a folder that has `dask/` in it.
    folder : pathlib.Path
        Made here.
    installed : bool
        Whether the installed dask may be taken, where it is that version and its files are as they were installed.
        Otherwise pip downloads the source distribution.

    Returns
    -------
    str
        Where it is from, in words.

    Raises
    ------
    UpstreamError
        There is no such dask, in one line.
    """
    if is_version(asked):
        if installed and (site := _installed(asked)) is not None:
            _copy(site, folder)
            return f"the installed dask {asked}"
        with_archive = folder.with_name(folder.name + ".download")
        _extract(_download(asked, with_archive), folder)
        shutil.rmtree(with_archive)
        return f"the source distribution of dask {asked}"
    path = look(asked)
    if path.is_dir():
        _copy(path, folder)
    else:
        _extract(path, folder)
    return path.name


def look(asked: str) -> Path:
    """The path of a dask that is no version.

    Raises
    ------
    UpstreamError
        There is none, or what is there is not a dask.
    """
    path = Path(asked).expanduser()
    if path.is_dir() and not (path / "dask" / "__init__.py").is_file():
        raise UpstreamError(f"{path} has no dask/__init__.py; give a folder that has, a source distribution, or X.Y.Z")
    if path.is_dir() or path.is_file():
        return path
    raise UpstreamError(f"'{asked}' is neither a version such as 2026.8.0, nor a file, nor a folder")


def version_in(folder: Path) -> str:
    """Version of the dask in a folder, by its metadata; `unknown` where there are none."""
    for pattern in _METADATA:
        for found in folder.glob(pattern):
            return str(Distribution.at(found).version)
    return "unknown"


def _installed(version: str) -> Path | None:
    """Where the installed dask is, if it is that one and every file has the hash that was noted at its installation."""
    try:
        here = distribution("dask")
    except PackageNotFoundError:
        return None
    files = [file for file in here.files or () if file.parts[0] == "dask" and file.suffix == ".py"]
    if here.version != version or not any("tests" in file.parts for file in files):
        return None
    for file in files:
        noted = file.hash
        content = Path(str(file.locate())).read_bytes() if noted is not None else b""
        if noted is None or _digest(noted.mode, content) != noted.value:
            return None
    return Path(str(here.locate_file("")))


def _digest(mode: str, content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.new(mode, content).digest()).rstrip(b"=").decode()


def _copy(source: Path, folder: Path) -> None:
    shutil.copytree(source / "dask", folder / "dask", ignore=shutil.ignore_patterns("__pycache__"))
    for pattern in _METADATA:
        for found in source.glob(pattern):
            shutil.copytree(found, folder / found.name)
    if (source / "pyproject.toml").is_file():  # what dask asks of its style
        shutil.copy(source / "pyproject.toml", folder)


def _download(version: str, folder: Path) -> Path:
    options = ["-q", "--no-deps", "--no-binary=dask", "--disable-pip-version-check", "-d", str(folder)]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "download", *options, f"dask=={version}"], capture_output=True, text=True
    )
    found = [*folder.glob("dask-*.tar.gz")]
    if done.returncode or not found:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        said = [line for line in lines if line.startswith("ERROR:")][:1] or lines[-1:] or ["pip said nothing"]
        raise UpstreamError(f"pip has no source distribution of dask {version} ({said[0].strip()}); give its path")
    return found[0]


def _extract(archive: Path, folder: Path) -> None:
    unpacked = folder.with_name(folder.name + ".unpacked")
    try:
        with tarfile.open(archive) as tar:
            tar.extractall(unpacked, filter="data")
        roots = [init.parent.parent for init in unpacked.glob("*/dask/__init__.py")]
        if not roots:
            raise UpstreamError(
                f"{archive.name} has no dask/__init__.py in it; a source distribution of dask was expected"
            )
        _copy(roots[0], folder)
    except (tarfile.TarError, EOFError, zlib.error):
        raise UpstreamError(
            f"{archive} cannot be unpacked: it is no tar archive, or not a whole one; "
            "give a source distribution, dask-X.Y.Z.tar.gz (a wheel is none)"
        ) from None
    except OSError as error:
        raise UpstreamError(f"{archive} cannot be unpacked: {error}") from None
    finally:
        shutil.rmtree(unpacked, ignore_errors=True)
