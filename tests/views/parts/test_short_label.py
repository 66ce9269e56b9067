"""A label takes a few lines at most and keeps the rest for its tool tip."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from views.parts.short_label import ShortLabel

TEXT = "32 examples, 1 distinct row: they all share one key"


@pytest.fixture
def label(qtbot: QtBot) -> ShortLabel:
    made = ShortLabel()
    qtbot.addWidget(made)
    made.setText(TEXT)
    return made


def test_a_wide_label_shows_its_text_on_one_line(label: ShortLabel) -> None:
    label.resize(2000, 20)
    label.grab()
    assert label.lines(2000) == [TEXT]
    assert label.toolTip() == ""


def test_a_narrow_label_wraps(label: ShortLabel) -> None:
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
    assert label.lines(label.fontMetrics().horizontalAdvance(fits)) == lines
