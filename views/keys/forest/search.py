"""Finding keys by hex digits of their data, or by the example that they serve."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from explorer.figures.forest.index import WORDS, KeyIndex

DIGITS = 8
"""Hex digits of one word."""
MOST_FOUND = 1000
ELLIPSIS = re.compile(r"…|\.{2,}")


def find_keys(index: KeyIndex, text: str, example: str = "example") -> list[int]:
    """Return the first MOST_FOUND keys that `text` names, in order; none for an empty text.

    ``example 5`` names the keys that were drawn from for example 5; ``6d3a`` those with these digits in
    a row; ``6d3a…91f2`` those that begin and end so. `example` is that word in the language of the window.
    """
    text = text.strip()
    words = f"(?:example|{re.escape(example)}|#)"
    if match := re.fullmatch(rf"{words}\s*(\d+)", text, re.IGNORECASE):
        return _serving(index, int(match[1]))
    beginning, *rest = ELLIPSIS.split(text.lower().removeprefix("0x"))
    if rest:
        return _enclosed(index, beginning, rest[-1])
    return _containing(index, beginning) if beginning else []


def _serving(index: KeyIndex, example: int) -> list[int]:
    """Return the keys drawn from for one example, those that serve the whole batch among them."""
    whole_batch = (index.draw_example < 0) & (index.draw_serves > max(1, example))
    found = index.draw_key[(index.draw_example == example) | whole_batch]
    return list(dict.fromkeys(found.tolist()))[:MOST_FOUND]


def _containing(index: KeyIndex, digits: str) -> list[int]:
    """Return the keys that contain `digits`; one search through all the data as a single text."""
    text, each = _digits(index).tobytes().decode(), index.data.shape[1] * DIGITS
    found: list[int] = []
    start = text.find(digits)
    while start >= 0 and len(found) < MOST_FOUND:
        end_of_key = (start // each + 1) * each
        inside = start + len(digits) <= end_of_key
        if inside:
            found.append(start // each)
        start = text.find(digits, end_of_key if inside else start + 1)
    return found


def _enclosed(index: KeyIndex, beginning: str, end: str) -> list[int]:
    """Return the keys that begin and end so; narrow keys begin after the padding of a mixed graph."""
    digits = _digits(index)
    width = digits.shape[1]
    offsets = {0, *(width - words * DIGITS for words in WORDS.values() if words * DIGITS < width)}
    begins = np.logical_or.reduce([_reads(digits, offset, beginning) for offset in offsets])
    found: list[int] = np.flatnonzero(begins & _reads(digits, width - len(end), end))[:MOST_FOUND].tolist()
    return found


def _digits(index: KeyIndex) -> npt.NDArray[np.uint8]:
    """Return uint8[n, digits]: the key data as ASCII hex digits."""
    text = np.ascontiguousarray(index.data, dtype=">u4").tobytes().hex()
    return np.frombuffer(text.encode(), np.uint8).reshape(index.nodes, -1)


def _reads(digits: npt.NDArray[np.uint8], offset: int, text: str) -> npt.NDArray[np.bool_]:
    """Return bool[n]: whether each row has `text` at `offset`."""
    there = digits[:, max(offset, 0) : max(offset, 0) + len(text)]
    if there.shape[1] != len(text) or not text.isascii():
        return np.zeros(len(digits), bool)
    matches: npt.NDArray[np.bool_] = (there == np.frombuffer(text.encode(), np.uint8)).all(axis=1)
    return matches
