"""The abilities that work with the installed JAX: all, unless a self-test has found otherwise."""

from __future__ import annotations

import jax

from explorer.messages.lenses.registry import LENSES
from explorer.text.text import Text, say

NEWEST_KNOWN = (0, 12)
"""The newest series of JAX with which the tests passed."""
WITHOUT: dict[str, Text] = {
    "keys": say("With this version of JAX keys cannot be recorded: nothing is reported about them."),
    "sharing": say("With this version of JAX shared noise may be missed."),
    "lines": say("With this version of JAX equations have no lines of the code."),
    **{each.ability: each.without for each in LENSES.values() if each.without},
    "traces": say("With this version of JAX traces and compiles cannot be counted."),
}
"""The abilities, with what is said where one is switched off."""
_off: set[str] = set()


def is_unknown() -> bool:
    """Return whether this JAX is newer than any that was tried, so that only a self-test can tell what works."""
    return bool(jax.__version_info__[:2] > NEWEST_KNOWN)


def switch_off(*abilities: str) -> None:
    """Do without these from now on."""
    _off.update(abilities)


def is_off(ability: str) -> bool:
    """Return whether that does not work here."""
    return ability in _off


def sentence(ability: str) -> Text:
    """Return a sentence for the user where that is switched off."""
    return WITHOUT[ability]


def sentences() -> tuple[Text, ...]:
    """Return what a user should know of all that is switched off."""
    return tuple(map(sentence, (ability for ability in WITHOUT if ability in _off)))
