"""A scenario as records (`Scenario`): a program with plans, story and exercises; `Course`, lessons in their order."""

from __future__ import annotations

import ast
import functools
from typing import Literal

import msgspec

from explorer.messages import PictureRole, Transform, Value
from explorer.messages.lenses import LensId
from explorer.scenario.texts import Reason, Texts
from explorer.text.text import Text, say

Provenance = Literal["built-in", "mine", "package", "file", "new", "recording"]
CHAPTERS: dict[int, Text] = {
    7: say("First lessons"),
    1: say("Keys"),
    2: say("Batches"),
    3: say("What jit sees"),
    4: say("What it costs"),
    5: say("vmap and friends"),
    6: say("Gradients"),
}
"""Titles of the chapters that `Scenario.chapter` counts, in the order of the list; 0 is none of them."""


class VariantPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario's plan for one of its variants."""

    name: str
    title: Texts
    expects: tuple[str, ...] = ()
    """Kinds of the expected findings: exactly these at level bug, and at least these at level warning."""
    error: str = ""
    """Name of the expected exception, or empty."""
    shared: Literal["", "on purpose"] = ""


class TimingPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The sweep that the timing pane runs."""

    parameter: str = ""
    values: tuple[Value, ...] = ()
    transforms: tuple[Transform, ...] = ("eager", "jit")
    variants: tuple[str, ...] = ()
    """Names of the timed variants; empty for all."""


class Step(msgspec.Struct, frozen=True):
    """One step of a story: a heading and a few words in Markdown."""

    title: str
    text: str
    """The text before the step's question; the whole text where there is none."""
    reveal: str = ""
    """The text after the answer: everything below a line with only ``---``."""
    note: str = ""
    """The lecturer's note, shown in the presenter's window only."""
    reveal_note: str = ""
    """The lecturer's note about the text after the answer."""


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step's question for a value or a reason; the results on screen decide about the answer."""

    text: Texts
    answer: str = ""
    """A measure, such as ``rows_equal 0 -1``: see docs/writing-scenarios.md."""
    choices: tuple[Value, ...] = ()
    """Values to choose from; a text that names a parameter has that parameter's value."""
    reasons: tuple[Reason, ...] = ()
    """Words to choose from, instead of `answer` and `choices`."""
    shows_run: bool = False
    """Whether the run is seen while it is asked: the question is about its cause."""
    told: dict[str, Texts] = {}
    """The mistake in each wrong one of `choices`, for a reader who chose it; a reason has its own."""


class StepPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The window's state when a step opens; omitted fields stay as they are."""

    variant: str = ""
    compare: str | None = None
    """The variant next to it; an empty text ends comparing."""
    parameters: dict[str, Value] = {}
    pane: Literal["", "keys", "noise", "program", "timing", "code"] = ""
    form: Literal["", "jaxpr", "stablehlo", "hlo"] = ""
    lens: LensId | Literal[""] | None = None
    """The lens on the program; an empty text, or a `form` without a lens, shows the program's text."""
    picture: str = ""
    """The array in the noise pane: ``output``, ``draw``, ``difference`` or a name, such as ``output['loss']``."""
    look: Literal["", "auto", "line", "heatmap", "images", "scatter", "iterations"] = ""
    """The plot type of that array; ``auto`` for the best one."""
    page: Literal["", "auto", "curves", "one-call"] = ""
    """The page of the timing pane; ``auto`` for the best one for the times."""
    output: bool = False
    """Whether the program's printed output is shown in front, below the panes."""
    focus: str = ""
    """``line TEXT``, ``equation PRIMITIVE``, ``key STATE``, ``row NUMBER`` or ``finding KIND``."""
    focus_after: str = ""
    """The same once the question is answered; empty for `focus`."""
    jax_checker: bool | None = None
    """Whether JAX's own key checker runs too, with its result in the list of findings."""
    question: Question | None = None


class Exercise(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An exercise in the editor, which the window marks as done by itself."""

    text: Texts
    done: tuple[str, ...]
    """Conditions on the snapshot, such as ``bugs == 0``; all must hold."""
    variant: str = ""
    """The variant that must be selected; empty for any."""
    outcome: Texts | None = msgspec.field(default=None, name="told")
    """The expected observation with its explanation: shown below the exercise once it is done."""
    again: dict[str, Value] = {}
    """Other values of parameters, with which the conditions must hold too: a number in the code does not pass."""


class Scenario(msgspec.Struct, frozen=True):
    """One program with its story and plans. A bare file has no plans, story or chapter."""

    id: str
    origin: Provenance
    path: str
    """Path of the code file."""
    source: str
    title: Texts
    chapter: int = 0
    order: int = 0
    needs: tuple[str, ...] = ()
    """Ids of the lessons that introduce this one's terms and ideas."""
    replaces: tuple[str, ...] = ()
    """Ids of lessons that are gone: they open this one."""
    requires: tuple[str, ...] = ()
    """Packages that its code imports in addition to jax, NumPy and the standard library."""
    variants: tuple[VariantPlan, ...] = ()
    timing: TimingPlan = TimingPlan()
    devices: int = 1
    """The number of virtual CPU devices that it needs."""
    on_cpu: bool = False
    """Whether its statements hold on a CPU only, or on several: it opens there."""
    compare: str = ""
    """The variant that is shown next to the first one when the scenario opens, or empty."""
    stories: dict[str, tuple[Step, ...]] = {}
    steps: tuple[StepPlan, ...] = ()
    """The choices of each step of the story; as many as the story has steps, or none."""
    exercises: tuple[Exercise, ...] = ()
    pages: tuple[int, ...] = ()
    """The pages that a course chooses, counted from 0; empty for all."""
    problem: str = ""
    """Why it is incomplete, in a sentence; the code is there all the same."""

    @property
    def filename(self) -> str:
        """The name that tracebacks show: the path of the user's own file, ``<id>`` for a scenario."""
        return self.path if self.origin == "file" else f"<{self.id}>"

    def story(self, language: str) -> tuple[Step, ...]:
        """Return the steps in `language`, in English where there is no translation."""
        return self.stories.get(language) or self.stories.get("en", ())

    def plan(self, variant: str) -> VariantPlan | None:
        return next((plan for plan in self.variants if plan.name == variant), None)


def picture_words(text: str) -> tuple[PictureRole, str]:
    """Return role and name ('' for the first) of the array that a step's `picture` means. Raises ValueError."""
    roles: tuple[PictureRole, ...] = ("output", "draw", "difference")
    for role in roles:
        if text == role:
            return role, ""
        if text.startswith(role + " "):
            return role, text.removeprefix(role).strip()
    if text.startswith(("output[", "output.")):
        return "output", text
    raise ValueError(text)


def helpers(scenario: Scenario) -> tuple[str, ...]:
    """Return the helpers: functions of the original code that are no variants. One that the user adds is a variant."""
    if not scenario.variants:
        return ()
    named = {plan.name for plan in scenario.variants}
    return tuple(name for name in _functions(scenario.source) if name not in named)


@functools.lru_cache(maxsize=4)
def _functions(source: str) -> tuple[str, ...]:
    """Return the functions that `source` defines; it is asked at every keystroke, of the same original code."""
    try:
        body = ast.parse(source).body
    except SyntaxError:
        return ()
    return tuple(node.name for node in body if isinstance(node, ast.FunctionDef))


class Course(msgspec.Struct, frozen=True):
    """Lessons that are taught one after the other."""

    id: str
    """The name of a built-in course, the folder of any other."""
    title: Texts
    lessons: tuple[Scenario, ...] = ()
    minutes: int = 0
    """The minutes that it takes to teach; 0 where unknown."""
    problem: str = ""
    """Why it is incomplete, in a sentence; the lessons that were found are listed."""
