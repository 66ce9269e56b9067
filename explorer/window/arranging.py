"""The arrangement of the window: follows changes, asks `layout.resolve`, and remembers the user's choices."""

from __future__ import annotations

from dataclasses import replace

from msgspec.structs import asdict
from PySide6.QtCore import QObject

from explorer.library.settings import Arrangement
from explorer.messages import TOP_LEVEL, Snapshot
from explorer.messages.lenses.lens import Rerun
from explorer.scenario.page import Page
from explorer.scenario.scenario import Scenario, StepPlan
from explorer.session.session import Session
from explorer.window.lesson import Lesson
from explorer.window.panes import SPECS
from views.window.layout import PANES, Chosen, Layout, Occasion, PaneName, resolve
from views.window.main_window import MainWindow

MOST_ARRANGEMENTS = 100
"""The most lessons and files whose arrangement is saved."""
MOST_READ = 100_000
"""The most characters of code that are searched for the name of the array pane."""


class Arranging(QObject):
    """Arranges the window whenever a page, a program or the room changes, and when the user asks.

    A pane that the user opens, folds, drags or detaches stays so for this lesson or file, until a step is about another
    pane. New results never move anything.
    """

    def __init__(
        self, window: MainWindow, session: Session, lesson: Lesson, arrangements: dict[str, Arrangement]
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._lesson = lesson
        self._arrangements = dict(arrangements)
        self._open = ""
        """Id of the lesson or file."""
        self._chosen = Chosen()
        self._saying: frozenset[PaneName] = frozenset(("program",))
        self._has_decided = False
        """Whether the panes with something to show were opened once for this program."""
        self._form = ""
        self._source = ""
        """The original code."""
        self._holds = False
        self._read: tuple[object, ...] = ()
        """The page that the window is arranged for."""

    @property
    def arrangements(self) -> dict[str, Arrangement]:
        """Return the layout chosen for each lesson and file, the newest last, for the next start."""
        self._keep()
        return dict(list(self._arrangements.items())[-MOST_ARRANGEMENTS:])

    # -- what changes -------------------------------------------------------------------------

    def open(self, scenario: Scenario) -> None:
        """Restore the arrangement of `scenario` from last time; for a new one use the default."""
        if scenario.id == self._open:
            return
        self._keep()
        self._open = scenario.id
        arrangement = self._arrangements.get(scenario.id, Arrangement())
        self._chosen = _chosen(arrangement)
        self._saying, self._has_decided = frozenset(("program",)), False
        self._source = scenario.source[:MOST_READ]
        self.call_noise()
        self._window.area.put_docks(arrangement.docks)
        self.arrange()

    def call_noise(self) -> None:
        """Name the pane of arrays by the subject of the code, without giving an answer away."""
        self._window.call_noise("random" in self._source)

    def open_step(self, plan: StepPlan) -> None:
        """Make room for the pane that a step is about."""
        chosen = self._chosen.panes
        if chosen is not None and plan.pane and plan.pane not in chosen:
            wide = self._window.room().is_wide
            panes = tuple(name for name in PANES if name in (*chosen, plan.pane)) if wide else None
            self._chosen = replace(self._chosen, panes=panes)
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
        """Open the panes that have something to show, once for each program of the user's own."""
        # A script has its keys long before its checks are done, and never a jaxpr.
        is_script = any(each.name == TOP_LEVEL and each.keys is not None for each in snapshot.reports)
        if not snapshot.complete and not is_script:
            return
        if not self._lesson.page.count and snapshot.reports:
            self._window.call_noise(any(report.keys is not None and report.keys.draws for report in snapshot.reports))
        if self._has_decided:
            return
        self._has_decided = True
        if not snapshot.recorded and not self._window.room().is_wide and self._is_in_use():
            # Another pane would come under the mouse.
            self._chosen = replace(self._chosen, panes=self._layout.panes)
        self._saying = frozenset(name for name, pane in SPECS.items() if pane.says(snapshot, self._session))
        self.arrange()

    def _is_in_use(self) -> bool:
        """Whether the keyboard is in a pane: the user has clicked it, because opening a program focuses the code."""
        focused, area = self._window.focusWidget(), self._window.area
        return focused is not None and any(area.by_name[name].isAncestorOf(focused) for name in self._layout.panes)

    # -- what the user asks for -------------------------------------------------------------

    def choose_pane(self, name: str) -> None:
        """Open a folded pane, or show a pane alone; restore the others where it is alone already."""
        if name == "findings":
            if self._layout.covered:
                self._lesson.uncover()
            self._choose(replace(self._chosen, findings=True))
            return
        now = self._layout.panes
        wanted: tuple[PaneName, ...] | None = tuple(each for each in PANES if each == name)
        if now == wanted == self._chosen.panes:
            wanted = None
        elif name not in now and self._window.room().is_wide:
            wanted = tuple(each for each in PANES if each in (*now, name))
        if self._layout.covered and not self._window.room().is_wide:
            self._lesson.uncover()
        self._choose(replace(self._chosen, panes=wanted))

    def open_for(self, rerun: Rerun) -> None:
        """Unfold the pane in which the lens shows `rerun`."""
        if rerun.pane:
            self.unfold(rerun.pane)

    def unfold(self, name: str) -> None:
        """Open a pane, unless it is open."""
        if name not in self._layout.panes:
            self.choose_pane(name)

    def fold(self, name: str) -> None:
        """Fold a pane, or the findings, to a strip."""
        if name == "findings":
            self._choose(replace(self._chosen, findings=False))
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
        """Forget the choices for this lesson or file."""
        self._chosen = Chosen()
        self._arrangements.pop(self._open, None)
        self._window.area.put_docks(b"")
        self.arrange()

    def remember_sizes(self) -> None:
        """Remember the sizes that the user dragged, except during a presentation."""
        if self._holds:
            return
        sizes = {**self._chosen.sizes, self._form: self._window.save_sizes()}
        self._chosen = replace(self._chosen, sizes=sizes)

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
        return resolve(self._window.room(), self._saying, self._occasion(), replace(self._chosen, detached=detached))

    def _occasion(self) -> Occasion:
        page, plan = self._lesson.page, self._lesson.plan
        return Occasion(
            tells=page.count > 0,
            asks=page.ask is not None and not page.revealed,
            works=bool(page.tasks),
            pane=self._lesson.pane,
            lists=plan.output or plan.jax_checker is True,
        )

    def _choose(self, chosen: Chosen) -> None:
        if not self._holds:
            self._chosen = chosen
            self.arrange()

    def _keep(self) -> None:
        arrangement = Arrangement(
            panes=self._chosen.panes,
            list_open=self._chosen.list_open,
            findings=self._chosen.findings,
            sizes=self._chosen.sizes,
            docks=self._window.area.docks(),
        )
        self._arrangements.pop(self._open, None)
        if self._open and arrangement != Arrangement():
            self._arrangements[self._open] = arrangement


def _chosen(arrangement: Arrangement) -> Chosen:
    fields = {name: value for name, value in asdict(arrangement).items() if name != "docks"}
    panes = tuple(name for name in PANES if name in arrangement.panes) if arrangement.panes is not None else None
    return Chosen(**{**fields, "panes": panes})
