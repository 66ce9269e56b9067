"""The panes' next contents from their current ones and a new answer; ``Revision`` says what they answer."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from explorer.diagnostics.registry import part_of
from explorer.messages import LEVELS, Finding, Program, Report, Snapshot, is_original, subjects


class Revision(msgspec.Struct, frozen=True):
    """A state of the code and the controls: per kind of answer, the number of the last change that affects it.

    Requests carry the revision that they were made from, results the one that they answer. Numbers only grow, so equal
    numbers stand for equal states.
    """

    everything: int = 0
    """Grows with each change and each request: it is the number of a Request for everything."""
    texts: int = 0
    """For the program texts; also the number of a request for these alone."""
    results: int = 0
    """For the keys, the noise and the times."""
    findings: int = 0
    """For the findings: it changes with the results, and further checks answer it later."""

    def changed(self, number: int, *, texts: bool, results: bool) -> Revision:
        """Return the state after change `number`, which matters to `texts`, to `results`, to both or to neither."""
        return Revision(number, number if texts else self.texts, *2 * [number if results else self.results])


class ShownSnapshot(msgspec.Struct, frozen=True):
    """The panes' contents, and the revision that each part of them answers."""

    revision: Revision
    snapshot: Snapshot | None = None
    """None while no result of the open program is known."""
    received: Snapshot | None = None
    """The same without the parts of older runs that fill in for missing results."""


def to_show(received: Snapshot, shown: ShownSnapshot | None) -> Snapshot | None:
    """Return the snapshot to show after `received` has arrived; None to leave the panes unchanged.

    A stopped run brings nothing: the panes keep their contents, greyed, because an older result is better than none.
    Where its first half is already shown, the rest of it is marked as stopped.
    """
    before = shown.snapshot if shown is not None else None
    if shown is None or before is None or not was_stopped(received):
        return received
    if before.complete:
        return None
    # One that gave way to the run that was stopped is over too, and stays greyed with all that stands in it.
    own = shown.received if before.run == received.run else None
    return _with_the_rest_stopped(own or before)


def with_snapshot(
    shown: ShownSnapshot | None, received: Snapshot, names: tuple[str, ...], asked: Revision
) -> ShownSnapshot:
    """Return `shown` with the reports of `names` in `snapshot`; `asked` is the revision of the newest request."""
    revision = shown.revision if shown is not None else Revision()
    snapshot = _selected(received, names, shown.snapshot if shown is not None else None)
    own = [report for report in snapshot.reports if not is_original(report.name)]
    if received.run == asked.everything and received.complete:
        revision = asked
    elif received.run == asked.everything:
        if all(report.program for report in own):
            revision = replace(revision, texts=asked.texts)
        if own and all(report.status for report in snapshot.reports):
            # Only further checks are missing, and perhaps filled in from an older run.
            findings = asked.findings if _is_without_older_findings(snapshot, received) else revision.findings
            revision = replace(revision, results=asked.results, findings=findings)
    return ShownSnapshot(revision, snapshot, received)


def with_programs(shown: ShownSnapshot, programs: Mapping[str, Program], texts: int) -> ShownSnapshot:
    """Return `shown` with the newer `programs`, which answer revision `texts`, and all other results unchanged."""
    if shown.snapshot is None or not shown.snapshot.reports:
        return shown
    own = [report.name for report in shown.snapshot.reports if not is_original(report.name)]
    # A text next to an older one is no newer than that.
    texts = texts if all(name in programs for name in own) else min(texts, shown.revision.texts)
    reports = tuple(
        replace(report, program=programs.get(report.name, report.program)) for report in shown.snapshot.reports
    )
    snapshot = replace(shown.snapshot, reports=reports, failure=None)
    return replace(shown, revision=replace(shown.revision, texts=texts), snapshot=snapshot)


def about_subject(shown: ShownSnapshot, name: str) -> ShownSnapshot:
    """Return `shown` with the program of the function `name` of a script."""
    if shown.snapshot is None:
        return shown
    reports = tuple(subjects.about(report, name) for report in shown.snapshot.reports)
    return replace(shown, snapshot=replace(shown.snapshot, reports=reports))


def with_fixes(shown: ShownSnapshot, *tried: Snapshot) -> ShownSnapshot:
    """Return `shown` with the fixes that equal findings have in `tried`."""
    known = {
        (report.name, each.kind, each.spans): each.fixes
        for snapshot in tried
        for report in snapshot.reports
        for each in report.findings or ()
    }

    def fixed(snapshot: Snapshot | None) -> Snapshot | None:
        return snapshot and replace(snapshot, reports=tuple(map(with_known, snapshot.reports)))

    def with_known(report: Report) -> Report:
        found = report.findings and tuple(
            replace(each, fixes=known.get((report.name, each.kind, each.spans), each.fixes)) for each in report.findings
        )
        return replace(report, findings=found)

    return replace(shown, snapshot=fixed(shown.snapshot), received=fixed(shown.received))


def is_without_mistake(snapshot: Snapshot) -> bool:
    """Return whether everything in `snapshot` was traced and ran without an error so far."""
    programs = (report.program for report in snapshot.reports if report.program is not None)
    return not (snapshot.failures or any(each.failure for each in programs))


def was_stopped(snapshot: Snapshot) -> bool:
    """Return whether `snapshot` belongs to a stopped run."""
    reports = snapshot.reports
    return snapshot.complete and bool(reports) and all(report.status == "stopped" for report in reports)


def _selected(snapshot: Snapshot, names: tuple[str, ...], before: Snapshot | None) -> Snapshot:
    """Return `snapshot` with the reports of `names` only, in this order.

    Missing parts are filled in from `before`, greyed: panes that go blank at every keystroke would be worse.
    """
    reports = (report for report in map(snapshot.report, names) if report is not None)
    older = before if not snapshot.complete else None
    return replace(snapshot, reports=tuple(_with_older_parts(report, older) for report in reports))


def _with_the_rest_stopped(snapshot: Snapshot) -> Snapshot:
    reports = tuple(report if report.status else replace(report, status="stopped") for report in snapshot.reports)
    return replace(snapshot, reports=reports, complete=True)


def _with_older_parts(report: Report, older: Snapshot | None) -> Report:
    before = older.report(report.name) if older is not None else None
    if before is None:
        return report
    # Traces are counted and JAX's checker is asked last of all.
    report = replace(
        report,
        jax_checker=report.jax_checker or before.jax_checker,
        traces=before.traces if report.traces is None else report.traces,
        findings=_with_older_findings(report, before),
    )
    if report.status is not None:
        return report
    if before.subject:
        report = replace(
            report, program=before.program, lenses=before.lenses, subject=before.subject, subjects=before.subjects
        )
    return replace(report, keys=before.keys, pictures=before.pictures, findings=before.findings)


def _is_without_older_findings(snapshot: Snapshot, received: Snapshot) -> bool:
    pairs = [(report, received.report(report.name)) for report in snapshot.reports]
    return all(new and (new.findings, new.jax_checker) == (each.findings, each.jax_checker) for each, new in pairs)


def _with_older_findings(report: Report, before: Report) -> tuple[Finding, ...] | None:
    """Return the findings of `report`, with those of `before` in parts still to be checked."""
    if report.findings is None:
        return None
    looked_at = {look.part for look in report.coverage}
    older = [each for each in before.findings or () if part_of(each.kind) not in looked_at]
    return tuple(sorted((*report.findings, *older), key=lambda each: LEVELS.index(each.level)))
