"""The lenses in the worker, each found by its id."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from explorer.messages.lenses.registry import LENSES
from explorer.worker.recording import abilities
from explorer.worker.runs.lens import Ended, LensWork


@cache
def lenses() -> dict[str, LensWork]:
    """Return all of them by id, in the order of the specs; some run variants, so variants cannot import them."""
    found = {name: import_module(f"{__package__}.lenses.{name}").LENS for name in LENSES}
    assert all(isinstance(each, LensWork) for each in found.values())
    return found


def offered(ended: Ended) -> tuple[str, ...]:
    """Return the ids of the lenses that have something to say about a variant that has run."""
    return tuple(
        name for name, lens in lenses().items() if not abilities.is_off(LENSES[name].ability) and lens.has_to_say(ended)
    )
