"""Where a line breaks that is too long, and has no space: behind brackets and dots, then inside names. No Qt."""

from __future__ import annotations

import re

_JOINTS = tuple(map(re.compile, (r"[\s({\[,.=]", "_|(?<=[a-z])(?=[A-Z])")))
"""Places where a line may break, the best ones first."""
_NO_BEGINNING = ",.:)]}"
"""Characters with which no line begins."""


def joint(text: str, start: int, end: int) -> int:
    """Return the best place to break the line `start` to `end` of `text`; 0 where it ends well or has none."""
    if end >= len(text) or not (text[end - 1 : end + 1].isalnum() or text[end] in _NO_BEGINNING):
        return 0
    first = start + len(text[start:end]) - len(text[start:end].lstrip())
    found = ([each.end() for each in joint.finditer(text, first, end)] for joint in _JOINTS)
    return next((places[-1] for places in found if places), 0)
