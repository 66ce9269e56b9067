"""Sentences of the worker that were said in one language, in another: what they are told of need not run again."""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterator
from functools import cache

from explorer.text.josa import PARTICLES, filled
from resources.translations import FOLDER

HOLE = re.compile(r"\{(\w+)(?::(\w+))?\}")


def said_again(before: str, now: str) -> Callable[[str], str]:
    """Return what gives for a sentence in language `before` the same in language `now`; others stay as they are."""
    pairs = zip(_texts(before, now), _texts(now, before), strict=True)
    # Where several fit, the one that says most itself: "{a} and {b}" fits nearly everything.
    fullest = sorted(pairs, key=lambda pair: len(HOLE.sub("", pair[0])), reverse=True)
    forms = [(_pattern(old), new) for old, new in fullest]

    def again(sentence: str) -> str:
        for pattern, new in forms:
            if found := pattern.fullmatch(sentence):
                return filled(new, **{name: again(part) for name, part in found.groupdict().items()})
        return sentence

    return again


def _texts(language: str, other: str) -> Iterator[str]:
    """Return every sentence that `language` or `other` has a translation of, in `language`, in one order."""
    known, also = _catalogue(language), _catalogue(other)
    return (known.get(text, text) for text in sorted(known.keys() | also.keys()))


def _pattern(text: str) -> re.Pattern[str]:
    """Return what matches `text` with anything in its holes, and the particles that were put behind it."""
    first, *pieces = HOLE.split(text)
    pattern, seen = re.escape(first), set[str]()
    for name, particle, piece in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True):
        pattern += f"(?P={name})" if name in seen else f"(?P<{name}>.+)"
        seen.add(name)
        if particle:
            pattern += f"(?:{particle}|{PARTICLES[particle]})"
        pattern += re.escape(piece)
    return re.compile(pattern, re.DOTALL)


@cache
def _catalogue(language: str) -> dict[str, str]:
    """Return the worker's sentences in `language` by what they are in English, none for English itself."""
    path = FOLDER / f"worker_{language}.mo"
    if not path.is_file():
        return {}
    with path.open("rb") as compiled:
        # The class offers no list of what it holds.
        held: dict[str, str] = gettext.GNUTranslations(compiled)._catalog  # type: ignore[attr-defined]
    return {text: translated for text, translated in held.items() if text and isinstance(text, str)}
