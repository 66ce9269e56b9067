"""FormSwitch: the buttons for the texts of a program and its lenses; form_name() in words."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QWidget

from explorer.messages import Form
from explorer.messages.lenses import LENSES
from views.parts.flow_row import FlowRow
from views.parts.tabs import TabButton


def form_name(form: Form) -> str:
    if form == "hlo":
        return QCoreApplication.translate("FormSwitch", "optimised HLO")
    return "StableHLO" if form == "stablehlo" else "jaxpr"


class FormSwitch(QWidget):
    """Buttons for the forms and for the offered lenses, with one pressed.

    Signals:
        form_chosen: the Form to show.
        lens_chosen: the id of the lens to open.
    """

    form_chosen = Signal(str)
    lens_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.form: Form = "jaxpr"
        """The form that is shown, or would be without a lens."""
        self._lens = ""
        self._group = QButtonGroup(self)
        self._forms: dict[Form, TabButton] = {
            "jaxpr": TabButton(form_name("jaxpr"), self.tr("The program as JAX recorded it")),
            "stablehlo": TabButton(form_name("stablehlo"), self.tr("The text that JAX passes to the compiler")),
            "hlo": TabButton("HLO", self.tr("The program that the compiler made for this device")),
        }
        self._lenses = {each.id: TabButton(str(each.name), str(each.tip)) for each in LENSES.values()}
        line = FlowRow(spacing=0)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(line)
        first, *others = self._forms.values()
        for button in (first, *self._lenses.values(), *others):
            self._group.addButton(button)
            line.add(button)
        for form, button in self._forms.items():
            button.clicked.connect(partial(self._choose, form))
        for lens, button in self._lenses.items():
            button.clicked.connect(partial(self.lens_chosen.emit, lens))
        self.setAccessibleName(self.tr("Form of the program text"))
        self.show_lenses((), "")

    def show_form(self, form: Form) -> None:
        """Put the button of `form` down, unless that of a lens is."""
        self.form = form
        self._press()

    def show_lenses(self, offered: Collection[str], lens: str) -> None:
        """Show buttons for the lenses that are `offered`; that of `lens` is down, for '' that of the form."""
        self._lens = lens
        for name, button in self._lenses.items():
            button.setVisible(name in offered)
        self._press()

    def _press(self) -> None:
        button = self._forms[self.form] if not self._lens else self._lenses[self._lens]
        button.setChecked(True)

    def _choose(self, form: Form) -> None:
        self.form = form
        self.form_chosen.emit(form)
