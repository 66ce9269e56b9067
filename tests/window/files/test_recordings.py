"""Recordings in the window: shown whole, and nothing runs."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QPushButton, QTextBrowser, QWidget

from explorer import app
from explorer.library import library, recording_file
from explorer.library.code_files import UnreadableCode
from explorer.messages import TOP_LEVEL, LineType, Program, Report
from explorer.window import connections
from tests.library.hostile_recordings import hostile
from tests.library.recorded import SOURCE, recorded
from tests.window.ui import Ui, finish_steps
from views.program.program_view import ProgramView


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "noisy.jaxrec"
    recording_file.write(path, recorded())
    return path


def test_all_panes_show_the_recorded_run_and_nothing_runs(ui: Ui, path: Path) -> None:
    connections.add_plots(ui.window, ui.session, ui.desk)
    asked = len(ui.client.asked)
    # The run of what is open before is of no use any more.
    ui.client.running = ui.client.asked[-1]
    assert ui.desk.files.open_by_id(str(path))
    assert ui.client.stops == 1
    ui.client.running = None
    finish_steps(ui.window)
    assert ui.window.code.source() == SOURCE
    assert ui.window.code.text.isReadOnly()
    snapshot = ui.session.snapshot
    assert [each.kind for each in snapshot.reports[0].findings or ()] == ["shared-noise"]
    assert not ui.session.stale
    assert "Nothing runs here." in ui.window.notice.accessibleName()
    assert not ui.window.area.program.isVisible(), "there is something to be seen in another pane"
    ui.desk.on_command("present")
    QApplication.processEvents()
    assert "Nothing runs here." in ui.window.notice.accessibleName()
    buttons = ui.window.notice.findChildren(QPushButton)
    assert not any(each.isVisible() for each in buttons)
    assert ui.window.notice.height() < 2 * QFontMetrics(ui.window.notice.font()).height() + 12
    ui.desk.on_command("present")
    assert any(each.isVisible() for each in buttons)
    area = ui.window.area.by_name
    for pane in (area["program"], area["timing"]):
        assert "Open as a program" in sentences(pane)
    assert "printed nothing, or it was not kept" in sentences(ui.window.output)
    ui.window.action("run").trigger()
    assert len(ui.client.asked) == asked


@pytest.mark.rest
def test_the_output_is_shown_as_text(ui: Ui, path: Path) -> None:
    run = recorded()
    printed = "loss 0.1\n<b>loss</b> 0.2\n" + "x" * 10**6
    recording_file.write(
        path, msgspec.structs.replace(run, report=msgspec.structs.replace(run.report, printed=printed))
    )
    ui.desk.files.open_by_id(str(path))
    finish_steps(ui.window)
    text = ui.window.output.findChild(QPlainTextEdit)
    lines = text.toPlainText().split("\n")
    assert lines[1:3] == ["loss 0.1", "<b>loss</b> 0.2"]
    assert "(output cut: 800,025 characters are left out here)" in lines
    assert "not kept" not in sentences(ui.window.output)


def sentences(pane: QWidget) -> str:
    """Return what `pane` says in labels and small texts."""
    labels = [each.text() for each in pane.findChildren(QLabel)]
    return " ".join([*labels, *(each.toPlainText() for each in pane.findChildren(QTextBrowser))])


def test_its_code_becomes_a_program_that_waits_to_be_run(ui: Ui, path: Path) -> None:
    ui.desk.files.open_by_id(str(path))
    asked = len(ui.client.asked)
    ui.window.notice.answered.emit("open_as_program")
    scenario = ui.session.workspace.scenario
    assert (scenario.origin, ui.window.code.source()) == ("new", SOURCE)
    assert len(ui.client.asked) == asked
    ui.window.notice.answered.emit("run")
    assert len(ui.client.asked) > asked


def test_what_was_open_before_is_forgotten(ui: Ui, path: Path, own: Path) -> None:
    ui.desk.files.open_by_id(str(path))
    ui.desk.files.open_by_id("first_jaxpr")
    assert ui.session.snapshot is None
    assert not ui.window.code.text.isReadOnly()


@pytest.mark.rest
def test_hostile_recordings_are_shown_or_refused(ui: Ui, path: Path) -> None:
    connections.add_plots(ui.window, ui.session, ui.desk)
    program = ui.window.findChild(ProgramView)
    program.look_through("memory")
    sound = path.read_bytes()
    for content in hostile(sound, 60, seed=7):
        path.write_bytes(content)
        assert ui.desk.files.open_by_id(str(path))
        ui.window.grab()
    path.write_bytes(sound)
    ui.desk.files.open_by_id(str(path))
    assert ui.session.snapshot.reports[0].name == TOP_LEVEL


def test_the_types_of_its_lines_are_shown_where_it_has_them(ui: Ui, path: Path) -> None:
    run = recorded()
    program = Program("jaxpr", "", line_types={6: ((LineType("f32[4]", (8,)),),)})
    recording_file.write(
        path, msgspec.structs.replace(run, report=msgspec.structs.replace(run.report, program=program))
    )
    connections.add_plots(ui.window, ui.session, ui.desk)
    ui.desk.files.open_by_id(str(path))
    finish_steps(ui.window)
    asked = len(ui.client.asked)
    ui.window.action("line_types").trigger()
    assert ui.window.code.text.marks.types == {5: "f32[4] · 8×"}
    assert "Open as a program" in sentences(ui.window.area.by_name["program"])
    assert not ui.session.stale
    assert len(ui.client.asked) == asked
    recording_file.write(
        path,
        msgspec.structs.replace(run, report=msgspec.structs.replace(run.report, program=program), source="x = 1\n"),
    )
    with pytest.raises(UnreadableCode, match="a type is of a line that is not there"):
        recording_file.read(path)


def test_a_recording_named_at_the_start_is_seen_before_any_lesson(ui: Ui, path: Path, tmp_path: Path) -> None:
    asked = len(ui.client.asked)
    app.open_first(ui.session, ui.desk, library.open_target("first_jaxpr"), recording=str(path))
    assert ui.window.code.source() == SOURCE
    assert len(ui.client.asked) == asked
    # Without a recording the lesson behind it runs.
    app.open_first(ui.session, ui.desk, library.open_target("first_jaxpr"), recording=str(tmp_path / "none.jaxrec"))
    assert len(ui.client.asked) == asked + 1


@pytest.mark.rest
def test_a_recording_without_arrays_is_no_empty_pane(ui: Ui, path: Path) -> None:
    recording_file.write(path, msgspec.structs.replace(recorded(), report=Report(TOP_LEVEL, "ok")))
    connections.add_plots(ui.window, ui.session, ui.desk)
    ui.desk.files.open_by_id(str(path))
    finish_steps(ui.window)
    assert "Open as a program" in sentences(ui.window.area.by_name["noise"])
