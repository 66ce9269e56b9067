"""Harmful programs, one after the other: each is answered or stopped, and the next one is not affected."""

from __future__ import annotations

import difflib
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from explorer.library import library
from explorer.messages import Failure, Snapshot
from tools.endurance import hostile_programs, processes
from tools.endurance.desk import RealDesk
from tools.endurance.fuzz import NEVER_OURS, OURS
from tools.endurance.hostile_programs import HOME_NAME, Hostile
from tools.endurance.promises import Record

PATIENCE_S = 3.0
STOPPED_S = 10.0
START_S = 60.0
ROUND = 20
"""Programs of one window; the last one is running, or has left its traces, when the window ends."""
AT_MOST = {resource.RLIMIT_AS: 8 << 30, resource.RLIMIT_FSIZE: 300 << 20}
WORKERS = 4
"""The worker and the spare, with a guard each."""
CLEAN = Path(__file__).with_name("clean_program.txt")
OF_NO_LINE = ("WorkerDied", "Stopped", "ProcessChanged", "NothingToRun", "BadProgram", "F")
"""The last one comes from programs that write their own answers into the pipe."""
LINE, LINES = 200, 20
"""The most characters and lines of a report on unexpected results."""
PASSING = ("run", "elapsed_s", "trace_s", "lower_s", "compile_s")
"""Fields of an answer that differ each time."""


def run(record: Record, most: int = sys.maxsize) -> None:
    """Try programs until the time of `record` is over, or until there were `most`."""
    chance = random.Random(record.seed)
    waiting = map(hostile_programs.read, record.cases) if record.cases else hostile_programs.programs(chance)
    fresh = ""
    with tempfile.TemporaryDirectory() as folder, _surroundings(Path(folder)) as own:
        program = next(waiting, None)
        while program is not None and record.goes_on(most):
            with processes.of_this_window(record):
                desk = _Desk(own, record, fresh)
                try:
                    for _ in range(ROUND):
                        if program is not None and record.goes_on(most):
                            desk.try_one(program)
                            program = next(waiting, None)
                finally:
                    desk.close()
            fresh = desk.fresh


@contextmanager
def _surroundings(folder: Path) -> Iterator[Path]:
    """Use `folder` as the home of processes that start in the block, and limit their resources."""
    before = dict(os.environ), Path.cwd()
    limits = {each: resource.getrlimit(each) for each in AT_MOST}
    home = folder.resolve() / HOME_NAME
    home.mkdir()
    os.environ.update(HOME=str(home), TMPDIR=str(home / "tmp"))
    try:
        for each, limit in AT_MOST.items():
            resource.setrlimit(each, (limit, limits[each][1]))
        yield folder
    finally:
        for each, limit_before in limits.items():
            resource.setrlimit(each, limit_before)
        os.environ.clear()
        os.environ.update(before[0])
        os.chdir(before[1])


class _Desk:
    """A window with one open file, whose code is replaced by one program after the other."""

    def __init__(self, folder: Path, record: Record, fresh: str) -> None:
        self._record, self._home = record, folder / HOME_NAME
        self._set_up()
        # What removes its home shall not take the folder from under the window.
        work = folder.resolve() / "work"
        work.mkdir(exist_ok=True)
        file = work / "program.py"
        file.write_text("def f(): return 1.0\n")
        os.chdir(work)
        self._desk = RealDesk(folder)
        opened = library.open_target(str(file))
        self._desk.desk.files.allow(opened)
        self._desk.desk.take_up(opened)
        self.fresh = fresh
        """The answer to the clean program in a fresh process; empty while it is unknown."""
        self._hear_clean("")

    def close(self) -> None:
        self._desk.close()

    def try_one(self, program: Hostile) -> None:
        """Run `program`, compare the results with the promises, and then run the clean one."""
        self._set_up()
        self._record.begin(program.source)
        start = time.monotonic()
        snapshot = self._desk.run(program.source, PATIENCE_S)
        if snapshot is None:
            snapshot = self._stopped(program)
        self._record.figure("answered or stopped", PATIENCE_S + STOPPED_S, "s").add(time.monotonic() - start)
        if snapshot is not None:
            _judge(self._record, snapshot, program)
        self._set_up()
        self._hear_clean(program.source)
        if troubles := self._desk.take_troubles():
            self._record.fail("window", troubles, program.source)

    def _set_up(self) -> None:
        self._home.mkdir(exist_ok=True)
        self._home.chmod(0o700)
        (self._home / "tmp").mkdir(exist_ok=True)

    def _stopped(self, program: Hostile) -> Snapshot | None:
        """Press Stop, and return the snapshot shown then."""
        self._record.count("stopped")
        start = time.monotonic()
        self._desk.session.stop()
        if not self._desk.wait_for(lambda: self._desk.client.running is None, STOPPED_S):
            self._record.fail("not stopped", program.name, program.source)
            return None
        self._record.figure("from Stop to its answer", 2.0, "s").add(time.monotonic() - start)
        return self._desk.session.snapshot

    def _hear_clean(self, after: str) -> None:
        """Run the clean program, and compare its answer with that of a fresh process."""
        start = time.monotonic()
        snapshot = self._desk.run(CLEAN.read_text(encoding="utf-8"), START_S)
        self._record.figure("from a program to the answer of the next", 5.0, "s", 99).add(time.monotonic() - start)
        answer = _lasting_json(snapshot)
        if not self.fresh:
            self.fresh = answer
        elif answer != self.fresh:
            before, now = (each.replace("\\n", "\n").splitlines() for each in (self.fresh, answer))
            lines = [each[:LINE] for each in difflib.unified_diff(before, now, n=0, lineterm="")]
            title = after.partition("\n")[0]
            self._record.fail("the next program", "\n".join([title, *lines[2 : 2 + LINES]]), after)
            # What the one after next meets is not its fault.
            self._desk.client.restart()
        if after and (left := processes.too_many(WORKERS)):
            self._record.fail("processes next to the next program", "\n".join(left), after)


def _lasting_json(snapshot: Snapshot | None) -> str:
    """Return all that a snapshot says and that is the same each time."""
    return msgspec.json.format(msgspec.json.encode(_lasting(msgspec.to_builtins(snapshot)))).decode()


def _lasting(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _lasting(each) for name, each in value.items() if name not in PASSING}
    return [_lasting(each) for each in value] if isinstance(value, (list, tuple)) else value


def _judge(record: Record, snapshot: Snapshot, program: Hostile) -> None:
    """Compare the results of `program` with the promises."""
    failures = [each for each in (snapshot.failure, *(report.failure for report in snapshot.reports)) if each]
    record.count(f"ended with {failures[0].type}" if failures else "ran")
    for failure in failures:
        if wrong := _wrong(failure, may_die=program.may_die):
            record.fail(
                wrong, f"{program.name}\n{failure.type}: {failure.message}\n{failure.traceback}", program.source
            )


def _wrong(failure: Failure, *, may_die: bool) -> str:
    """Return the violated promise of a failure; empty for none."""
    if failure.type == "WorkerDied":
        if not may_die:
            return "died"
        return "" if str(failure.message).rstrip(".").partition(": ")[2] else "died without a reason"
    if failure.type in NEVER_OURS:
        return failure.type
    if any(each in failure.traceback for each in OURS):
        return "a frame of ours"
    return "" if failure.line is not None or failure.type in OF_NO_LINE else "no line"
