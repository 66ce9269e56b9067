"""Arranging asks `layout.resolve` where everything stands at each change, and remembers the user's choices."""

from __future__ import annotations

import re

from msgspec.structs import asdict, replace
from PySide6.QtCore import QObject

from explorer.library.settings import Arrangement
from explorer.messages import Snapshot
from explorer.messages.lenses import Rerun
from explorer.scenario.page import Page
from explorer.scenario.scenario import Scenario, StepPlan
from explorer.session.session import Session
from explorer.window.lesson import Lesson
from views.window.layout import PANES, Layout, LayoutChoice, PaneName, Task, resolve
from views.window.main_window import MainWindow

INPUTS = re.compile(r"^def inputs\(.*?(?=^[^\s)])", re.DOTALL | re.MULTILINE)
"""The function that makes the data of a lesson: what is drawn there is no noise."""
MOST_READ = 100_000
"""The most characters of code that are searched for the name of the array pane."""


class Arranging(QObject):
    """Arranges the window whenever a page, a program or the room changes, and when the user asks.

    A pane that the user opens, folds, drags or detaches stays so, until a step is about another pane. New results never
    move anything.
    """

    def __init__(self, window: MainWindow, session: Session, lesson: Lesson, arrangement: Arrangement) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._lesson = lesson
        self._open = ""
        """Id of the lesson or file."""
        self._chosen = _chosen(arrangement)
        self._docks = arrangement.docks
        """The places of the panes from last time, until the window has them."""
        self._form = ""
        self._source = ""
        """The original code."""
        self._holds = False
        self._read: tuple[object, ...] = ()
        """The page that the window is arranged for."""

    @property
    def arrangement(self) -> Arrangement:
        """Return the chosen layout, for the next start."""
        fields = {name: getattr(self._chosen, name) for name in ("panes", "list_open", "findings", "sizes")}
        return Arrangement(**fields, docks=self._docks or self._window.area.docks())

    # -- what changes -------------------------------------------------------------------------

    def open(self, scenario: Scenario) -> None:
        """Arrange the window for `scenario`."""
        if scenario.id == self._open:
            return
        self._open = scenario.id
        self._source = scenario.source[:MOST_READ]
        self.call_noise()
        if self._docks:
            self._window.area.put_docks(self._docks)
            self._docks = b""
        self.arrange()

    def call_noise(self) -> None:
        """Name the pane of arrays by the subject of the code, without giving an answer away."""
        self._window.call_noise("random" in INPUTS.sub("", self._source))

    def open_step(self, plan: StepPlan) -> None:
        """Make room for the pane that a step is about."""
        chosen = self._chosen.panes
        if chosen is not None and plan.pane in PANES and plan.pane not in chosen:
            # One that is alone gives its place to the other.
            beside = chosen if len(chosen) > 1 else ()
            self._chosen = replace(self._chosen, panes=tuple(name for name in PANES if name in (*beside, plan.pane)))
        self.arrange()

    def show_page(self, page: Page) -> None:
        """Show `page`; after a turn or an answer, arrange the window. New figures move nothing."""
        self._window.story.show_page(page)
        self._window.code.show_page(page)
        read = self._open, page.count, page.place, page.revealed
        if read != self._read:
            self._read = read
            self.arrange()

    def take_snapshot(self, snapshot: Snapshot) -> None:
        """Name the pane of arrays by what a program of the user's own has drawn."""
        if snapshot.complete and not self._lesson.page.count and snapshot.reports:
            self._window.call_noise(any(report.keys is not None and report.keys.draws for report in snapshot.reports))

    # -- what the user asks for -------------------------------------------------------------

    def choose_pane(self, name: str) -> None:
        """Open a folded pane, or show a pane alone; restore the others where it is alone already."""
        if name == "findings":
            self._choose(replace(self._chosen, findings=True))
            return
        now = self._layout.panes
        wanted: tuple[PaneName, ...] | None = tuple(each for each in PANES if each == name)
        if now == wanted == self._chosen.panes:
            wanted = None
        elif name not in now and len(now) > 1:
            wanted = tuple(each for each in PANES if each in (*now, name))
        self._choose(replace(self._chosen, panes=wanted))

    def show_all(self) -> bool:
        """Show the others again beside an enlarged pane; return whether there is one."""
        is_enlarged = self._layout.enlarged
        if is_enlarged:
            self._choose(replace(self._chosen, panes=None))
        return is_enlarged

    def open_for(self, rerun: Rerun) -> None:
        """Unfold the pane in which the lens shows `rerun`."""
        if rerun.pane:
            self.unfold(rerun.pane)

    def unfold(self, name: str) -> None:
        """Open a pane, unless it is open."""
        if name not in self._layout.panes:
            self.choose_pane(name)

    def fold(self, name: str) -> None:
        """Fold a pane, or the findings, to a strip; open findings that are folded."""
        if name == "findings":
            self._choose(replace(self._chosen, findings=not self._layout.findings))
        else:
            panes = tuple(each for each in self._layout.panes if each != name)
            self._choose(replace(self._chosen, panes=panes))

    def toggle_list(self) -> None:
        """Open the list of lessons, or fold it to its rail."""
        window, before = self._window, self._window.focusWidget()
        self._choose(replace(self._chosen, list_open=not self._layout.list_open))
        if self._layout.list_open:
            window.scenarios.take_keyboard()
        elif before is not None and window.scenarios.isAncestorOf(before):
            # On with what it was opened for, not into some pane.
            (window.story if window.story.isVisible() else window.code).setFocus()

    def reset(self) -> None:
        """Forget all choices."""
        self._chosen = LayoutChoice()
        self._window.area.put_docks(b"")
        self.arrange()

    def remember_sizes(self) -> None:
        """Remember the sizes that the user dragged, except during a presentation."""
        if self._holds:
            return
        sizes = self._window.save_sizes()
        if not self._layout.findings:
            # They would open at the height of their tabs.
            sizes.pop("results")
        of_form = {**self._chosen.sizes.get(self._form, {}), **sizes}
        self._chosen = replace(self._chosen, sizes={**self._chosen.sizes, self._form: of_form})

    # -- arranging ----------------------------------------------------------------------------

    def hold(self, holds: bool) -> None:
        """Suspend arranging, for a presentation, or resume it."""
        self._holds = holds
        self.arrange()

    def arrange(self) -> None:
        """Arrange the window; while another scenario is being opened, only `open` does so, at its end."""
        opened = self._session.workspace.scenario
        if not self._holds and (opened is None or opened.id == self._open):
            layout = self._layout
            self._form = layout.form
            self._window.obey(layout)

    @property
    def _layout(self) -> Layout:
        detached = tuple(pane for pane in PANES if self._window.area.by_name[pane].isFloating())
        return resolve(self._window.room(), self._occasion(), replace(self._chosen, detached=detached))

    def _occasion(self) -> Task:
        lesson, tells = self._lesson, self._lesson.page.count > 0
        own: PaneName = "keys" if "random" in self._source else "noise"
        return Task(
            tells=tells, covers=lesson.covered, pane=lesson.pane if tells else own, lists=tells and lesson.lists
        )

    def _choose(self, chosen: LayoutChoice) -> None:
        if not self._holds:
            self._chosen = chosen
            self.arrange()


def _chosen(arrangement: Arrangement) -> LayoutChoice:
    fields = {name: value for name, value in asdict(arrangement).items() if name != "docks"}
    panes = tuple(name for name in PANES if name in arrangement.panes) if arrangement.panes is not None else None
    return LayoutChoice(**{**fields, "panes": panes})
