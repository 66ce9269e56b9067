"""User actions that select one thing, by mouse and by keys."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from tests.whole.one_window import Whole
from views.noise.noise_view import NoiseView
from views.text.line_text import LineText
from views.timing.log_plot.log_plot import LogPlot


def click(widget: QWidget, place: QPoint) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=place)


def press(widget: QWidget, *chords: Qt.Key) -> None:
    widget.setFocus()
    for chord in chords:
        QTest.keyClick(widget, chord)


def row_pixel(text: QPlainTextEdit, row: int) -> QPoint:
    cursor = QTextCursor(text.document().findBlockByNumber(row))
    return text.cursorRect(cursor).center() + QPoint(3, 0)


def put_cursor(text: LineText, row: int) -> None:
    with text.unwatched():
        text.setTextCursor(QTextCursor(text.document().findBlockByNumber(row)))


def click_line(whole: Whole) -> None:
    click(whole.code.viewport(), row_pixel(whole.code, 5))


def walk_to_line(whole: Whole) -> None:
    put_cursor(whole.code, 4)
    press(whole.code, Qt.Key.Key_Down)


def click_equation(whole: Whole) -> None:
    click(whole.program.viewport(), row_pixel(whole.program, 1))


def walk_to_equation(whole: Whole) -> None:
    put_cursor(whole.program, 2)
    press(whole.program, Qt.Key.Key_Up)


def click_key(whole: Whole) -> None:
    assert whole.canvas.picture is not None
    places = whole.canvas.picture.view().places
    assert places is not None
    point = places.point(int(whole.canvas.picture.layout.place[3]))
    assert point is not None
    click(whole.canvas, QPointF(*point).toPoint())


def walk_to_key(whole: Whole) -> None:
    right = Qt.Key.Key_Right
    press(whole.canvas, Qt.Key.Key_Home, Qt.Key.Key_Down, right, right, Qt.Key.Key_Return)


def click_draw(whole: Whole) -> None:
    noise = whole.part(NoiseView)
    assert isinstance(noise, NoiseView)
    click(noise.chooser.buttons["draw"], noise.chooser.buttons["draw"].rect().center())
    QApplication.processEvents()
    click_row(whole)


def click_mark_of_draw(whole: Whole) -> None:
    (spot,) = [each for each in whole.canvas.spots if 2 in each.draws]
    click(whole.canvas, spot.room.center().toPoint())


def walk_to_draw(whole: Whole) -> None:
    right = Qt.Key.Key_Right
    press(whole.canvas, Qt.Key.Key_Home, Qt.Key.Key_Down, right, right, Qt.Key.Key_D)


def click_row(whole: Whole) -> None:
    geometry = whole.heatmap.geometry_of_cells()
    click(whole.heatmap, geometry.cell_rectangle(2, 2, 1, 1).center().toPoint())


def walk_to_row(whole: Whole) -> None:
    press(whole.heatmap, Qt.Key.Key_Home, Qt.Key.Key_Down, Qt.Key.Key_Down)


def click_finding(whole: Whole) -> None:
    click(whole.list.viewport(), whole.list.visualItemRect(whole.list.item(0)).center())


def walk_to_finding(whole: Whole) -> None:
    press(whole.code, Qt.Key.Key_F4)


def _points(plot: LogPlot) -> list[QPointF]:
    """Return the middles of the measured points in the scene, those of the highest curve first."""
    curves = [item for item in plot.plotItem.items if hasattr(item, "points") and item is not plot.ring]
    return [plot.plotItem.vb.mapViewToScene(point.pos()) for item in curves for point in item.points()]


def click_point(whole: Whole) -> None:
    click(whole.plot.viewport(), whole.plot.mapFromScene(_points(whole.plot)[1]))


def walk_to_point(whole: Whole) -> None:
    press(whole.plot, Qt.Key.Key_Right, Qt.Key.Key_Right)
