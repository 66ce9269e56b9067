from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QToolButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from explorer.messages import Parameter
from explorer.scenario.page import Ask, Page
from explorer.session.controls import Controls
from views.window.main_window import MainWindow
from views.window.tab_order import in_order


def part(window: QWidget, *names: str) -> QWidget:
    """Return a part of `window` with a button for each of `names`."""
    made = QWidget(window)
    layout = QVBoxLayout(made)
    for name in names:
        layout.addWidget(QPushButton(name))
    return made


def test_what_is_made_later_stands_in_its_own_part(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    first, second = part(window, "a", "b"), part(window, "c", "d")
    late = QPushButton("late", first)
    hidden, greyed = QPushButton("hidden", second), QPushButton("greyed", second)
    with qtbot.waitExposed(window):
        window.show()
    late.show()
    hidden.hide()
    greyed.show()
    greyed.setEnabled(False)
    found = in_order(window, (second, first))
    assert [each.text() for each in found if isinstance(each, QPushButton)] == ["c", "d", "a", "b", "late"]


def test_tab_goes_from_the_story_to_its_choices_and_from_the_choices_of_the_bar_to_its_fields(qtbot: QtBot) -> None:
    window = MainWindow()
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    ask = Ask("Is it so?", ("Yes", "No"))
    window.story.show_page(Page(title="t", heading="h", text="words", count=1, ask=ask, revealed=False))
    window.controls.show_controls(Controls(parameters=(Parameter("batch", 8, 8),)))
    window.story.setFocus()
    names = []
    for _ in range(3):
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        names.append(window.focusWidget().accessibleName())
    assert names == ["Yes", "No", "Code"]
    buttons = window.controls.findChildren(QToolButton)
    run = next(each for each in buttons if each.defaultAction() is window.action("run"))
    run.setFocus()
    qtbot.keyClick(run, Qt.Key.Key_Backtab)
    assert window.focusWidget().accessibleName() == "batch"
