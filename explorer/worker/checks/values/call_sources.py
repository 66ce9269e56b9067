"""The source around a call: its text, and hints that a value is intended."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Iterator
from itertools import islice

from explorer.messages import Span
from explorer.worker.checks.values.user_calls import UserCall
from explorer.worker.internals.spans import SpanFinder
from explorer.worker.lineage.call_roles import text_of
from explorer.worker.syntax.code_flow import followed_file
from explorer.worker.syntax.code_tree import MAX_QUOTED, code_file, last_name


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
