"""Where in user code an operation or an equation comes from, and which vmaps it went through."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from jax._src import source_info_util, traceback_util
from jax._src.lib import xla_client  # type: ignore[attr-defined]
from jax.extend.core import JaxprEqn

LEVEL = "~vmap"
UNMAPPED = "~unmapped"
"""What the name of a scope begins with that marks a vmap."""

Traceback = Any
"""``jaxlib``'s compact traceback: ``raw_frames()`` gives code objects and instruction offsets, innermost first."""
NameStack = tuple[Any, ...]


def current_source() -> tuple[tuple[Traceback, ...], NameStack]:
    """Return the tracebacks, innermost first, and the name stack of the operation being carried out."""
    context: Any = source_info_util._source_info_context.context
    if context.traceback is None:
        # That is so unless JAX evaluates an equation, and takes half the time.
        return (xla_client.Traceback.get_traceback(),), context.name_stack.stack
    source: Any = source_info_util.current()
    python_stack = xla_client.Traceback.get_traceback()
    if source.traceback.raw_frames()[0][-1:] == python_stack.raw_frames()[0][-1:]:
        return (source.traceback,), source.name_stack.stack
    # JAX is evaluating an equation of a jaxpr, whose traceback ends where its tracing began.
    return (source.traceback, python_stack), source.name_stack.stack


def equation_source(equation: JaxprEqn) -> tuple[Traceback, NameStack]:
    """Return the traceback and the name stack that `equation` was traced with, from its own jaxpr on."""
    return equation.source_info.traceback, equation.source_info.name_stack.stack


def is_user_file(filename: str) -> bool:
    """Return whether JAX takes code in `filename` for its user's."""
    return bool(source_info_util.is_user_filename(filename))


def remember_own_files() -> None:
    """Let JAX ask the disk once for each file, and not for each frame of a failure, whether the file is its own.

    It leaves its own frames out of every traceback, and one of 100,000 frames takes it half a minute.
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
    """Return (size, axis) of every vmap that an operation on keys went through, innermost first.

    The axis counts among those the array had at that level; it is None where the level does not map the array.
    """
    marks = (name.split(":") for name in scopes(stack) if name.startswith(LEVEL))
    return [(int(size), int(axis) if axis else None) for _, size, axis in marks]


def unmapped_sizes(stack: NameStack) -> set[int]:
    """Return the sizes of the vmaps around an operation that return something unmapped, by their `out_axes`."""
    return {int(name.partition(":")[2]) for name in scopes(stack) if name.startswith(UNMAPPED)}
