"""Words filled into a sentence, in Korean with the particle (josa) that each asks for: key를 but jit을.

A template names the particle behind a colon, in its form after a consonant: ``{label:을}``, ``{time:이}``.
"""

from __future__ import annotations

import re
from string import Formatter

PARTICLES = {"은": "는", "이": "가", "을": "를", "과": "와", "으로": "로", "이라는": "라는", "이어서": "여서"}
"""Each particle as it is after a consonant, with its form after a vowel."""

DIGITS = "영일이삼사오육칠팔구"
LETTERS = {"l": "엘", "m": "엠", "n": "엔", "r": "알"}
"""The letters whose Korean names end in a consonant."""
UNIT = re.compile(r"(?<=\d) ?([mnµμ]?s|[KMGT]?i?B|%)$")
"""Read 초, 바이트 and 퍼센트, each of which ends in a vowel."""
SPELLED_OUT = re.compile(r"(?<![a-z])[b-df-hj-np-tv-xz]+$|[b-df-hj-np-tv-xz]r$", re.IGNORECASE)
"""Words that are spelled out, having no vowel: n, rng; and jaxpr, at its end."""
ENDS_IN_L = re.compile(r"le?$", re.IGNORECASE)
ENDS_IN_CONSONANT = re.compile(r"([mn]e?|ng|out|eap|type|epoch|(?<![aeiou])[aeiouy](ck?|k|pp?|tt?))$", re.IGNORECASE)
"""Endings of English words that Korean writes with a final consonant: scan, line, jit, vmap, stack."""


def filled(template: str, /, *words: object, **named: object) -> str:
    """Return `template` with `words` filled in, as ``str.format`` does it, each with its particle."""
    return _WITH_PARTICLES.format(template, *words, **named)


def josa(word: str, particle: str) -> str:
    """Return the form of `particle` that fits `word`; `particle` is in its form after a consonant."""
    last = _last_syllable(word)
    final = (ord(last) - ord("가")) % 28 if "가" <= last <= "힣" else 0
    ends_in_l = final == 8
    return PARTICLES[particle] if not final or (ends_in_l and particle == "으로") else particle


def _last_syllable(word: str) -> str:
    """Return the last Korean syllable of `word` when it is read aloud, or one that ends alike."""
    if UNIT.search(word):
        return "초"
    # Without brackets, quotes and dots, and without the English that stands behind a Korean word in brackets.
    read = re.sub(r"(?<=[가-힣])\([^()]*\)\W*$|[\W_]+$", "", word)
    last = read[-1:].lower()
    if last.isascii() and last.isdigit():
        return DIGITS[int(last)]
    if SPELLED_OUT.search(read):
        return LETTERS.get(last, last)
    if ENDS_IN_L.search(read):
        return "엘"
    return "엔" if ENDS_IN_CONSONANT.search(read) else last


class _WithParticles(Formatter):
    def format_field(self, value: object, format_spec: str) -> str:
        if format_spec in PARTICLES:
            return f"{value}{josa(str(value), format_spec)}"
        return str(super().format_field(value, format_spec))


_WITH_PARTICLES = _WithParticles()
