"""BothHalves: one picture, or two side by side at one height; MissingWords: why there is none."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from explorer.focus.focus_words import not_recorded
from explorer.focus.variant_names import shown_variant
from explorer.messages import TOP_LEVEL, Marks, Report, Snapshot
from views.noise.arrays.heat_colours import Scale
from views.noise.choices import ResolvedHalves
from views.noise.noise_half import NoiseHalf
from views.theme import Theme, Themed, spaced


class BothHalves(Themed, QWidget):
    """Shows each report in its half, at one height, on one scale.

    Signals:
        focus_requested, hovered: as each half.
    """

    focus_requested = Signal(object)
    hovered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reports: tuple[Report, ...] = ()
        self._missing = MissingWords(self)
        self.halves = (NoiseHalf(), NoiseHalf())
        self._row = spaced(QHBoxLayout(self), 0, spacing=12)
        for half in self.halves:
            self._row.addWidget(half, 1)
            half.focus_requested.connect(self.focus_requested)
            half.hovered.connect(self.hovered)

    # -- what to show -------------------------------------------------------------------------

    def show_resolved(
        self, snapshot: Snapshot | None, reports: tuple[Report, ...], resolved: ResolvedHalves, role: str
    ) -> None:
        """Show the contents `resolved` of each of `reports`; `role` is the role's name on screen."""
        self._reports = reports
        first, second = self.halves
        second.setVisible(len(reports) == 2)
        if not reports:
            first.show_name("")
            first.show_sentence(self._missing.without_reports(snapshot))
        for half, report, view in zip(self.halves, reports, resolved.views, strict=False):
            if view is None:
                complete = snapshot is not None and snapshot.complete
                half.show_sentence(self._missing.without_picture(report, role, complete=complete))
            else:
                half.show_view(report, view)
        self._name_halves()
        self._share_axes()

    def _name_halves(self) -> None:
        """Write above each picture of two, and above any on a stage, which function it is of."""
        named = len(self._reports) == 2 or self.theme.on_stage
        for half, report in zip(self.halves, self._reports, strict=False):
            half.show_name(shown_variant(report.name) if named else "")

    def _share_axes(self) -> None:
        """Give two scatter plots equal axes, so that they can be compared."""
        first, second = self.halves
        modes = {half.mode for half in self._shown()}
        if len(self._reports) < 2 or len(modes) != 1:
            return
        across, upwards = zip(first.scatter.ranges, second.scatter.ranges, strict=True)
        for half in self.halves:
            half.scatter.set_ranges((_around(*across), _around(*upwards)))

    def show_marks(self, marks: Marks) -> None:
        for half, report in zip(self.halves, self._reports, strict=False):
            half.mark_rows(marks.rows.get(report.name, frozenset()))

    def level_heads(self, pane_height: int) -> None:
        """Align the tops and bottoms of both plots, so that equal rows are side by side."""
        for half in self.halves:
            half.set_words_share(pane_height, self.height())
        both = self.halves if len(self._reports) == 2 else ()
        width = (self.width() - self._row.spacing()) // 2
        heights = [half.words_heights(width) for half in both] or [(0, 0)]
        head, notes = map(max, zip(*heights, strict=True))
        for half in self.halves:
            half.level(head, notes)

    def apply_theme(self, _theme: Theme) -> None:
        self._name_halves()

    # -- what it says -------------------------------------------------------------------------

    def _shown(self) -> Sequence[NoiseHalf]:
        return self.halves[: len(self._reports)]

    @property
    def words(self) -> str:
        words = [half.words for half in self.halves[: max(1, len(self._reports))]]
        if len(words) == 2:
            # A sentence on what is missing names its variant itself.
            words = [
                half.words if half.picture is None else f"{shown_variant(report.name)}: {half.words}"
                for report, half in zip(self._reports, self.halves, strict=True)
            ]
        return " | ".join(words)

    @property
    def scale(self) -> Scale | None:
        """The colour scale in use, None where colours have no meaning."""
        return next((half.scale for half in self._shown() if half.scale is not None), None)


def _around(first: tuple[float, float], second: tuple[float, float]) -> tuple[float, float]:
    return min(first[0], second[0]), max(first[1], second[1])


class MissingWords(QObject):
    """Sentences about missing pictures, the reason, and where to read more."""

    def without_reports(self, snapshot: Snapshot | None) -> str:
        """Return the sentence for a pane that has no report to show."""
        if snapshot is None:
            return self.tr("Nothing has run yet. The noise of each example will appear here.")
        if (failure := snapshot.failure) is not None and failure.line and failure.type.endswith("Error"):
            words = self.tr("{} failed on line {} with {}, so there is nothing to show.")
            return words.format(self.tr("The program"), failure.line, failure.name)
        if failure is not None:
            return self.tr("There is nothing to show. Findings says why.")
        if snapshot.complete:
            return self.tr("There is no variant to show.")
        return self.tr("Waiting for the program …")

    def without_picture(self, report: Report, role: str, *, complete: bool) -> str:
        """Return the sentence for a report without a picture of the role `role`.

        Where the snapshot is not `complete`, one may still come: draws come last.
        """
        variant = self.tr("The script") if report.name == TOP_LEVEL else shown_variant(report.name)
        if report.status in (None, "ok") and report.failure is None and not complete:
            if report.name == TOP_LEVEL:
                return self.tr("Waiting for the program …")
            return self.tr("Waiting for {} …").format(variant)
        if report.pictures:
            return self.tr("{} has nothing to show under “{}”.").format(variant, role)
        if report.failure is not None and report.status in (None, "error"):
            line = report.failure.line
            if line is None:
                return self.tr("{} failed with {}, so there is nothing to show.").format(variant, report.failure.name)
            sentence = self.tr("{} failed on line {} with {}, so there is nothing to show.")
            return sentence.format(variant, line, report.failure.name)
        if report.status == "timeout":
            return self.tr("{} took too long and was stopped, so there is nothing to show.").format(variant)
        if report.status == "stopped":
            return self.tr("{} was stopped, so there is nothing to show.").format(variant)
        if report.recorded:
            return not_recorded()
        if report.pictures is None:
            return self.tr("The arrays of {} were not recorded.").format(shown_variant(report.name))
        if report.name == TOP_LEVEL:
            return self.tr("The script keeps no array, so there is nothing to draw.")
        return self.tr("{} returned no array, so there is nothing to draw.").format(variant)

    def reason(self, word: str) -> str:
        """Return why a mode does not suit a picture, as a sentence."""
        sentences = {
            "no images": self.tr(
                "The rows are not images: an image has height and width, and perhaps 1, 3 or 4 channels."
            ),
            "no line": self.tr(
                "A line plot needs exactly one axis of numbers; this array has another number of axes, or holds "
                "True/False."
            ),
            "no partner": self.tr("There is no second array of the same size to compare this one with."),
        }
        return sentences[word]
