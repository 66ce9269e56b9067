"""The tool bar: device, variant, comparison, the parameters of ``inputs``, and run or stop."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolBar,
    QToolButton,
    QWidget,
)

from explorer.focus.variant_names import shown_variant
from explorer.messages import AS_IT_WAS
from explorer.session.controls import Controls
from views.parts.explained import explain
from views.theme import Theme
from views.tool_bar.parameter_fields import ParameterFields


class ControlBar(QToolBar):
    """Shows Controls and tells what the person chooses.

    Signals:
        device_chosen, variant_chosen, compare_chosen: the id or name; compare is empty for none.
        parameter_set: a Parameter with its new value.
    """

    device_chosen = Signal(str)
    variant_chosen = Signal(str)
    compare_chosen = Signal(str)
    parameter_set = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("control_bar")
        self.setWindowTitle(self.tr("Controls"))
        self.setMovable(False)
        self._titles: dict[str, str] = {}
        self._controls = Controls()
        self._device = TitleBox(5, 10)
        self._variant = TitleBox(11, 26)
        self._compare = TitleBox(11, 26)
        self._choices = _line()
        self._add_choice(self._device, self.tr("Device"), self.tr("Where the program runs and is timed"))
        self._add_choice(self._variant, self.tr("Variant"), self.tr("The function that the panes show"))
        self._add_choice(
            self._compare, self.tr("Compare with"), self.tr("A second function to compare with, shown beside the first")
        )
        for choice, part in ((self._device, "device"), (self._variant, "variant"), (self._compare, "compare")):
            explain(choice, part)
        self._device.chosen.connect(self.device_chosen)
        self._variant.chosen.connect(self.variant_chosen)
        self._compare.chosen.connect(self.compare_chosen)
        self._fields = ParameterFields()
        self._fields.parameter_set.connect(self.parameter_set)
        self._buttons = _line()
        self._rows = ControlRows(self._choices, self._fields, self._buttons)
        self.addWidget(self._rows)

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """Choices, fields and buttons, as they are read."""
        return self._choices, self._fields, self._buttons

    def add_command(self, action: QAction) -> None:
        """Add `action` as a button at the right end."""
        button = QToolButton(autoRaise=True)
        button.setDefaultAction(action)
        button.setIconSize(self.iconSize())
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.iconSizeChanged.connect(button.setIconSize)
        _layout(self._buttons).addWidget(button)

    def show_titles(self, titles: dict[str, str]) -> None:
        """Show variants under these titles; a variant without one shows its name."""
        self._titles = titles
        self.show_controls(self._controls)

    def show_controls(self, controls: Controls) -> None:
        """Show `controls`, without telling that anything was chosen."""
        self._controls = controls
        _fill(self._device, [(device.id, device.id, device.kind) for device in controls.devices], controls.device)
        if not controls.devices:
            _fill(self._device, [("", self.tr("starting"), "")], "")
        variants = [
            (each.name, self._titles.get(each.name, shown_variant(each.name)), each.doc) for each in controls.variants
        ]
        _fill(self._variant, variants, controls.variant)
        others = [each for each in variants if each[0] != controls.variant]
        if controls.edited and variants:
            tip = self.tr("The same function in the original code, before the edits")
            others.append((AS_IT_WAS, self.tr("As it was"), tip))
        _fill(self._compare, [("", self.tr("nothing"), ""), *others], controls.compare)
        self._variant.setEnabled(bool(variants))
        self._compare.setEnabled(bool(others))
        self._fields.show_parameters(controls.parameters)
        self._rows.lay_out()

    def apply_theme(self, theme: Theme) -> None:
        self.setIconSize(QSize(theme.px(18), theme.px(18)))
        self._rows.lay_out()

    def _add_choice(self, combo: TitleBox, label: str, tip: str) -> None:
        name = QLabel(label)
        combo.setAccessibleName(label)
        combo.show_tip(tip)
        name.setBuddy(combo)
        _layout(self._choices).addWidget(name)
        _layout(self._choices).addWidget(combo)


class ControlRows(QWidget):
    """Choices at the left, buttons at the right, and the fields between them or, without room, in lines below."""

    def __init__(self, choices: QWidget, fields: ParameterFields, buttons: QWidget) -> None:
        super().__init__()
        self._choices, self._fields, self._buttons = choices, fields, buttons
        for part in (choices, fields, buttons):
            part.setParent(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def lay_out(self) -> None:
        """Give every part its place in the present width, and this row the height that it takes."""
        gap = 12
        width, buttons = self.width(), self._buttons.sizeHint()
        left = width - buttons.width() - gap
        line = max(self._choices.sizeHint().height(), buttons.height())
        fields = self._fields.line_width()
        beside = bool(fields) and _comfortable(self._choices) + gap + fields <= left
        choices = min(self._choices.sizeHint().width(), left - beside * (fields + gap))
        self._choices.setGeometry(0, 0, choices, line)
        self._buttons.setGeometry(width - buttons.width(), 0, buttons.width(), line)
        below = 0
        if beside:
            height = self._fields.height_for(fields)
            self._fields.setGeometry(choices + gap, (line - height) // 2, fields, height)
        elif fields:
            below = self._fields.height_for(width) + 4
            self._fields.setGeometry(0, line + 4, width, below - 4)
        self._fields.setVisible(bool(fields))
        self.setFixedHeight(line + below)

    def sizeHint(self) -> QSize:
        return QSize(self.minimumSizeHint().width(), self.height())

    def minimumSizeHint(self) -> QSize:
        # Choices may be cut before the buttons are; the bar itself never hides anything behind an arrow.
        return QSize(self._buttons.sizeHint().width(), self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.lay_out()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.lay_out()
        return super().event(event)


class TitleBox(QComboBox):
    """A choice as wide as its widest title, up to a limit; titles give way where room is short.

    Signals:
        chosen: the data of the entry that the person chose.
    """

    chosen = Signal(str)

    def __init__(self, comfortable: int, most: int) -> None:
        super().__init__()
        self._comfortable, self._most = comfortable, most
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setMinimumContentsLength(1)
        self._tip = ""
        self.activated.connect(self._tell)

    def show_tip(self, tip: str) -> None:
        """Say in the tool tip what is chosen here, below the title where that has no room."""
        self._tip = tip
        self.show_whole()

    def show_whole(self) -> None:
        """Show in the tool tip the title that is cut."""
        is_cut = self.shown_title() != self.currentText()
        self.setToolTip(f"{self.currentText()}\n{self._tip}" if is_cut else self._tip)

    def shown_title(self) -> str:
        """Return the chosen title, cut to the room that there is."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self).width()
        return self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room - 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.shown_title()
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.show_whole()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.show_whole()

    def comfortable_width(self) -> int:
        """Return the width that shows enough of a title to tell it from others."""
        return min(self.sizeHint().width(), self._width_of(self._comfortable))

    def sizeHint(self) -> QSize:
        whole = super().sizeHint()
        return QSize(min(whole.width(), self._width_of(self._most)), whole.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self._width_of(3), super().sizeHint().height())

    def _tell(self) -> None:
        self.chosen.emit(self.currentData())

    def _width_of(self, letters: int) -> int:
        return self.fontMetrics().horizontalAdvance("m") * letters * 3 // 4 + 40


def _comfortable(choices: QWidget) -> int:
    """Return the width of the line of `choices` with each title cut to what still tells it from others."""
    boxes = choices.findChildren(TitleBox)
    return choices.sizeHint().width() - sum(box.sizeHint().width() - box.comfortable_width() for box in boxes)


def _line() -> QWidget:
    line = QWidget()
    layout = QHBoxLayout(line)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(6)
    return line


def _layout(line: QWidget) -> QHBoxLayout:
    layout = line.layout()
    assert isinstance(layout, QHBoxLayout)
    return layout


def _fill(combo: TitleBox, entries: list[tuple[str, str, str]], chosen: str) -> None:
    """Show `entries` of (data, text, tooltip) with `chosen` selected; touch nothing that is right already."""
    present = [(combo.itemData(row), combo.itemText(row)) for row in range(combo.count())]
    with QSignalBlocker(combo):
        if present != [(data, text) for data, text, _ in entries]:
            combo.clear()
            for data, text, tip in entries:
                combo.addItem(text, data)
                combo.setItemData(combo.count() - 1, tip, 3)
        row = combo.findData(chosen)
        if row != combo.currentIndex():
            combo.setCurrentIndex(row)
    combo.show_whole()
