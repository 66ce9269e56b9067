"""Annotations: one line each, whatever the words are."""

from __future__ import annotations

from pathlib import Path

from explorer.commands.in_ci.problems import Place, Problem, github_text
from explorer.messages import Level, Span

ROOT = Path("/repository").absolute()


def line(message: str = "Two draws.", *places: Place, level: Level = "bug") -> str:
    return github_text([Problem("key-reuse", level, message, places)], ROOT)


def place(span: Span | None, words: str = "", file: str = "src/a.py") -> Place:
    return Place(str(ROOT / file), span, words)


def test_a_place_in_one_line_has_columns_from_1() -> None:
    written = line("Two draws.", place(Span(3, 4, 3, 9)))
    assert written == "::error file=src/a.py,line=3,endLine=3,col=5,endColumn=10,title=key-reuse::Two draws.\n"


def test_a_place_of_several_lines_has_no_columns() -> None:
    written = line("Two draws.", place(Span(3, 4, 5, 9)), level="warning")
    assert written == "::warning file=src/a.py,line=3,endLine=5,title=key-reuse::Two draws.\n"


def test_what_ends_a_command_or_a_property_is_escaped() -> None:
    written = line("100%\r\nof a: b, c::", place(None, file="src/50%, a:b.py"), level="note")
    assert written == "::notice file=src/50%25%2C a%3Ab.py,title=key-reuse::100%25%0D%0Aof a: b, c::\n"


def test_other_places_are_reported_below() -> None:
    written = line("Two draws.", place(Span(3, 0, 3, 9)), place(Span(7, 0, 7, 9), "used again here", "b.py"))
    assert written.endswith("::Two draws.%0Aused again here: b.py:7\n")


def test_a_file_elsewhere_has_its_whole_path_and_an_unknown_one_has_none() -> None:
    elsewhere = Path("/elsewhere/a.py").absolute()
    assert f"file={elsewhere.as_posix().replace(':', '%3A')}," in line("Two draws.", Place(str(elsewhere), None))
    assert line() == "::error title=key-reuse::Two draws.\n"
