"""The operation that made the first NaN or infinity that a jitted function returned (`CauseSearch`).

The call is evaluated again after the program has ended, operation by operation, with the arguments that it had.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from explorer.messages import Cause
from explorer.text.text import Text, say, sentences
from explorer.worker.checks.values import not_finite, rules
from explorer.worker.checks.values.findings import value_findings
from explorer.worker.checks.values.not_finite import Origin
from explorer.worker.checks.values.value_log import ValueLog
from explorer.worker.errors import failure as errors
from explorer.worker.internals import value_checks
from explorer.worker.internals.jit.fast_calls import CallWithArguments
from explorer.worker.recording.call_log import MOST_BYTES, BadCall, CallSeries
from explorer.worker.recording.events import CallStack

PATIENCE_S = 30.0
"""Seconds for all causes of a recording."""


def no_cause(_series: CallSeries) -> Cause | None:
    return None


class CauseSearch:
    """The search for the causes of one recording."""

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
        name = _name(jaxpr, new)
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


def _name(jaxpr: Any, place: int) -> str:
    names = getattr(jaxpr.jaxpr.debug_info, "arg_names", None) or ()
    return str(names[place]) if len(names) == len(jaxpr.jaxpr.invars) else f"{place + 1}"


def _unknown(series: CallSeries) -> Text:
    if series.is_too_large:
        return say(
            "The arguments of the call were not kept, so it was not evaluated again: they have more than {limit:,} MB.",
            limit=MOST_BYTES >> 20,
        )
    return say("The arguments of the call were not kept, so it was not evaluated again.")
