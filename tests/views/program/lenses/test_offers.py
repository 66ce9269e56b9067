"""What is offered below a lens: a mend is looked for when the person asks, and made when they choose it."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from explorer.messages import Edit, Fix, Span
from explorer.messages.lenses.gradient import GradientLens
from tests.views.program.lenses.told import GRADIENT, opened, told
from views.program.lenses.gradient_rows import said
from views.program.lenses.page import LensPage
from views.program.program_view import ProgramView

FIX = Fix("Replace x, too", (Edit(Span(3, 0, 3, 1), "x", "jnp.where(x > 0, x, 1.0)"),))


def not_finite(**changes: object) -> GradientLens:
    assert GRADIENT.first_not_finite is not None
    first = msgspec.structs.replace(GRADIENT.first_not_finite, **changes)
    return msgspec.structs.replace(GRADIENT, first_not_finite=first)


def buttons(page: LensPage) -> list[QPushButton]:
    return [each for each in page.findChildren(QPushButton) if each.isVisible()]


def test_a_mend_is_looked_for_once_and_again_when_that_came_to_nothing(view: ProgramView, qtbot: QtBot) -> None:
    (page,) = opened(view, told(not_finite(may_be_mended=True)))
    (button,) = buttons(page)
    with qtbot.waitSignal(view.further_requested) as asked:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert (asked.args, button.text(), button.isEnabled()) == (["mend"], "Look for a mend", False)
    view.show_lenses([told(not_finite(may_be_mended=True), sentence="It was stopped.")])
    assert buttons(page)[0].isEnabled()
    assert "It was stopped." in page.text()


def test_a_mend_that_was_found_is_made_by_its_button(view: ProgramView, qtbot: QtBot) -> None:
    (page,) = opened(view, told(not_finite(may_be_mended=True, fixes=(FIX,))))
    (button,) = buttons(page)
    assert button.text() == FIX.label
    with qtbot.waitSignal(view.fix_chosen) as chosen:
        QTest.keyClick(button, Qt.Key.Key_Space)
    assert chosen.args == [FIX]


def test_without_a_mend_a_sentence_says_so_and_there_is_no_button(view: ProgramView) -> None:
    nothing = not_finite(may_be_mended=True, fixes=())
    (page,) = opened(view, told(nothing))
    assert buttons(page) == []
    assert [each.text for each in said(nothing)][1] == "No change that was tried makes the gradient finite."
    view.show_lenses([told(GRADIENT)])
    assert buttons(page) == []
