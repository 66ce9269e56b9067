"""One variant: its program text, one real run of it, and what that run did with keys and made of noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from explorer.messages import (
    TOP_LEVEL,
    Extent,
    Failure,
    Finding,
    Fix,
    Program,
    Report,
    Request,
    Status,
    Variant,
)
from explorer.messages.transform_text import of_variant
from explorer.worker.code import calls, transformed, trees, user_code
from explorer.worker.errors import failure as errors
from explorer.worker.fixes import for_findings, not_a_variant, proposals
from explorer.worker.lineage import jax_checker, key_graph
from explorer.worker.lineage.lineage import Lineage
from explorer.worker.lineage.misuse import findings
from explorer.worker.pictures import pictures, redraw
from explorer.worker.process import devices
from explorer.worker.process.channel import Channel
from explorer.worker.process.interrupts import TimeLimit
from explorer.worker.program import program, retraces
from explorer.worker.recording import recorder
from explorer.worker.runs import fix_trials, looks, trace_runs, value_runs
from explorer.worker.spoken.say import say


@dataclass(frozen=True)
class VariantRun:
    """What every variant of one request is run with."""

    request: Request
    channel: Channel
    loaded: user_code.LoadedProgram
    loading: recorder.Recording
    """Of the module's own top level, where keys may be made too."""
    proposed: dict[str, list[Fix]] = field(default_factory=dict)
    """For each variant that failed, what may mend it."""
    lineages: dict[str, Lineage] = field(default_factory=dict)
    """Who made and spent the keys of each variant that has run to its end."""

    def variants(self, inputs: Mapping[str, Any]) -> tuple[Variant, ...]:
        """Return what can be run with `inputs`.

        Of a script, which has no ``inputs`` and draws at its top level, that comes first; elsewhere the top level is
        there for want of anything else, if it has arrays.
        """
        found = self.loaded.variants(list(inputs))
        if self.loaded.has_inputs or self.loaded.named:
            return found
        draws = any(entry.event.operation == "draw" for entry in self.loading.log.entries())
        shown = draws or (not found and self.loaded.arrays())
        return (Variant(TOP_LEVEL, 1, self.loaded.doc), *found) if shown else found

    def traced(self, name: str, inputs: Mapping[str, Any]) -> Report:
        """Return a report of variant `name` that holds its program text only; its failure if that takes too long.

        The top level has none: nothing traces it.
        """
        if name == TOP_LEVEL:
            return Report(name)
        try:
            with self.channel.interrupts.time_limit(self.request.timeout_s), self.channel.printed.aside():
                return Report(name, program=self._program(name, inputs))
        except TimeLimit as error:
            status, failure = self._ending(name, error)
            return Report(name, status=status, failure=failure)

    def ran(self, report: Report) -> Report:
        """Return `report` filled in by one real run, its keys recorded from ``inputs`` on; as it is if it has ended.

        Raises KeyboardInterrupt when the run is cancelled; what the program raises is in the report.
        """
        if report.status is not None:
            return report
        given: dict[str, Any] = {}

        def call() -> Any:
            function, arguments = self._prepared(report.name)
            given.update(arguments)
            return trees.waited_for(calls.call(function, given))

        printed = self.channel.printed.take()
        if report.name == TOP_LEVEL and not of_variant(self.request.transforms, TOP_LEVEL):
            # It has run.
            recording = replace(self.loading, result=self.loaded.arrays())
        else:
            with self.channel.interrupts.time_limit(self.request.timeout_s):
                recording = recorder.record(call, is_persons=self.loaded.is_persons, ends=(TimeLimit,))
            printed = self.channel.printed.take()
        return self._told(msgspec.structs.replace(report, printed=printed), recording, given)

    def with_draws(self, report: Report) -> Report:
        """Return `report` with the raw noise of its draws among the pictures."""
        if report.keys is None or report.pictures is None or report.status != "ok":
            return report
        drawn = pictures.pictures((), {}, report.findings or (), redraw.draws(report.keys))
        return msgspec.structs.replace(report, pictures=(*report.pictures, *drawn))

    def with_fixes(self, report: Report) -> Report:
        """Return `report` with those of the proposed fixes of its failure with which the variant runs.

        Raises KeyboardInterrupt when the run is cancelled.
        """
        proposed = self.proposed.get(report.name)
        if report.failure is None or not proposed:
            return report
        fixes = fix_trials.passing(
            proposed, self.request, self.channel, fix_trials.runs(report.name, self.request.transforms)
        )
        fixes += self._not_a_variant(report.name)
        return msgspec.structs.replace(report, failure=msgspec.structs.replace(report.failure, fixes=fixes))

    def with_finding_fixes(self, report: Report) -> Report:
        """Return `report` with what mends its findings above the level of a note; after a failure as it is.

        Raises KeyboardInterrupt when the run is cancelled.
        """
        found = report.findings or ()
        if report.status != "ok":
            return report
        of_values = [each for each in found if each.kind == "nan"]
        bugs = sum(each.level == "bug" and each.kind in for_findings.OF_KEYS for each in found)
        compiles = sum(each.compiles for each in report.traces or ())
        judges = {
            "recompiles": fix_trials.has_fewer_compiles(compiles, report.name, self.request.transforms),
            "nan": self._of_values(of_values, bugs, report.name),
        }
        of_keys = fix_trials.has_fewer_bugs(bugs, report.name, self.request.transforms)
        mended = (
            self._mended(each, report.name, self._silent(each, report) or judges.get(each.kind, of_keys))
            for each in found
        )
        return msgspec.structs.replace(report, findings=tuple(mended))

    def _silent(self, finding: Finding, report: Report) -> fix_trials.Judge | None:
        if finding.kind not in for_findings.SILENT:
            return None
        return fix_trials.has_no_more(report.findings or (), finding, report.name, self.request)

    def _of_values(self, found: list[Finding], bugs: int, name: str) -> fix_trials.Judge:
        """Return a judge that lets pass a program with fewer bugs than `found` in its values, not more in its keys."""
        of_keys = fix_trials.has_fewer_bugs(bugs + 1, name, self.request.transforms)
        before = sum(each.level == "bug" for each in found)

        def judge(program: user_code.LoadedProgram) -> bool:
            after = value_runs.found(program, name, self.request.transforms)
            return sum(each.level == "bug" for each in after) < before and of_keys(program)

        return judge

    def _mended(self, finding: Finding, variant: str, judge: fix_trials.Judge) -> Finding:
        if finding.level == "note":
            return finding
        proposed = for_findings.proposed_for_finding(finding, self.request.source)
        fixes = fix_trials.passing(proposed, self.request, self.channel, judge)
        return msgspec.structs.replace(finding, fixes=fixes + self._not_a_variant(variant))

    def _not_a_variant(self, name: str) -> tuple[Fix, ...]:
        """Return what says that variant `name`, which nobody but a rule has made one, is a helper of others."""
        return () if name in self.request.named else not_a_variant.offered(name, self.request.source)

    def with_jax_checker(self, report: Report) -> Report:
        """Return `report` with what JAX's own checker says; as it is after a failure or where that takes too long."""
        if report.status != "ok" or report.name not in self.lineages:
            return report
        try:
            with self.channel.interrupts.time_limit(self.request.timeout_s), self.channel.printed.aside():
                answers = jax_checker.ask(lambda: self._prepared(report.name))
        except TimeLimit:
            return report
        compared = jax_checker.compared(answers, report.findings or (), self.lineages[report.name])
        return msgspec.structs.replace(report, jax_checker=compared)

    def with_traces(self, report: Report) -> Report:
        """Return `report` with what jit traces and compiles, and with what is wrong with what it does meanwhile.

        The program runs once more for that. After a failure the report stays as it is; where it takes too long, the
        report says so.
        """
        if report.status != "ok":
            return report
        if not trace_runs.may_trace(self.request):
            return looks.with_look(report, looks.look("tracing"))
        limit_s = retraces.PATIENCE_S if self.request.timeout_s is None else self.request.timeout_s
        try:
            with self.channel.interrupts.time_limit(limit_s), self.channel.printed.aside():
                counted, found = trace_runs.inspected(self.loaded, report.name, self.request.transforms)
        except (TimeLimit, Exception, SystemExit) as error:
            return looks.with_look(report, looks.look("tracing", extent=_why_not(error)))
        told = looks.with_look(report, looks.look("tracing", found), found)
        return msgspec.structs.replace(told, traces=counted)

    def with_value_checks(self, report: Report) -> Report:
        """Return `report` with what is found in its values too; as it is after a failure.

        The program is loaded anew and runs once more, watched: the first run has told all else. Where that takes too
        long, the report says so.
        """
        if report.status != "ok":
            return report
        try:
            with self.channel.interrupts.time_limit(self.request.timeout_s), self.channel.printed.aside():
                found, all_of_it = value_runs.looked(self.loaded, report.name, self.request.transforms)
        except (TimeLimit, Exception, SystemExit) as error:
            return looks.with_look(report, looks.look("values", extent=_why_not(error)))
        return looks.with_look(report, looks.look("values", found, "whole" if all_of_it else "partly"), found)

    def _prepared(self, name: str) -> tuple[Callable[..., Any], dict[str, Any]]:
        return transformed.prepared(self.loaded, name, self.loaded.inputs(), self.request.transforms)

    def _program(self, name: str, inputs: Mapping[str, Any]) -> Program:
        try:
            function, arguments = transformed.prepared(self.loaded, name, inputs, self.request.transforms)
        except user_code.BadProgram as error:
            return Program(self.request.form, "", failure=self._failure(name, error))
        made = program.program(function, arguments, self.request.form, self.loaded.is_persons)
        if made.failure is None:
            return made
        return msgspec.structs.replace(made, failure=transformed.explained(made.failure, name, self.request.transforms))

    def _failure(self, name: str, error: BaseException) -> Failure:
        failure = errors.failure(error, self.loaded.is_persons)
        return transformed.explained(failure, name, self.request.transforms)

    def _told(self, report: Report, recording: recorder.Recording, given: Mapping[str, Any]) -> Report:
        error, outputs = recording.error, recording.result
        has_run = recording.log is self.loading.log
        known = key_graph.key_lineage(*([] if has_run else [self.loading]), recording, outputs=outputs)
        if self.request.jax_checker:
            self.lineages[report.name] = known
        purpose = report.name in self.request.shared_on_purpose
        found = findings.find(known, to_its_end=error is None, shared_on_purpose=purpose)
        if isinstance(error, Exception) and self.request.fixes:
            self.proposed[report.name] = proposals.proposed_for(error, self.loaded.is_persons)
        status, failure = self._ending(report.name, error)
        graph = key_graph.key_graph(known)
        return msgspec.structs.replace(
            report,
            status=status,
            failure=failure,
            keys=graph,
            findings=found,
            pictures=pictures.pictures(outputs, given, found) if error is None else (),
            ran_on=devices.used_by(outputs),
            traces=() if self.request.traces and not trace_runs.may_jit(self.request) and error is None else None,
            looks=(looks.look_at_keys(found, graph, "whole" if error is None else "ended"),),
        )

    def _ending(self, name: str, error: BaseException | None) -> tuple[Status, Failure | None]:
        if error is None:
            return "ok", None
        failure = self._failure(name, error)
        if isinstance(error, TimeLimit):
            # Where it was is all that is worth telling of the interrupt.
            return "timeout", msgspec.structs.replace(timeout(self.request), span=failure.span)
        return "error", failure


def _why_not(error: BaseException) -> Extent:
    return "timeout" if isinstance(error, TimeLimit) else "failed"


def timeout(request: Request) -> Failure:
    """Return the failure of a program that ran longer than `request` allows."""
    told = say("It was still running after {seconds} s and was stopped.", seconds=f"{request.timeout_s:g}")
    return Failure("Timeout", told)
