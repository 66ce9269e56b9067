"""Words of a lesson and of a program are words wherever the window shows them: nothing reads them as HTML."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex
from PySide6.QtGui import QColor, QImage, Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QWidget

from explorer.library import library
from explorer.messages import Failure, Finding, Parameter, Report, Snapshot, Span, Variant
from explorer.text.text import verbatim
from explorer.window import connections
from tests.views.parts.opened_files import opened
from tests.window.ui import Ui

SHEET = """
title = { en = "WORDS" }

[[variants]]
name = "f"
title = { en = "WORDS" }

[[steps]]
variant = "f"
[steps.question]
text = { en = "WORDS" }
reasons = [{ en = "WORDS", holds = "draws == 0" }, { en = "b", holds = "draws == 1" }]
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux tells what is opened")
def test_no_word_of_a_lesson_or_a_program_is_read_as_html(ui: Ui, tmp_path: Path) -> None:
    outside = tmp_path / "outside.png"
    image = QImage(40, 333, QImage.Format.Format_RGB32)
    image.fill(QColor("#ff00ff"))
    assert image.save(str(outside))
    words = f"<img src='{outside}'>"
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "code.py").write_text(f"def inputs(n=1):\n    return {{'n': n}}\ndef f(n):\n    '''{words}'''\n", "utf-8")
    (folder / "scenario.toml").write_text(SHEET.replace("WORDS", words), "utf-8")
    (folder / "story.en.md").write_text(f"## {words}\n\n{words}\n\n---\n\n{words}\n", "utf-8")
    connections.add_plots(ui.window, ui.session, ui.desk)
    scenario = library.open_target(str(folder))
    assert scenario.problem == ""
    ui.desk.files.allow(scenario)
    found: set[str] = set()
    with opened([outside]) as seen:
        ui.desk.files.open_by_id(str(folder))
        ui.window.resize(1500, 900)
        ui.window.show()
        finding = Finding("key-reuse", "bug", verbatim(words), (Span(1, 0, 1, 3),))
        for failure in (None, Failure(words, words, Span(1, 0, 1, 3), words, words)):
            report = Report("f", "error" if failure else "ok", failure, words, findings=(finding,))
            variants, parameters = (Variant("f", 3, words),), (Parameter("n", words, words),)
            run = ui.client.request.run
            ui.client.say(Snapshot(run, words, True, parameters, variants, (report,), Failure(words, words)))
            ui.client.say(Snapshot(run, words, True, parameters, variants, (report,)))
            ui.session.choose_focus(None)
            for place in range(ui.desk.lesson.page.count):
                ui.desk.lesson.go_to(place, revealed=bool(failure))
                found |= _read_as_html(ui.window)
        ui.window.notice.tell(words)
        ui.window.status.tell(words)
        ui.desk.presentation.begin()
        found |= _read_as_html(ui.window)
        ui.desk.presentation.end()
    assert (found, seen) == (set(), set())


def _read_as_html(window: QWidget) -> set[str]:
    """Return the foreign words in labels, tips and helps of the window that Qt would read as HTML."""
    QApplication.processEvents()
    window.grab()
    # A widget that the collector destroys after Qt has listed it and before Python has wrapped it is a crash.
    gc.disable()
    try:
        return set(_foreign_words())
    finally:
        gc.enable()


def _foreign_words() -> Iterator[str]:
    for widget in QApplication.allWidgets():
        texts = [widget.toolTip()]
        if isinstance(widget, QLabel) and widget.textFormat() is not Qt.TextFormat.PlainText:
            texts.append(widget.text())
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            model = widget.model()
            for row in range(model.rowCount()):
                index = model.index(row, 0, QModelIndex())
                texts.append(str(index.data(Qt.ItemDataRole.ToolTipRole) or ""))
        yield from (f"{type(widget).__name__}: {each}" for each in texts if "<img" in each and Qt.mightBeRichText(each))
