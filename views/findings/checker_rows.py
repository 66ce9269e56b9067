"""The answers of JAX's own key checker, as rows of the list of findings."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject

from explorer.focus.not_recorded import not_recorded
from explorer.focus.variant_names import shown_variant
from explorer.messages import CheckerAnswer, JaxChecker, Report, Snapshot
from views.findings.finding_rows import Row


class CheckerRows(QObject):
    """Makes the rows in the language of the interface: one for each variant, below everything of ours."""

    def rows(self, snapshot: Snapshot, *, asked: bool) -> Iterator[Row]:
        """Yield the rows about JAX's key checker, below our own findings; none where it was not `asked`."""
        if not asked:
            return
        for report in snapshot.reports:
            sentence = self._summary(report.jax_checker) if report.jax_checker else self._silence(report, snapshot)
            yield Row("jax", self.tr("JAX says"), sentence, shown_variant(report.name), report.name)

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
