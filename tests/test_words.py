"""The English of all texts for people keeps to the words of docs/words.md."""

from __future__ import annotations

import argparse
import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache

import pytest

from explorer.commands.parser import parser
from resources.translations import FOLDER, ROOT, worker
from tests.test_korean import CODE, texts_in, window_texts

TABLE = (ROOT / "docs" / "words.md").read_text(encoding="utf-8")
MEANT = (
    # In its ordinary sense.
    "Each round runs one block of every curve",
    "the few places where it matters",
    "each operation has a place",
    "for each place of the program its iterations",
    # Titles.
    "What jit sees",
    "What it costs",
    "What each example wants",
    "What is kept",
    "What a shared key costs",
    "What vmap did to each line",
)
"""Parts of texts in which such a word is intended."""
DIALECT = re.compile(
    r"^(What|Whose|Of what|Of whom)\b|^(Return|Yield|Say|Tell) (what|which|who|of)\b"
    r"|\b(told|mend(s|ed|ing)?|stand-ins?|way (back|there)|shall|somebody|nobody|the persons?|persons')\b"
)
"""Words that the first line of a docstring avoids: it is a noun phrase, or an imperative, in the field's words."""
PRODUCT = ("explorer", "views", "jax_explorer", "resources")


def unwanted() -> list[str]:
    """Return the regular expressions of unwanted words."""
    rows = [row for row in TABLE.splitlines() if row.startswith("| ") and "`" in row]
    return [each for row in rows for each in re.findall(r"`([^`]+)`", row.split(" | ", 2)[2])]


@cache
def texts() -> list[tuple[str, str]]:
    """Return (place, text) of every English text, without code in backticks and blocks, and without the exceptions."""
    meant = re.compile("|".join(map(re.escape, MEANT)))
    return [(place, meant.sub("…", " ".join(CODE.sub("`…`", text).split()))) for place, text in _texts()]


def _texts() -> Iterator[tuple[str, str]]:
    for source, _ in window_texts():
        yield "the window", source
    for each in worker.catalogue(FOLDER / "worker_ko.po"):
        yield "the worker", str(each.id)
    for path in sorted((ROOT / "scenarios").rglob("story.en.md")):
        yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
    for path in [*(ROOT / "resources").glob("*.toml"), *sorted((ROOT / "scenarios").rglob("scenario.toml"))]:
        for text in texts_in("en", tomllib.loads(path.read_text(encoding="utf-8"))):
            yield str(path.relative_to(ROOT)), text
    for path in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]):
        if path.name not in ("words.md", "glossary-ko.md"):
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
    for name, each in _parsers(parser()):
        yield f"{name} --help", each.format_help()


def _parsers(whole: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    yield whole.prog, whole
    for action in whole._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from _parsers(each)


@pytest.mark.parametrize("words", unwanted())
def test_a_text_keeps_to_the_words_of_the_table(words: str) -> None:
    pattern = re.compile(words, re.IGNORECASE)
    found = [
        f"{place}: …{match.string[max(0, match.start() - 40) : match.end() + 40]}…"
        for place, text in texts()
        for match in pattern.finditer(text)
    ]
    assert found == []


def test_the_table_is_read() -> None:
    assert len(unwanted()) > 15


def first_lines() -> Iterator[tuple[str, str]]:
    """Yield (place, first line) of every docstring of the product."""
    for path in sorted([ROOT / "start.py", *(each for name in PRODUCT for each in (ROOT / name).rglob("*.py"))]):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            if is_documented and (docstring := ast.get_docstring(node)):
                yield f"{path.relative_to(ROOT)}:{node.body[0].lineno}", docstring.partition("\n")[0]


def test_the_first_line_of_a_docstring_is_in_the_words_of_the_field() -> None:
    assert [f"{place}: {line}" for place, line in first_lines() if DIALECT.search(line)] == []


def test_the_window_calls_a_lesson_a_lesson() -> None:
    named = [text for text, _ in window_texts() if re.search(r"scenario(?!\.toml)", text, re.IGNORECASE)]
    assert named == []
