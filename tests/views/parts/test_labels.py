"""A label takes a few lines at most and keeps the rest for its tool tip."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.views.made import hold, put_up
from views.parts.labels import ElidedLabel, ShortLabel, joint, shorter

TEXT = "32 examples, 1 distinct row: they all share one key"


@pytest.fixture
def label(qtbot: QtBot) -> ShortLabel:
    made = hold(qtbot, ShortLabel())
    made.setText(TEXT)
    return made


def test_a_wide_label_shows_its_text_on_one_line_and_a_narrow_one_wraps(label: ShortLabel) -> None:
    label.resize(2000, 20)
    label.grab()
    assert label.lines(2000) == [TEXT]
    assert label.toolTip() == ""
    width = label.fontMetrics().horizontalAdvance(TEXT) * 2 // 3
    assert "".join(label.lines(width)) == TEXT
    assert len(label.lines(width)) == 2
    assert label.heightForWidth(width) > label.heightForWidth(2000)


def test_what_does_not_fit_is_in_the_tool_tip(label: ShortLabel) -> None:
    label.set_most_lines(1)
    label.resize(label.fontMetrics().horizontalAdvance(TEXT) // 2, 20)
    label.grab()
    assert label.lines(label.width())[-1].endswith("…")
    assert label.toolTip() == TEXT


def test_a_low_label_shows_whole_lines_only(label: ShortLabel) -> None:
    width = label.fontMetrics().horizontalAdvance(TEXT) * 2 // 3
    label.resize(width, label.heightForWidth(width))
    label.grab()
    assert label.toolTip() == ""
    label.resize(width, label.heightForWidth(width) - label.fontMetrics().lineSpacing() // 2)
    label.grab()
    assert label.toolTip() == TEXT


def test_a_word_that_is_too_long_for_a_line_ends_in_an_ellipsis(label: ShortLabel) -> None:
    label.setText("independent_noise")
    label.resize(label.fontMetrics().horizontalAdvance("independent_no"), 60)
    label.grab()
    assert [line[-1] for line in label.lines(label.width())] == ["…"]
    assert label.toolTip() == "independent_noise"


def test_a_new_line_begins_a_line(label: ShortLabel) -> None:
    label.setText("one\ntwo\nthree")
    assert label.lines(2000) == ["one\n", "two three"]
    label.set_most_lines(3)
    assert label.lines(2000) == ["one\n", "two\n", "three"]


@pytest.mark.parametrize(
    ("text", "fits", "lines"),
    [
        ("independent_noise", "independent_no", ["independent_", "noise"]),
        ("집합 통신(collective)", "통신(collectiv", ["집합 ", "통신(", "collective)"]),
        ("checkpointing", "checkpoin", ["checkpoin", "ting"]),
    ],
)
def test_a_word_that_may_be_broken_is_whole(label: ShortLabel, text: str, fits: str, lines: list[str]) -> None:
    label.setText(text)
    label.set_most_lines(3)
    label.break_words(True)
    # Qt rounds the width: one pixel more holds the letters in a font of any size that an earlier test has left.
    assert label.lines(label.fontMetrics().horizontalAdvance(fits) + 1) == lines


# -- where lines without a space break --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "rest", "first"),
    [
        ("jax.random.spl", "it(key)", "jax.random."),
        ("jax.random.split(key", ", len(x))", "jax.random.split("),
        ("f(x", ")", "f("),
        ("dimension_num", "bers", "dimension_"),
        ("return f(x, ", "key)", ""),
        ("word", ", another", ""),
        ("f(x)", "", ""),
    ],
)
def test_a_line_breaks_behind_a_bracket_and_begins_with_no_comma(line: str, rest: str, first: str) -> None:
    assert (line + rest)[: joint(line + rest, 0, len(line))] == first


# -- one line that ends in an ellipsis; on a stage it is wrapped, or left out -----------------------------------------


UNSTABLE = "3 of 3 points are unstable"


@pytest.fixture
def elided(qtbot: QtBot) -> ElidedLabel:
    made = put_up(qtbot, ElidedLabel(), 60, 20)
    made.show_text(UNSTABLE)
    return made


def test_what_there_is_no_room_for_ends_in_an_ellipsis_or_is_wrapped(elided: ElidedLabel) -> None:
    assert elided.text().endswith("\u2026")
    assert elided.toolTip() == UNSTABLE
    elided.fit("wrapped")
    assert elided.text() == UNSTABLE
    assert elided.heightForWidth(60) > 2 * elided.heightForWidth(1000)
    assert not elided.toolTip()


def test_nothing_is_better_than_half(elided: ElidedLabel) -> None:
    elided.fit("whole or nothing")
    assert not elided.text()
    assert elided.toolTip() == UNSTABLE
    elided.resize(1000, 20)
    assert elided.text() == UNSTABLE
    elided.fit("elided")
    assert elided.text() == UNSTABLE


def test_a_verdict_gives_way_in_whole_clauses() -> None:
    verdict = "shared: 32 examples, 1 distinct row: they all share one key | each: 32 examples, all different"
    assert shorter(verdict)[1:] == [
        "32 examples, 1 distinct row: they all share one key | 32 examples, all different",
        "32 examples, 1 distinct row | 32 examples, all different",
        "32 examples, 1 distinct row: they all share one key",
        "32 examples, 1 distinct row",
        "1 distinct row",
        "32 examples",
    ]
    assert shorter("4 keys spent")[-1] == "4 keys spent"
