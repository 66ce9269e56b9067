"""The contents of the stage: the subject of the page, until a digit chooses something else."""

from __future__ import annotations

from dataclasses import replace

from explorer.messages import Snapshot
from explorer.scenario.page import Page
from explorer.window.lesson import Lesson
from views.window.layout import PANES, PaneName
from views.window.stage.stage import Stage, StageContents

REFERRING: tuple[PaneName, ...] = ("keys", "noise", "timing")
"""Panes that only point to the reason of a failure, which the program pane and the code show."""


class Scenes:
    """Chooses the scene of the stage. What holds the answer to the open question stays covered in each."""

    def __init__(self, stage: Stage, lesson: Lesson) -> None:
        self._stage = stage
        self._lesson = lesson
        self._wanted = StageContents(code=True)
        """The scene chosen by the page or by a digit."""
        self._fails = False
        """Whether the program failed: the error and its cause stand below the code."""
        self._is_chosen = False
        """Whether a digit has chosen the scene."""

    def open(self, page: Page) -> None:
        """Show the pane of `page`; the code where that pane is covered until the question is answered."""
        plan, self._is_chosen = self._lesson.plan, False
        pane = "" if plan.pane == "code" else plan.pane or "noise"
        asks = page.ask is not None and not page.revealed
        lists = not asks and (plan.output or plan.jax_checker is True)
        if page.tasks or not page.count or pane in self._lesson.covered or (asks and not plan.pane):
            self._show(StageContents(code=True, words=bool(page.count)))
        else:
            self._show(StageContents(pane, code=not pane, lists=lists))

    def go_on_from(self, before: Scenes) -> None:
        """Show the scene of the window `before` this one."""
        self._fails, self._is_chosen = before._fails, before._is_chosen
        self._show(before._wanted)

    def take_snapshot(self, snapshot: Snapshot) -> None:
        """Show the code with the error and its cause below, instead of a pane that is empty then."""
        fails = snapshot.failure is not None or any(report.failure for report in snapshot.reports)
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
