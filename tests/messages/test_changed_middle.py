"""The changes turn one text into the other, and distant changes are separate."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.messages import changed_middle
from explorer.messages.changed_middle import changes

TEXTS = st.text(st.sampled_from("ab\n"), max_size=40)


def made(one: str, other: str) -> str:
    """Return `one` with its changes made."""
    for change in reversed(list(changes(one, other))):
        one = one[: change.start] + other[change.other_start : change.other_end] + one[change.end :]
    return one


@given(TEXTS, TEXTS)
def test_the_changes_turn_one_into_the_other(one: str, other: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("STRETCH", 3), ("SHORT", 4), ("ANCHOR", 2), ("FARTHEST", 9), ("MOST_CHANGES", 3)):
            patch.setattr(changed_middle, name, value)
        front, back = changed_middle.changed_middle(one, other)
        assert made(one, other) == other
    assert one[:front] == other[:front]
    assert one[len(one) - back :] == other[len(other) - back :]


def test_changes_far_apart_leave_what_lies_between_them() -> None:
    lines = [f"x{row} = {row}" for row in range(50_000)]
    other = list(lines)
    other[3:3] = ["y = 1"]
    del other[20_000:20_003]
    other[49_000] = "z"
    one, two = "\n".join(lines), "\n".join(other)
    assert made(one, two) == two
    assert sum(change.end - change.start for change in changes(one, two)) < 200
