"""Which snapshot the panes show next, given the one that they show and the one that came."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from explorer.messages import Program, Report, Snapshot


def to_show(came: Snapshot, shown: Snapshot | None) -> Snapshot | None:
    """Return what to show now that `came` has come, None to leave what is there.

    A run that was stopped brings nothing: what is on screen stays, greyed, because an older result is better than
    none. Where its first half is on screen already, the rest of it is marked as stopped.
    """
    if shown is None or not was_stopped(came):
        return came
    # One that is not complete gave way to the run that was stopped, and is over too.
    return None if shown.complete else _with_the_rest_stopped(shown)


def selected(snapshot: Snapshot, names: tuple[str, ...], shown: Snapshot | None) -> Snapshot:
    """Return `snapshot` with the reports of `names` only, in this order.

    Parts that are still to come are those of `shown`, greyed until then: to go blank and come back at every
    keystroke would be worse.
    """
    reports = (report for report in map(snapshot.report, names) if report is not None)
    return msgspec.structs.replace(
        snapshot, reports=tuple(_with_older_parts(report, shown, complete=snapshot.complete) for report in reports)
    )


def with_programs(shown: Snapshot, programs: Mapping[str, Program]) -> Snapshot:
    """Return `shown` with the newer `programs` of its variants; what is told of the older ones stays until later."""
    reports = tuple(
        msgspec.structs.replace(report, program=programs.get(report.name, report.program)) for report in shown.reports
    )
    return msgspec.structs.replace(shown, reports=reports, failure=None)


def is_without_mistake(snapshot: Snapshot) -> bool:
    """Return whether everything in `snapshot` could be traced and ran, as far as that is known."""
    programs = (report.program for report in snapshot.reports if report.program is not None)
    failures = [
        snapshot.failure,
        *(report.failure for report in snapshot.reports),
        *(each.failure for each in programs),
    ]
    return not any(failures)


def was_stopped(snapshot: Snapshot) -> bool:
    """Return whether `snapshot` is what is left of a run that was stopped."""
    reports = snapshot.reports
    return snapshot.complete and bool(reports) and all(report.status == "stopped" for report in reports)


def _with_the_rest_stopped(snapshot: Snapshot) -> Snapshot:
    reports = tuple(
        report if report.status else msgspec.structs.replace(report, status="stopped") for report in snapshot.reports
    )
    return msgspec.structs.replace(snapshot, reports=reports, complete=True)


def _with_older_parts(report: Report, shown: Snapshot | None, *, complete: bool) -> Report:
    before = shown.report(report.name) if shown is not None and not complete else None
    if before is None:
        return report
    # Traces are counted and JAX's checker is asked last of all.
    report = msgspec.structs.replace(
        report,
        jax_checker=report.jax_checker or before.jax_checker,
        traces=before.traces if report.traces is None else report.traces,
    )
    if report.status is not None:
        return report
    return msgspec.structs.replace(report, keys=before.keys, pictures=before.pictures, findings=before.findings)
