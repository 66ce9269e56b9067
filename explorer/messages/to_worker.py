"""The window's requests to the worker, the transforms in them, and the name of a variant as it was."""

from __future__ import annotations

from typing import Literal

import msgspec

from explorer.messages.basics import Beat, Form, Transform, Value

TransformName = Literal["jit", "vmap", "grad", "jvp", "checkpoint"]


class Applied(msgspec.Struct, frozen=True):
    """One transform around a variant, or around the transforms before it."""

    name: TransformName
    in_axes: dict[str, int | None] = {}
    """For ``vmap``, the axis of each argument, None for a shared one; missing arguments follow the default rule."""
    out_axes: int = 0
    argument: str = ""
    """For ``grad`` and ``jvp``, the differentiated argument; empty for the first differentiable one."""
    summed: bool = False
    """For ``grad``, whether to sum outputs that are not a single number."""


class Transforms(msgspec.Struct, frozen=True):
    """The transforms to apply to a variant without an edit of the code."""

    variant: str = ""
    """The variant; empty for all."""
    applied: tuple[Applied, ...] = ()
    """Innermost first, which is the order of choice."""
    x64: bool = False
    """Whether the run enables 64-bit types, for all variants."""
    partitionable: bool = True
    """Whether threefry is partitionable, JAX's default; otherwise it draws as in older versions, for all variants."""


ORIGINAL = "as it was"
"""Suffix of a variant in the scenario's original code, when a variant is compared with itself."""


def original_name(variant: str) -> str:
    """Return the report name of `variant` in the original code; it is no valid function name."""
    return f"{variant} {ORIGINAL}"


def is_original(name: str) -> bool:
    """Return whether the report `name` is about the original code."""
    return name.endswith(f" {ORIGINAL}")


class Request(msgspec.Struct, frozen=True, tag=True):
    """Run these variants of the code and send all results (answered by Snapshots)."""

    run: int
    source: str
    filename: str
    """The name in tracebacks; a real path only for the user's own file."""
    device: str = ""
    """``platform:id``, for example ``cpu:0``; empty for JAX's default."""
    parameters: dict[str, Value] = {}
    variants: tuple[str, ...] = ()
    """Names to run, in order; empty for all."""
    original: str = ""
    """Other code whose first variant in `variants` is reported, too, at the end; empty for none."""
    original_parameters: dict[str, Value] = {}
    """Those of `parameters` that the original code has."""
    named: tuple[str, ...] = ()
    """The variants named in a scenario.toml, in order; empty for the default rule."""
    hidden: tuple[str, ...] = ()
    """The scenario's helpers: functions that are not variants, against the default rule."""
    shared_on_purpose: tuple[str, ...] = ()
    """Variants that declare their sharing: their shared-noise and key-reuse findings become notes."""
    form: Form = "jaxpr"
    line_types: bool = False
    """Whether programs have the types of the values that each line makes; tracing then takes up to twice as long."""
    draws: bool = False
    """Whether pictures include the raw noise of each draw."""
    timeout_s: float | None = None
    """Seconds after which a variant is interrupted; None for no limit."""
    fixes: bool = False
    """Whether to try code changes that fix a failure; each one runs the program again."""
    finding_fixes: bool = False
    """Whether to try code changes that fix findings at level bug."""
    jax_checker: bool = False
    """Whether to run JAX's own key checker, too; it runs the program once more."""
    traces: bool = False
    """Whether to count traces and compilations; that runs a program with jit once more."""
    value_checks: bool = False
    """Whether to check for out-of-bounds indices, NaN and narrowed types; that runs the program once more."""
    transforms: Transforms = Transforms()
    leaves_out_plots: bool = False
    """Whether plotting libraries that are not installed are replaced: the code goes on without their pictures."""
    subject: str = ""
    """The function of a script whose program to show for its top level; empty for the one that suits best."""
    texts_only: bool = False
    """Whether to report only the program texts, without a run (answered by one Programs): the user may still type."""


class TimingRequest(msgspec.Struct, frozen=True, tag=True):
    """Time these variants over this sweep (answered by Measurements and a TimingDone)."""

    run: int
    source: str
    filename: str
    device: str = ""
    parameters: dict[str, Value] = {}
    variants: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    transforms: tuple[Transform, ...] = ("eager", "jit")
    sweep_name: str = ""
    """The swept parameter; empty for the single point of `parameters`."""
    sweep_values: tuple[Value, ...] = ()
    budget_s: float = 0.5
    """Seconds of sampling per point, for all variants together."""
    limit_s: float | None = None
    """Seconds for the whole run; points beyond are skipped."""
    applied: Transforms = Transforms()
    """The transforms around each variant, inside of `transforms`."""
    leaves_out_plots: bool = False
    subject: str = ""
    """The function of a script to time instead of variants, with the arguments of its first call."""
    mapped: str = ""
    """The function under vmap in that call to time instead, over the number of examples, against a loop over them."""


class ValueRequest(msgspec.Struct, frozen=True, tag=True):
    """Compute the outputs of one equation for the current inputs (answered by an EquationValue)."""

    run: int
    about_run: int
    """Number of the Request whose answer has the equation."""
    variant: str
    equation: int
    """Index into the program's equations."""
    steps: tuple[int, ...] = ()
    """The iteration of each loop around the equation, outermost first, from 0; missing loops count as 0."""
    subject: str = ""
    """The function of a script that the program is of; empty for that of the variant."""


class LensRequest(msgspec.Struct, frozen=True, tag=True):
    """Report the effect of a transform on a variant that has run (answered by LensAnswers)."""

    run: int
    about_run: int
    """Number of the Request that ran the program."""
    variant: str
    lens: str
    """The lens's id."""
    rerun: str = ""
    """Id of an additional rerun, or empty."""
    subject: str = ""
    """The function of a script that it is about; empty for the variant itself."""
    subject_calls: int = 0
    """How often the script calls it."""


class TrialRequest(msgspec.Struct, frozen=True, tag=True):
    """Run `trials`, one after the other, beside what the panes show (answered by one TrialAnswer)."""

    run: int
    trials: tuple[Request, ...]


class Prepare(msgspec.Struct, frozen=True, tag=True):
    """Run this beginning of a program before JAX is imported; the first message to a process that starts for it."""

    filename: str
    code: str


class Cancel(msgspec.Struct, frozen=True, tag=True):
    """Stop run number `run` if it is active."""

    run: int


class NameQuestion(msgspec.Struct, frozen=True, tag=True):
    """Ask for the names that fit a position in the code, or about the name there (answered by a NameAnswer)."""

    number: int
    source: str
    """The current code, possibly invalid."""
    line: int
    """From 1."""
    column: int
    """From 0, in characters."""
    completes: bool
    """Whether to list the names that fit; otherwise the name there is explained."""


Question = ValueRequest | LensRequest
"""Questions about a program that has run."""
RunRequest = Request | TimingRequest | TrialRequest | Question
ToWorker = RunRequest | Prepare | Cancel | NameQuestion | Beat
