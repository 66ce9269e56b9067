"""Words: the fixed words of a handout, its answers and findings in words; and its colours in the dark."""

from __future__ import annotations

from PySide6.QtCore import QObject

from explorer.focus.variant_names import shown_variant
from explorer.scenario.measure_words import UNKNOWN
from explorer.window.handout.records import Handout, HandoutFinding, HandoutLesson
from views.theme import DARK, LIGHT

LETTERS = "ABCDEFGHI"


class Words(QObject):
    """The sentences of a handout."""

    def __init__(self) -> None:
        super().__init__()
        self.code = self.tr("The code")
        self.answer = self.tr("Answer")
        self.undecided = self.tr("Not graded: this machine cannot tell the choices apart here. {}.")
        self.read_on = self.tr("Read on")
        self.try_it = self.tr("Try it")
        self.when_done = self.tr("When it is done")
        self.findings = self.tr("Findings")
        self.answers = self.tr("Answers")
        self.lessons = self.tr("Lessons")
        self.builds_on = self.tr("Builds on: {}")
        self.edited = self.tr("The code of this lesson was changed. Pictures and figures are those of the code here.")
        self.open_figures = self.tr("“…” is a figure from your own code.")
        self.variant = self.tr("in {}")
        self.more_lines = self.tr("and {} more lines")
        self.ran = self.tr("Computed by running the code: {}.")
        self.made = self.tr("Made with JAX Explorer on {}.")
        self.call_doc = self.tr("Call a variant with the arguments that `inputs` returns.")
        self.levels = {
            "error": self.tr("Error"),
            "bug": self.tr("Bug"),
            "warning": self.tr("Warning"),
            "note": self.tr("Note"),
        }
        self._place = self.tr("{variant}, line {line}")
        self._line = self.tr("line {line}")

    def place(self, found: HandoutFinding) -> str:
        """Return the position of a finding, in words."""
        name = shown_variant(found.variant) if found.variant else ""
        if not found.line:
            return name
        return (self._place if name else self._line).format(variant=name, line=found.line)

    def circumstances(self, lesson: HandoutLesson) -> str:
        """Return the circumstances of the run of `lesson`: versions, device, settings."""
        parameters = [f"{name} = {value}" for name, value in lesson.parameters]
        return self.ran.format("; ".join((*lesson.versions, lesson.device, *parameters)))

    def answered(self, lesson: HandoutLesson, place: int) -> str:
        """Return the answer to the question of page `place` as Markdown; empty where it is unknown."""
        ask = lesson.sheets[place].ask
        if ask is None:
            return ""
        if ask.undecided:
            return self.undecided.format(ask.undecided)
        if ask.about:
            return ask.about
        right = [(LETTERS[n], ask.choices[n]) for n, true in enumerate(ask.right or ()) if true]
        if not right:
            return ask.answer
        answers = [f"{letter}: {choice}" for letter, choice in right]
        bare = ask.answer.strip().lower() in {choice.strip().lower() for _, choice in right}
        return ", ".join(answers) if bare or not ask.answer else f"{', '.join(answers)} ({ask.answer})"

    def wrong_choices(self, lesson: HandoutLesson, place: int) -> str:
        """Return the objections to the other choices of the question of page `place`, as a Markdown list."""
        ask = lesson.sheets[place].ask
        return "\n".join(f"- {LETTERS[n]}: {told}" for n, told in enumerate(ask.outcomes) if told) if ask else ""

    def has_open_figures(self, lesson: HandoutLesson) -> bool:
        """Return whether the outcome of an exercise has unknown figures."""
        return any(UNKNOWN in each.outcome for each in lesson.tasks)

    def end(self, handout: Handout) -> str:
        return self.made.format(handout.date)


def colours_in_the_dark() -> str:
    """Return CSS rules that give pictures on white the colours of the dark theme."""
    names = ("background", "panel", "hairline", "text", "dim", "bug", "good", "note", "focus")
    pairs = {getattr(LIGHT, name): getattr(DARK, name) for name in names if name != "focus"}
    pairs |= dict(zip(LIGHT.series, DARK.series, strict=True))
    rules = []
    for light, dark in pairs.items():
        # White on the colour of a cell stays white.
        selector = "figure:not(.cells) " if light == LIGHT.background else "figure "
        # A mask is no colour: its white lets through.
        rules += [f'{selector}svg :not(mask)[{of}="{light}"] {{ {of}: {dark}; }}' for of in ("fill", "stroke")]
    return "@media screen and (prefers-color-scheme: dark) {\n" + "\n".join(rules) + "\n}"
