"""A folder that travels to a remote with the program: the choice of its files, and their archive."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from explorer.link.remotes.trouble import NoRemote, RemoteProblem

MOST_FILES = 500
MOST_BYTES = 20_000_000
NEVER = frozenset({"__pycache__", "node_modules"})
"""Folders of generated or downloaded files, skipped like hidden folders and environments."""


class File(NamedTuple):
    """One that travels: its name within the folder, and its size in bytes."""

    name: str
    size: int


class Folder(msgspec.Struct, frozen=True):
    """The packed folder of a program.

    Attributes:
        path: its path on this machine.
        packed: a zip of its files.
    """

    path: str
    packed: bytes


def files_of(path: Path) -> list[File]:
    """Return the files that travel with the folder at `path`: none that is hidden or outside of it.

    Raises NoRemote where they are too many or too large, and OSError.
    """
    found: list[File] = []
    for each in _files(path, path.resolve()):
        found.append(File(each.relative_to(path).as_posix(), each.stat().st_size))
        if len(found) > MOST_FILES:
            raise NoRemote(RemoteProblem("many_files", str(path), str(MOST_FILES)))
        if sum(file.size for file in found) > MOST_BYTES:
            raise NoRemote(RemoteProblem("large", str(path), str(MOST_BYTES // 1_000_000)))
    return sorted(found)


def packed(path: Path, files: Sequence[File]) -> Folder:
    """Return the folder at `path` with these of its files. Raises OSError."""
    together = io.BytesIO()
    with zipfile.ZipFile(together, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.writestr(file.name, (path / file.name).read_bytes())
    return Folder(str(path), together.getvalue())


def _files(folder: Path, whole: Path) -> Iterator[Path]:
    """Yield the files of `folder` that travel; `folder` lies in the `whole`."""
    entries = [each for each in os.scandir(folder) if not each.name.startswith(".") and each.name not in NEVER]
    for each in sorted(entries, key=lambda entry: entry.name):
        path = Path(each.path)
        if each.is_dir(follow_symlinks=False):
            if not any((path / name).exists() for name in ("pyvenv.cfg", "conda-meta")):
                yield from _files(path, whole)
        elif path.is_file() and path.resolve().is_relative_to(whole):
            yield path
