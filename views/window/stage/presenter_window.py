"""The presenter's window, which the audience does not see: notes, the stage, the next step, clock, answer and votes."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QColor, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from views.parts.markdown import fill_document
from views.parts.own_document import TextBrowser
from views.story.vote_bars import VoteBars, VoteTally
from views.theme import DIM_TEXT, NOTE_TEXT, Theme, Themed, lettered

LEAST = QSize(240, 135)


class Mirror(Themed, QWidget):
    """Shows a picture as large as possible."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picture = QPixmap()
        self.setMinimumSize(LEAST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("Audience view"))

    def show_picture(self, picture: QPixmap) -> None:
        self.picture = picture
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = self._area()
        if self.picture.isNull():
            painter.fillRect(area, QColor(self.theme.hairline))
        else:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(QRectF(area), self.picture, QRectF(self.picture.rect()))
        painter.setPen(QColor(self.theme.edge))
        painter.drawRect(area.adjusted(0, 0, -1, -1))

    def _area(self) -> QRect:
        size = self.picture.size() if not self.picture.isNull() else LEAST
        area = QRect(QPoint(), size.scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio))
        area.moveCenter(self.rect().center())
        area.moveTop(0)
        return area


NOTE_SIZE = 1.25
"""Size of the notes relative to other words: they are read while standing."""
CLOCK_SIZE = 1.8


class PresenterNotes(msgspec.Struct, frozen=True):
    """The lecturer's notes on a page. Texts are Markdown."""

    place: str = ""
    """Position of the page among all pages."""
    note: str = ""
    answer: str = ""
    asks: bool = False
    """Whether the room is being asked now."""
    next_title: str = ""
    next_text: str = ""


class PresenterWindow(Themed, QWidget):
    """Shows the notes, a copy of the stage, the clock and the votes on the presenter's screen alone.

    Signals:
        command_given: the name of the button that was pressed: ``read_back``, ``read_on``, ``black``, ``freeze``,
            ``swap_screens`` or ``present``.
        closing: the user closes the window.
    """

    command_given = Signal(str)
    closing = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("presenter_window")
        self.setWindowTitle(self.tr("Presenter – JAX Explorer"))
        self._script = PresenterNotes()
        self._stays = True
        self.mirror = Mirror()
        self.clock = lettered(QLabel(), CLOCK_SIZE)
        self.elapsed = lettered(QLabel(alignment=Qt.AlignmentFlag.AlignRight), CLOCK_SIZE, bold=True)
        self.pace = lettered(QLabel(alignment=Qt.AlignmentFlag.AlignRight, wordWrap=True), bold=True)
        self.state = lettered(QLabel(wordWrap=True), bold=True)
        self.state.setForegroundRole(NOTE_TEXT)
        self.answer = lettered(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), bold=True)
        self.votes = VoteBars()
        self.notes = _text(self.tr("Notes"))
        self.coming = _text(self.tr("Next"))
        self._headings = [QLabel(each) for each in (self.tr("The audience sees"), self.tr("Notes"), self.tr("Next"))]
        self._buttons = self._made_buttons()
        for heading in self._headings:
            heading.setForegroundRole(DIM_TEXT)
        for part in (self, self.notes, self.coming, *self._headings, *self._buttons):
            # Without its own font, it would follow the stage's text size.
            lettered(part)
        self._lay_out()

    def show_script(self, script: PresenterNotes) -> None:
        """Show the presenter's information about a page."""
        self._script = script
        note = script.note or self.tr("*No notes on this page.*")
        fill_document(self.notes.document(), note, replace(self.theme, scale=self.theme.scale * NOTE_SIZE))
        title = f"#### {script.next_title}" if script.next_title else ""
        end = self.tr("*This is the last page.*") if not script.next_text and not title else ""
        fill_document(self.coming.document(), "\n\n".join((title, script.next_text, end)).strip(), self.theme)
        answer = script.answer or self.tr("not known yet: run the program first")
        self.answer.setText(self.tr("The answer: {}").format(answer.replace("`", "")) if script.asks else "")
        self.answer.setVisible(script.asks)
        self._headings[0].setText(self.tr("The audience sees {}").format(script.place))

    def show_tally(self, tally: VoteTally | None) -> None:
        """Show the votes, even while they are hidden on the stage; hidden without any."""
        is_shown = tally is not None and bool(tally.shown)
        self.votes.show_tally(replace(tally, revealed=True) if tally is not None and is_shown else None)

    def show_time(self, clock: str, elapsed: str, pace: str) -> None:
        """Show the time, the elapsed time, and in a course what is left of it."""
        self.clock.setText(clock)
        self.elapsed.setText(elapsed)
        self.pace.setText(pace)
        self.pace.setVisible(bool(pace))

    def show_state(self, state: str) -> None:
        """Show a sentence about the reason why the stage is not visible as it is; empty where it is."""
        self.state.setText(state)
        self.state.setVisible(bool(state))

    def apply_theme(self, _theme: Theme) -> None:
        """Wear `theme`; its text size is that of a screen close by."""
        self.show_script(self._script)

    def put_away(self) -> None:
        """Close, for the presentation is over."""
        self._stays = False
        self.close()
        self.deleteLater()

    def closeEvent(self, event: QCloseEvent) -> None:
        event.accept()
        if self._stays:
            self._stays = False
            self.closing.emit()

    def _made_buttons(self) -> list[QPushButton]:
        texts = {
            "read_back": self.tr("Back"),
            "read_on": self.tr("Forward"),
            "black": self.tr("Black"),
            "freeze": self.tr("Freeze"),
            "swap_screens": self.tr("Swap screens"),
            "present": self.tr("End"),
        }
        made = []
        for name, text in texts.items():
            button = QPushButton(text)
            # Space and Enter press no button here: one press too many would freeze or end.
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setObjectName(name)
            button.clicked.connect(self._on_button)
            made.append(button)
        return made

    def _on_button(self) -> None:
        self.command_given.emit(self.sender().objectName())

    def _lay_out(self) -> None:
        times = QHBoxLayout()
        times.addWidget(self.clock)
        times.addWidget(self.elapsed)
        left, right, row = QVBoxLayout(), QVBoxLayout(), QHBoxLayout()
        for part in (self._headings[0], self.mirror, self.state, self.answer, self.votes):
            left.addWidget(part, 1 if part is self.mirror else 0)
        right.addLayout(times)
        right.addWidget(self.pace)
        right.addWidget(self._headings[1])
        right.addWidget(self.notes, 3)
        right.addWidget(self._headings[2])
        right.addWidget(self.coming, 2)
        for button in self._buttons:
            row.addWidget(button)
        row.addStretch()
        whole = QGridLayout(self)
        whole.addLayout(left, 0, 0)
        whole.addLayout(right, 0, 1)
        whole.addLayout(row, 1, 0, 1, 2)
        whole.setColumnStretch(0, 11)
        whole.setColumnStretch(1, 9)


def _text(name: str) -> TextBrowser:
    # Keys are the presentation's; what is too long is scrolled with the mouse.
    made = TextBrowser()
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    made.setAccessibleName(name)
    made.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
    return made
