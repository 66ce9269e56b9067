"""Damaged files, by the kind of damage."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from explorer.library.own_file import MOST_BYTES


def _large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)


CONTENTS: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "zeros": lambda content: bytes(len(content)),
    "cut": lambda content: content[: len(content) // 2],
    "no Unicode": lambda content: b"\xff" + content,
    "nested": lambda _: b'{"unknown": ' + b"[" * 100_000,
    "closed and nested": lambda _: b'{"unknown": ' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}",
    "another kind": lambda _: b"[1, 2]",
}
PLACES: dict[str, Callable[[Path], None]] = {"folder": Path.mkdir, "large": _large}
if os.name != "nt":
    PLACES |= {
        "pipe": os.mkfifo,
        "device": lambda path: path.symlink_to("/dev/zero"),
        "circle": lambda path: path.symlink_to(path),
    }
FORMS = (*CONTENTS, *PLACES)


def damage(path: Path, form: str) -> None:
    """Let this become of the file at `path`."""
    content = path.read_bytes()
    path.unlink()
    if form in CONTENTS:
        path.write_bytes(CONTENTS[form](content))
    else:
        PLACES[form](path)
