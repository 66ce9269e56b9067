"""For the calls lens: the cache key of a call, how it differs from the nearest; globals changed since a trace."""

from __future__ import annotations

import dis
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import CodeType, FrameType
from typing import Any, Literal, NamedTuple

import msgspec

from explorer.worker.internals.jit.jaxpr_lookups import JaxprLookup, StaticValue, same
from explorer.worker.program.equations import type_text
from explorer.worker.program.retraces import ChangedPart, changed

LONGEST_STRUCTURE = 300
MOST_GIVEN = 40
"""Largest number of arrays reported per call; the same number again for differing ones."""
Part = ChangedPart | Literal["structure", "function object", "settings", "forgotten"]
"""A difference between two calls; ``forgotten``: none, but the cache was cleared."""


class CallInput(NamedTuple):
    """One array or static value among a call's arguments."""

    name: str
    """``x``, ``params['w']``."""
    type: str = ""
    """JAX's notation: ``f32[3,4]``, with ``~`` in front for weak types; `static` for a static value."""
    shape: str = ""
    """``(3, 4)``; empty for a static value."""
    dtype: str = ""
    """JAX's name: ``float32``; empty for a static value."""
    weak: bool = False
    """Whether its type is weak, like a Python number's: https://docs.jax.dev/en/latest/type_promotion.html."""
    static: str | None = None
    """The repr of a static value, None for an array."""


class CacheKey(NamedTuple):
    """The cache key of one call, as far as it is shown."""

    given: tuple[CallInput, ...] = ()
    more: int = 0
    """Number of further arguments: only the first ones and those that differ are shown."""
    structure: str = ""
    """The nesting of the arguments."""
    function: int = 1
    """Index of the function object among those with this code, from 1."""


NO_KEY = CacheKey()


class KeyDifference(NamedTuple):
    """One difference from the nearest cache entry."""

    part: Part
    name: str = ""
    """Name of the argument, or empty."""


class StaleGlobal(NamedTuple):
    """A global whose value changed between the trace and the call."""

    name: str
    used: str
    """The value in the program."""
    now: str


_FORGOTTEN = (KeyDifference("forgotten"),)


class KeyedCall(msgspec.Struct, frozen=True):
    """The cache key of one call."""

    asked: JaxprLookup
    settings: object
    number: int
    """Number of the call, 0 for one before the first."""
    object: int
    """Index of the function object among those with this code, from 1."""
    read: TraceGlobals
    """The globals read by the trace, if it was traced for this call."""


def shown_key(question: KeyedCall, differs: Sequence[KeyDifference] = ()) -> CacheKey:
    """Return `question` for the table, including everything that `differs`."""
    asked, named = question.asked, {each.name for each in differs}
    places = [place for place, name in enumerate(asked.names) if place < MOST_GIVEN or name in named][: 2 * MOST_GIVEN]
    given = tuple(_given(asked.names[place], asked.values[place]) for place in places)
    return CacheKey(given, len(asked.names) - len(given), _structure(asked), question.object)


def nearest(question: KeyedCall, before: Iterable[KeyedCall]) -> tuple[KeyedCall | None, tuple[KeyDifference, ...]]:
    """Return the most similar of the questions `before`, the latest of several, and its differences.

    Questions for the same function object come first: jit considers no others.
    """
    best: tuple[tuple[bool, int], KeyedCall, tuple[KeyDifference, ...]] | None = None
    for each in before:
        differs = differences(question, each)
        rank = each.object != question.object, len(differs) if differs != _FORGOTTEN else 0
        if best is None or rank <= best[0]:
            best = rank, each, differs
    return (best[1], best[2]) if best is not None else (None, ())


def differences(question: KeyedCall, other: KeyedCall) -> tuple[KeyDifference, ...]:
    """Return the differences between two questions for the same code; ``forgotten`` if there are none."""
    found = [KeyDifference("function object")] if question.object != other.object else []
    new, old = question.asked, other.asked
    if not same(new.structure, old.structure):
        found.append(KeyDifference("structure"))
    else:
        for name, now, then in zip(new.names, new.values, old.values, strict=True):
            found += _of_values(name, now, then)
    if not same(question.settings, other.settings):
        found.append(KeyDifference("settings"))
    return tuple(found) or _FORGOTTEN


def _of_values(name: str, now: Any, then: Any) -> list[KeyDifference]:
    found = [KeyDifference(part, name) for part in changed(now, then)]
    # With a mesh in use, the sharding is part of the type.
    return found if found or same(now, then) else [KeyDifference("settings", name)]


def _given(name: str, value: Any) -> CallInput:
    if isinstance(value, StaticValue):
        return CallInput(name, value.text, static=value.text)
    shape = getattr(value, "shape", None)
    if shape is None:
        return CallInput(name, str(value), dtype=str(value))
    weak = bool(getattr(value, "weak_type", False))
    return CallInput(name, type_text(value), str(tuple(shape)), str(value.dtype), weak)


def _structure(asked: JaxprLookup) -> str:
    positions, names, forms = asked.structure
    texts = ["static" if form == "static" else _form(form) for form in forms]
    parts = [*texts[:positions], *(f"{name}={text}" for name, text in zip(names, texts[positions:], strict=False))]
    return f"({', '.join(parts)})"[:LONGEST_STRUCTURE]


def _form(form: Any) -> str:
    return str(form).removeprefix("PyTreeDef(").removesuffix(")") if form is not None else "?"


Plain = bool | int | float | complex | str
_PLAIN = (bool, int, float, complex, str)
LONGEST = 40
"""Largest number of characters per value."""


class TraceGlobals:
    """The globals read by one trace, and their later changes."""

    def __init__(self) -> None:
        self._values: dict[str, Plain | None] = {}

    def look(self, values: Mapping[str, Plain]) -> None:
        """Record the `values` of names at one moment of the trace."""
        for name, value in values.items():
            known = self._values.setdefault(name, value)
            if known is not None and not is_same_value(known, value):
                # Either of the two may be in the program.
                self._values[name] = None

    def add(self, other: TraceGlobals) -> None:
        """Add the globals read by a nested trace."""
        self.look({name: value for name, value in other._values.items() if value is not None})

    def stale(self, module: Mapping[str, object]) -> tuple[StaleGlobal, ...]:
        """Return the globals with another value in `module` now."""
        return tuple(
            StaleGlobal(name, text(value), text(now))
            for name, value in self._values.items()
            if value is not None
            and name in module
            and type(now := module[name]) in _PLAIN
            and not is_same_value(now, value)
        )


def read_by(frame: FrameType) -> dict[str, Plain]:
    """Return the plain values of globals that the code of `frame` reads or sets, by name."""
    found: dict[str, Plain] = {}
    for name in _names(frame.f_code):
        value = frame.f_globals.get(name)
        if type(value) in _PLAIN:
            found[name] = value  # type: ignore[assignment]
    return found


def is_same_value(one: object, other: object) -> bool:
    """Return whether two plain values are the same; NaN equals NaN."""
    return type(one) is type(other) and (one == other or (one != one and other != other))


def text(value: object) -> str:
    """Return the repr of a plain value, shortened."""
    written = repr(value)
    return written if len(written) <= LONGEST else f"{written[:LONGEST]}…"


@cache
def _names(code: CodeType) -> tuple[str, ...]:
    loads = (each for each in dis.get_instructions(code) if each.opname in ("LOAD_GLOBAL", "STORE_GLOBAL"))
    return tuple(dict.fromkeys(str(each.argval) for each in loads))
