"""A real sshd behind a relay that cuts, stalls, corrupts, slows and kills: each run ends in an answer or a sentence."""

from __future__ import annotations

import contextlib
import os
import random
import shlex
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from explorer.link.client import WorkerClient
from explorer.link.remotes.remote import remote_of
from explorer.messages import Request, ends_run
from tests.link.remotes.relay import Relay, relayed
from tests.link.remotes.ssh_server import served
from tools.endurance import processes
from tools.endurance.promises import Record

ANSWERED_S = 20.0
GONE_S = 60.0
START_S = 50.0
ACTS = ("cut", "stall", "corrupt", "slow", "kill one", "kill all")
SLOW_S = 0.5
PROGRAM = "import time\nimport jax.numpy as jnp\ndef f():\n    time.sleep({})\n    return jnp.ones(3)\n"
PYTHON = '#!/bin/sh\nexec env {mark} TMPDIR={files} {python} "$@"\n'


def run(record: Record, most: int = sys.maxsize) -> None:
    """Disturb one link after the other, until the time is over or there were `most`, and look for rests."""
    QCoreApplication.instance() or QCoreApplication([])
    chance = random.Random(record.seed)
    acts = list(ACTS)
    trials: list[_Trial] = []
    with tempfile.TemporaryDirectory() as name, ExitStack() as relays, served(Path(name)) as server:
        while record.goes_on(most):
            record.begin("")
            if len(trials) % len(acts) == 0:
                chance.shuffle(acts)
            # It lives on, so that what is silent stays so.
            relay = relays.enter_context(relayed(server.port))
            trial = _Trial(Path(name) / f"{record.runs}", server.ssh(relay.port), relay)
            trials.append(trial)
            trial.disturb(record, chance, acts[len(trials) % len(acts)])
        for trial in trials:
            trial.judge_rests(record)


class _Trial:
    """One worker on a remote, with its own relay, and its own folder for all files that it makes there."""

    def __init__(self, place: Path, ssh: list[str], relay: Relay) -> None:
        self._relay, self._files = relay, place / "files"
        self._files.mkdir(parents=True)
        mark = processes.marked(f"remote{place.name}")[processes.MARK]
        self._mark = f"{processes.MARK}={mark}".encode()
        python = place / "python"
        python.write_text(PYTHON.format(mark=self._mark.decode(), files=self._files, python=sys.executable), "utf-8")
        python.chmod(0o755)
        self._remote = remote_of(shlex.join([*ssh, str(python)]))
        self._act, self._heard, self._closed_s = "", 0, 0.0

    def disturb(self, record: Record, chance: random.Random, act: str) -> None:
        """Run a program, disturb its link at any moment, and wait for the answer or the sentence."""
        client = WorkerClient(spare=False)
        client.message_received.connect(lambda message: self._hear(ends_run(message)))
        client.state_changed.connect(lambda state: self._hear(bool(state.sentence)))
        client.go_to(self._remote)
        is_up = chance.random() < 0.7
        if is_up and not _wait(lambda: client.state.name == "idle", START_S):
            record.fail("did not start", str(client.state), act, ".txt")
        length_s = chance.uniform(0.0, 2.0)
        client.submit(Request(record.runs, PROGRAM.format(length_s), "<code>", variants=("f",)))
        _wait(lambda: False, chance.uniform(0.0, 1.5 * length_s if is_up else 4.0))
        self._act = f"{act}, {'during a run' if is_up else 'during the start'}"
        record.count(self._act)
        self._heard, before = 0, client.awaited
        self._do(act, chance)
        start = time.monotonic()
        if before is not None and not _wait(lambda: self._heard > 0, 2 * ANSWERED_S):
            record.fail("neither answer nor sentence", f"{self._act}: {client.state}", self._act, ".txt")
        record.figure("from a disturbance to an answer or a sentence", ANSWERED_S, "s").add(time.monotonic() - start)
        if act.startswith("kill"):
            # The next worker removes what a guard that was killed has left; a user who sees that none came asks for it.
            record.watch(self._act)
            _wait(lambda: client.state.name in ("idle", "dead"), START_S)
            if client.state.name == "dead":
                client.restart()
            _wait(lambda: client.state.name == "idle", START_S)
        client.close()
        self._closed_s = time.monotonic()

    def _hear(self, counts: bool) -> None:
        self._heard += counts

    def _do(self, act: str, chance: random.Random) -> None:
        if act == "cut":
            self._relay.cut()
        elif act == "stall":
            self._relay.is_silent = True
        elif act == "corrupt":
            self._relay.corrupts = True
        elif act == "slow":
            self._relay.delay_s = SLOW_S
        elif found := processes.alive([self._mark]):
            for each in found if act == "kill all" else [chance.choice(found)]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(each.split()[0]), signal.SIGKILL)

    def judge_rests(self, record: Record) -> None:
        """Wait until the promised time is over, and report processes and files that are left."""
        while (left := self._left()) and time.monotonic() < self._closed_s + GONE_S:
            time.sleep(0.2)
        record.watch("")
        record.figure("processes and files left", 0).add(len(left))
        if left:
            record.fail("rests", f"{self._act}: {left}", self._act, ".txt")

    def _left(self) -> list[str]:
        return [*processes.alive([self._mark]), *map(str, self._files.rglob("*"))]


def _wait(done: Callable[[], bool], most_s: float) -> bool:
    end = time.monotonic() + most_s
    while not done() and time.monotonic() < end:
        QCoreApplication.processEvents()
        time.sleep(0.002)
    return done()
