"""One variant: its program text, one real run of it, and what that run did with keys and made of noise."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from explorer.messages import (
    LEVELS,
    TOP_LEVEL,
    Edit,
    Failure,
    Finding,
    Fix,
    FunctionTraces,
    Program,
    Report,
    Request,
    Status,
    Variant,
)
from explorer.messages.transform_text import of_variant
from explorer.worker.checks.tracing import recompiles
from explorer.worker.checks.tracing.inspection import Inspection, may_tell
from explorer.worker.code import calls, transformed, trees, user_code
from explorer.worker.errors import failure as errors
from explorer.worker.fixes import proposals
from explorer.worker.lineage import jax_checker, key_graph
from explorer.worker.lineage.lineage import Lineage
from explorer.worker.lineage.misuse import findings
from explorer.worker.pictures import pictures, redraw
from explorer.worker.process import devices
from explorer.worker.process.channel import Channel
from explorer.worker.process.interrupts import TimeLimit
from explorer.worker.program import program, retraces
from explorer.worker.recording import recorder
from explorer.worker.runs import output_forms, value_runs
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
    intended: dict[str, tuple[Edit, ...]] = field(default_factory=dict)
    """And the edits with which it gives outputs of the form that was meant, though fewer; () where none are known."""
    outputs: dict[str, output_forms.Outputs] = field(default_factory=dict)
    """What each variant gave that has run to its end, where its findings are to be mended."""
    took_s: dict[str, float] = field(default_factory=dict)
    """How long each variant ran."""
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
        printed = self.channel.printed.take()
        begun = time.monotonic()
        recording = self.recorded(report.name, given)
        self.took_s[report.name] = time.monotonic() - begun
        if recording.log is not self.loading.log:
            printed = self.channel.printed.take()
        return self._told(msgspec.structs.replace(report, printed=printed), recording, given)

    def recorded(self, name: str, given: dict[str, Any]) -> recorder.Recording:
        """Return what one real run of variant `name` did, and put into `given` what it was called with."""
        if name == TOP_LEVEL and not of_variant(self.request.transforms, TOP_LEVEL):
            # It has run.
            return replace(self.loading, result=self.loaded.arrays())

        def call() -> Any:
            function, arguments = self._prepared(name)
            given.update(arguments)
            return trees.waited_for(calls.call(function, given))

        with self.channel.interrupts.time_limit(self.request.timeout_s):
            return recorder.record(call, is_persons=self.loaded.is_persons, ends=(TimeLimit,))

    def keys_of(self, name: str, recording: recorder.Recording) -> tuple[Lineage, tuple[Finding, ...]]:
        """Return who made and spent the keys of variant `name`, whose run is `recording`, and what is wrong with it."""
        has_run = recording.log is self.loading.log
        known = key_graph.key_lineage(*([] if has_run else [self.loading]), recording, outputs=recording.result)
        purpose = name in self.request.shared_on_purpose
        return known, findings.find(known, to_its_end=recording.error is None, shared_on_purpose=purpose)

    def with_draws(self, report: Report) -> Report:
        """Return `report` with the raw noise of its draws among the pictures."""
        if report.keys is None or report.pictures is None or report.status != "ok":
            return report
        drawn = pictures.pictures((), {}, report.findings or (), redraw.draws(report.keys))
        return msgspec.structs.replace(report, pictures=(*report.pictures, *drawn))

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

        The program is loaded anew, so that JAX has not traced any of its functions before, and runs unrecorded. After
        a failure, or where that takes too long, the report stays as it is.
        """
        if report.status != "ok" or not self.may_trace:
            return report
        limit_s = retraces.PATIENCE_S if self.request.timeout_s is None else self.request.timeout_s
        try:
            with self.channel.interrupts.time_limit(limit_s), self.channel.printed.aside():
                counted, found = self.inspected(report.name)
        except (TimeLimit, Exception, SystemExit):
            return report
        findings = (*(report.findings or ()), *found)
        return msgspec.structs.replace(report, traces=counted, findings=findings)

    def inspected(self, name: str) -> tuple[tuple[FunctionTraces, ...], tuple[Finding, ...]]:
        """Return what jit traced in one more run of variant `name`, and the findings of it. Raises what it raises."""
        meter, inspection = retraces.Meter(self.loaded.is_persons), Inspection(self.loaded.is_persons)
        with inspection.watching():
            # A top level that is run is the loading itself.
            with meter.watching() if name == TOP_LEVEL else nullcontext():
                anew = replace(self, loaded=self.loaded.anew(inspection.compiled))
            if name != TOP_LEVEL:
                call = anew._prepared(name)
                with meter.watching():
                    trees.waited_for(calls.call(*call))
        counted = meter.traces()
        return counted, (*inspection.findings(), *recompiles.find(counted, meter.bodies()))

    @property
    def may_trace(self) -> bool:
        """Whether anything may be traced of which there is more to tell."""
        return self.may_jit or may_tell(self.request.source, self.request.filename)

    def with_value_checks(self, report: Report) -> Report:
        """Return `report` with what is found in its values too; as it is after a failure or where that takes too long.

        The program is loaded anew and runs once more, watched: the first run has told all else.
        """
        if report.status != "ok":
            return report
        found = list(report.findings or ())
        with (
            suppress(TimeLimit, Exception, SystemExit),
            self.channel.interrupts.time_limit(self.request.timeout_s),
            self.channel.printed.aside(),
        ):
            found += value_runs.found(self.loaded, report.name, self.request.transforms)
        return msgspec.structs.replace(report, findings=tuple(sorted(found, key=lambda each: LEVELS.index(each.level))))

    @property
    def may_jit(self) -> bool:
        """Whether there is anything in the program for jit to trace."""
        applied = self.request.transforms.applied
        return any(each.name == "jit" for each in applied) or any(
            word in self.request.source for word in retraces.WORDS
        )

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
        known, found = self.keys_of(report.name, recording)
        if self.request.jax_checker:
            self.lineages[report.name] = known
        if isinstance(error, Exception) and self.request.fixes:
            self.proposed[report.name] = proposals.proposed_for(error, self.loaded.is_persons)
            self.intended[report.name] = proposals.intended(error, self.loaded.is_persons)
        if error is None and self.request.finding_fixes:
            self.outputs[report.name] = output_forms.output_form(outputs, report.name)
        status, failure = self._ending(report.name, error)
        return msgspec.structs.replace(
            report,
            status=status,
            failure=failure,
            keys=key_graph.key_graph(known),
            findings=found,
            pictures=pictures.pictures(outputs, given, found) if error is None else (),
            ran_on=devices.used_by(outputs),
            traces=() if self.request.traces and not self.may_jit and error is None else None,
        )

    def _ending(self, name: str, error: BaseException | None) -> tuple[Status, Failure | None]:
        if error is None:
            return "ok", None
        failure = self._failure(name, error)
        if isinstance(error, TimeLimit):
            # Where it was is all that is worth telling of the interrupt.
            return "timeout", msgspec.structs.replace(timeout(self.request), span=failure.span)
        return "error", failure


def timeout(request: Request) -> Failure:
    """Return the failure of a program that ran longer than `request` allows."""
    told = say("It was still running after {seconds} s and was stopped.", seconds=f"{request.timeout_s:g}")
    return Failure("Timeout", told)
