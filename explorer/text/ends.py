"""A text that may be endless, cut to its beginning and its end. Needs nothing but Python."""

from __future__ import annotations

PART = 100_000
"""The characters of the beginning and of the end that are kept."""
MOST = 2 * PART + 100
"""The most characters of the result; the rest is room for the sentence on what was left out."""
LEFT_OUT = "\n(output cut: {:,} characters are left out here)\n"


class Ends:
    """The beginning and the end of a text that grows."""

    def __init__(self) -> None:
        self._beginning = ""
        self._pieces: list[str] = []
        self._length = 0
        """Characters in the pieces."""
        self._left_out = 0

    def add(self, text: str) -> None:
        """Append `text`."""
        self._pieces.append(text)
        self._length += len(text)
        if self._length > 4 * PART:
            self._cut()

    def text(self) -> str:
        """Return all of it, or its two ends with a sentence between them that counts what is left out."""
        if self._length > (PART if self._beginning else MOST):
            self._cut()
        rest = "".join(self._pieces)
        return f"{self._beginning}{LEFT_OUT.format(self._left_out)}{rest}" if self._left_out else self._beginning + rest

    def _cut(self) -> None:
        text = "".join(self._pieces)
        if not self._beginning:
            self._beginning, text = text[:PART], text[PART:]
        self._left_out += max(len(text) - PART, 0)
        self._pieces = [text[-PART:]]
        self._length = len(self._pieces[0])


def ends(text: str) -> str:
    """Return `text`, cut if it is too long."""
    whole = Ends()
    whole.add(text)
    return whole.text()
