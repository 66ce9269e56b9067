"""The window's requests to the worker."""

from __future__ import annotations

from typing import Literal

import msgspec

from explorer.messages.basics import Beat, Form, Transform, Value, WrongWay

TransformName = Literal["jit", "vmap", "grad", "jvp", "checkpoint"]


class Applied(msgspec.Struct, frozen=True):
    """One transform around a variant, or around what the transforms before it made of the variant."""

    name: TransformName
    in_axes: dict[str, int | None] = {}
    """For ``vmap``: the axis of each argument, None for one that all examples share; by rule for what is absent."""
    out_axes: int = 0
    argument: str = ""
    """For ``grad`` and ``jvp``: with respect to which argument; empty for the first that can be differentiated."""
    summed: bool = False
    """For ``grad``: of the sum of the outputs, where they are not one number."""


class Transforms(msgspec.Struct, frozen=True):
    """The transforms to apply to one variant without an edit of the code."""

    variant: str = ""
    """To which variant they are applied; empty for all."""
    applied: tuple[Applied, ...] = ()
    """Innermost first, which is the order in which they were chosen."""
    x64: bool = False
    """Whether the run has 64-bit types, for all variants."""
    partitionable: bool = True
    """Whether threefry draws as JAX does by default; otherwise as older versions did, for all variants."""


AS_IT_WAS = "as it was"
"""Stands for the variant that a variant is compared with where that is itself, in the scenario's original code."""


def name_as_it_was(variant: str) -> str:
    """Return the name of the report on `variant` as the original code has it; no function can have it."""
    return f"{variant} {AS_IT_WAS}"


def is_as_it_was(name: str) -> bool:
    """Return whether the report called `name` is on the original code."""
    return name.endswith(f" {AS_IT_WAS}")


class Request(msgspec.Struct, frozen=True, tag=True):
    """Run these variants of this code and send every result (answered by Snapshots)."""

    run: int
    source: str
    filename: str
    """Shown in tracebacks; a real path only for the user's own file."""
    device: str = ""
    """``platform:id``, for example ``cpu:0``; empty for JAX's default."""
    parameters: dict[str, Value] = {}
    variants: tuple[str, ...] = ()
    """Names to run, in order; empty for all of them."""
    original: str = ""
    """Other code whose first variant of `variants` is to be reported on too, last; empty for none."""
    original_parameters: dict[str, Value] = {}
    """Those of `parameters` that the original has too."""
    named: tuple[str, ...] = ()
    """The variants that a scenario.toml names, in its order; empty to find them by rule."""
    hidden: tuple[str, ...] = ()
    """The scenario's helpers: functions that would be variants by rule but are not meant to be."""
    shared_on_purpose: tuple[str, ...] = ()
    """Variants whose sharing is declared: their shared-noise and key-reuse findings become notes."""
    form: Form = "jaxpr"
    draws: bool = False
    """Whether the pictures should hold the raw noise of each draw too."""
    timeout_s: float | None = None
    """Seconds that one variant may run before it is interrupted; None for no limit."""
    fixes: bool = False
    """Whether to try which changes of the code fix what fails, which runs the program again for each."""
    finding_fixes: bool = False
    """Whether to try which changes fix the findings at level bug."""
    jax_checker: bool = False
    """Whether to ask JAX's own checker too, which runs the program once more."""
    traces: bool = False
    """Whether to count what jit traces and compiles, which runs a program that has jit in it once more."""
    value_checks: bool = False
    """Whether to also check for indices out of bounds, NaN and narrowed types, which runs the program once more."""
    transforms: Transforms = Transforms()
    texts_only: bool = False
    """Whether nothing runs and only the program texts are reported (answered by one Programs): more keys may follow."""


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
    """The parameter that varies; empty for the one point that `parameters` gives."""
    sweep_values: tuple[Value, ...] = ()
    budget_s: float = 0.5
    """Seconds that the sampling of one point (all variants together) may take."""
    limit_s: float | None = None
    """Seconds that the whole run may take; what there is no time for is left out."""
    applied: Transforms = Transforms()
    """What stands around a variant before `transforms` come on top."""
    wrong_way: WrongWay = ""
    """A mistake to make on purpose: each curve is then measured a second time in this way, next to the right one."""


class ValueRequest(msgspec.Struct, frozen=True, tag=True):
    """Compute what one equation of a traced variant gives for the current inputs (answered by an EquationValue)."""

    run: int
    about_run: int
    """Number of the Request whose answer holds the equation."""
    variant: str
    equation: int
    """Index into the program's equations."""
    steps: tuple[int, ...] = ()
    """In which iteration of each loop around the equation, outermost first, from 0; 0 for loops that are not given."""


class LensRequest(msgspec.Struct, frozen=True, tag=True):
    """Report the effect of a transform on a variant that has run (answered by LensAnswers)."""

    run: int
    about_run: int
    """Number of the Request that the program ran for."""
    variant: str
    lens: str
    """Its id."""
    rerun: str = ""
    """The id of the rerun to answer, besides all the rest; empty for nothing."""
    other_variant: str = ""
    """The variant that is measured in the same run; empty for none."""


class Cancel(msgspec.Struct, frozen=True, tag=True):
    """Stop run number `run` if it is the one under way."""

    run: int


class NameQuestion(msgspec.Struct, frozen=True, tag=True):
    """Which names fit at a place of the code, or what the one there is; a NameAnswer with its number answers it."""

    number: int
    source: str
    """The code as it stands, also where Python cannot read it."""
    line: int
    """From 1."""
    column: int
    """From 0, in characters."""
    completes: bool
    """Whether the names that fit there are wanted; else what the name there is."""


Question = ValueRequest | LensRequest
"""What is asked about a program that has run."""
RunRequest = Request | TimingRequest | Question
ToWorker = RunRequest | Cancel | NameQuestion | Beat
