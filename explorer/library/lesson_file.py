"""A lesson in one file, a ``.jaxlesson``: a zip with its files, the edited code and the choices.

The file may come from anywhere: everything is checked before anything is used, and none of its code runs here.
"""

from __future__ import annotations

import atexit
import hashlib
import shutil
import stat
import tempfile
import zipfile
from functools import cache
from io import BytesIO
from pathlib import Path, PurePosixPath

import msgspec
from msgspec import structs

from explorer.library import own_file, packed_file, settings
from explorer.library.code_files import UnreadableCode
from explorer.library.folder import CODE, SHEET, from_file, from_folder
from explorer.library.settings import Arrangement
from explorer.link import temporary
from explorer.messages import Form, Value
from explorer.messages.encodable import encodable
from explorer.scenario.scenario import Scenario
from explorer.scenario.size import MOST_BYTES as MOST_CODE
from explorer.scenario.texts import Texts

ENDING = ".jaxlesson"
FORMAT = 1
MANIFEST, LESSON, EDITED = "manifest.json", "lesson", "edited.py"
MOST_FILES, MOST_BYTES, MOST_IN_FILE = 400, 40_000_000, 10_000_000
MOST_IN_NAME = 255
"""Bytes in the name of a file or folder on most systems."""
KINDS = (".py", ".md", ".toml", ".svg", ".png", ".jpg", ".jpeg", ".gif", ".json", ".csv", ".txt", ".npy", ".npz")
"""Endings of the files that are packed from a lesson's folder."""


class Choices(msgspec.Struct, frozen=True):
    """The choices around the code."""

    variant: str = ""
    compare: str = ""
    parameters: dict[str, Value] = {}
    form: Form = "jaxpr"
    page: int = 0
    revealed: bool = False
    arrangement: Arrangement = Arrangement()


class Manifest(msgspec.Struct, frozen=True):
    """The manifest of a lesson file."""

    format: int
    application: str = ""
    code: str = f"{LESSON}/{CODE}"
    title: dict[str, str] = {}
    choices: Choices = Choices()


class LessonFile(msgspec.Struct, frozen=True):
    """A lesson that was read from a file, and where it stood."""

    scenario: Scenario
    """The original lesson; its id is the path of the file."""
    source: str
    """The edited code."""
    choices: Choices = Choices()


def is_lesson_file(target: str) -> bool:
    """Return whether `target` is the path of a lesson file, by its ending."""
    return target.lower().endswith(ENDING)


def packed(scenario: Scenario, source: str, choices: Choices, application: str = "") -> bytes:
    """Return `scenario` with the code `source` as the content of a lesson file. Raises OSError."""
    path = Path(scenario.path)
    in_folder = scenario.origin != "new" and (path.parent / SHEET).is_file() and path.name == CODE
    name = path.name if not in_folder and is_portable(path.name) else CODE
    files = {f"{LESSON}/{name}": scenario.source.encode()}
    for file in _other_files(path.parent) if in_folder else ():
        files.setdefault(f"{LESSON}/{file.relative_to(path.parent).as_posix()}", _content_of(file))
    if source != scenario.source:
        files[EDITED] = source.encode(errors="replace")
    # Where panes lie as docks of their own is a matter of the screen.
    choices = structs.replace(choices, arrangement=structs.replace(choices.arrangement, docks=b""))
    manifest = Manifest(FORMAT, application, f"{LESSON}/{name}", scenario.title.by_language(), choices)
    files = {MANIFEST: msgspec.json.format(msgspec.json.encode(encodable(manifest)), indent=1) + b"\n", **files}
    return packed_file.zipped(files)


def _content_of(file: Path) -> bytes:
    try:
        return own_file.read_bytes(file, MOST_BYTES) or b""
    except own_file.Unreadable as error:
        raise OSError(f"{file} cannot be read") from error


def is_portable(name: str) -> bool:
    """Return whether a file can have this `name` on each system, and in a zip."""
    return name.isprintable() and not set(name) & set('\\/:*?"<>|') and 0 < len(name.encode()) <= MOST_IN_NAME


def _other_files(folder: Path) -> list[Path]:
    """Return the files of a lesson's folder that belong to it."""
    found = []
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        travels = all(is_portable(part) and not part.startswith((".", "__")) for part in parts)
        if travels and path.is_file() and not path.is_symlink() and path.suffix.lower() in KINDS:
            found.append(path)
    sizes = sum(path.stat().st_size for path in found)
    if len(found) > MOST_FILES - 4 or sizes > MOST_BYTES:
        raise OSError(f"{folder} has {len(found)} files of {sizes / 1e6:.0f} MB, which is too much for one file")
    return found


def read(path: Path) -> LessonFile:
    """Return the lesson in the file at `path`, without running its code. Raises UnreadableCode, in a sentence."""
    content = packed_file.content(path, MOST_BYTES)
    files = _files(path.name, content)
    manifest = _manifest(path.name, files)
    if manifest.code not in files:
        raise UnreadableCode(f"{path.name} has no code: {manifest.code} is not in it.")
    try:
        place = _unpacked(files, hashlib.sha256(content).hexdigest()[:32])
    except OSError as error:
        raise UnreadableCode(f"{path.name} cannot be unpacked: {error.strerror or error}.") from error
    code = place / manifest.code
    has_sheet = f"{PurePosixPath(manifest.code).parent}/{SHEET}" in files and code.name == CODE
    bare = structs.replace(from_file(code, "file", str(path)), title=Texts(path.name))
    scenario = structs.replace(from_folder(code.parent, "file"), id=str(path)) if has_sheet else bare
    if scenario.problem and not scenario.source:
        # Where it was unpacked says nothing to anyone.
        raise UnreadableCode(f"{path.name}: {scenario.problem.replace(f'{place}/', '')}")
    source = _text(path.name, EDITED, files[EDITED]) if EDITED in files else scenario.source
    return LessonFile(scenario, source, manifest.choices)


def _files(name: str, content: bytes) -> dict[str, bytes]:
    """Return the files in a zip; sizes and names in its headers are not trusted."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as zipped:
            entries = [each for each in zipped.infolist() if not each.is_dir()]
            if problem := _problem(entries):
                raise UnreadableCode(f"{name} is not opened: {problem}.")
            return {each.filename: _content(zipped, each) for each in entries}
    except packed_file.BROKEN as error:
        raise UnreadableCode(f"{name} is no lesson file: it is not a zip, or a broken one.") from error


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


def _manifest(name: str, files: dict[str, bytes]) -> Manifest:
    if MANIFEST not in files:
        raise UnreadableCode(f"{name} is no lesson file: it has no {MANIFEST}.")
    try:
        packed_file.refuse_newer(name, files[MANIFEST], FORMAT)
        manifest = msgspec.json.decode(files[MANIFEST], type=Manifest)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise UnreadableCode(f"{name} is no lesson file: its {MANIFEST} cannot be read.") from error
    if settings.fits(manifest.choices.arrangement):
        return manifest
    return structs.replace(manifest, choices=structs.replace(manifest.choices, arrangement=Arrangement()))


def _text(name: str, part: str, content: bytes) -> str:
    try:
        if len(content) > MOST_CODE:
            raise UnreadableCode(f"{part} in {name} has {len(content) / 1e6:.1f} MB: it is not opened.")
        return content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise UnreadableCode(f"{part} in {name} is not UTF-8 text.") from error


def unpacked_folder(scenario: Scenario) -> Path:
    """Return the folder with the files of `scenario`, which was read from a lesson file."""
    return next(each for each in Path(scenario.path).parents if each.parent == _room())


def _unpacked(files: dict[str, bytes], name: str) -> Path:
    """Return a folder that holds `files` until this process ends."""
    place = _room() / name
    if not place.exists():
        # Whole, or not there.
        making = Path(tempfile.mkdtemp(dir=_room()))
        try:
            for each, content in files.items():
                file = making.joinpath(*each.split("/"))
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
            making.rename(place)
        finally:
            shutil.rmtree(making, ignore_errors=True)
    return place


@cache
def _room() -> Path:
    room = temporary.make()
    atexit.register(temporary.remove, room)
    return room
