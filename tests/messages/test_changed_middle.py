"""What lies between the common beginning and the common end turns one text into the other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.messages import changed_middle

TEXTS = st.text(st.sampled_from("ab\n"), max_size=40)


@given(TEXTS, TEXTS)
def test_the_middle_turns_one_into_the_other_and_is_as_short_as_it_can_be(one: str, other: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(changed_middle, "STRETCH", 3)
        front, back = changed_middle.changed_middle(one, other)
    old, new = one[front : len(one) - back], other[front : len(other) - back]
    assert one[:front] + new + one[len(one) - back :] == other
    assert not old or not new or (old[0] != new[0] and old[-1] != new[-1])
