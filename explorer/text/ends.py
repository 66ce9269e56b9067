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
        self._beginning, self._left_out = "", 0
        self._pieces: list[str] = []
        self._length = 0
        """Characters in the pieces."""

    def add(self, text: str) -> None:
        """Append `text`."""
        self._pieces.append(text)
        self._length += len(text)
        if self._length > 4 * PART:
            self._beginning, self._left_out, end = self._cut()
            self._pieces, self._length = [end], len(end)

    def text(self) -> str:
        """Return all of it, or its two ends with a sentence between them that counts what is left out."""
        beginning, left_out, end = self._cut()
        return f"{beginning}{LEFT_OUT.format(left_out)}{end}" if left_out else end

    def _cut(self) -> tuple[str, int, str]:
        """Return the beginning, the number of characters behind it that are left out, and the end."""
        beginning, text = self._beginning, "".join(self._pieces)
        if not self._left_out:
            if len(text) <= MOST:
                return "", 0, text
            beginning, text = text[:PART], text[PART:]
        return beginning, self._left_out + max(len(text) - PART, 0), text[-PART:]


def ends(text: str) -> str:
    """Return `text`, cut if it is too long."""
    whole = Ends()
    whole.add(text)
    return whole.text()
