"""``Text``: an English sentence with named parts, translated where it is read; ``say``; the chosen language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import msgspec

from explorer.text.josa import filled
from explorer.text.languages import translated


class Text(msgspec.Struct, frozen=True, array_like=True):
    """A sentence, or a part of one. Texts are equal where they read the same in every language.

    ``str(text)`` renders it in the language of the process, so that a text can stand in an f-string at the edge: in the
    window, on the command line, in a file. An empty text is false.
    """

    id: str = ""
    """The template in English, by which the catalogues know it: ``{count:,} keys, split by {name}``."""
    params: tuple[tuple[str, Part], ...] = ()
    """The values to fill in, by name."""

    def in_language(self, language: str) -> str:
        """Return the sentence in `language`, in English where its catalogue lacks it."""
        template = translated(self.id, language)
        if not self.params:
            return template
        return filled(template, **{name: _rendered(part, language) for name, part in self.params})

    def param(self, name: str) -> Part | None:
        """Return the parameter `name` of the text, or of a text filled into it; None where there is none."""
        found = dict(self.params).get(name)
        inner = (part.param(name) for _, part in self.params if isinstance(part, Text))
        return found if found is not None else next((each for each in inner if each is not None), None)

    def __str__(self) -> str:
        return self.in_language(chosen_language())

    def __bool__(self) -> bool:
        return bool(self.id)


NOTHING = Text()
Part: TypeAlias = Text | str | int | float
CARRIED = range(-(2**63), 2**64)
"""Whole numbers that a frame can carry; others are filled in as text."""


class TextError(Exception):
    """An exception whose message is a text for the user."""

    def __init__(self, text: Text) -> None:
        super().__init__(str(text))
        self.text = text


def say(template: str, /, **parts: object) -> Text:
    """Return `template` with `parts` as a text; parts that are neither text nor number are formatted by ``format``."""
    return Text(template, tuple((name, _part(value)) for name, value in parts.items()))


def joined(separator: Text | str, parts: Iterable[Text | str]) -> Text:
    """Return `parts` as one text with `separator` between them, without empty ones."""
    nonempty = [part for part in parts if part]
    if len(nonempty) == 1:
        return nonempty[0] if isinstance(nonempty[0], Text) else verbatim(nonempty[0])
    named = {f"part{number}": part for number, part in enumerate(nonempty)}
    between = {"separator": separator} if isinstance(separator, Text) else {}
    gap = separator if isinstance(separator, str) else "{separator}"
    return Text(gap.join(f"{{{name}}}" for name in named), tuple({**named, **between}.items()))


def sentences(*parts: Text | str) -> Text:
    """Return sentences one after the other, without empty ones."""
    return joined(" ", parts)


def verbatim(words: str) -> Text:
    """Return `words` as a text that is equal in every language, such as a name or a message of Python."""
    return Text("{words}", (("words", words),)) if words else NOTHING


def choose_language(language: str) -> None:
    """Render texts in `language` from now on; texts missing from its catalogue appear in English."""
    _language[0] = language


def chosen_language() -> str:
    """Return the language that texts are rendered in."""
    return _language[0]


def _rendered(part: Part, language: str) -> str | int | float:
    return part.in_language(language) if isinstance(part, Text) else part


def _part(value: object) -> Part:
    if isinstance(value, Text) or type(value) is str:
        return value
    if isinstance(value, float):
        return float(value)
    if isinstance(value, int) and not isinstance(value, bool) and value in CARRIED:
        return value
    # As a template would: NumPy's numbers have another text by themselves.
    return f"{value}"


_language = ["en"]
"""The language of this process: the window chooses it, the worker and the command line use English."""
