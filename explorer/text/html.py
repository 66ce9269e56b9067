"""HTML that is built piece by piece: any text that is not Html yet is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape

_CODE = re.compile("`([^`]+)`")


class Html(str):
    """A text that is HTML already."""

    __slots__ = ()


def html(*parts: str) -> Html:
    """Return `parts` concatenated."""
    return Html("".join([part if isinstance(part, Html) else escape(part) for part in parts]))


def tag(name: str, *inside: str, **attributes: object) -> Html:
    """Return the element `name` with the content `inside`, and `attributes` as in `start`."""
    return Html(f"{start(name, **attributes)}{html(*inside)}</{name}>")


def start(name: str, **attributes: object) -> Html:
    """Return the opening tag of `name`: ``class_="dim"``, ``open=True``; None and False leave an attribute out."""
    parts = [f"<{name}"]
    for key, value in attributes.items():
        if value is not None and value is not False:
            spelt, text = key.rstrip("_").replace("_", "-"), value if isinstance(value, str) else str(value)
            parts.append(spelt if value is True else f'{spelt}="{html(text)}"')
    return Html(f"{' '.join(parts)}>")


def around(name: str, pieces: Iterable[Html], **attributes: object) -> Iterator[Html]:
    """Yield the element `name` in pieces: its opening tag, its `pieces`, its closing tag."""
    yield start(name, **attributes)
    yield from pieces
    yield Html(f"</{name}>")


def filled_with(sentence: str, *parts: str) -> Html:
    """Return `sentence` with `parts` filled in for its ``{}``."""
    return Html(escape(sentence).format(*map(html, parts)))


def with_code(sentence: str) -> Html:
    """Return `sentence` with text in backticks as code."""
    return Html(_CODE.sub(r"<code>\1</code>", escape(sentence)))
