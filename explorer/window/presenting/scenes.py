"""The contents of the stage, and the parameter strip with chips for deviations from the lesson."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace
from PySide6.QtCore import QObject

from explorer.diagnostics.registry import checks
from explorer.focus.variant_names import shown_variant
from explorer.messages import LEVELS, Report, Snapshot, Transforms, Value, is_same
from explorer.scenario.page import Page
from explorer.scenario.step_states import StepState, walk
from explorer.session.controls import Controls
from explorer.session.workspace import Workspace
from explorer.window.lesson import Lesson
from views.tool_bar.parameter_fields import value_text
from views.tool_bar.transform_options import transforms_around
from views.window.layout import PANES, PaneName
from views.window.stage.chips import Deviation
from views.window.stage.stage import Stage, StageContents


class StripControl(QObject):
    """Opens and closes the strip, and keeps it and the chips in step with the choices."""

    def __init__(self, stage: Stage, workspace: Workspace, lesson: Lesson) -> None:
        super().__init__(stage)
        self._stage = stage
        self._workspace = workspace
        self._lesson = lesson
        self._workspace.controls_changed.connect(self.show_controls)

    @property
    def is_open(self) -> bool:
        """Whether the strip can be seen."""
        return self._stage.bars is not None and not self._stage.bars.strip.isHidden()

    def begin(self) -> None:
        """Fill a new strip and new chips with the choices, and connect their signals."""
        bars, workspace = self._stage.bars, self._workspace
        if bars is None:
            return
        bars.strip.device_chosen.connect(workspace.choose_device)
        bars.strip.variant_chosen.connect(workspace.choose_variant)
        bars.strip.compare_chosen.connect(workspace.choose_compare)
        bars.strip.parameter_set.connect(workspace.set_parameter)
        bars.chips.back_wanted.connect(self.back_to_lesson)
        bars.chips.off_wanted.connect(self.take_off)
        self.show_controls(workspace.controls)

    def toggle(self) -> None:
        if self.is_open:
            self.close()
        elif self._stage.bars is not None:
            self._stage.bars.strip.open()

    def close(self) -> None:
        """Hide the strip, and drop half-typed input."""
        if self._stage.bars is not None:
            self._stage.bars.strip.put_away()
            self._stage.take_keyboard()

    def show_controls(self, controls: Controls) -> None:
        """Show `controls`, and their deviations from the lesson."""
        bars, scenario = self._stage.bars, self._workspace.scenario
        if bars is None:
            return
        language = self._lesson.language
        titles = {plan.name: plan.title.text(language) for plan in scenario.variants} if scenario else {}
        bars.strip.show_titles(titles)
        bars.strip.show_controls(controls)
        bars.chips.show_transforms(transforms_around(controls, shown_variant(controls.variant)))
        of_lesson = scenario is not None and bool(scenario.steps)
        bars.chips.show_differences(tuple(self._differences(controls)), of_lesson=of_lesson)

    def back_to_lesson(self) -> None:
        """Choose the lesson's values; in code without a lesson, the defaults of the parameters."""
        if self._state() is not None:
            self._lesson.go_back_to_selection()
        else:
            self._workspace.take_defaults()

    def take_off(self) -> None:
        """Remove all transforms."""
        self._workspace.choose_transforms(Transforms())

    def _differences(self, controls: Controls) -> Iterator[Deviation]:
        state = self._state()
        if state is not None and controls.variant not in ("", state.variant):
            names = (shown_variant(controls.variant), shown_variant(state.variant))
            yield Deviation(self.tr("variant"), *names)
        if state is not None and controls.compare != state.compare:
            nothing = self.tr("nothing")
            names = (shown_variant(controls.compare) or nothing, shown_variant(state.compare) or nothing)
            yield Deviation(self.tr("compared with"), *names)
        values = self._lesson_values(controls)
        for each in controls.parameters:
            if not is_same(each.value, values[each.name]):
                yield Deviation(each.name, value_text(each.value), value_text(values[each.name]))

    def _lesson_values(self, controls: Controls) -> Mapping[str, Value]:
        """Return the lesson's values of the parameters, else the defaults in the code."""
        scenario = self._workspace.scenario
        states = walk(scenario) if scenario is not None else ()
        planned = states[min(self._lesson.page.place, len(states) - 1)].parameters if states else {}
        return {each.name: type(each.default)(planned.get(each.name, each.default)) for each in controls.parameters}

    def _state(self) -> StepState | None:
        """Return the lesson's selection; None without a page, or on a page with exercises."""
        scenario, page = self._workspace.scenario, self._lesson.page
        states = walk(scenario) if scenario is not None else ()
        return states[page.place] if page.place < len(states) and not page.tasks else None


REFERRING: tuple[PaneName, ...] = ("keys", "noise", "timing")
"""Panes that only point to the reason of a failure, which the program pane and the code show."""


class Scenes(QObject):
    """Chooses the scene of the stage. What holds the answer to the open question stays covered in each."""

    def __init__(self, stage: Stage, lesson: Lesson) -> None:
        super().__init__(stage)
        self._stage = stage
        self._lesson = lesson
        self._wanted = StageContents(code=True)
        """The scene chosen by the page or by a digit."""
        self._fails = False
        """Whether the program failed: the error and its cause stand below the code."""
        self._is_chosen = False
        """Whether a digit has chosen the scene."""
        self._own: PaneName = "program"
        """The pane next to code without a story."""

    def open(self, page: Page) -> None:
        """Show the pane of `page`; the code where that pane is covered until the question is answered."""
        plan, self._is_chosen = self._lesson.plan, False
        pane = "" if plan.pane == "code" else plan.pane or "noise"
        asks = page.ask is not None and not page.revealed
        lists = not asks and (plan.output or plan.jax_checker is True)
        if not page.count:
            self._show(StageContents(self._own, code=True, words=False))
        elif page.tasks or pane in self._lesson.covered or (asks and not plan.pane):
            self._show(StageContents(code=True))
        else:
            self._show(StageContents(pane, code=not pane, lists=lists))

    def back_to(self, page: Page) -> bool:
        """Show the scene of `page` again; return whether another one had been chosen."""
        before = self._wanted
        self.open(page)
        return before != self._wanted

    def continue_from(self, before: Scenes) -> None:
        """Show the scene of the window `before` this one."""
        self._fails, self._is_chosen = before._fails, before._is_chosen
        self._show(before._wanted)

    def take_snapshot(self, snapshot: Snapshot) -> None:
        """Show the code with the error and its cause below, instead of a pane that is empty then.

        Next to code without a story is the pane that says most of the run.
        """
        if snapshot.complete and snapshot.reports and not self._lesson.page.count:
            before, self._own = self._own, _telling_pane(snapshot.reports[0])
            if self._stage.is_up and self._wanted == StageContents(before, code=True, words=False):
                self.open(self._lesson.page)
        fails = bool(snapshot.failures)
        if snapshot.complete and fails != self._fails:
            self._fails, self._is_chosen = fails, False
            if self._stage.is_up:
                self._show(self._wanted)

    def show_pane(self, name: PaneName) -> None:
        """Show the pane `name` next to the words of a lesson."""
        self._is_chosen = True
        self._show(StageContents(name, words=bool(self._lesson.page.count)))

    def choose_pane(self, name: PaneName) -> None:
        """Show the pane `name` next to the words of a lesson; where it is next to them already, the pane alone."""
        now = self._stage.scene
        self.show_pane(name)
        if (now.pane, now.code, now.words) == (name, False, True):
            self._show(StageContents(name, words=False))

    def show_code(self) -> None:
        """Show the code alone; where it is alone already, the words next to it."""
        now = self._wanted
        self._show(StageContents(code=True, words=now.code and not now.pane and not now.words))

    def show_findings(self) -> None:
        """Show the findings below what is there."""
        self._show(replace(self._wanted, lists=True))

    def show_both(self) -> None:
        """Show the code next to the pane of this page, or the one chosen last, with the words folded."""
        now, plan = self._stage.scene, self._lesson.plan
        planned = next((pane for pane in PANES if pane == (plan.pane or self._lesson.pane)), PANES[1])
        self._show(StageContents(now.pane or planned, code=True, words=False))

    def _show(self, scene: StageContents) -> None:
        self._wanted, covered = scene, self._lesson.covered
        if self._fails and not covered and not scene.code and scene.pane in REFERRING and not self._is_chosen:
            scene = StageContents(code=True)
        self._stage.show(replace(scene, covered=covered))


def _telling_pane(report: Report) -> PaneName:
    """Return the pane of the worst finding of `report`, else of its keys or its program."""
    worst = min(report.findings or (), key=lambda each: LEVELS.index(each.level), default=None)
    has_draws = report.keys is not None and report.keys.draws > 0
    is_of_keys = has_draws if worst is None else checks()[worst.kind].part == "keys"
    return "keys" if is_of_keys else "program"
