"""One variant: its program text, one real run of it, and what that run did with keys and made of noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from explorer.messages import (
    TOP_LEVEL,
    Edit,
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
from explorer.worker.fixes import proposals
from explorer.worker.lineage import jax_checker, key_graph
from explorer.worker.lineage.lineage import Lineage
from explorer.worker.lineage.misuse import findings
from explorer.worker.pictures import pictures, redraw
from explorer.worker.process import devices
from explorer.worker.process.channel import Channel
from explorer.worker.process.interrupts import TimeLimit
from explorer.worker.program import output_axes, program, retraces
from explorer.worker.recording import recorder
from explorer.worker.runs import looks, output_forms, trace_runs, value_runs
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
        recording = self.recorded(report.name, given)
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

    def _axes(self, name: str) -> tuple[int | None, ...]:
        """Return the axis of the examples in each array that variant `name` returns, () where it need not be asked."""
        applied = of_variant(self.request.transforms, name)
        if name == TOP_LEVEL or not output_axes.may_lie_elsewhere(self.request.source, applied):
            return ()
        try:
            with self.channel.interrupts.time_limit(self.request.timeout_s), self.channel.printed.aside():
                return output_axes.output_axes(*replace(self, loaded=self.loaded.anew())._prepared(name))
        except (TimeLimit, Exception, SystemExit):
            # It cannot be traced, as code that looks at its values cannot.
            return ()

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
        graph = key_graph.key_graph(known)
        return msgspec.structs.replace(
            report,
            status=status,
            failure=failure,
            keys=graph,
            findings=found,
            pictures=pictures.pictures(outputs, given, found, axes=self._axes(report.name)) if error is None else (),
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
