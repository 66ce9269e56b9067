"""The innermost call in user code that led to an operation, and which JAX function it calls."""

from __future__ import annotations

import sys
from collections.abc import Callable

import msgspec

from explorer import OUR_FILES
from explorer.worker.checks.values.rules import Sort
from explorer.worker.internals import sources
from explorer.worker.internals.sources import JAX_FILES
from explorer.worker.internals.spans import Position
from explorer.worker.recording.events import CallStack

_PASSING_ON = {"reraise_with_filtered_traceback", "cache_miss", "op", "meth", "deferring_binary_op"}
_PASSING_ON |= {"_run_python_pjit", "_python_pjit_helper", "bind", "bind_with_trace", "process_primitive", "__call__"}
_PASSING_ON |= {"current_source", "current", "call_impl_with_key_reuse_checks"}
_PASSING_ON |= {"vmap_f", "call_wrapped", "_batch_outer", "_batch_inner", "flatten_fun_for_vmap", "_pjit_batcher"}
_PASSING_ON |= {"grad_f", "value_and_grad_f", "f_wrapped", "jvp", "_jvp", "vjp", "linearize"}
_PASSING_ON |= {"map", "tree_map", "<genexpr>", "<lambda>"}
"""Last names of JAX's internal functions that call the function called by the user."""
_INDEXING = {"getitem", "take", "take_along_axis", "put", "put_along_axis", "gather", "segment_update"}
_INDEXING |= {f"dynamic_{each}" for each in ("slice", "slice_in_dim", "index_in_dim", "update_slice")}
_INDEXING |= {f"dynamic_update_{each}" for each in ("slice_in_dim", "index_in_dim")}
_INDEXING |= {f"segment_{each}" for each in ("sum", "prod", "min", "max")}
_INDEXING |= {f"scatter{each}" for each in ("", "_add", "_mul", "_min", "_max", "_sub", "_apply")}
"""JAX functions that index with their arguments."""
_ARITHMETIC = {"add", "sub", "subtract", "mul", "multiply", "pow", "power", "integer_pow", "square", "lshift"}
_ARITHMETIC |= {"left_shift", "shift_left", "sum", "reduce_sum", "prod", "reduce_prod", "cumsum", "cumprod", "matmul"}
_ARITHMETIC |= {"dot", "dot_general", "vdot", "inner", "outer", "tensordot", "einsum", "astype", "asarray", "array"}
_ARITHMETIC |= {"convert_element_type", "int32", "int64", "int16", "int8", "kron", "diff", "trace", "polyval"}
_ARITHMETIC |= {f"r{each}" for each in ("add", "sub", "mul", "pow", "lshift", "matmul")}
"""JAX functions with integer results that may overflow."""


class UserCall(msgspec.Struct, frozen=True):
    """The innermost call in user code that led to an operation."""

    position: Position
    called: str | None
    """The JAX function called there, without ``jnp.`` or underscores; None for a library's, empty if it is unknown."""


def is_checked_for(called: str | None, sort: Sort) -> bool:
    """Return whether the JAX function `called` does what `sort` is about: indexing, or arithmetic of integers."""
    # A probability that a library is given is the user's own.
    return sort == "probability" or called in (_INDEXING if sort == "index" else _ARITHMETIC)


def frames(source: CallStack) -> list[Position]:
    """Return the positions of `source`, innermost first."""
    return [frame for each in source.tracebacks if each is not None for frame in zip(*each.raw_frames(), strict=True)]


def call_of(source: CallStack, is_user_code: Callable[[str], bool]) -> UserCall | None:
    """Return the user's call at `source`, or None without user code."""
    return _call_among(frames(source), is_user_code)


def call_now(is_user_code: Callable[[str], bool]) -> UserCall | None:
    """Return the user's call on the current stack, or None without user code.

    JAX's own tracebacks end where a traced function begins, so they cannot be used here.
    """
    positions: list[Position] = []
    frame = sys._getframe(1) if hasattr(sys, "_getframe") else None
    while frame is not None:
        positions.append((frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return _call_among(positions, is_user_code)


def _call_among(positions: list[Position], is_user_code: Callable[[str], bool]) -> UserCall | None:
    place = next((i for i, (code, _) in enumerate(positions) if is_user_code(code.co_filename)), None)
    return None if place is None else UserCall(positions[place], _called(positions[:place]))


def outermost_name(source: CallStack) -> str:
    """Return the outermost JAX function of `source`, which has no user code."""
    return _called(frames(source)) or ""


def _called(positions: list[Position]) -> str | None:
    for code, _ in reversed(positions):
        name = code.co_qualname.rpartition(".")[2]
        if code.co_filename.startswith(OUR_FILES):
            continue
        if not code.co_filename.startswith(JAX_FILES):
            return None if sources.is_user_file(code.co_filename) else name
        if name not in _PASSING_ON:
            is_update = code.co_qualname.startswith("_IndexUpdateRef.")
            return "getitem" if is_update else name.strip("_").removeprefix("operator_")
    return ""
