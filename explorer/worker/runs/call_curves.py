"""The curves of a recorded program over its calls, and the operation that made their first NaN (`CauseSearch`)."""

from __future__ import annotations

import ast
import functools
import linecache
import math
import re
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import msgspec
import numpy as np
import numpy.typing as npt
from jax import numpy as jnp
from numpy import inexact

from explorer.messages import CALLS, COLLECTED, Array, Calls, Cause, Curve, Iterations, Span
from explorer.text.text import Text, say, sentences
from explorer.worker.checks.values import not_finite, rules
from explorer.worker.checks.values.findings import value_findings
from explorer.worker.checks.values.not_finite import Origin
from explorer.worker.checks.values.value_log import ValueLog
from explorer.worker.code.first_calls import CallPlace
from explorer.worker.errors import failure as errors
from explorer.worker.internals import dispatch, value_checks
from explorer.worker.internals.jit.fast_calls import CallWithArguments
from explorer.worker.internals.spans import SpanFinder
from explorer.worker.pictures import loop_curves
from explorer.worker.pictures.arrays import host, shown
from explorer.worker.program.equations import type_text
from explorer.worker.recording.call_log import MOST_BYTES, BadCall, CallLog, CallSeries
from explorer.worker.recording.events import CallStack
from explorer.worker.syntax.code_tree import readable

MOST_CALLS = 20
"""The most places whose curves are returned."""
_LOSSES = ("loss", "elbo", "nll", "mse", "cost")
MOST_POINTS = 500
_INDEX = re.compile(r"\[(\d+)\]")


def no_cause(_series: CallSeries) -> Cause | None:
    return None


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


PATIENCE_S = 30.0
"""Seconds for all causes of a recording."""


class CauseSearch:
    """The search for the causes of one recording.

    A call is evaluated again after the program has ended, operation by operation, with the arguments that it had.
    """

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._is_user_code = is_user_code
        self._end_s = time.monotonic() + PATIENCE_S

    def cause(self, series: CallSeries) -> Cause | None:
        """Return the cause of NaN and infinity in the calls of `series`; None if all their numbers are finite."""
        bad = series.bad
        if bad is None:
            return None
        number = series.outputs[bad.output].first_not_finite
        try:
            with jax.debug_nans(False), jax.debug_infs(False):
                return self._cause(series, bad, number)
        except TimeoutError:
            words = say("The call was evaluated again for {seconds:.0f} s, then the search ended.", seconds=PATIENCE_S)
            return Cause(number, words)
        except BaseException as error:
            # Also of Ctrl-C: the recording must not be lost for it.
            what = errors.failure(error, self._is_user_code).words
            return Cause(number, say("The call could not be evaluated again: {what}", what=what))

    def _cause(self, series: CallSeries, bad: BadCall, number: int) -> Cause:
        if bad.call is None:
            return Cause(number, _unknown(series))
        if jax.process_count() > 1:
            # One process would wait for the others.
            return Cause(number, say("The call was not evaluated again, because the job has several processes."))
        jaxpr, arguments = bad.call.program()
        if not value_checks.may_run_again(jaxpr.jaxpr):
            return Cause(number, say("The function has effects, so the call was not evaluated again."))
        before = bad.before.program()[1] if bad.before is not None else ()
        new = _newly_bad(arguments, before)
        if new is None:
            outputs = self._values(jaxpr, arguments)
            origin = outputs[series.function.places[bad.output]].origin
            return self._cause_of(number, origin)
        name = _argument_name(jaxpr, new)
        passed = say("The call got NaN or infinity in its argument {name}.", name=name)
        origin = self._returned(bad.before, arguments[new])
        if origin is None:
            return Cause(number, passed)
        found = self._cause_of(number - 1, origin)
        first = say(
            "The call got NaN or infinity in its argument {name}, which call {number:,} had returned.",
            name=name,
            number=number,
        )
        return Cause(found.call, sentences(first, found.sentence), found.span)

    def _values(self, jaxpr: Any, arguments: Sequence[Any]) -> list[not_finite.TrackedValue]:
        return not_finite.NotFiniteSearch(self._end_s).values(jaxpr, arguments, CallStack())

    def _returned(self, call: CallWithArguments | None, argument: Any) -> Origin | None:
        """Return the origin of the output of `call` that has NaN and infinity where `argument` has; None without."""
        if call is None:
            return None
        jaxpr, arguments = call.program()
        if not value_checks.may_run_again(jaxpr.jaxpr):
            return None
        made = (each for each in self._values(jaxpr, arguments) if _are_bad_alike(each.array, argument))
        return next((each.origin for each in made if each.origin is not None), None)

    def _cause_of(self, number: int, origin: Origin | None) -> Cause:
        """Return the cause in words, as the check of values has them."""
        log = ValueLog(self._is_user_code)
        if origin is not None:
            log.add_origin(origin, ())
        for trouble in log.troubles:
            trouble.reaches = True
            (finding,) = value_findings(log)
            return Cause(number, finding.message, finding.spans[0])
        if origin is not None:
            return Cause(number, say("{operation} makes it, outside of your code.", operation=f"`{origin.operation}`"))
        return Cause(
            number, say("Evaluated again, operation by operation, the call returned numbers that were all finite.")
        )


def _newly_bad(arguments: Sequence[Any], before: Sequence[Any]) -> int | None:
    """Return the first argument with NaN, or with infinity that the call `before` did not get; None without."""
    for place, each in enumerate(arguments):
        was = before[place] if len(before) == len(arguments) else None
        if not _is_finite(each) and (np.isnan(_host(each)).any() or was is None or not _are_bad_alike(was, each)):
            return place
    return None


def _are_bad_alike(one: Any, other: Any) -> bool:
    """Return whether two arrays are of one type, and not finite in the same elements, of which there are some."""
    if (np.shape(one), jax.numpy.result_type(one)) != (np.shape(other), jax.numpy.result_type(other)):
        return False
    if _is_finite(one) or _is_finite(other):
        return False
    return bool((np.isfinite(_host(one)) == np.isfinite(_host(other))).all())


def _is_finite(value: Any) -> bool:
    """Return whether an array or a number has neither NaN nor infinity."""
    return rules.is_finite(value if hasattr(value, "dtype") else np.asarray(value))


def _host(array: Any) -> Any:
    found = np.asarray(array)
    return found if found.dtype.kind in "fc" else found.astype(np.float32)


def _argument_name(jaxpr: Any, place: int) -> str:
    names = getattr(jaxpr.jaxpr.debug_info, "arg_names", None) or ()
    return str(names[place]) if len(names) == len(jaxpr.jaxpr.invars) else f"{place + 1}"


def _unknown(series: CallSeries) -> Text:
    if series.is_too_large:
        return say(
            "The arguments of the call were not kept, so it was not evaluated again: they have more than {limit:,} MB.",
            limit=MOST_BYTES >> 20,
        )
    return say("The arguments of the call were not kept, so it was not evaluated again.")
