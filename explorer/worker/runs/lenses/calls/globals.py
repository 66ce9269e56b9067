"""Numbers and strings that a traced function reads from globals: they become part of the program.

See https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#pure-functions.
"""

from __future__ import annotations

import dis
from collections.abc import Mapping
from functools import cache
from types import CodeType, FrameType

from explorer.messages.lenses.calls import Stale

Plain = bool | int | float | complex | str
_PLAIN = (bool, int, float, complex, str)
LONGEST = 40
"""Largest number of characters per value."""


class Read:
    """The globals read by one trace, and their later changes."""

    def __init__(self) -> None:
        self._values: dict[str, Plain | None] = {}

    def look(self, values: Mapping[str, Plain]) -> None:
        """Record the `values` of names at one moment of the trace."""
        for name, value in values.items():
            known = self._values.setdefault(name, value)
            if known is not None and not same(known, value):
                # Either of the two may be in the program.
                self._values[name] = None

    def add(self, other: Read) -> None:
        """Add the globals read by a nested trace."""
        self.look({name: value for name, value in other._values.items() if value is not None})

    def stale(self, module: Mapping[str, object]) -> tuple[Stale, ...]:
        """Return the globals with another value in `module` now."""
        return tuple(
            Stale(name, text(value), text(now))
            for name, value in self._values.items()
            if value is not None and name in module and type(now := module[name]) in _PLAIN and not same(now, value)
        )


def read_by(frame: FrameType) -> dict[str, Plain]:
    """Return the plain values of globals that the code of `frame` reads or sets, by name."""
    found: dict[str, Plain] = {}
    for name in _names(frame.f_code):
        value = frame.f_globals.get(name)
        if type(value) in _PLAIN:
            found[name] = value  # type: ignore[assignment]
    return found


def same(one: object, other: object) -> bool:
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
