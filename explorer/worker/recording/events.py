"""Key operations as events: facts known before the run, such as the call stack, and arrays with the rest; masks."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import jax.numpy as jnp
import msgspec
from jax.extend.core import JaxprEqn
from msgspec.structs import replace

from explorer.worker.internals import jaxprs, sources
from explorer.worker.internals.jaxprs import key_words
from explorer.worker.internals.sources import NameStack, Traceback

Operation = Literal["seed", "split", "fold_in", "draw", "clone", "iterations"]
"""``rounds`` is no operation of the program: it holds the number of iterations of a ``while``."""
AxisKind = Literal["loop", "device"]


class CallStack(msgspec.Struct, frozen=True):
    """The source of an operation: tracebacks and name stacks of all calls around it."""

    tracebacks: tuple[Traceback, ...] = ()
    """Innermost first; each ends where the trace of its jaxpr began."""
    stack: NameStack = ()
    """Outermost first."""

    @classmethod
    def of(cls, equation: JaxprEqn) -> CallStack:
        """Return the source of `equation`, relative to its own jaxpr."""
        traceback, stack = sources.equation_source(equation)
        return cls((traceback,) if traceback is not None else (), stack)

    def inside(self, outer: CallStack) -> CallStack:
        """Return this source as seen from a caller at `outer`."""
        return CallStack(self.tracebacks + outer.tracebacks, outer.stack + self.stack)


class Moment(msgspec.Struct, frozen=True):
    """Time in a run, in arbitrary units: the first occurrence, and the offset of each loop iteration."""

    first: int = 0
    strides: tuple[int, ...] = ()
    """For each leading axis, the offset per step along it."""

    def later(self, by: int) -> Moment:
        """Return this moment, offset by `by`."""
        return Moment(self.first + by, self.strides)

    def each(self, stride: int) -> Moment:
        """Return this moment inside a loop whose iterations last `stride`."""
        return Moment(self.first, (stride, *self.strides))


class Event(msgspec.Struct, frozen=True):
    """A key operation before it runs. Its arrays come in the order of `fields`.

    Array shapes are (leading axes..., mapped axes..., axes of a split's children..., words).
    """

    operation: Operation
    fields: tuple[str, ...]
    """A subset of: keys, made, data, mask, rounds."""
    source: CallStack
    implementation: str = ""
    shape: tuple[int, ...] = ()
    """Shape of one result: the noise of one draw, the children of one split.

    For ``rounds``: (draws per iteration, keys per iteration, capacity in iterations).
    """
    dtype: str = ""
    leading: tuple[tuple[AxisKind, int], ...] = ()
    """Loops and device axes around it, outermost first."""
    moment: Moment = Moment()
    choice: Moment | None = None
    """The start of the mapped ``cond`` around it."""
    branch: int = 0
    """The index of that branch."""
    again: bool = False
    """Whether the backward pass or rematerialisation repeats the operation."""
    unread: bool = False
    """Whether no output of a jitted function depends on its numbers; their shape and dtype may be used."""

    @property
    def is_inside_jax(self) -> bool:
        """Whether all known calls around it are inside JAX."""
        codes = (code for traceback in self.source.tracebacks for code in traceback.raw_frames()[0])
        return not any(sources.is_user_file(code.co_filename) for code in codes)

    def within(self, outer: CallStack, start: int, again: bool = False, unread: bool = False) -> Event:
        """Return this event of a jaxpr as an event of its caller at `outer`, which began at `start`."""
        return replace(
            self,
            source=self.source.inside(outer),
            moment=self.moment.later(start),
            choice=self.choice.later(start) if self.choice else None,
            again=again or self.again,
            unread=unread or self.unread,
        )

    def each(self, kind: AxisKind, size: int, stride: int) -> Event:
        """Return this event repeated `size` times, with an offset of `stride`."""
        return replace(
            self,
            leading=((kind, size), *self.leading),
            moment=self.moment.each(stride),
            choice=self.choice.each(stride) if self.choice else None,
        )

    def in_branch(self, number: int) -> Event:
        """Return this event in branch `number` of a mapped ``cond`` that begins now."""
        return self if self.choice else replace(self, choice=Moment(0, (0,) * len(self.leading)), branch=number)


class TracedEvent(NamedTuple):
    """An event and its arrays by name, during the trace of the rewritten function."""

    event: Event
    arrays: dict[str, Any]


# -- masks ------------------------------------------------------------------------------------


def masked(caught: TracedEvent, mask: Any, leading: int | None = None) -> TracedEvent:
    """Return `caught` restricted to where `mask` is true.

    The axes of `mask` are example axes, which follow the first `leading` axes of the arrays (all leading axes if None).
    Along an axis over which the keys are not mapped, any true entry counts.
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
    return TracedEvent(event, {**arrays, "mask": mask})


def _padded(mask: Any, rank: int) -> Any:
    return mask.reshape(mask.shape + (1,) * (rank - mask.ndim))


def _fitted(mask: Any, shape: tuple[int, ...]) -> Any:
    """Return `mask` with its axes aligned with the axes of `shape` of equal size, in order."""
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


def key_event(name: str, parameters: dict[str, Any], arguments: Sequence[Any], output: Any) -> TracedEvent:
    """Return the event of one key operation, named `name` in JAX, with the result `output`."""
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
            # A raw generator's state has its own axis, and its first output is the next state.
            is_raw = name == jaxprs.RAW_GENERATOR
            shape = output[1].shape[keys.ndim - 1 :] if is_raw else output.shape[keys.ndim :]
            # The sampler converts the bits later.
            dtype = output.dtype.name if name == "random_gamma" else ""
    return TracedEvent(_event(operation, tuple(arrays), jaxprs.implementation_name(keys), shape, dtype), arrays)


@functools.lru_cache(1024)
def _event(
    operation: Operation, fields: tuple[str, ...], implementation: str, shape: tuple[int, ...], dtype: str
) -> Event:
    """Return the cached event of an operation of this kind."""
    return Event(operation, fields, CallStack(), implementation, shape, dtype)


def _spread(array: Any, shape: tuple[int, ...]) -> Any:
    # JAX takes time even for a broadcast without effect.
    return array if getattr(array, "shape", None) == shape else jnp.broadcast_to(array, shape)


def key_count(arrays: Mapping[str, Any]) -> int:
    """Return the number of keys, used and made, in the arrays of an event."""
    return sum(math.prod(arrays[name].shape[:-1]) for name in ("keys", "made") if name in arrays)
