"""The log of bad values in a run: once for each place of user code, with their effect."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from explorer.messages import Span
from explorer.worker.checks.values.not_finite import Origin
from explorer.worker.checks.values.traced_checks import Seen
from explorer.worker.checks.values.user_calls import Texts, UserCall, call_now, call_of, does
from explorer.worker.internals import dispatch, sources
from explorer.worker.internals.guard import Guard
from explorer.worker.recording import fetching
from explorer.worker.recording.events import CallStack


@dataclass(frozen=True)
class Refused:
    """A dtype that was asked for and not given."""

    asked: str
    given: str


@dataclass(frozen=True)
class Narrowed:
    """NumPy values that JAX took in as something else."""

    value: Any
    """The first that changed."""
    became: Any
    dtype: str
    count: int
    total: int


_TAKING_SEEDS = ("key", "PRNGKey", "fold_in")

Fact = Seen | Origin | Refused | Narrowed


@dataclass
class Trouble:
    """One thing that went wrong at one place."""

    span: Span
    text: str
    """What stands there."""
    fact: Fact
    """As it was the first time."""
    times: int
    """How many calls of what was carried out at once it went wrong in."""
    transforms: frozenset[str]
    """The transformations of JAX that it went through, and the scopes that it stands in."""
    is_chosen: bool
    """Whether the statement picks from its results by a condition, as with ``where``."""
    reaches: bool = False
    """Of what is not finite: whether it comes out of the program."""


@dataclass
class _Followed:
    """An array that is not finite."""

    array: weakref.ref[Any]
    trouble: Trouble
    is_used: bool = False


class _OfThread(threading.local):
    ours = False


class ValueLog:
    """The troubles of one run, in its order. It also follows which arrays are not finite, and why."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self.is_user_code = is_user_code
        self.guard = Guard()
        """Of the checks themselves: the first failure ends them."""
        self._left_out = False
        self._texts = Texts(is_user_code)
        self._troubles: dict[tuple[object, ...], Trouble] = {}
        self._followed: dict[int, _Followed] = {}
        """By the number that Python has for the array."""
        self._thread = _OfThread()

    @property
    def troubles(self) -> list[Trouble]:
        """All so far."""
        return list(self._troubles.values())

    @property
    def saw_all(self) -> bool:
        """Whether everything could be looked at so far."""
        return not (self._left_out or self.guard.error)

    def leave_out(self) -> None:
        """Take down that there is something which cannot be looked at."""
        self._left_out = True

    def quietly(self, check: Callable[..., None], *arguments: Any) -> None:
        """Call `check` through the guard, and take no notice of what it reads and computes."""
        before, self._thread.ours = self._thread.ours, True
        try:
            with dispatch.undispatched():
                self.guard(_unless_lost, check, *arguments)
        finally:
            self._thread.ours = before

    # -- adding -------------------------------------------------------------------------------

    def is_wanted(self, call: UserCall, indexes: bool) -> bool:
        """Return whether an operation that `call` leads to is the user's own, and not meant to go wrong."""
        is_meant = self._texts.says_mode if indexes else self._texts.keeps_bits
        return does(call.called, indexes) and not is_meant(call)

    def add_seen(self, seen: Seen, caller: CallStack) -> None:
        """Add what a look has seen in a call from `caller`."""
        source, indexes = seen.site.source.inside(caller), seen.site.bounds is not None
        call = call_of(source, self.is_user_code)
        if call is None or not self.is_wanted(call, indexes):
            return
        # What a whole jaxpr does not depend on has been left out; of a single operation the rest is not known.
        is_single = call_of(seen.site.source, self.is_user_code) is None
        if not (is_single and self._texts.chooses(call)):
            self._add(call, source, seen, "index" if indexes else "overflow")

    def add_origin(self, origin: Origin, arrays: Iterable[Any]) -> None:
        """Add where the `arrays` have their NaN or inf from."""
        call = call_of(origin.source, self.is_user_code)
        if call is None or (origin.filled and self._texts.says_mode(call)):
            return
        trouble = self._add(call, origin.source, origin, "not finite")
        for array in arrays:
            if trouble is not None:
                self.follow(array, trouble)

    def _add(self, call: UserCall, source: CallStack, fact: Fact, kind: str) -> Trouble | None:
        span = self._texts.span(call)
        if span is None:
            return None
        transforms = frozenset((*sources.transforms(source.stack), *sources.scopes(source.stack)))
        known = self._troubles.get((kind, span))
        if known is None:
            text = self._texts.written(call) or call.called
            known = self._troubles[kind, span] = Trouble(span, text, fact, 0, transforms, self._texts.chooses(call))
        if known.times == 0 or transforms.isdisjoint(("transpose", "rematted_computation")):
            # The backward pass does it once more.
            known.times += 1
        return known

    # -- what is not finite -------------------------------------------------------------------

    @property
    def is_following(self) -> bool:
        """Whether any array is known not to be finite."""
        return bool(self._followed)

    def follow(self, array: Any, trouble: Trouble) -> None:
        """Remember that `array` is not finite because of `trouble`."""
        number = id(array)
        self._followed[number] = _Followed(weakref.ref(array, lambda _: self._followed.pop(number, None)), trouble)

    def trouble_of(self, array: Any) -> Trouble | None:
        """Return why `array` is not finite, None where it is or that is not known."""
        known = self._followed.get(id(array))
        return known.trouble if known is not None and known.array() is array else None

    def is_used(self, operands: Iterable[Any]) -> None:
        """Take down that something is computed of `operands`, which tells from then on what becomes of them."""
        for each in operands:
            known = self._followed.get(id(each))
            if known is not None:
                known.is_used = True

    def comes_out(self, outputs: Any) -> None:
        """Take down that the arrays in the pytree `outputs` are what the program returns."""
        for each in jax.tree.leaves(outputs):
            self.on_read(each)

    def finish(self) -> None:
        """Take down that the arrays which are still there come out of the program, unless something is made of them."""
        for each in list(self._followed.values()):
            each.trouble.reaches |= not each.is_used

    # -- listening to JAX ---------------------------------------------------------------------

    def on_read(self, read: Any) -> None:
        """Take down that Python looks at the array `read`."""
        trouble = self.trouble_of(read)
        if trouble is not None and not self._thread.ours:
            trouble.reaches = True

    def on_dtype(self, asked: str, given: str) -> None:
        """Take down that the program asks for one dtype and gets another."""
        if not self._thread.ours:
            self.guard(self._refused, asked, given)

    def _refused(self, asked: str, given: str) -> None:
        call = call_now(self.is_user_code)
        if call is not None and call.called:
            self._add(call, CallStack(), Refused(asked, given), "dtype")

    def on_narrowed(self, values: Any, given: np.dtype[Any]) -> None:
        """Add NumPy `values` of which some become another number as `given`."""
        if not self._thread.ours:
            # As a plain array: the class may be the program's own.
            self.guard(self._narrowed, np.asarray(values), given)

    def _narrowed(self, values: np.ndarray[Any, Any], given: np.dtype[Any]) -> None:
        if not values.size:
            return
        with np.errstate(all="ignore"):
            became = values.astype(given)
            if values.dtype.kind in "iu":
                wrong = became != values
            else:
                # A little is lost by every number; here it is all of it.
                wrong = np.isfinite(values) & (~np.isfinite(became) | ((became == 0) & (values != 0)))
        call = call_now(self.is_user_code) if wrong.any() else None
        # Of a seed JAX takes the last bits, on purpose.
        if call is not None and call.called not in _TAKING_SEEDS:
            place = int(np.argmax(wrong))
            first, then = values.reshape(-1)[place].item(), became.reshape(-1)[place].item()
            fact = Narrowed(first, then, given.name, int(wrong.sum()), wrong.size)
            self._add(call, CallStack(), fact, "narrowed")


def _unless_lost(check: Callable[..., None], *arguments: Any) -> None:
    with suppress(fetching.Lost):  # what failed says so itself
        check(*arguments)
