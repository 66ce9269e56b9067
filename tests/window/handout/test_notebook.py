from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from explorer.window.handout import notebook, panes
from tests.window.handout.examples import SOURCE, handout, lesson


@pytest.fixture
def made(qapp: QApplication) -> dict[str, Any]:
    return json.loads(notebook.notebook(handout()))  # type: ignore[no-any-return]


def cells(made: dict[str, Any], kind: str) -> Iterator[str]:
    return (each["source"] for each in made["cells"] if each["cell_type"] == kind)


def test_it_is_a_notebook(made: dict[str, Any]) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbformat.validate(made)


def test_the_code_runs_from_top_to_bottom(made: dict[str, Any]) -> None:
    run: dict[str, Any] = {"__name__": "__main__"}
    for source in cells(made, "code"):
        exec(compile(source, "cell", "exec"), run)
    assert run["call"](run["twice"], n=3) == 6


def test_what_a_script_does_by_itself_is_left_out() -> None:
    assert notebook.without_main(SOURCE).endswith("raise ValueError(x)")


def test_a_call_has_the_parameters_of_its_page_and_one_that_fails_shows_how(made: dict[str, Any]) -> None:
    calls = [source for source in cells(made, "code") if "call(" in source and "def call" not in source]
    assert calls[0] == "call(twice, n=3)"
    assert calls[1].startswith("try:\n    call(fails)\nexcept Exception as error:")


def test_an_exercise_has_a_cell_with_its_function_to_work_in(made: dict[str, Any]) -> None:
    place = next(number for number, cell in enumerate(made["cells"]) if "Make it five." in cell["source"])
    assert made["cells"][place + 1]["source"] == "def twice(x):\n    return 2 * x\n\n\ncall(twice)"


def test_the_dtype_of_a_key_is_copied_as_it_is(qapp: QApplication) -> None:
    task = replace(lesson().tasks[0], text="`key<fry>[2]` and `key<rbg>`, `key<b>`")
    made = json.loads(notebook.notebook(handout(replace(lesson(), tasks=(task,)))))
    assert any("`key<fry>[2]` and `key<rbg>`, `key<\u2060b>`" in source for source in cells(made, "markdown"))


def test_answers_are_folded_with_their_pictures(made: dict[str, Any]) -> None:
    folded = next(each for each in made["cells"] if "**B: 4**" in each["source"])
    assert folded["source"].startswith("<details>")
    assert folded["source"].endswith("</details>")
    assert [*folded["attachments"]] == ["page-1-1.png"]
    assert "![twice 4, as it should be.](attachment:page-1-1.png)" in folded["source"]


HOSTILE = "<img src=http://a.example/1> ![x](http://a.example/2) ![x][r] ![x](../b.png) ` <svg onload=f()>\n\n` </p>"
"""HTML and pictures from elsewhere, also where a reader of Markdown could take them for code, and not."""


def test_nothing_of_a_lesson_is_html_or_a_picture_from_elsewhere_and_its_own_pictures_go_along(
    qapp: QApplication, tmp_path: Path
) -> None:
    picture = QImage(4, 4, QImage.Format.Format_RGB32)
    picture.fill(0)
    assert picture.save(str(tmp_path / "a.png"))
    first = lesson()
    text = f"{HOSTILE}\n\n![own](a.png)\n\n[r]: http://a.example/3"
    sheets = [
        replace(
            each,
            heading=f"{HOSTILE}",
            text=text,
            reveal=text,
            remark=HOSTILE,
            folder=str(tmp_path),
            ask=each.ask and replace(each.ask, text=HOSTILE, choices=(HOSTILE, "4")),
            figures=tuple(replace(figure, title=HOSTILE, caption=HOSTILE) for figure in each.figures),
            listings=tuple(replace(listing, title=HOSTILE) for listing in each.listings),
        )
        for each in first.sheets
    ]
    hostile = replace(
        first,
        title=HOSTILE,
        problem=HOSTILE,
        sheets=tuple(sheets),
        tasks=tuple(replace(each, text=HOSTILE, outcome=HOSTILE) for each in first.tasks),
        found=tuple(replace(each, sentence=HOSTILE) for each in first.found),
        variants=tuple((name, HOSTILE) for name, _ in first.variants),
    )
    made = json.loads(notebook.notebook(handout(hostile)))
    ours = re.compile("</?(details|summary)>")
    for cell in made["cells"]:
        if cell["cell_type"] == "markdown":
            assert re.findall("<[A-Za-z/!?]", ours.sub("", cell["source"])) == []
            assert cell["source"].count("<details>") == cell["source"].count("</details>")
            shown = re.findall(r"(?<!\\)!\[[^\]]*\](.*)", cell["source"])
            assert all(each.startswith("(attachment:") for each in shown)
            assert len(set(shown)) == len(cell.get("attachments", {}))
    assert sum("image/png" in each for cell in made["cells"] for each in cell.get("attachments", {}).values()) == 5


def test_no_listing_ends_before_its_end(qapp: QApplication) -> None:
    first = lesson()
    text = "a\n```\n<b>\n````\n"
    sheet = replace(first.sheets[1], listings=(panes.plain("stdout", text),))
    made = json.loads(notebook.notebook(handout(replace(first, sheets=(sheet,)))))
    (cell,) = (each for each in cells(made, "markdown") if "<b>" in each)
    assert cell.count("`````") == 2
