"""Equal rows carry one letter, wherever they are."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.figures.row_letters import letter, row_letters, runs_of

LETTERS = {
    "": ("", []),
    "abc": ("...", []),
    "aaaa": ("AAAA", [(0, 3)]),
    "abac": ("A.A.", [(0, 0), (2, 2)]),
    "abba": ("ABBA", [(0, 0), (1, 2), (3, 3)]),
    "xaabyb": (".AAB.B", [(1, 2), (3, 3), (5, 5)]),
}


@pytest.mark.parametrize(("rows", "expected"), LETTERS.items(), ids=LETTERS)
def test_groups_of_two_and_more_are_lettered_in_order(rows: str, expected: tuple[str, list[tuple[int, int]]]) -> None:
    letters = row_letters(np.array([list(dict.fromkeys(rows)).index(each) for each in rows], np.int32))
    assert "".join(letters.of(row) or "." for row in range(len(rows))) == expected[0]
    assert list(zip(letters.runs.first.tolist(), letters.runs.last.tolist(), strict=True)) == expected[1]


def test_rows_outside_carry_no_letter() -> None:
    letters = row_letters(np.zeros(3, np.int32))
    assert [letters.of(-1), letters.of(3)] == ["", ""]


def test_letters_go_on_after_z() -> None:
    assert [letter(number) for number in (0, 25, 26, 27, 51, 52, 701, 702)] == [
        "A", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA",
    ]  # fmt: skip


def test_neighbouring_rows_make_one_run_up_to_the_last_row() -> None:
    runs = runs_of({7, 1, 2, 3, 9, 8, 11}, 10)
    assert list(zip(runs.first.tolist(), runs.last.tolist(), strict=True)) == [(1, 3), (7, 9)]
    assert len(runs_of((), 10).first) == 0


def test_runs_in_a_window_are_those_that_touch_it() -> None:
    runs = runs_of({0, 4, 5, 9}, 10)
    assert runs.first[runs.between(0.5, 4.5)].tolist() == [0, 4]
    assert runs.first[runs.between(5.0, 9.0)].tolist() == [4]
    assert runs.first[runs.between(6.0, 8.0)].tolist() == []
