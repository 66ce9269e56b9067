"""KeyHalf: the keys of one variant: canvas, caption, verdict, and the sentence where there is no picture."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.diagnostics.registry import checks
from explorer.figures.forest.index import KeyIndex
from explorer.figures.forest.key_sentences import KeySentences
from explorer.focus.variant_names import shown_variant
from explorer.messages import Focus, KeyGraph, KeyState, Marks, Report, Snapshot, unmarked
from views.keys.canvas import KeyCanvas
from views.parts.controls import fill
from views.parts.labels import ElidedLabel, ShortLabel
from views.theme import LIGHT, Theme, apply_to_tree, lettered

TEXT = 0.9
"""Relative to the interface's text."""


class KeyCaption(QWidget):
    """A name, and under it at most two lines."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._name, self._verdict = lettered(ElidedLabel(), TEXT, bold=True), lettered(ShortLabel(), TEXT)
        for label in (self._name, self._verdict):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        fill(QVBoxLayout(self), self._name, self._verdict).addStretch(1)

    def show_words(self, name: str, verdict: str, colour: str) -> None:
        """Show `name` and, in `colour`, `verdict`; only the name where that is empty."""
        self._name.show_text(name)
        self._verdict.setText(verdict)
        self._verdict.setVisible(bool(verdict))
        palette = self._verdict.palette()
        palette.setColor(QPalette.ColorRole.WindowText, QColor(colour))
        self._verdict.setPalette(palette)


STOPPED = ("error", "timeout", "stopped")


@cache
def _misuses() -> frozenset[str]:
    """Return the kinds of findings that say that a key is shared or used twice."""
    return frozenset(each.id for each in checks().values() if (each.part, each.level) == ("keys", "bug"))


def _translate(text: str) -> str:
    return QCoreApplication.translate("KeySentences", text)


class KeyHalf(QObject):
    """One variant's `caption` and `canvas`, for a layout to place. Signals: focus_requested(Focus)."""

    focus_requested = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._report: Report | None = None
        self._graph: KeyGraph | None = None
        self._words: KeySentences | None = None
        self._is_meant = False
        self._is_note = False
        self.on_paper = False
        """Whether the next drawing is for print."""
        self.verdict = ""
        self.canvas = KeyCanvas(parent)
        self.caption = KeyCaption(parent)
        self.canvas.key_chosen.connect(self._choose)
        self.canvas.draw_chosen.connect(self._choose_draw)

    def show_report(self, report: Report | None, snapshot: Snapshot) -> None:
        """Show the keys of `report`, or the sentence with the reason why there are none."""
        self._report = report
        graph = report.keys if report and report.keys and report.keys.nodes else None
        if graph is None:
            self._graph = self._words = None
            self.verdict = self._sentence(snapshot)
            self.canvas.show_message(self.verdict)
        elif graph is not self._graph:
            self._graph, self._words = graph, KeySentences(KeyIndex(graph), _translate)
            self._words.on_paper = self.on_paper
            self.canvas.show_keys(self._words)
        if self._words is not None:
            verdict = self._words.verdict
            verdict = self.tr("{verdict}, on purpose").format(verdict=verdict) if self._is_meant else verdict
            self.verdict = self.tr("{verdict}, until it stopped").format(verdict=verdict) if self._stopped else verdict
        words = self.tr("Keys of {name}").format(name=self.name) if self.name else self.tr("Keys")
        self.canvas.setAccessibleName(words)
        self._write_caption()

    def show_marks(self, marks: Marks) -> None:
        """Outline the marked keys of this variant and bring the one in focus on screen."""
        name, focus = self._report.name if self._report else "", marks.focus
        here = focus is not None and focus.kind == "key" and focus.variant == name
        drawn = focus is not None and focus.kind == "draw" and focus.variant == name
        self.canvas.show_marks(
            marks.keys.get(name, frozenset()),
            focus.index if focus and here else None,
            focus.index if focus and drawn else None,
        )

    def set_shown(self, shown: bool, captioned: bool) -> None:
        """Show or hide this half, and its caption."""
        self.canvas.setVisible(shown)
        self.caption.setVisible(shown and captioned)

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        apply_to_tree(self.canvas, self.worn)
        self._write_caption()

    @property
    def name(self) -> str:
        """The variant's name on screen."""
        return shown_variant(self._report.name) if self._report else ""

    @property
    def is_faulty(self) -> bool:
        """Whether a key is used twice or shared."""
        return self._words is not None and self._words.index.tally.is_faulty

    @property
    def worn(self) -> Theme:
        """The theme, in which a misuse that is a note has the colour of one."""
        return replace(self._theme, bug=self._theme.note) if self._is_note else self._theme

    def take_meaning(self, report: Report | None) -> bool:
        """Return whether `report` is the first to give the severity of shared and reused keys.

        It is a note instead of a bug where it is intended or where only a library does it, as in the list of findings.
        """
        misuses = [each for each in (report.findings if report else None) or () if each.kind in _misuses()]
        before = self._is_meant, self._is_note
        self._is_meant = any(each.on_purpose for each in misuses)
        self._is_note = bool(misuses) and all(each.level != "bug" for each in misuses)
        if before != (self._is_meant, self._is_note):
            apply_to_tree(self.canvas, self.worn)
        return before != (self._is_meant, self._is_note)

    def states(self) -> dict[KeyState, str]:
        """Return the states that occur outside of library samplers, with their words."""
        return {state: self._words.state(state) for state in self._words.index.tally.counts} if self._words else {}

    @property
    def _stopped(self) -> bool:
        """Whether the program did not run to its end, so that keys are missing."""
        report = self._report
        return report is not None and (report.failure is not None or report.status in STOPPED)

    def notes(self) -> list[str]:
        """Return notes on how to read the picture."""
        if self._graph is None or self._report is None:
            return []
        return [*self._partial(self._report), *map(str, self._graph.notes)]

    def _choose(self, key: int) -> None:
        if self._report is not None:
            self.focus_requested.emit(Focus("key", key, self._report.name))

    def _choose_draw(self, draw: int) -> None:
        if self._report is not None:
            self.focus_requested.emit(Focus("draw", draw, self._report.name))

    def _sentence(self, snapshot: Snapshot) -> str:
        """Return the reason why there is no picture."""
        report = self._report
        if self._stopped or (report is None and snapshot.failure):
            return self.tr("The program stopped before it made a key.")
        if report and report.keys is not None:
            of_keys = (str(each.sentence) for each in report.coverage if (each.part, each.extent) == ("keys", "whole"))
            return unmarked(next(of_keys, "")) or self.tr("This program makes no random keys.")
        if snapshot.complete:
            return self.tr("The keys of this program were not recorded.")
        return self.tr("The keys appear here as soon as the program has run.")

    def _partial(self, report: Report) -> list[str]:
        if report.failure and report.failure.shown_line:
            words = self.tr("The program stopped on line {line}. These are the keys that it made before.")
            return [words.format(line=report.failure.shown_line)]
        if self._stopped:
            return [self.tr("The program did not finish. These are the keys that it made before it ended.")]
        return []

    def _write_caption(self) -> None:
        colour = self.worn.bug if self.is_faulty else self._theme.text if self._stopped else self._theme.good
        # Without keys the picture itself says why.
        self.caption.show_words(self.name, self.verdict if self._words else "", colour)
