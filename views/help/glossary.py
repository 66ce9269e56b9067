"""The terms of the window and the lessons, with their explanations."""

from __future__ import annotations

import functools
import re
import tomllib
from pathlib import Path

import msgspec

import resources
from explorer.diagnostics import page
from explorer.diagnostics.check import Check
from explorer.diagnostics.registry import checks
from explorer.scenario.texts import Texts, read
from explorer.text.languages import known_languages

FILE = Path(resources.__file__).parent / "glossary.toml"
_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_JAX = frozenset(("", "jax", "random", "jr", "jrandom", "tree", "tree_util", "lax", "self"))
"""Modules whose names have JAX's meaning: the split of a string is not that of keys."""
_NUMPY = frozenset(("np", "numpy"))


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One term.

    Attributes:
        id: its id in other terms, links and tests.
        text: a sentence or two, code in it between backticks.
        words: its names in code, jaxprs and HLO.
        see: ids of other terms.
        lesson: the id of the lesson that teaches it; empty for none.
    """

    id: str
    title: Texts
    text: Texts
    words: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    lesson: str = ""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    term: tuple[Term, ...]


@functools.cache
def terms() -> dict[str, Term]:
    """Return every term by its id, in the order of the file, which groups related terms."""
    return {each.id: each for each in read(tomllib.loads(FILE.read_text(encoding="utf-8")), _File).term}


CHECK = "check:"
"""The prefix of the id of an entry about a kind of finding."""


@functools.cache
def entries() -> dict[str, Term]:
    """Return every entry of the glossary by its id: the terms, then a page for each kind of finding."""
    pages = {f"{CHECK}{kind}": check for kind, check in checks().items()}
    return terms() | {
        name: Term(
            name,
            Texts(check.id),
            _page(check),
            lesson=check.lesson(),
        )
        for name, check in pages.items()
    }


def _page(check: Check) -> Texts:
    english, *others = ((each, page.body(check, each, depth=4)) for each in known_languages())
    return Texts(english[1], **dict(others))


@functools.cache
def _by_word() -> dict[str, Term]:
    return {word: term for term in terms().values() for word in term.words}


def term_at(line: str, column: int) -> Term | None:
    """Return the term for the word at `column` of a line of code, jaxpr or HLO; None for any other name."""
    for name in _NAME.finditer(line):
        if name.start() <= column <= name.end():
            end = name.end() if (dot := line.find(".", column, name.end())) < 0 else dot
            *owners, word = line[name.start() : end].split(".")
            is_meant = (owners or [""])[-1] in _JAX and (owners or [""])[0] not in _NUMPY
            return _by_word().get(word) if is_meant else None
    return None


def found(words: str, language: str) -> list[Term]:
    """Return the terms that have every one of `words`: those with one of them in their name first."""
    wanted = words.casefold().split()
    here = [each for each in entries().values() if all(word in _all_of(each, language) for word in wanted)]
    return sorted(here, key=lambda each: not any(word in _name_of(each, language) for word in wanted))


def _name_of(term: Term, language: str) -> str:
    """Return its name in `language` and in English, which code is written in."""
    return f"{term.title.text(language)} {term.title.text('en')} {' '.join(term.words)}".casefold()


def _all_of(term: Term, language: str) -> str:
    return f"{_name_of(term, language)} {term.text.text(language)}".casefold()
