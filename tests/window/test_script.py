"""A person's own script in the window: each pane says what it is about, and a finding moves all of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer.library import library
from explorer.messages import TOP_LEVEL, Equation, Finding, Focus, Program, Report, Span, Subject, Variant
from explorer.window import connections
from tests.views.keys.key_notation import key_graph
from tests.views.made import picture
from tests.views.program.shown import first_text
from tests.window.ui import Ui
from views.window.pane import SubjectButton

SPAN = Span(2, 4, 2, 20)


def subject(name: str, line: int) -> Subject:
    equation = Equation("add", Span(line, 0, line, 9), 0, 0, 0, "f32[]")
    return Subject(name, line + 20, 1, True, (line,), Program("jaxpr", f"program of {name}", (equation,)))


@pytest.fixture
def script(ui: Ui, tmp_path: Path) -> Ui:
    path = tmp_path / "train.py"
    path.write_text("x = 1\n" * 40, encoding="utf-8")
    ui.desk.take_up(library.open_target(str(path)))
    connections.add_plots(ui.window, ui.session, ui.desk)
    graph = key_graph("seed 42 > split 32 > each draw")
    site = next(number for number, each in enumerate(graph.sites) if each.operation == "draw")
    finding = Finding("shared-noise", "bug", "All rows are equal.", (SPAN,), sites=(site,), examples=4, distinct=1)
    drawn = picture(np.ones((4, 3)), "4 examples, 1 distinct row", "normal", "draw", span=graph.sites[site].span)
    known = subject("step", 5), subject("init", 2)
    report = Report(
        TOP_LEVEL,
        "ok",
        keys=graph,
        findings=(finding,),
        pictures=(picture(np.arange(6.0), "6 values"), drawn),
        program=known[0].program,
        subjects=known,
        subject="step",
    )
    ui.ran(report, variants=(Variant(TOP_LEVEL, 1),))
    return ui


def buttons(ui: Ui) -> list[str]:
    found = (each.findChild(SubjectButton) for each in ui.window.area.panes)
    return [each.text() for each in found if not each.isHidden()]


def test_its_panes_name_their_function_and_show_the_draw_of_its_worst_finding(script: Ui) -> None:
    area = script.window.area
    assert buttons(script) == ["step, line 25 ▾"] * 2
    assert first_text(area.program.view) == "program of step"
    assert area.noise.view.halves[0].picture.role == "draw"
    menu = area.timing.findChild(SubjectButton).menu()
    assert [(each.text(), each.isChecked()) for each in menu.actions()] == [
        ("step, line 25", True),
        ("init, line 22", False),
    ]
    menu.actions()[1].trigger()
    assert (buttons(script), first_text(area.program.view)) == (
        ["init, line 22 ▾"] * 2,
        "program of init",
    )


def test_a_finding_moves_them_and_an_array_that_is_chosen_stays(script: Ui) -> None:
    area = script.window.area
    noise = area.noise.view
    noise.show_picture_role("output")
    assert noise.halves[0].picture.role == "output"
    script.session.choose_focus(Focus("finding", 0, TOP_LEVEL))
    assert (buttons(script), first_text(area.program.view)) == (
        ["init, line 22 ▾"] * 2,
        "program of init",
    )
    assert noise.halves[0].picture.role == "draw"
