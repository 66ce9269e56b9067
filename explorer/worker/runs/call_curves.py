"""The curves of a recorded program: numbers that its functions returned over their calls, or that it collects."""

from __future__ import annotations

import ast
import functools
import linecache
import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import msgspec
import numpy as np
import numpy.typing as npt
from jax import numpy as jnp
from numpy import inexact

from explorer.messages import CALLS, COLLECTED, Array, Calls, Cause, Curve, Iterations, Span
from explorer.worker.code.first_calls import CallPlace
from explorer.worker.internals import dispatch
from explorer.worker.internals.spans import SpanFinder
from explorer.worker.pictures import loop_curves
from explorer.worker.pictures.arrays import host, shown
from explorer.worker.program.equations import type_text
from explorer.worker.recording.call_log import CallLog, CallSeries
from explorer.worker.runs.call_causes import no_cause
from explorer.worker.syntax.code_tree import readable

MOST_CALLS = 20
"""The most places whose curves are returned."""
_LOSSES = ("loss", "elbo", "nll", "mse", "cost")
MOST_POINTS = 500
_INDEX = re.compile(r"\[(\d+)\]")


def curves(
    log: CallLog | None,
    is_user_code: Callable[[str], bool],
    patience_s: float = math.inf,
    cause: Callable[[CallSeries], Cause | None] = no_cause,
    lists: Sequence[tuple[CallPlace, Sequence[Any]]] = (),
) -> tuple[Calls, ...]:
    """Return the curves of the numbers in `lists`, then of all that was called more than once, the most calls first.

    Those whose outputs are still being computed after `patience_s` seconds are left out. `cause` returns the origin of
    NaN and infinity.
    """
    found = log.series(patience_s) if log is not None else []
    several = sorted((each for each in found if each.length > 1), key=lambda each: -each.length)
    spans = SpanFinder(is_user_code)
    made = list(_collected(lists))
    for series in several:
        if len(made) < MOST_CALLS and (calls := _calls(series, spans)) is not None:
            made.append(msgspec.structs.replace(calls, cause=cause(series)))
    return tuple(sorted(made, key=lambda calls: not _is_loss(calls.iterations.curves[0].name)))


def _calls(series: CallSeries, spans: SpanFinder) -> Calls | None:
    path = tuple(span for position in series.caller if (span := spans.span(*position)) is not None)[::-1]
    pairs, own = list(zip(series.outputs, series.function.outputs, strict=True)), series.function.own
    pairs = [each for each in pairs if each[1][0].startswith(own)] or pairs
    # Losses stand above counters, and above single parameters.
    pairs.sort(key=lambda pair: not jnp.issubdtype(pair[1][1].dtype, inexact))
    made = []
    for output, (result, aval) in pairs:
        if not output.is_lost:
            summaries = [loop_curves.summary(shown(host(each))) for each in series.points(output)]
            returned = f"result{result.removeprefix(own)}"
            name = _name(series.caller[0][0].co_filename, path[-1], returned) if path else returned
            columns = loop_curves.columns(summaries)
            made.append(
                Curve("output", name, type_text(aval), -1, 1, **columns, first_not_finite=output.first_not_finite)
            )
    if not path or not made:
        return None
    made.sort(key=lambda each: (not _is_loss(each.name), each.name.endswith("]")))
    first = min((each.first_not_finite for each in made if each.first_not_finite >= 0), default=-1)
    numbers = Array.of(series.numbers, int)
    iterations = Iterations(CALLS, series.length, 0, numbers, tuple(made), first_not_finite=first)
    return Calls(series.function.name, path, iterations)


def _is_loss(name: str) -> bool:
    return any(word in name.lower() for word in _LOSSES)


def _collected(lists: Sequence[tuple[CallPlace, Sequence[Any]]]) -> Iterator[Calls]:
    """Yield the numbers of each loop that the script appends to its lists: those of lists of equal length together."""
    rows: dict[int, list[tuple[str, CallPlace, npt.NDArray[Any]]]] = {}
    for at, values in lists:
        if len(values) > 1 and (numbers := _numbers(values)) is not None:
            rows.setdefault(len(numbers), []).append((at.written.removesuffix(".append"), at, numbers))
    for length, found in rows.items():
        stride = -(-length // MOST_POINTS)
        places = np.minimum(np.arange(0, length, stride) + stride, length) - 1
        curves = []
        for name, _, all_numbers in sorted(found, key=lambda each: not _is_loss(each[0])):
            bad = [*np.flatnonzero(~np.isfinite(all_numbers)), -1]
            columns = loop_curves.columns([loop_curves.summary(number) for number in all_numbers[places]])
            curves.append(Curve("output", name, "", -1, 1, **columns, first_not_finite=int(bad[0])))
        first = min((each.first_not_finite for each in curves if each.first_not_finite >= 0), default=-1)
        first_at, *_, last_at = sorted((at for _, at, _ in (found[0], *found)), key=lambda at: at.line)
        path = (Span(first_at.line, first_at.column, last_at.line, last_at.column + 1),)
        points = Array.of(places, int)
        yield Calls("", path, Iterations(COLLECTED, length, 0, points, tuple(curves), first_not_finite=first))


def _numbers(values: Sequence[Any]) -> npt.NDArray[Any] | None:
    """Return `values` as float64, None unless each is one number."""
    if not all(isinstance(each, int | float | np.number | np.bool_ | jax.Array | np.ndarray) for each in values):
        return None
    try:
        with dispatch.undispatched():
            read = jax.device_get([each for each in values if getattr(each, "size", 1) == 1])
            if len(read) < len(values):
                return None
            return np.array([np.asarray(each, float).reshape(()) for each in read])
    except Exception:  # an array that was deleted, or of keys
        return None


def _name(file: str, call: Span, result: str) -> str:
    """Return the name of an output at the path `result` as the line of the `call` gives it, or as ``output[1]``."""
    rest = result.removeprefix("result")
    target = _target("".join(linecache.getlines(file)), call)
    while isinstance(target, ast.Tuple | ast.List) and (index := _INDEX.match(rest)):
        number = int(index[1])
        if any(isinstance(each, ast.Starred) for each in target.elts[: number + 1]) or number >= len(target.elts):
            return f"output{result.removeprefix('result')}"
        target, rest = target.elts[number], rest[index.end() :]
    if isinstance(target, ast.Name | ast.Attribute | ast.Subscript):
        return f"{ast.unparse(target)}{rest}"
    return f"output{result.removeprefix('result')}"


@functools.lru_cache(256)
def _target(source: str, call: Span) -> ast.expr | None:
    """Return the target of the assignment in `source` whose value is the `call`, None without one."""
    code = readable(source)
    for each in code.covering(call) if code is not None else ():
        if isinstance(each, ast.Assign | ast.AnnAssign | ast.NamedExpr) and each.value is not None and code is not None:
            is_value = code.span(each.value) == msgspec.structs.replace(call, file="")
            return (each.targets[0] if isinstance(each, ast.Assign) else each.target) if is_value else None
    return None
