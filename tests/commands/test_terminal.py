from __future__ import annotations

import pytest

from explorer.commands.export.recording_page import as_plain_text


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("a\tb\n\nc", "a\tb\n\nc"),
        ("one\r\ntwo\r\n", "one\ntwo\n"),
        (" 10 %\r 50 %\r100 %\nend", "100 %\nend"),
        (" 10 %\r 50 %\r", " 50 %"),
        ("\x1b[1;31mred\x1b[0m \x1b]8;;https://x.org\x1b\\link\x1b]8;;\x07 \x1bM", "red link "),
        ("\x00\x07\x08\x0c\x7f\x9b가 <b>", "가 <b>"),
        ("\x1b[", ""),
    ],
)
def test_the_last_form_of_a_line_without_colours(printed: str, shown: str) -> None:
    assert as_plain_text(printed) == shown
