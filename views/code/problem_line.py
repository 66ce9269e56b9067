"""EditorProblem, problems_in(): problems as the editor marks them; ProblemLine: their count below the code."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPalette, QTextCursor, QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from explorer.diagnostics.registry import checks
from explorer.messages import LEVELS, Failure, Fix, Focus, Level, Snapshot, Span, unmarked
from explorer.text.text import Text, say
from views.parts.controls import SelfArranging
from views.parts.labels import counts_in_words
from views.parts.own_document import plain_tip
from views.text.document_edits import utf16_length
from views.theme import DIM_TEXT, LIGHT, Theme, Themed, spaced


class EditorProblem(msgspec.Struct, frozen=True):
    """One failure or finding. Its positions follow the edits of the text."""

    level: Level
    sentence: str
    more: str
    places: tuple[QTextCursor, ...]
    drawing: str = ""
    original: str = ""
    link: str = ""
    lesson: str = ""
    """The id of the lesson that explains it."""
    fixes: tuple[Fix, ...] = ()
    is_finding: bool = False
    name: str = ""
    """The kind of finding in words; empty for a failure. The list of findings has the sentence."""
    focus: Focus | None = None
    """The focus that selects it."""
    code: str = ""
    """The code at its first position when it was reported."""

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "code", self.places[0].selectedText() if self.places else "")

    @property
    def is_edited(self) -> bool:
        """Whether that code is another one now."""
        return bool(self.places) and self.places[0].selectedText() != self.code

    @property
    def is_explained(self) -> bool:
        """Whether the card below the code explains it, and not the list of findings."""
        return not self.is_finding and bool(self.more or self.drawing)

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows of its positions, counted from 0."""
        return tuple(place.document().findBlock(place.selectionStart()).blockNumber() for place in self.places)


def problems_in(snapshot: Snapshot, document: QTextDocument) -> list[EditorProblem]:
    """Return the problems of `snapshot` that have a position, bugs first, without repeats from other variants."""
    found: dict[tuple[Text | str, tuple[Span, ...]], EditorProblem] = {}

    def places(spans: tuple[Span, ...]) -> tuple[QTextCursor, ...]:
        return tuple(place_of(span, document) for span in spans if span.shown_line)

    for failure in snapshot.failures:
        if failure.span is not None and failure.shown_line:
            spans = (failure.span,)
            found.setdefault((sentence_of(failure), spans), _of_failure(failure, places(spans)))
    for report in snapshot.reports:
        for index, finding in enumerate(report.findings or ()):
            if any(span.shown_line for span in finding.spans):
                check = checks().get(finding.kind)
                made = EditorProblem(
                    finding.level,
                    unmarked(finding.message),
                    "",
                    places(finding.spans),
                    fixes=finding.fixes,
                    is_finding=True,
                    name=str(say(check.name)) if check else "",
                    focus=Focus("finding", index, report.name),
                )
                found.setdefault((finding.message, finding.spans), made)
    return sorted(found.values(), key=lambda problem: LEVELS.index(problem.level))


def _of_failure(failure: Failure, places: tuple[QTextCursor, ...]) -> EditorProblem:
    return EditorProblem(
        "bug",
        sentence_of(failure),
        str(failure.explanation),
        places,
        drawing=failure.drawing,
        original=failure.original,
        link=failure.link,
        lesson=failure.lesson,
        fixes=failure.fixes,
        focus=Focus("line", failure.shown_line),
    )


def sentence_of(failure: Failure) -> str:
    """Return type and message of `failure` in one line."""
    return unmarked(failure.words).partition("\n")[0]


def place_of(span: Span, document: QTextDocument) -> QTextCursor:
    """Return a cursor that selects `span`; where the span is empty or outside of the line, the whole line."""
    first = document.findBlockByNumber(min(span.line, document.blockCount()) - 1)
    last = document.findBlockByNumber(min(span.end_line, document.blockCount()) - 1)
    start = first.position() + utf16_length(first.text()[: span.column])
    end = last.position() + utf16_length(last.text()[: span.end_column])
    if end <= start:
        text = first.text()
        start = first.position() + len(text) - len(text.lstrip())
        end = first.position() + utf16_length(text)
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor


class ProblemLine(Themed, SelfArranging):
    """Shows the number of problems on the cursor's line, else on the first line with any.

    Signals:
        problem_wanted: the Problem to show in full.
    """

    problem_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: EditorProblem | None = None
        self._is_plain = False
        self._words, self._short = "", ""
        self._message = QPushButton(flat=True)
        self._message.setObjectName("problem")
        # Its words must not keep the editor from being narrow.
        self._message.setMinimumWidth(1)
        self._message.setCursor(Qt.CursorShape.PointingHandCursor)
        self._message.clicked.connect(lambda: self.problem_wanted.emit(self._shown))
        self._position = QLabel()
        self._position.setForegroundRole(DIM_TEXT)
        self._layout = spaced(QHBoxLayout(self), 8, 3, 8, 3, spacing=8)
        self._layout.addWidget(self._message)
        self._layout.addStretch(1)
        self._layout.addWidget(self._position)
        self.setAutoFillBackground(True)
        self.apply_theme(LIGHT)

    def show_plain(self, plain: bool) -> None:
        """Note that the text has no colours, or has colours again."""
        self._is_plain = plain

    def message(self) -> str:
        """Return the text for the problems."""
        return self._words if self._shown is not None else ""

    def show_problems(
        self,
        problems: Sequence[EditorProblem],
        row: int,
        column: int,
        shown: EditorProblem | None = None,
        marked: Collection[int] = (),
    ) -> None:
        """Show the `problems` on the line of the cursor at `row` and `column`, both counted from 0.

        Without any there, those of the first one's row among the `marked`, or else of its first row. `shown` is already
        shown elsewhere, and left out here.
        """
        words = self.tr("line {line}, column {column}").format(line=row + 1, column=column + 1)
        plain = self.tr("too long to colour") if self._is_plain else ""
        self._position.setText(" · ".join(filter(None, (plain, words))))
        further = [each for each in problems if each is not shown]
        # The line of what is reported elsewhere comes first: what else is wrong there is not to be missed.
        rows = problems[0].rows if problems and not any(row in each.rows for each in problems) else (row,)
        begins = next((each for each in rows if each in marked), rows[0])
        here = [each for each in further if begins in each.rows]
        self._shown = next(iter(here), None)
        self._message.setVisible(bool(here))
        self.setVisible(bool(here) or not self.theme.on_stage)
        if self._shown is not None:
            words = short = self.tr("Line {line}: {what}")
            what = counts_in_words(["error" if not each.is_finding else each.level for each in here])
            if self.theme.on_stage:
                # An audience sees no list of findings, which would name them.
                what = ", ".join(dict.fromkeys(each.name or each.sentence for each in here))
            elif self._shown.is_explained:
                words = self.tr("Line {line}: {what} – explain")
            else:
                words = self.tr("Line {line}: {what} – see Findings")
            self._words = words.format(line=begins + 1, what=what)
            self._short = short.format(line=begins + 1, what=what)
            self.lay_out()
            palette = QPalette(self._message.palette())
            colour = QColor(self.theme.bug if self._shown.level == "bug" else self.theme.note)
            palette.setColor(QPalette.ColorRole.ButtonText, colour)
            self._message.setPalette(palette)

    def apply_theme(self, theme: Theme) -> None:
        # An audience reads no columns.
        self._position.setVisible(not theme.on_stage)
        self.setVisible(self._shown is not None or not theme.on_stage)
        self._message.setStyleSheet("text-align: left; padding: 0; border: none; text-decoration: underline;")

    def lay_out(self) -> None:
        """Show as much of the words as fits; the tool tip has all."""
        if not self._words:
            return
        taken = (0 if self.theme.on_stage else self._position.sizeHint().width()) + 2 * self._layout.spacing()
        room, metrics = self._layout.contentsRect().width() - taken, self._message.fontMetrics()
        fitting = next((each for each in (self._words, self._short) if metrics.horizontalAdvance(each) <= room), None)
        if fitting is None:
            fitting = metrics.elidedText(self._short, Qt.TextElideMode.ElideRight, max(0, room))
        self._message.setText(fitting)
        self._message.setAccessibleName(self._words)
        tip = self.tr("Shows the whole message")
        self._message.setToolTip(tip if fitting == self._words else plain_tip(f"{self._words}\n{tip}"))
