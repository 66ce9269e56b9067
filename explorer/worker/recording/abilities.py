"""The abilities that work with the installed JAX: all, unless a self-test failed."""

from __future__ import annotations

import jax

from explorer.messages.lenses import LENSES
from explorer.text.text import Text, say

NEWEST_KNOWN = (0, 12)
"""The newest JAX series for which the tests passed."""
WITHOUT: dict[str, Text] = {
    "keys": say("With this version of JAX keys cannot be recorded: nothing is reported about them."),
    "sharing": say("With this version of JAX shared noise may be missed."),
    "lines": say("With this version of JAX equations have no lines of the code."),
    **{each.ability: each.without for each in LENSES.values() if each.without},
    "traces": say("With this version of JAX traces and compiles cannot be counted."),
}
"""The abilities, with the message for each one that is switched off."""
_off: set[str] = set()


def is_unknown() -> bool:
    """Return whether this JAX is newer than all tested ones, so that a self-test must decide."""
    return bool(jax.__version_info__[:2] > NEWEST_KNOWN)


def switch_off(*abilities: str) -> None:
    """Switch off these abilities for the rest of the process."""
    _off.update(abilities)


def is_off(ability: str) -> bool:
    return ability in _off


def sentence(ability: str) -> Text:
    """Return the message for an ability that is switched off."""
    return WITHOUT[ability]


def sentences() -> tuple[Text, ...]:
    """Return the messages for all abilities that are switched off."""
    return tuple(map(sentence, (ability for ability in WITHOUT if ability in _off)))
