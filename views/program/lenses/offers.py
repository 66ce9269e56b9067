"""What a person can have beside what a lens tells: what is to be tried or measured, and changes of the code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from explorer.messages import Fix, LensFurther
from explorer.messages.lenses.gradient import GradientLens
from views.parts.flow_row import FlowRow
from views.parts.outside.plain_tip import plain_tip


@dataclass(frozen=True)
class Offer:
    """One button."""

    label: str
    tip: str
    wanted: LensFurther | Fix


def of_gradient(lens: GradientLens, *, is_measured: bool, is_mapped: bool) -> list[Offer]:
    """Return what is offered beside a gradient: to look for what mends it, or what does; its rows; and to measure."""
    first, offers = lens.first_not_finite, []
    if first is not None and first.fixes is None and first.may_be_mended:
        label = QCoreApplication.translate("LensOffers", "Look for a mend")
        tip = QCoreApplication.translate(
            "LensOffers", "Tries a second where around what goes in, and runs the changed program"
        )
        offers.append(Offer(label, tip, "mend"))
    for each in first.fixes or () if first is not None else ():
        tip = QCoreApplication.translate(
            "LensOffers",
            "Changes the code; one undo takes it back. With it the gradient is finite, and the value stays.",
        )
        offers.append(Offer(str(each.label), tip, each))
    if is_mapped or lens.summed:
        tip = QCoreApplication.translate("LensOffers", "Shows the gradient in rows among the outputs: {what}")
        label, what = (
            QCoreApplication.translate("LensOffers", "Gradient of each example"),
            QCoreApplication.translate("LensOffers", "one for each example of vmap"),
        )
        if not is_mapped:
            label = QCoreApplication.translate("LensOffers", "Jacobian")
            what = QCoreApplication.translate("LensOffers", "one for each element that is returned")
        offers.append(Offer(label, tip.format(what=what), "rows"))
    if lens.forward or lens.backward:
        label = QCoreApplication.translate("LensOffers", "Measure")
        if is_measured:
            label = QCoreApplication.translate("LensOffers", "Measure again")
        tip = QCoreApplication.translate(
            "LensOffers",
            "Compiles value and gradient as one program, asks XLA for its memory, and times it; two variants take "
            "turns in one run",
        )
        offers.append(Offer(label, tip, "measure"))
    return offers


class Offers(FlowRow):
    """A button for each offer.

    Signals:
        further_requested: what the person wants to be told beside all the rest.
        fix_chosen: the Fix whose button was pressed.
    """

    further_requested = Signal(str)
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
        """Let what was pressed be pressed again."""
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
        self.further_requested.emit(offer.wanted)
