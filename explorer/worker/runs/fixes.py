"""Fixes for a variant's failure or findings: proposed by rules, tried, and compared with the results before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from explorer.diagnostics.registry import checks, part_of
from explorer.messages import Finding, Fix, Report
from explorer.worker.fixes import for_findings, missing_inputs
from explorer.worker.runs import fix_trials
from explorer.worker.runs.output_forms import Outputs
from explorer.worker.runs.variant_run import VariantRun


def with_fixes(run: VariantRun, report: Report) -> Report:
    """Return `report` with the proposed fixes of its failure that make the variant run without bugs.

    Raises Stopped when the run is cancelled.
    """
    cached = run.cached[report.name]
    if report.failure is None or cached.proposed is None:
        return report
    meant = fix_trials.outputs_with(cached.intended, run, report.name)

    def is_meant(outputs: Outputs) -> bool:
        return not (cached.intended and outputs.has_alike) and (meant is None or outputs.has_axes_of(meant))

    fixes = _passing(run, report.name, cached.proposed, fix_trials.Standard(Counter(), is_meant, of_bugs=True))
    # Hiding fixes nothing: it is offered only without another fix, and never for wrong numbers.
    fixes = fixes or _not_a_variant(run, report.name)
    return msgspec.structs.replace(report, failure=msgspec.structs.replace(report.failure, fixes=fixes))


def with_finding_fixes(run: VariantRun, report: Report) -> Report:
    """Return `report` with fixes for its findings above the level of a note; unchanged after a failure.

    Raises Stopped when the run is cancelled.
    """
    found, outputs = report.findings or (), run.cached[report.name].outputs
    if report.status != "ok" or outputs is None:
        return report
    with_fixes = tuple(_with_fixes(run, report.name, each, found, outputs) for each in found)
    return msgspec.structs.replace(report, findings=with_fixes)


def _with_fixes(run: VariantRun, name: str, finding: Finding, found: Iterable[Finding], outputs: Outputs) -> Finding:
    """Return `finding` with the fixes that remove it, add no other finding, and keep the form of the outputs."""
    if finding.level == "note":
        return finding
    proposed = for_findings.proposed_for_finding(finding, run.request.source)
    kind = finding.kind
    allowed = fix_trials.counted(found, kind=kind) - Counter({(kind, finding.level): 1})
    check = checks().get(kind)
    keeps_types = check is None or not check.fix_changes_types
    standard = fix_trials.Standard(allowed, lambda given: given.has_form_of(outputs, and_types=keeps_types), kind=kind)
    # One way to split keys suffices, and each trial takes time.
    most = 1 if part_of(kind) == "keys" else fix_trials.MOST_FIXES
    return msgspec.structs.replace(finding, fixes=_passing(run, name, proposed, standard, most))


def _passing(
    run: VariantRun,
    name: str,
    proposed: Iterable[Fix],
    standard: fix_trials.Standard,
    most: int = fix_trials.MOST_FIXES,
) -> tuple[Fix, ...]:
    """Return the first `most` of `proposed` with which variant `name` meets `standard`."""
    judge, did, took_s = standard.lets_pass(name), run.did_by(name), run.cached[name].took_s
    return fix_trials.passing(proposed, run.request, run.channel, did, judge, most, took_s)


def _not_a_variant(run: VariantRun, name: str) -> tuple[Fix, ...]:
    """Return the fix that marks `name`, a variant only by the default rule, as a helper."""
    return () if name in run.request.named else missing_inputs.called_anyway(name, run.request.source)
