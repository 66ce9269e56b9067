"""Sentences instead of a picture, and the reasons why a picture cannot be shown in a mode."""

from __future__ import annotations

from PySide6.QtCore import QObject

from explorer.focus.focus_words import not_recorded
from explorer.focus.variant_names import shown_variant
from explorer.messages import Report, Snapshot


class MissingWords(QObject):
    """Sentences about missing pictures, the reason, and where to read more."""

    def without_reports(self, snapshot: Snapshot | None) -> str:
        """Return the sentence for a pane that has no report to show."""
        if snapshot is None:
            return self.tr("Nothing has run yet. The noise of each example will appear here.")
        if snapshot.failure is not None:
            return self.tr("The program did not start, so there is nothing to show. Findings says why.")
        if snapshot.complete:
            return self.tr("There is no variant to show.")
        return self.tr("Waiting for the program …")

    def without_picture(self, report: Report, role: str, *, complete: bool) -> str:
        """Return the sentence for a report without a picture of the role `role`.

        Where the snapshot is not `complete`, one may still come: draws come last.
        """
        variant = shown_variant(report.name)
        if report.status in (None, "ok") and report.failure is None and not complete:
            return self.tr("Waiting for {} …").format(variant)
        if report.pictures:
            return self.tr("{} has nothing to show under “{}”.").format(variant, role)
        if report.failure is not None and report.status in (None, "error"):
            line = report.failure.line
            if line is None:
                return self.tr("{} failed with {}. It returned nothing.").format(variant, report.failure.name)
            sentence = self.tr("{} failed on line {} with {}. It returned nothing.")
            return sentence.format(variant, line, report.failure.name)
        if report.status == "timeout":
            return self.tr("{} took too long and was stopped. It returned nothing.").format(variant)
        if report.status == "stopped":
            return self.tr("{} was stopped. It returned nothing.").format(variant)
        if report.recorded:
            return not_recorded()
        if report.pictures is None:
            return self.tr("The arrays of {} were not recorded.").format(variant)
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
