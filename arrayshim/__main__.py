"""`python -m arrayshim` is the command line."""

from __future__ import annotations

from arrayshim.cli import main

if __name__ == "__main__":
    main(prog_name="arrayshim")
