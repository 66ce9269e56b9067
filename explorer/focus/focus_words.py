"""Sentences of the status bar about a selection, or one that is gone; ``not_recorded``, for panes of a recording."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QObject

from explorer.figures.curves import seconds_text
from explorer.figures.json_records import key_hex
from explorer.focus.variant_names import shown_variant
from explorer.messages import Focus, Measurement, Report, Snapshot, unmarked


class FocusWords(QObject):
    """Makes the sentences in the language of the interface."""

    def selected(self, what: str, variant: str = "") -> str:
        """Return the sentence for the text `what`, with `variant` where that is given."""
        if variant:
            return self.tr("Selected: {what} ({variant})").format(what=what, variant=shown_variant(variant))
        return self.tr("Selected: {what}").format(what=what)

    def thing(self, focus: Focus, report: Report) -> str:
        """Return a text for the thing in `report` that `focus` selects, with its line."""
        number = focus.index
        if focus.kind == "equation" and report.program:
            name = report.program.equations[number].primitive
            return self.tr("equation {number}, {name}").format(number=number + 1, name=name)
        if focus.kind == "finding" and report.findings:
            return unmarked(report.findings[number].message)
        if focus.kind == "key" and report.keys:
            return self.tr("key {data}").format(data=key_hex(report.keys, number))
        if focus.kind == "draw":
            return self._draw(report, number)
        return self.tr("example {number}").format(number=number)

    def line(self, number: int) -> str:
        return self.tr("line {number}").format(number=number)

    def timing(self, focus: Focus, measured: Measurement | None) -> str:
        """Return the sentence about the selected point of a curve, with its measurement."""
        transforms = [each for each in focus.point if "=" not in each]
        place = [each for each in focus.point if "=" in each]
        words = self.tr("timing of {variant} ({transforms})").format(
            variant=focus.variant, transforms=" + ".join(transforms)
        )
        if place:
            words = self.tr("{words} at {place}").format(words=words, place=", ".join(place))
        if measured is None or measured.median_s is None:
            return words
        return self.tr("{words}: {time} a call").format(words=words, time=seconds_text(measured.median_s))

    def gone(self, focus: Focus, snapshot: Snapshot) -> str:
        """Return the reason why `focus` was cleared: the selected thing no longer exists."""
        if focus.kind != "line" and snapshot.report(focus.variant) is None and focus.kind != "timing":
            words = self.tr("Selection cleared: it belongs to {variant}, which is no longer shown.")
            return words.format(variant=shown_variant(focus.variant))
        return {
            "line": self.tr("Selection cleared: that line is no longer in the code."),
            "equation": self.tr("Selection cleared: that equation is no longer in the program."),
            "key": self.tr("Selection cleared: the program no longer makes that key."),
            "draw": self.tr("Selection cleared: the program no longer makes that draw."),
            "row": self.tr("Selection cleared: the program now has fewer examples."),
            "finding": self.tr("Selection cleared: the selected item is no longer there."),
            "timing": self.tr("Selection cleared: that point was not timed again."),
        }[focus.kind]

    def _draw(self, report: Report, number: int) -> str:
        graph = report.keys
        if graph is None:
            return ""
        site = graph.sites[int(graph.draw_site.numpy()[number])]
        words = self.tr("draw {name} from key {data}").format(
            name=site.name, data=key_hex(graph, int(graph.draw_key.numpy()[number]))
        )
        example, serves = int(graph.draw_example.numpy()[number]), int(graph.draw_serves.numpy()[number])
        if serves > 1:
            examples = self.tr("{words}, shared by {count} examples")
            devices = self.tr("{words}, shared by {count} devices")
            shared = devices if graph.shared_by == "devices" else examples
            return shared.format(words=words, count=f"{serves:,}")
        return self.tr("{words}, for example {number}").format(words=words, number=example) if example >= 0 else words


def not_recorded() -> str:
    """Return the sentence for a pane of a recording that has nothing to show."""
    return QCoreApplication.translate(
        "NotRecorded", "The recording does not have this. To see it, choose “Open as a program” and run the program."
    )
