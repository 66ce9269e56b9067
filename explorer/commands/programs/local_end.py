"""The local end of ``run --on REMOTE``: it connects the program's input and output to this terminal."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import FrameType

import msgspec

from explorer import OUR_NAME
from explorer.commands.programs import wire
from explorer.commands.programs.recorded import RecordingOptions
from explorer.commands.programs.script import CannotRun, NoSuchProgram, Script
from explorer.link import family
from explorer.link.pipe import BEAT_S, WorkerEnded, arrive, ctrl_c_deferred
from explorer.link.remotes import folder as folders
from explorer.link.remotes.arrival import Arrival
from explorer.link.remotes.engine import command_at
from explorer.link.remotes.remote import Remote
from explorer.link.remotes.start import MOST_SILENT_S, exit_words
from explorer.messages.frames import FrameError

PIECE = 1 << 16
MODULE = f"{OUR_NAME}.commands.programs.remote_end"


def run(program: Script, remote: Remote, wanted: RecordingOptions, *, saves: bool = False) -> wire.ProgramEnded:
    """Run `program` on `remote` and return how it ended, if it `saves` with its recording; it prints here meanwhile.

    The program travels there, with the folder of the remote if it has one. Raises CannotRun and OSError.
    """
    remote, program = _sent(program, remote)
    order = wire.StartProgram(program.name, program.arguments, program.is_module, wanted, saves, sys.stdout.isatty())
    variables = {**family.mark(), family.TELLS_SIGNALS: "1"}
    if remote.is_linked:
        variables[family.BEATS] = str(MOST_SILENT_S)
    with ctrl_c_deferred():
        process = subprocess.Popen(
            command_at(remote, variables, module=MODULE), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
    with process:
        try:
            arrive(Arrival(remote), process, remote, process.wait)
            link = _Link(process)
            link.send(order)
            with link.passing_on():
                return link.heard(remote)
        except WorkerEnded as error:
            raise CannotRun(f"The program did not finish on {remote.name}: {error}.") from None
        finally:
            process.terminate()


def _sent(program: Script, remote: Remote) -> tuple[Remote, Script]:
    """Return the remote with the folder that travels there, and the program under its name there."""
    if program.is_module or not remote.is_linked:
        return remote, program
    path = Path(program.name).absolute()
    if not path.is_file():
        # As it is reported of one that runs here.
        what = "It is a folder." if path.is_dir() else "Check the path."
        raise NoSuchProgram(f"There is no file {program.name} to run. {what}")
    folder = remote.folder or folders.of_one(path)
    return msgspec.structs.replace(remote, folder=folder), replace(program, name=path.name)


class _Link:
    """A process that runs the program, or leads to where it runs."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._sending = threading.Lock()
        self._interrupts = 0

    def send(self, message: wire.ToRemote) -> None:
        with contextlib.suppress(OSError, ValueError), self._sending:
            if self._process.stdin is not None:
                wire.write(self._process.stdin, message)

    def heard(self, remote: Remote) -> wire.ProgramEnded:
        """Print the program's output until it has ended. Raises WorkerEnded where the link ends without a result."""
        assert self._process.stdout is not None
        try:
            while (message := wire.read_here(self._process.stdout)) is not None:
                if isinstance(message, wire.ProgramEnded):
                    return message
                if isinstance(message, wire.ProgramMissing):
                    raise NoSuchProgram(message.message)
                os.write(1, message.content)
        except FrameError:
            self._process.terminate()
        raise WorkerEnded(str(exit_words(remote, self._process.wait())))

    @contextlib.contextmanager
    def passing_on(self) -> Iterator[None]:
        """Forward typed input, Ctrl-C and signs of life in the block; a second Ctrl-C ends the local process."""
        for each in (self._type, self._live):
            threading.Thread(target=each, daemon=True).start()
        before = signal.signal(signal.SIGINT, self._interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        self._interrupts += 1
        if self._interrupts > 1:
            self._process.terminate()
        else:
            self.send(wire.InterruptProgram())

    def _type(self) -> None:
        with contextlib.suppress(OSError):
            while content := os.read(0, PIECE):
                self.send(wire.ProgramInput(content))
        self.send(wire.ProgramInput(b""))

    def _live(self) -> None:
        while self._process.poll() is None:
            self.send(wire.Alive())
            time.sleep(BEAT_S)
