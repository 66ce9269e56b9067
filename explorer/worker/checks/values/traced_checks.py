"""Traced and cached checks of a program's jaxprs, and their results for one call."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr

from explorer.worker.checks.values import sites, user_calls
from explorer.worker.checks.values.jaxpr_check import JaxprCheck
from explorer.worker.checks.values.sites import Site
from explorer.worker.internals import value_checks
from explorer.worker.recording import fetching
from explorer.worker.recording.events import CallStack

MOST_TRIALS = 20
"""How often what a place gives is replaced to see whether it matters; it is taken not to matter after that."""


@dataclass(frozen=True)
class Seen:
    """The failed checks at one place in one call."""

    site: Site
    count: int
    total: int
    numbers: tuple[int, ...]


class Form:
    """The traced check of one jaxpr. `wanted` selects its places."""

    def __init__(self, jaxpr: ClosedJaxpr, arguments: Sequence[Any], wanted: sites.Wanted) -> None:
        # A strong reference from the cached value would keep the cache's key alive for ever.
        self._jaxpr = weakref.ref(jaxpr)
        self._wanted = wanted
        self._trials: dict[int, int] = {}
        self._matters: set[int] = set()
        self._replaced: Callable[..., Any] | None = None
        self.sites: tuple[Site, ...] = ()
        if sites.holds_wanted(jaxpr.jaxpr, wanted, CallStack()):
            # Most looks find nothing: what is wrong is only asked where something is.
            self._is_wrong = self._records(arguments, brief=True)
            self._what_is_wrong: Callable[..., Any] | None = None

    def look(self, arguments: Sequence[Any]) -> Iterator[Seen]:
        """Yield what goes wrong, and matters to the outputs, in a call with these `arguments`."""
        if not self.sites or not fetching.fetched(self._is_wrong(*arguments)).any():
            return
        if self._what_is_wrong is None:
            self._what_is_wrong = self._records(arguments, brief=False)
        table = fetching.fetched(self._what_is_wrong(*arguments))
        for place in np.flatnonzero(table[:, 0]).tolist():
            if place in self._matters or self._is_found_to_matter(place, arguments):
                count, total, *numbers = table[place].tolist()
                yield Seen(self.sites[place], count, total, tuple(numbers))

    def _records(self, arguments: Sequence[Any], *, brief: bool) -> Callable[..., Any]:
        """Return a function that gives the records of a call. It knows the places."""
        seen = JaxprCheck(self._wanted, brief=brief)

        def table(*arguments: Any) -> Any:
            seen.restart()
            seen.run(self._jaxpr(), arguments, CallStack(), to_the_end=False)
            return seen.table()

        made = value_checks.without_dead_code(table, arguments)
        self.sites = tuple(seen.sites)
        return made

    def _is_found_to_matter(self, place: int, arguments: Sequence[Any]) -> bool:
        """Return whether the outputs are others where what `place` gives is another."""
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


_forms: weakref.WeakKeyDictionary[ClosedJaxpr, dict[str | None, Form]] = weakref.WeakKeyDictionary()
"""By the function of JAX that the user called, where their own code is no part of the jaxpr."""


def form(
    jaxpr: ClosedJaxpr,
    arguments: Sequence[Any],
    is_wanted: Callable[[user_calls.UserCall, bool], bool],
    is_user_code: Callable[[str], bool],
    caller: Callable[[], CallStack],
) -> Form:
    """Return the look into `jaxpr`, which is called from `caller` with `arguments`.

    Only those places are checked that a call in user code leads to which `is_wanted`. Raises whatever JAX
    raises where it cannot be traced.
    """
    forms = _forms.setdefault(jaxpr, {})
    if None in forms:
        return forms[None]
    call = user_calls.call_of(caller(), is_user_code)
    called = call.called if call is not None else ""
    if called in forms:
        return forms[called]
    needs_caller = False

    def wanted(source: CallStack, indexes: bool) -> bool:
        nonlocal needs_caller
        own = user_calls.call_of(source, is_user_code)
        if own is not None:
            return is_wanted(own, indexes)
        # Of JAX's own jaxprs, which every program shares: what a call of them says is asked when something is seen.
        needs_caller = True
        return user_calls.does(called or user_calls.outermost_name(source), indexes)

    made = Form(jaxpr, arguments, wanted)
    forms[called if needs_caller else None] = made
    return made
