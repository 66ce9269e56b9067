"""The parameter strip of a presentation, and chips for deviations from the lesson."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from PySide6.QtCore import QObject

from explorer.focus.variant_names import shown_variant
from explorer.messages import Transforms, Value, is_same
from explorer.scenario.step_states import StepState, walk
from explorer.session.controls import Controls
from explorer.session.session import Session
from explorer.window.lesson import Lesson
from views.tool_bar.parameter_fields import value_text
from views.tool_bar.transform_options import transforms_around
from views.window.main_window import MainWindow
from views.window.stage.chips import Deviation
from views.window.stage.stage import Stage


class StripControl(QObject):
    """Opens and closes the strip, and keeps it and the chips in step with the choices."""

    def __init__(self, window: MainWindow, stage: Stage, session: Session, lesson: Lesson) -> None:
        super().__init__(window)
        self._window = window
        self._stage = stage
        self._workspace = session.workspace
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
        bars.strip.transforms_wanted.connect(self.take_off)
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
