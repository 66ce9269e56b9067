"""The common part of all lenses: name, result, and reruns on request."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import msgspec

from explorer.messages.basics import Failure
from explorer.messages.reports import Picture
from explorer.text.text import NOTHING, Text, say


class Rerun(msgspec.Struct, frozen=True):
    """An additional result of a lens, on request: it runs the program again, possibly several times."""

    id: str
    together: bool = False
    """Whether one run answers for two variants together."""
    pane: str = ""
    """The pane of the result; empty for the lens's own page."""


class Shown(NamedTuple):
    """Pictures shown by a lens instead of an equation's value, and a sentence on them."""

    pictures: tuple[Picture, ...]
    sentence: Text


class Lens(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one lens for one variant; each lens has its own record. It may be sent again with more details."""

    sentence: Text = NOTHING
    """Reason for an empty result, or a note on it."""
    failure: Failure | None = None
    """The error that ended the variant or the request."""

    def as_json(self) -> Any:
        """Return the result for scripts: types in JAX's notation, sizes in bytes, lines from 1, and 0 for none."""
        raise NotImplementedError

    def all_lines(self) -> Iterable[int]:
        """Return all line numbers in it, if a recording may have it."""
        return ()

    def with_lines(self, line: Callable[[int], int]) -> Self:
        """Return the result with `line(each)` instead of each line number, if a recording may have it."""
        raise NotImplementedError

    def problem(self, _last_line: int) -> str:
        """Return the problem with a result of a recording, whose program has `_last_line` lines; empty for none."""
        return "it has a lens that no recording has"

    def completed(self, _before: Self) -> Self:
        """Return this answer to a Rerun, completed by the results in `_before` for the same program."""
        return self

    def shown(self) -> Shown | None:
        """Return the lens's own pictures, or None before the first request."""
        return None


ABOUT = say(
    "Each [equation](equation) of the program, next to its form under vmap or its gradient. The arrow keys move "
    "from row to row: the line lights up in the code, and the noise pane shows the value."
)


@dataclass(frozen=True)
class LensSpec:
    """One lens. Its page is in ``views/program/lenses``, its computation in ``worker/runs/lenses``, by its `id`."""

    id: str
    """As in scenarios and in the names of exported files."""
    record: type[Lens]
    name: Text
    """The label of its button: one word."""
    tip: Text
    about: Text = ABOUT
    """Answer to "What is this?" on its page; links lead to the glossary."""
    ability: str = ""
    """The worker ability it needs, which a newer JAX may lack; empty for none."""
    without: Text = NOTHING
    """Message without that ability, if no other lens needs it."""
    timing: Rerun | None = None
    """The rerun that Time (Ctrl+T) requests too while its page is open."""
