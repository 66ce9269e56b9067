"""Damaged files, by the kind of damage."""

from __future__ import annotations

import os
import random
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
PLACES: dict[str, Callable[[Path], None]] = {
    "folder": lambda path: path.mkdir(),
    "large": _large,
}
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


def damage_somehow(path: Path, chance: random.Random, number: int) -> str:
    """Damage the file at `path` in the `number`-th way, of any number of them; return its name."""
    content = path.read_bytes()
    if number < len(FORMS):
        damage(path, FORMS[number])
        return FORMS[number]
    if number < len(FORMS) + 10:
        tenths = number - len(FORMS)
        path.write_bytes(content[: len(content) * tenths // 10])
        return f"cut after {tenths} tenths"
    flipped = bytearray(content)
    places = [chance.randrange(len(content)) for _ in range(chance.randrange(1, 4))]
    for each in places:
        flipped[each] ^= chance.randrange(1, 256)
    path.write_bytes(flipped)
    return f"bytes {places} changed"
