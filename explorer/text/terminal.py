"""The output of a program as a terminal leaves it, as plain text. Needs nothing but Python."""

from __future__ import annotations

import re

_SEQUENCES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-_])")
"""Colours, movements of the cursor, links: ECMA-48, section 5."""
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def as_plain_text(text: str) -> str:
    """Return `text` without colours and control characters; a line that was written again has its last form."""
    lines = _SEQUENCES.sub("", text).split("\n")
    return _CONTROLS.sub("", "\n".join([line.rstrip("\r").rpartition("\r")[2] for line in lines]))
