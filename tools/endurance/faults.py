"""Each call of the window into the system fails in its turn, once and for good: files, and the pipe to the worker."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QByteArray, QCoreApplication, QProcess

from explorer.library import drafts, own_file, settings
from explorer.library.consents import Consents
from explorer.link import process as link
from explorer.link.client import WorkerClient
from explorer.messages import Request, ends_run
from tests.library.faulty import Faults, faulty
from tests.link.test_client import FAKE
from tools.endurance.damaged import LESSON, PROGRAM, TEXT, write_all
from tools.endurance.desk import RealDesk, use
from tools.endurance.promises import Record

TYPED = tuple(f"{TEXT}{'#' * number}\n" for number in range(1, 4))

ASKED = 4
"""Requests of one client; the last comes where faults have an end."""
ANSWERED_S = 20.0


def run(record: Record, most: int = sys.maxsize) -> None:
    """Fail the first call, then the second, and so on, until there are no more of them, or `most` have failed."""
    for for_good in (False, True):
        _each(record, _files, most, for_good=for_good)
    link.QProcess = _Process  # type: ignore[misc]
    for for_good in (False, True):
        _each(record, _pipe, most, for_good=for_good)


def _each(record: Record, try_one: Callable[..., bool], most: int, *, for_good: bool) -> None:
    nth, is_hit = 0, True
    while is_hit and record.goes_on(most):
        record.begin("")
        nth += 1
        is_hit = try_one(record, nth, for_good=for_good)


def _files(record: Record, nth: int, *, for_good: bool) -> bool:
    """Open a window, type and close it; return whether the `nth` call was met."""
    with tempfile.TemporaryDirectory() as name:
        use(Path(name))
        write_all()
        return _in(Path(name), record, nth, for_good=for_good)


def _in(folder: Path, record: Record, nth: int, *, for_good: bool) -> bool:
    kept = ""
    own_file.newly_put_aside()
    with faulty(nth, for_good=for_good) as faults:

        def case() -> str:
            return f"call {nth} {'and all after it' if for_good else 'alone'}: {faults.calls[nth - 1 : nth]}"

        try:
            desk = RealDesk(folder, chosen=settings.load())
        except Exception as error:
            record.fail("no window", repr(error), case(), ".txt")
            raise
        for answer in ("stay", "use_draft"):
            desk.window.notice.answered.emit(answer)
        for text in TYPED:
            desk.workspace.edit(text)
            if desk.workspace.keep_draft():
                kept = text
            elif not desk.window.notice.accessibleName():
                record.fail("not reported", "a draft was not kept", case(), ".txt")
        _use_the_rest(desk)
        desk.close()
    record.count(f"{'for good' if for_good else 'once'}: {faults.calls[nth - 1]}" if faults.hit else "no fault left")
    if troubles := desk.take_troubles():
        record.fail("window", troubles, case(), ".txt")
    found = [TYPED.index(each.source) for each in drafts.left(LESSON) if each.source in TYPED]
    lost = TYPED.index(kept) > max(found, default=-1) if kept else not (for_good or found)
    record.figure("texts lost that were kept", 0).add(lost)
    settings.load()
    torn = [each for each in own_file.newly_put_aside() if each.reason == "content"]
    record.figure("files torn", 0).add(len(torn))
    return faults.hit


def _use_the_rest(desk: RealDesk) -> None:
    """Write all that a window writes besides drafts."""
    desk.desk.appearance.choose_theme("light")
    desk.desk.crash_recovery._keep()
    desk.desk.lesson._progress.tick(LESSON, 1)
    desk.desk.lesson._progress.keep()
    Consents(on_disk=True).add({**PROGRAM, "b.py": b""})


# -- the pipe ---------------------------------------------------------------------------------


class _Process(QProcess):
    """A process whose calls fail as `faults` says; no other process has any."""

    faults = Faults(0, for_good=False)

    def start(self, program: str, words: list[str]) -> None:  # type: ignore[override]
        super().start("" if self._fails("spawn") else program, words)

    def write(self, content: bytes) -> int:  # type: ignore[override]
        if not self._fails("frame to the worker"):
            return super().write(content)
        # As a pipe that is broken: what is written later does not arrive either.
        self.closeWriteChannel()
        return -1

    def readAllStandardOutput(self) -> QByteArray:  # noqa: N802
        content = super().readAllStandardOutput()
        if content.isEmpty() or not self._fails("frame from the worker"):
            return content
        return QByteArray(content.data()[: content.size() // 2] + b"\xff" * 9)

    def _fails(self, name: str) -> bool:
        try:
            self.faults.around(name, lambda: None)()
        except OSError:
            return True
        return False


def _pipe(record: Record, nth: int, *, for_good: bool) -> bool:
    """Ask a worker a few things; return whether the `nth` call was met."""
    _Process.faults = faults = Faults(nth, for_good=for_good)
    client, ended, sentences = WorkerClient(FAKE), set(), []
    client.message_received.connect(lambda message: ended.add(message.run) if ends_run(message) else None)
    client.state_changed.connect(lambda state: sentences.append(str(state.sentence)) if state.sentence else None)
    client.start()
    for run in range(1, ASKED + 1):
        if run == ASKED:
            _Process.faults = Faults(0, for_good=False)
            client.restart()
        client.submit(Request(run, "hi", "<f>", variants=("f",)))
        start = time.monotonic()
        if not _wait(lambda: run in ended):  # noqa: B023
            # As a user does who sees that nothing comes.
            record.count("stopped by hand")
            client.stop()
            _wait(lambda: run in ended)  # noqa: B023
        record.figure("from a request to its answer, Stop included", ANSWERED_S, "s").add(time.monotonic() - start)
    case = f"pipe, call {nth}: {faults.calls[nth - 1 : nth]}, {for_good=}, {sorted(ended)}, {sentences}"
    if ended != {*range(1, ASKED + 1)}:
        record.fail("no answer", case, case, ".txt")
    record.count(f"{'for good' if for_good else 'once'}: {faults.calls[nth - 1]}" if faults.hit else "no fault left")
    client.close()
    return faults.hit


def _wait(done: Callable[[], bool]) -> bool:
    end = time.monotonic() + ANSWERED_S / 4
    while not done() and time.monotonic() < end:
        QCoreApplication.processEvents()
        time.sleep(0.001)
    return done()
