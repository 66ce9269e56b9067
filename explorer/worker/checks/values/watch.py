"""Checks the values of a run into a `ValueLog` (`watched`): every operation on concrete arrays, after it has run."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, jaxprs_in_params

from explorer.text.text import Text
from explorer.worker.checks.values import not_finite, records, rules, sites, traced_checks
from explorer.worker.checks.values.not_finite import Origin
from explorer.worker.checks.values.sites import CheckedSite
from explorer.worker.checks.values.traced_checks import FailedChecks
from explorer.worker.checks.values.value_log import ValueLog
from explorer.worker.internals import dispatch, sources, value_checks
from explorer.worker.internals.jit import fast_calls
from explorer.worker.recording import fetching, recorder
from explorer.worker.recording.events import CallStack

MOST_SEARCHES = 5
"""Number of searches for the origin of NaN per jaxpr; after that, the last origin is reused."""


@contextmanager
def watched(is_user_code: Callable[[str], bool], keys: dispatch.OperationHook | None = None) -> Iterator[ValueLog]:
    """Check the values of the block, which stay the same, bit for bit; `keys`, if given, records its keys, too."""
    recorder.install()
    log = ValueLog(is_user_code)
    with value_checks.listening(log), dispatch.dispatched_to(ValueHook(log, keys)):
        yield log
        # Callbacks on the host may compute.
        jax.effects_barrier()


class ValueHook:
    """Executor of a program's operations that checks operands and results."""

    is_for_all = True

    def __init__(self, log: ValueLog, keys: dispatch.OperationHook | None = None) -> None:
        self._log = log
        self._keys = keys
        self._searches: weakref.WeakKeyDictionary[ClosedJaxpr, list[Origin | None]] = weakref.WeakKeyDictionary()

    def note(self, words: Text) -> None:
        """Forward a note on the recording of keys."""
        if self._keys is not None:
            self._keys.note(words)

    def __call__(
        self, primitive: Any, implementation: Callable[..., Any], arguments: tuple[Any, ...], parameters: dict[str, Any]
    ) -> Any:
        values = dispatch.concrete(arguments)
        if primitive.name != "jit" and any(True for _ in jaxprs_in_params(parameters)):
            # Its jaxpr runs in pieces, or as a jit; both pass here again.
            return implementation(*values, **parameters)

        def carry_out() -> Any:
            if self._keys is not None:
                return self._keys(primitive, implementation, tuple(values), parameters)
            with dispatch.undispatched():
                return implementation(*values, **parameters)

        if dispatch.is_called_back():
            # XLA waits for the callback, which must not wait for XLA.
            return carry_out()
        if primitive.name == "jit":
            return self._jit(carry_out, values, parameters)
        outputs = carry_out()
        given = outputs if primitive.multiple_results else [outputs]
        self._log.quietly(self._single, primitive.name, parameters, values, given, _here)
        return outputs

    def _jit(self, carry_out: Callable[[], Any], values: list[Any], parameters: dict[str, Any]) -> Any:
        jaxpr = parameters["jaxpr"]
        lone = self._log.guard.call_or(_lone_equation, jaxpr, instead=None)
        before = [*values]
        if lone is None:
            self._log.quietly(self._look, jaxpr, values)
            self._log.quietly(self._draw, "jit", parameters, values)
        if any(parameters.get("donated_invars", ())):
            self._log.quietly(_copy, before)
        outputs = carry_out()
        if lone is None:
            self._log.quietly(self._follow, outputs, before, lambda: self._searched_origin(jaxpr, before))
        else:
            operands = [before[each] if isinstance(each, int) else each.val for each in lone.operands]
            single = lone.equation
            self._log.quietly(self._single, single.primitive.name, single.params, operands, outputs, lone.source)
        return outputs

    def _look(self, jaxpr: ClosedJaxpr, values: list[Any]) -> None:
        if not sites.has_sites(jaxpr.jaxpr):
            return
        if not value_checks.may_run_again(jaxpr.jaxpr):
            self._log.leave_out()
            return
        form = traced_checks.form(jaxpr, values, self._log.is_wanted, self._log.is_user_code, _here)
        for seen in form.look(values):
            self._log.add_seen(seen, _here())

    def _draw(self, name: str, parameters: dict[str, Any], operands: Sequence[Any]) -> None:
        """Look at the probabilities of a draw that is carried out at once."""
        operation = sites.draw(name, parameters, _here)
        if operation:
            given = np.asarray(fetching.fetched(sites.probabilities(operands)))
            wrong = rules.improbable(operation, given, np)
            if wrong.any():
                record = records.of_numbers([given], wrong, wrong, np)
                self._log.add_seen(_seen(operation, None, given, record), _here())

    def _single(
        self,
        name: str,
        parameters: dict[str, Any],
        operands: list[Any],
        outputs: Sequence[Any],
        here: Callable[[], CallStack],
    ) -> None:
        """Check one operation and its `outputs`."""
        self._draw(name, parameters, operands)
        if rules.is_indexing(name):
            limits = rules.bounds(name, parameters, [np.shape(each) for each in operands])
            rows = np.asarray(rules.indices(name, [operands[0], *map(fetching.fetched, operands[1:])], np))
            beyond = rules.outside(rows, limits)
            if beyond.any():
                record = records.of_indices(rows, beyond, np)
                self._log.add_seen(_seen(name, limits, outputs[0], record), here())
        elif operands and outputs and rules.may_overflow(name, *map(records.dtype_of, (operands[0], outputs[0]))):
            arrays = [np.asarray(fetching.fetched(each)) for each in operands]
            result = fetching.fetched(outputs[0])
            with np.errstate(all="ignore"):
                wrong = rules.overflowed(name, arrays, parameters, result, np)
            if wrong.any():
                record = records.of_numbers(arrays, result, wrong, np)
                seen = _seen(name, None, outputs[0], record, parameters.get("y", 0))
                self._log.add_seen(seen, here())
        if name not in rules.MOVING or self._log.is_following:
            self._follow(outputs, operands, lambda: not_finite.origin(name, parameters, operands, outputs, here()))

    def _follow(self, outputs: Sequence[Any], operands: Sequence[Any], origin: Callable[[], Origin | None]) -> None:
        """Track the non-finite `outputs`, with the trouble of an operand, else with their `origin`."""
        if self._log.is_following:
            self._log.is_used(operands)
        bad = [each for each in outputs if not rules.is_finite(each)]
        if not bad:
            return
        known = next((trouble for each in operands if (trouble := self._log.trouble_of(each)) is not None), None)
        if known is not None:
            for each in bad:
                self._log.follow(each, known)
            return
        found = origin()
        if found is not None:
            self._log.add_origin(found, bad)

    def _searched_origin(self, jaxpr: ClosedJaxpr, values: Sequence[Any]) -> Origin | None:
        """Return the origin of NaN or inf in the outputs of `jaxpr` for these `values`; None if it is not inside."""
        earlier = self._searches.setdefault(jaxpr, [])
        if not value_checks.may_run_again(jaxpr.jaxpr):
            self._log.leave_out()
            return None
        if len(earlier) >= MOST_SEARCHES:
            return next((each for each in earlier if each is not None), None)
        earlier.append(not_finite.NotFiniteSearch().run(jaxpr, values, CallStack()))
        return earlier[-1].inside(_here()) if earlier[-1] is not None else None


class _Lone(NamedTuple):
    """The only equation of a jaxpr; JAX wraps most single operations that way."""

    equation: JaxprEqn
    operands: list[Any]
    """Indices of the jaxpr's arguments, and literals."""

    def source(self) -> CallStack:
        """Return the source of the equation in the current call."""
        return sites.source_of(self.equation, _here())


def _lone_equation(closed: ClosedJaxpr) -> _Lone | None:
    known = _lone.get(closed, closed)
    if known is closed:
        _lone[closed] = known = _found_lone(closed.jaxpr)
    found: _Lone | None = known
    return found


def _found_lone(jaxpr: Jaxpr) -> _Lone | None:
    if len(jaxpr.eqns) != 1 or jaxpr.constvars:
        return None
    equation = jaxpr.eqns[0]
    if any(True for _ in jaxprs_in_params(equation.params)) or jaxpr.outvars != equation.outvars:
        return None
    operands = [each if isinstance(each, Literal) else jaxpr.invars.index(each) for each in equation.invars]
    return _Lone(equation, operands)


_lone: weakref.WeakKeyDictionary[ClosedJaxpr, Any] = weakref.WeakKeyDictionary()


def _seen(name: str, limits: rules.Bounds | None, output: Any, record: Any, exponent: int = 0) -> FailedChecks:
    site = CheckedSite(name, CallStack(), limits, output.dtype, exponent)
    count, total, *numbers = np.asarray(record).tolist()
    return FailedChecks(site, count, total, tuple(numbers))


def _copy(values: list[Any]) -> None:
    """Replace the arrays among `values` by copies, before the program donates them.

    Buffer donation: https://docs.jax.dev/en/latest/faq.html#buffer-donation.
    """
    places = [place for place, each in enumerate(values) if isinstance(each, jax.Array)]
    for place, copied in zip(places, fast_calls.copied([values[place] for place in places]), strict=True):
        values[place] = copied


def _here() -> CallStack:
    return CallStack(*sources.current_source())
