"""The offers below a lens: reruns, measurements, and changes of the code."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from explorer.messages import Fix
from views.parts.flow_row import FlowRow
from views.parts.outside.plain_tip import plain_tip
from views.program.lenses.view import Offer


class Offers(FlowRow):
    """A button for each offer.

    Signals:
        rerun_requested: the Rerun to compute in addition.
        fix_chosen: the Fix whose button was pressed.
    """

    rerun_requested = Signal(object)
    fix_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._offers: Sequence[Offer] = ()
        self.hide()

    def show_offers(self, offers: Sequence[Offer]) -> None:
        """Have a button for each of `offers` and no others."""
        if list(offers) != list(self._offers):
            self._offers = offers
            self.fill([self._button(each) for each in offers])
        self.setVisible(bool(offers))

    def answered(self) -> None:
        """Enable the pressed button again."""
        for button in self.findChildren(QPushButton):
            button.setEnabled(True)

    def _button(self, offer: Offer) -> QPushButton:
        button = QPushButton(offer.label)
        button.setMinimumWidth(1)
        button.setToolTip(plain_tip(f"{offer.label}\n{offer.tip}"))
        button.clicked.connect(partial(self._choose, offer))
        return button

    def _choose(self, offer: Offer) -> None:
        if isinstance(offer.wanted, Fix):
            self.fix_chosen.emit(offer.wanted)
            return
        for button in self.findChildren(QPushButton):
            if button.text() == offer.label:
                # Until it is answered.
                button.setEnabled(False)
        self.rerun_requested.emit(offer.wanted)
