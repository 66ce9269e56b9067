"""CommandPalette collects commands, lessons, variants, lenses, findings and recent files for the palette."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QObject, Signal

from explorer.focus.variant_names import shown_variant
from explorer.messages import Focus, unmarked
from explorer.messages.lenses import LENSES
from explorer.session.session import Session
from explorer.window.appearance import Appearance
from explorer.window.files.files import Files
from explorer.window.files.recent import Recent
from explorer.window.lesson import Lesson
from views.window.commands import CommandTable, plain
from views.window.main_window import MainWindow
from views.window.palette import Palette, PaletteEntry


class CommandPalette(QObject):
    """Collects the entries when the palette opens.

    Signals:
        findings_wanted: a finding was chosen; the list of findings is to be shown.
        lens_wanted: the id of the lens to open in the program pane.
    """

    findings_wanted = Signal()
    lens_wanted = Signal(str)

    def __init__(
        self, window: MainWindow, session: Session, lesson: Lesson, files: Files, recent: Recent, appearance: Appearance
    ) -> None:
        super().__init__(window)
        self._window, self._session, self._lesson = window, session, lesson
        self._files, self._recent, self._appearance = files, recent, appearance

    def open(self) -> None:
        """Show the palette over the window."""
        Palette(self._window, self._window.theme, tuple(self._entries())).open()

    def _entries(self) -> Iterator[PaletteEntry]:
        yield from self._lessons()
        yield from self._commands()
        yield from self._variants()
        yield from self._lenses()
        yield from self._findings()
        for place, (target, words) in enumerate(zip(self._recent.targets, self._recent.words(), strict=True)):
            # What is listed stands above.
            if not self._files.listed_title(target):
                yield PaletteEntry(words, self.tr("opened before"), partial(self._recent.open, place))

    def _lessons(self) -> Iterator[PaletteEntry]:
        course = self._files.course
        of_course = course.lessons if course is not None else ()
        for scenario in {each.id: each for each in (*of_course, *self._files.listed)}.values():
            title = scenario.title.text(self._appearance.language)
            choose = partial(self._files.open_by_id, scenario.id)
            yield PaletteEntry(title, self.tr("lesson"), choose, also=" ".join((*scenario.title, scenario.id)))

    def _commands(self) -> Iterator[PaletteEntry]:
        for command in CommandTable().commands():
            action = self._window.action(command.id)
            if command.id != "palette" and not command.id.startswith("recent_") and action.isEnabled():
                keys = ", ".join(command.key_names[:1])
                kind = plain(command.menu)
                kind = f"{kind} ✓" if action.isChecked() else kind
                yield PaletteEntry(command.name, kind, action.trigger, keys, also=f"{command.tip} {command.id}")

    def _variants(self) -> Iterator[PaletteEntry]:
        workspace = self._session.workspace
        for variant in workspace.controls.variants:
            choose = partial(workspace.choose_variant, variant.name)
            yield PaletteEntry(shown_variant(variant.name), self.tr("variant"), choose)

    def _lenses(self) -> Iterator[PaletteEntry]:
        snapshot = self._session.snapshot
        offered = {name for report in snapshot.reports for name in report.lenses} if snapshot is not None else ()
        if self._lesson.page.revealed:
            for each in (LENSES[name] for name in LENSES if name in offered):
                yield PaletteEntry(
                    str(each.name), "Program", partial(self.lens_wanted.emit, each.id), also=str(each.tip)
                )

    def _findings(self) -> Iterator[PaletteEntry]:
        snapshot = self._session.snapshot
        # While a question is open, they would answer it.
        if snapshot is None or not self._lesson.page.revealed:
            return
        for report in snapshot.reports:
            for number, finding in enumerate(report.findings or ()):
                focus = Focus("finding", number, report.name)
                yield PaletteEntry(unmarked(finding.message), self.tr("finding"), partial(self._show_finding, focus))

    def _show_finding(self, focus: Focus) -> None:
        self.findings_wanted.emit()
        self._session.choose_focus(focus)
