"""The folds of each form of a program, and of a long one."""

from __future__ import annotations

import pytest

from explorer.messages import Form, Program
from tests.views.program.shown import long_jaxpr
from views.program.fold_state import Folding
from views.program.folds import MOST_IN_ONE, PIECE
from views.program.hover.hover_words import about_name
from views.program.hover.jaxpr_names import Names

STABLEHLO = """module @jit_f {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0:2 = stablehlo.while(%a = %arg0) : tensor<f32>
    cond {
      %1 = stablehlo.compare LT
      stablehlo.return %1
    } do {
      %1 = stablehlo.add
      stablehlo.return %1
    }
    return %0
  }
  func.func private @_normal(%arg0: tensor<f32>) {
    %0 = stablehlo.add
    return %0
  }
}
"""
HLO = """HloModule jit_f

FileNames
1 "a"
2 "b"

%fused (a: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  ROOT %b = f32[] add(%a, %a)
}

ENTRY %main (a: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  ROOT %b = f32[] fusion(%a)
}
"""


@pytest.mark.parametrize(
    ("form", "whole", "hidden"), [("stablehlo", STABLEHLO, [13, 14, 15]), ("hlo", HLO, [3, 4, 7, 8, 9])]
)
def test_functions_that_others_call_begin_folded(form: Form, whole: str, hidden: list[int]) -> None:
    folding = Folding()
    folding.take(Program(form, whole))
    assert sorted(set(range(whole.count("\n") + 1)) - set(folding.shown().rows)) == hidden


def test_a_short_program_has_no_tables_of_metadata() -> None:
    folding = Folding()
    folding.short = True
    folding.take(Program("hlo", HLO))
    assert [HLO.splitlines()[row] for row in folding.shown().rows[:3]] == [
        "HloModule jit_f",
        "",
        "%fused (a: f32[]) -> f32[] {",
    ]


@pytest.mark.parametrize(("form", "whole"), [("stablehlo", STABLEHLO), ("hlo", HLO)])
def test_folding_all_leaves_the_outermost_open(form: Form, whole: str) -> None:
    folding = Folding()
    folding.take(Program(form, whole))
    folding.toggle_all(closed=True)
    heads = [whole.split("\n")[row] for row in folding.shown().rows]
    assert any(head.startswith(("  func.func public", "ENTRY")) for head in heads)
    folding.toggle_all(closed=False)
    assert folding.shown().text == whole


# -- long programs ------------------------------------------------------------------------------------------------


def test_a_long_program_comes_in_pieces_that_open_one_by_one() -> None:
    count = 3 * MOST_IN_ONE
    folding = Folding()
    folding.take(long_jaxpr(count))
    first = folding.shown()
    assert len(first.rows) < PIECE + 2 + count // PIECE + 1
    assert first.rows[-1] == count + 1
    heads = sorted(first.ends)
    folding.toggle(first.rows[heads[3]])
    opened = folding.shown()
    assert len(opened.rows) == len(first.rows) + PIECE - 1
    folding.toggle_all(closed=False)
    assert len(folding.shown().rows) == len(opened.rows)


def test_a_piece_copies_whole() -> None:
    program = long_jaxpr(2 * MOST_IN_ONE)
    folding = Folding()
    folding.take(program)
    last = folding.shown().rows[-1]
    assert folding.text_between((0, 0), (last, 99)) == program.text


def test_a_name_of_a_huge_program_says_that_only_what_is_near_was_counted() -> None:
    program = long_jaxpr(2 * MOST_IN_ONE)
    name = Names(program.text).at(0, 11)
    assert name is not None
    assert (name.text, name.type, name.row, name.is_whole) == ("a", "f32[5]", 0, False)
    assert "times near here" in about_name(name, None)
