"""Answers requests: `analyse` runs a program's variants one by one; others give texts, times or trial runs."""

from __future__ import annotations

import math
import platform
import time as clock
from collections.abc import Callable, Mapping
from functools import partial
from importlib.metadata import version
from typing import Any

import jax
from msgspec.structs import replace

from explorer.messages import (
    TOP_LEVEL,
    Argument,
    Failure,
    Fix,
    Hello,
    Program,
    Programs,
    Report,
    Request,
    Snapshot,
    Status,
    TimingDone,
    TimingRequest,
    TrialAnswer,
    TrialRequest,
    Value,
    Variant,
    is_original,
)
from explorer.text.text import Text, say
from explorer.worker.code import plots, transformed, user_code
from explorer.worker.errors import failure as errors
from explorer.worker.fixes import missing_inputs, proposals
from explorer.worker.internals import shared_compiles
from explorer.worker.process import devices
from explorer.worker.process.channel import Channel
from explorer.worker.process.clean import clean_state
from explorer.worker.process.recursion import enough_depth
from explorer.worker.recording.interrupt import Interrupt, TimeLimit, all_exceptions_suppressed
from explorer.worker.runs import fix_trials, script
from explorer.worker.runs.isolated import isolated, place_of
from explorer.worker.runs.original import WorkerCache
from explorer.worker.runs.variant_run import VariantRun, text, timeout
from explorer.worker.timing import mapped, sweep

FLAGS = ("jax_threefry_partitionable", "jax_enable_x64", "jax_default_prng_impl", "jax_disable_jit")
"""Settings that change results, reported with every snapshot."""
NEWEST_KNOWN = (0, 12)
"""The newest JAX series for which the tests passed."""


def hello() -> Hello:
    """Return the versions and devices of this process. Starts JAX's backends."""
    found, notes = devices.all_devices()
    return Hello(
        python=platform.python_version(),
        jax=jax.__version__,
        jaxlib=version("jaxlib"),
        devices=devices.described(found),
        default_device=devices.identifier(found[0]) if found else "",
        notes=(*notes, *_of_newer_jax()),
    )


def _of_newer_jax() -> tuple[Text, ...]:
    """Return a note if the JAX of this process, such as a remote's, is newer than all tested ones."""
    if jax.__version_info__[:2] <= NEWEST_KNOWN:
        return ()
    newest = ".".join(map(str, NEWEST_KNOWN))
    return (
        say(
            "jax {jax} is newer than {known}, the newest that this was tested with.", jax=jax.__version__, known=newest
        ),
    )


def analyse(request: Request, channel: Channel, cache: WorkerCache | None = None) -> Snapshot:
    """Return the complete snapshot of `request`.

    Incomplete ones are sent meanwhile: with the program texts as soon as possible, because the user types to see them,
    then after each variant. Raises Stopped when the run is cancelled; exceptions of the program are in the snapshot.
    """
    with shared_compiles.sharing(f"{request.source}\n{request.original}"):
        return _analysed(request, channel, cache)


def _analysed(request: Request, channel: Channel, cache: WorkerCache | None) -> Snapshot:
    started = clock.perf_counter()
    cache, run = cache or WorkerCache(), VariantRun(request, channel)
    snapshot = Snapshot(request.run, request.device, complete=False)
    has_loaded = False
    try:
        with place_of(request) as clean:
            device = devices.identifier(devices.find(request.device))
            snapshot = replace(snapshot, device=device, flags=_flags())
            run.load()
            has_loaded = True
            # They hold even if the program stops here.
            snapshot = replace(snapshot, parameters=run.loaded.parameters, left_out=plots.left_out_here())
            snapshot = _loaded(run, cache, snapshot)
            cache.values.remember(request, run.loaded, clean)
            given = run.first.inputs if run.loaded.has_inputs else None
            lacks = None if snapshot.variants else missing_inputs.failure(request.source, given)
            return _with_runs(run, cache, snapshot, started) if lacks is None else _with_inputs(run, snapshot, lacks)
    except TimeLimit as limit:
        span = errors.failure(limit, run.is_user_code).span
        return _ended(snapshot, run, "timeout", replace(timeout(request), span=span), started)
    except Interrupt as interrupt:
        interrupt.span = errors.failure(interrupt, run.is_user_code).span
        interrupt.variants = run.variants() if has_loaded else ()
        raise
    except BaseException as error:
        # The report must work even if the program has exhausted the recursion limit.
        with enough_depth():
            snapshot = _ended(snapshot, run, "error", _failure(error, run), started)
            proposed = proposals.proposed_for(error, run.is_user_code) if request.fixes else []
        return _with_passing(snapshot, proposed, fix_trials.loads, run)


def texts(request: Request, channel: Channel) -> Programs:
    """Return the texts of the traceable variants, without errors for the others: the code may be half typed.

    Raises Stopped when the run is cancelled.
    """
    found: dict[str, Program] = {}
    with all_exceptions_suppressed(), place_of(request, only_typed=True):
        for name in request.variants:
            # The user requested no run: side effects outside must not happen at each keystroke.
            with channel.interrupts.time_limit(request.timeout_s), isolated(channel.printed, set()):
                found[name] = text(request, user_code.load_requested(request), name)
    return Programs(request.run, {name: each for name, each in found.items() if each.failure is None}, last=True)


def trials(request: TrialRequest, channel: Channel) -> TrialAnswer:
    """Return the snapshots of all trials; what the panes show stays the last program. Raises Stopped when cancelled."""
    quiet = replace(channel, send=lambda _message: None)
    asked = [replace(each, run=request.run) for each in request.trials]
    return TrialAnswer(request.run, tuple(analyse(each, quiet) for each in asked))


def time(request: TimingRequest, channel: Channel) -> TimingDone:
    """Time the variants of `request`, and send measurements as they come. Raises Stopped when the run is cancelled."""
    started = clock.perf_counter()
    is_user_code = request.filename.__eq__
    failure: Failure | None = None
    left_out: tuple[Value, ...] = ()
    try:
        with place_of(request), isolated(channel.printed, set()):
            program = user_code.load_requested(request)
            inputs = program.inputs()
            names = (request.subject,) if request.subject else request.variants
            names = names or tuple(variant.name for variant in program.variants(inputs))
            variants = {name: transformed.function(program, name, inputs) for name in names}
            plan = sweep.Plan(
                run=request.run,
                device=devices.find(request.device),
                variants=variants,
                transforms=request.transforms,
                budget_s=request.budget_s,
                emit=channel.send,
                explain=lambda error: errors.failure(error, is_user_code),
                limit_s=math.inf if request.limit_s is None else request.limit_s - (clock.perf_counter() - started),
            )
            if request.mapped:
                left_out = _against_a_loop(plan, request, inputs, is_user_code)
            else:
                calls = transformed.calls(program, inputs, names)
                given = dict.fromkeys(names, inputs) if request.subject else {}
                left_out = sweep.time_sweep(
                    replace(plan, calls=calls, given=given),
                    {each.name: each.value for each in program.parameters},
                    lambda parameters: program.with_parameters(parameters).inputs(),
                    request.sweep_name,
                    request.sweep_values,
                )
    except Interrupt:
        raise
    except BaseException as error:
        failure = errors.failure(error, is_user_code)
    return TimingDone(request.run, clock.perf_counter() - started, failure=failure, left_out=left_out)


def _against_a_loop(
    plan: sweep.Plan, request: TimingRequest, inputs: Mapping[str, Any], is_user_code: Callable[[str], bool]
) -> tuple[Value, ...]:
    """Time what the function of `plan` maps with vmap over the number of examples, against a loop over them."""
    name = "" if request.mapped == request.subject else request.mapped
    own = mapped.mapped_in(plan.variants[request.subject], inputs, name, is_user_code)
    plan = replace(plan, variants={request.mapped: own}, transforms=("loop", "jit(vmap)"))
    sizes: list[Value] = [*own.sizes]
    whole = {mapped.EXAMPLES: sizes[-1]}
    return sweep.time_sweep(plan, whole, lambda here: own.arguments(int(here[mapped.EXAMPLES])), mapped.EXAMPLES, sizes)


def _loaded(run: VariantRun, cache: WorkerCache, snapshot: Snapshot) -> Snapshot:
    """Return `snapshot` with the parameters, variants and texts of the loaded program, and send it."""
    request, inputs = run.request, run.first.inputs
    # The program may have changed flags.
    flags = _flags()
    called = set(request.variants) & run.loaded.watched.called.keys() if run.loaded.watched is not None else ()
    if called and called - {each.name for each in run.loaded.variants(())}:
        # A function of a script that is asked for by its name, and takes arguments.
        run.request = request = replace(request, variants=(TOP_LEVEL,), subject=request.variants[0])
    known: dict[tuple[str, bool], Argument] = {}
    with clean_state.telling():
        functions = ((each, run.loaded.function(each.name, inputs)) for each in run.variants())
        variants = tuple(
            replace(each, arguments=transformed.described(function, inputs, known)) for each, function in functions
        )
    # Without any variant nothing is wrong: the user has just deleted the requested one.
    names = request.variants if variants or all(map(run.has, request.variants)) else ()
    reports = tuple(run.traced(name) for name in names or [each.name for each in variants])
    snapshot = replace(snapshot, flags=flags, variants=variants, reports=reports)
    if cache.names is not None:
        cache.names.remember(run.loaded.module, inputs)
    if request.original:
        snapshot = replace(snapshot, reports=(*snapshot.reports, cache.as_it_was.begun(request)))
    run.channel.send(snapshot)
    return snapshot


def _with_runs(run: VariantRun, cache: WorkerCache, snapshot: Snapshot, started: float) -> Snapshot:
    """Return `snapshot` complete, after all runs and further checks."""
    request, reports = run.request, list(snapshot.reports)
    for place, report in enumerate(snapshot.reports):
        if not is_original(report.name):
            reports[place] = run.ran(report)
        elif report.status is None:
            reports[place] = cache.as_it_was.ran(request, run.channel, analyse)
        with clean_state.telling():
            snapshot = replace(snapshot, reports=tuple(reports), elapsed_s=clock.perf_counter() - started)
            if place + 1 < len(reports):
                run.channel.send(snapshot)
    # Each is slow, and nothing waits for it: repeated draws compile for every new shape, and the others run the program
    # again.
    failed = any(each.proposed is not None for each in run.cached.values())
    afterwards = (
        (request.draws, say("repeating the draws"), run.with_draws),
        (request.traces, say("looking for changes of state"), run.with_traces),
        (request.value_checks, say("checking values"), run.with_value_checks),
        (request.jax_checker, say("asking JAX's checker"), run.with_jax_checker),
        (request.finding_fixes, say("trying fixes"), partial(fix_trials.with_finding_fixes, run)),
        (failed, say("trying fixes"), partial(fix_trials.with_fixes, run)),
    )
    with clean_state.telling():
        for wanted, words, step in afterwards:
            if wanted:
                snapshot = _each(replace(snapshot, checks=words), step, run.channel)
        # Further checks may have found something worse.
        judged = tuple(script.about_the_worst(each, request) for each in snapshot.reports)
        elapsed_s = clock.perf_counter() - started
        snapshot = replace(snapshot, reports=judged, left_out=plots.left_out_here())
        return replace(snapshot, complete=True, checks="", elapsed_s=elapsed_s)


def _each(snapshot: Snapshot, step: Callable[[Report], Report], channel: Channel) -> Snapshot:
    """Return `snapshot` with `step` applied to each variant of the current code; the original has all steps.

    The snapshot is sent before each step: known results should not wait, and a client with a timeout should see
    progress.
    """
    reports = list(snapshot.reports)
    for place, report in enumerate(snapshot.reports):
        if not is_original(report.name):
            channel.send(snapshot)
            reports[place] = step(report)
            snapshot = replace(snapshot, reports=tuple(reports))
    return snapshot


def _ended(snapshot: Snapshot, run: VariantRun, status: Status, failure: Failure, started: float) -> Snapshot:
    """Return `snapshot`, whose program does not load because of `failure`, with what a script did until then."""
    elapsed_s, left_out = clock.perf_counter() - started, plots.left_out_here()
    snapshot = replace(snapshot, complete=True, failure=failure, reports=(), elapsed_s=elapsed_s, left_out=left_out)
    if run.cut_short and (
        report := script.until_it_failed(run.request, run.cut_short[0], run.watched, status, failure, run.channel)
    ):
        return replace(snapshot, failure=None, variants=(Variant(TOP_LEVEL, 1),), reports=(report,))
    return snapshot


def _with_inputs(run: VariantRun, snapshot: Snapshot, lacks: Failure) -> Snapshot:
    """Return `snapshot` complete, with the failure `lacks` and an ``inputs`` that fixes it."""
    wanted = run.request.fixes and not run.loaded.has_inputs
    proposed = missing_inputs.proposed_inputs(run.request.source) if wanted else []
    failed = replace(snapshot, complete=True, failure=lacks, reports=())
    return _with_passing(failed, proposed, fix_trials.runs_anything, run, most=1)


def _with_passing(
    snapshot: Snapshot, proposed: list[Fix], judge: fix_trials.Judge, run: VariantRun, most: int = fix_trials.MOST_FIXES
) -> Snapshot:
    """Return `snapshot` with the first few `proposed` fixes of its failure that pass `judge`."""
    if not proposed:
        return snapshot
    run.channel.send(replace(snapshot, complete=False))
    fixes = fix_trials.passing(proposed, run.request, run.channel, run.side_effects_of(""), judge, most)

    def fixed(failure: Failure | None) -> Failure | None:
        return failure and replace(failure, fixes=fixes)

    reports = tuple(replace(each, failure=fixed(each.failure)) for each in snapshot.reports)
    return replace(snapshot, failure=fixed(snapshot.failure), reports=reports)


def _failure(error: BaseException, run: VariantRun) -> Failure:
    clean_state.use_up_after(error)
    failure = errors.failure(error, run.is_user_code)
    if (
        failure.span is None
        and clean_state.has_patched()
        and not issubclass(type(error), user_code.BadProgram | SyntaxError)
    ):
        # No code of the program failed.
        clean_state.use_up()
        return Failure("ProcessChanged", clean_state.RUINED)
    return failure


def _flags() -> tuple[tuple[str, str], ...]:
    return tuple((name, str(getattr(jax.config, name))) for name in FLAGS)
