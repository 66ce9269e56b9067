"""The rows of the devices: each array with its parts in their layout, then the collectives."""

from __future__ import annotations

import msgspec

from tests.views.program.lenses.lens_answers import DEVICES
from views.program.lenses.devices_rows import summary, table
from views.program.lenses.table_records import Grid, as_text

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


def grids() -> list[Grid | None]:
    return [row.cells[2].grid for row in table(DEVICES).rows]


def test_arrays_stand_above_the_collectives() -> None:
    assert as_text(table(DEVICES), ()).replace("\t", " | ") == ROWS


def test_parts_lie_as_they_do_in_the_array_and_the_row_is_as_high_as_they_need() -> None:
    shapes = [(grid.rows, grid.columns) if grid else None for grid in grids()]
    assert shapes == [(1, 1), None, (2, 1), (1, 1), (2, 2), None, (1, 2), (1, 1), None]
    assert [row.lines for row in table(DEVICES).rows] == [1, 1, 2, 1, 2, 1, 1, 1, 1]


def test_under_the_pointer_stands_what_a_device_holds_and_who_else() -> None:
    grid = grids()[2]
    assert grid is not None
    assert grid.fields[1][0].tip.splitlines() == [
        "Device 2 holds [4:8, :] of xs, 64 B. Also on: 3.",
        DEVICES.arrays[2].sharding,
    ]


def test_only_parts_that_several_devices_hold_are_hatched() -> None:
    assert [grid.hatched and len(grid.fields[0]) > 1 for grid in grids() if grid] == [
        False,
        True,
        True,
        False,
        False,
        False,
    ]


def test_where_devices_send_each_other_nothing_a_sentence_says_so() -> None:
    rest = ["More arrays, not shown: 1,200.", "A note."]
    assert [piece.text for piece in summary(DEVICES)] == rest
    silent = msgspec.structs.replace(DEVICES, collectives=())
    assert [piece.text for piece in summary(silent)] == ["The devices exchange no data.", *rest]
    unknown = msgspec.structs.replace(DEVICES, collectives=None)
    assert [piece.text for piece in summary(unknown)] == rest
