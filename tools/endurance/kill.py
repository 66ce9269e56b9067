"""kill -9 at any moment: of a window with typing, alone or next to another, and of the worker during a run."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from explorer.library import drafts, paths
from explorer.library.drafts import Drafts
from tools.endurance import fuzz, processes
from tools.endurance.desk import RealDesk
from tools.endurance.mutations import programs, short_programs
from tools.endurance.promises import Record
from tools.endurance.typist import WIDTH

START_S = 60.0
LESSONS = 0.2
"""The part of the killed runs that are of lessons: the answer after the kill takes as long as ten of short ones."""
WORKERS = 0.4
"""Workers killed for each window: another one starts, with a spare one."""
MOST_LOST_S = 1.0
TARGET = "one_key_for_the_batch"
OLD = "# what an earlier window has left, and no one has decided about\n"


def run(record: Record, most: int = sys.maxsize) -> None:
    """Kill windows and workers in turn until the time of `record` is over, or `most` were killed."""
    chance = random.Random(record.seed)
    with tempfile.TemporaryDirectory() as folder:
        desk = RealDesk(Path(folder))
        desk.wait_for(desk.is_answered, START_S)
        try:
            while record.goes_on(most):
                record.begin("windows")
                _kill_windows(record, chance, windows=chance.choice((1, 1, 2)))
                if most == 1 or chance.random() < WORKERS:
                    _kill_worker(desk, record, chance)
        finally:
            desk.close()


# -- windows ----------------------------------------------------------------------------------


def _kill_windows(record: Record, chance: random.Random, windows: int) -> None:
    """Let `windows` type into the same lesson, kill one after the other, and look for the typed text."""
    own = paths.drafts_folder
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths.drafts_folder = lambda: folder / "drafts_folder"
        earlier = Drafts()
        earlier.keep(TARGET, OLD)
        earlier.close()
        logs = [folder / f"log-{number}" for number in range(windows)]
        typists = [_typist(folder, f"window{number}", log) for number, log in enumerate(logs)]
        try:
            _wait_for_all(logs)
            time.sleep(chance.uniform(0.0, 1.5))
            killed = []
            for typist in typists:
                typist.kill()
                killed.append(time.time())
                typist.wait()
            record.count(f"killed windows, {windows} at a time")
            left = [draft.source for draft in drafts.left(TARGET)]
            if OLD not in left:
                record.fail("a draft replaced", "the one that waited for an answer is gone", "\n\n".join(left))
            for number, (log, at) in enumerate(zip(logs, killed, strict=True)):
                _judge(record, f"window{number}", log, at, left)
            processes.judge(record, typists)
        finally:
            for typist in typists:
                typist.kill()
                typist.wait()
            paths.drafts_folder = own


def _typist(folder: Path, name: str, log: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tools.endurance.typist", str(folder), TARGET, name, str(log)]
    return subprocess.Popen(command, env=processes.marked(name), stderr=subprocess.DEVNULL)


def _wait_for_all(logs: list[Path]) -> None:
    end = time.monotonic() + START_S
    while not all(log.exists() and log.stat().st_size for log in logs):
        if time.monotonic() > end:
            raise TimeoutError("a window that types did not start")
        time.sleep(0.01)


def _judge(record: Record, name: str, log: Path, killed: float, left: list[str]) -> None:
    """Compare the draft of window `name` with its `log`."""
    typed = [float(line.split()[1]) for line in log.read_text().splitlines() if len(line.split()) == 2]
    found = next((each for source in left if (each := re.search(rf"# {name} (\d*)$", source))), None)
    saved = len(found[1]) // WIDTH if found else 0
    lost = killed - typed[saved] if saved < len(typed) else 0.0
    record.figure("typing lost to kill -9 of the window", MOST_LOST_S, "s").add(max(0.0, lost))
    if found is None and lost > MOST_LOST_S:
        record.fail("nothing kept", f"of {name}, {len(typed)} numbers typed", "\n\n".join(left))


# -- the worker -------------------------------------------------------------------------------


def _kill_worker(desk: RealDesk, record: Record, chance: random.Random) -> None:
    """Kill the worker during a run; the window reports it and the next run is answered."""
    original = chance.choice(programs() if chance.random() < LESSONS else short_programs())
    source = f"{original}\n# {chance.random()}\n"
    record.watch(source)
    desk.workspace.replace_source(source)
    desk.session.run()
    desk.wait_for(lambda: False, chance.uniform(0.0, 0.3))
    worker, process = desk.client._worker, desk.worker_process()
    if not process:
        return
    os.kill(process, signal.SIGKILL)
    start = time.monotonic()
    noticed = desk.wait_for(lambda: desk.client._worker is not worker, START_S)
    again = f"{source}# {chance.random()}\n"
    answered = desk.run(again, START_S)
    record.count("killed workers")
    failure = answered and answered.failure
    if not noticed or answered is None or (failure and failure.type in fuzz.NEVER_OURS):
        record.fail("no answer after a worker was killed", f"{failure}", source)
    record.figure("from kill -9 of the worker to the next answer", 5.0, "s", 99).add(time.monotonic() - start)
    if desk.workspace.source != again:
        record.fail("code lost with the worker", desk.workspace.source, again)
    if troubles := desk.take_troubles():
        record.fail("window", troubles, source)
