"""What stands on the stage: what the page is about, until a digit chooses something else."""

from __future__ import annotations

from dataclasses import replace

from explorer.scenario.page import Page
from explorer.window.lesson import Lesson
from views.window.layout import PANES, PaneName
from views.window.stage.stage import Scene, Stage


class Scenes:
    """Chooses the scene of the stage. What answers the question that is open stays covered in each of them."""

    def __init__(self, stage: Stage, lesson: Lesson) -> None:
        self._stage = stage
        self._lesson = lesson

    def open(self, page: Page) -> None:
        """Show the pane that `page` is about: the code while it asks, so that the panes do not tell."""
        plan = self._lesson.plan
        if _asks(page) or page.tasks or not page.count:
            self._show(Scene(code=True))
        elif plan.pane == "code":
            self._show(Scene(code=True, lists=plan.output or plan.jax_checker is True))
        else:
            self._show(Scene(plan.pane or "noise", lists=plan.output or plan.jax_checker is True))

    def show_pane(self, name: PaneName) -> None:
        """Show the pane `name` beside the words."""
        self._show(Scene(name))

    def show_code(self) -> None:
        """Show the code alone; where it is alone already, the words beside it."""
        now = self._stage.scene
        self._show(Scene(code=True, words=now.code and not now.pane and not now.words))

    def show_both(self) -> None:
        """Show the code and beside it the pane of this page, or the one that was chosen last, with the words folded."""
        now, plan = self._stage.scene, self._lesson.plan
        planned = next((pane for pane in PANES if pane == (plan.pane or self._lesson.pane)), PANES[1])
        self._show(Scene(now.pane or planned, code=True, words=False))

    def _show(self, scene: Scene) -> None:
        self._stage.show(replace(scene, covered=_asks(self._lesson.page)))


def _asks(page: Page) -> bool:
    return page.ask is not None and not page.revealed
