"""StagedCode fits the editor to a stage: the function in question enlarged, the lines that only run it folded."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QFocusEvent, QTextCursor

from views.text.enlarged import Enlarged
from views.text.line_text import LineText
from views.theme import Theme

MOST_SHOWN = 3_000
"""The most lines of code that are folded or enlarged: with more it would be visibly slow."""
AROUND = 3
"""Lines that are to be seen with the function."""
_DEFINED = re.compile(r"^(?:def |class )?(\w+)")
_MAIN = re.compile(r"if\s+__name__\s*==\s*['\"]__main__['\"]\s*:\s*(#.*)?$")


class StagedCode(QObject):
    """Enlarges and folds `text` while presenting; where the user types, it shows everything."""

    def __init__(
        self, text: LineText, show_folded: Callable[[Mapping[int, str]], None], show_here: Callable[[], None]
    ) -> None:
        """Call `show_folded` with the rows that hide others; `show_here` scrolls to the lines in question."""
        super().__init__(text)
        self._text = text
        self._show_folded = show_folded
        self._function: tuple[int, int] | None = None
        self._row: int | None = None
        """The row in question."""
        self._letters = Enlarged(text)
        self._folded: Mapping[int, str] = {}
        """Sentences on the rows that are hidden now."""
        self.is_up = False
        self.page: tuple[tuple[str, ...], bool] = (), False
        """The names in the words of the page, in their order, and whether it has exercises."""
        self.begins_exercise = False
        """Whether the page has exercises, and nobody has begun with them."""
        self._again = QTimer(self, singleShot=True, interval=0)
        self._again.timeout.connect(show_here)
        text.installEventFilter(self)
        text.textChanged.connect(self._fold_if_up)

    def put_up(self, up: bool) -> None:
        """Show the text for an audience, or for a user."""
        self.is_up = up
        self._fold(unfolded=self._text.hasFocus())
        self._fit()
        if up:
            self._again.start()

    def begin_exercise(self) -> None:
        """Keep in sight what someone edits or has chosen for an exercise, not what its page names first."""
        self.begins_exercise = False

    def apply_theme(self, theme: Theme) -> None:
        """Apply the text size of `theme`, which the text has already."""
        self._letters.apply_theme(theme)
        self._fit()

    def look_at(self, rows: frozenset[int], told: Sequence[int]) -> frozenset[int]:
        """Put the function around the first of `rows` in question. Return `rows` with it and, as far as they fit, with
        the row that is `told` below the code and with what the page names; an exercise begins with what is to change.

        Between functions the earlier one stays: a click on an empty line is not to change the size.
        """
        self._row = min(rows)
        self._function = function_around(self._lines(), self._row) or self._function
        self._fold_if_up()
        self._fit_unless_typed_in()
        if not self.is_up or self._function is None:
            return rows
        lines = self._lines()
        starts = {found[1]: row for row, line in enumerate(lines) if (found := _DEFINED.match(line))}
        named = [starts[name] for name in self.page[0] if name in starts]
        whole = [function_around(lines, row) or (row, _end_of(lines, row)) for row in named]
        rows |= {*range(self._function[0], self._function[1] + 1)}
        if self.begins_exercise and whole and not self._text.has_room(min(*whole[0], *rows), max(*whole[0], *rows)):
            return frozenset(range(whole[0][0], whole[0][1] + 1))
        for first, last in (*((row, row) for row in told), *whole):
            more = rows | {*range(first, last + 1)}
            rows = more if self._text.has_room(min(more), max(more)) else rows
        return rows

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if self.is_up and event.type() == QEvent.Type.Resize:
            self._fit_unless_typed_in()
            if not self._text.hasFocus():
                # Lines are wrapped again: their positions are known in the next turn of Qt's event loop.
                self._again.start()
        elif self.is_up and event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            reason = event.reason() if isinstance(event, QFocusEvent) else None
            # Its letters keep their size: a line that has grown under the cursor is not to shrink them all now.
            self._fold(unfolded=event.type() == QEvent.Type.FocusIn or reason == Qt.FocusReason.PopupFocusReason)
            if reason == Qt.FocusReason.ShortcutFocusReason:
                self._bring_cursor()
        return False

    def _bring_cursor(self) -> None:
        """Put a cursor that is out of sight at the end of the row in question: the keyboard came by a key."""
        text, row = self._text, self._row
        if row is not None and not text.viewport().rect().intersects(text.cursorRect()):
            with text.unwatched():
                text.setTextCursor(QTextCursor(text.document().findBlockByNumber(row)))
                text.moveCursor(QTextCursor.MoveOperation.EndOfBlock)

    def _fit_unless_typed_in(self) -> None:
        # Under the cursor letters keep their size, whatever line it is on and whatever comes below the code.
        if not self._text.hasFocus():
            self._fit()

    def _fit(self) -> None:
        """Make the letters as large as lets the function be seen whole."""
        lines, function = self._lines() if self.is_up else (), self._function
        seen = lines[function[0] : function[1] + 1] if function is not None and function[1] < len(lines) else ()
        if self._letters.fit(seen, AROUND) and function is not None:
            self._text.show_rows(*function)

    def _fold_if_up(self) -> None:
        if self.is_up and not self._text.hasFocus():
            self._fold()

    def _fold(self, *, unfolded: bool = False) -> None:
        """Hide the lines that only run the file, below the first of them, or show them again: one is in question."""
        lines = self._lines()
        hidden = main_block(lines) if self.is_up and not unfolded else range(0)
        hidden = range(0) if self._row in hidden else hidden
        document, changed = self._text.document(), False
        for row in range(len(lines)):
            block = document.findBlockByNumber(row)
            if block.isVisible() == (row in hidden):
                block.setVisible(row not in hidden)
                block.setLineCount(0 if row in hidden else 1)
                changed = True
        # Where only lines above have come or gone, those that are hidden stay so, in other rows.
        words = self.tr("… 1 line") if len(hidden) == 1 else self.tr("… {} lines").format(len(hidden))
        folded = {hidden[0] - 1: words} if hidden else {}
        if folded != self._folded:
            self._folded = folded
            self._show_folded(folded)
        if changed:
            document.markContentsDirty(0, document.characterCount())
            self._text.viewport().update()

    def _lines(self) -> Sequence[str]:
        if self._text.blockCount() > MOST_SHOWN:
            return ()
        return self._text.toPlainText().split("\n")


def main_block(lines: Sequence[str]) -> range:
    """Return the rows of the block under ``if __name__ == "__main__":``."""
    first = next((row for row, line in enumerate(lines) if _MAIN.match(line)), None)
    return range(0) if first is None else range(first + 1, _end_of(lines, first) + 1)


def function_around(lines: Sequence[str], row: int) -> tuple[int, int] | None:
    """Return first and last row of the function or class at the left edge around `row`; None where there is none."""
    if row >= len(lines):
        return None
    first = next((each for each in range(row, -1, -1) if _is_left(lines[each])), row)
    if not lines[first].startswith(("def ", "class ", "async def ", "@")):
        return None
    while first and lines[first - 1].startswith("@"):
        first -= 1
    header = next((each for each in range(first, len(lines)) if not lines[each].startswith("@")), first)
    last = _end_of(lines, header)
    return (first, last) if row <= last else None


def _end_of(lines: Sequence[str], header: int) -> int:
    """Return the last row of the block under the row `header` at the left edge, without trailing empty lines."""
    behind = next((row for row in range(header + 1, len(lines)) if _is_left(lines[row])), len(lines))
    return next((row for row in range(behind - 1, header, -1) if lines[row].strip()), header)


def _is_left(line: str) -> bool:
    """Return whether `line` begins a statement at the left edge; a closing bracket there does not."""
    return bool(line[:1].strip()) and line[0] not in ")]}"
