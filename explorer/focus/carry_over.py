"""``Selection``: the selected thing, which follows changes of the program, and its marks."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from explorer.focus import resolve as focusing
from explorer.focus.focus_words import FocusWords
from explorer.messages import Focus, KeyGraph, Marks, Measurement, Report, Snapshot
from explorer.messages.lazy_numpy import np


class Selection:
    """Holds a focus and follows its thing from one snapshot to the next."""

    def __init__(self) -> None:
        self.focus: Focus | None = None
        self._seen_in: Snapshot | None = None
        """The newest snapshot in which the thing was."""
        self._gone_sentence = ""
        """The reason why a focus was cleared, until another thing is selected."""

    def choose(self, wanted: Focus | None, snapshot: Snapshot | None) -> None:
        """Select `wanted` of `snapshot`; None clears the selection."""
        self.focus, self._seen_in, self._gone_sentence = wanted, snapshot, ""

    def follow(self, snapshot: Snapshot, source: str) -> None:
        """Follow the selected thing into `snapshot`, a newer state; clear the selection where it is certainly gone."""
        before, focus = self._seen_in, self.focus
        # While the code does not even run, nothing is certain.
        if focus is None or before is None or snapshot.failure is not None:
            return
        if focus.kind == "line":
            found = focus if focus.index <= source.count("\n") + 1 else None
        elif focus.kind == "timing":
            found = focus
        else:
            old, new = before.report(focus.variant), snapshot.report(focus.variant)
            if new is not None and (old is None or not _is_known(focus, new)):
                return
            found = _same_thing(focus, old, new) if old and new else None
        self._go_on(found, snapshot)

    def timing_ended(self, measurements: Sequence[Measurement], snapshot: Snapshot | None) -> bool:
        """Clear the selection of a point that was not timed again; return whether a point is, or was, selected."""
        focus = self.focus
        if focus is None or focus.kind != "timing" or snapshot is None:
            return False
        measured = {(each.variant, each.point) for each in measurements}
        self._go_on(focus if (focus.variant, focus.point) in measured else None, snapshot)
        return True

    def marks(self, snapshot: Snapshot | None, measurements: Sequence[Measurement]) -> Marks:
        """Return the marks of the selection; where it was given up, only the sentence that explains it."""
        if self._gone_sentence:
            return Marks(sentence=self._gone_sentence)
        if _has_no_equations(self.focus, snapshot):
            before = focusing.resolve(self.focus, self._seen_in)
            return Marks(before.focus, before.lines, sentence=before.sentence, line=before.line)
        return focusing.resolve(self.focus, snapshot, measurements)

    def _go_on(self, found: Focus | None, snapshot: Snapshot) -> None:
        if found is None and self.focus is not None:
            self._gone_sentence = FocusWords().gone(self.focus, snapshot)
        self.focus, self._seen_in = found, snapshot


def _has_no_equations(focus: Focus | None, snapshot: Snapshot | None) -> bool:
    """Return whether `focus` is on an equation and the program is shown in a form that has none to point at."""
    report = snapshot.report(focus.variant) if focus and snapshot and focus.kind == "equation" else None
    return report is not None and report.program is not None and report.program.form != "jaxpr"


def _is_known(focus: Focus, report: Report) -> bool:
    """Return whether `report` has things of the kind of `focus` yet."""
    if focus.kind == "equation":
        return report.program is not None and report.program.failure is None and report.program.form == "jaxpr"
    part = {"key": report.keys, "draw": report.keys, "finding": report.findings, "row": report.pictures}[focus.kind]
    # Without a status the parts are those of the run before, which may have failed on its way.
    return part is not None and report.failure is None and report.status is not None


def _same_thing(focus: Focus, old: Report, new: Report) -> Focus | None:
    """Return the focus on the same thing in `new`, None where it is not there."""
    index = {"equation": _equation, "key": _key, "draw": _draw, "finding": _finding, "row": _row}[focus.kind](
        focus.index, old, new
    )
    return None if index is None else msgspec.structs.replace(focus, index=index)


def _equation(index: int, old: Report, new: Report) -> int | None:
    """Return the nearest equation of the same primitive, type and depth."""
    before, after = old.program, new.program
    if before is None or after is None or index >= len(before.equations):
        return None
    if before is after:
        return index
    was = before.equations[index]
    alike = [
        place
        for place, each in enumerate(after.equations)
        if (each.primitive, each.output, each.depth) == (was.primitive, was.output, was.depth)
    ]
    return min(alike, key=lambda place: abs(place - index), default=None)


def _key(index: int, old: Report, new: Report) -> int | None:
    """Return the index of the equal key value in `new`: a key is identified by its value."""
    before, after = old.keys, new.keys
    if before is None or after is None or index >= before.nodes:
        return None
    return index if before is after else _index_of(_data(before, index), after)


def _draw(index: int, old: Report, new: Report) -> int | None:
    """Return the draw of the same sampler from the same key value."""
    before, after = old.keys, new.keys
    if before is None or after is None or index >= before.draw_key.shape[0]:
        return None
    if before is after:
        return index
    key = _index_of(_data(before, int(before.draw_key.numpy()[index])), after)
    name = before.sites[int(before.draw_site.numpy()[index])].name
    draws = np.flatnonzero(after.draw_key.numpy() == (-1 if key is None else key)).tolist()
    return next((each for each in draws if after.sites[int(after.draw_site.numpy()[each])].name == name), None)


def _finding(index: int, old: Report, new: Report) -> int | None:
    """Return the finding in the same words, else the next one of the same kind."""
    before, after = old.findings or (), new.findings or ()
    if index >= len(before):
        return None
    was = before[index]
    same = [place for place, each in enumerate(after) if each.message == was.message]
    alike = same or [place for place, each in enumerate(after) if each.kind == was.kind]
    return min(alike, key=lambda place: abs(place - index), default=None)


def _row(index: int, _old: Report, new: Report) -> int | None:
    return index if index < focusing.count_of(Focus("row", index), new) else None


def _data(graph: KeyGraph, key: int) -> tuple[str, list[int]]:
    words: list[int] = graph.data.numpy()[key].tolist()
    return graph.implementations[int(graph.implementation.numpy()[key])], words


def _index_of(wanted: tuple[str, list[int]], graph: KeyGraph) -> int | None:
    implementation, words = wanted
    data = graph.data.numpy()
    if implementation not in graph.implementations or data.shape[1] != len(words):
        return None
    alike = (data == np.array(words, data.dtype)).all(axis=1)
    alike &= graph.implementation.numpy() == graph.implementations.index(implementation)
    found = np.flatnonzero(alike)
    return int(found[0]) if found.size else None
