from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from explorer.window.handout import notebook
from tests.window.handout.examples import SOURCE, handout


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


def test_answers_are_folded_with_their_pictures(made: dict[str, Any]) -> None:
    folded = next(each for each in made["cells"] if "**B: 4**" in each["source"])
    assert folded["source"].startswith("<details>")
    assert folded["source"].endswith("</details>")
    assert [*folded["attachments"]] == ["page-1-1.png"]
    assert "![twice 4, as it should be.](attachment:page-1-1.png)" in folded["source"]
