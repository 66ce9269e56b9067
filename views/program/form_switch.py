"""The switch between the texts of a program: jaxpr, StableHLO, optimised HLO."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QWidget

from explorer.messages import Form
from views.theme import LIGHT, Theme


def form_name(form: Form) -> str:
    """Return what `form` is called on screen."""
    if form == "hlo":
        return QCoreApplication.translate("FormSwitch", "optimised HLO")
    return "StableHLO" if form == "stablehlo" else "jaxpr"


class FormSwitch(QWidget):
    """Three buttons, one of them down.

    Signals:
        form_chosen: the Form that the person wants to see.
    """

    form_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        self._buttons: dict[Form, FormButton] = {
            "jaxpr": FormButton(form_name("jaxpr"), self.tr("What JAX recorded of the program")),
            "stablehlo": FormButton(form_name("stablehlo"), self.tr("What JAX hands to the compiler")),
            "hlo": FormButton(form_name("hlo"), self.tr("What the compiler made of it for this device")),
        }
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for button in self._buttons.values():
            self._group.addButton(button)
            layout.addWidget(button)
        self._group.buttonClicked.connect(self._on_clicked)
        self.setAccessibleName(self.tr("Form of the program text"))
        self.show_form("jaxpr")

    @property
    def form(self) -> Form:
        """The form whose button is down."""
        return next(form for form, button in self._buttons.items() if button.isChecked())

    def show_form(self, form: Form) -> None:
        """Put the button of `form` down."""
        self._buttons[form].setChecked(True)

    def apply_theme(self, theme: Theme) -> None:
        for button in self._buttons.values():
            button.apply_theme(theme)

    def _on_clicked(self, _button: QAbstractButton) -> None:
        self.form_chosen.emit(self.form)


class FormButton(QAbstractButton):
    """A word that is bold and underlined when it is down."""

    def __init__(self, text: str, tip: str) -> None:
        super().__init__()
        self._theme = LIGHT
        self.setText(text)
        self.setToolTip(tip)
        self.setAccessibleName(text)
        self.setAccessibleDescription(tip)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._theme.font(bold=True))
        return QSize(metrics.horizontalAdvance(self.text()) + self._theme.px(16), metrics.height() + self._theme.px(8))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, painter = self._theme, QPainter(self)
        painter.setFont(theme.font(bold=self.isChecked()))
        painter.setPen(QColor(theme.text if self.isChecked() or self.underMouse() else theme.dim))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        if self.isChecked():
            line = QRect(theme.px(4), self.height() - theme.px(3), self.width() - theme.px(8), theme.px(3))
            painter.fillRect(line, QColor(theme.focus))
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.focus), 1, Qt.PenStyle.DotLine))
            painter.drawRect(self.rect().adjusted(1, 1, -2, -2))
        painter.end()
