"""The log of bad values in a run, one entry per place in user code; and of dtypes that JAX refused or narrowed."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

import jax
import msgspec
import numpy as np

from explorer.messages import Span
from explorer.worker.checks.values.not_finite import Origin
from explorer.worker.checks.values.rules import Sort
from explorer.worker.checks.values.traced_checks import FailedChecks
from explorer.worker.checks.values.user_calls import CallSources, UserCall, call_now, call_of, is_checked_for
from explorer.worker.internals import dispatch, sources
from explorer.worker.internals.guard import Guard
from explorer.worker.recording import fetching
from explorer.worker.recording.events import CallStack


class RefusedDtype(msgspec.Struct, frozen=True):
    """A dtype that was requested and refused."""

    asked: str
    given: str


class NarrowedValue(msgspec.Struct, frozen=True):
    """NumPy values that JAX converted to a narrower dtype with loss."""

    value: Any
    """The first changed value."""
    became: Any
    dtype: str
    count: int
    total: int


_TAKING_SEEDS = ("key", "PRNGKey", "fold_in")

Fact = FailedChecks | Origin | RefusedDtype | NarrowedValue


class BadValue(msgspec.Struct):
    """One kind of bad value at one place."""

    span: Span
    text: str
    """The source text there."""
    fact: Fact
    """Its first occurrence."""
    times: int
    """Number of dispatched operations or jit calls in which it occurred."""
    transforms: frozenset[str]
    """JAX's transformations and the named scopes around it."""
    is_chosen: bool
    """Whether the statement selects from its results by a condition, as with ``where``."""
    reaches: bool = False
    """For NaN and inf: whether it reaches an output of the program."""


class _Followed(msgspec.Struct):
    """A tracked array with NaN or inf."""

    array: weakref.ref[Any]
    trouble: BadValue
    is_of_library: bool = False
    """Whether a function of a library made it."""
    is_used: bool = False


class _OfThread(threading.local):
    ours = False


class ValueLog:
    """The troubles of one run, in order. It also tracks non-finite arrays and their causes."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self.is_user_code = is_user_code
        self.guard = Guard()
        """Guard of the checks: their first exception ends them."""
        self._left_out = False
        self._sources = CallSources(is_user_code)
        self._troubles: dict[tuple[object, ...], BadValue] = {}
        self._followed: dict[int, _Followed] = {}
        """By id of the array."""
        self._thread = _OfThread()

    @property
    def troubles(self) -> list[BadValue]:
        """All troubles so far."""
        return list(self._troubles.values())

    @property
    def saw_all(self) -> bool:
        """Whether everything could be checked so far."""
        return not (self._left_out or self.guard.error)

    def leave_out(self) -> None:
        """Record that something cannot be checked."""
        self._left_out = True

    def quietly(self, check: Callable[..., None], *arguments: Any) -> None:
        """Call `check` through the guard, and ignore its own reads and computations."""
        before, self._thread.ours = self._thread.ours, True
        try:
            with dispatch.undispatched():
                self.guard(_unless_lost, check, *arguments)
        finally:
            self._thread.ours = before

    # -- adding -------------------------------------------------------------------------------

    def is_wanted(self, call: UserCall, sort: Sort) -> bool:
        """Return whether an operation under `call` is the user's own, and not meant to overflow or leave the bounds."""
        hint = "mode" if sort == "index" else "bits"
        return is_checked_for(call.called, sort) and hint not in self._sources.intent_hints(call)

    def add_seen(self, seen: FailedChecks, caller: CallStack) -> None:
        """Add a failed check of a call from `caller`."""
        source, sort = seen.site.source.inside(caller), seen.site.sort
        call = call_of(source, self.is_user_code)
        if call is None or not self.is_wanted(call, sort):
            return
        if sort == "probability" and seen.first_as_float > 1 and self._sources.is_ratio(call):
            return
        # Values without influence on a jaxpr's outputs were dropped; for a single operation that is unknown.
        is_single = call_of(seen.site.source, self.is_user_code) is None
        if not (is_single and "where" in self._sources.intent_hints(call)):
            self._add(call, source, seen, sort)

    def add_origin(self, origin: Origin, arrays: Iterable[Any]) -> None:
        """Add the origin of NaN or inf in `arrays`."""
        call = call_of(origin.source, self.is_user_code)
        if call is None or (origin.filled and "mode" in self._sources.intent_hints(call)):
            return
        trouble = self._add(call, origin.source, origin, "not finite")
        for array in arrays:
            if trouble is not None:
                self.follow(array, trouble, is_of_library=call.called is None)

    def _add(self, call: UserCall, source: CallStack, fact: Fact, kind: str) -> BadValue | None:
        span = self._sources.span(call)
        if span is None:
            return None
        transforms = frozenset((*sources.transforms(source.stack), *sources.scopes(source.stack)))
        known = self._troubles.get((kind, span))
        if known is None:
            text = self._sources.written(call) or call.called or ""
            is_chosen = "where" in self._sources.intent_hints(call)
            known = self._troubles[kind, span] = BadValue(span, text, fact, 0, transforms, is_chosen)
        if known.times == 0 or transforms.isdisjoint(("transpose", "rematted_computation")):
            # Not counted again in the backward pass.
            known.times += 1
        return known

    # -- NaN and inf --------------------------------------------------------------------------

    @property
    def is_following(self) -> bool:
        """Whether any non-finite array is tracked."""
        return bool(self._followed)

    def follow(self, array: Any, trouble: BadValue, *, is_of_library: bool = False) -> None:
        """Track `array`, which is not finite because of `trouble`."""
        number = id(array)
        alive = weakref.ref(array, lambda _: self._followed.pop(number, None))
        self._followed[number] = _Followed(alive, trouble, is_of_library)

    def trouble_of(self, array: Any) -> BadValue | None:
        """Return the cause of the non-finite `array`; None if it is finite or the cause is unknown."""
        known = self._followed.get(id(array))
        return known.trouble if known is not None and known.array() is array else None

    def is_used(self, operands: Iterable[Any]) -> None:
        """Record that `operands` were used: from now on, their results decide whether the trouble reaches an output."""
        for each in operands:
            known = self._followed.get(id(each))
            if known is not None:
                known.is_used = True

    def comes_out(self, outputs: Any) -> None:
        """Record that the arrays in the pytree `outputs` are the program's return value."""
        for each in jax.tree.leaves(outputs):
            self.on_read(each)

    def finish(self, named: Mapping[str, Any]) -> None:
        """Record that arrays that are alive and were never used are results, except for `_` of the `named` values."""
        dropped, names = set(map(id, jax.tree.leaves(named.get("_")))), set(map(id, named.values()))
        for number, each in list(self._followed.items()):
            # An array without a name may be a library's own, like the factor that a solver keeps of its matrix.
            is_result = number not in dropped and (number in names or not each.is_of_library)
            each.trouble.reaches |= is_result and not each.is_used

    # -- events of JAX ------------------------------------------------------------------------

    def on_read(self, read: Any) -> None:
        """Record that Python reads the values of the array `read`."""
        trouble = self.trouble_of(read)
        if trouble is not None and not self._thread.ours:
            trouble.reaches = True

    def on_dtype(self, asked: str, given: str) -> None:
        """Record that the program requested the dtype `asked` and received `given`."""
        if not self._thread.ours:
            self.guard(self._refused, asked, given)

    def _refused(self, asked: str, given: str) -> None:
        call = call_now(self.is_user_code)
        if call is not None and call.called:
            self._add(call, CallStack(), RefusedDtype(asked, given), "dtype")

    def on_narrowed(self, values: Any, given: np.dtype[Any]) -> None:
        """Add NumPy `values` if some change their value in the dtype `given`."""
        if not self._thread.ours:
            # As a base-class array: the class may belong to the program.
            self.guard(self._narrowed, np.asarray(values), given)

    def _narrowed(self, values: np.ndarray[Any, Any], given: np.dtype[Any]) -> None:
        if not values.size:
            return
        with np.errstate(all="ignore"):
            became = values.astype(given)
            if values.dtype.kind in "iu":
                wrong = became != values
            else:
                # Every number loses some digits; here it loses its value.
                wrong = np.isfinite(values) & (~np.isfinite(became) | ((became == 0) & (values != 0)))
        call = call_now(self.is_user_code) if wrong.any() else None
        # JAX takes the last bits of a seed, on purpose.
        if call is not None and call.called not in _TAKING_SEEDS:
            place = int(np.argmax(wrong))
            first, then = values.reshape(-1)[place].item(), became.reshape(-1)[place].item()
            fact = NarrowedValue(first, then, given.name, int(wrong.sum()), wrong.size)
            self._add(call, CallStack(), fact, "narrowed")


def _unless_lost(check: Callable[..., None], *arguments: Any) -> None:
    with suppress(fetching.FailedArray):  # the failed program reports that itself
        check(*arguments)
