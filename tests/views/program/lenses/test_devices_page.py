"""The page of the devices: rows as high as their grids, tips, and marks of the selected row."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import QPoint, QRectF
from pytestqt.qtbot import QtBot

from explorer.messages import Focus, Marks
from explorer.messages.lenses.devices import DevicesLens, Piece, ShardedArray
from tests.views.program.lenses.lens_answers import DEVICES, answer_with, opened, table_of
from views.program.lenses import grids
from views.program.lenses.devices_rows import table
from views.program.lenses.model import LINE
from views.program.program_view import ProgramView
from views.theme import LIGHT


def test_a_row_is_as_high_as_its_parts_need_and_what_comes_later_there_has_its_own_height(view: ProgramView) -> None:
    (page,) = opened(view, answer_with(DEVICES))
    shown = table_of(page)
    heights = [shown.rowHeight(row) for row in range(shown.model().rowCount())]
    assert [each // heights[0] for each in heights] == [row.lines for row in table(DEVICES).rows]
    fewer = msgspec.structs.replace(DEVICES, arrays=(*DEVICES.arrays[:2], DEVICES.arrays[3], DEVICES.arrays[2]))
    view.show_lenses((answer_with(fewer),))
    assert [shown.rowHeight(row) // heights[0] for row in range(5)] == [1, 1, 1, 2, 1]


def test_the_row_of_an_array_goes_to_the_line_that_made_it(view: ProgramView, qtbot: QtBot) -> None:
    (page,) = opened(view, answer_with(DEVICES))
    shown = table_of(page)
    with qtbot.waitSignal(view.focus_requested) as asked:
        shown.clicked.emit(shown.model().index(2, 1))
    assert asked.args == [Focus("line", 3, "f")]
    view.show_marks(Marks(focus=Focus("line", 4, "f"), lines=(4,)))
    assert shown.lit == {3, 4, 6}


def test_the_pointer_finds_the_share_of_each_device() -> None:
    grid = table(DEVICES).rows[4].cells[2].grid
    assert grid is not None
    box = QRectF(10, 20, 80, 40)
    found = [grids.tip(box, grid, box.center() + QPoint(x, y), LIGHT) for y in (-10, 10) for x in (-20, 20)]
    assert [each.split(" holds")[0] for each in found] == [f"Device {number}" for number in range(4)]
    assert grids.tip(box, grid, box.topLeft() - QPoint(5, 5), LIGHT) == ""


def test_the_whole_picture_has_each_row_and_no_brush_that_svg_does_not_know(view: ProgramView) -> None:
    (page,) = opened(view, answer_with(DEVICES))
    shown = table_of(page)
    height = shown.rowHeight(0)
    assert shown.whole_size().height() == height * (1 + sum(row.lines for row in table(DEVICES).rows))
    drawing = page.drawing()
    assert drawing is not None
    drawn = drawing.svg()
    assert b"<pattern" not in drawn
    for word in (b"all-reduce", b"output", b"NumPy"):
        assert word in drawn


def test_arrays_of_any_size_on_many_devices_have_a_picture(view: ProgramView) -> None:
    whole = tuple(Piece(number, "[]", (), 4, True) for number in range(64))
    rows = tuple(Piece(number, f"[{number}:{number + 1}]", (number, 0), 4, False) for number in range(64))
    nothing = tuple(Piece(number, "[0:0]", (0,), 0, True) for number in range(2))
    cube = tuple(Piece(n, "", (n // 4, n // 2 % 2, n % 2), 4, False) for n in range(8))
    lens = DevicesLens(
        (
            ShardedArray("scalar", "f32[]", "output", "s", (), whole),
            ShardedArray("rows", "f32[64,1]", "output", "s", (64, 1), rows),
            ShardedArray("nothing", "f32[0]", "output", "s", (1,), nothing),
            ShardedArray("cube", "f32[2,2,2]", "output", "s", (2, 2, 2), cube),
        )
    )
    shapes = [(grid.rows, grid.columns) for row in table(lens).rows if (grid := row.cells[2].grid)]
    assert shapes == [(1, 1), (64, 1), (1, 1), (4, 2)]
    (page,) = opened(view, answer_with(lens))
    for width in (120, 480, 1200):
        view.resize(width, 400)
        view.grab()
    assert table_of(page).model().index(0, LINE).data() == ""
