"""The contents of the stage: the subject of the page, until a digit chooses something else."""

from __future__ import annotations

from dataclasses import replace

from explorer.messages import Snapshot
from explorer.scenario.page import Page
from explorer.window.lesson import Lesson
from views.window.layout import PANES, PaneName
from views.window.stage.stage import Scene, Stage

REFERRING: tuple[PaneName, ...] = ("keys", "noise", "timing")
"""Panes that say of a program that fails only where the reason stands; the program pane and the code tell it."""


class Scenes:
    """Chooses the scene of the stage. What answers the question that is open stays covered in each of them."""

    def __init__(self, stage: Stage, lesson: Lesson) -> None:
        self._stage = stage
        self._lesson = lesson
        self._wanted = Scene(code=True)
        """What the page or a digit has chosen."""
        self._fails = False
        """The program ended with a mistake: what and why stands below the code."""
        self._is_chosen = False
        """A digit has chosen what is shown."""

    def open(self, page: Page) -> None:
        """Show the pane that `page` is about: the code while it asks, so that the panes do not tell."""
        plan, self._is_chosen = self._lesson.plan, False
        if _asks(page) or page.tasks or not page.count:
            self._show(Scene(code=True))
        elif plan.pane == "code":
            self._show(Scene(code=True, lists=plan.output or plan.jax_checker is True))
        else:
            self._show(Scene(plan.pane or "noise", lists=plan.output or plan.jax_checker is True))

    def take_snapshot(self, snapshot: Snapshot) -> None:
        """Show the code, below which stands what went wrong and why, for a pane that has nothing to show then."""
        fails = snapshot.failure is not None or any(report.failure for report in snapshot.reports)
        if snapshot.complete and fails != self._fails:
            self._fails, self._is_chosen = fails, False
            if self._stage.is_up:
                self._show(self._wanted)

    def show_pane(self, name: PaneName) -> None:
        """Show the pane `name` next to the words."""
        self._is_chosen = True
        self._show(Scene(name))

    def show_code(self) -> None:
        """Show the code alone; where it is alone already, the words next to it."""
        now = self._wanted
        self._show(Scene(code=True, words=now.code and not now.pane and not now.words))

    def show_both(self) -> None:
        """Show the code next to the pane of this page, or the one chosen last, with the words folded."""
        now, plan = self._stage.scene, self._lesson.plan
        planned = next((pane for pane in PANES if pane == (plan.pane or self._lesson.pane)), PANES[1])
        self._show(Scene(now.pane or planned, code=True, words=False))

    def _show(self, scene: Scene) -> None:
        self._wanted, asks = scene, _asks(self._lesson.page)
        if self._fails and not asks and not scene.code and scene.pane in REFERRING and not self._is_chosen:
            scene = Scene(code=True)
        self._stage.show(replace(scene, covered=asks))


def _asks(page: Page) -> bool:
    return page.ask is not None and not page.revealed
