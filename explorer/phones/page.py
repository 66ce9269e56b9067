"""The page that phones open: letters as buttons and a field for the room code; nothing from outside."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from pathlib import Path

from explorer.text.text import Text, say

TITLE = say("Vote")
WORDS: dict[str, Text] = {
    "waiting": say("Waiting for the next question"),
    "ask": say("Type the four digits of the room code, then tap a letter."),
    "tap": say("Tap a letter."),
    "voted": say("Your vote is counted. Tap another letter to change it."),
    "lost": say("Your vote did not arrive. Tap again."),
    "403": say("This is not the room code."),
    "409": say("This question is closed."),
    "423": say("You have changed your vote too often."),
    "429": say("Too many tries. Wait a minute."),
}
"""The sentences of the page, some by the status of the answer."""
CODE = say("Room code")
SCRIPT = say("This page needs JavaScript.")


@cache
def page(language: str) -> bytes:
    """Return the page in `language`."""
    words = json.dumps({name: text.in_language(language) for name, text in WORDS.items()}, ensure_ascii=False)
    parts = {"LANGUAGE": language, "WORDS": words.replace("<", "\\u003c")}
    parts |= {name: text.in_language(language) for name, text in (("TITLE", TITLE), ("CODE", CODE), ("SCRIPT", SCRIPT))}
    html = (Path(__file__).parent / "page.html").read_text(encoding="utf-8")
    return re.sub(r"%([A-Z]+)%", lambda found: parts[found[1]], html).encode()


@cache
def security_policy(page: bytes) -> str:
    """Return the Content-Security-Policy of `page`: its own style and script, and its own server."""
    hashes = {name: _hash(page, name) for name in ("style", "script")}
    own = "; ".join(f"{name}-src {value}" for name, value in hashes.items())
    return f"default-src 'none'; {own}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def _hash(page: bytes, element: str) -> str:
    content = page.partition(f"<{element}>".encode())[2].partition(f"</{element}>".encode())[0]
    return f"'sha256-{base64.b64encode(hashlib.sha256(content).digest()).decode()}'"
