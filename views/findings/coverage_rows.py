"""Clean and unchecked parts, as rows of the list of findings and words of its title."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QObject

from explorer.focus.variant_names import shown_variant
from explorer.messages import Coverage, Report
from views.findings.finding_rows import Row


class LookRows(QObject):
    """Makes rows and words in the language of the interface."""

    def rows(self, report: Report) -> Iterator[Row]:
        """Yield a row for the clean parts of `report`, and one for each unchecked part; none before the run's end."""
        if report.status != "ok":
            return
        place = shown_variant(report.name)
        clean = [look for look in report.coverage if look.is_clean]
        if clean:
            details = "\n".join(str(look.sentence) for look in clean)
            yield Row("fine", "", _in_a_row(clean), place, report.name, details=details)
        unseen = [look for look in report.coverage if _is_unseen(look)]
        if unseen:
            yield Row("unseen", "", _in_a_row(unseen), place, report.name)

    def verdict(self, counts: str, reports: Sequence[Report], *, complete: bool) -> str:
        """Return the `counts` of findings in all `reports`, or that there are none, with the coverage."""
        if not counts and not complete:
            return self.tr("none so far")
        coverage = [look for report in reports for look in report.coverage]
        names = {look.part: str(look.name) for look in coverage}
        taken = [name for part, name in names.items() if all(_is_taken(part, report) for report in reports)]
        unseen = dict.fromkeys(str(look.name) for look in coverage if _is_unseen(look))
        words = counts or (self.tr("none in {parts}").format(parts=", ".join(taken)) if taken else self.tr("none"))
        if not unseen:
            return words
        return self.tr("{found}; not checked: {parts}").format(found=words, parts=", ".join(unseen))


def _in_a_row(coverage: Sequence[Coverage]) -> str:
    return " · ".join(look.words for look in coverage)


def _is_unseen(look: Coverage) -> bool:
    return look.extent in ("timeout", "failed")


def _is_taken(part: str, report: Report) -> bool:
    return any(look.part == part and look.was_taken for look in report.coverage)
