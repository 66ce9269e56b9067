"""What stands before the cursor in code that Python may not be able to read yet."""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass

MOST_LINES = 200
"""How far back the beginning of a statement is looked for."""

_OPENING, _CLOSING = "([{", ")]}"
_WORD = re.compile(r"(?<!\w)[^\W\d]\w*\Z")


@dataclass(frozen=True)
class Call:
    """The call whose brackets the cursor is between."""

    function: str
    """The expression that is called: ``jax.random.normal``."""
    position: int
    """How many commas of this call stand before the cursor."""
    keyword: str
    """The name whose value is being written, empty for a positional argument."""


def begun_word(source: str, line: int, column: int) -> str:
    """Return the part of a name that stands directly before the cursor, or an empty string."""
    found = _WORD.search(_line(source, line)[:column])
    return found[0] if found else ""


def whole_word_end(source: str, line: int, column: int) -> int:
    """Return the column behind the name that the cursor is in or before."""
    text = _line(source, line)
    while column < len(text) and (text[column].isalnum() or text[column] == "_"):
        column += 1
    return column


def expression_before(source: str, line: int, column: int) -> str:
    """Return the chain of names, attributes, calls and indices that ends at the cursor: ``x.at[0].se``."""
    tokens = _tokens(source, line, column)
    start = _chain_start(tokens, len(tokens))
    return "".join(token.string for token in tokens[start:])


def call_around(source: str, line: int, column: int) -> Call | None:
    """Return the innermost call that is open at the cursor, None outside of one."""
    tokens = _tokens(source, line, column)
    depth, commas, keyword = 0, 0, ""
    for place in range(len(tokens) - 1, -1, -1):
        text = tokens[place].string
        if text in _CLOSING and text:
            depth += 1
        elif text in _OPENING and depth:
            depth -= 1
        elif text in _OPENING and text:
            start = _chain_start(tokens, place)
            function = "".join(token.string for token in tokens[start:place])
            return Call(function, commas, keyword) if text == "(" and function else None
        elif text == "," and not depth:
            commas += 1
        elif text == "=" and not depth and not commas and place and tokens[place - 1].type == tokenize.NAME:
            keyword = tokens[place - 1].string
    return None


def _tokens(source: str, line: int, column: int) -> list[tokenize.TokenInfo]:
    """Return the tokens from the beginning of the statement to the cursor, as far as there are any."""
    lines = source.split("\n")[:line]
    if not lines:
        return []
    lines[-1] = lines[-1][:column]
    first = len(lines) - 1
    while first and len(lines) - first < MOST_LINES and (not lines[first] or lines[first][0] in " \t)]}#"):
        first -= 1
    found: list[tokenize.TokenInfo] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO("\n".join(lines[first:])).readline):
            if token.type in (tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING):
                found.append(token)
            elif token.type == tokenize.NEWLINE and token.string:
                found.clear()
    except (tokenize.TokenError, SyntaxError):
        pass  # an open bracket or string: what was read before it counts
    return found


def _chain_start(tokens: list[tokenize.TokenInfo], end: int) -> int:
    """Return where the chain of names, calls and indices that ends before token `end` begins."""
    place = end
    wants_name = place > 0 and tokens[place - 1].string == "."
    place -= wants_name
    while place:
        text, kind = tokens[place - 1].string, tokens[place - 1].type
        if text and text in _CLOSING:
            place = _opening(tokens, place - 1)
            opened = tokens[place].string
            called = place and (tokens[place - 1].type == tokenize.NAME or tokens[place - 1].string in (")", "]"))
            if opened in "([" and called:
                continue
            return place
        if kind in (tokenize.NAME, tokenize.NUMBER, tokenize.STRING):
            place -= 1
            if place and tokens[place - 1].string == "." and kind == tokenize.NAME:
                place -= 1
                continue
        return place
    return place


def _opening(tokens: list[tokenize.TokenInfo], closing: int) -> int:
    depth = 0
    for place in range(closing, -1, -1):
        text = tokens[place].string
        depth += (text in _CLOSING) - (text in _OPENING) if text else 0
        if not depth:
            return place
    return 0


def _line(source: str, line: int) -> str:
    lines = source.split("\n")
    return lines[line - 1] if 0 < line <= len(lines) else ""
