"""A snapshot or report reduced to the findings on changed lines."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from explorer.commands.repository import ChangedLines
from explorer.diagnostics.registry import part_of
from explorer.messages import LEVELS, Coverage, Finding, Report, Snapshot


def snapshot(whole: Snapshot, changed: ChangedLines | None, file: str) -> Snapshot:
    """Return `whole` with the findings that are on changed lines of `file`."""
    if changed is None:
        return whole
    return structs.replace(whole, reports=tuple(report(each, changed, file) for each in whole.reports))


def report(whole: Report, changed: ChangedLines | None, file: str = "") -> Report:
    """Return `whole` with the findings on changed lines; places without a file are in `file`."""
    if changed is None or not whole.findings:
        return whole
    kept = tuple(finding for finding in whole.findings if changed.has(finding, file))
    coverage = tuple(_counted(look, whole.findings, kept) for look in whole.coverage)
    return structs.replace(whole, findings=kept, coverage=coverage)


def _counted(look: Coverage, before: Sequence[Finding], after: Sequence[Finding]) -> Coverage:
    old, new = ([each for each in some if part_of(each.kind) == look.part] for some in (before, after))
    if len(old) == len(new):
        return look
    counts = [(level, sum(each.level == level for each in new)) for level in LEVELS]
    counted = ", ".join(f"{count} {level}{'s' * (count > 1)}" for level, count in counts if count)
    worst = next((level for level, count in counts if count), None)
    return structs.replace(look, says=f"{counted or 'nothing'} on changed lines", worst=worst, sentence="")
