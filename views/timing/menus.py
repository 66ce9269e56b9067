"""The menu of the timing pane: what to time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar, get_args

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QToolButton

from explorer.messages import Transform
from explorer.session.controls import Controls, TimingChoice
from views.parts.controls import MenuButton

TRANSFORMS: tuple[Transform, ...] = tuple(each for each in get_args(Transform) if each != "loop")
Name = TypeVar("Name", bound=str)


@dataclass(frozen=True)
class MenuEntry:
    """Something to be ticked, under the heading of its section."""

    section: str
    text: str
    ticked: bool = False
    after: Callable[[], TimingChoice] | None = None
    """Returns the choice after it is triggered; None for an entry that only informs."""
    excludes: bool = False
    """Whether it unticks the others of its section."""


class ChoiceMenu(MenuButton):
    """A button whose menu stays open while the user ticks.

    Signals:
        timing_chosen: the TimingChoice that the user wants.
        timing_wanted: everything should be timed again.
    """

    timing_chosen = Signal(object)
    timing_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._controls = Controls()
        self._entries: list[MenuEntry] = []
        self.setText(self.tr("Time ▾"))
        self.setToolTip(self.tr("Choose what to time"))
        self.setAccessibleName(self.tr("Timing options"))
        self._menu = StayingMenu(self)
        self._menu.triggered.connect(self._on_triggered)
        self._groups: dict[str, QActionGroup] = {}
        self.setMenu(self._menu)

    def show_controls(self, controls: Controls) -> None:
        """Show the choice of `controls` among all possible ones."""
        self._controls = controls
        before, self._entries = self._entries, list(self._possible())
        # A menu that is rebuilt while it is open closes, so only the ticks are updated where that is enough.
        if [(each.section, each.text) for each in before] != [(each.section, each.text) for each in self._entries]:
            self._make()
        self._tick()

    def _possible(self) -> Iterator[MenuEntry]:
        controls, now = self._controls, self._controls.timing
        names = [variant.name for variant in controls.functions]
        chosen = dict.fromkeys(now.variants or names)
        section = self.tr("Variants")
        for name in names if not controls.of_script else ():
            yield MenuEntry(section, name, name in chosen, partial(_with_turned, now, "variants", name, chosen, names))
        section = self.tr("Every variant")
        is_mapped = any(each.mapped and each.name == controls.of_script for each in controls.subjects)
        for transform in TRANSFORMS if not is_mapped else ():
            text = self.tr("as written (eager)") if transform == "eager" else transform
            after = partial(_with_turned, now, "transforms", transform, now.transforms, TRANSFORMS)
            yield MenuEntry(section, text, transform in now.transforms, after)
        section = self.tr("Compare with another device")
        others = [device.id for device in controls.devices if device.id != controls.device]
        for name in ("", *others) if others else ():
            text, is_chosen = name or self.tr("one device"), name == now.other_device
            yield MenuEntry(section, text, is_chosen, partial(replace, now, other_device=name), excludes=True)
        if not others:
            yield MenuEntry(section, self.tr("JAX has one device here; for more CPU devices see the Run menu"))

    def _make(self) -> None:
        self._menu.clear()
        self._menu.addAction(self.tr("Time again")).triggered.connect(self.timing_wanted)
        section = ""
        for number, entry in enumerate(self._entries):
            if entry.section != section:
                section = entry.section
                self._menu.addSection(section)
            # The menu's own: it goes when the menu is cleared, and leaves its group by that.
            action = self._menu.addAction(entry.text.replace("&", "&&"))
            action.setActionGroup(self._group(entry))
            action.setData(number)
            action.setCheckable(entry.after is not None)
            action.setEnabled(entry.after is not None)

    def _group(self, entry: MenuEntry) -> QActionGroup:
        """Return the action group of a section, which is created once."""
        if entry.section not in self._groups:
            self._groups[entry.section] = QActionGroup(self._menu)
        self._groups[entry.section].setExclusive(entry.excludes)
        return self._groups[entry.section]

    def _tick(self) -> None:
        for action in self._menu.actions():
            if action.isCheckable():
                action.setChecked(self._entries[action.data()].ticked)

    def _on_triggered(self, action: QAction) -> None:
        entry = self._entries[action.data()] if action.isCheckable() else None
        after = entry.after() if entry is not None and entry.after is not None else None
        if after == self._controls.timing:
            # The last tick cannot be taken away.
            self._tick()
        elif after is not None:
            self.timing_chosen.emit(after)


def _with_turned(
    now: TimingChoice, field: str, one: Name, chosen: Collection[Name], every: Sequence[Name]
) -> TimingChoice:
    """Return `now` with `one` of `every` toggled in `field`, in the order of `every`; the last one stays."""
    turned = tuple(each for each in every if (each in chosen) != (each == one))
    return replace(now, **{field: turned or tuple(chosen)})  # type: ignore[arg-type]


class StayingMenu(QMenu):
    """A menu in which several things can be ticked one after the other."""

    def __init__(self, parent: QToolButton) -> None:
        super().__init__(parent)
        self.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonRelease and isinstance(event, QMouseEvent):
            return self._take(self.actionAt(event.position().toPoint()))
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            wanted = event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
            return wanted and self._take(self.activeAction())
        return super().eventFilter(watched, event)

    def _take(self, action: QAction | None) -> bool:
        """Trigger `action` without closing; return whether it is one that is ticked."""
        if action is None or not action.isCheckable() or not action.isEnabled():
            return False
        action.trigger()
        return True
