"""What the window and the worker say to each other: frozen records, arrays as raw buffers."""

from __future__ import annotations

from typing import Any, Literal, TypeGuard, get_args

import msgspec
import numpy as np
import numpy.typing as npt

Value = bool | int | float | str
"""What a parameter of ``inputs`` can be set to from a control or from ``--set``."""

Level = Literal["bug", "note"]
Status = Literal["ok", "error", "timeout", "stopped"]
Form = Literal["jaxpr", "stablehlo", "hlo"]
Transform = Literal["eager", "jit", "vmap", "jit(vmap)"]
WrongWay = Literal["", "no-block", "with-compile", "numpy-inputs", "fresh-lambda"]
"""A classic mistake of timing: not waiting for the result, compiling inside the clock, inputs that are copied to the
device in every call, a new function for jit in every call. Empty for the right way."""


class Array(msgspec.Struct, frozen=True, array_like=True):
    """A NumPy array on its way through a pipe, in C order and native byte order."""

    dtype: str
    shape: tuple[int, ...]
    data: memoryview

    @staticmethod
    def of(values: npt.ArrayLike, dtype: npt.DTypeLike | None = None) -> Array:
        """Return `values` as an Array, without a copy where they are contiguous already."""
        values = np.asarray(values, dtype)
        flat = np.ascontiguousarray(values).reshape(-1).view(np.uint8)
        return Array(values.dtype.str, values.shape, flat.data)

    def numpy(self) -> npt.NDArray[Any]:
        """Return a read-only NumPy view of the buffer, of this shape and dtype."""
        return np.frombuffer(self.data, np.dtype(self.dtype)).reshape(self.shape)


class Span(msgspec.Struct, frozen=True, array_like=True):
    """A stretch of the person's code. Lines count from 1, columns from 0, the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int
    file: str = ""
    """Where the person's code is in several files; empty for the one program of a request."""


class Edit(msgspec.Struct, frozen=True, array_like=True):
    """A replacement of one stretch of the code."""

    span: Span
    old: str
    """What stands there; where it does not any more, the edit is out of date."""
    new: str


class Fix(msgspec.Struct, frozen=True):
    """A change of the code that was tried: with it the program runs."""

    label: str
    """What it does, in a few words."""
    edits: tuple[Edit, ...]
    """In the order of the code; they do not overlap."""


class Failure(msgspec.Struct, frozen=True):
    """What went wrong in the person's program, as a value like any other result."""

    type: str
    message: str
    span: Span | None = None
    explanation: str = ""
    """In plain words: what happened, why JAX minds, what to do. Empty when we know no more than Python."""
    traceback: str = ""
    drawing: str = ""
    """Shapes that clash, aligned in lines of fixed pitch."""
    original: str = ""
    """The whole text of the error as JAX or Python wrote it."""
    link: str = ""
    """Address of the documentation of this error."""
    fixes: tuple[Fix, ...] = ()
    """The most fitting first."""

    @property
    def line(self) -> int | None:
        """The line of the person's code that failed, or None where none is known."""
        return self.span.line if self.span else None


# -- from the window to the worker ------------------------------------------------------------


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
    """What the person asked to be done with one variant, without an edit of the code."""

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
    """Run these variants of this code and tell everything about them (answered by Snapshots)."""

    run: int
    source: str
    filename: str
    """Shown in tracebacks; a real path only for the person's own file."""
    device: str = ""
    """``platform:id``, for example ``cpu:0``; empty for JAX's default."""
    parameters: dict[str, Value] = {}
    variants: tuple[str, ...] = ()
    """Names to run, in order; empty for all of them."""
    original: str = ""
    """Other code whose first variant of `variants` is to be reported on too, last; empty for none."""
    named: tuple[str, ...] = ()
    """The variants that a scenario.toml names, in its order; empty to find them by rule."""
    hidden: tuple[str, ...] = ()
    """The scenario's helpers: functions that would be variants by rule but are not meant to be."""
    shared_on_purpose: tuple[str, ...] = ()
    """Variants whose sharing is declared: their shared-noise and key-reuse findings become notes."""
    form: Form = "jaxpr"
    draws: bool = False
    """Whether the pictures shall hold the raw noise of each draw too."""
    timeout_s: float | None = None
    """Seconds that one variant may run before it is interrupted; None for no limit."""
    fixes: bool = False
    """Whether to try which changes of the code mend what fails, which runs the program again for each."""
    finding_fixes: bool = False
    """Whether to try which changes mend the findings at level bug."""
    jax_checker: bool = False
    """Whether to ask JAX's own checker too, which runs the program once more."""
    traces: bool = False
    """Whether to count what jit traces and compiles, which runs a program that has jit in it once more."""
    transforms: Transforms = Transforms()
    language: str = "en"
    """Of the sentences in the answer."""


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
    applied: Transforms = Transforms()
    """What stands around a variant before `transforms` come on top."""
    wrong_way: WrongWay = ""
    """A mistake to make on purpose: each curve is then measured a second time in this way, beside the right one."""
    language: str = "en"
    """Of the notes in the answer; what stands before a colon, as in ``unstable: ...``, is always as in the code."""


class ValueRequest(msgspec.Struct, frozen=True, tag=True):
    """Compute what one equation of a traced variant gives for the current inputs (answered by an EquationValue)."""

    run: int
    of: int
    """Number of the Request whose answer holds the equation."""
    variant: str
    equation: int
    """Index into the program's equations."""
    steps: tuple[int, ...] = ()
    """In which round of each loop around the equation, outermost first, from 0; 0 for loops that are not given."""


class Cancel(msgspec.Struct, frozen=True, tag=True):
    """Stop run number `run` if it is the one under way."""

    run: int


NameMatter = Literal["complete", "call", "describe"]


class NameQuestion(msgspec.Struct, frozen=True, tag=True):
    """What can be said of the place where the cursor or the pointer is (answered by a NameAnswer with its number)."""

    number: int
    matter: NameMatter
    """Which names fit here, which call this is inside of, or what the name here is."""
    source: str
    """The code as it stands, also where Python cannot read it."""
    line: int
    """From 1."""
    column: int
    """From 0, in characters."""
    chosen: str = ""
    """Describe this name as if it stood here instead of the word that has been begun."""


RunRequest = Request | TimingRequest | ValueRequest
ToWorker = RunRequest | Cancel | NameQuestion


# -- from the worker to the window ------------------------------------------------------------


class Device(msgspec.Struct, frozen=True):
    """One device that JAX has."""

    id: str
    """``platform:id``, for example ``cpu:0``."""
    kind: str
    """The device's own name, for example ``NVIDIA H200``."""


class Hello(msgspec.Struct, frozen=True, tag=True):
    """The worker is up: which versions it runs and which devices JAX has."""

    python: str
    jax: str
    jaxlib: str
    devices: tuple[Device, ...]
    default_device: str
    notes: tuple[str, ...] = ()
    """Sentences about backends that did not start."""


class Printed(msgspec.Struct, frozen=True, tag=True):
    """A piece of what the program printed, as it came."""

    run: int
    text: str


class Parameter(msgspec.Struct, frozen=True):
    """One argument of ``inputs`` that a control can set."""

    name: str
    value: Value
    """The value in force for this run."""
    default: Value


class Argument(msgspec.Struct, frozen=True, array_like=True):
    """One of the arguments that a variant is called with."""

    name: str
    type: str = ""
    """As JAX writes it, ``f32[32,10]``; for a pytree how many arrays it holds; for anything else its Python type."""
    shape: tuple[int, ...] = ()
    """Of the array; of a pytree the leading axes that all of its arrays have."""
    is_array: bool = True
    """Whether it holds arrays and numbers only; otherwise jit must take it as it is."""
    is_float: bool = False
    """Whether it can be differentiated."""
    is_key: bool = False
    is_tree: bool = False
    by_name: bool = False
    """Whether the variant takes it by name only."""


class Variant(msgspec.Struct, frozen=True):
    """One function that a person can choose to run."""

    name: str
    line: int
    doc: str = ""
    """The first line of its docstring."""
    end_line: int = 0
    """The last line of what defines it, 0 where that is not known."""
    arguments: tuple[Argument, ...] = ()
    """What it is called with, in the order of its signature."""


class Equation(msgspec.Struct, frozen=True, array_like=True):
    """One equation of the program, where it stands in the text and in the person's code."""

    primitive: str
    span: Span | None
    """Where the person's code asked for it; equations inside a library inherit their caller's."""
    first_line: int
    """First line in the text, counted from 0."""
    last_line: int
    depth: int
    """0 at the top, 1 in a jaxpr inside an equation, and so on."""
    output: str
    """Type of the outputs, as JAX writes it: ``f32[32,10]``."""
    key: str = ""
    """For a draw, the type of the keys that it takes: ``key<fry>[]`` is one key, ``key<fry>[32]`` are 32."""


class Cost(msgspec.Struct, frozen=True):
    """What the compiler says that one call of the compiled program costs; None for what it does not say."""

    flops: float | None = None
    """Floating-point operations; the body of a loop counts once where the compiler does not know how often it runs."""
    transcendentals: float | None = None
    """Evaluations of exp, tanh and the like, which are not among the flops."""
    accessed_bytes: float | None = None
    """Read and written by all operations together."""
    peak_bytes: int | None = None
    """The most memory in use at one time: arguments, outputs and temporary values."""
    argument_bytes: int | None = None
    output_bytes: int | None = None
    temporary_bytes: int | None = None


class Program(msgspec.Struct, frozen=True):
    """What the tracer made of one variant, in one form."""

    form: Form
    text: str
    """Exactly as JAX prints it; empty after a failure, and where a backend does not print what it compiled."""
    equations: tuple[Equation, ...] = ()
    """In the order of the text; empty for forms other than the jaxpr."""
    lines: tuple[int, ...] = ()
    """For each line of the text the person's line that it comes from, 0 for none."""
    failure: Failure | None = None
    """Why there is no text: the variant cannot be traced, lowered or compiled."""
    cost: Cost | None = None
    """Of the compiled program; known for the form hlo only, because the others are not compiled."""


KeyState = Literal["fresh", "split", "drawn", "reused", "shared", "unused", "orphan"]
KEY_STATES: tuple[KeyState, ...] = ("fresh", "split", "drawn", "reused", "shared", "unused", "orphan")
Origin = Literal["input", "seed", "split", "fold_in"]
ORIGINS: tuple[Origin, ...] = ("input", "seed", "split", "fold_in")


class Site(msgspec.Struct, frozen=True):
    """One place in the program that made or used keys."""

    operation: Literal["seed", "split", "fold_in", "draw"]
    name: str
    """The function as the person wrote it: ``normal``, ``dropout``, ``split``."""
    span: Span | None
    shape: tuple[int, ...] = ()
    """Shape of what one use makes: the noise of one draw, the children of one split."""
    dtype: str = ""
    inside: str = ""
    """The library sampler that did this internally (``permutation``), or empty."""


class KeyGraph(msgspec.Struct, frozen=True):
    """Every key value of one run, as columns. A key is its value: equal keys are one node.

    With n keys, d draws and s splits (of one key each):
    """

    data: Array
    """uint32[n, words]: the key data, left-padded with zeros where implementations differ in width."""
    implementation: Array
    """uint8[n]: index into `implementations`."""
    implementations: tuple[str, ...]
    parent: Array
    """int32[n]: index of the key that it came from first, -1 for a root. Parents stand before children."""
    origin: Array
    """uint8[n]: index into ORIGINS, how it came from there."""
    index: Array
    """int64[n]: the seed, the child's number in its split, or the data folded in."""
    site: Array
    """int32[n]: index into `sites` of the place that made it, -1 for a root that came from outside."""
    state: Array
    """uint8[n]: index into KEY_STATES."""
    draw_key: Array
    """int32[d]: the key that each draw spent."""
    draw_site: Array
    """int32[d]: index into `sites`."""
    draw_example: Array
    """int32[d]: the example of the batch axis that the draw serves, -1 where there is no batch."""
    draw_serves: Array
    """int32[d]: how many examples the draw serves; more than 1 is shared noise."""
    split_key: Array
    """int32[s]: the key that each split spent."""
    split_site: Array
    """int32[s]: index into `sites`."""
    other_parents: Array
    """int32[m, 2]: further (child, parent) pairs where one key value was reached in more than one way."""
    sites: tuple[Site, ...] = ()
    seeds: int = 0
    """How many keys were made from a seed."""
    splits: int = 0
    """How many keys were split or folded into."""
    draws: int = 0
    """How many draws there were, all counted, also those left out of the columns."""
    notes: tuple[str, ...] = ()
    """Sentences on what could not be seen or was left out."""

    @property
    def nodes(self) -> int:
        """How many key values the graph holds."""
        return self.data.shape[0]


class Finding(msgspec.Struct, frozen=True):
    """One thing that a person should know about their program."""

    kind: str
    level: Level
    message: str
    """One plain sentence or two: what happened and why; without line numbers' jargon."""
    spans: tuple[Span, ...] = ()
    """First use, second use, and the next few."""
    keys: tuple[int, ...] = ()
    """Indices into the KeyGraph, the first thousand at most."""
    sites: tuple[int, ...] = ()
    """Indices into the KeyGraph's sites."""
    axis: int | None = None
    examples: int | None = None
    distinct: int | None = None
    count: int = 1
    """How many findings of this kind at this place it stands for."""
    fixes: tuple[Fix, ...] = ()
    """With each of them the finding is gone."""

    @property
    def line(self) -> int | None:
        """The line of the first use, or None."""
        return self.spans[0].line if self.spans else None


PictureRole = Literal["output", "draw", "difference", "value"]


class Picture(msgspec.Struct, frozen=True):
    """One array to look at: an output, the raw noise of a draw, output minus input, or an equation's value."""

    role: PictureRole
    name: str
    """``output``, ``output['params'][0]``, ``normal, line 4``, ``output - x``."""
    shape: tuple[int, ...]
    """Of the whole array, also where `values` holds only its beginning."""
    dtype: str
    values: Array
    """The array, cropped from the end of each axis where it is too large to send; bool, integer or float."""
    axis: int
    """The axis whose slices are the examples (rows); 0 unless a finding names another."""
    groups: Array
    """int32[examples]: examples with bit-equal values carry the same number; numbers count from 0."""
    distinct: int
    """How many different examples there are among all of them."""
    verdict: str
    """In words: '32 examples, 1 distinct row'."""
    span: Span | None = None
    """The person's line that made it."""
    low: float = 0.0
    """Least finite value of the whole array."""
    high: float = 0.0
    """Greatest finite value of the whole array."""
    not_finite: int = 0
    """How many values are NaN or infinite."""
    note: str = ""
    """What is left out, in a sentence."""


class JaxChecker(msgspec.Struct, frozen=True):
    """What JAX's own checker of keys says of one variant."""

    static: str
    """Of the traced program: what it says, or ``finds nothing``."""
    runtime: str
    """Of a run with the flag ``jax_debug_key_reuse``."""
    comparison: str
    """Whether that agrees with our findings, and if not why, in a sentence."""


TraceReason = Literal[
    "first call",
    "new shape",
    "new dtype",
    "new weak type",
    "new static value",
    "new structure",
    "new function object",
    "other",
]
TRACE_REASONS: tuple[TraceReason, ...] = get_args(TraceReason)


class TraceEvent(msgspec.Struct, frozen=True):
    """Why a jitted function was traced or compiled, for all the times that the reason is the same."""

    reason: TraceReason
    sentence: str
    """In words, with what was new the first time: ``x came with a new shape: f32[4] instead of f32[3]``."""
    span: Span | None = None
    """The person's line that called it."""
    count: int = 1
    """How often."""


class FunctionTraces(msgspec.Struct, frozen=True):
    """How often JAX traced and compiled one jitted function of the person's in the ordinary run of a variant."""

    name: str
    span: Span | None
    """The line of its ``def``, or of its ``lambda``; None where it is not the person's."""
    traces: int
    compiles: int
    """Programs that XLA was given; less than `traces` where one program served, or where one was cached."""
    events: tuple[TraceEvent, ...] = ()
    """In the order of the run."""


class Report(msgspec.Struct, frozen=True):
    """Everything found out about one variant. A part is None until it is known."""

    name: str
    status: Status | None = None
    failure: Failure | None = None
    printed: str = ""
    program: Program | None = None
    keys: KeyGraph | None = None
    pictures: tuple[Picture, ...] | None = None
    findings: tuple[Finding, ...] | None = None
    ran_on: tuple[str, ...] = ()
    """The devices that hold the outputs, read off the arrays themselves."""
    jax_checker: JaxChecker | None = None
    """None where it was not asked or the program failed."""
    traces: tuple[FunctionTraces, ...] | None = None
    """Every function of the person's that jit traced in an ordinary run of a program that was loaded anew, in the order
    in which they were called. None where it was not asked, the program failed, or it took too long."""


class Snapshot(msgspec.Struct, frozen=True, tag=True):
    """The answer to a Request. It is sent again, more complete, as parts become known."""

    run: int
    device: str
    complete: bool
    parameters: tuple[Parameter, ...] = ()
    variants: tuple[Variant, ...] = ()
    reports: tuple[Report, ...] = ()
    failure: Failure | None = None
    """Why nothing could run: the code does not compile, raises when imported, or ``inputs`` fails."""
    flags: tuple[tuple[str, str], ...] = ()
    """Settings that change the numbers: ``jax_threefry_partitionable``, ``jax_enable_x64``."""
    elapsed_s: float = 0.0

    def report(self, name: str) -> Report | None:
        """Return the report of variant `name`, or None."""
        return next((report for report in self.reports if report.name == name), None)


BadgeName = Literal[
    "blocked",
    "warmed",
    "on device",
    "not constant-folded",
    "equal outputs",
    "interleaved",
    "checker off",
    "stable",
]


class Badge(msgspec.Struct, frozen=True, array_like=True):
    """One condition under which a time can be believed, and whether it held; each is computed."""

    name: BadgeName
    ok: bool | None
    """None where it cannot be told, or where it says nothing against the figure."""
    sentence: str
    """What was found, in one plain sentence."""


class Memory(msgspec.Struct, frozen=True):
    """What one call takes of the device's memory, as the compiler of its program says; None for what it does not."""

    argument_bytes: int | None = None
    output_bytes: int | None = None
    temporary_bytes: int | None = None
    code_bytes: int | None = None
    """The compiled program itself."""
    peak_bytes: int | None = None
    """The most in use at one time: arguments, outputs and temporary values."""
    process_bytes: int | None = None
    """How far the memory of the whole process rose during one warm call, measured; 0 where freed memory was enough."""


class Measurement(msgspec.Struct, frozen=True, tag=True):
    """One point of the timing plot. Times are seconds of one call, outputs waited for."""

    run: int
    variant: str
    transforms: tuple[Transform, ...]
    parameters: dict[str, Value]
    device: str
    median_s: float | None = None
    q1_s: float | None = None
    q3_s: float | None = None
    low_s: float | None = None
    """95 % bootstrap interval of the median."""
    high_s: float | None = None
    samples_s: Array | None = None
    """float64[samples]: seconds of one call, the mean over a block of `calls_per_sample`."""
    rounds: Array | None = None
    """int32[samples]: the round of each sample. Within one run and one setting of the parameters, samples of
    the same round were taken side by side, so that their ratio is free of slow drifts of the machine."""
    calls_per_sample: int = 0
    trace_s: float | None = None
    lower_s: float | None = None
    compile_s: float | None = None
    first_call_s: float | None = None
    cold: bool = False
    """Whether the first call started from empty caches, rather than with what earlier points had compiled."""
    notes: tuple[str, ...] = ()
    """What a careful reader must know: 'unstable', 'recompiled inside the loop'."""
    failure: Failure | None = None
    final: bool = True
    """False while samples still arrive for this point."""
    wrong_way: WrongWay = ""
    """The mistake that was made on purpose; such a figure is never to be taken for a right one."""
    badges: tuple[Badge, ...] = ()
    """All eight, in a fixed order, once the point is final; one that is not ok says that the figure is not good."""
    returned_s: float | None = None
    """Median seconds until a warm call returns, without waiting for its outputs: what dispatch takes of `median_s`."""
    floor_s: float | None = None
    """Median seconds of an empty jitted function on this device, one number in and out, taken once a run: what
    dispatch costs where there is no work."""
    memory: Memory | None = None
    """Under jit of the compiled program; elsewhere at most what was seen of the process."""
    cut_short: bool = False
    """Whether the person stopped the run before this point had all its samples."""

    @property
    def point(self) -> tuple[str, ...]:
        """Which point of the variant's curves it is: its transforms and the mistake made on purpose, if any, then
        every parameter as ``name=value``."""
        wrong = (self.wrong_way,) if self.wrong_way else ()
        return (*self.transforms, *wrong, *(f"{name}={value}" for name, value in self.parameters.items()))


class TimingDone(msgspec.Struct, frozen=True, tag=True):
    """No further Measurement comes for this run."""

    run: int
    elapsed_s: float
    cut_short: bool = False
    failure: Failure | None = None


class Loop(msgspec.Struct, frozen=True, array_like=True):
    """One loop around an equation whose value is shown."""

    primitive: str
    """``scan`` or ``while``."""
    length: int
    """How many rounds it has for the current inputs."""
    step: int
    """The round that is shown, from 0."""


class EquationValue(msgspec.Struct, frozen=True, tag=True):
    """The answer to a ValueRequest."""

    run: int
    of: int
    variant: str
    equation: int
    pictures: tuple[Picture, ...] = ()
    """What the equation binds, then what it reads, each with the role ``value``."""
    loops: tuple[Loop, ...] = ()
    """The loops around the equation, outermost first."""
    sentence: str = ""
    """Why there is no picture, or what to know about it."""


NameKind = Literal["argument", "variable", "function", "class", "module", "keyword"]


class Name(msgspec.Struct, frozen=True, array_like=True):
    """One name that fits where the cursor is."""

    text: str
    kind: NameKind


class NameAnswer(msgspec.Struct, frozen=True, tag=True):
    """What the worker knows of a NameQuestion's place; all of it empty where it knows nothing."""

    number: int
    matter: NameMatter
    names: tuple[Name, ...] = ()
    """The best first."""
    prefix: str = ""
    """The word that has been begun, which one of `names` is to replace."""
    title: str = ""
    """The callable or the name, as the code writes it."""
    parameters: tuple[str, ...] = ()
    """Each with its default: ``axis=None``."""
    current: int = -1
    """Which of `parameters` the cursor is at, -1 for none."""
    value: str = ""
    """What it holds, for a variable: ``float32[32,10]``."""
    doc: str = ""
    """The first paragraph of its docstring, as plain text."""


FromRun = Hello | Printed | Snapshot | Measurement | TimingDone | EquationValue
FromWorker = FromRun | NameAnswer


def ends_run(message: FromWorker) -> TypeGuard[Snapshot | TimingDone | EquationValue]:
    """Return whether `message` is the last one of its run."""
    return isinstance(message, TimingDone | EquationValue) or (isinstance(message, Snapshot) and message.complete)


# -- inside the window ------------------------------------------------------------------------

FocusKind = Literal["line", "equation", "key", "draw", "row", "finding", "timing"]


class Focus(msgspec.Struct, frozen=True):
    """The one thing that is selected."""

    kind: FocusKind
    index: int
    """Line number from 1, or index into the report's equations, keys, draws, rows or findings; 0 for a timing."""
    variant: str = ""
    point: tuple[str, ...] = ()
    """For a timing the point of its Measurement."""


class Marks(msgspec.Struct, frozen=True):
    """What a focus lights up, in every view; empty when nothing is selected."""

    focus: Focus | None = None
    lines: frozenset[int] = frozenset()
    equations: dict[str, frozenset[int]] = {}
    """For each variant, indices into its equations."""
    keys: dict[str, frozenset[int]] = {}
    rows: dict[str, frozenset[int]] = {}
    findings: dict[str, frozenset[int]] = {}
    curves: frozenset[str] = frozenset()
    """The variants whose timings are lit up."""
    sentence: str = ""
    """What is selected, in words, for the status bar."""
