"""The story of a scenario: one step at a time, in words large enough for the back row."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QTextBrowser, QToolButton, QVBoxLayout, QWidget

from explorer.scenario import Scenario, Step
from views.markdown import fill_document
from views.theme import LIGHT, Theme

LEAST_HEIGHT = 180
"""Pixels that a story needs to be read."""
UNBOUNDED = 16_777_215
"""Qt's own largest height of a widget (QWIDGETSIZE_MAX)."""


class StoryView(QWidget):
    """Shows the step of the story that the person has come to; a program without a story takes one line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._scenario: Scenario | None = None
        self._language = "en"
        self._place = 0
        self._title = QLabel()
        self._title.setWordWrap(True)
        self._title.setProperty("role", "dim")
        self._problem = QLabel()
        self._problem.setWordWrap(True)
        self._problem.setProperty("role", "bug")
        self._place_label = QLabel()
        self._previous = _arrow_button("‹")
        self._next = _arrow_button("›")
        self._sentence = QLabel()
        self._sentence.setWordWrap(True)
        self._text = QTextBrowser()
        self._text.setOpenExternalLinks(True)
        self._lay_out()
        self._name_parts()
        self._previous.clicked.connect(self.show_previous_step)
        self._next.clicked.connect(self.show_next_step)
        self._add_shortcut(QKeySequence.StandardKey.MoveToNextPage).activated.connect(self._page_down)
        self._add_shortcut(QKeySequence.StandardKey.MoveToPreviousPage).activated.connect(self._page_up)
        self._render()

    def show_story(self, scenario: Scenario, language: str) -> None:
        """Show the story of `scenario`: from its first step, or at the present one where it was shown already."""
        if self._scenario is None or self._scenario.id != scenario.id:
            self._place = 0
        self._scenario, self._language = scenario, language
        self._place = min(self._place, max(0, len(self._steps()) - 1))
        self._render()

    def show_next_step(self) -> None:
        self._go_to(self._place + 1)

    def show_previous_step(self) -> None:
        self._go_to(self._place - 1)

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._render()

    def _steps(self) -> tuple[Step, ...]:
        return self._scenario.story(self._language) if self._scenario else ()

    def _go_to(self, place: int) -> None:
        if 0 <= place < len(self._steps()):
            self._place = place
            self._render()
            self._text.verticalScrollBar().setValue(0)

    def _page_down(self) -> None:
        """Read on: to the end of this step first, then to the next."""
        bar = self._text.verticalScrollBar()
        if bar.value() < bar.maximum():
            bar.setValue(bar.value() + bar.pageStep())
        else:
            self.show_next_step()

    def _page_up(self) -> None:
        bar = self._text.verticalScrollBar()
        if bar.value() > bar.minimum():
            bar.setValue(bar.value() - bar.pageStep())
        else:
            self.show_previous_step()

    def _render(self) -> None:
        steps = self._steps()
        self._title.setText(self._scenario.title.text(self._language) if self._scenario else "")
        self._problem.setText(self._scenario.problem if self._scenario else "")
        self._problem.setVisible(bool(self._problem.text()))
        for part in (self._previous, self._place_label, self._next):
            part.setVisible(len(steps) > 1)
        self._place_label.setText(self.tr("{place} of {count}").format(place=self._place + 1, count=len(steps)))
        self._previous.setEnabled(self._place > 0)
        self._next.setEnabled(self._place + 1 < len(steps))
        self._sentence.setText(self._words_without_story())
        self._sentence.setVisible(not steps)
        self._text.setVisible(bool(steps))
        if steps:
            step = steps[self._place]
            fill_document(self._text.document(), f"### {step.title}\n\n{step.text}", self._theme)
        self._space()
        # Without a story the code gets the room; with one again, a splitter gives it back.
        self.setMinimumHeight(self._theme.px(LEAST_HEIGHT) if steps else 0)
        self.setMaximumHeight(UNBOUNDED if steps else self._layout.sizeHint().height())

    def _words_without_story(self) -> str:
        if self._scenario is None:
            return self.tr("Choose a scenario from the list, or open a file of your own.")
        return self.tr("Your own file: edit the code, the panes follow.")

    def _lay_out(self) -> None:
        self._top = QHBoxLayout()
        self._top.addWidget(self._title, stretch=1)
        for part in (self._previous, self._place_label, self._next):
            self._top.addWidget(part)
        self._words = QVBoxLayout()
        self._words.addLayout(self._top)
        self._words.addWidget(self._problem)
        self._words.addWidget(self._sentence)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._layout.addLayout(self._words)
        self._layout.addWidget(self._text, stretch=1)

    def _space(self) -> None:
        theme = self._theme
        self._words.setContentsMargins(theme.px(12), theme.px(4), theme.px(8), theme.px(4))
        self._words.setSpacing(theme.px(4))
        self._top.setSpacing(theme.px(4))
        self._title.setFont(theme.font(bold=True))
        for button in (self._previous, self._next):
            button.setFont(theme.font(1.4))

    def _name_parts(self) -> None:
        self.setAccessibleName(self.tr("Story"))
        self._text.setAccessibleName(self.tr("Step of the story"))
        self._previous.setToolTip(self.tr("Previous step (Page Up)"))
        self._next.setToolTip(self.tr("Next step (Page Down)"))
        self._previous.setAccessibleName(self.tr("Previous step"))
        self._next.setAccessibleName(self.tr("Next step"))

    def _add_shortcut(self, key: QKeySequence.StandardKey) -> QShortcut:
        return QShortcut(QKeySequence(key), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)


def _arrow_button(arrow: str) -> QToolButton:
    button = QToolButton()
    button.setText(arrow)
    button.setAutoRaise(True)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return button
