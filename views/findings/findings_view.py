"""The list of findings: what went wrong, what to know, and what is fine, each with its place in the code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QListView, QListWidget, QListWidgetItem, QStackedLayout, QWidget

from explorer.focus.variant_names import shown_variant
from explorer.messages import Failure, Finding, Focus, Marks, Report, Snapshot, is_as_it_was, unmarked
from explorer.session.controls import Controls
from views.findings.checker_rows import CheckerRows
from views.findings.finding_rows import MARKED_ROLE, ROW_ROLE, FindingDelegate, Row
from views.parts.level_signs import KINDS, Kind
from views.theme import LIGHT, Theme

STALE_DELAY_MS = 250
"""What JAX says is greyed only when the new answer takes longer than this: it would flicker at every keystroke."""

KEY_KINDS = frozenset({"key-reuse", "shared-noise", "unused-key", "not-shared", "rbg-batched"})
"""Kinds of findings about keys. Where there is none of them, the keys are clean; of the rest that says nothing."""

LEAST_HEIGHT = 40
"""Pixels of the list; Qt's own least height is that of three lines."""


class FindingsView(QWidget):
    """Lists failures first, then bugs, notes, what is in order, and what JAX's own checker says.

    Signals:
        focus_requested: the Focus of the row that was clicked or entered.
        verdict_changed: the counts in words, "1 bug, 2 notes".
    """

    focus_requested = Signal(object)
    verdict_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[Row, ...] = ()
        self._marks = Marks()
        self._verdict = ""
        self._snapshot: Snapshot | None = None
        self._asks_jax = False
        self._checker = CheckerRows(self)
        self._is_stale = False
        self._stale_delay = QTimer(self, singleShot=True, interval=STALE_DELAY_MS)
        self._stale_delay.timeout.connect(self._grey)
        self._waiting = QLabel(self.tr("Findings appear here after the first run."))
        self._waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._waiting.setWordWrap(True)
        self._waiting.setProperty("role", "dim")
        self._list = QListWidget()
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
        self._list.itemActivated.connect(self._request_focus)
        self.apply_theme(LIGHT)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """List what `snapshot` knows about each of its variants."""
        self._snapshot = snapshot
        rows = self._show_rows(snapshot)
        # While something still runs the last verdict stands: a title that blinks at every key press tells nothing.
        if rows and not any(row.kind == "waiting" for row in rows):
            self._tell_verdict(self._verdict_in_words())

    def show_controls(self, controls: Controls) -> None:
        """List what JAX's own checker says while that is asked for; when it is asked anew, bring it into sight."""
        if controls.jax_checker == self._asks_jax:
            return
        self._asks_jax = controls.jax_checker
        if self._snapshot is not None:
            self._show_rows(self._snapshot)
            self._scroll_to_jax()

    def show_stale(self, stale: bool) -> None:
        """Grey what JAX's checker said while it is about an older state of the code."""
        if not stale:
            self._stale_delay.stop()
            self._set_stale(False)
        elif not self._is_stale and not self._stale_delay.isActive():
            self._stale_delay.start()

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

    def apply_theme(self, theme: Theme) -> None:
        self._delegate.apply_theme(theme)
        self._list.setFont(theme.font())
        self._list.setMinimumHeight(theme.px(LEAST_HEIGHT))
        self._list.scheduleDelayedItemsLayout()

    # -- what the rows say --------------------------------------------------------------------

    def _rows_of(self, snapshot: Snapshot) -> Iterator[Row]:
        if snapshot.failure is not None:
            yield self._failure_row(snapshot.failure, "")
        for report in snapshot.reports:
            yield from self._rows_of_report(report)
        yield from self._checker.rows(snapshot, asked=self._asks_jax)
        if snapshot.complete and snapshot.failure is None and not snapshot.reports:
            sentence = self.tr("There is nothing to run. A variant is a function whose arguments inputs returns.")
            yield self._row("note", sentence)

    def _rows_of_report(self, report: Report) -> Iterator[Row]:
        if report.failure is not None:
            yield self._failure_row(report.failure, report.name)
        elif report.status == "stopped":
            yield self._row("note", self.tr("It was stopped before it had finished."), report.name)
        elif report.findings is None:
            yield self._row("waiting", self.tr("It has not finished yet."), report.name)
        for index, finding in enumerate(report.findings or ()):
            yield self._finding_row(finding, index, report.name)
        if report.status == "ok" and report.failure is None:
            for level, sentence in self._in_order(report):
                yield replace(self._row("fine", sentence, report.name), level=level)

    def _failure_row(self, failure: Failure, variant: str) -> Row:
        what = f"{failure.type}: {failure.message}" if failure.message else failure.type
        sentence = "\n".join(filter(None, (unmarked(what), unmarked(failure.explanation))))
        focus = Focus("line", failure.line, variant) if failure.line else None
        return self._row("error", sentence, variant, failure.line, focus, failure.traceback)

    def _finding_row(self, finding: Finding, index: int, variant: str) -> Row:
        times = self.tr(" ({count} times)").format(count=finding.count) if finding.count > 1 else ""
        lines = ", ".join(str(line) for line in sorted(finding.lines))
        return self._row(
            finding.level,
            unmarked(finding.message) + times,
            variant,
            finding.line,
            Focus("finding", index, variant),
            self.tr("Lines {lines}").format(lines=lines) if "," in lines else "",
            index,
        )

    def _row(
        self,
        kind: Kind,
        sentence: str,
        variant: str = "",
        line: int | None = None,
        focus: Focus | None = None,
        details: str = "",
        finding: int = -1,
    ) -> Row:
        words: dict[Kind, str] = {
            "error": self.tr("Error"),
            "bug": self.tr("Bug"),
            "warning": self.tr("Warning"),
            "note": self.tr("Note"),
            "fine": "",
            "waiting": self.tr("Running"),
        }
        place = [shown_variant(variant), self.tr("line {line}").format(line=line) if line else ""]
        return Row(kind, words[kind], sentence, ", ".join(filter(None, place)), variant, focus, details, finding)

    def _in_order(self, report: Report) -> Iterator[tuple[str, str]]:
        """Yield what was looked at, to the end of the run, and is in order: in a word, and in a sentence."""
        if report.findings is not None and not KEY_KINDS & {finding.kind for finding in report.findings}:
            made_none = report.keys is not None and report.keys.nodes == 0
            said = self.tr("No key was used twice, and no noise is shared.")
            yield self.tr("Keys: clean"), self.tr("It uses no random keys.") if made_none else said

    def _verdict_in_words(self) -> str:
        """Return the counts of the code as it stands, and apart from them those of the code as it was."""
        now = self._counts_in_words([row for row in self._rows if not is_as_it_was(row.variant)])
        before = [row for row in self._rows if is_as_it_was(row.variant)]
        if not before:
            return now
        return self.tr("{now} (as it was: {before})").format(now=now, before=self._counts_in_words(before))

    def _counts_in_words(self, rows: Sequence[Row]) -> str:
        plain: tuple[tuple[Kind, str, str], ...] = (
            ("error", self.tr("1 error"), self.tr("{count} errors")),
            ("bug", self.tr("1 bug"), self.tr("{count} bugs")),
            ("warning", self.tr("1 warning"), self.tr("{count} warnings")),
            ("note", self.tr("1 note"), self.tr("{count} notes")),
        )
        said = []
        for kind, one, many in plain:
            if count := sum(row.kind == kind for row in rows):
                said.append(one if count == 1 else many.format(count=count))
        return ", ".join(said) or self.tr("none")

    def _tell_verdict(self, verdict: str) -> None:
        if verdict != self._verdict:
            self._verdict = verdict
            if not self._is_stale:
                self.verdict_changed.emit(verdict)

    # -- the list -----------------------------------------------------------------------------

    def _show_rows(self, snapshot: Snapshot) -> tuple[Row, ...]:
        """List the rows of `snapshot` and return them."""
        rows = sorted(self._rows_of(snapshot), key=lambda row: (is_as_it_was(row.variant), KINDS.index(row.kind)))
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

    def _grey(self) -> None:
        self._set_stale(True)

    def _set_stale(self, stale: bool) -> None:
        if stale != self._is_stale and self._verdict:
            # Counts of an older state are not those of this one.
            self.verdict_changed.emit(self.tr("running…") if stale else self._verdict)
        self._is_stale = stale
        if self._asks_jax and self._snapshot is not None:
            self._show_rows(self._snapshot)

    def _build(self) -> None:
        current, bar = self._list.currentRow(), self._list.verticalScrollBar()
        scrolled = bar.value()
        self._list.clear()
        self._delegate.set_rows(self._rows)
        for row in self._rows:
            item = QListWidgetItem(self._list)
            item.setData(ROW_ROLE, row)
            spoken = ", ".join(filter(None, (row.level, row.sentence, row.place)))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
            item.setToolTip("\n\n".join(filter(None, (row.sentence, row.details))))
        self._list.setCurrentRow(min(max(current, 0), len(self._rows) - 1))
        self._stack.setCurrentWidget(self._list if self._rows else self._waiting)
        self._list.doItemsLayout()
        bar.setValue(scrolled)
        self.show_marks(self._marks)

    def _request_focus(self, item: QListWidgetItem) -> None:
        row: Row = item.data(ROW_ROLE)
        if row.focus is not None:
            self.focus_requested.emit(row.focus)
