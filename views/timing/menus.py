"""ChoiceMenu, the menu of the timing pane: what to time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import TypeVar, get_args

import msgspec
from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu

from explorer.messages import Transform
from explorer.session.controls import Controls, TimingChoice
from views.parts.controls import MenuButton

TRANSFORMS: tuple[Transform, ...] = tuple(each for each in get_args(Transform) if each != "loop")
Name = TypeVar("Name", bound=str)


class MenuEntry(msgspec.Struct, frozen=True):
    """Something to be ticked, under the heading of its section."""

    section: str
    text: str
    ticked: bool = False
    after: Callable[[], TimingChoice] | None = None
    """Returns the choice after it is triggered; None for an entry that only informs."""


class ChoiceMenu(MenuButton):
    """A button whose menu is made for the controls of the moment when it opens.

    Signals:
        timing_chosen: the TimingChoice that the user wants.
        timing_wanted: everything should be timed again.
    """

    timing_chosen = Signal(object)
    timing_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._controls = Controls()
        self.setText(self.tr("Time ▾"))
        self.setToolTip(self.tr("Choose what to time"))
        self.setAccessibleName(self.tr("Timing options"))
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._make)
        self.setMenu(self._menu)

    def show_controls(self, controls: Controls) -> None:
        """Show the choice of `controls` among all possible ones."""
        self._controls = controls

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
            yield MenuEntry(section, text, is_chosen, partial(replace, now, other_device=name))
        if not others:
            yield MenuEntry(section, self.tr("JAX has one device here; for more CPU devices see the Run menu"))

    def _make(self) -> None:
        self._menu.clear()
        self._menu.addAction(self.tr("Time again")).triggered.connect(self.timing_wanted)
        section = ""
        for entry in self._possible():
            if entry.section != section:
                section = entry.section
                self._menu.addSection(section)
            action = self._menu.addAction(entry.text.replace("&", "&&"))
            action.setCheckable(entry.after is not None)
            action.setEnabled(entry.after is not None)
            action.setChecked(entry.ticked)
            if entry.after is not None:
                action.triggered.connect(partial(self._choose, entry.after))

    def _choose(self, after: Callable[[], TimingChoice]) -> None:
        # The last tick cannot be taken away.
        if after() != self._controls.timing:
            self.timing_chosen.emit(after())


def _with_turned(
    now: TimingChoice, field: str, one: Name, chosen: Collection[Name], every: Sequence[Name]
) -> TimingChoice:
    """Return `now` with `one` of `every` toggled in `field`, in the order of `every`; the last one stays."""
    turned = tuple(each for each in every if (each in chosen) != (each == one))
    return replace(now, **{field: turned or tuple(chosen)})
