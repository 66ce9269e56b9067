"""Files of ours that are a zip: made the same each time, and read with nothing in them trusted."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import msgspec

from explorer.library import own_file
from explorer.library.code_files import UnreadableCode

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The same content makes the same file."""
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError)
"""Exceptions of a zip that is none."""


class Format(msgspec.Struct, frozen=True):
    """The part of a description that every version can read."""

    format: int


def zipped(files: Mapping[str, bytes], *, quickly: bool = False) -> bytes:
    """Return a zip of `files`, by name; made `quickly` it is a little larger."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(zipfile.ZipInfo(name, EPOCH), content, zipfile.ZIP_DEFLATED, 1 if quickly else None)
    return buffer.getvalue()


def content(path: Path, most: int) -> bytes:
    """Return the content of the file at `path`, of at most `most` bytes. Raises UnreadableCode, in a sentence."""
    try:
        found = own_file.read_bytes(path, most)
    except own_file.Unreadable as error:
        if error.reason == "size":
            raise UnreadableCode(f"{path.name} has over {most // 10**6} MB: it is not opened.") from error
        raise UnreadableCode(f"{path} cannot be read: {error.__cause__ or 'it is no file'}.") from error
    if found is None:
        raise UnreadableCode(f"{path} cannot be read: there is no such file.")
    return found


def unpacked(packed: zipfile.ZipFile, name: str, most: int) -> bytes:
    """Return the file `name` in a zip; the size in its header is not trusted. Raises BadZipFile if it is larger."""
    with packed.open(name) as file:
        found = file.read(most + 1)
    if len(found) > most:
        raise zipfile.BadZipFile
    return found


def refuse_newer(name: str, description: bytes, known: int) -> None:
    """Raise UnreadableCode if `description` has a format above `known`; raise what msgspec raises if it has none."""
    version = msgspec.json.decode(description, type=Format).format
    if version > known:
        raise UnreadableCode(
            f"{name} was made by a newer JAX Explorer (format {version}; this one reads {known}): update it."
        )
