"""The worker's results: a `Snapshot`, its `Report` of each variant, and parts such as `KeyGraph` and `Finding`."""

from __future__ import annotations

from typing import Literal

import msgspec

from explorer.diagnostics.check import Level
from explorer.messages.basics import Array, Failure, Fix, Form, Span, Status, Value
from explorer.messages.coverage import Coverage
from explorer.messages.iterations import Calls
from explorer.text.text import Text


class Device(msgspec.Struct, frozen=True):
    """One JAX device."""

    id: str
    """``platform:id``, for example ``cpu:0``."""
    kind: str
    """The device's own name, for example ``NVIDIA H200``."""


class Hello(msgspec.Struct, frozen=True, tag=True):
    """The worker has started: its versions and JAX's devices."""

    python: str
    jax: str
    jaxlib: str
    devices: tuple[Device, ...]
    default_device: str
    notes: tuple[Text | str, ...] = ()
    """Messages on backends that did not start."""


class Printed(msgspec.Struct, frozen=True, tag=True):
    """A chunk of the program's output."""

    run: int
    text: str


class Parameter(msgspec.Struct, frozen=True):
    """One argument of ``inputs`` that a control can set."""

    name: str
    value: Value
    """The value in this run."""
    default: Value


class Argument(msgspec.Struct, frozen=True, array_like=True):
    """One argument of a variant."""

    name: str
    type: str = ""
    """JAX's notation, ``f32[32,10]``; for a pytree, its number of arrays; otherwise the Python type."""
    shape: tuple[int, ...] = ()
    """The array's shape; for a pytree, the common leading axes of its arrays."""
    is_array: bool = True
    """Whether it holds only arrays and numbers; otherwise jit must treat it as static."""
    is_float: bool = False
    """Whether it is differentiable."""
    is_key: bool = False
    is_tree: bool = False
    by_name: bool = False
    """Whether it is keyword-only."""


TOP_LEVEL = "<module>"
"""Name of a file's top-level code, as in Python's tracebacks: a variant that is no function."""


class Variant(msgspec.Struct, frozen=True):
    """One function that the user can choose to run, or the top level of the file."""

    name: str
    line: int
    doc: str = ""
    """The first line of its docstring."""
    end_line: int = 0
    """The last line of its definition, 0 if unknown."""
    arguments: tuple[Argument, ...] = ()
    """Its arguments in the order of its signature."""


class Equation(msgspec.Struct, frozen=True, array_like=True):
    """One equation of the program, with its position in the text and in user code."""

    primitive: str
    span: Span | None
    """The call in user code; equations inside a library inherit their caller's."""
    first_line: int
    """First line in the text, from 0."""
    last_line: int
    depth: int
    """0 at the top level, 1 in an equation's inner jaxpr, and so on."""
    output: str
    """Type of the outputs in JAX's notation: ``f32[32,10]``."""
    key: str = ""
    """For a draw, the type of its keys: ``key<fry>[]`` is one key, ``key<fry>[32]`` are 32."""


class LineType(msgspec.Struct, frozen=True, array_like=True):
    """The type of one value that a line made, as one example sees it."""

    type: str
    """JAX's notation, ``f32[784]``, with ``~`` for a weak type; the Python type of other values; ``…`` for more."""
    mapped: tuple[int, ...] = ()
    """The sizes of the vmaps that map it, outermost first."""
    shared: tuple[int, ...] = ()
    """The sizes of the vmaps around the line that do not map it: their examples share one value."""


LineTypes = tuple[tuple[LineType, ...], ...]
"""The values that a line assigned or returned last; again for each other form that they had."""


class Cost(msgspec.Struct, frozen=True):
    """The compiler's estimate for one call of the compiled program; None for unknown figures."""

    flops: float | None = None
    """Floating-point operations; the body of a loop counts once: https://github.com/openxla/xla/issues/10479."""
    transcendentals: float | None = None
    """Calls such as exp and sqrt, which are not included in `flops`."""
    accessed_bytes: float | None = None
    """Bytes read and written by all operations; None for programs with loops."""
    peak_bytes: int | None = None
    """Peak bytes in use: arguments, outputs and temporary values. None on the CPU."""
    argument_bytes: int | None = None
    output_bytes: int | None = None
    temporary_bytes: int | None = None
    devices: int = 1
    """Number of devices that run the program together."""
    exchanges: dict[str, int] = {}
    """Number of exchanges between devices by operation: ``all-gather``, ``all-reduce`` ..."""
    uncounted: Literal["", "loop", "library"] = ""
    """What XLA does not count: further iterations of a loop, or a library, with which the work is unknown."""


class Program(msgspec.Struct, frozen=True):
    """The traced program of one variant, in one form."""

    form: Form
    text: str
    """JAX's exact output; empty after a failure, or if the backend cannot print the program."""
    equations: tuple[Equation, ...] = ()
    """In the order of the text; empty for forms other than the jaxpr."""
    lines: tuple[int, ...] = ()
    """For each line of the text, the line in user code, 0 for none."""
    line_types: dict[int, LineTypes] = {}
    """By line of user code, for all lines that made a traced value; empty if not requested."""
    failure: Failure | None = None
    """The reason for a missing text: the variant cannot be traced, lowered or compiled."""
    cost: Cost | None = None
    """Cost of the compiled program; only for the form hlo."""
    mapped: bool = False
    """Whether it contains a vmap."""
    spread: bool = False
    """Whether it runs on more than one device."""


KeyState = Literal["fresh", "split", "drawn", "reused", "shared", "unused", "orphan"]
KEY_STATES: tuple[KeyState, ...] = ("fresh", "split", "drawn", "reused", "shared", "unused", "orphan")
KeyOrigin = Literal["input", "seed", "split", "fold_in"]
ORIGINS: tuple[KeyOrigin, ...] = ("input", "seed", "split", "fold_in")


class Site(msgspec.Struct, frozen=True):
    """One place in the program that made or used keys."""

    operation: Literal["seed", "split", "fold_in", "draw"]
    name: str
    """The function as written in user code: ``normal``, ``dropout``, ``split``."""
    span: Span | None
    shape: tuple[int, ...] = ()
    """Shape of one result: the noise of one draw, the children of one split."""
    dtype: str = ""
    inside: str = ""
    """The library sampler that did this internally (``permutation``), or empty."""


class KeyGraph(msgspec.Struct, frozen=True):
    """All key values of one run, as columns. Equal key values are one node.

    Axes: n keys, d draws, s splits (of one key each), m further parents.
    """

    data: Array
    """uint32[n, words]: the key data, left-padded with zeros if implementations differ in width."""
    implementation: Array
    """uint8[n]: index into `implementations`."""
    implementations: tuple[str, ...]
    parent: Array
    """int32[n]: index of its first parent, -1 for a root. Parents precede children."""
    origin: Array
    """uint8[n]: index into ORIGINS, the operation that made it."""
    index: Array
    """int64[n]: the seed, the child's index in its split, or the data folded in."""
    site: Array
    """int32[n]: index into `sites` of its maker, -1 for a root from outside."""
    state: Array
    """uint8[n]: index into KEY_STATES."""
    times: Array
    """int32[n]: number of draws and splits; an operation on a whole batch counts once."""
    draw_key: Array
    """int32[d]: the key of each draw."""
    draw_site: Array
    """int32[d]: index into `sites`."""
    draw_example: Array
    """int32[d]: the example along the batch axis, -1 without a batch."""
    draw_serves: Array
    """int32[d]: number of examples served by the draw; more than 1 is shared noise."""
    split_key: Array
    """int32[s]: the key of each split."""
    split_site: Array
    """int32[s]: index into `sites`."""
    other_parents: Array
    """int32[m, 2]: further (child, parent) pairs, for key values made in several ways."""
    sites: tuple[Site, ...] = ()
    shared_by: Literal["examples", "devices"] = "examples"
    """The sharers: "devices" if no shared draw is along a vmap axis."""
    seeds: int = 0
    """Number of keys made from a seed."""
    splits: int = 0
    """Number of keys that were split or folded into."""
    draws: int = 0
    """Number of all draws, including those omitted from the columns."""
    notes: tuple[Text, ...] = ()
    """Notes on unseen or omitted operations."""

    @property
    def nodes(self) -> int:
        """Number of key values."""
        return self.data.shape[0]


PlaceRole = Literal["made", "passed", "spent", "shared", "drawn"]


class Place(msgspec.Struct, frozen=True, array_like=True):
    """One place of a finding, and its role for the key."""

    role: PlaceRole
    """``passed``: it passes the key on; ``shared``: among examples or devices; ``drawn``: from a key derived again."""
    span: Span


class Finding(msgspec.Struct, frozen=True):
    """One mistake, or one notable fact, that a check found in a program."""

    kind: str
    level: Level
    message: Text
    """One or two plain sentences: what happened and why."""
    spans: tuple[Span, ...] = ()
    """First use, second use, and the next few."""
    keys: tuple[int, ...] = ()
    """Indices into the KeyGraph, at most the first thousand."""
    sites: tuple[int, ...] = ()
    """Indices into the KeyGraph's sites."""
    axis: int | None = None
    examples: int | None = None
    distinct: int | None = None
    count: int = 1
    """Number of equal findings at this place."""
    on_purpose: bool = False
    """Whether the scenario declares it as intended."""
    fixes: tuple[Fix, ...] = ()
    """Each fix removes the finding."""
    lesson: str = ""
    """The id of the scenario that shows it, or empty."""
    places: tuple[Place, ...] = ()
    """All places in the order of the key's life: made, passed, spent; empty if `spans` is complete."""

    @property
    def repeated(self) -> str:
        """How often it happened, if more than once, and its message does not say so."""
        count = f"{self.count:,}"
        return "" if self.count == 1 or str(self.message.param("count")) == count else count

    @property
    def line(self) -> int | None:
        """The line of the first use, or None."""
        return self.spans[0].line if self.spans else None

    @property
    def shown_line(self) -> int:
        """The line of the first use that is in the program that is shown, 0 for none."""
        return next((span.shown_line for span in self.spans if span.shown_line), 0)

    @property
    def all_spans(self) -> tuple[Span, ...]:
        return (*self.spans, *(place.span for place in self.places))

    @property
    def lines(self) -> frozenset[int]:
        """The first lines of all its spans in the program that is shown."""
        return frozenset(span.shown_line for span in self.all_spans) - {0}


PictureRole = Literal["output", "draw", "difference", "value"]


class ShardRange(msgspec.Struct, frozen=True, array_like=True):
    """A range of examples on one device, or replicated on several."""

    start: int
    stop: int
    """Exclusive."""
    devices: str
    """``cpu:0``, or several separated by commas."""


class Picture(msgspec.Struct, frozen=True):
    """One array as a picture: an output, the raw noise of a draw, output minus input, or an equation's value."""

    role: PictureRole
    name: Text | str
    """``output``, ``output['params'][0]``, ``normal, line 4``, ``output - x``."""
    shape: tuple[int, ...]
    """Shape of the whole array, even if `values` is cropped."""
    dtype: str
    values: Array
    """The array, cropped at the end of its axes if it is too large to send; bool, integer or float."""
    axis: int
    """The axis of the examples (rows), 0 by default; -1 for none."""
    groups: Array
    """int32[examples]: bit-equal examples have the same number, counted from 0."""
    distinct: int
    """Number of distinct examples."""
    verdict: Text
    """A sentence: '32 examples, 1 distinct row'."""
    span: Span | None = None
    """The call in user code that made it."""
    low: float = 0.0
    """Smallest finite value of the whole array."""
    high: float = 0.0
    """Largest finite value of the whole array."""
    not_finite: int = 0
    """Number of NaN and infinite values."""
    note: Text = Text()
    """A sentence on omissions."""
    mapped: tuple[int, ...] = ()
    """For a value, the example axes of the vmaps around it, outermost first; () if unknown."""
    shards: tuple[ShardRange, ...] = ()
    """The devices of the examples, in order; () if all are on the same device."""

    def holder(self, example: int) -> str:
        """Return the devices that hold one example; empty if all are on the same device."""
        return next((each.devices for each in self.shards if each.start <= example < each.stop), "")


class CheckerAnswer(msgspec.Struct, frozen=True, array_like=True):
    """The answer of one of JAX's own checks: silent, alarm, or failed on this program."""

    kind: Literal["silent", "alarm", "failed"]
    text: str


SILENT = CheckerAnswer("silent", "finds nothing")


class JaxChecker(msgspec.Struct, frozen=True):
    """The answers of JAX's own key checker for one variant."""

    static: CheckerAnswer
    """The check of the traced program."""
    runtime: CheckerAnswer
    """The check of a run with the flag ``jax_debug_key_reuse``."""
    comparison: Text
    """A sentence that compares them with our findings."""

    @property
    def objects(self) -> bool:
        """Whether either check raises an alarm."""
        return "alarm" in (self.static.kind, self.runtime.kind)


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


class TraceEvent(msgspec.Struct, frozen=True):
    """The reason of traces or compilations of a jitted function, and their number."""

    reason: TraceReason
    sentence: Text
    """The reason with the first difference: ``x came with a new shape: f32[4] instead of f32[3]``."""
    span: Span | None = None
    """The call in user code."""
    count: int = 1
    """Number of occurrences."""


class FunctionTraces(msgspec.Struct, frozen=True):
    """Number of traces and compilations of one of the user's jitted functions, in the recorded run of a variant."""

    name: str
    span: Span | None
    """The line of its ``def`` or ``lambda``; None outside of user code."""
    traces: int
    compiles: int
    """Programs compiled by XLA; fewer than `traces` if a program was shared or cached."""
    events: tuple[TraceEvent, ...] = ()
    """In the order of the run."""
    compile_s: float = 0.0
    """Seconds of all these compilations; 0 if one of the programs was there already."""
    alike: int = 0
    """Traces of a new function object with the operations and types of an earlier one."""
    trace_s: float = 0.0
    """Seconds of all these traces while the run was recorded. The jitted functions that one calls are in its time."""
    lower_s: float = 0.0
    """Seconds in which they were lowered to StableHLO."""


class Subject(msgspec.Struct, frozen=True):
    """A function that a script calls, with the arguments of its first call."""

    name: str
    line: int
    """The line of its first call."""
    calls: int = 1
    jitted: bool = False
    lines: tuple[int, ...] = ()
    """The lines of the program that are in its jaxpr."""
    program: Program | None = None
    """None if only its name is known."""
    lenses: tuple[str, ...] = ()
    mapped: bool = False
    """Whether it is a function under vmap, which can be timed against a loop over the examples."""
    inside: str = ""
    """The function in whose program the script calls it; empty if it calls it by itself."""


class Report(msgspec.Struct, frozen=True):
    """All results for one variant. Parts are None until known."""

    name: str
    status: Status | None = None
    failure: Failure | None = None
    printed: str = ""
    program: Program | None = None
    keys: KeyGraph | None = None
    pictures: tuple[Picture, ...] | None = None
    findings: tuple[Finding, ...] | None = None
    ran_on: tuple[str, ...] = ()
    """The devices of the outputs, read from the arrays."""
    jax_checker: JaxChecker | None = None
    """None if not requested, or if the program failed."""
    traces: tuple[FunctionTraces, ...] | None = None
    """All user functions that jit traced in the recorded run, in order; None if not requested, failed or too slow."""
    coverage: tuple[Coverage, ...] = ()
    """The parts of the run that were checked so far; other parts were not."""
    lenses: tuple[str, ...] = ()
    """Ids of the lenses that apply to the variant."""
    recorded: bool = False
    """Whether it is from a recording, so that nothing more will come."""
    calls: tuple[Calls, ...] = ()
    """The numbers that a script collected, then those that jitted functions returned, with the most calls first."""
    subjects: tuple[Subject, ...] = ()
    """The functions that a script called, whose programs can be shown for it; the best first."""
    subject: str = ""
    """The name of the one that `program` and `lenses` are of; empty if they are of the variant itself."""


class Programs(msgspec.Struct, frozen=True, tag=True):
    """The program texts of a run, sent first so that they keep up with typing."""

    run: int
    programs: dict[str, Program]
    """By variant. Later snapshots contain them, too."""
    last: bool = False
    """Whether only texts were requested, so that nothing follows. Untraceable variants are then omitted."""


class Snapshot(msgspec.Struct, frozen=True, tag=True):
    """The answer to a Request, sent again with more details as they become known."""

    run: int
    device: str
    complete: bool
    parameters: tuple[Parameter, ...] = ()
    variants: tuple[Variant, ...] = ()
    reports: tuple[Report, ...] = ()
    failure: Failure | None = None
    """Reason why nothing could run: the code does not compile, raises on import, or ``inputs`` fails."""
    flags: tuple[tuple[str, str], ...] = ()
    """Settings that change results: ``jax_threefry_partitionable``, ``jax_enable_x64``."""
    elapsed_s: float = 0.0
    checks: Text | str = ""
    """The current check, where all variants have run and further checks follow."""
    stopped_at: int = 0
    """The line at which the user stopped the program; 0 if it was not stopped, or the line is not known."""
    left_out: tuple[str, ...] = ()
    """The plotting libraries that are not installed and that the program went on without."""

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The failure of the program, then those of its variants."""
        return tuple(filter(None, (self.failure, *(report.failure for report in self.reports))))

    @property
    def recorded(self) -> bool:
        """Whether the first report is from a recording, so that nothing more will come."""
        return bool(self.reports) and self.reports[0].recorded

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known yet, as after opening a program."""
        return not self.complete and not self.reports and self.failure is None

    def report(self, name: str) -> Report | None:
        return next((report for report in self.reports if report.name == name), None)
