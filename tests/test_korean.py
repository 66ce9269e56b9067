"""The Korean of all texts: the words and forms of docs/glossary-ko.md, and particles that fit inserted words."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from explorer.text.josa import PARTICLES, josa
from resources.translations import FOLDER, ROOT, worker

GLOSSARY = (ROOT / "docs" / "glossary-ko.md").read_text(encoding="utf-8")
HANGUL = re.compile("[가-힣]")
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
FIXED_PARTICLE = re.compile(r"\}(?:은|는|이|가|을|를|와|과|으?로|이?라는)(?:는|도|만)?(?![가-힣])")
"""A fixed particle after an inserted word."""
WRITTEN_PARTICLE = re.compile(
    r"\b(?:([A-Za-z0-9_]+)[)\]`*]{0,3}(은|는|이|가|을|를|과|와|으로|로|라는|이라는)|([가-힣]+?)(을|를|으로))"
    r"(?![가-힣])"
)
"""A particle after a written word: English, or Korean with an unambiguous ending."""
READ_OTHERWISE = {"Tab은", "부을", "지을", "이을", "모을"}
"""Where the table of sounds does not know the word, and where a verb ends alike."""
ASIDE = re.compile(r"(?<=[가-힣\]])\([^()]*\)")
"""A bracket after a Korean word or a link: the particle follows the word."""


@cache
def texts() -> list[tuple[str, str]]:
    """Return (place, text) of every Korean text, without code in backticks."""
    return [(place, CODE.sub("`…`", text)) for place, text in _texts()]


def _texts() -> Iterator[tuple[str, str]]:
    for folder in (ROOT / "scenarios", ROOT / "resources"):
        for path in sorted(folder.rglob("story.ko.md")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                yield f"{path.relative_to(ROOT)}:{number}", line
        for path in sorted(folder.rglob("*.toml")):
            for text in texts_in("ko", tomllib.loads(path.read_text(encoding="utf-8"))):
                yield str(path.relative_to(ROOT)), text
    for source, text in window_texts():
        yield f"jax-explorer_ko.ts, {source}", text
    for each in worker.catalogue(FOLDER / "worker_ko.po"):
        if each.id:
            yield f"worker_ko.po, {each.id}", str(each.string)
    for path in _code():
        for text in _strings(ast.parse(path.read_text(encoding="utf-8"))):
            if HANGUL.search(text):
                yield str(path.relative_to(ROOT)), text


def texts_in(language: str, sheet: object) -> Iterator[str]:
    """Yield the texts under the name of `language` anywhere in `sheet`."""
    if isinstance(sheet, dict):
        for name, part in sheet.items():
            yield from [part] if name == language and isinstance(part, str) else texts_in(language, part)
    elif isinstance(sheet, list):
        for part in sheet:
            yield from texts_in(language, part)


def window_texts() -> list[tuple[str, str]]:
    """Return (English, Korean) of the window's texts."""
    messages = ElementTree.parse(FOLDER / "jax-explorer_ko.ts").iter("message")
    return [(each.findtext("source", ""), each.findtext("translation", "")) for each in messages]


def not_written() -> list[tuple[str, str]]:
    """Return (the Korean form, the forms to avoid) of each row of the glossary."""
    rows = [line.strip().strip("|").split(" | ") for line in GLOSSARY.splitlines() if line.startswith("| ")]
    return [(row[1], form) for row in rows if len(row) == 3 for form in re.findall(r"`([^`]+)`", row[2])]


@pytest.mark.parametrize(("right", "wrong"), not_written())
def test_no_text_has_a_word_or_form_that_the_glossary_rules_out(right: str, wrong: str) -> None:
    found = [f"{place}: {text}" for place, text in texts() if re.search(wrong, text)]
    assert found == [], f"write: {right}"


def test_no_particle_stands_fixed_behind_a_word_that_is_filled_in() -> None:
    assert [f"{place}: {text}" for place, text in texts() if FIXED_PARTICLE.search(text)] == [], "write {name:은}"


def test_particles_behind_a_word_that_is_filled_in_are_named_in_one_way() -> None:
    behind = re.compile(r"\{\w+:([가-힣]+)\}")
    assert [text for _, text in texts() for each in behind.findall(text) if each not in PARTICLES] == []


def test_particles_that_are_written_out_fit_their_words() -> None:
    after_consonant = {particle: each for each, other in PARTICLES.items() for particle in (each, other)}
    wrong = [
        f"{place}: {found[0]}"
        for place, text in _texts()
        if not place.endswith(".py")
        for found in WRITTEN_PARTICLE.finditer(ASIDE.sub("", text))
        for word, particle in [(found[1], found[2]) if found[1] else (found[3], found[4])]
        if found[0] not in READ_OTHERWISE and josa(word, after_consonant[particle]) != particle
    ]
    assert wrong == []


@pytest.mark.rest
def test_window_texts_with_particles_are_filled_in_by_what_knows_them() -> None:
    particle = re.compile(r"\{\w*:(?:" + "|".join(PARTICLES) + r")\}")
    with_particles = {source for source, text in window_texts() if particle.search(text)}
    assert with_particles
    assert with_particles <= set(_given_to_filled())


def _given_to_filled() -> Iterator[str]:
    """Return the texts in the first argument of each call of ``filled`` in the window's code."""
    for path in _code():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "filled":
                yield from _strings(node.args[0])


def _code() -> Iterator[Path]:
    return (path for folder in ("explorer", "views") for path in (ROOT / folder).rglob("*.py"))


def _strings(tree: ast.AST) -> Iterator[str]:
    return (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
