"""A ``.jaxlesson``, the zip in which lessons were once sent: unpacked next to itself, with nothing in it trusted."""

from __future__ import annotations

import shutil
import stat
import tempfile
import zipfile
from io import BytesIO
from pathlib import Path

import msgspec

from explorer.library import packed_file
from explorer.library.code_files import UnreadableCode

ENDING = ".jaxlesson"
MANIFEST, LESSON, EDITED = "manifest.json", "lesson/", "edited.py"
MOST_FILES, MOST_BYTES, MOST_IN_FILE = 400, 40_000_000, 10_000_000
MOST_IN_NAME = 255
"""Bytes in the name of a file or folder on most systems."""


class Manifest(msgspec.Struct, frozen=True):
    """The description of an archive, as far as it is still of use."""

    code: str = f"{LESSON}code.py"


def is_archive(target: str) -> bool:
    """Return whether `target` is the path of an archive, by its ending."""
    return target.lower().endswith(ENDING)


def unpacked(path: Path) -> Path:
    """Return the code of the lesson in the archive at `path`, in a folder next to it.

    A folder that is there already stays as it is. Raises UnreadableCode, in a sentence.
    """
    files = _files(path.name, packed_file.content(path, MOST_BYTES))
    code = _code(path.name, files)
    lesson = {name.removeprefix(LESSON): content for name, content in files.items() if name.startswith(LESSON)}
    lesson[code] = files.get(EDITED, lesson[code])
    folder = path.with_suffix("")
    try:
        if not folder.exists():
            _write(folder, lesson)
    except OSError as error:
        raise UnreadableCode(f"{path.name} cannot be unpacked: {error.strerror or error}.") from error
    return folder / code


def _files(name: str, content: bytes) -> dict[str, bytes]:
    """Return the files in a zip; sizes and names in its headers are not trusted."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as zipped:
            entries = [each for each in zipped.infolist() if not each.is_dir()]
            if problem := _problem(entries):
                raise UnreadableCode(f"{name} is not opened: {problem}.")
            return {each.filename: _content(zipped, each) for each in entries}
    except packed_file.BROKEN as error:
        raise UnreadableCode(f"{name} is no lesson: it is not a zip, or a broken one.") from error


def _content(zipped: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    content = packed_file.unpacked(zipped, entry.filename, entry.file_size)
    if len(content) != entry.file_size:
        raise zipfile.BadZipFile
    return content


def _problem(entries: list[zipfile.ZipInfo]) -> str:
    """Return the problem with the `entries` of a zip, before any is unpacked; empty for none."""
    names = [each.filename for each in entries]
    if len(entries) > MOST_FILES:
        return f"it holds {len(entries):,} files, and a lesson has {MOST_FILES} at most"
    if len({each.lower() for each in names}) != len(names):
        return "two of its files have one name"
    for each in entries:
        parts = each.filename.split("/")
        if not all(parts) or {".", ".."} & set(parts) or any(c in each.filename for c in "\\:\0") or len(parts) > 8:
            return f"a file in it would lie elsewhere ({each.filename[:60]!r})"
        if any(len(part.encode(errors="surrogatepass")) > MOST_IN_NAME for part in parts):
            return f"the name {each.filename[:60]} in it is too long"
        if any("/".join(parts[:depth]) in names for depth in range(1, len(parts))):
            return f"{each.filename[:60]} in it lies in a file"
        if stat.S_ISLNK(each.external_attr >> 16):
            return f"{each.filename[:60]} in it is a link"
        if each.flag_bits & 1:
            return f"{each.filename[:60]} in it is encrypted"
        if each.file_size > MOST_IN_FILE:
            return f"{each.filename[:60]} in it has {each.file_size / 1e6:,.0f} MB"
    if (size := sum(each.file_size for each in entries)) > MOST_BYTES:
        return f"unpacked it has {size / 1e6:,.0f} MB"
    return ""


def _code(name: str, files: dict[str, bytes]) -> str:
    """Return the name of the lesson's code among `files`."""
    if MANIFEST not in files:
        raise UnreadableCode(f"{name} is no lesson: it has no {MANIFEST}.")
    try:
        code = msgspec.json.decode(files[MANIFEST], type=Manifest).code
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise UnreadableCode(f"{name} is no lesson: its {MANIFEST} cannot be read.") from error
    if code not in files or not code.startswith(LESSON):
        raise UnreadableCode(f"{name} has no code: {code} is not in it.")
    return code.removeprefix(LESSON)


def _write(folder: Path, files: dict[str, bytes]) -> None:
    """Make `folder` with `files` in it, whole or not at all. Raises OSError."""
    making = Path(tempfile.mkdtemp(dir=folder.parent))
    try:
        for name, content in files.items():
            file = making.joinpath(*name.split("/"))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        making.rename(folder)
    finally:
        shutil.rmtree(making, ignore_errors=True)
