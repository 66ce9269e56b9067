"""The options of the back row: lessons, screens, themes and languages."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from explorer.text.languages import known_languages

SIZES = ("1920x1080", "1280x720", "1024x768")
THEMES = ("light", "dark", "projector")
LANGUAGES = known_languages()


@dataclass(frozen=True)
class Grid:
    """The chosen combinations; no lessons: all of them."""

    lessons: tuple[str, ...] = ()
    sizes: tuple[str, ...] = SIZES
    themes: tuple[str, ...] = THEMES
    languages: tuple[str, ...] = LANGUAGES
    pictures: str = ""
    """Folder for a picture of each page; empty for none."""
    in_turn: bool = False
    """Each lesson in one theme alone, another at each size and in each language."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let `parser` ask for a grid."""
    of_back_row = parser.add_argument_group("of back_row")
    of_back_row.add_argument("--lessons", nargs="*", default=[], metavar="ID", help="all where none is named")
    of_back_row.add_argument("--sizes", nargs="*", default=SIZES, metavar="WIDTHxHEIGHT")
    of_back_row.add_argument("--themes", nargs="*", default=THEMES, choices=THEMES)
    of_back_row.add_argument("--languages", nargs="*", default=LANGUAGES, choices=LANGUAGES)
    of_back_row.add_argument("--in-turn", action="store_true", help="a theme a lesson, another at each size")
    of_back_row.add_argument("--pictures", default="", metavar="FOLDER", help="where each page is saved as a picture")


def grid_of(asked: argparse.Namespace) -> Grid:
    """Return the grid that `asked` names."""
    lessons, sizes, themes, languages = asked.lessons, asked.sizes, asked.themes, asked.languages
    pictures = str(Path(asked.pictures).absolute()) if asked.pictures else ""
    return Grid(tuple(lessons), tuple(sizes), tuple(themes), tuple(languages), pictures, asked.in_turn)
