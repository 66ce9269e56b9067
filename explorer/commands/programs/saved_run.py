"""Writes a program that ran in this process to a recording, while it runs too; paths lose their folders."""

from __future__ import annotations

import linecache
import os
import platform
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from explorer.commands.in_ci.output import version
from explorer.messages import Array, Report, Span
from explorer.messages.recorded_run import RecordedRun, RecordingOrigin, parts, recorded_parts
from explorer.text.text import Text, say

if TYPE_CHECKING:
    from explorer.worker.recording.recorder import Recording

EVERY_S = 1.0
"""Seconds between two checkpoints of a program that runs."""
PAUSES = 20
"""The pause after a checkpoint takes at least as many times as long as the checkpoint: 5 % of the run at most."""
SO_FAR = say(
    "The program had not ended: these are its keys, its findings and its output until then, without the noise."
)


def save(path: Path, report: Report, program: str = "", *, so_far: bool = False) -> None:
    """Write `report` on the file `program`, by default the one that most of its places are in.

    The file is `path`. With `so_far` the program has not ended. Raises OSError.
    """
    from explorer.library import recording_file

    program = program or _main_file(report)
    recording_file.write(path, made(report, program, so_far=so_far), quickly=so_far)


class Checkpoints:
    """Writes the recording of a program to `path` while it runs, so that a crash leaves what was known before it."""

    def __init__(self, recording: Recording, path: Path, program: str = "", output: Callable[[], str] = str) -> None:
        self._recording, self._path, self._program, self._output = recording, path, program, output
        self._process = os.getpid()
        self._due = time.monotonic() + EVERY_S
        self._call(self._write_if_due)

    def end(self) -> None:
        """Write no more: the program has ended."""
        self._call(None)

    def _call(self, listener: Callable[[], None] | None) -> None:
        """Have `listener` called after each operation on keys, and each call of a jitted function."""
        self._recording.log.added = listener
        if self._recording.calls is not None:
            self._recording.calls.added = listener

    def _write_if_due(self) -> None:
        begin = time.monotonic()
        if begin < self._due or os.getpid() != self._process:
            return
        # Other threads write none meanwhile.
        self._due = float("inf")
        try:
            with suppress(Exception):
                from explorer.worker.runs import in_process

                report = in_process.report_so_far(Path(self._program).name, self._recording)
                report = msgspec.structs.replace(report, printed=self._output())
                save(self._path, report, self._program, so_far=True)
        finally:
            end = time.monotonic()
            self._due = end + max(EVERY_S, PAUSES * (end - begin))


def made(report: Report, program: str, *, so_far: bool = False) -> RecordedRun:
    """Return `report` with its program and the versions of what ran it; paths lose the folders of this computer.

    Those in the program and in its output stay.
    """
    if not so_far:
        with suppress(Exception):
            # Only the process that ran it can draw its noise again.
            from explorer.worker.runs import in_process

            report = msgspec.structs.replace(report, pictures=report.pictures or in_process.pictures_of(report))
    source = "".join(linecache.getlines(program)) if program else ""
    report = recorded_parts(report)
    shown: Report = _without_folders(report, program)
    shown = msgspec.structs.replace(shown, printed=report.printed)
    about = _about(Path(program).name or "program.py", (SO_FAR,) * so_far)
    return RecordedRun(about, source, shown)


def _about(program: str, left_out: tuple[Text, ...]) -> RecordingOrigin:
    jax = sys.modules.get("jax")
    devices: list[str] = []
    with suppress(Exception):
        if jax is not None:
            devices = [each.device_kind for each in jax.local_devices()]
    return RecordingOrigin(
        program,
        datetime.now(UTC).isoformat(timespec="seconds"),
        version(),
        platform.python_version(),
        getattr(jax, "__version__", ""),
        f"{platform.system()} {platform.machine()}",
        tuple(dict.fromkeys(devices)),
        left_out,
    )


def _main_file(report: Report) -> str:
    """Return the file that most places of `report` are in; empty where it has none."""
    counted = Counter(each.file for each in parts(report) if isinstance(each, Span) and each.file)
    return counted.most_common(1)[0][0] if counted else ""


def _without_folders(value: Any, program: str) -> Any:
    """Return `value` with paths that lack the folder of `program` and the home folder."""
    folder = Path(program).parent if Path(program).is_absolute() else Path.cwd()
    foreign = {f"{folder}{os.sep}": "", f"{Path.home()}{os.sep}": f"~{os.sep}"}
    foreign.pop(folder.root * 2, None)
    return _mapped(value, lambda each: _here(each, program, foreign))


def _mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return `value` with `change` applied to each span and each string in it, as far as it has an effect."""
    if isinstance(value, Span | str):
        return change(value)
    if isinstance(value, Text):
        # The template is the catalogues' key.
        return Text(value.id, _mapped(value.params, change))
    if isinstance(value, msgspec.Struct) and not isinstance(value, Array):
        fields = {field: _mapped(getattr(value, field), change) for field in value.__struct_fields__}
        return msgspec.structs.replace(value, **fields)
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(_mapped(each, change) for each in value)
    if isinstance(value, dict):
        return {name: _mapped(each, change) for name, each in value.items()}
    return value


def _here(value: Span | str, program: str, foreign: dict[str, str]) -> Span | str:
    if isinstance(value, Span):
        return msgspec.structs.replace(value, file="" if value.file == program else Path(value.file).name)
    for folder, short in foreign.items():
        value = value.replace(folder, short)
    return value
