"""The parts that are loaded after the first picture, step by step."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QListWidget

from explorer.library import library
from explorer.library.settings import Settings
from explorer.link.command import WorkerState
from explorer.messages import (
    Array,
    Coverage,
    EquationValue,
    Finding,
    Focus,
    LensAnswer,
    LensRequest,
    Measurement,
    Note,
    Report,
    Snapshot,
    TimingDone,
    ValueRequest,
    Variant,
)
from explorer.messages.lenses import Extra, Piece
from explorer.session.controls import Activity
from explorer.text.text import say
from explorer.window import connections
from explorer.window.panes import SPECS
from tests.views.made import picture
from tests.views.noise.test_value_of_equation import FINE, iterations
from tests.views.program.lenses.lens_answers import GRADIENT, ROWS
from tests.views.program.shown import PROGRAM, first_text
from tests.views.timing.test_timing_view import choose_page
from tests.window.ui import Ui
from views.noise.noise_view import NoiseView
from views.parts.steps import GradualWork
from views.program.program_view import ProgramView
from views.timing.page_stack import ONE_CALL
from views.window.layout import PANES

AT_FIRST_PICTURE = """
import os, sys
from explorer import app
from explorer.link.client import WorkerClient

def at_first_picture(window, session, desk, **_):
    assert window.windowHandle().isExposed()
    print(*sorted(sys.modules), flush=True)
    os._exit(0)

WorkerClient.start = lambda self: None
app.rest = at_first_picture
app.main("one_key_for_the_batch")
"""


@pytest.mark.rest
def test_the_first_picture_waits_for_no_arrays_and_no_plots(tmp_path: Path) -> None:
    own = {f"XDG_{kind}_HOME": str(tmp_path) for kind in ("CONFIG", "STATE", "DATA", "CACHE")}
    done = subprocess.run(
        [sys.executable, "-c", AT_FIRST_PICTURE],
        env={**os.environ, **own, "QT_QPA_PLATFORM": "offscreen"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    loaded = set(done.stdout.split())
    assert "views.code.code_view" in loaded
    assert not loaded & {"numpy", "pyqtgraph", "jax", "importlib.metadata", "views.noise.noise_view"}


@pytest.mark.rest
@pytest.mark.parametrize("done", [0, 2, 4, 30])
def test_a_window_whose_language_changes_while_it_is_made_has_each_part_once(qapp: QApplication, done: int) -> None:
    ui = Ui(qapp, Settings())
    before = ui.window
    ui.desk.take_up(library.open_target("one_key_for_the_batch"))
    steps = connections.plots(ui.window, ui.session, ui.desk)
    for _ in zip(range(done), steps, strict=False):
        pass
    GradualWork(ui.window, steps)
    ui.desk.on_command("language_ko")
    window = ui.window
    assert window is not before
    assert len(window.findChildren(NoiseView)) == 1
    assert [pane.view is not None for pane in window.area.panes] == [True] * 4
    ui.close()


def test_a_lens_is_asked_for_and_what_it_shows_outlives_the_language_of_the_window(ui: Ui) -> None:
    connections.add_plots(ui.window, ui.session, ui.desk)
    run, (variant, *_) = ui.client.request.run, ui.client.request.variants
    report = Report(variant, "ok", program=PROGRAM, lenses=("gradient",))
    ui.client.message_received.emit(Snapshot(run, "cpu:0", True, reports=(report,)))
    for view in ui.window.findChildren(ProgramView):
        view.look_through("gradient")
    asked = ui.client.last(LensRequest)
    assert (asked.variant, asked.lens, asked.about_run) == (variant, "gradient", run)
    ui.client.message_received.emit(LensAnswer(asked.run, run, variant, "gradient", GRADIENT))
    ui.session.choose_focus(Focus("equation", 0, variant))
    question = ui.client.last(ValueRequest)
    ui.client.say(EquationValue(question.run, run, variant, 0, iterations=iterations(FINE)))
    noise = ui.window.area.noise.view
    assert noise.iterations.isVisibleTo(noise)
    ui.desk.on_command("language_ko")
    view = ui.window.area.program.view
    assert "\nAgree to 5 digits." in first_text(view)


@pytest.mark.rest
def test_another_language_asks_the_worker_nothing_and_all_that_it_reported_stands_in_it(ui: Ui) -> None:
    connections.add_plots(ui.window, ui.session, ui.desk)
    run, (variant, other) = ui.client.request.run, ui.client.request.variants
    finding = Finding("shared-noise", "bug", say("{sizes} examples share {keys}", sizes=2, keys=say("one key")))
    look = Coverage("tracing", "whole", say("tracing"), say("clean"), sentence=say("The program uses no random keys."))
    report = Report(variant, "ok", program=PROGRAM, lenses=("gradient",), findings=(finding,), coverage=(look,))
    variants = (Variant(variant, 1), Variant(other, 2))
    ui.client.say(Snapshot(run, "cpu:0", True, variants=variants, reports=(report, Report(other, "ok")), elapsed_s=0.5))
    for view in ui.window.findChildren(ProgramView):
        view.look_through("gradient")
    noted = say("Outputs that are not floats are left out: they have no gradient.")
    lens = msgspec.structs.replace(GRADIENT, summary=(Piece(noted),))
    ui.client.say(LensAnswer(ui.client.asked[-1].run, run, variant, "gradient", lens))
    ui.session.timings.start()
    timed = ui.client.asked[-1].run
    samples = {"median_s": 1.0, "samples_s": Array.of([1.0] * 3), "calls_per_sample": 1}
    doubt = Note("numpy inputs", say("NumPy arrays are copied to the device in every call: {names}", names="x"))
    ui.client.say(Measurement(timed, variant, ("jit",), {}, "cpu:0", notes=(doubt,), **samples))
    ui.client.say(TimingDone(timed, 1.0))
    asked = list(ui.client.asked), list(ui.client.asked_ahead), list(ui.client.questions)
    english, state = texts_in(ui), ui.window.status.state.text()
    ui.desk.on_command("language_ko")
    korean = texts_in(ui)
    assert "" not in (state, ui.window.status.state.text())
    assert state != ui.window.status.state.text()
    assert (ui.client.asked, ui.client.asked_ahead, ui.client.questions) == asked
    sentences = (finding.message, look.says, look.sentence, noted, doubt.text)
    assert [each.in_language("en") in english for each in sentences] == [True] * 5
    assert [each.in_language("ko") in korean for each in sentences] == [True] * 5
    assert [each.in_language("en") in korean for each in sentences] == [False] * 5
    ui.desk.on_command("language_en")
    assert (texts_in(ui), ui.window.status.state.text()) == (english, state)


def texts_in(ui: Ui) -> str:
    """Return all that findings, lens and the times say in the window."""
    window = ui.window
    rows = window.findings.findChild(QListWidget)
    texts = [rows.item(number).toolTip() for number in range(rows.count())]
    texts += [rows.item(number).data(Qt.ItemDataRole.AccessibleTextRole) for number in range(rows.count())]
    program = window.area.program.view
    texts.append(first_text(program))
    timing = window.area.timing.view
    choose_page(timing, ONE_CALL)
    texts += [label.text() for label in timing.findChildren(QLabel)]
    return "\n".join(texts)


@pytest.mark.rest
def test_what_a_lens_offers_is_asked_for_and_shown(ui: Ui) -> None:
    connections.add_plots(ui.window, ui.session, ui.desk)
    run, (variant, *_) = ui.client.request.run, ui.client.request.variants
    report = Report(variant, "ok", program=PROGRAM, lenses=("gradient",))
    ui.client.message_received.emit(Snapshot(run, "cpu:0", True, reports=(report,)))
    view, noise = ui.window.area.program.view, ui.window.area.noise.view
    view.look_through("gradient")
    asked = ui.client.last(LensRequest)
    ui.client.message_received.emit(LensAnswer(asked.run, run, variant, "gradient", GRADIENT))
    view.rerun_requested.emit(ROWS)
    wanted = ui.client.last(LensRequest)
    assert (wanted.variant, wanted.rerun) == (variant, "rows")
    jacobian = picture([1.0, 2.0], "Jacobian: f32[2]", "Jacobian", "value")
    lens = msgspec.structs.replace(GRADIENT, extra=Extra(pictures=(jacobian,), sentence="Row i."))
    ui.client.message_received.emit(LensAnswer(wanted.run, run, variant, "gradient", lens))
    assert noise.halves[0].picture == jacobian


@pytest.mark.rest
def test_every_pane_has_its_view_and_greys_it_by_what_it_shows(ui: Ui) -> None:
    connections.add_plots(ui.window, ui.session, ui.desk)
    area = ui.window.area
    assert tuple(SPECS) == PANES == tuple(area.by_name)
    assert [pane.view is not None for pane in area.panes] == [True] * len(PANES)
    over = Activity(WorkerState("idle"), True, True, rest_stale=False, timing_stale=False, due=False)
    assert {name: spec.age(over, ui.session).outdated for name, spec in SPECS.items()} == {
        "keys": False,
        "noise": False,
        "program": True,
        "timing": False,
    }
