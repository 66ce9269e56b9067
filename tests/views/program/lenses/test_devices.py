"""The rows of the devices: each array with its parts in their layout, then the collectives."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import QPoint, QRectF
from pytestqt.qtbot import QtBot

from explorer.messages import Focus, Marks
from explorer.messages.lenses.devices import DevicesLens, Piece, ShardedArray
from tests.views.program.lenses.lens_answers import DEVICES, answer_with, opened, table_of
from views.program.lenses import grids
from views.program.lenses.devices_rows import summary, table
from views.program.lenses.model import LINE
from views.program.lenses.table_records import Grid, as_text
from views.program.program_view import ProgramView
from views.theme import LIGHT

ROWS = """\
 | array | parts | which device
 | x f32[8,4] | on device 0 | 0
 | n i64[3] | NumPy: on no device
3 | xs f32[8,4] ×5 device_put | 2 × 1, 2 copies | 0, 1 | 2, 3
4 | w f32[] for jit of f | 2 copies | 0, 1
4 | output f32[4,4] | 2 × 2 | 0 | 1 | 2 | 3
 | collectives
4 | all-reduce f32[4] | 16 B each, in each iteration of a loop | 0, 2 | 1, 3
5 | all-gather f32[4] → f32[16] ×2 | 64 B each | 0, 1, 2, 3
6 | collective-permute f32[4] | 16 B each | 0→1  1→0
"""


def grids_of_arrays() -> list[Grid | None]:
    return [row.cells[2].grid for row in table(DEVICES).rows]


def test_arrays_stand_above_the_collectives() -> None:
    assert as_text(table(DEVICES), ()).replace("\t", " | ") == ROWS


def test_parts_lie_as_in_the_array_in_a_row_of_their_height_hatched_if_on_several_devices() -> None:
    shapes = [(grid.rows, grid.columns) if grid else None for grid in grids_of_arrays()]
    assert shapes == [(1, 1), None, (2, 1), (1, 1), (2, 2), None, (1, 2), (1, 1), None]
    assert [row.lines for row in table(DEVICES).rows] == [1, 1, 2, 1, 2, 1, 1, 1, 1]
    assert [grid.hatched and len(grid.fields[0]) > 1 for grid in grids_of_arrays() if grid] == [
        False,
        True,
        True,
        False,
        False,
        False,
    ]


def test_under_the_pointer_stands_what_a_device_holds_and_who_else() -> None:
    grid = grids_of_arrays()[2]
    assert grid.fields[1][0].tip.splitlines() == [
        "Device 2 holds [4:8, :] of xs, 64 B. Also on: 3.",
        DEVICES.arrays[2].sharding,
    ]


def test_where_devices_send_each_other_nothing_a_sentence_says_so() -> None:
    rest = ["More arrays, not shown: 1,200.", "A note."]
    assert [piece.text for piece in summary(DEVICES)] == rest
    silent = msgspec.structs.replace(DEVICES, collectives=())
    assert [piece.text for piece in summary(silent)] == ["The devices exchange no data.", *rest]
    unknown = msgspec.structs.replace(DEVICES, collectives=None)
    assert [piece.text for piece in summary(unknown)] == rest


# -- the page ---------------------------------------------------------------------------------------------------------


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
