"""A recorded run in one file, a ``.jaxrec``: a zip of about.json, program.py and report.msgpack.

docs/recording-format.md describes it. The file may come from anywhere: all of it is checked before anything is shown.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import msgspec

from explorer.library import own_file
from explorer.library.code_files import UnreadableCode
from explorer.library.recording_check import problem
from explorer.messages import Report
from explorer.messages.encodable import encodable, packed
from explorer.messages.recorded_run import RecordedRun, RecordingOrigin, recorded_parts
from explorer.scenario.scenario import Scenario
from explorer.scenario.size import MOST_BYTES as MOST_CODE
from explorer.scenario.texts import Texts
from explorer.text.text import say

DOES_NOT_RUN = "{} is a recording, which does not run: `jax-explorer open` and `show` show it."
FORMAT = 1
ABOUT, PROGRAM, REPORT = "about.json", "program.py", "report.msgpack"
MOST_BYTES = 64_000_000
"""Largest file that is read."""
MOST_UNPACKED = {ABOUT: 100_000, PROGRAM: MOST_CODE, REPORT: 256_000_000}
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The same content makes the same file."""
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError)
"""Exceptions of a zip that is none."""


class _Format(msgspec.Struct, frozen=True):
    """The part of a description that every version can read."""

    format: int


def write(path: Path, run: RecordedRun, *, quickly: bool = False) -> None:
    """Write `run` to `path`, without arrays or keys if it is too large; `quickly` compresses less. Raises OSError."""
    for each in _ever_smaller(run):
        report = packed(each.report)
        if len(report) <= MOST_UNPACKED[REPORT]:
            content = _zipped(each, report, quickly)
            if len(content) <= MOST_BYTES:
                break
    own_file.write_atomically(path, content)


def _ever_smaller(run: RecordedRun) -> Iterator[RecordedRun]:
    """Yield `run`, then with less and less."""
    yield run
    for field, words in (
        ("pictures", say("The arrays were too large for the file.")),
        ("keys", say("The tree of keys was too large for the file.")),
    ):
        report = msgspec.structs.replace(run.report, **{field: None})
        about = msgspec.structs.replace(run.about, left_out=(*run.about.left_out, words))
        run = msgspec.structs.replace(run, about=about, report=report)
        yield run


def _zipped(run: RecordedRun, report: bytes, quickly: bool) -> bytes:
    about = {"format": FORMAT, **encodable(run.about)}
    files = {
        ABOUT: msgspec.json.format(msgspec.json.encode(about), indent=1) + b"\n",
        PROGRAM: run.source.encode(errors="replace")[:MOST_CODE],
        REPORT: report,
    }
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED, 1 if quickly else None)
    return buffer.getvalue()


def read(path: Path) -> RecordedRun:
    """Return the run in the file at `path`. Raises UnreadableCode, in a sentence."""
    name = path.name
    files = _files(name, _content(path))
    try:
        if (version := msgspec.json.decode(files[ABOUT], type=_Format).format) > FORMAT:
            raise UnreadableCode(
                f"{name} was made by a newer JAX Explorer (format {version}; this one reads {FORMAT}): update it."
            )
        about = msgspec.json.decode(files[ABOUT], type=RecordingOrigin)
        report = msgspec.msgpack.decode(files[REPORT], type=Report)
        run = RecordedRun(about, files[PROGRAM].decode("utf-8"), recorded_parts(report))
        words = problem(run)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise UnreadableCode(f"{name} is damaged: its content cannot be read.") from error
    if words:
        raise UnreadableCode(f"{name} is damaged: {words}.")
    return run


def scenario(path: Path, run: RecordedRun) -> Scenario:
    """Return the program of `run`, which was read from `path`, as something to open; its id is the path."""
    return Scenario(str(path), "recording", run.about.program, run.source, Texts(path.name))


def _content(path: Path) -> bytes:
    try:
        found = own_file.read_bytes(path, MOST_BYTES)
    except own_file.Unreadable as error:
        if error.reason == "size":
            raise UnreadableCode(f"{path.name} has over {MOST_BYTES // 10**6} MB: it is not opened.") from error
        raise UnreadableCode(f"{path} cannot be read: {error.__cause__ or 'it is no file'}.") from error
    if found is None:
        raise UnreadableCode(f"{path} cannot be read: there is no such file.")
    return found


def _files(name: str, content: bytes) -> dict[str, bytes]:
    """Return the files in a zip; sizes in its headers are not trusted."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as zipped:
            return {each: _unpacked(zipped, each) for each in MOST_UNPACKED}
    except KeyError as error:
        raise UnreadableCode(f"{name} is no recording: it lacks a file.") from error
    except _BROKEN as error:
        raise UnreadableCode(f"{name} is no recording: it is not a zip, or a broken one.") from error


def _unpacked(packed: zipfile.ZipFile, name: str) -> bytes:
    """Return the file `name` in a zip; the size in its header is not trusted. Raises BadZipFile if it is larger."""
    with packed.open(name) as file:
        found = file.read(MOST_UNPACKED[name] + 1)
    if len(found) > MOST_UNPACKED[name]:
        raise zipfile.BadZipFile
    return found
