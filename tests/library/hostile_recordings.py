"""Damaged and hostile recordings, made from a sound one by a seed."""

from __future__ import annotations

import random
import zipfile
from collections.abc import Callable, Iterator
from copy import deepcopy
from io import BytesIO
from typing import Any

import msgspec

from explorer.library.recording_file import ABOUT, PROGRAM, REPORT

NUMBERS = (-1, 0, 1, 7, 255, 2**31, 2**62, -(2**63), 2**64 - 1)
WORDS = ("", "<script>alert(1)</script>", "{words.__class__}", "{0}", "{", "\x00", "../../x", "|O", "<f8", "가" * 5000)
ODD_OUTPUTS = (
    "x" * 5_000_000,
    "\n" * 1_000_000,
    "\r\x1b[" * 100_000,
    "</pre><script>alert(1)</script>\x1b]8;;",
    "\u202e\x00\x9b",
)
ODD: tuple[Any, ...] = (None, True, 0.5, float("nan"), [], {}, [[[]]], b"", b"\xff" * 9)


def hostile(content: bytes, count: int, seed: int) -> Iterator[bytes]:
    """Yield `count` changed forms of the recording `content`."""
    rng = random.Random(seed)
    for _ in range(count):
        yield rng.choice(WAYS)(content, rng)


def _cut(content: bytes, rng: random.Random) -> bytes:
    return content[: rng.randrange(len(content))]


def _flipped(content: bytes, rng: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.randrange(1, 4)):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _without(content: bytes, rng: random.Random) -> bytes:
    files = unzipped(content)
    del files[rng.choice(list(files))]
    return zipped(files)


def _flipped_inside(content: bytes, rng: random.Random) -> bytes:
    files = unzipped(content)
    name = rng.choice([ABOUT, PROGRAM, REPORT, REPORT, REPORT])
    return zipped({**files, name: _flipped(files[name], rng)})


def _changed(content: bytes, rng: random.Random) -> bytes:
    """Return the recording with one to three of the values in its records replaced."""
    files = unzipped(content)
    records = msgspec.msgpack.decode(files[REPORT])
    for _ in range(rng.randrange(1, 4)):
        _replace_one(records, rng)
    return zipped({**files, REPORT: msgspec.msgpack.encode(records)})


def _printed(content: bytes, rng: random.Random) -> bytes:
    """Return the recording with an output of another type, or one that is no text for a page or a window."""
    files = unzipped(content)
    printed = rng.choice([*ODD, 7, *WORDS, *ODD_OUTPUTS])
    return zipped(
        {**files, REPORT: msgspec.msgpack.encode({**msgspec.msgpack.decode(files[REPORT]), "printed": printed})}
    )


def bomb(content: bytes) -> bytes:
    """Return the recording with a file that fills the memory."""
    return zipped({**unzipped(content), ABOUT: b" " * 200_000_000})


def _nested(content: bytes, rng: random.Random) -> bytes:
    deep = b"[" * 100_000 if rng.random() < 0.5 else b"\x91" * 100_000
    return zipped({**unzipped(content), rng.choice([ABOUT, REPORT]): deep})


WAYS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    *(_cut, _flipped, _without, _flipped_inside, _nested, _printed),
    *([_changed] * 12),
)


def _replace_one(record: Any, rng: random.Random) -> None:
    """Walk down `record` by chance, and replace what is there by something else, mostly of its type."""
    while True:
        places = list(record.keys() if isinstance(record, dict) else range(len(record)))
        place = rng.choice(places)
        inner = record[place]
        if isinstance(inner, dict | list) and inner and rng.random() < 0.95:
            record = inner
            continue
        record[place] = _other(inner, rng)
        return


def _other(value: Any, rng: random.Random) -> Any:
    if rng.random() < 0.15:
        return deepcopy(rng.choice(ODD))
    if isinstance(value, bytes):
        return rng.choice([value[:-1], value + b"\0", _flipped(value, rng) if value else b"\0", value * 2])
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return rng.choice(NUMBERS)
    if isinstance(value, float):
        return rng.choice([float("inf"), float("nan"), -1e308])
    if isinstance(value, str):
        return rng.choice(WORDS)
    return deepcopy(rng.choice(ODD))


def unzipped(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(content)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return buffer.getvalue()
