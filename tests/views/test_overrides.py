"""Exceptions in overrides of Qt's virtual functions."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.views.made import hold
from views.parts.labels import ElidedLabel


class Failing(ElidedLabel):
    """A view with a mistake in an override."""

    def event(self, event: QEvent) -> bool:
        return bool([][event.type().value]) if event.type() == QEvent.Type.User else super().event(event)


def test_a_mistake_in_an_override_does_not_end_the_process(qtbot: QtBot) -> None:
    with pytest.raises(IndexError, match="out of range"):
        QApplication.sendEvent(hold(qtbot, Failing()), QEvent(QEvent.Type.User))
