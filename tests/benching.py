"""How the tests of `arrayshim bench` call it, and what its refusals look like."""

from __future__ import annotations

from click.testing import CliRunner

from arrayshim import cli


def bench(command, *args):
    """The result of a benchmark called from the command line."""
    return CliRunner().invoke(cli.main, ["bench", command, *args])


def is_refused(result, named):
    """Check that a mistake of the user was told in one line that names it."""
    assert result.exit_code == 2
    assert named in result.stderr
    assert len(result.stderr.splitlines()) == 1


def is_refused_without_a_device(command):
    """Check that a benchmark on a device says what to do where there is none."""
    result = bench(command, "--device")
    assert result.exit_code == 2
    assert "leave --device out" in result.stderr
