"""Texts in several languages, English where one is missing; choices of a question; read(): parsed TOML as records."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from explorer.text.languages import known_languages
from explorer.text.text import Text

T = TypeVar("T")
_LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Za-z]{2,4})?")
"""``en``, ``pt_BR``: also a language that this window does not have, so that a lesson can be used elsewhere."""


class Texts:
    """One text by language, such as ``{ en = "Keys", de = "Schlüssel" }`` in a sheet."""

    def __init__(self, en: str, /, **others: str) -> None:
        self._by_language = {"en": en, **others}

    def text(self, language: str) -> str:
        """Return the text in `language`, in English where there is no translation."""
        return self._by_language.get(language) or self._by_language["en"]

    def by_language(self) -> dict[str, str]:
        """Return the text in each language that it is written in."""
        return {language: text for language, text in self._by_language.items() if text or language == "en"}

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_language().values())

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(self._by_language["en"])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({vars(self)})"


class Reason(Texts):
    """A choice in words: a cause, a location or a fix.

    Attributes:
        holds: a condition that is met where these words are true, and only there: ``keys drawn == 1``.
        told: what is wrong with these words, for a reader who chose them; None where they are right.
    """

    def __init__(self, en: str, /, *, holds: str, told: Texts | None = None, **others: str) -> None:
        super().__init__(en, **others)
        self.holds = holds
        self.told = told


def in_each_language(text: Text) -> Texts:
    """Return the texts of the application's own `text` in each language of its catalogues."""
    others = {each: text.in_language(each) for each in known_languages()}
    return Texts(others.pop("en"), **others)


def read(sheet: object, kind: type[T]) -> T:
    """Return `sheet`, which TOML was read into, as a record of `kind`. Raises msgspec.ValidationError."""
    return msgspec.convert(sheet, kind, dec_hook=_texts)


def _texts(kind: type[Any], written: object) -> Texts:
    if not issubclass(kind, Texts):
        raise NotImplementedError(kind)
    if not isinstance(written, dict):
        raise ValueError(f"Expected `object`, got `{type(written).__name__}`")
    required = ("en", "holds") if issubclass(kind, Reason) else ("en",)
    written = dict(written)
    told = {"told": _texts(Texts, written.pop("told"))} if issubclass(kind, Reason) and "told" in written else {}
    if absent := next((name for name in required if name not in written), ""):
        raise ValueError(f"Object missing required field `{absent}`")
    for name, text in written.items():
        if name not in required and not _LANGUAGE.fullmatch(name):
            raise ValueError(f"Object contains unknown field `{name}`")
        if not isinstance(text, str):
            raise ValueError(f"Expected `str` of `{name}`, got `{type(text).__name__}`")
    texts: dict[str, Any] = {**written, **told}
    return kind(texts.pop("en"), **texts)
