"""Exceptions and warnings. Each message is one line: what was found, what was expected, what to do."""

from __future__ import annotations


class ArrayshimError(Exception):
    """Base of every error that arrayshim raises on its own account."""


class UnknownFixError(ArrayshimError, ValueError):
    """An id that names no fix."""


class UnknownTargetError(ArrayshimError, LookupError):
    """A dotted name that dask does not have."""


class BackendError(ArrayshimError, ValueError):
    """A backend that is unknown, incomplete, or at odds with one that is registered."""


class UnsupportedError(ArrayshimError, NotImplementedError):
    """An operation that the chunk type cannot do; the message names the alternative."""


class ResidenceError(UnsupportedError, TypeError):
    """Operands that are not, and may not be brought, in one place; the message names both and the remedy."""


class ArrayshimWarning(UserWarning):
    """Base of every warning that arrayshim gives."""


class UntestedDaskWarning(ArrayshimWarning):
    """This dask is none that was tested; the message says what the probes found and what was done."""


class ForeignPatchWarning(ArrayshimWarning):
    """Somebody else has replaced what arrayshim had replaced; it was left alone."""
