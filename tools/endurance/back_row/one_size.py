"""Presents lessons on a screen of one size and writes the measurements of each page, a line of JSON for each.

Arguments: a folder for pictures or an empty word; themes, languages and lessons, each list with commas; a number where
each lesson is shown in one theme.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import traceback
from pathlib import Path

from tools.endurance.back_row.pages import PageSeen, Walk, Worn
from tools.endurance.desk import RealDesk


def main() -> None:
    pictures, themes, languages, lessons, turn = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        desk = RealDesk(Path(folder))
        worn = Worn(tuple(themes.split(",")), tuple(languages.split(",")), int(turn) if turn else None)
        walk = Walk(desk, worn, pictures)
        for lesson in lessons.split(","):
            try:
                for page in walk.lesson(lesson):
                    _write(_record(page))
            except Exception:
                _write({"trouble": f"{lesson}: {traceback.format_exc()}"})
            if trouble := desk.take_troubles():
                _write({"trouble": f"{lesson}: {trouble}"})
        desk.close()
    sys.stdout.flush()
    # Python and Qt do not always agree on who goes first, and nothing is left to be done.
    os._exit(0)


def _record(page: PageSeen) -> dict[str, object]:
    under = [
        {
            "words": text.words,
            "painter": text.painter,
            "place": text.place,
            "capital": text.capital,
            "contrast": text.contrast,
            "cut": text.cut,
            "faults": text.faults,
        }
        for text in page.texts
        if text.faults
    ]
    names = {"lesson": page.lesson, "page": page.page, "theme": page.theme, "language": page.language}
    return {**names, "texts": len(page.texts), "under": under}


def _write(record: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(record) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
