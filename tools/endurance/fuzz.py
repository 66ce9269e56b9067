"""Programs of two mutators, one after the other, in one window: each is answered with its line, and harms nothing.

One changes words and lines of programs, the other knows JAX.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

from explorer.messages import Failure, Snapshot
from tools.endurance import jax_programs
from tools.endurance.desk import RealDesk
from tools.endurance.mutations import mutated, programs, short_programs
from tools.endurance.promises import Record

PATIENCE_S = 4.0
"""Seconds that a program may run before the user presses Stop: mutations make endless loops too."""
STOPPED_S = 10.0
LESSONS = 0.03
"""The part of all programs that is made of lessons: each takes as long as ten short ones."""
KNOW_JAX, MUTATED_TOO = 0.5, 0.1
"""The part of all programs that the mutator makes that knows JAX, and of these the part that the other one changes."""
OURS = ("explorer/worker/", "explorer\\worker\\")
NEVER_OURS = frozenset({"InternalError", "WorkerDied"})


def run(record: Record, most: int = sys.maxsize) -> None:
    """Try programs until the time of `record` is over, or until there were `most`."""
    chance, lessons, short = random.Random(record.seed), programs(), short_programs()
    with tempfile.TemporaryDirectory() as folder:
        desk = RealDesk(Path(folder))
        # In a lesson the panes are covered until its question is answered.
        desk.desk.on_command("new_file")
        try:
            while record.goes_on(most):
                source = jax_programs.program(chance)
                if knows_jax := chance.random() < KNOW_JAX:
                    record.count("of the mutator that knows JAX")
                if not knows_jax or chance.random() < MUTATED_TOO:
                    original = chance.choice(lessons if chance.random() < LESSONS else short)
                    source = mutated(source if knows_jax else original, chance)
                record.begin(source)
                _try(desk, record, source)
        finally:
            desk.close()


def _try(desk: RealDesk, record: Record, source: str) -> None:
    start = time.monotonic()
    snapshot = desk.run(source, PATIENCE_S)
    took = time.monotonic() - start
    if snapshot is None:
        record.count("stopped")
        snapshot = _stopped(desk, record, source)
    desk.judge_holds(record, source)
    if troubles := desk.take_troubles():
        record.fail("window", troubles, source)
    if snapshot is not None:
        _judge(record, snapshot, source, took)


def _stopped(desk: RealDesk, record: Record, source: str) -> Snapshot | None:
    """Press Stop, and return the snapshot shown then."""
    start = time.monotonic()
    desk.session.stop()
    if not desk.wait_for(lambda: desk.client.running is None, STOPPED_S):
        record.fail("not stopped", "nothing came after Stop", source)
        return None
    record.figure("from Stop to its answer", 2.0, "s").add(time.monotonic() - start)
    desk.wait_for(lambda: desk.client.state.name == "idle", STOPPED_S)
    return desk.session.snapshot


def _judge(record: Record, snapshot: Snapshot, source: str, took: float) -> None:
    """Compare the results of `source` with the promises."""
    failures = [each for each in (snapshot.failure, *(report.failure for report in snapshot.reports)) if each]
    record.count("failed" if failures else "ran")
    for failure in failures:
        if failure.type in NEVER_OURS:
            record.fail(failure.type, f"{failure.message}\n{failure.traceback}", source)
        elif any(each in failure.traceback for each in OURS):
            record.fail("a frame of ours", failure.traceback, source)
        elif failure.line is None and not _is_of_no_line(failure):
            record.fail("no line", f"{failure.type}: {failure.message}\n{failure.traceback}", source)
    if snapshot.failure is not None and snapshot.failure.type.endswith(("SyntaxError", "IndentationError", "TabError")):
        record.figure("from a program that cannot be read to its being told", 0.2, "s", 99).add(took)


def _is_of_no_line(failure: Failure) -> bool:
    """Return whether the failure is about the whole program: it is empty, has nothing to run, or changed Python."""
    return failure.type in ("NothingToRun", "Stopped", "ProcessChanged")
