"""A line that there is no room for ends in an ellipsis; on a stage it is wrapped, or left out."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from views.parts.elided_label import ElidedLabel, shorter

WORDS = "3 of 3 points are unstable"


@pytest.fixture
def label(qtbot: QtBot) -> ElidedLabel:
    made = ElidedLabel()
    qtbot.addWidget(made)
    made.show_text(WORDS)
    made.resize(60, 20)
    made.show()
    return made


def test_what_there_is_no_room_for_ends_in_an_ellipsis_and_is_whole_in_the_tip(label: ElidedLabel) -> None:
    assert label.text().endswith("\u2026")
    assert label.toolTip() == WORDS


def test_a_wrapped_line_is_whole_and_higher_where_it_is_narrow(label: ElidedLabel) -> None:
    label.fit("wrapped")
    assert label.text() == WORDS
    assert label.heightForWidth(60) > 2 * label.heightForWidth(1000)
    assert not label.toolTip()


def test_nothing_is_better_than_half(label: ElidedLabel) -> None:
    label.fit("whole or nothing")
    assert not label.text()
    assert label.toolTip() == WORDS
    label.resize(1000, 20)
    assert label.text() == WORDS
    label.fit("elided")
    assert label.text() == WORDS


def test_a_verdict_gives_way_in_whole_clauses() -> None:
    verdict = "shared: 32 examples, 1 distinct row: they all share one key | each: 32 examples, all different"
    assert shorter(verdict)[1:] == [
        "32 examples, 1 distinct row: they all share one key | 32 examples, all different",
        "32 examples, 1 distinct row | 32 examples, all different",
        "32 examples, 1 distinct row: they all share one key",
        "32 examples, 1 distinct row",
        "32 examples",
    ]
    assert shorter("4 keys spent")[-1] == "4 keys spent"
