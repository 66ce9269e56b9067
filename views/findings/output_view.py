"""OutputView: the program's output, live while it runs, then by variant, with tracebacks of failures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from explorer.focus.variant_names import shown_variant
from explorer.messages import Failure, Report, Snapshot, unmarked
from views.parts.controls import fill
from views.text.enlarged import MOST_ENLARGED, Enlarged
from views.theme import DIM_TEXT, LIGHT, Theme, Themed, dressed, lettered, spaced

MAX_LINE_CHARACTERS = 4_000
"""The most characters of a line: Qt lays out a line as a whole, and one megabyte would block the window for seconds."""


class OutputPiece(NamedTuple):
    """Part of the output in one style."""

    look: Literal["printed", "heading", "failure", "explanation"]
    text: str


def pieces(snapshot: Snapshot | None, stream: str) -> tuple[OutputPiece, ...]:
    """Return the output of a run: `stream` is the live output, `snapshot` has the output of each variant.

    Text that no variant printed (when the module was read, or by the process itself) stands before and after.
    """
    reports = snapshot.reports if snapshot else ()
    printed = "".join(report.printed for report in reports)
    before, after, by_variant = stream, "", True
    if printed and printed in stream:
        before, _, after = stream.partition(printed)
    elif printed and stream:
        # Something else came in between: the stream is shown as it came, so that nothing is lost or there twice.
        by_variant = False
    made = [OutputPiece("printed", before)]
    for report in reports:
        made += _section(report, report.printed if by_variant else "")
    made.append(OutputPiece("printed", after))
    if snapshot and snapshot.failure:
        made += _failure(snapshot.failure)
    made = [piece for piece in made if piece.text]
    # The last piece may be the beginning of a line that is still being printed.
    return tuple(OutputPiece(piece.look, _line(piece.text)) for piece in made[:-1]) + tuple(made[-1:])


def shortened(text: str, column: int, sign: str) -> tuple[str, int]:
    """Return `text` with its overlong lines cut, and the original length of its last line.

    `column` is the number of characters before `text` in its first line; `sign` marks a cut line.
    """
    shown = []
    for line in text.split("\n"):
        room = MAX_LINE_CHARACTERS - column
        shown.append(line if len(line) <= room else f"{line[:room]} {sign}" if room >= 0 else "")
        column, end = 0, column + len(line)
    return "\n".join(shown), end


def ending(whole: tuple[OutputPiece, ...], characters: int, lines: int) -> tuple[OutputPiece, ...]:
    """Return the end of `whole` that has at most this many characters and lines."""
    shown: list[OutputPiece] = []
    for piece in reversed(whole):
        text = piece.text[-characters:] if characters > 0 else ""
        text = "\n".join(text.split("\n")[-lines:]) if lines > 0 else ""
        characters, lines = characters - len(text), lines - text.count("\n")
        shown.append(OutputPiece(piece.look, text))
    return tuple(piece for piece in reversed(shown) if piece.text)


def _section(report: Report, printed: str) -> Iterator[OutputPiece]:
    if printed or report.failure:
        yield OutputPiece("heading", f"{shown_variant(report.name)}\n")
    yield OutputPiece("printed", printed)
    if report.failure:
        yield from _failure(report.failure)


def _failure(failure: Failure) -> Iterator[OutputPiece]:
    yield OutputPiece("failure", failure.traceback or str(failure.words))
    yield OutputPiece("explanation", unmarked(failure.explanation))


def _line(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"


MAX_CHARACTERS = 1_000_000
MAX_LINES = 10_000
MOST_ADDED = 2_000
"""Lines from which the end of the output is inserted anew: Qt is slow to remove the first lines of many."""
LEAST_HEIGHT = 40
"""Least pixels of the height; Qt's own minimum is three lines."""


class OutputView(Themed, QWidget):
    """Shows the end of the printed output, bounded in lines and characters."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self._stream = ""
        """The live output since the run began."""
        self._shown: tuple[OutputPiece, ...] = ()
        self._column = 0
        """Characters in the last line so far."""
        self._stream_cut = self._cut = False
        self._is_new = False
        """A run has begun, and shows its first lines."""
        self._sentence = spaced(QLabel(textFormat=Qt.TextFormat.PlainText), 12, 8, 12, 8)
        self._sentence.setWordWrap(True)
        self._sentence.setForegroundRole(DIM_TEXT)
        self._text = lettered(_read_only_text(), code=True)
        dressed(self._text, lambda text, theme: text.setMinimumHeight(theme.px(LEAST_HEIGHT)))
        self._text.installEventFilter(self)
        self._letters = Enlarged(self._text)
        fill(QVBoxLayout(self), self._sentence, (self._text, 1))
        self.setAccessibleName(self.tr("Output"))
        self._text.setAccessibleName(self.tr("Output of the program"))
        self.apply_theme(LIGHT)

    def clear(self) -> None:
        """A new run begins. The old output stays in sight until the new run has something to show."""
        self._is_new = True
        self._stream = ""
        self._stream_cut = False
        self._snapshot = None
        self._shown = ()

    def append_printed(self, text: str) -> None:
        """Append the live output `text`."""
        self._stream += text
        self._stream_cut = self._stream_cut or len(self._stream) > MAX_CHARACTERS
        if len(self._stream) > MAX_CHARACTERS:
            # Half of it goes, so that this does not happen again at the next word.
            self._stream = self._stream[-MAX_CHARACTERS // 2 :]
            self._show(pieces(self._snapshot, self._stream))
        elif self._shown and text.count("\n") < MOST_ADDED:
            self._shown = (*self._shown, OutputPiece("printed", text))
            self._insert(OutputPiece("printed", text))
            self._tell_state()
        else:
            self._show(pieces(self._snapshot, self._stream))

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the output and the error of each variant, with the live output."""
        self._snapshot = snapshot
        if snapshot.is_empty:
            # The output is of another program: none of this one came yet.
            self.clear()
            self._show(())
        wanted = pieces(self._snapshot, self._stream)
        if wanted != self._shown:
            self._show(wanted)
        self._tell_state()

    def apply_theme(self, theme: Theme) -> None:
        self._letters.apply_theme(theme)
        self._text.document().setDocumentMargin(theme.px(12))
        self._show(self._shown)

    def _fit_letters(self) -> None:
        """On a stage, enlarge the letters to the room that a short output leaves."""
        short = self.theme.on_stage and self._text.blockCount() <= MOST_ENLARGED
        self._letters.fit(self._text.toPlainText().split("\n") if short else ())

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fit_letters()
        return False

    def _show(self, wanted: tuple[OutputPiece, ...]) -> None:
        """Replace the shown pieces by `wanted`; only the end of them where they are too long."""
        end = ending(wanted, MAX_CHARACTERS, MAX_LINES)
        bar = self._text.verticalScrollBar()
        row, follows = 0 if self._is_new else bar.value(), self._is_at_end() and not self._is_new
        self._shown, self._column, self._cut, self._is_new = wanted, 0, end != wanted, False
        self._text.clear()
        for piece in end:
            self._insert(piece)
        bar.setValue(bar.maximum() if follows else row)
        self._fit_letters()
        self._tell_state()

    def _is_at_end(self) -> bool:
        """Return whether the view is at its end, so that it follows new output; a new run shows its first lines."""
        bar = self._text.verticalScrollBar()
        return 0 < bar.value() == bar.maximum()

    def _insert(self, piece: OutputPiece) -> None:
        bar, follows = self._text.verticalScrollBar(), self._is_at_end()
        text, self._column = shortened(piece.text, self._column, self.tr("… (line cut)"))
        cursor = QTextCursor(self._text.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        self._cut = self._cut or self._text.blockCount() + text.count("\n") > MAX_LINES
        cursor.insertText(text, self._look(piece))
        if follows:
            bar.setValue(bar.maximum())

    def _look(self, piece: OutputPiece) -> QTextCharFormat:
        theme = self.theme
        look = QTextCharFormat()
        colours = {"printed": theme.text, "heading": theme.dim, "failure": theme.bug, "explanation": theme.text}
        look.setForeground(QColor(colours[piece.look]))
        if piece.look == "heading":
            look.setFontWeight(QFont.Weight.Bold)
        if piece.look == "explanation":
            look.setFont(theme.font(), QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesSpecifiedOnly)
        return look

    def _tell_state(self) -> None:
        if self._cut or self._stream_cut:
            sentence = self.tr("The output is longer. Only its end is shown.")
        elif self._shown:
            sentence = ""
        elif self._snapshot is None:
            sentence = self.tr("The output of the program appears here.")
        elif self._snapshot.recorded:
            sentence = self.tr("The recording has no output: the program printed nothing, or it was not kept.")
        elif self._snapshot.complete:
            sentence = self.tr("The program printed nothing.")
        else:
            sentence = self.tr("Nothing printed so far.")
        alone = not self._shown
        self._sentence.setText(sentence)
        self._sentence.setVisible(bool(sentence))
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter if alone else Qt.AlignmentFlag.AlignLeft)
        self._text.setVisible(not alone)


def _read_only_text() -> QPlainTextEdit:
    text = QPlainTextEdit()
    text.setFrameShape(QFrame.Shape.NoFrame)
    text.setReadOnly(True)
    text.setUndoRedoEnabled(False)
    text.setMaximumBlockCount(MAX_LINES)
    text.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    return text
