"""Desk carries out the commands of menus and keys, owns their parts, and saves and restores settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import get_args

import msgspec
from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from explorer.library import settings
from explorer.library.consents import Consents
from explorer.library.progress import Progress
from explorer.library.settings import Settings
from explorer.messages import Focus
from explorer.scenario.page import Page
from explorer.scenario.scenario import Scenario, StepPlan
from explorer.session import requests
from explorer.session.controls import Activity, Controls
from explorer.session.session import Session
from explorer.text.languages import known_languages
from explorer.window.appearance import Appearance
from explorer.window.arranging import Arranging
from explorer.window.crash_recovery import CrashRecovery
from explorer.window.editing import Editing
from explorer.window.files.files import Files
from explorer.window.files.handouts import Handouts
from explorer.window.files.recent import Recent
from explorer.window.lesson import Lesson
from explorer.window.palette import CommandPalette
from explorer.window.panes import SPECS, age_of_results, view_in
from explorer.window.presenting.lectern import StageKeys
from explorer.window.presenting.presentation import Presentation
from explorer.window.remotes import Remotes
from views.help.glossary_window import terms
from views.help.menu import HelpMenu
from views.theme import ThemeName
from views.window.commands import MOST_RECENT
from views.window.layout import PANES, PaneName
from views.window.main_window import FINDINGS_TAB, OUTPUT_TAB, MainWindow
from views.window.pane import focus_into
from views.window.stage.stage import Stage

CPU_DEVICES = (1, 4, 8)
STOP_DELAY_MS = 200
"""A run that ends sooner needs no Stop; to light the button up at every keystroke would only distract."""


class Desk(QObject):
    """Carries out the commands, and shows the session's state in the window's frame.

    Attributes:
        appearance: theme, text size, language.
        files: opening and saving.
        crash_recovery: the page that a crash left.
        handouts: the lesson as a handout.
        recent: recently opened targets.
        lesson: the reader's position in the story.
        editing: the Edit menu.
        arranging: the arrangement of the window.
        presentation: the lesson on a full screen.
        help: the Help menu.
        commands: the action of each command of the menus.
    """

    def __init__(
        self,
        application: QApplication,
        window: MainWindow,
        session: Session,
        chosen: Settings,
        language: str = "",
        before: Desk | None = None,
        *,
        keeps_settings: bool = True,
    ) -> None:
        """Serve `window`; with the desk of the window `before` it, at the lesson that is open there."""
        super().__init__(window)
        self._window = window
        self._session = session
        self._workspace = session.workspace
        self._keeps_settings = keeps_settings
        self._shown_scenario = ""
        self._shows_output = False
        self.appearance = Appearance(application, window, chosen, language)
        language = self.appearance.language
        progress = Progress(on_disk=keeps_settings)
        consents = Consents(on_disk=keeps_settings)
        self.files = Files(window.notice, window.scenarios, window.status, session, language, progress, consents)
        self.recent = Recent(window.notice, window.action, self.files, chosen.recent)
        self.lesson: Lesson = before.lesson if before is not None else Lesson(session, progress)
        self.arranging = Arranging(window, session, self.lesson, chosen.arrangement)
        self.handouts = Handouts(window.notice, window.status, session, self.files, language)
        stage = Stage(window)
        self.presentation = Presentation(stage, session, self.lesson, self.appearance, self.files, self.arranging)
        self.crash_recovery = CrashRecovery(
            window.notice, session, self.lesson, self.files, self.appearance, self.presentation
        )
        self.editing = Editing(window.code, window.action)
        self.help = HelpMenu(window, language, self.files.listed_title, StageKeys(self).rows)
        self.help.lesson_wanted.connect(self.files.open_from_link)
        self.remotes = Remotes(window, self._workspace, self.appearance)
        self.palette = CommandPalette(window, session, self.lesson, self.files, self.recent, self.appearance)
        self.palette.findings_wanted.connect(self.show_findings)
        self.palette.lens_wanted.connect(self.show_lens)
        self.commands: dict[str, Callable[[], object]] = self._command_table()
        self._leave = QShortcut(QKeySequence("Esc"), window)
        self._leave.activated.connect(self._on_escape)
        self._stop_delay = QTimer(self, singleShot=True, interval=STOP_DELAY_MS)
        self._stop_delay.timeout.connect(partial(window.action("stop").setEnabled, True))

    def take_up(self, scenario: Scenario, device: str = "", variant: str = "", *, runs: bool = True) -> None:
        """Restore the window of the last session and open `scenario`; run it if it `runs`."""
        last = self.appearance.settings
        if self._keeps_settings:
            self._window.restore_window(last.geometry)
        self.appearance.apply()
        # Naming a file on the command line is asking for it to be run.
        self.files.allow(scenario)
        if device:
            self._workspace.choose_device(device)
        self._workspace.open(scenario, runs=runs)
        if variant:
            self._workspace.choose_variant(variant)
        self.files.offer_untitled(last.last_target)
        # The keyboard goes to the question or the code, not to the first button that Qt finds.
        (self._window.story if scenario.steps else self._window.code).setFocus()

    def put_away(self) -> None:
        """Save edits and settings before the window closes."""
        self.crash_recovery.close()
        self._workspace.close()
        self.handouts.close()
        self.presentation.end()
        self._session.stop()
        if self._keeps_settings:
            settings.save(self.settings)

    @property
    def settings(self) -> Settings:
        """The settings with all that was chosen in the window."""
        scenario = self._workspace.scenario
        # A user's own file must not run at the next start without being asked for.
        remembered = scenario is not None and scenario.origin not in ("file", "recording")
        return msgspec.structs.replace(
            self.appearance.settings,
            geometry=bytes(self._window.saveGeometry().data()),
            arrangement=self.arranging.arrangement,
            recent=self.recent.targets,
            last_target=scenario.id if scenario and remembered else "",
            time_automatically=self._workspace.controls.time_automatically,
            line_types=self._workspace.controls.line_types,
        )

    def continue_from(self, before: Desk) -> None:
        """Show what is open in the window `before` this one."""
        scenario = self._workspace.scenario
        if scenario is None:
            return
        self._window.code.take_over(before._window.code)
        self._shown_scenario = scenario.id
        self._window.code.text.setReadOnly(scenario.origin == "recording")
        self.show_scenario(scenario)
        self.arranging.show_page(self.lesson.page)
        self._point_out(self.lesson.plan)
        self._shows_output = before._shows_output
        self._window.bottom.setCurrentIndex(before._window.bottom.currentIndex())
        self.files.continue_from(before.files)
        self.show_next(self.lesson.page)
        self.crash_recovery.continue_from(before.crash_recovery)
        self._window.take_up_reading(scenario)

    def leave(self) -> None:
        """End what belongs to this window alone, for another one goes on."""
        self.handouts.close()
        self.presentation.lectern.end()

    def show_tour_once(self) -> None:
        """Show the tour with the first lesson, and not to a room; that it was seen is kept at once."""
        is_new = self._keeps_settings and not self.appearance.settings.tour_seen and not self.presentation.is_on
        if is_new and self._workspace.scenario is not None and self._workspace.scenario.steps:
            self.appearance.keep_tour_seen()
            settings.save(self.appearance.settings)
            self._window.tour.show()

    def on_command(self, command: str) -> None:
        """Carry out `command`."""
        self.commands[command]()

    def show_scenario(self, scenario: Scenario) -> None:
        """Show the title and the story of `scenario`."""
        self._window.setWindowTitle(f"{scenario.title.text(self.appearance.language)}[*] – JAX Explorer")
        self.lesson.show_scenario(self.files.as_chosen(scenario), self.appearance.language)
        self.arranging.open(scenario)
        self.files.show_current(scenario)
        titles = {plan.name: plan.title.text(self.appearance.language) for plan in scenario.variants}
        self._window.controls.show_titles(titles)
        self._window.code.show_original(scenario.source)
        self._window.notice.hide()
        if scenario.problem:
            self._window.notice.tell(scenario.problem)

    def choose_pages(self) -> None:
        """Read the pages of the open lesson that the listed course chooses."""
        if (scenario := self._workspace.scenario) is not None:
            self.lesson.show_scenario(self.files.as_chosen(scenario), self.appearance.language)

    def show_links(self, others: Mapping[str, str]) -> None:
        """Let the story name the lessons that this one builds on, and the words that it teaches."""
        if (opened := self._workspace.scenario) is not None:
            # Until the list is there, no glossary: to read it would delay the first picture.
            known = terms().values() if others or self._window.isVisible() else ()
            words = {each.id: each.title.text(self.appearance.language) for each in known if each.lesson == opened.id}
            self._window.story.show_links({each: others[each] for each in opened.needs if each in others}, words)

    def show_next(self, page: Page) -> None:
        """Let the last page lead to the next lesson."""
        target = self._window.scenarios.neighbour(1, searched=False) if page.count and page.is_last else ""
        self._window.story.show_next({target: self.files.title_of(target)} if target else {})

    def show_plan(self, plan: StepPlan) -> None:
        """Highlight the pane that a step of the story is about, and make room for it."""
        self._point_out(plan)
        self.arranging.open_step(plan)
        if plan.output != self._shows_output:
            self._shows_output = plan.output
            self._window.bottom.setCurrentIndex(OUTPUT_TAB if plan.output else FINDINGS_TAB)

    def _point_out(self, plan: StepPlan) -> None:
        for pane in self._window.area.panes:
            pane.title.show_wanted(pane.name == plan.pane)

    def show_findings(self) -> None:
        """Open the list of findings and focus it; on the stage the keys stay with the presentation."""
        self._window.bottom.setCurrentIndex(FINDINGS_TAB)
        if self.presentation.is_on:
            self.presentation.scenes.show_findings()
        else:
            self.arranging.choose_pane("findings")
            focus_into(self._window.findings)

    def show_lens(self, lens: str) -> None:
        """Open the lens with this id in the program pane."""
        from views.program.program_view import ProgramView

        if self.presentation.is_on:
            self.presentation.show_pane("program")
        else:
            self.arranging.unfold("program")
        view_in(self._window, ProgramView).look_through(lens)

    def forget_source(self) -> None:
        """Remove the code of another scenario before one is opened."""
        scenario = self._workspace.scenario
        if scenario is None or scenario.id != self._shown_scenario:
            self._window.code.forget()

    def show_source(self, source: str) -> None:
        """Put `source` into the editor; within one scenario it can be undone."""
        scenario = self._workspace.scenario
        same = scenario is not None and scenario.id == self._shown_scenario
        self._shown_scenario = scenario.id if scenario else ""
        self._window.code.set_source(source, keep_undo=same)
        self._window.code.text.setReadOnly(scenario is not None and scenario.origin == "recording")

    def show_controls(self, controls: Controls) -> None:
        """Update the menus for `controls`."""
        self._window.setWindowModified(controls.edited)
        self._window.action("reset").setEnabled(controls.edited)
        self._window.action("auto_time").setChecked(controls.time_automatically)
        self._window.action("jax_checker").setChecked(controls.jax_checker)
        self._window.action("line_types").setChecked(controls.line_types)
        self._window.action("compare").setChecked(bool(controls.compare))
        self._window.action("compare").setEnabled(bool(requests.partners(controls)))
        for count in CPU_DEVICES:
            self._window.action(f"cpu_{count}").setChecked(count == controls.cpu_devices)

    def show_activity(self, activity: Activity) -> None:
        """Grey stale panes, and enable Stop while something runs."""
        window = self._window
        for name, spec in SPECS.items():
            age, pane = spec.age(activity, self._session), window.area.by_name[name]
            pane.show_stale(age.stale)
            pane.show_outdated(age.outdated)
        age = age_of_results(activity, is_stale=activity.findings_stale)
        window.findings.show_stale(age.stale)
        window.findings.show_outdated(age.outdated)
        if activity.worker.name not in ("running", "timing", "starting"):
            self._stop_delay.stop()
            self._window.action("stop").setEnabled(False)
        elif not self._stop_delay.isActive():
            self._stop_delay.start()

    def _on_escape(self) -> None:
        if self.presentation.is_on:
            self.presentation.leave()
        elif self._window.status.escape() or self.arranging.show_all():
            return
        elif self._session.marks().focus is not None:
            self._session.choose_focus(None)

    def _present(self) -> None:
        """Begin the presentation, or end it; an audience sees no tour of the window."""
        self._window.tour.hide()
        (self.presentation.end if self.presentation.is_on else self.presentation.begin)()

    # -- walking ------------------------------------------------------------------------------

    def _walk_parts(self, step: int) -> None:
        """Focus the next part of the window."""
        window = self._window
        docks = (pane.widget() for pane in window.area.panes)
        above: tuple[QWidget, ...] = (window.scenarios, window.story, window.notice, window.code, *docks)
        below = (window.bottom, window.strips, window.controls, window.transforms, window.in_force)
        parts = [part for part in (*above, *below) if part.isVisible()]
        now = QApplication.focusWidget()
        place = next((n for n, part in enumerate(parts) if now and (part is now or part.isAncestorOf(now))), -step)
        # Not every part has something that takes the keyboard.
        any(focus_into(parts[(place + step * further) % len(parts)]) for further in range(1, len(parts) + 1))

    def _walk_findings(self, step: int) -> None:
        snapshot = self._session.snapshot
        if snapshot is None or not self.lesson.page.revealed:
            # While a question is asked, they would answer it.
            return
        places = [
            Focus("finding", index, report.name)
            for report in snapshot.reports
            for index in range(len(report.findings or ()))
        ]
        if places:
            now = self._session.marks().focus
            place = places.index(now) if now in places else (-1 if step > 0 else 0)
            self._session.choose_focus(places[(place + step) % len(places)])

    def _explain(self) -> None:
        if kind := self._window.findings.check_here():
            self.help.show_check(kind)

    def _command_table(self) -> dict[str, Callable[[], object]]:
        session, workspace, window = self._session, self._workspace, self._window
        files, appearance = self.files, self.appearance
        return {
            "new_file": self._new_file,
            **{f"recent_{place + 1}": partial(self.recent.open, place) for place in range(MOST_RECENT)},
            "new_scenario": files.new_scenario,
            "open": files.open_dialog,
            "open_folder": files.open_folder_dialog,
            "save": files.save,
            "save_as": files.save_as,
            "handout": self.handouts.ask,
            "export": self._export,
            "reset": workspace.reset,
            "quit": window.close,
            **self.editing.commands(),
            "run": self.files.run,
            "stop": session.stop,
            "restart": session.restart,
            "time": session.time,
            "auto_time": lambda: workspace.choose_time_automatically(not workspace.controls.time_automatically),
            "transforms": self._toggle_transforms,
            "jax_checker": lambda: workspace.choose_jax_checker(not workspace.controls.jax_checker),
            "line_types": lambda: workspace.choose_line_types(not workspace.controls.line_types),
            **{f"cpu_{count}": partial(workspace.choose_cpu_devices, count) for count in CPU_DEVICES},
            "larger": partial(appearance.step_scale, 1),
            "smaller": partial(appearance.step_scale, -1),
            "normal": partial(appearance.step_scale, 0),
            **{name: partial(appearance.choose_theme, name) for name in get_args(ThemeName)},
            "lessons": self._show_lessons,
            **{f"pane_{number}": partial(self._show_pane, name) for number, name in enumerate(PANES, 1)},
            "grid": self._reset_layout,
            "compare": workspace.toggle_compare,
            "next_part": partial(self._walk_parts, 1),
            "previous_part": partial(self._walk_parts, -1),
            "next_scenario": partial(files.open_neighbour, 1),
            "previous_scenario": partial(files.open_neighbour, -1),
            "next_finding": partial(self._walk_findings, 1),
            "back": self.files.go_back,
            "previous_finding": partial(self._walk_findings, -1),
            "finding_explained": self._explain,
            **{f"language_{each}": partial(appearance.choose_language, each) for each in known_languages()},
            "present": self._present,
            "palette": self.palette.open,
            "swap_screens": self.presentation.lectern.screens.swap,
            **self.help.commands(),
            "elsewhere": self.remotes.open,
        }

    def _new_file(self) -> None:
        """Open a new file, and let the user type at its end."""
        self.files.new_file()
        self._window.code.text.moveCursor(QTextCursor.MoveOperation.End)
        self._window.code.setFocus()

    def _export(self) -> None:
        """Ask for a folder and write pictures and data of the window into it."""
        # Not at the top: the plotting library must not hold up the first picture of the window.
        from explorer.window.files import exported

        folder = QFileDialog.getExistingDirectory(self._window, self.tr("Export into this folder"))
        if folder:
            try:
                written = exported.write(Path(folder), self._window, self._session)
            except OSError as error:
                self._window.notice.tell(self.tr("The export failed: {}.").format(error.strerror or error))
                return
            text = self.tr("Exported {} files to {}.").format(len(written.files), folder)
            self._window.notice.tell(" ".join((text, *written.left_out)))

    def _show_pane(self, name: PaneName) -> None:
        """Enlarge the pane `name`, or restore it; on the stage, show it there."""
        if self.presentation.is_on:
            self.presentation.show_pane(name)
        else:
            self.arranging.choose_pane(name)

    def _reset_layout(self) -> None:
        """Forget how the window was arranged; on the stage it cannot be seen."""
        if not self.presentation.is_on:
            self.arranging.reset()

    def _show_lessons(self) -> None:
        """Open the list of lessons, or fold it; a stage has no room for it, and gets the palette, which finds them."""
        if self.presentation.is_on:
            self.palette.open()
        else:
            self.arranging.toggle_list()

    def _toggle_transforms(self) -> None:
        row = self._window.transforms
        row.setVisible(not row.isVisible())
        if row.isVisible():
            row.focus_first()
        self._window.action("transforms").setChecked(row.isVisible())
