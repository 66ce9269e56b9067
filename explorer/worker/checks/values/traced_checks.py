"""`TracedCheck`: checks of one jaxpr, traced and cached; gives the `FailedChecks` of a call that affect outputs."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import msgspec
import numpy as np
from jax.extend.core import ClosedJaxpr

from explorer.worker.checks.values import rules, sites, user_calls
from explorer.worker.checks.values.jaxpr_check import JaxprCheck
from explorer.worker.checks.values.sites import CheckedSite
from explorer.worker.internals import value_checks
from explorer.worker.recording import fetching
from explorer.worker.recording.events import CallStack

MOST_TRIALS = 20
"""Largest number of replacement trials per place; after that, the place counts as irrelevant."""


class FailedChecks(msgspec.Struct, frozen=True):
    """The failed checks of one place in one call."""

    site: CheckedSite
    count: int
    total: int
    numbers: tuple[int, ...]

    @property
    def first_as_float(self) -> float:
        """The first number, which has the bits of a float."""
        return float(np.array(self.numbers[0], np.int32).view(np.float32))


class TracedCheck:
    """The traced check of one jaxpr; `wanted` selects its places."""

    def __init__(self, jaxpr: ClosedJaxpr, arguments: Sequence[Any], wanted: sites.Wanted) -> None:
        # The cached value must not keep the cache's key alive.
        self._jaxpr = weakref.ref(jaxpr)
        self._wanted = wanted
        self._trials: dict[int, int] = {}
        self._matters: set[int] = set()
        self._replaced: Callable[..., Any] | None = None
        self.sites: tuple[CheckedSite, ...] = ()
        if sites.holds_wanted(jaxpr.jaxpr, wanted, CallStack()):
            # Most calls are clean: details are computed only after a failure.
            self._is_wrong = self._records(arguments, brief=True)
            self._what_is_wrong: Callable[..., Any] | None = None

    def look(self, arguments: Sequence[Any]) -> Iterator[FailedChecks]:
        """Yield the failed checks that influence the outputs, in a call with these `arguments`."""
        if not self.sites or not fetching.fetched(self._is_wrong(*arguments)).any():
            return
        if self._what_is_wrong is None:
            self._what_is_wrong = self._records(arguments, brief=False)
        table = fetching.fetched(self._what_is_wrong(*arguments))
        for place in np.flatnonzero(table[:, 0]).tolist():
            if place in self._matters or self._is_found_to_matter(place, arguments):
                count, total, *numbers = table[place].tolist()
                yield FailedChecks(self.sites[place], count, total, tuple(numbers))

    def _records(self, arguments: Sequence[Any], *, brief: bool) -> Callable[..., Any]:
        """Return a function that returns the records of a call, and set the places."""
        seen = JaxprCheck(self._wanted, brief=brief)

        def table(*arguments: Any) -> Any:
            seen.restart()
            seen.run(self._jaxpr(), arguments, CallStack(), to_the_end=False)
            return seen.table()

        made = value_checks.without_dead_code(table, arguments)
        self.sites = tuple(seen.sites)
        return made

    def _is_found_to_matter(self, place: int, arguments: Sequence[Any]) -> bool:
        """Return whether the outputs change when the value at `place` is replaced."""
        trials = self._trials[place] = self._trials.get(place, 0) + 1
        if trials > MOST_TRIALS:
            return False
        if self._replaced is None:
            self._replaced = jax.jit(
                lambda how, given: JaxprCheck(self._wanted, replaced=how).run(self._jaxpr(), given, CallStack())
            )
        plain = self._outputs(place, 0, arguments)
        if any(_differ(plain, self._outputs(place, how, arguments)) for how in (1, -1)):
            self._matters.add(place)
            return True
        return False

    def _outputs(self, place: int, how: int, arguments: Sequence[Any]) -> list[Any]:
        replaced = np.zeros(len(self.sites), np.int32)
        replaced[place] = how
        assert self._replaced is not None
        return [_numbers(each) for each in self._replaced(replaced, list(arguments))]


def _numbers(array: Any) -> Any:
    if jax.numpy.issubdtype(array.dtype, jax.dtypes.prng_key):
        array = jax.random.key_data(array)
    return fetching.fetched(array)


def _differ(some: Sequence[Any], others: Sequence[Any]) -> bool:
    return any(one.tobytes() != other.tobytes() for one, other in zip(some, others, strict=True))


_forms: weakref.WeakKeyDictionary[ClosedJaxpr, dict[str | None, TracedCheck]] = weakref.WeakKeyDictionary()
"""By the JAX function that the user called, if the jaxpr contains no user code."""


def form(
    jaxpr: ClosedJaxpr,
    arguments: Sequence[Any],
    is_wanted: Callable[[user_calls.UserCall, rules.Sort], bool],
    is_user_code: Callable[[str], bool],
    caller: Callable[[], CallStack],
) -> TracedCheck:
    """Return the check of `jaxpr`, which is called from `caller` with `arguments`.

    It covers the places reached through a call in user code that satisfies `is_wanted`. Raises JAX's exception if the
    check cannot be traced.
    """
    forms = _forms.setdefault(jaxpr, {})
    if None in forms:
        return forms[None]
    call = user_calls.call_of(caller(), is_user_code)
    called = (call and call.called) or ""
    if called in forms:
        return forms[called]
    needs_caller = False

    def wanted(source: CallStack, sort: rules.Sort) -> bool:
        nonlocal needs_caller
        own = user_calls.call_of(source, is_user_code)
        if own is not None:
            return is_wanted(own, sort)
        # JAX's own jaxprs are shared by all programs: their caller is consulted when something fails.
        needs_caller = True
        return user_calls.is_checked_for(called or user_calls.outermost_name(source), sort)

    made = TracedCheck(jaxpr, arguments, wanted)
    forms[called if needs_caller else None] = made
    return made
