"""The remote end of ``run --on REMOTE``: the program runs here, and frames carry its output."""

from __future__ import annotations

import contextlib
import io
import os
import queue
import signal
import sys
import threading
from typing import IO, Any

import msgspec

from explorer.commands.programs import recorded, script, wire
from explorer.commands.programs.script import NoSuchProgram, Script
from explorer.link import family
from explorer.messages import Report
from explorer.messages.frames import FrameError

PIECE = 1 << 16
DRAINS_S = 2.0
"""Seconds for the last output to leave; child processes of the program may keep the pipe open."""


def main() -> None:
    """Run the ordered program and send its report."""
    family.begin()
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    order = wire.read_there(incoming)
    if not isinstance(order, wire.StartProgram):
        return
    (reading, feeding), (printed, printing) = os.pipe(), os.pipe()
    for end, stream in ((reading, 0), (printing, 1)):
        os.dup2(end, stream)
        os.close(end)
    link = Link(incoming, feeding)
    pump = threading.Thread(target=_pump, args=(printed, outgoing), daemon=True)
    for each in (link.listen, link.feed):
        threading.Thread(target=each, daemon=True).start()
    pump.start()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if order.is_seen and isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    last = _ran(order)
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    # Later output goes to stderr: the pipe should reach its end.
    os.dup2(2, 1)
    pump.join(DRAINS_S)
    wire.write(outgoing, last)
    sys.exit(last.code if isinstance(last, wire.ProgramEnded) else 0)


def _ran(order: wire.StartProgram) -> wire.ProgramEnded | wire.ProgramMissing:
    # The first place is the program's own; there is ours.
    sys.path.insert(0, "")
    program = Script(order.name, order.arguments, order.is_module)
    file = program.file
    try:
        ended = recorded.recorded(program, order.wanted, keeps_output=order.saves)
    except NoSuchProgram as missing:
        return wire.ProgramMissing(str(missing))
    if ended.error is not None:
        script.say_error(ended.error)
    from explorer.commands.programs import saved_run
    from explorer.worker.runs import in_process

    report, kept = ended.report(order.name), None
    if order.saves:
        kept = saved_run.whole(msgspec.structs.replace(report, printed=ended.printed), file, ended.recording)
    return wire.ProgramEnded(_as_at_home(report), script.exit_code(ended.error), in_process.JAX_VERSION, kept)


def _as_at_home(report: Report) -> Report:
    """Return `report` with the files of the folder that travelled renamed to their original paths."""
    folder, of = os.environ.get(family.FOLDER), os.environ.get(family.FOLDER_OF)
    if not folder or not of:
        return report
    names = {f"{each}{os.sep}": of for each in (os.path.realpath(folder), folder)}
    return msgspec.convert(_renamed(msgspec.to_builtins(report), names), Report)


def _renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, str):
        for there, here in names.items():
            value = value.replace(there, here)
        return value
    if isinstance(value, dict):
        return {name: _renamed(each, names) for name, each in value.items()}
    return [_renamed(each, names) for each in value] if isinstance(value, list | tuple) else value


class Link:
    """The messages from the other end: signs of life, Ctrl-C, and the input that the program reads from `feeding`."""

    def __init__(self, incoming: IO[bytes], feeding: int) -> None:
        self._incoming, self._feeding = incoming, feeding
        self._typed: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen(self) -> None:
        """Take incoming messages; exit when the other end is gone."""
        with contextlib.suppress(OSError, ValueError, FrameError):
            while (message := wire.read_there(self._incoming)) is not None:
                if isinstance(message, wire.ProgramInput):
                    self._typed.put(message.content)
                elif isinstance(message, wire.InterruptProgram):
                    os.kill(os.getpid(), signal.SIGINT)
        os._exit(0)

    def feed(self) -> None:
        """Pass typed input to the program, which may read it at any time."""
        with contextlib.suppress(OSError):
            while typed := self._typed.get():
                while typed:
                    typed = typed[os.write(self._feeding, typed) :]
        os.close(self._feeding)


def _pump(printed: int, outgoing: IO[bytes]) -> None:
    with contextlib.suppress(OSError):
        while content := os.read(printed, PIECE):
            wire.write(outgoing, wire.ProgramOutput(content))


if __name__ == "__main__":
    main()
