"""The tour: five stops, each at a part of the window, in the order in which a newcomer needs them."""

from __future__ import annotations

from dataclasses import dataclass

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QTimer
from PySide6.QtWidgets import QWidget

from views.help.tour_card import GAP, Outline, TourCard
from views.window.main_window import MainWindow

_MOVED = (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.StyleChange)


@dataclass(frozen=True)
class Stop:
    """One stop: a title, two or three sentences, and the parts that it may point at, the best first."""

    title: str
    words: str
    parts: tuple[QWidget, ...]


class Tour(QObject):
    """Steps through the stops of the tour, without changing the window, which stays usable."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._place = 0
        self._card: TourCard | None = None
        self._outline: Outline | None = None
        self._previous_focus: QWidget | None = None
        """The widget with the keyboard before the tour."""
        self._watched: tuple[QWidget, ...] = ()
        self._delay = QTimer(self, singleShot=True, interval=0)
        self._delay.timeout.connect(self._put)

    @property
    def is_on(self) -> bool:
        return self._card is not None

    def start(self) -> None:
        """Begin at the first stop, also in the middle of a tour."""
        if not self.is_on:
            self._previous_focus = self._window.focusWidget()
            self._outline = Outline(self._window)
        self._show(0)

    def step(self, step: int) -> None:
        """Go on, or back; after the last stop the tour is over."""
        if self._place + step >= len(self._stops()):
            self.end()
        else:
            self._show(max(0, self._place + step))

    def end(self) -> None:
        """Close the card and restore the keyboard focus."""
        card, outline, previous_focus = self._card, self._outline, self._previous_focus
        self._card = self._outline = self._previous_focus = None
        self._watch(())
        if card is None or outline is None:
            return
        here = self._window.focusWidget()
        had_keyboard = here is not None and (here is card or card.isAncestorOf(here))
        for part in (card, outline):
            part.hide()
            part.deleteLater()
        if had_keyboard:
            still_there = (
                previous_focus is not None and shiboken6.isValid(previous_focus) and previous_focus.isVisible()
            )
            (previous_focus if previous_focus is not None and still_there else self._window.code).setFocus()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() in _MOVED:
            self._delay.start()
        return False

    def _show(self, place: int) -> None:
        """Show the card of a stop; a new one each time, so that a screen reader reads it."""
        stops, before = self._stops(), self._card
        self._place, stop = place, stops[place]
        self._card = TourCard(self._window, stop.title, stop.words, place, len(stops))
        self._card.stepped.connect(self.step)
        self._card.ended.connect(self.end)
        if before is not None:
            before.hide()
            before.deleteLater()
        self._put()
        self._card.show()
        self._card.setFocus()

    def _put(self) -> None:
        """Put the card next to the part, wherever that is now."""
        if self._card is None or self._outline is None:
            return
        window = self._window
        parts = self._stops()[self._place].parts
        part = next((each for each in parts if each.isVisible() and not each.size().isEmpty()), window.centralWidget())
        around = QRect(part.mapTo(window, QPoint()), part.size()).intersected(window.rect())
        # Menus and tool bar stay to be read.
        room = window.centralWidget().geometry().adjusted(GAP, GAP, -GAP, -GAP)
        self._card.wear(window.theme)
        self._card.stand(around, room, window.theme)
        self._outline.setGeometry(around)
        self._outline.show()
        self._outline.raise_()
        self._card.raise_()
        self._watch((*parts, *_above(part, window), window))

    def _watch(self, widgets: tuple[QWidget, ...]) -> None:
        for widget in self._watched:
            if shiboken6.isValid(widget) and widget not in widgets:
                widget.removeEventFilter(self)
        for widget in widgets:
            if widget not in self._watched:
                widget.installEventFilter(self)
        self._watched = widgets

    def _stops(self) -> tuple[Stop, ...]:
        window = self._window
        return (
            Stop(
                self.tr("The lessons"),
                self.tr(
                    "Short lessons, from your first random key to devices and gradients. Ctrl+L shows the list. "
                    "Ctrl+O opens your own program."
                ),
                (window.scenarios, window.rail),
            ),
            Stop(
                self.tr("The story"),
                self.tr(
                    "Each page asks a question: click an answer or press its digit. Panes that show the answer stay "
                    "covered until then. Page Down continues."
                ),
                (window.story,),
            ),
            Stop(
                self.tr("The code"),
                self.tr(
                    "Change anything: the program runs again when you pause. If something is wrong, the line below "
                    "says so, and Ctrl+. offers fixes."
                ),
                (window.code,),
            ),
            Stop(
                self.tr("Four panes"),
                self.tr(
                    "They show one run: keys, arrays, program and times. Ctrl+1 to Ctrl+4 enlarge a pane. Select a "
                    "line: everything about it lights up."
                ),
                (window.area, window.strips),
            ),
            Stop(
                self.tr("The findings"),
                self.tr(
                    "Problems of the run, each with its line and lesson. Shift+F1 explains words and panes. The "
                    "Help menu has the glossary and this tour."
                ),
                (window.bottom, window.strips.of("findings")),
            ),
        )


def _above(part: QWidget, window: QWidget) -> tuple[QWidget, ...]:
    """Return the ancestors of `part`, up to `window`."""
    above, parent = [], part.parentWidget()
    while parent is not None and parent is not window:
        above.append(parent)
        parent = parent.parentWidget()
    return tuple(above)
