"""One variant (`VariantRun`): its program text, one real run, the results of that run, and further hidden runs."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from explorer.messages import TOP_LEVEL, Edit, Extent, Failure, Finding, Fix, Program, Report, Request, Status, Variant
from explorer.messages.transform_text import of_variant
from explorer.text.text import say
from explorer.worker.code import calls, transformed, trees, user_code
from explorer.worker.code.first_calls import ScriptCalls
from explorer.worker.errors import failure as errors
from explorer.worker.fixes import proposals
from explorer.worker.lineage import jax_checker, key_graph
from explorer.worker.lineage.lineage import Lineage
from explorer.worker.lineage.misuse import findings
from explorer.worker.pictures import pictures, repeated_draws
from explorer.worker.process import devices
from explorer.worker.process.channel import Channel
from explorer.worker.process.clean import clean_state, side_effects
from explorer.worker.program import program, retraces
from explorer.worker.recording import recorder
from explorer.worker.recording.interrupt import Stopped, TimeLimit, all_exceptions_suppressed
from explorer.worker.runs import coverage, observe, output_forms, script
from explorer.worker.runs.isolated import FreshProgram, end_of_process, isolated, loaded, loaded_anew
from explorer.worker.runs.lens import FinishedRun, offered
from explorer.worker.runs.observe import Observed, Observer

T = TypeVar("T")


class CachedRun(msgspec.Struct):
    """The kept results of one variant's run, for later questions."""

    took_s: float = 0.0
    lineage: Lineage | None = None
    """The makers and uses of its keys, for the comparison with JAX's checker."""
    outputs: output_forms.Outputs | None = None
    """The form of its outputs, if it ran to its end and its findings should be fixed."""
    proposed: list[Fix] | None = None
    """Possible fixes of its failure."""
    intended: tuple[Edit, ...] = ()
    """Edits that give outputs of the intended form, but fewer of them; () if unknown."""
    observed: Observed | None = None
    """Observations besides its keys; None if nothing was watched, or a watch failed."""


class VariantRun:
    """The run of one request's variants, and the kept results of each."""

    first: FreshProgram
    """The first load of the program: the first variant runs in it, each other one in a new load."""

    def __init__(self, request: Request, channel: Channel, did: set[str] | None = None) -> None:
        self.request = request
        self.channel = channel
        self.cached: defaultdict[str, CachedRun] = defaultdict(CachedRun)
        self.watched = ScriptCalls(self.is_user_code)
        """The calls that a script made so far."""
        self.cut_short: list[recorder.Recording] = []
        """The recording of a top level that raised."""
        self._did = {"": set[str]() if did is None else did}
        """By variant, known side effects that must not happen twice; those of loading under ""."""
        self._is_first_taken = False

    def load(self, trial_of: str | None = None) -> None:
        """Load the program with its inputs; as a trial of a fix of `trial_of` without watching. Raises their errors."""
        request, begun = self.request, time.monotonic()
        watched = self.watched if trial_of is None else None
        load = partial(user_code.load_requested, request, home=trial_of or "", watched=watched)
        with self.channel.interrupts.time_limit(request.timeout_s), side_effects.first_run(self.side_effects_of("")):
            printed, observer = self.channel.printed, self._observer()
            self.first = loaded(load, self.is_user_code, printed, self.cut_short, observer=observer)
        self.cached[TOP_LEVEL].took_s = time.monotonic() - begun

    def _observer(self) -> Observer | None:
        """Return a new observer of the program; None if traces are not requested."""
        return Observer(self.is_user_code) if self.request.traces else None

    def is_user_code(self, file: str) -> bool:
        return file == self.request.filename

    @property
    def loaded(self) -> user_code.LoadedProgram:
        """The program; its functions must not be called any more."""
        return self.first.program

    def has(self, name: str) -> bool:
        """Return whether the program has a variant `name`."""
        try:
            self.loaded.function(name, self.first.inputs)
        except user_code.BadProgram:
            return False
        return True

    def variants(self) -> tuple[Variant, ...]:
        """Return the variants that can run with the inputs.

        The top level is the first variant of a script, which has no ``inputs``, and draws or calls its functions. In
        other programs it is included only as a fallback, if it does something else. The functions that a script calls
        itself are no variants.
        """
        if self.loaded.has_inputs or self.loaded.named:
            return self.loaded.variants(list(self.first.inputs))
        called = self.loaded.watched.called if self.loaded.watched is not None else {}
        found = [each for each in self.loaded.variants(()) if each.name not in called]
        shown = (
            called
            or script.draws(self.first.loading)
            or (not found and (self.loaded.arrays() or self.loaded.has_effects()))
        )
        return (*([Variant(TOP_LEVEL, 1, self.loaded.doc)] if shown else []), *found)

    def traced(self, name: str) -> Report:
        """Return a report of variant `name` with only its program text, or with a failure if that takes too long.

        Nothing traces the top level; the text of one of its functions comes with its run.
        """
        if name == TOP_LEVEL:
            return Report(name)
        made = self._further(name, lambda: text(self.request, self.loaded.anew(), name), unless_endless=True)
        if isinstance(made, TimeLimit):
            status, failure = self._ending(name, made)
            return Report(name, status=status, failure=failure)
        if isinstance(made, side_effects.NotRunAgain):
            words = say("There is no text, because tracing a program runs it. {why}", why=made.text)
            made = Program(self.request.form, "", failure=Failure("NotTraced", words))
        elif isinstance(made, BaseException):
            made = Program(self.request.form, "", failure=self._failure(name, made))
        return Report(name, program=made)

    def _further(
        self, name: str, ask: Callable[[], T], limit_s: float | None = None, *, unless_endless: bool = False
    ) -> T | BaseException:
        """Return the result of `ask` in a further, hidden run of variant `name`, or the exception that ended it.

        That is NotRunAgain if the variant must not run again. The time limit is that of the request by default. Raises
        Stopped when the run is cancelled.
        """
        limit_s = self.request.timeout_s if limit_s is None else limit_s
        place = isolated(self.channel.printed, self.side_effects_of(name), unless_endless=unless_endless)
        try:
            with self.channel.interrupts.time_limit(limit_s), place:
                return ask()
        except Stopped:
            raise
        except BaseException as error:
            return error

    def side_effects_of(self, name: str) -> set[str]:
        """Return the known side effects of variant `name` that must not happen twice."""
        return self._did.setdefault(name, set(self._did.get("", ())))

    def ran(self, report: Report) -> Report:
        """Return `report` with the results of one real run, recorded from ``inputs`` on; unchanged if it has ended.

        The run is the first in its module. Raises Stopped when the run is cancelled; exceptions of the program are in
        the report.
        """
        if report.status is not None:
            return report
        fresh, given = self.first, dict[str, Any]()
        if self._has_run(report.name):
            printed, recording = fresh.printed[0] + self._end_alone(), self.recorded(report.name)
        else:
            limited = self.channel.interrupts.time_limit(self.request.timeout_s)
            with limited, side_effects.first_run(self.side_effects_of(report.name)):
                try:
                    fresh = self._fresh()
                except Stopped:
                    raise
                except BaseException as error:
                    # It was loaded successfully before.
                    recording = recorder.Recording(error=error, is_user_code=self.loaded.is_user_code)
                    return self._watched_again(report, "", None, recording, given)
                begun = time.monotonic()
                recording = self.recorded(report.name, fresh, given)
                self.cached[report.name].took_s = time.monotonic() - begun
            printed = fresh.printed[1] + self.channel.printed.take()
        return self._watched_again(report, printed, fresh, recording, given)

    def recorded(
        self, name: str, fresh: FreshProgram | None = None, given: dict[str, Any] | None = None
    ) -> recorder.Recording:
        """Return the recording of one real run of variant `name` in `fresh`, and put its arguments into `given`."""
        fresh, given = fresh or self.first, {} if given is None else given
        if self._has_run(name):
            return replace(fresh.loading, result=fresh.program.arrays())

        def call() -> Any:
            function, arguments = transformed.prepared(fresh.program, name, fresh.inputs)
            given.update(arguments)
            result = trees.waited_for(calls.call(function, given))
            end_of_process()
            return result

        watching = fresh.observer.calling() if fresh.observer is not None else None
        return recorder.record(call, is_user_code=fresh.program.is_user_code, ends=(TimeLimit,), watching=watching)

    def _has_run(self, name: str) -> bool:
        """Return whether loading has run variant `name`."""
        return name == TOP_LEVEL and not of_variant(self.loaded.transforms, TOP_LEVEL)

    def keys_of(
        self, name: str, recording: recorder.Recording, fresh: FreshProgram | None
    ) -> tuple[Lineage, tuple[Finding, ...]]:
        """Return the lineage of the keys of variant `name`, run in `fresh`, and its findings."""
        before = [fresh.loading, fresh.making] if fresh is not None and not self._has_run(name) else []
        if before and self.loaded.has_inputs and self.loaded.calls_inputs():
            # The top level has used the keys of the same seed; this run has them for itself.
            del before[0]
        lines = fresh.program.lines.get(name) if fresh is not None else None
        known = key_graph.key_lineage(*before, recording, outputs=recording.result, variant=lines)
        purpose = name in self.request.shared_on_purpose
        return known, findings.find(known, to_its_end=recording.error is None, shared_on_purpose=purpose)

    def _end_alone(self) -> str:
        """Run the exit functions of a program with only a top level; return the printed text."""
        if len(self.request.variants or self.variants()) > 1:
            return ""
        with all_exceptions_suppressed(), self.channel.interrupts.time_limit(self.request.timeout_s):
            end_of_process()
        return self.channel.printed.take()

    def _fresh(self) -> FreshProgram:
        """Return the program in which to run a variant. Loading may raise."""
        if self._is_first_taken:
            return loaded_anew(self.loaded, self.channel.printed, self._observer())
        self._is_first_taken = True
        return self.first

    def with_draws(self, report: Report) -> Report:
        """Return `report` with the raw noise of its draws among the pictures."""
        if report.keys is None or report.pictures is None or report.status != "ok":
            return report
        drawn = pictures.pictures(
            (), {}, report.findings or (), repeated_draws.draws(report.keys, report.findings or ())
        )
        return msgspec.structs.replace(report, pictures=(*report.pictures, *drawn))

    def with_jax_checker(self, report: Report) -> Report:
        """Return `report` with the answers of JAX's own checker; unchanged after a failure or a timeout."""
        known = self.cached[report.name].lineage
        if report.status != "ok" or known is None:
            return report
        answers = self._further(
            report.name, lambda: jax_checker.ask(lambda: transformed.prepared(self.loaded.anew(), report.name))
        )
        if isinstance(answers, BaseException):
            return _with_reason(report, answers)
        compared = jax_checker.compared(answers, report.findings or (), known)
        return msgspec.structs.replace(report, jax_checker=compared)

    def with_traces(self, report: Report) -> Report:
        """Return `report` with the traces and compilations of its run, and with the findings on them.

        A program that may change state while it is traced runs once more for that; after a timeout, or if it must not
        run again, the report says so. After a failure the report is unchanged.
        """
        if report.status != "ok":
            return report
        observed = self.cached[report.name].observed
        if observed is None:
            return coverage.with_part(report, coverage.part("tracing", extent="failed"))
        changes = observed.changes
        extent: Extent = "whole"
        if observe.may_change_state(self.loaded):
            limit_s = retraces.PATIENCE_S if self.request.timeout_s is None else None
            inspected = self._further(report.name, partial(observe.inspected, self.loaded, report.name), limit_s)
            if isinstance(inspected, BaseException):
                report, extent = _with_reason(report, inspected), "partly"
            else:
                changes = inspected
        found = (*changes, *observed.findings)
        with_part = coverage.with_part(report, coverage.part("tracing", found, extent), found)
        return msgspec.structs.replace(with_part, traces=observed.traces)

    def with_value_checks(self, report: Report) -> Report:
        """Return `report` with the findings on values; unchanged after a failure.

        The program is loaded anew and runs once more. After a timeout, or if it must not run again, the report says so.
        """
        if report.status != "ok":
            return report
        checked = self._further(report.name, partial(observe.checked, self.loaded, report.name))
        if isinstance(checked, BaseException):
            return coverage.with_part(
                _with_reason(report, checked), coverage.part("values", extent=_extent_until(checked))
            )
        found, all_of_it = checked
        return coverage.with_part(report, coverage.part("values", found, "whole" if all_of_it else "partly"), found)

    def _failure(self, name: str, error: BaseException) -> Failure:
        clean_state.use_up_after(error)
        failure = errors.failure(error, self.loaded.is_user_code)
        explained = transformed.explained(failure, self.loaded, name)
        # JAX rejects some arguments before any user code runs.
        return explained if explained.span else msgspec.structs.replace(explained, span=self.loaded.place_of(name))

    def _axes(self, name: str) -> tuple[int | None, ...]:
        """Return the example axis of each output array of variant `name`, () if it is the first axis everywhere."""
        applied = of_variant(self.loaded.transforms, name)
        if name == TOP_LEVEL or not program.may_lie_elsewhere(self.loaded.source, applied):
            return ()
        axes = self._further(name, lambda: program.output_axes(*transformed.prepared(self.loaded.anew(), name)))
        # It may not be traceable, for example because it reads values.
        return () if isinstance(axes, BaseException) else axes

    @clean_state.telling()
    def _watched_again(
        self,
        report: Report,
        printed: str,
        fresh: FreshProgram | None,
        recording: recorder.Recording,
        given: Mapping[str, Any],
    ) -> Report:
        """Return `report` with the recorded results of its run in `fresh`, None if that failed to load."""
        error, outputs = recording.error, trees.plain(recording.result)
        taken = {name: trees.plain(each) for name, each in given.items()}
        known, found = self.keys_of(report.name, recording, fresh)
        cached = self.cached[report.name]
        cached.lineage = known if self.request.jax_checker else None
        if fresh is not None and fresh.observer is not None and not fresh.observer.has_failed:
            cached.observed = fresh.observer.seen(fresh.program.module)
        if error is not None and issubclass(type(error), Exception) and self.request.fixes:
            cached.proposed = proposals.proposed_for(error, self.loaded.is_user_code)
            cached.intended = proposals.intended(error, self.loaded.is_user_code)
        if error is None and self.request.finding_fixes:
            cached.outputs = output_forms.output_form(outputs, report.name)
        status, failure = self._ending(report.name, error)
        graph = key_graph.key_graph(known)
        axes = self._axes(report.name)
        batches = {int(graph.draw_example.numpy().max(initial=-1)) + 1, *(each.examples or 0 for each in found)} - {0}
        # In a script, few arrays are about the examples of its vmap.
        counts = batches if batches or report.name == TOP_LEVEL else None
        made = msgspec.structs.replace(
            report,
            printed=printed,
            status=status,
            failure=failure,
            keys=graph,
            findings=found,
            pictures=pictures.pictures(outputs, taken, found, axes=axes, counts=counts) if error is None else (),
            ran_on=devices.used_by(outputs),
            lenses=self._offered(report, error, outputs, taken),
            coverage=(coverage.of_keys(found, graph, coverage.extent_of_keys(recording), self.loaded.source),),
        )
        if report.name != TOP_LEVEL:
            return made
        return script.with_more(made, self.request, self.loaded.watched, recording, self.channel)

    def _offered(
        self, report: Report, error: BaseException | None, outputs: Any, taken: Mapping[str, Any]
    ) -> tuple[str, ...]:
        if report.name == TOP_LEVEL:
            return ()
        if error is not None and not issubclass(type(error), Exception):
            return ()
        applied = self.loaded.transforms.applied
        return offered(FinishedRun(report.program, outputs, taken, self.loaded.source, error is not None, applied))

    def _ending(self, name: str, error: BaseException | None) -> tuple[Status, Failure | None]:
        if error is None:
            return "ok", None
        failure = self._failure(name, error)
        if issubclass(type(error), TimeLimit):
            # Only the location of the interrupt is of interest.
            return "timeout", msgspec.structs.replace(timeout(self.request), span=failure.span)
        return "error", failure


def text(request: Request, loaded: user_code.LoadedProgram, name: str) -> Program:
    """Return the program text of variant `name` of `request`, traced in `loaded`, or the failure."""
    try:
        function, arguments = transformed.prepared(loaded, name)
    except user_code.BadProgram as error:
        failure = transformed.explained(errors.failure(error, loaded.is_user_code), loaded, name)
        return Program(request.form, "", failure=failure)
    made = program.program(function, arguments, request.form, loaded.is_user_code, line_types=request.line_types)
    if made.failure is None:
        return made
    return msgspec.structs.replace(made, failure=transformed.explained(made.failure, loaded, name))


def _extent_until(error: BaseException) -> Extent:
    """Return the extent of a check that `error` ended."""
    if isinstance(error, side_effects.NotRunAgain):
        return "no"
    return "timeout" if issubclass(type(error), TimeLimit) else "failed"


def _with_reason(report: Report, error: BaseException) -> Report:
    """Return `report` with one note on the checks that are missing because the program must not run again."""
    if report.keys is None or not isinstance(error, side_effects.NotRunAgain):
        return report
    note = say(
        "Not checked, because it needs another run: changes of state, the values, JAX's own checker. {why}",
        why=error.text,
    )
    notes = (*report.keys.notes, *([] if note in report.keys.notes else [note]))
    return msgspec.structs.replace(report, keys=msgspec.structs.replace(report.keys, notes=notes))


def timeout(request: Request) -> Failure:
    """Return the failure of a program that exceeded the time limit of `request`."""
    if request.timeout_s is None:
        # The program raised our own exception.
        return Failure("Timeout", say("The run was stopped before it could answer."))
    message = say("It was still running after {seconds} s and was stopped.", seconds=f"{request.timeout_s:g}")
    return Failure("Timeout", message)
