"""The rows of the gradient, and their columns."""

from __future__ import annotations

import msgspec

from explorer.messages.lenses.gradient import GradientLens
from tests.views.program.lenses.lens_answers import GRADIENT
from views.program.lenses.gradient_rows import Both, summary, table
from views.program.lenses.table_records import Row, as_text
from views.program.lenses.view import Seen

ROWS = """\
 | forward ↓ | kept: 1.04 KiB | backward ↑ reads upwards
 | w | 32 B f32[8] | gradient of w
 | x |  | gradient of x
 | n |  | n holds integers.
3 | sin f32[5] |  | mul NaN first appears here f32[5]
3 |  |  | computed again cos f32[5]
3 | cos f32[5] for backward | 1 KiB f32[5]
3 |  | 8 B f32[2]
5 | custom_vjp_call clip rule: line 2 f32[] |  | min rule of clip, line 2 f32[5]
5 |  |  | scan f32[5]
4 |   mul f32[]
6 | stop_gradient f32[] |  | A constant to the backward pass.
6 |  |  | neg f32[]
"""


def rows() -> tuple[Row, ...]:
    return table(GRADIENT).rows


def test_each_row_has_what_it_keeps_and_what_undoes_it_read_upwards() -> None:
    assert as_text(table(GRADIENT), ()).replace("\t", " | ") == ROWS


def test_bars_are_as_long_as_the_bytes_are_many() -> None:
    assert [row.cells[1].bar for row in rows() if row.cells[1].bar] == [1 / 32, 1.0, 8 / 1024]
    beside_a_larger = table(GRADIENT, Seen(shared=Both(2048))).rows
    assert [row.cells[1].bar for row in beside_a_larger if row.cells[1].bar] == [1 / 64, 0.5, 8 / 2048]


def test_what_is_wrong_where_the_flow_ends_and_what_is_added_have_their_tones() -> None:
    assert [piece.tone for piece in rows()[3].cells[2].pieces] == ["bug code", "bug", "bug code"]
    assert rows()[2].cells[2].pieces[0].tone == rows()[10].cells[2].pieces[0].tone == "dim"
    assert rows()[10].cells[0].pieces[0].tone == rows()[5].cells[0].pieces[0].tone == "dim code"


def test_below_stand_the_figures_and_what_the_check_says_the_bug_first() -> None:
    assert [piece.text for piece in summary(GRADIENT)] == [
        "Line 3: NaN first appears here.",
        "Arrays kept: 3, together 1.04 KiB.",
        "Equations computed again: 1.",
        "The gradient of the sum.",
        "Agree to 5 digits.",
    ]
    assert GRADIENT.check is not None
    disagreeing = msgspec.structs.replace(GRADIENT, check=msgspec.structs.replace(GRADIENT.check, agrees=False))
    assert summary(disagreeing)[-1].tone == "note"


def test_without_a_gradient_there_is_no_row() -> None:
    assert table(GradientLens(sentence="The output is an integer.")).rows == ()


def test_an_argument_whose_gradient_is_not_finite_says_so() -> None:
    lens = msgspec.structs.replace(GRADIENT, not_finite=("x",))
    cells = [row.cells[2] for row in table(lens).rows[:2]]
    assert [cell.text for cell in cells] == ["gradient of w", "gradient of x: NaN or inf"]
    assert [cell.pieces[0].tone for cell in cells] == ["words", "bug"]
