"""Traceback and name stack of an operation or equation; transforms, scopes, vmaps in it; which files are JAX's."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jax
from jax._src import source_info_util, traceback_util
from jax._src.lib import xla_client  # type: ignore[attr-defined]
from jax.extend.core import JaxprEqn

JAX_FILES = f"{Path(jax.__file__).parent}{os.sep}"
"""Files below it are JAX's."""
LEVEL = "~vmap"
UNMAPPED = "~unmapped"
"""Prefixes of scope names that mark a vmap."""

Traceback = Any
"""``jaxlib``'s compact traceback: ``raw_frames()`` returns code objects and instruction offsets, innermost first."""
NameStack = tuple[Any, ...]


def current_source() -> tuple[tuple[Traceback, ...], NameStack]:
    """Return the tracebacks, innermost first, and the name stack of the current operation."""
    context: Any = source_info_util._source_info_context.context
    if context.traceback is None:
        # The usual case, at half the cost; otherwise JAX evaluates an equation.
        return (xla_client.Traceback.get_traceback(),), context.name_stack.stack
    source: Any = source_info_util.current()
    python_stack = xla_client.Traceback.get_traceback()
    if source.traceback.raw_frames()[0][-1:] == python_stack.raw_frames()[0][-1:]:
        return (source.traceback,), source.name_stack.stack
    # JAX evaluates an equation of a jaxpr, whose traceback ends at the start of its trace.
    return (source.traceback, python_stack), source.name_stack.stack


def equation_source(equation: JaxprEqn) -> tuple[Traceback, NameStack]:
    """Return the traceback and name stack of `equation`, relative to its own jaxpr."""
    return equation.source_info.traceback, equation.source_info.name_stack.stack


def is_user_file(filename: str) -> bool:
    """Return whether JAX considers code in `filename` as user code."""
    return bool(source_info_util.is_user_filename(filename))


def remember_own_files() -> None:
    """Cache JAX's check whether a file is its own, which reads the disk once per frame of a failure.

    JAX filters its frames from every traceback: one with 100,000 frames takes half a minute.
    """
    ask = traceback_util.include_filename
    known = cache(lambda filename, _: ask(filename))
    traceback_util.include_filename = lambda filename: known(filename, len(traceback_util._exclude_paths))


def transforms(stack: NameStack) -> Iterator[str]:
    """Yield the names of the transformations in `stack`, outermost first."""
    return (entry.name for entry in stack if isinstance(entry, source_info_util.Transform))


def scopes(stack: NameStack) -> Iterator[str]:
    """Yield the names of the scopes in `stack`, outermost first."""
    return (entry.name for entry in stack if isinstance(entry, source_info_util.Scope))


def vmap_levels(stack: NameStack) -> list[tuple[int, int | None]]:
    """Return (size, axis) of every vmap around a key operation, innermost first.

    The axis counts in the array's shape at that level; None if that vmap does not map the array.
    """
    marks = (name.split(":") for name in scopes(stack) if name.startswith(LEVEL))
    return [(int(size), int(axis) if axis else None) for _, size, axis in marks]


def unmapped_sizes(stack: NameStack) -> set[int]:
    """Return the sizes of the vmaps around an operation with an unmapped output (None in `out_axes`)."""
    return {int(name.partition(":")[2]) for name in scopes(stack) if name.startswith(UNMAPPED)}
