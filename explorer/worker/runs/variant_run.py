"""One variant: its program text, one real run of it, and what that run did with keys and made of noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from explorer.messages import (
    LEVELS,
    TOP_LEVEL,
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
from explorer.worker.checks.values.findings import VALUE_KINDS
from explorer.worker.code import calls, transformed, trees, user_code
from explorer.worker.errors import failure as errors
from explorer.worker.fixes import for_findings, not_a_variant, proposals
from explorer.worker.lineage import jax_checker, key_graph
from explorer.worker.lineage.lineage import Lineage
from explorer.worker.lineage.misuse import findings
from explorer.worker.pictures import pictures, redraw
from explorer.worker.process import devices
from explorer.worker.process.channel import Channel
from explorer.worker.process.clean import outside
from explorer.worker.process.garbage import collected_rarely
from explorer.worker.process.interrupts import TimeLimit
from explorer.worker.program import program, retraces
from explorer.worker.recording import recorder
from explorer.worker.runs import fix_trials, value_runs
from explorer.worker.runs.apart import Fresh, apart, end_of_process, loaded_anew
from explorer.worker.spoken.say import say


@dataclass(frozen=True)
class VariantRun:
    """What every variant of one request is run with."""

    request: Request
    channel: Channel
    first: Fresh
    """The program as it was loaded first; the first variant runs in it, each other in a program loaded anew."""
    did: dict[str, set[str]]
    """For each variant that is known to, what it does that must not happen twice; of the loading under no name."""
    started: list[str] = field(default_factory=list)
    """The variants that have run."""
    proposed: dict[str, list[Fix]] = field(default_factory=dict)
    """For each variant that failed, what may mend it."""
    lineages: dict[str, Lineage] = field(default_factory=dict)
    """Who made and spent the keys of each variant that has run to its end."""

    @property
    def loaded(self) -> user_code.LoadedProgram:
        """The program, none of whose functions may be called any more."""
        return self.first.program

    def variants(self) -> tuple[Variant, ...]:
        """Return what can be run with the inputs.

        Of a script, which has no ``inputs`` and draws at its top level, that comes first; elsewhere the top level is
        there for want of anything else, if it has arrays.
        """
        found = self.loaded.variants(list(self.first.inputs))
        if self.loaded.has_inputs or self.loaded.named:
            return found
        draws = any(entry.event.operation == "draw" for entry in self.first.loading.log.entries())
        shown = draws or (not found and self.loaded.arrays())
        return (Variant(TOP_LEVEL, 1, self.loaded.doc), *found) if shown else found

    def traced(self, name: str) -> Report:
        """Return a report of variant `name` that holds its program text only; its failure if that takes too long.

        The top level has none: nothing traces it.
        """
        if name == TOP_LEVEL:
            return Report(name)
        try:
            place = apart(self.channel.printed, self._did(name), unless_endless=True)
            with self.channel.interrupts.time_limit(self.request.timeout_s), place, collected_rarely():
                return Report(name, program=text(self.request, self.loaded.anew(), name))
        except TimeLimit as error:
            status, failure = self._ending(name, error)
            return Report(name, status=status, failure=failure)
        except outside.NotRunAgain as error:
            failure = Failure(
                "NotTraced", say("There is no text: to trace a program is to run it. {why}", why=str(error))
            )
        except (Exception, SystemExit) as error:
            failure = self._failure(name, error)
        return Report(name, program=Program(self.request.form, "", failure=failure))

    def _again(self, name: str) -> AbstractContextManager[None]:
        """Return a place for a further run of variant `name`. Entering and leaving it raise NotRunAgain."""
        return apart(self.channel.printed, self._did(name))

    def _did(self, name: str) -> set[str]:
        return self.did.setdefault(name, set(self.did.get("", ())))

    def ran(self, report: Report) -> Report:
        """Return `report` filled in by one real run, its keys recorded from ``inputs`` on; as it is if it has ended.

        The run is the first of all in its module. Raises KeyboardInterrupt when the run is cancelled; what the program
        raises is in the report.
        """
        if report.status is not None:
            return report
        if report.name == TOP_LEVEL and not of_variant(self.request.transforms, TOP_LEVEL):
            # It has run.
            recording = replace(self.first.loading, result=self.loaded.arrays())
            printed = self.first.told[0] + self._end_alone()
            return self._told(msgspec.structs.replace(report, printed=printed), [], recording, {})
        given: dict[str, Any] = {}
        with self.channel.interrupts.time_limit(self.request.timeout_s), outside.first_run(self._did(report.name)):
            try:
                fresh = self._fresh(report.name)
            except (TimeLimit, Exception, SystemExit) as error:
                # It loaded the first time.
                recording = recorder.Recording(error=error, is_persons=self.loaded.is_persons)
                return self._told(report, [], recording, given)
            recording = self._recorded(fresh, report.name, given)
        printed = fresh.told[1] + self.channel.printed.take()
        before = [fresh.loading, fresh.making]
        return self._told(msgspec.structs.replace(report, printed=printed), before, recording, given)

    def _recorded(self, fresh: Fresh, name: str, given: dict[str, Any]) -> recorder.Recording:
        """Return one run of variant `name` in `fresh`; what it is called with is put into `given`."""

        def call() -> Any:
            function, arguments = transformed.prepared(fresh.program, name, fresh.inputs, self.request.transforms)
            given.update(arguments)
            result = trees.waited_for(calls.call(function, given))
            end_of_process()
            return result

        return recorder.record(call, is_persons=self.loaded.is_persons, ends=(TimeLimit,))

    def _end_alone(self) -> str:
        """End the process of a program that has nothing but its top level; return what is printed then."""
        if len(self.request.variants or self.variants()) > 1:
            return ""
        with suppress(Exception, SystemExit), self.channel.interrupts.time_limit(self.request.timeout_s):
            end_of_process()
        return self.channel.printed.take()

    def _fresh(self, name: str) -> Fresh:
        """Return the program to run variant `name` in. Raises what loading it raises."""
        self.started.append(name)
        return self.first if len(self.started) == 1 else loaded_anew(self.loaded, self.channel.printed)

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
            proposed,
            self.request,
            self.channel,
            self._did(report.name),
            fix_trials.runs(report.name, self.request.transforms),
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
        of_values = [each for each in found if each.kind in VALUE_KINDS]
        bugs = sum(each.level == "bug" and each.kind in for_findings.OF_KEYS for each in found)
        compiles = sum(each.compiles for each in report.traces or ())
        judges = {
            "recompiles": fix_trials.has_fewer_compiles(compiles, report.name, self.request.transforms),
            **dict.fromkeys(VALUE_KINDS, self._of_values(of_values, bugs, report.name)),
        }
        of_keys = fix_trials.has_fewer_bugs(bugs, report.name, self.request.transforms)
        mended = (self._mended(each, report.name, judges.get(each.kind, of_keys)) for each in found)
        return msgspec.structs.replace(report, findings=tuple(mended))

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
        fixes = fix_trials.passing(proposed, self.request, self.channel, self._did(variant), judge)
        return msgspec.structs.replace(finding, fixes=fixes + self._not_a_variant(variant))

    def _not_a_variant(self, name: str) -> tuple[Fix, ...]:
        """Return what says that variant `name`, which nobody but a rule has made one, is a helper of others."""
        return () if name in self.request.named else not_a_variant.offered(name, self.request.source)

    def with_jax_checker(self, report: Report) -> Report:
        """Return `report` with what JAX's own checker says; as it is after a failure or where that takes too long."""
        if report.status != "ok" or report.name not in self.lineages:
            return report
        try:
            with self.channel.interrupts.time_limit(self.request.timeout_s), self._again(report.name):
                answers = jax_checker.ask(lambda: self._prepared(self.loaded.anew(), report.name))
        except outside.NotRunAgain as error:
            return _told_why(report, error)
        except (TimeLimit, Exception, SystemExit):
            return report
        compared = jax_checker.compared(answers, report.findings or (), self.lineages[report.name])
        return msgspec.structs.replace(report, jax_checker=compared)

    def with_traces(self, report: Report) -> Report:
        """Return `report` with what jit traces and compiles, and with what is wrong with what it does meanwhile.

        The program is loaded anew, so that JAX has not traced any of its functions before, and runs unrecorded. After
        a failure, or where that takes too long, the report stays as it is.
        """
        if report.status != "ok" or not self._may_trace:
            return report
        limit_s = retraces.PATIENCE_S if self.request.timeout_s is None else self.request.timeout_s
        try:
            with self.channel.interrupts.time_limit(limit_s), self._again(report.name):
                counted, found = self._inspected(report.name)
        except outside.NotRunAgain as error:
            return _told_why(report, error)
        except (TimeLimit, Exception, SystemExit):
            return report
        findings = (*(report.findings or ()), *found)
        return msgspec.structs.replace(report, traces=counted, findings=findings)

    def _inspected(self, name: str) -> tuple[tuple[FunctionTraces, ...], tuple[Finding, ...]]:
        """Return what jit traced in one more run of variant `name`, and the findings of it. Raises what it raises."""
        meter, inspection = retraces.Meter(self.loaded.is_persons), Inspection(self.loaded.is_persons)
        with inspection.watching():
            # A top level that is run is the loading itself.
            with meter.watching() if name == TOP_LEVEL else nullcontext():
                anew = self.loaded.anew(inspection.compiled)
            if name != TOP_LEVEL:
                call = self._prepared(anew, name)
                with meter.watching():
                    trees.waited_for(calls.call(*call))
        counted = meter.traces()
        return counted, (*inspection.findings(), *recompiles.find(counted, meter.bodies()))

    @property
    def _may_trace(self) -> bool:
        """Whether anything may be traced of which there is more to tell."""
        return self.may_jit or may_tell(self.request.source, self.request.filename)

    def with_value_checks(self, report: Report) -> Report:
        """Return `report` with what is found in its values too; as it is after a failure or where that takes too long.

        The program is loaded anew and runs once more, watched: the first run has told all else.
        """
        if report.status != "ok":
            return report
        try:
            with self.channel.interrupts.time_limit(self.request.timeout_s), self._again(report.name):
                seen = value_runs.found(self.loaded, report.name, self.request.transforms)
        except outside.NotRunAgain as error:
            return _told_why(report, error)
        except (TimeLimit, Exception, SystemExit):
            return report
        found = sorted((*(report.findings or ()), *seen), key=lambda each: LEVELS.index(each.level))
        return msgspec.structs.replace(report, findings=tuple(found))

    @property
    def may_jit(self) -> bool:
        """Whether there is anything in the program for jit to trace."""
        applied = self.request.transforms.applied
        return any(each.name == "jit" for each in applied) or any(
            word in self.request.source for word in retraces.WORDS
        )

    def _prepared(self, program: user_code.LoadedProgram, name: str) -> tuple[Callable[..., Any], dict[str, Any]]:
        return transformed.prepared(program, name, program.inputs(), self.request.transforms)

    def _failure(self, name: str, error: BaseException) -> Failure:
        failure = errors.failure(error, self.loaded.is_persons)
        return transformed.explained(failure, name, self.request.transforms)

    def _told(
        self,
        report: Report,
        before: list[recorder.Recording],
        recording: recorder.Recording,
        given: Mapping[str, Any],
    ) -> Report:
        """Return `report` with what was recorded of its run, and of the loading and ``inputs`` `before` it."""
        error, outputs = recording.error, recording.result
        known = key_graph.key_lineage(*before, recording, outputs=outputs)
        if self.request.jax_checker:
            self.lineages[report.name] = known
        purpose = report.name in self.request.shared_on_purpose
        found = findings.find(known, to_its_end=error is None, shared_on_purpose=purpose)
        if isinstance(error, Exception) and self.request.fixes:
            self.proposed[report.name] = proposals.proposed_for(error, self.loaded.is_persons)
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


def text(request: Request, loaded: user_code.LoadedProgram, name: str) -> Program:
    """Return the program text of variant `name` of `request`, traced in `loaded`, or why it cannot be."""
    try:
        function, arguments = transformed.prepared(loaded, name, loaded.inputs(), request.transforms)
    except user_code.BadProgram as error:
        failure = transformed.explained(errors.failure(error, loaded.is_persons), name, request.transforms)
        return Program(request.form, "", failure=failure)
    made = program.program(function, arguments, request.form, loaded.is_persons)
    if made.failure is None:
        return made
    return msgspec.structs.replace(made, failure=transformed.explained(made.failure, name, request.transforms))


def _told_why(report: Report, error: outside.NotRunAgain) -> Report:
    """Return `report` with a note that says, once, what is missing in it because of `error`."""
    if report.keys is None:
        return report
    note = say(
        "Not looked at, as that takes a further run: what jit traces, the values, JAX's own checker. {why}",
        why=str(error),
    )
    notes = (*report.keys.notes, *([] if note in report.keys.notes else [note]))
    return msgspec.structs.replace(report, keys=msgspec.structs.replace(report.keys, notes=notes))


def timeout(request: Request) -> Failure:
    """Return the failure of a program that ran longer than `request` allows."""
    told = say("It was still running after {seconds} s and was stopped.", seconds=f"{request.timeout_s:g}")
    return Failure("Timeout", told)
