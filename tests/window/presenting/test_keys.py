"""The keys of a presentation."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

from explorer.window.presenting.keys import StageKeys
from tests.window.ui import Ui
from views.window.key_sheet import KeySheet


def test_no_key_means_two_things(ui: Ui) -> None:
    rows = StageKeys().rows()
    keys = [key.toString() for row in (*rows, *ui.window.commands) for key in row.keys if not row.in_code]
    assert len(keys) == len(set(keys))
    assert len({row.id for row in rows}) == len(rows)


def test_the_sheet_of_keys_shows_them_all(ui: Ui) -> None:
    ui.desk.on_command("keys")
    sheet = ui.window.whole.findChild(KeySheet)
    text = sheet.findChild(QLabel).text()
    sheet.close()
    assert "<b>While presenting</b>" in text
    for row in StageKeys().rows():
        assert f"<td>{row.name}</td><td>{', '.join(row.key_names)}</td>" in text


def test_on_a_small_stage_the_sheet_has_one_column(ui: Ui) -> None:
    ui.desk.on_command("present")
    ui.desk.on_command("keys")
    sheet = ui.window.whole.findChild(KeySheet)
    text = sheet.findChild(QLabel).text()
    sheet.close()
    assert text.index("<b>While presenting</b>") < text.index("<b>Run</b>")
    assert "</td><td><p>" not in text
