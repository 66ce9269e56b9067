from __future__ import annotations

import random

import pytest

from explorer.text.ends import LEFT_OUT, MOST, PART, Ends, ends


@pytest.mark.parametrize("length", [0, 1, PART, MOST, MOST + 1, 10 * PART + 7])
@pytest.mark.parametrize("largest", [7, 9 * PART])
def test_a_long_text_is_its_two_ends_in_whatever_pieces_it_comes(length: int, largest: int) -> None:
    rng = random.Random(length)
    text = "".join(rng.choices("ab \n가", k=length))
    whole, at = Ends(), 0
    while at < length:
        size = rng.randrange(1, largest + 1)
        whole.add(text[at : at + size])
        at += size
        if rng.random() < 10 / length:
            # It may be read at any time.
            whole.text()
    shortened = f"{text[:PART]}{LEFT_OUT.format(length - 2 * PART)}{text[-PART:]}"
    assert whole.text() == (text if length <= MOST else shortened)
    assert len(whole.text()) <= MOST
    assert ends(whole.text()) == whole.text()
