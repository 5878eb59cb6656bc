"""A temporary environment in which a dask is installed: by pip, from a wheel of its tree, with no network.

The wheel is made here, of the package and the metadata that its source distribution came with: to build it as dask
does needs setuptools-scm, which pip would download. What else this Python has installed is found there too, after it.
"""

from __future__ import annotations

import base64
import hashlib
import os
import site
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

from arrayshim.upstream.patches import UpstreamError
from arrayshim.upstream.sources import version_in
from arrayshim.upstream.trees import Place

_BENEATH = "beneath.pth"
_WHEEL = "Wheel-Version: 1.0\nGenerator: arrayshim\nRoot-Is-Purelib: true\nTag: py3-none-any\n"

#: Files of the metadata, and what a source distribution calls them.
_METADATA = {
    "METADATA": ("dask-*.dist-info/METADATA", "dask.egg-info/PKG-INFO"),
    "entry_points.txt": ("dask-*.dist-info/entry_points.txt", "dask.egg-info/entry_points.txt"),
}


def wheel(source: Path, folder: Path) -> Path:
    """Make a wheel of the dask in a folder, as far as running it goes the one that its build would give.

    Parameters
    ----------
    source : pathlib.Path
        Holds `dask/` and its metadata.
    folder : pathlib.Path
        Where it is put; must exist.
    """
    version = version_in(source)
    version = "0+unknown" if version == "unknown" else version
    info = f"dask-{version}.dist-info"
    written = {f"{info}/METADATA": f"Metadata-Version: 2.1\nName: dask\nVersion: {version}\n".encode()}
    for name, patterns in _METADATA.items():
        for pattern in patterns:
            written.update({f"{info}/{name}": found.read_bytes() for found in source.glob(pattern)})
    written[f"{info}/WHEEL"] = _WHEEL.encode()
    for file in sorted((source / "dask").rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            written[file.relative_to(source).as_posix()] = file.read_bytes()
    record = [f"{name},sha256={_digest(content)},{len(content)}" for name, content in written.items()]
    written[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    made = folder / f"dask-{version}-py3-none-any.whl"
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in written.items():
            archive.writestr(name, content)
    return made


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def installed(source: Path, folder: Path) -> Place:
    """Install the dask in a folder into an environment of its own; again, in the place of the one that is there.

    Parameters
    ----------
    source : pathlib.Path
        Holds `dask/` and its metadata.
    folder : pathlib.Path
        The environment, made here if there is none.

    Raises
    ------
    UpstreamError
        pip failed.
    """
    executable = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    packages = Path(sysconfig.get_path("purelib", "venv", vars={"base": str(folder)}))
    if not executable.exists():
        # A venv in a venv stands on the Python below both, and would find none of what is installed here.
        venv.EnvBuilder(with_pip=False, symlinks=os.name != "nt").create(folder)
        lines = [f"import site; site.addsitedir({path!r})\n" for path in _beneath()]
        (packages / _BENEATH).write_text("".join(lines), encoding="utf-8")
    options = ["--no-deps", "--no-index", "--no-compile", "--force-reinstall", "-q", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "--python", str(executable), "install", *options]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHONPATH"))}
    done = subprocess.run([*command, str(wheel(source, folder))], env=kept, capture_output=True, text=True, check=False)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip()][-1:] or ["it said nothing"]
        raise UpstreamError(f"pip cannot install the dask in {source.name}: {said[0].strip()}")
    return Place(packages, executable)


def _beneath() -> list[str]:
    return [*site.getsitepackages(), *([site.getusersitepackages()] if site.ENABLE_USER_SITE else [])]
