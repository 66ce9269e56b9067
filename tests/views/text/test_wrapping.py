"""The text of a cell takes as many lines as it needs, and nothing of it is lost."""

from __future__ import annotations

import pytest

from views.text.wrapping import in_lines


def letters(text: str, _face: str) -> float:
    return float(len(text))


def lines(texts: tuple[str, ...], room: float) -> list[str]:
    emitted: list[str] = []
    for stretch in in_lines([(text, "code") for text in texts], room, 1.0, letters):
        emitted += [""] * (stretch.line + 1 - len(emitted))
        emitted[stretch.line] += " " * (round(stretch.left) - len(emitted[stretch.line])) + stretch.text
    return [line.rstrip() for line in emitted]


@pytest.mark.parametrize(
    ("texts", "room", "emitted"),
    [
        (("the same",), 20, ["the same"]),
        (("the same for all 32",), 8, ["the same", "for all", "32"]),
        (("f32[8]", "one for each"), 10, ["f32[8] one", "for each"]),
        (("f32[8,10]", "one"), 10, ["f32[8,10]", "one"]),
        (("broadcast_in_dim",), 7, ["broadca", "st_in_", "dim"]),
        (("a", "broadcast_in_dim"), 10, ["a", "broadcast_", "in_dim"]),
        (("f32[100,200,300]",), 8, ["f32[100,", "200,300]"]),
        ((), 10, []),
    ],
)
def test_no_line_is_longer_than_there_is_room_for(texts: tuple[str, ...], room: int, emitted: list[str]) -> None:
    assert lines(texts, room) == emitted


@pytest.mark.parametrize("room", [-3, 0, 1, 2, 5, 13])
def test_every_letter_is_there_however_little_room_there_is(room: int) -> None:
    texts = ("all 32 draw the same", "u32[32,2]")
    stretches = list(in_lines([(text, "code") for text in texts], room, 1.0, letters))
    for number, text in enumerate(texts):
        assert "".join(each.text for each in stretches if each.number == number) == text
