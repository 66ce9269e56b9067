"""Fixes for a failure or findings: the changed program runs with the original's checks, and results are compared."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial

import msgspec

from explorer.diagnostics.registry import checks, part_of
from explorer.messages import TOP_LEVEL, Edit, Finding, Fix, Report, Request
from explorer.worker.fixes import missing_inputs, proposals
from explorer.worker.process.channel import Channel
from explorer.worker.recording.interrupt import Interrupt, TimeLimit
from explorer.worker.runs import observe
from explorer.worker.runs.isolated import isolated, place_of
from explorer.worker.runs.output_forms import Outputs, output_form
from explorer.worker.runs.variant_run import VariantRun
from explorer.worker.syntax.code_tree import with_edits

MOST_FIXES = 3
TRIAL_S = 3.0
"""Seconds for one changed program, in addition to the time of the original."""
ALL_TRIALS_S = 8.0
"""Seconds after which no further fix is tried, likewise."""
LOOKS = 3
"""Largest number of runs per changed program: for keys, traces and values."""
MOST_S = 10.0
"""Largest part of a program's own seconds that is granted again."""
FILENAME = "<fix>"
"""Distinct from the user's file name, so that tracebacks do not mix them up."""

Judge = Callable[[VariantRun], bool]
"""Return whether to offer a freshly loaded changed program; an exception counts as False."""


class FixRequirements(msgspec.Struct, frozen=True):
    """The requirements on a changed program."""

    findings: Counter[tuple[str, str]]
    """Allowed number of findings per kind and level, without notes."""
    outputs: Callable[[Outputs], bool]
    """Return whether the outputs are as intended."""
    of_bugs: bool = False
    """Whether warnings are ignored."""
    kind: str = ""
    """The kind of finding that is fixed; empty for another error."""
    lines: tuple[str, ...] = ()
    """The code of that finding."""
    others: int = 0
    """Number of other findings of this kind in the same code."""

    def lets_pass(self, name: str) -> Judge:
        """Return a judge of variant `name`, which must run to its end."""

        def judge(run: VariantRun) -> bool:
            left, others = self.findings.copy(), self.others
            outputs, found = _run(run, name)
            if not self.outputs(outputs):
                return False
            for each in found:
                left.subtract(counted(each, of_bugs=self.of_bugs, kind=self.kind))
                others -= _in_code(each, self.kind, self.lines, run.request.source)
                if min(left.values(), default=0) < 0 or others < 0:
                    return False
            return True

        return judge


def counted(found: Iterable[Finding], *, of_bugs: bool = False, kind: str = "") -> Counter[tuple[str, str]]:
    """Return the number of findings per kind and level, without notes; only bugs if `of_bugs`.

    Kinds that may come with a fix count only if `kind` itself is fixed.
    """
    levels = ("bug",) if of_bugs else ("bug", "warning")
    left_out = {each.id for each in checks().values() if each.may_come_with_a_fix} - {kind}
    return Counter((each.kind, each.level) for each in found if each.level in levels and each.kind not in left_out)


def _in_code(found: Iterable[Finding], kind: str, lines: tuple[str, ...], source: str) -> int:
    """Return the number of findings of `kind` in the code `lines` of `source`, without notes: a fix may move them."""
    return sum(each.kind == kind and each.level != "note" and _lines(each, source) == lines for each in found)


def _lines(finding: Finding, source: str) -> tuple[str, ...]:
    lines = source.split("\n")
    return tuple(lines[span.line - 1].strip() for span in finding.spans if not span.file)


def loads(run: VariantRun) -> bool:
    """Return whether `run`, which is loaded, misused no key during loading."""
    return not counted(run.keys_of(TOP_LEVEL, run.first.loading, None)[1], of_bugs=True)


def runs_anything(run: VariantRun) -> bool:
    """Return whether the first variant of `run` runs; False without one."""
    names = [each.name for each in run.variants()]
    return bool(names) and run.recorded(names[0]).error is None


def outputs_with(edits: tuple[Edit, ...], whole: VariantRun, name: str) -> Outputs | None:
    """Return the outputs of variant `name` in the program of `whole` with `edits`, None if it raises."""
    found: list[Outputs] = []

    def judge(run: VariantRun) -> bool:
        found.append(_run(run, name)[0])
        return True

    return (
        found[0] if edits and _passes(edits, whole.request, whole.channel, whole.side_effects_of(name), judge) else None
    )


def passing(
    proposed: Iterable[Fix],
    request: Request,
    channel: Channel,
    did: set[str],
    judge: Judge,
    most: int = MOST_FIXES,
    took_s: float = 0.0,
) -> tuple[Fix, ...]:
    """Return the first `most` of `proposed` with which the program of `request` passes `judge`.

    `did` are its known side effects outside. A program that takes `took_s` seconds itself gets more time. Raises
    Stopped when the run is cancelled.
    """
    found: list[Fix] = []
    more_s = LOOKS * min(took_s, MOST_S)
    begun = time.monotonic()
    for each in proposed:
        if len(found) == most or time.monotonic() - begun > ALL_TRIALS_S + 3 * more_s:
            break
        # Two buttons with equal labels do not show their difference.
        if each.label not in [one.label for one in found] and _passes(each.edits, request, channel, did, judge, more_s):
            found.append(each)
    return tuple(found)


def _run(run: VariantRun, name: str) -> tuple[Outputs, Iterator[tuple[Finding, ...]]]:
    """Return the outputs of variant `name` of `run`, and an iterator over the findings of one check after another.

    Raises the variant's exceptions.
    """
    recording = run.recorded(name)
    if recording.error is not None:
        raise recording.error

    def findings() -> Iterator[tuple[Finding, ...]]:
        yield run.keys_of(name, recording, run.first)[1]
        if run.first.observer is not None:
            seen = run.first.observer.seen(run.loaded.module)
            yield seen.findings
            if observe.may_change_state(run.loaded):
                yield observe.inspected(run.loaded, name)
            else:
                yield seen.changes
        if run.request.value_checks:
            yield observe.checked(run.loaded, name)[0]

    return output_form(recording.result, name), findings()


def _passes(
    edits: tuple[Edit, ...], request: Request, channel: Channel, did: set[str], judge: Judge, more_s: float = 0.0
) -> bool:
    changed = msgspec.structs.replace(
        request, source=with_edits(request.source, edits), filename=FILENAME, timeout_s=None, fixes=False
    )
    try:
        with channel.interrupts.time_limit(TRIAL_S + more_s), place_of(changed), isolated(channel.printed, did):
            run = VariantRun(changed, channel, did)
            run.load(trial_of=request.filename)
            return judge(run)
    except TimeLimit:
        return False
    except Interrupt:
        raise
    except BaseException:  # in any case, the program does not run
        return False


# -- of a variant -----------------------------------------------------------------------------


def with_fixes(run: VariantRun, report: Report) -> Report:
    """Return `report` with the proposed fixes of its failure that make the variant run without bugs.

    Raises Stopped when the run is cancelled.
    """
    cached = run.cached[report.name]
    if report.failure is None or cached.proposed is None:
        return report
    meant = outputs_with(cached.intended, run, report.name)

    def is_meant(outputs: Outputs) -> bool:
        return not (cached.intended and outputs.has_alike) and (meant is None or outputs.has_axes_of(meant))

    fixes = _meeting(FixRequirements(Counter(), is_meant, of_bugs=True), cached.proposed, run, report.name)
    if not fixes and report.name not in run.request.named:
        # Hiding fixes nothing: it is offered only without another fix, and never for wrong numbers.
        fixes = missing_inputs.called_anyway(report.name, run.request.source)
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
    proposed = proposals.proposed_for_finding(finding, run.request.source)
    kind = finding.kind
    allowed = counted(found, kind=kind) - Counter({(kind, finding.level): 1})
    keeps_types = kind not in checks() or not checks()[kind].fix_changes_types
    of_keys = part_of(kind) == "keys"
    # A solver in a script may take more steps with other random numbers, and keep a value of each.
    keeps_lengths = not (of_keys and name == TOP_LEVEL)
    lines = _lines(finding, run.request.source)
    others = _in_code(found, kind, lines, run.request.source) - 1
    is_alike = partial(Outputs.has_form_of, other=outputs, and_types=keeps_types, and_lengths=keeps_lengths)
    standard = FixRequirements(allowed, is_alike, False, kind, lines, others)
    # One way to split keys suffices, and each trial takes time.
    most = 1 if of_keys else MOST_FIXES
    return msgspec.structs.replace(finding, fixes=_meeting(standard, proposed, run, name, most))


def _meeting(
    standard: FixRequirements, proposed: Iterable[Fix], run: VariantRun, name: str, most: int = MOST_FIXES
) -> tuple[Fix, ...]:
    """Return the first `most` of `proposed` with which variant `name` meets `standard`."""
    judge, took_s = standard.lets_pass(name), sum(run.cached[each].took_s for each in {TOP_LEVEL, name})
    return passing(proposed, run.request, run.channel, run.side_effects_of(name), judge, most, took_s)
