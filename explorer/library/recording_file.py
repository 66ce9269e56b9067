"""A recorded run in one file, a ``.jaxrec``: a zip of about.json, program.py and snapshot.msgpack.

docs/recording-format.md describes it. The file may come from anywhere: all of it is checked before anything is shown.
"""

from __future__ import annotations

import zipfile
import zlib
from io import BytesIO
from pathlib import Path

import msgspec

from explorer.library import own_file
from explorer.library.code_files import UnreadableCode
from explorer.library.recording_check import problem
from explorer.messages import Snapshot
from explorer.messages.encodable import encodable
from explorer.messages.recorded_run import About, RecordedRun
from explorer.scenario.scenario import Scenario
from explorer.scenario.size import MOST_BYTES as MOST_CODE
from explorer.scenario.texts import Texts
from explorer.text.text import say

ENDING = ".jaxrec"
FORMAT = 1
ABOUT, PROGRAM, SNAPSHOT = "about.json", "program.py", "snapshot.msgpack"
MOST_BYTES = 64_000_000
"""Of the file."""
MOST_UNPACKED = {ABOUT: 100_000, PROGRAM: MOST_CODE, SNAPSHOT: 256_000_000}
EPOCH = (1980, 1, 1, 0, 0, 0)


class Format(msgspec.Struct, frozen=True):
    """The part of about.json that every version can read."""

    format: int


def is_recording(target: str) -> bool:
    """Return whether `target` is the path of a recording, by its ending."""
    return target.lower().endswith(ENDING)


def write(path: Path, run: RecordedRun) -> RecordedRun:
    """Write `run` to `path`, without its pictures or its keys where it is too large, and return it. Raises OSError."""
    for each in _ever_smaller(run):
        snapshot = _packed_snapshot(each.snapshot)
        if len(snapshot) <= MOST_UNPACKED[SNAPSHOT]:
            content = _zipped(each, snapshot)
            if len(content) <= MOST_BYTES:
                break
    own_file.write_atomically(path, content)
    return each


def _ever_smaller(run: RecordedRun) -> list[RecordedRun]:
    """Return `run`, then with less and less."""
    about, reports = run.about, run.snapshot.reports
    smaller = [run]
    for field, words in (
        ("pictures", say("The arrays were too large for the file.")),
        ("keys", say("The tree of keys was too large for the file.")),
        ("printed", say("The output was too large for the file.")),
    ):
        empty = "" if field == "printed" else None
        reports = tuple(msgspec.structs.replace(each, **{field: empty}) for each in reports)
        about = msgspec.structs.replace(about, left_out=(*about.left_out, words))
        snapshot = msgspec.structs.replace(run.snapshot, reports=reports)
        smaller.append(RecordedRun(about, run.source, snapshot))
    return smaller


def _packed_snapshot(snapshot: Snapshot) -> bytes:
    try:
        return msgspec.msgpack.encode(snapshot)
    except UnicodeEncodeError:
        return msgspec.msgpack.encode(encodable(snapshot))


def _zipped(run: RecordedRun, snapshot: bytes) -> bytes:
    about = {"format": FORMAT, **encodable(run.about)}
    files = {
        ABOUT: msgspec.json.format(msgspec.json.encode(about), indent=1) + b"\n",
        PROGRAM: run.source.encode(errors="replace")[:MOST_CODE],
        SNAPSHOT: snapshot,
    }
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(zipfile.ZipInfo(name, EPOCH), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def read(path: Path) -> RecordedRun:
    """Return the run in the file at `path`. Raises UnreadableCode, in a sentence."""
    name = path.name
    try:
        content = own_file.read_bytes(path, MOST_BYTES)
    except own_file.Unreadable as error:
        if error.reason == "size":
            raise UnreadableCode(f"{name} has over {MOST_BYTES // 10**6} MB: it is not opened.") from error
        raise UnreadableCode(f"{path} cannot be read: {error.__cause__ or 'it is no file'}.") from error
    if content is None:
        raise UnreadableCode(f"{path} cannot be read: there is no such file.")
    files = _files(name, content)
    try:
        version = msgspec.json.decode(files[ABOUT], type=Format).format
        if version > FORMAT:
            raise UnreadableCode(
                f"{name} was made by a newer JAX Explorer (format {version}; this one reads {FORMAT}): update it."
            )
        about = msgspec.json.decode(files[ABOUT], type=About)
        snapshot = msgspec.msgpack.decode(files[SNAPSHOT], type=Snapshot)
        run = RecordedRun(about, files[PROGRAM].decode("utf-8"), snapshot)
        words = problem(run)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise UnreadableCode(f"{name} is damaged: its content cannot be read.") from error
    if words:
        raise UnreadableCode(f"{name} is damaged: {words}.")
    return run


def scenario(path: Path, run: RecordedRun) -> Scenario:
    """Return the program of `run`, which was read from `path`, as something to open; its id is the path."""
    return Scenario(str(path), "recording", run.about.program, run.source, Texts(path.name))


def _files(name: str, content: bytes) -> dict[str, bytes]:
    """Return the three files in a zip; sizes in its headers are not trusted."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as zipped:
            return {each: _content(zipped, each, most) for each, most in MOST_UNPACKED.items()}
    except KeyError as error:
        raise UnreadableCode(f"{name} is no recording: it lacks a file.") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError) as error:
        raise UnreadableCode(f"{name} is no recording: it is not a zip, or a broken one.") from error


def _content(zipped: zipfile.ZipFile, name: str, most: int) -> bytes:
    with zipped.open(name) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise zipfile.BadZipFile
    return content
