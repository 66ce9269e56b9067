"""The worker's results for a program: text, keys, arrays and findings."""

from __future__ import annotations

from typing import Literal

import msgspec

from explorer.diagnostics.check import Level
from explorer.messages.basics import Array, Failure, Fix, Form, Span, Status, Value
from explorer.messages.coverage import Coverage
from explorer.text.text import Text


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
    notes: tuple[Text | str, ...] = ()
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


TOP_LEVEL = "<module>"
"""Names, as Python's tracebacks do, what a file does by itself when it is loaded: a variant that is no function."""


class Variant(msgspec.Struct, frozen=True):
    """One function that the user can choose to run, or the top level of the file."""

    name: str
    line: int
    doc: str = ""
    """The first line of its docstring."""
    end_line: int = 0
    """The last line of what defines it, 0 where that is not known."""
    arguments: tuple[Argument, ...] = ()
    """What it is called with, in the order of its signature."""


class Equation(msgspec.Struct, frozen=True, array_like=True):
    """One equation of the program, where it stands in the text and in user code."""

    primitive: str
    span: Span | None
    """Where user code asked for it; equations inside a library inherit their caller's."""
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
    """The compiler's estimate for one call of the compiled program; None where it has none."""

    flops: float | None = None
    """Floating-point operations; the body of a loop counts as often as it runs."""
    transcendentals: float | None = None
    """Evaluations of exp, tanh and the like, which are not among the flops."""
    accessed_bytes: float | None = None
    """Read and written by all operations together; None too where there is a loop, whose body XLA counts once."""
    peak_bytes: int | None = None
    """The most memory in use at one time: arguments, outputs and temporary values. None on the CPU."""
    argument_bytes: int | None = None
    output_bytes: int | None = None
    temporary_bytes: int | None = None
    devices: int = 1
    """How many devices run the program together."""
    exchanges: dict[str, int] = {}
    """How often they send each other data in it, by the operation that does it: ``all-gather``, ``all-reduce`` ..."""
    uncounted: Literal["", "loop", "library"] = ""
    """Why the operations are not known: a loop runs as often as its values ask, or a library does part of them."""


class Program(msgspec.Struct, frozen=True):
    """The traced program of one variant, in one form."""

    form: Form
    text: str
    """Exactly as JAX prints it; empty after a failure, and where a backend does not print what it compiled."""
    equations: tuple[Equation, ...] = ()
    """In the order of the text; empty for forms other than the jaxpr."""
    lines: tuple[int, ...] = ()
    """For each line of the text the user's line that it comes from, 0 for none."""
    failure: Failure | None = None
    """Why there is no text: the variant cannot be traced, lowered or compiled."""
    cost: Cost | None = None
    """Of the compiled program; known for the form hlo only, because the others are not compiled."""
    mapped: bool = False
    """Whether there is a vmap in it."""
    spread: bool = False
    """Whether it is for more than one device."""


KeyState = Literal["fresh", "split", "drawn", "reused", "shared", "unused", "orphan"]
KEY_STATES: tuple[KeyState, ...] = ("fresh", "split", "drawn", "reused", "shared", "unused", "orphan")
KeyOrigin = Literal["input", "seed", "split", "fold_in"]
ORIGINS: tuple[KeyOrigin, ...] = ("input", "seed", "split", "fold_in")


class Site(msgspec.Struct, frozen=True):
    """One place in the program that made or used keys."""

    operation: Literal["seed", "split", "fold_in", "draw"]
    name: str
    """The function as the user wrote it: ``normal``, ``dropout``, ``split``."""
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
    times: Array
    """int32[n]: how often it was drawn from or split; what is done for all examples of a batch at once counts once."""
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
    shared_by: Literal["examples", "devices"] = "examples"
    """What the keys that serve many at once serve: devices where no draw does so along an axis of vmap."""
    seeds: int = 0
    """How many keys were made from a seed."""
    splits: int = 0
    """How many keys were split or folded into."""
    draws: int = 0
    """How many draws there were, all counted, also those left out of the columns."""
    notes: tuple[Text, ...] = ()
    """Sentences on what could not be seen or was left out."""

    @property
    def nodes(self) -> int:
        """How many key values the graph holds."""
        return self.data.shape[0]


PlaceRole = Literal["made", "passed", "spent", "shared"]


class Place(msgspec.Struct, frozen=True, array_like=True):
    """One place of a finding, and what happened there to the key."""

    role: PlaceRole
    """``passed`` is the call that hands the key on, ``shared`` the one that gives it to many at once."""
    span: Span


class Finding(msgspec.Struct, frozen=True):
    """One mistake, or one fact worth knowing, that a check found in a program."""

    kind: str
    level: Level
    message: Text
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
    on_purpose: bool = False
    """Whether the scenario says that this is meant."""
    fixes: tuple[Fix, ...] = ()
    """With each of them the finding is gone."""
    lesson: str = ""
    """The id of the scenario that shows it; empty where there is none."""
    places: tuple[Place, ...] = ()
    """The same and more in the order of the key's life: made, passed, spent; empty where `spans` say it all."""

    @property
    def line(self) -> int | None:
        """The line of the first use, or None."""
        return self.spans[0].line if self.spans else None

    @property
    def all_spans(self) -> tuple[Span, ...]:
        """All its places."""
        return (*self.spans, *(place.span for place in self.places))

    @property
    def lines(self) -> frozenset[int]:
        """The lines of all its places."""
        return frozenset(span.line for span in self.all_spans)


PictureRole = Literal["output", "draw", "difference", "value"]


class ShardRange(msgspec.Struct, frozen=True, array_like=True):
    """Examples that lie on one device, or on several alike."""

    start: int
    stop: int
    """Behind the last of them."""
    devices: str
    """``cpu:0``, or several with commas between."""


class Picture(msgspec.Struct, frozen=True):
    """One array to look at: an output, the raw noise of a draw, output minus input, or an equation's value."""

    role: PictureRole
    name: Text | str
    """``output``, ``output['params'][0]``, ``normal, line 4``, ``output - x``."""
    shape: tuple[int, ...]
    """Of the whole array, also where `values` holds only its beginning."""
    dtype: str
    values: Array
    """The array, cropped from the end of each axis where it is too large to send; bool, integer or float."""
    axis: int
    """The axis whose slices are the examples (rows), 0 unless something names another; -1 where none is."""
    groups: Array
    """int32[examples]: examples with bit-equal values carry the same number; numbers count from 0."""
    distinct: int
    """How many different examples there are among all of them."""
    verdict: Text
    """In words: '32 examples, 1 distinct row'."""
    span: Span | None = None
    """The user's line that made it."""
    low: float = 0.0
    """Least finite value of the whole array."""
    high: float = 0.0
    """Greatest finite value of the whole array."""
    not_finite: int = 0
    """How many values are NaN or infinite."""
    note: Text = Text()
    """What is left out, in a sentence."""
    mapped: tuple[int, ...] = ()
    """Of a value the axes with the examples of the vmaps around it, the outermost first; () where none is known."""
    shards: tuple[ShardRange, ...] = ()
    """Who holds which examples, in their order; () where all are in one place."""

    def holder(self, example: int) -> str:
        """Return who holds one example, empty where all are in one place."""
        return next((each.devices for each in self.shards if each.start <= example < each.stop), "")


class CheckerAnswer(msgspec.Struct, frozen=True, array_like=True):
    """The answer of one check of JAX's own: nothing, an objection, or that it cannot check this program."""

    kind: Literal["silent", "alarm", "failed"]
    text: str


SILENT = CheckerAnswer("silent", "finds nothing")


class JaxChecker(msgspec.Struct, frozen=True):
    """The answers of JAX's own key checker for one variant."""

    static: CheckerAnswer
    """Of the traced program."""
    runtime: CheckerAnswer
    """Of a run with the flag ``jax_debug_key_reuse``."""
    comparison: Text
    """Whether that agrees with our findings, and if not why, in a sentence."""

    @property
    def objects(self) -> bool:
        """Whether it raises an alarm, of the program or of the run."""
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
    """Why a jitted function was traced or compiled, for all the times that the reason is the same."""

    reason: TraceReason
    sentence: Text
    """In words, with what was new the first time: ``x came with a new shape: f32[4] instead of f32[3]``."""
    span: Span | None = None
    """The user's line that called it."""
    count: int = 1
    """How often."""


class FunctionTraces(msgspec.Struct, frozen=True):
    """How often JAX traced and compiled one of the user's jitted functions in the ordinary run of a variant."""

    name: str
    span: Span | None
    """The line of its ``def``, or of its ``lambda``; None where it is not the user's."""
    traces: int
    compiles: int
    """Programs that XLA was given; less than `traces` where one program served, or where one was cached."""
    events: tuple[TraceEvent, ...] = ()
    """In the order of the run."""
    compile_s: float = 0.0
    """Seconds that XLA took for all of these compiles."""
    alike: int = 0
    """Traces of a new function object that gave the operations of an earlier one, on the same types."""


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
    """Every function of the user's that jit traced in an ordinary run of a program that was loaded anew, in the order
    in which they were called. None where it was not asked, the program failed, or it took too long."""
    coverage: tuple[Coverage, ...] = ()
    """What `findings` can be of, so far: a part of the run that is not among them was not checked."""
    lenses: tuple[str, ...] = ()
    """The ids of the lenses that have something to say about it."""


class Programs(msgspec.Struct, frozen=True, tag=True):
    """The program texts of a run, sent first so that they follow the typing."""

    run: int
    programs: dict[str, Program]
    """By variant. The snapshots that follow hold them too."""
    last: bool = False
    """Whether nothing follows, because only they were asked for. Then what cannot be traced is left out."""


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

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known of the program yet, as when it has just been opened."""
        return not self.complete and not self.reports and self.failure is None

    def report(self, name: str) -> Report | None:
        """Return the report of variant `name`, or None."""
        return next((report for report in self.reports if report.name == name), None)
