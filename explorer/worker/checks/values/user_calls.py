"""The innermost call in user code behind an operation: the JAX function called, its text, and hints of intent."""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Callable, Iterator
from itertools import islice

import msgspec

from explorer import OUR_FILES
from explorer.messages import Span
from explorer.worker.checks.values.rules import Sort
from explorer.worker.internals import sources
from explorer.worker.internals.sources import JAX_FILES
from explorer.worker.internals.spans import Position, SpanFinder
from explorer.worker.lineage.call_roles import text_of
from explorer.worker.recording.events import CallStack
from explorer.worker.syntax.code_flow import followed_file
from explorer.worker.syntax.code_tree import MAX_QUOTED, code_file, last_name

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


# -- the code around a call ------------------------------------------------------------------------------------------


class CallSources:
    """The sources of calls in user code."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._spans = SpanFinder(is_user_code)
        self._known: dict[tuple[int, int], set[str]] = {}
        """By (id of the code object, which ``SpanFinder`` keeps alive, instruction)."""

    def span(self, call: UserCall) -> Span | None:
        """Return the span of `call`."""
        return self._spans.span(*call.position)

    def written(self, call: UserCall) -> str:
        """Return the source text of `call`, of several lines in one; of a long one ``f(...)``, else an empty text.

        Of a method called several lines below its object it is ``.set(1.0)``.
        """
        span, filename = self.span(call), call.position[0].co_filename
        if span is None:
            return ""
        dot = linecache.getline(filename, span.line)[: span.column].endswith(".") * "."
        text = dot + " ".join(text_of(filename, span).split())
        node = self._node(call) if len(text) > MAX_QUOTED else None
        text = f"{ast.unparse(node.func)}(...)" if isinstance(node, ast.Call) else text
        return text if len(text) <= MAX_QUOTED else ""

    def is_ratio(self, call: UserCall) -> bool:
        """Return whether ``exp`` computes the probability, as in Metropolis: a ratio above 1 counts as 1 there."""
        node, code = self._node(call), followed_file(call.position[0].co_filename)
        parts = code.behind(node) if node is not None and code is not None else ()
        return any(isinstance(each, ast.Call) and last_name(each.func) == "exp" for each in parts)

    def intent_hints(self, call: UserCall) -> set[str]:
        """Return hints in the statement around `call` that a value is intended.

        mode: it decides about indices beyond the end; where: it selects from results by a condition; bits: it works on
        bits, like a hash, which wraps around on purpose.
        """
        place = (id(call.position[0]), call.position[1])
        if place not in self._known:
            self._known[place] = {hint for node in self._statement(call) for hint in _hints_of(node)}
        return self._known[place]

    def _node(self, call: UserCall) -> ast.AST | None:
        span, code = self.span(call), code_file(call.position[0].co_filename)
        return code.at(span) if code is not None and span is not None else None

    def _statement(self, call: UserCall) -> Iterator[ast.AST]:
        """Yield all nodes of the innermost statement around `call`, unless it is a block statement."""
        span, filename = self.span(call), call.position[0].co_filename
        code = code_file(filename)
        if span is None or code is None:
            return
        whole: ast.AST | None = None
        for node in (each for inner in islice(code.covering(span), 1) for each in (inner, *code.around(inner))):
            if hasattr(node, "body") and isinstance(node, ast.stmt | ast.Module):
                break
            whole = node
        yield from ast.walk(whole) if whole is not None else ()


def _hints_of(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call):
        if any(each.arg == "mode" for each in node.keywords):
            yield "mode"
        if last_name(node.func) in ("where", "select", "select_n"):
            yield "where"
    if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.BitAnd | ast.BitXor | ast.RShift):
        yield "bits"
