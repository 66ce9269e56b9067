"""What is timed: which variants, under which transforms, with which mistake on purpose, on which devices."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import get_args

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QToolButton

from explorer.messages import Transform, WrongWay
from explorer.session.controls import Controls, TimingChoice
from views.timing.words import TimingWords

TRANSFORMS: tuple[Transform, ...] = get_args(Transform)
WRONG_WAYS: tuple[WrongWay, ...] = get_args(WrongWay)


class ChoiceMenu(QToolButton):
    """A button whose menu stays open while one ticks.

    Signals:
        timing_chosen: the TimingChoice that the person wants.
        timing_wanted: everything shall be timed anew.
    """

    timing_chosen = Signal(object)
    timing_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._words = TimingWords()
        self._controls = Controls()
        self._shown: object = None
        self.setText(self.tr("Time") + " \u25be")
        self.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self.setToolTip(self.tr("Choose what is timed"))
        self.setAccessibleName(self.tr("What is timed"))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = StayingMenu(self)
        self.setMenu(self._menu)

    def show_controls(self, controls: Controls) -> None:
        """Show what `controls` say is timed, of all that can be."""
        self._controls = controls
        shown = (controls.timing, controls.functions, controls.devices, controls.device)
        if shown != self._shown:
            self._shown = shown
            # A menu that is made anew while it is open closes, so it is only ticked anew.
            if not self._menu.isVisible() or not self._tick():
                self._make()

    # -- the menu -----------------------------------------------------------------------------

    def _make(self) -> None:
        self._menu.clear()
        self._menu.addAction(self.tr("Time again")).triggered.connect(self.timing_wanted)
        self._menu.addSection(self.tr("Variants"))
        for name in self._names():
            self._add(name, f"variant {name}", partial(self._turn_variant, name))
        self._menu.addSection(self.tr("Each of them"))
        for transform in TRANSFORMS:
            text = self.tr("as written (eager)") if transform == "eager" else transform
            self._add(text, f"transform {transform}", partial(self._turn_transform, transform))
        self._menu.addSection(self.tr("Beside it, timed the wrong way"))
        ways = QActionGroup(self._menu)
        for way in WRONG_WAYS:
            text = self._words.mistake(way) or self.tr("no mistake")
            ways.addAction(self._add(text, f"wrong {way}", partial(self._choose_wrong, way)))
        self._add_devices()
        self._tick()

    def _add_devices(self) -> None:
        self._menu.addSection(self.tr("Compare with another device"))
        others = [device.id for device in self._controls.devices if device.id != self._controls.device]
        if not others:
            text = self.tr("JAX has one device here; for more CPU devices see the Run menu")
            self._menu.addAction(text).setEnabled(False)
            return
        devices = QActionGroup(self._menu)
        devices.addAction(self._add(self.tr("one device"), "device ", partial(self._choose_device, "")))
        for name in others:
            devices.addAction(self._add(name, f"device {name}", partial(self._choose_device, name)))

    def _add(self, text: str, key: str, slot: object) -> QAction:
        action = self._menu.addAction(text.replace("&", "&&"))
        action.setCheckable(True)
        action.setData(key)
        action.triggered.connect(slot)
        return action

    def _tick(self) -> bool:
        """Tick what is chosen; return whether the menu has an entry for all of it."""
        choice = self._controls.timing
        wanted = {f"variant {name}" for name in self._chosen_variants()}
        wanted |= {f"transform {name}" for name in choice.transforms}
        wanted |= {f"wrong {choice.wrong_way}", f"device {choice.other_device}"}
        actions = {action.data(): action for action in self._menu.actions() if action.isCheckable()}
        for key, action in actions.items():
            action.setChecked(key in wanted)
        return wanted - {"device "} <= actions.keys()

    def _names(self) -> list[str]:
        return [variant.name for variant in self._controls.functions]

    def _chosen_variants(self) -> list[str]:
        chosen = self._controls.timing.variants
        return [name for name in self._names() if not chosen or name in chosen]

    # -- what the person does -----------------------------------------------------------------

    def _turn_variant(self, name: str) -> None:
        before = self._chosen_variants()
        after = tuple(each for each in self._names() if (each in before) != (each == name))
        self._choose(replace(self._controls.timing, variants=after) if after else self._controls.timing)

    def _turn_transform(self, name: Transform) -> None:
        before = self._controls.timing.transforms
        after = tuple(each for each in TRANSFORMS if (each in before) != (each == name))
        self._choose(replace(self._controls.timing, transforms=after) if after else self._controls.timing)

    def _choose_wrong(self, way: WrongWay) -> None:
        self._choose(replace(self._controls.timing, wrong_way=way))

    def _choose_device(self, name: str) -> None:
        self._choose(replace(self._controls.timing, other_device=name))

    def _choose(self, choice: TimingChoice) -> None:
        if choice == self._controls.timing:
            # The last tick cannot be taken away.
            self._tick()
        else:
            self.timing_chosen.emit(choice)


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
