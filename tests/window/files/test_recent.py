"""File > Open recent."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMenu, QMessageBox

from explorer.library import settings
from tests.window.place import Place, answer


def listed(place: Place) -> list[str]:
    """Return what the menu lists when it is opened."""
    next(each for each in place.window.menuBar().findChildren(QMenu) if each.title() == "&File").aboutToShow.emit()
    actions = [place.window.action(f"recent_{number}") for number in range(1, 11)]
    return [action.text() for action in actions if action.isVisible()]


def test_what_was_open_is_listed_newest_first_and_kept_over_a_restart(
    place: Place, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    for target in ("selu_eager_or_jit", str(own), "selu_eager_or_jit", "one_key_for_the_batch"):
        place.desk.files.open_by_id(target)
    place.desk.on_command("new_file")
    first, second, third = listed(place)
    assert first == "&1 One key for the batch"
    assert second.startswith("&2 ")
    assert third == f"&3 own.py   {own.parent}"
    place.desk.on_command("recent_3")
    assert place.session.workspace.scenario.id == str(own)
    place.window.close()
    assert settings.load().recent == (str(own), "one_key_for_the_batch", "selu_eager_or_jit")


def test_there_are_ten_at_most(place: Place) -> None:
    for number in range(12):
        place.desk.recent.note(place.session.workspace.scenario.__class__(str(number), "mine", "", "", None))
    assert len(listed(place)) == 10


def test_what_is_gone_is_told_and_taken_off(place: Place, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    place.desk.files.open_by_id(str(own))
    place.desk.files.open_by_id("one_key_for_the_batch")
    own.unlink()
    place.desk.on_command("recent_2")
    assert "no longer exists" in place.window.notice.accessibleName()
    assert listed(place) == ["&1 One key for the batch"]
    place.desk.on_command("clear_recent")
    assert listed(place) == []
