"""The common part of all lenses: name, result, and reruns on request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import msgspec

from explorer.messages.basics import Failure
from explorer.messages.reports import Picture
from explorer.text.text import NOTHING, Text, say


class Rerun(msgspec.Struct, frozen=True):
    """A further result of a lens, on request only: it runs the program again, perhaps several times."""

    id: str
    together: bool = False
    """Whether the first variant is asked about both in one run."""
    pane: str = ""
    """The pane that shows what comes; empty for the page of the lens itself."""


class Shown(NamedTuple):
    """Pictures that a lens shows instead of an equation's value, and a sentence on them."""

    pictures: tuple[Picture, ...]
    sentence: Text


class Lens(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one lens for one variant; each has its own record. It may come again, more complete."""

    sentence: Text = NOTHING
    """Why there is nothing to show, or what to know about it."""
    failure: Failure | None = None
    """The error with which the variant, or what was asked of it, ended."""

    def as_json(self) -> Any:
        """Return what scripts rely on; types are as JAX writes them, sizes in bytes, lines from 1 and 0 for none."""
        raise NotImplementedError

    def completed(self, _before: Self) -> Self:
        """Return it, the answer to a Rerun, with what `_before` reports on the same program and it does not."""
        return self

    def shown(self) -> Shown | None:
        """Return the pictures that it brings, None while no one has asked for them."""
        return None


ABOUT = say(
    "Each [equation](equation) of the program, next to its form under vmap or its gradient. The arrow keys move "
    "from row to row: the line lights up in the code, and the noise pane shows the value."
)


@dataclass(frozen=True)
class LensSpec:
    """One lens. Its page is in ``views/program/lenses``, what computes it in ``worker/runs/lenses``, by its `id`."""

    id: str
    """As scenarios and the names of exported files have it."""
    record: type[Lens]
    name: Text
    """On its button: one word."""
    tip: Text
    about: Text = ABOUT
    """"What is this?" on its page; links lead to the glossary."""
    ability: str = ""
    """What of the worker it needs, which a newer JAX may take away; empty for nothing of the kind."""
    without: Text = NOTHING
    """What is said where that is gone, if the ability is its own."""
