"""Where a line breaks that is too long, and has no space: behind brackets and dots, then inside names. No Qt."""

from __future__ import annotations

import re

_JOINTS = tuple(map(re.compile, (r"[\s({\[,.=]", "_|(?<=[a-z])(?=[A-Z])")))
"""Places where a line may break, the best ones first."""


def joint(text: str, start: int, end: int) -> int:
    """Return the best place to break the line `start` to `end` of `text`; 0 where it ends between words or has none."""
    if not text[end - 1 : end + 1].isalnum() or end >= len(text):
        return 0
    first = start + len(text[start:end]) - len(text[start:end].lstrip())
    found = ([each.end() for each in joint.finditer(text, first, end)] for joint in _JOINTS)
    return next((places[-1] for places in found if places), 0)
