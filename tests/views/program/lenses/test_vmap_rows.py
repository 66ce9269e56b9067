"""The rows of vmap: one example next to the batch, and the positions of the axes."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from explorer.messages import EquationValue
from tests.views.made import picture
from tests.views.program.lenses.lens_answers import NESTED, VMAP
from views.program.lenses.page import value_pieces
from views.program.lenses.table_records import Chip, as_text
from views.program.lenses.vmap_rows import summary, table

ROWS = """\
 | one example | all 32 (the batch) | became
9 | vmap of noisy | 32 examples
9 | key key<fry>[] | key<fry>[] | the same key for all 32
9 | x f32[10] | f32[10,32] | axis 1
3 | random_bits f32[10] | f32[10] | all 32 draw the same
3 | sub f32[10] | f32[10] | the same for all 32
3 | mul f32[10] | f32[10]
3 | add f32[10] | f32[32,10]
9 | output f32[10] | f32[32,10] | axis 0
"""
NESTED_ROWS = """\
 | one example | all examples (the batch) | became
 | vmap of f | i: 3 examples
 | a f32[4] | f32[i=3,4] | axis 0
 |   vmap of g | j: 5 examples
 |   b f32[4] | f32[j=5,4] | axis 0
 |   mul f32[4] | f32[i=3,j=5,4]
"""


def test_arguments_equations_and_outputs_stand_one_below_the_other() -> None:
    assert as_text(table(VMAP), ()).replace("\t", " | ") == ROWS


def test_the_axis_is_a_chip_and_what_has_none_is_grey() -> None:
    rows = table(VMAP).rows
    assert [piece.chips for piece in rows[2].cells[1].pieces] == [(Chip(7, 9, 0),)]
    assert [piece.chips for piece in rows[6].cells[1].pieces] == [(Chip(4, 6, 0),)]
    assert rows[1].cells[1].pieces[0].tone == rows[4].cells[1].pieces[0].tone == "dim code"


def test_a_draw_from_a_key_that_all_share_is_a_bug() -> None:
    draw = table(VMAP).rows[3]
    assert {piece.tone for cell in draw.cells for piece in cell.pieces} == {"bug code", "bug"}
    assert [piece.text for piece in summary(VMAP)] == ["Line 3: one key for all 32, so they draw the same numbers."]


def test_nested_vmaps_have_a_letter_and_a_colour_each_and_a_copied_axis_is_hollow() -> None:
    assert as_text(table(NESTED), ()).replace("\t", " | ") == NESTED_ROWS
    assert table(NESTED).rows[-1].cells[1].pieces[0].chips == (Chip(4, 7, 0), Chip(8, 11, 1, hollow=True))


def test_one_of_several_axes_does_not_decide_about_all_examples() -> None:
    alike = msgspec.structs.replace(NESTED, calls=tuple(msgspec.structs.replace(each, size=3) for each in NESTED.calls))
    assert table(VMAP).headings[1] == "all 32 (the batch)"
    assert table(alike).headings[1] == "all examples (the batch)"


# -- the value of the selected equation -------------------------------------------------------------------------------


KEYS = np.array([[1.5, 2.0, 0.125, 7.0], [1.5, 2.0, 0.125, 7.0], [0.5, 2.0, 0.125, 7.0]], np.float32)


def value_summary(values: np.ndarray, mapped: tuple[int, ...] = (), shape: tuple[int, ...] | None = None) -> str:
    shown = picture(values, "", "f", "value", shape=shape or values.shape, mapped=mapped)
    return " ".join(each.text for each in value_pieces(EquationValue(1, 1, "f", 0, (shown,))))


@pytest.mark.parametrize(
    ("emitted", "words"),
    [
        (value_summary(KEYS, (0,)), "Example 0: [1.5 2 0.125 …]. Example 2: [0.5 2 0.125 …]. 2 of 3 differ."),
        (value_summary(KEYS.T, (1,)), "Example 0: [1.5 2 0.125 …]. Example 2: [0.5 2 0.125 …]. 2 of 3 differ."),
        (value_summary(KEYS[:2], (0,)), "Example 0: [1.5 2 0.125 …]. Example 1: [1.5 2 0.125 …]. All 2 are the same."),
        (value_summary(KEYS[:1, :1], (0,)), "Example 0: [1.5]."),
        (value_summary(KEYS, (0, 1)), "Example 0, 0: 1.5. Example 2, 3: 7. 5 of 12 differ."),
        (value_summary(KEYS, (0,), (900, 4)), "Example 0: [1.5 2 0.125 …]. Example 2: [0.5 2 0.125 …]."),
        (value_summary(KEYS[0]), "Value: [1.5 2 0.125 …]."),
        (value_summary(np.array(3)), "Value: 3."),
        (value_summary(np.zeros((0, 3)), (0,)), ""),
    ],
)
def test_the_first_and_the_last_example_stand_side_by_side(emitted: str, words: str) -> None:
    assert emitted == words


def test_what_has_no_value_is_reported_and_what_is_not_selected_is_not() -> None:
    assert value_pieces(None) == []
    (only,) = value_pieces(EquationValue(1, 1, "f", 0, sentence="It holds no numbers."))
    assert only.text == "It holds no numbers."
