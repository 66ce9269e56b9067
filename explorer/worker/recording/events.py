"""Operations on random keys as events: what is known of one before it runs, and the arrays that tell the rest."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import jax.numpy as jnp
from jax.extend.core import JaxprEqn

from explorer.worker.internals import jaxprs, sources
from explorer.worker.internals.jaxprs import key_words
from explorer.worker.internals.sources import NameStack, Traceback

Operation = Literal["seed", "split", "fold_in", "draw", "clone", "iterations"]
"""``rounds`` is no operation of the program's: it tells how often a ``while`` went round."""
AxisKind = Literal["loop", "device"]


@dataclass(frozen=True)
class CallStack:
    """Where an operation comes from: the tracebacks and name stacks of all the calls around it."""

    tracebacks: tuple[Traceback, ...] = ()
    """Innermost first; each ends where the tracing of its jaxpr began."""
    stack: NameStack = ()
    """Outermost first."""

    @classmethod
    def of(cls, equation: JaxprEqn) -> CallStack:
        """Return where `equation` comes from, from its own jaxpr on."""
        traceback, stack = sources.equation_source(equation)
        return cls((traceback,) if traceback is not None else (), stack)

    def inside(self, outer: CallStack) -> CallStack:
        """Return this source as seen from a caller at `outer`."""
        return CallStack(self.tracebacks + outer.tracebacks, outer.stack + self.stack)


@dataclass(frozen=True)
class Moment:
    """When in a run something happens, in a unit of no meaning: the first time, and how much later in each round."""

    first: int = 0
    strides: tuple[int, ...] = ()
    """For each leading axis, how much later each further step along it is."""

    def later(self, by: int) -> Moment:
        """Return the moment `by` later."""
        return Moment(self.first + by, self.strides)

    def each(self, stride: int) -> Moment:
        """Return the moment inside a loop whose rounds last `stride`."""
        return Moment(self.first, (stride, *self.strides))


@dataclass(frozen=True)
class Event:
    """An operation on keys before it runs. Its arrays come in the order of `fields`.

    Arrays have the shape (leading axes..., mapped axes..., and for what a split makes its own axes..., words).
    """

    operation: Operation
    fields: tuple[str, ...]
    """Of: keys, made, data, mask, rounds."""
    source: CallStack
    implementation: str = ""
    shape: tuple[int, ...] = ()
    """Of what one use makes: the noise of one draw, the children of one split; for a loop (draws in a round, keys
    in a round, rounds that there is room for)."""
    dtype: str = ""
    leading: tuple[tuple[AxisKind, int], ...] = ()
    """Loops and device axes that it is in, outermost first."""
    moment: Moment = Moment()
    choice: Moment | None = None
    """Of the mapped ``cond`` that it is in a branch of."""
    branch: int = 0
    """The number of that branch."""
    again: bool = False
    """Whether it repeats an earlier operation, for a derivative."""

    @property
    def is_inside_jax(self) -> bool:
        """Whether all calls around it that are known so far are in JAX itself."""
        codes = (code for traceback in self.source.tracebacks for code in traceback.raw_frames()[0])
        return not any(sources.is_user_file(code.co_filename) for code in codes)

    def within(self, outer: CallStack, start: int, again: bool = False) -> Event:
        """Return this event of a jaxpr as one of its caller's, who is at `outer` and began at `start`."""
        return replace(
            self,
            source=self.source.inside(outer),
            moment=self.moment.later(start),
            choice=self.choice.later(start) if self.choice else None,
            again=again or self.again,
        )

    def each(self, kind: AxisKind, size: int, stride: int) -> Event:
        """Return this event as done `size` times, each `stride` later than the one before."""
        return replace(
            self,
            leading=((kind, size), *self.leading),
            moment=self.moment.each(stride),
            choice=self.choice.each(stride) if self.choice else None,
        )

    def in_branch(self, number: int) -> Event:
        """Return this event as one of branch `number` of a mapped ``cond`` that begins now."""
        return self if self.choice else replace(self, choice=Moment(0, (0,) * len(self.leading)), branch=number)


class Caught(NamedTuple):
    """An event and its arrays by name, while the rewritten function is traced."""

    event: Event
    arrays: dict[str, Any]


# -- masks ------------------------------------------------------------------------------------


def masked(caught: Caught, mask: Any, leading: int | None = None) -> Caught:
    """Return `caught` as having happened only where `mask` is true.

    `mask` stands behind the first `leading` axes of the arrays (all leading axes if None). Its own axes are those
    of examples; an axis that the keys are not mapped over counts as true if any of its entries is.
    """
    event, arrays = caught
    if event.operation == "iterations":
        return caught
    front = len(event.leading) if leading is None else leading
    keys = arrays["keys"] if "keys" in arrays else arrays["made"]
    if leading is None:
        mask = _fitted(mask, keys.shape[front:-1])
    mask = mask.reshape((1,) * front + mask.shape)
    known = arrays.get("mask")
    if known is not None:
        rank = max(mask.ndim, known.ndim)
        mask = _padded(mask, rank) & _padded(known, rank)
    return Caught(event, {**arrays, "mask": mask})


def _padded(mask: Any, rank: int) -> Any:
    return mask.reshape(mask.shape + (1,) * (rank - mask.ndim))


def _fitted(mask: Any, shape: tuple[int, ...]) -> Any:
    """Return `mask` with its axes moved under the axes of `shape` of the same size, in order."""
    place, fitted, spare = 0, [], []
    for axis, size in enumerate(mask.shape):
        found = next((at for at in range(place, len(shape)) if shape[at] == size), None)
        if found is None:
            spare.append(axis)
        else:
            fitted += [1] * (found - place) + [size]
            place = found + 1
    return (jnp.any(mask, axis=tuple(spare)) if spare else mask).reshape(fitted)


# -- single operations ------------------------------------------------------------------------


def key_event(name: str, parameters: dict[str, Any], arguments: Sequence[Any], output: Any) -> Caught:
    """Return the event of one operation on keys, called `name` in JAX, that has just given `output`."""
    operation: Operation = jaxprs.KEY_OPERATIONS[name]  # type: ignore[assignment]
    arrays: dict[str, Any] = {}
    shape: tuple[int, ...] = tuple(parameters.get("shape", ()))
    dtype = ""
    keys = output if operation == "seed" else arguments[0]
    if operation == "seed":
        arrays = {"made": key_words(output), "data": jnp.asarray(arguments[0])}
    elif operation == "fold_in":
        made = key_words(output)
        arrays = {
            "keys": _spread(key_words(keys), made.shape),
            "made": made,
            "data": _spread(arguments[1], output.shape),
        }
    else:
        arrays = {"keys": key_words(keys)}
        if operation == "split":
            arrays["made"] = key_words(output)
        elif operation == "draw":
            # The state of a raw generator has an axis of its own, and its first output is the next state.
            is_raw = name == jaxprs.RAW_GENERATOR
            shape = output[1].shape[keys.ndim - 1 :] if is_raw else output.shape[keys.ndim :]
            # Bits are not yet what the sampler makes of them.
            dtype = output.dtype.name if name == "random_gamma" else ""
    return Caught(_event(operation, tuple(arrays), jaxprs.implementation_name(keys), shape, dtype), arrays)


@functools.lru_cache(1024)
def _event(
    operation: Operation, fields: tuple[str, ...], implementation: str, shape: tuple[int, ...], dtype: str
) -> Event:
    """Return the event of an operation of this kind, one and the same object for many of them."""
    return Event(operation, fields, CallStack(), implementation, shape, dtype)


def _spread(array: Any, shape: tuple[int, ...]) -> Any:
    # Even if it has nothing to do JAX takes its time for it.
    return array if getattr(array, "shape", None) == shape else jnp.broadcast_to(array, shape)


def key_count(arrays: Mapping[str, Any]) -> int:
    """Return how many keys the arrays of an event tell of, used and made."""
    return sum(math.prod(arrays[name].shape[:-1]) for name in ("keys", "made") if name in arrays)
