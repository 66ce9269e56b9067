"""What a person does with the window as a whole: files, theme, text size, language, and putting it away."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol, get_args

import msgspec
from PySide6.QtCore import QDateTime, QLocale, QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QWidget

from explorer import library, settings
from explorer.controls import Activity, Controls
from explorer.drafts import Draft
from explorer.drafts import discard as discard_draft
from explorer.messages import Focus
from explorer.scenario import Scenario
from explorer.session import Session
from explorer.settings import Settings
from views import theme
from views.main_window import MainWindow
from views.theme import Theme, ThemeName

PYTHON_FILES = "Python (*.py)"
PRESENT_STEPS = 3
"""How many text sizes larger a presentation is."""


class Themed(Protocol):
    """A view that follows theme and text size."""

    def apply_theme(self, theme: Theme, /) -> None: ...


class Desk(QObject):
    """Carries out the commands of menus and buttons that are not about running the program."""

    def __init__(
        self,
        application: QApplication,
        window: MainWindow,
        session: Session,
        chosen: Settings,
        language: str = "",
        *,
        keeps_settings: bool = True,
    ) -> None:
        super().__init__(window)
        self._application = application
        self._window = window
        self._session = session
        self._settings = chosen
        self._keeps_settings = keeps_settings
        self._language = language or chosen.language or _system_language()
        self._themed: list[Themed] = [window]
        self._allowed: set[str] = set()
        """Files that the person has agreed to run."""
        self._opened: dict[str, Scenario] = {}
        """Files from elsewhere, listed until the window closes."""
        self._draft: Draft | None = None
        self._shown_scenario = ""
        self._applied = theme.chosen(chosen.theme, chosen.scale)
        """What the application wears already, see `app.make_application`."""
        self._before_present: tuple[Settings, bool] | None = None
        self._leave = QShortcut(QKeySequence("Esc"), window)
        self._leave.activated.connect(self._on_escape)
        self.commands: dict[str, Callable[[], None]] = self._command_table()
        """What each command of the menus does."""

    @property
    def language(self) -> str:
        """Language of the stories, ``en`` or ``ko``."""
        return self._language

    def take_up(self, scenario: Scenario, device: str = "", variant: str = "") -> None:
        """Bring the window into the shape of the last run and open `scenario`."""
        self._window.restore_window(self._settings.geometry)
        self._window.restore_sizes(self._settings.splitters)
        self._window.area.restore_layout(self._settings.layout)
        self._apply_theme()
        # Naming a file on the command line is asking for it to be run.
        self._allowed.add(scenario.id)
        if device:
            self._session.choose_device(device)
        self._session.open(scenario)
        if variant:
            self._session.choose_variant(variant)

    def put_away(self) -> None:
        """Keep edits and settings before the window closes."""
        self._session.keep_draft()
        self._end_present()
        self._session.stop()
        if not self._keeps_settings:
            return
        scenario = self._session.scenario
        self._settings = msgspec.structs.replace(
            self._settings,
            geometry=bytes(self._window.saveGeometry().data()),
            layout=self._window.area.save_layout(),
            splitters=self._window.save_sizes(),
            last_target=scenario.id if scenario else "",
            time_automatically=self._session.controls.time_automatically,
        )
        settings.save(self._settings)

    def add_themed(self, view: Themed) -> None:
        """Let `view` follow the theme from now on."""
        self._themed.append(view)
        view.apply_theme(self._theme())

    def on_command(self, command: str) -> None:
        """Carry out `command`."""
        self.commands[command]()

    # -- scenarios and files ------------------------------------------------------------------

    def open_by_id(self, target: str) -> None:
        """Open the scenario or file `target`; its trouble is told in words and changes nothing."""
        try:
            scenario = library.open_target(target)
        except (library.UnknownTarget, library.UnreadableCode) as error:
            self._window.notice.tell(str(error))
            self.list_scenarios()
            return
        if self._may_run(scenario):
            self._session.open(scenario)
        self.list_scenarios()

    def show_scenario(self, scenario: Scenario) -> None:
        """Show the title and the story of `scenario`."""
        self._window.setWindowTitle(f"{scenario.title.text(self._language)}[*] – JAX Explorer")
        self._window.story.show_story(scenario, self._language)
        self._window.scenarios.show_current(scenario.id)
        titles = {plan.name: plan.title.text(self._language) for plan in scenario.variants}
        self._window.controls.show_titles(titles)
        self._window.notice.hide()
        if scenario.problem:
            self._window.notice.tell(scenario.problem)

    def show_source(self, source: str) -> None:
        """Put `source` into the editor; within one scenario it can be undone."""
        scenario = self._session.scenario
        same = scenario is not None and scenario.id == self._shown_scenario
        self._shown_scenario = scenario.id if scenario else ""
        self._window.code.set_source(source, keep_undo=same)

    def show_controls(self, controls: Controls) -> None:
        """Bring the menus in line with `controls`."""
        self._window.setWindowModified(controls.edited)
        self._window.action("reset").setEnabled(controls.edited)
        self._window.action("auto_time").setChecked(controls.time_automatically)
        for count in (1, 2, 4, 8):
            self._window.action(f"cpu_{count}").setChecked(count == controls.cpu_devices)

    def show_activity(self, activity: Activity) -> None:
        """Grey what is stale, and let Stop be pressed while something runs."""
        area = self._window.area
        for pane in (area.keys, area.noise, area.program):
            pane.show_stale(activity.stale)
        area.timing.show_stale(activity.timing_stale)
        self._window.action("stop").setEnabled(activity.worker.name in ("running", "timing", "starting"))

    def offer_draft(self, draft: Draft) -> None:
        """Offer the edits that an earlier run of the application left."""
        self._draft = draft
        kept_at = QDateTime.fromSecsSinceEpoch(round(draft.kept_at.timestamp()))
        when = QLocale().toString(kept_at, QLocale.FormatType.ShortFormat)
        sentence = self.tr("There are unsaved edits to this code from {}.").format(when)
        self._window.notice.ask(
            sentence, ("use_draft", self.tr("Use them")), ("discard_draft", self.tr("Throw them away"))
        )

    def on_answer(self, answer: str) -> None:
        """Act on a button of the notice bar."""
        draft, self._draft = self._draft, None
        scenario = self._session.scenario
        if draft is None or scenario is None or scenario.id != draft.target:
            return
        if answer == "use_draft":
            self._session.replace_source(draft.source)
        else:
            discard_draft(draft.target)
        self.list_scenarios()

    def _open_dialog(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self._window, self.tr("Open a Python file"), "", PYTHON_FILES)
        if path:
            self.open_by_id(path)

    def _may_run(self, scenario: Scenario) -> bool:
        """Ask before a program runs that is neither ours nor in the person's own folder."""
        if scenario.origin in ("built-in", "mine") or scenario.id in self._allowed:
            return True
        question = self.tr("Run this program now?\n\n{}\n\nOpening a file runs its code on this computer.")
        answer = QMessageBox.question(self._window, self.tr("Open"), question.format(scenario.path))
        if answer is QMessageBox.StandardButton.Yes:
            self._allowed.add(scenario.id)
            return True
        return False

    def _save(self) -> None:
        scenario = self._session.scenario
        if scenario is None:
            return
        if scenario.origin in ("file", "mine"):
            self._write(Path(scenario.path))
        else:
            self._save_as()

    def _save_as(self) -> None:
        scenario = self._session.scenario
        name = f"{Path(scenario.path).parent.name if scenario.origin != 'file' else ''}.py" if scenario else "code.py"
        start = scenario.path if scenario and scenario.origin == "file" else str(Path.home() / name)
        path, _ = QFileDialog.getSaveFileName(self._window, self.tr("Save the code"), start, PYTHON_FILES)
        if path:
            self._write(Path(path))

    def _write(self, path: Path) -> None:
        try:
            library.write_code(path, self._session.source)
            saved = library.open_target(str(path))
        except (OSError, library.UnknownTarget, library.UnreadableCode) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            sentence = self.tr("{} was not saved: {}. Your code is still here, and the file is as it was.")
            self._window.notice.tell(sentence.format(path.name, reason))
            return
        self._allowed.add(saved.id)
        self._session.saved_as(saved)
        self.list_scenarios()

    def _export(self) -> None:
        # Not at the top: the plotting library must not hold up the first picture of the window.
        from explorer import export

        folder = QFileDialog.getExistingDirectory(self._window, self.tr("Export into this folder"))
        if folder:
            try:
                written = export.write(Path(folder), self._window, self._session)
            except OSError as error:
                self._window.notice.tell(self.tr("The export failed: {}.").format(error.strerror or error))
                return
            self._window.notice.tell(self.tr("Exported {} files to {}.").format(len(written), folder))

    def list_scenarios(self) -> None:
        """Read and show all scenarios; those of other packages take a moment to find."""
        known = library.everything()
        opened = self._session.scenario
        if opened is not None and opened.id not in {scenario.id for scenario in known}:
            self._opened[opened.id] = opened
        shown = (*known, *self._opened.values())
        self._window.scenarios.show_scenarios(shown, self._session.edited, self._language)
        if opened is not None:
            self._window.scenarios.show_current(opened.id)

    # -- looks --------------------------------------------------------------------------------

    def _theme(self) -> Theme:
        return theme.chosen(self._settings.theme, self._settings.scale)

    def _apply_theme(self) -> None:
        chosen = self._theme()
        if chosen != self._applied:
            theme.apply_to_application(self._application, chosen)
            self._applied = chosen
        for view in self._themed:
            view.apply_theme(chosen)
        for name in get_args(ThemeName):
            self._window.action(name).setChecked(name == chosen.name)
        self._window.action("english").setChecked(self._language == "en")
        self._window.action("korean").setChecked(self._language == "ko")

    def _choose(self, **changes: object) -> None:
        self._settings = msgspec.structs.replace(self._settings, **changes)
        self._apply_theme()

    def choose_theme(self, name: ThemeName) -> None:
        """Show everything in theme `name`."""
        self._choose(theme=name)

    def choose_language(self, language: str) -> None:
        """Show the stories in `language`."""
        self._language = language
        self._choose(language=language)
        if self._session.scenario is not None:
            self.show_scenario(self._session.scenario)
        self.list_scenarios()

    def step_scale(self, steps: int) -> None:
        """Make all text larger or smaller by `steps`; 0 brings the normal size."""
        self._choose(scale=theme.next_scale(self._settings.scale, steps) if steps else 1.0)

    # -- presenting ---------------------------------------------------------------------------

    def _present(self) -> None:
        if self._before_present is not None:
            self._end_present()
            return
        self._before_present = (self._settings, self._window.isMaximized())
        self._window.scenarios.hide()
        self._window.menuBar().hide()
        self._window.showFullScreen()
        self.step_scale(PRESENT_STEPS)
        self._window.action("present").setChecked(True)

    def _end_present(self) -> None:
        if self._before_present is None:
            return
        (before, maximised), self._before_present = self._before_present, None
        self._window.scenarios.show()
        self._window.menuBar().show()
        if maximised:
            self._window.showMaximized()
        else:
            self._window.showNormal()
        self._choose(scale=before.scale)
        self._window.action("present").setChecked(False)

    def _on_escape(self) -> None:
        if self._session.marks().focus is not None:
            self._session.choose_focus(None)
        elif self._before_present is not None:
            self._end_present()
        elif self._window.area.maximised:
            self._window.area.toggle_maximised(self._window.area.maximised)

    # -- walking ------------------------------------------------------------------------------

    def _walk_parts(self, step: int) -> None:
        """Give the keyboard to the next part of the window."""
        window = self._window
        docks = [pane.widget() for pane in window.area.panes]
        parts: list[QWidget] = [window.scenarios, window.story, window.code, *docks, window.bottom, window.controls]
        parts = [part for part in parts if part.isVisible()]
        now = self._application.focusWidget()
        place = next((n for n, part in enumerate(parts) if now and (part is now or part.isAncestorOf(now))), -step)
        _focus_into(parts[(place + step) % len(parts)])

    def _walk_findings(self, step: int) -> None:
        snapshot = self._session.snapshot
        if snapshot is None:
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

    def _about(self) -> None:
        text = self.tr("See what JAX hides: keys, noise, program and time.")
        QMessageBox.about(self._window, "JAX Explorer", f"<b>JAX Explorer</b><p>{text}</p>")

    def _command_table(self) -> dict[str, Callable[[], None]]:
        session, area = self._session, self._window.area
        table: dict[str, Callable[[], None]] = {
            "open": self._open_dialog,
            "save": self._save,
            "save_as": self._save_as,
            "export": self._export,
            "reset": session.reset,
            "quit": self._close,
            "run": session.run,
            "stop": session.stop,
            "time": session.time,
            "auto_time": self._toggle_auto_time,
            "grid": area.restore_grid,
            "present": self._present,
            "about": self._about,
        }
        for count in (1, 2, 4, 8):
            table[f"cpu_{count}"] = partial(session.choose_cpu_devices, count)
        for number in (1, 2, 3, 4):
            table[f"pane_{number}"] = partial(area.toggle_maximised, number)
        for name in get_args(ThemeName):
            table[name] = partial(self.choose_theme, name)
        for command, step in (("larger", 1), ("smaller", -1), ("normal", 0)):
            table[command] = partial(self.step_scale, step)
        for direction, step in (("next", 1), ("previous", -1)):
            table[f"{direction}_part"] = partial(self._walk_parts, step)
            table[f"{direction}_finding"] = partial(self._walk_findings, step)
        table["english"], table["korean"] = partial(self.choose_language, "en"), partial(self.choose_language, "ko")
        return table

    def _toggle_auto_time(self) -> None:
        self._session.choose_time_automatically(not self._session.controls.time_automatically)

    def _close(self) -> None:
        self._window.close()


def _focus_into(part: QWidget) -> None:
    """Give the keyboard to `part`, or to the first widget in it that takes it."""
    takers = [part, *part.findChildren(QWidget)]
    for widget in takers:
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and widget.isEnabled():
            widget.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return


def _system_language() -> str:
    return "ko" if QLocale.system().language() is QLocale.Language.Korean else "en"
