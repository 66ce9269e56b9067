"""FindingsView lists errors, bugs, notes, clean parts and answers of JAX's checker, each with its line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QLabel, QListView, QListWidget, QListWidgetItem, QStackedLayout, QWidget

from explorer.diagnostics.registry import checks
from explorer.figures import call_curves
from explorer.focus.focus_words import not_recorded
from explorer.messages import (
    CheckerAnswer,
    Failure,
    Finding,
    Focus,
    JaxChecker,
    Marks,
    Report,
    Snapshot,
    is_original,
    unmarked,
)
from explorer.session.controls import Controls
from views.findings.finding_rows import (
    KINDS,
    MARKED_ROLE,
    ROW_ROLE,
    FindingDelegate,
    FindingRow,
    Kind,
    LookRows,
    place_of,
)
from views.parts.controls import read_on
from views.parts.labels import counts_in_words
from views.parts.own_document import plain_tip
from views.theme import DIM_TEXT, LIGHT, Theme, dressed, lettered


class CheckerRows(QObject):
    """Makes the rows in the language of the interface: one for each variant, below everything of ours."""

    def rows(self, snapshot: Snapshot, *, asked: bool) -> Iterator[FindingRow]:
        """Yield the rows about JAX's key checker, below our own findings; none where it was not `asked`."""
        if not asked:
            return
        for report in snapshot.reports:
            sentence = self._summary(report.jax_checker) if report.jax_checker else self._silence(report, snapshot)
            yield FindingRow("jax", self.tr("JAX says"), sentence, place_of(report.name), report.name)

    def _summary(self, answers: JaxChecker) -> str:
        words = self.tr("{comparison}\nFor the traced program: {static}\nFor a run: {runtime}")
        return words.format(
            comparison=answers.comparison, static=self._alarm(answers.static), runtime=self._alarm(answers.runtime)
        )

    def _alarm(self, answer: CheckerAnswer) -> str:
        return self.tr("nothing.") if answer.kind == "silent" else answer.text

    def _silence(self, report: Report, snapshot: Snapshot) -> str:
        if not snapshot.complete:
            return self.tr("Asking JAX. It runs the program once more …")
        if report.recorded:
            return not_recorded()
        if report.failure is not None or report.status != "ok":
            return self.tr("No answer: the program did not run to its end.")
        return self.tr("No answer yet: it comes with the next run.")


STALE_DELAY_MS = 250
"""Milliseconds until JAX's answer is greyed; at once it would flicker at every keystroke."""

LEAST_HEIGHT = 40
"""Least pixels of the list's height; Qt's own minimum is three lines."""


class FindingsView(QWidget):
    """Lists failures first, then bugs, notes, clean parts, and the answer of JAX's own checker.

    Signals:
        focus_requested: the Focus of the row that was clicked or entered.
        place_wanted: the line of the code of the row that was entered, from 1.
        lesson_wanted: the id of the lesson of a row, whose link was clicked.
        check_wanted: the kind of finding of a row, whose level was clicked.
        verdict_changed: the counts in words, "1 bug, 2 notes".
    """

    focus_requested = Signal(object)
    place_wanted = Signal(int)
    lesson_wanted = Signal(str)
    check_wanted = Signal(str)
    verdict_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[FindingRow, ...] = ()
        self._marks = Marks()
        self._verdict = ""
        self._snapshot: Snapshot | None = None
        self._asks_jax = False
        self._checker = CheckerRows(self)
        self._looks = LookRows(self)
        self._lessons: Mapping[str, str] = {}
        """Titles of the lessons that may be opened, by their ids."""
        self._is_stale = False
        self._is_outdated = False
        self._stale_delay = QTimer(self, singleShot=True, interval=STALE_DELAY_MS)
        self._stale_delay.timeout.connect(lambda: self._set_stale(True))
        self._waiting = QLabel(self.tr("Findings appear here after the first run."))
        self._waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._waiting.setWordWrap(True)
        self._waiting.setForegroundRole(DIM_TEXT)
        self._list = lettered(QListWidget())
        dressed(self._list, lambda rows, theme: rows.setMinimumHeight(theme.px(LEAST_HEIGHT)))
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setResizeMode(QListView.ResizeMode.Adjust)
        self._list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._delegate = FindingDelegate(self._list)
        self._list.setItemDelegate(self._delegate)
        self.setAccessibleName(self.tr("Findings"))
        self._list.setAccessibleName(self.tr("List of findings"))
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._waiting)
        self._stack.addWidget(self._list)
        self._list.itemClicked.connect(self._request_focus)
        self._list.itemActivated.connect(self._lead)
        self._list.setMouseTracking(True)
        self._list.viewport().installEventFilter(self)
        self.apply_theme(LIGHT)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """List the findings of `snapshot` for each of its variants."""
        self._snapshot = snapshot
        rows = self._show_rows(snapshot)
        # During a run the last verdict stays: a title that blinks at every key press is useless.
        if snapshot.is_empty:
            self._verdict = ""
            self.verdict_changed.emit("")
        elif rows and not any(row.kind == "waiting" for row in rows):
            self._tell_verdict(self._verdict_in_words(snapshot))

    def show_controls(self, controls: Controls) -> None:
        """List the answer of JAX's checker while that is switched on; when it is requested again, scroll to it."""
        if controls.jax_checker == self._asks_jax:
            return
        self._asks_jax = controls.jax_checker
        if self._snapshot is not None:
            self._show_rows(self._snapshot)
            self._scroll_to_jax()

    def show_lessons(self, titles: Mapping[str, str]) -> None:
        """Link findings to the lessons in `titles`, by their ids."""
        self._lessons = titles
        if self._snapshot is not None:
            self._show_rows(self._snapshot)

    def check_here(self) -> str:
        """Return the kind of finding of the row that has the keyboard, else of the selected one; empty without one."""
        place = self._list.currentRow() if self._list.hasFocus() else -1
        chosen = (row for row in self._rows if row.focus is not None and row.focus == self._marks.focus)
        row = self._rows[place] if 0 <= place < len(self._rows) else next(chosen, None)
        return row.check if row is not None else ""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            # In another width rows have other heights; Qt moves them later than it paints them.
            self._list.doItemsLayout()
        if watched is not self._list.viewport() or not isinstance(event, QMouseEvent):
            return False
        item = self._list.itemAt(event.position().toPoint())
        row = item.data(ROW_ROLE) if item is not None else None
        rect = self._list.visualItemRect(item) if item is not None else QRect()
        is_on_link = row is not None and self._delegate.is_on_link(rect, row, event.position().toPoint())
        is_on_level = row is not None and self._delegate.is_on_level(rect, row, event.position().toPoint())
        leads = is_on_link or is_on_level
        self._list.viewport().setCursor(Qt.CursorShape.PointingHandCursor if leads else Qt.CursorShape.ArrowCursor)
        if row is None or not leads or event.type() == QEvent.Type.MouseMove:
            return False
        if event.type() == QEvent.Type.MouseButtonRelease and event.button() == Qt.MouseButton.LeftButton:
            if is_on_link:
                self.lesson_wanted.emit(row.lesson)
            else:
                self.check_wanted.emit(row.check)
        # A link is no row to select.
        return True

    def show_stale(self, stale: bool) -> None:
        """Grey the answer of JAX's checker while it belongs to older code."""
        if not stale:
            self._stale_delay.stop()
            self._set_stale(False)
        elif not self._is_stale and not self._stale_delay.isActive():
            self._stale_delay.start()

    def show_outdated(self, outdated: bool) -> None:
        """Note that the findings belong to older code, and that no newer run is under way."""
        if outdated != self._is_outdated:
            self._is_outdated = outdated
            self._tell()

    def show_marks(self, marks: Marks) -> None:
        """Show the findings in `marks` bold, tinted and with a bar; of a new focus, bring the first into sight."""
        is_new, self._marks = marks.focus != self._marks.focus, marks
        first = None
        for place, row in enumerate(self._rows):
            item = self._list.item(place)
            marked = row.finding in marks.findings.get(row.variant, frozenset())
            item.setData(MARKED_ROLE, marked)
            first = first or (item if marked else None)
        if first is not None and is_new:
            self._list.scrollToItem(first)
            if not (here := self._list.currentItem()) or not here.data(MARKED_ROLE):
                # The arrow keys go on from what is selected, wherever that was done.
                self._list.setCurrentItem(first)

    def read_on(self) -> bool:
        """Scroll to the findings that are cut below; return whether there were some."""
        return read_on(self._list)

    def apply_theme(self, theme: Theme) -> None:
        self._delegate.apply_theme(theme)
        self.updateGeometry()
        self._list.scheduleDelayedItemsLayout()

    # -- what the rows say --------------------------------------------------------------------

    def _rows_of(self, snapshot: Snapshot) -> Iterator[FindingRow]:
        if snapshot.failure is not None:
            yield self._failure_row(snapshot.failure, "")
        for report in snapshot.reports:
            yield from self._rows_of_report(report)
        yield from self._checker.rows(snapshot, asked=self._asks_jax)
        if snapshot.complete and snapshot.failure is None and not snapshot.reports:
            sentence = self.tr(
                "There is nothing to run. A variant is a function that takes the arguments returned by inputs."
            )
            yield self._row("note", sentence)

    def _rows_of_report(self, report: Report) -> Iterator[FindingRow]:
        if report.failure is not None:
            yield self._failure_row(report.failure, report.name)
        elif report.status == "stopped":
            yield self._row("note", self.tr("The run was stopped before it finished."), report.name)
        elif report.findings is None:
            yield self._row("waiting", self.tr("The run has not finished yet."), report.name)
        for index, finding in enumerate(report.findings or ()):
            yield self._finding_row(finding, index, report.name)
        for each in report.calls:
            if words := str(call_curves.bad_words(each)):
                line = each.cause_line or each.span.shown_line
                yield self._row(
                    "warning", unmarked(words), report.name, line, Focus("line", line, report.name) if line else None
                )
        yield from self._looks.rows(report)

    def _failure_row(self, failure: Failure, variant: str) -> FindingRow:
        if failure.shown_line and (failure.explanation or failure.drawing) and not is_original(variant):
            sentence = self.tr("{type}: explained below the code").format(type=failure.name)
        else:
            sentence = "\n".join(filter(None, (unmarked(failure.words), unmarked(failure.explanation))))
        focus = Focus("line", failure.shown_line, variant) if failure.shown_line else None
        return self._row("error", sentence, variant, failure.shown_line, focus, failure.traceback)

    def _finding_row(self, finding: Finding, index: int, variant: str) -> FindingRow:
        times = self.tr(" ({count} times)").format(count=finding.repeated) if finding.repeated else ""
        lines = ", ".join(str(line) for line in sorted(finding.lines))
        made = self._row(
            finding.level,
            unmarked(finding.message) + times,
            variant,
            finding.shown_line,
            Focus("finding", index, variant),
            self.tr("Lines {lines}").format(lines=lines) if "," in lines else "",
            index,
        )
        made = replace(made, check=finding.kind if finding.kind in checks() else "")
        title = self._lessons.get(finding.lesson, "")
        if not title:
            return made
        return replace(made, lesson=finding.lesson, link=self.tr("Lesson: {title}").format(title=title))

    def _row(
        self,
        kind: Kind,
        sentence: str,
        variant: str = "",
        line: int | None = None,
        focus: Focus | None = None,
        details: str = "",
        finding: int = -1,
    ) -> FindingRow:
        words: dict[Kind, str] = {
            "error": self.tr("Error"),
            "bug": self.tr("Bug"),
            "warning": self.tr("Warning"),
            "note": self.tr("Note"),
            "unseen": "",
            "fine": "",
            "waiting": self.tr("Running"),
        }
        place = [place_of(variant), self.tr("line {line}").format(line=line) if line else ""]
        here = 0 if is_original(variant) else line or 0
        return FindingRow(
            kind, words[kind], sentence, ", ".join(filter(None, place)), variant, focus, here, details, finding
        )

    def _verdict_in_words(self, snapshot: Snapshot) -> str:
        """Return the counts for the current code, and separately those for the original."""
        now, before = (self._verdict_of(snapshot, of_original=each) for each in (False, True))
        if not any(is_original(row.variant) for row in self._rows):
            return now
        return self.tr("{now} (as it was: {before})").format(now=now, before=before)

    def _verdict_of(self, snapshot: Snapshot, *, of_original: bool) -> str:
        reports = [each for each in snapshot.reports if is_original(each.name) == of_original]
        rows = [row for row in self._rows if is_original(row.variant) == of_original]
        return self._looks.verdict(counts_in_words([row.kind for row in rows]), reports, complete=snapshot.complete)

    def _tell_verdict(self, verdict: str) -> None:
        if verdict != self._verdict:
            self._verdict = verdict
            if not self._is_stale:
                self.verdict_changed.emit(self._verdict_text())

    # -- the list -----------------------------------------------------------------------------

    def _show_rows(self, snapshot: Snapshot) -> tuple[FindingRow, ...]:
        """List the rows of `snapshot` and return them."""
        rows = sorted(self._rows_of(snapshot), key=lambda row: (is_original(row.variant), KINDS.index(row.kind)))
        shown = tuple(replace(row, faint=self._is_stale and row.kind == "jax") for row in rows)
        if shown != self._rows:
            self._rows = shown
            self._build()
        return shown

    def _scroll_to_jax(self) -> None:
        for place, row in enumerate(self._rows):
            if row.kind == "jax":
                self._list.scrollToItem(self._list.item(place), QListView.ScrollHint.PositionAtTop)
                return

    def _set_stale(self, stale: bool) -> None:
        is_news, self._is_stale = stale != self._is_stale, stale
        if is_news:
            self._tell()
        if self._asks_jax and self._snapshot is not None:
            self._show_rows(self._snapshot)

    def _tell(self) -> None:
        if self._verdict:
            self.verdict_changed.emit(self._verdict_text())

    def _verdict_text(self) -> str:
        # Counts of an older state are not those of this one.
        if self._is_stale:
            return self.tr("running…")
        return self.tr("before the change: {}").format(self._verdict) if self._is_outdated else self._verdict

    def _build(self) -> None:
        current, bar = self._list.currentRow(), self._list.verticalScrollBar()
        scrolled = bar.value()
        self._list.clear()
        self._delegate.set_rows(self._rows)
        for row in self._rows:
            item = QListWidgetItem(self._list)
            item.setData(ROW_ROLE, row)
            spoken = ", ".join(filter(None, (row.level, row.sentence, row.place, row.link)))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
            item.setToolTip(plain_tip("\n\n".join(filter(None, (row.sentence, row.details)))))
        self._list.setCurrentRow(min(max(current, 0), len(self._rows) - 1))
        self._stack.setCurrentWidget(self._list if self._rows else self._waiting)
        self._list.doItemsLayout()
        bar.setValue(scrolled)
        self.show_marks(self._marks)

    def _request_focus(self, item: QListWidgetItem) -> None:
        row: FindingRow = item.data(ROW_ROLE)
        if row.focus is not None:
            self.focus_requested.emit(row.focus)

    def _lead(self, item: QListWidgetItem) -> None:
        # First: where the cursor goes, that line is selected.
        if line := item.data(ROW_ROLE).line:
            self.place_wanted.emit(line)
        self._request_focus(item)
