"""Starts a worker at a remote: command, variables; `Arrival`, what the remote says before; exit codes in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from explorer.link import command
from explorer.link.family import BEATS, LOST_LINK, TELLS_SIGNALS
from explorer.link.remotes.remote import Remote
from explorer.text.text import NOTHING, Text, say

SSH_FAILED = 255
"""The exit code of ssh itself; other codes are those of its command (ssh(1))."""
MOST_SILENT_S = 20
"""Seconds of silence after which a worker at the other end of a link ends."""
BY_SIGNAL = 128
"""Exit codes above this are signal numbers plus 128, as in shells."""


def start(
    remote: Remote,
    cpu_devices: int,
    mark: Mapping[str, str],
    arguments: Sequence[str] = (),
    here: Sequence[str] = command.WORKER_COMMAND,
) -> tuple[list[str], dict[str, str]]:
    """Return the command that starts a worker at `remote`, and the variables of its process on this machine.

    `mark` is the environment of its family, `arguments` are the worker's; `here` starts a worker on this machine.
    """
    variables = command.worker_variables(cpu_devices)
    if remote.is_here:
        return [*here, *arguments], {**variables, **mark}
    # Not at the top: most windows go to no remote.
    from explorer.link.remotes.engine import command_at

    there = {**variables, **mark, TELLS_SIGNALS: "1"}
    if remote.is_linked:
        there[BEATS] = str(MOST_SILENT_S)
    # The local process only leads to the remote; the mark finds the processes left over there.
    return command_at(remote, there, arguments), dict(mark)


def signal_or_code(remote: Remote, code: int) -> int:
    """Return the exit code of the process at `remote`, negative for the signal that ended it."""
    if remote.is_here or code <= BY_SIGNAL or code == SSH_FAILED:
        return code
    return BY_SIGNAL - code


def is_cut(remote: Remote, code: int) -> bool:
    """Return whether the link ended rather than the process at its other end."""
    return remote.is_linked and code in (SSH_FAILED, LOST_LINK)


def exit_words(remote: Remote, code: int) -> Text:
    """Return how a worker at `remote` has ended, in words."""
    if is_cut(remote, code):
        return say("the connection to {remote} ended", remote=remote.name)
    return command.exit_words(signal_or_code(remote, code))


SENTENCES = {
    "old": "The Python of {remote} is {more}; it must be 3.11 or newer.",
    "old-jax": "The jax of {remote} is {more}; it must be 0.10.2 or newer.",
    "lacks": "The Python of {remote} lacks packages. Install them there: {more}",
    "failed": "{remote} could not store the engine: {more}.",
}
"""What prevents a start, by the word of a remote for it."""
MOST_BEFORE = 1 << 20
"""Bytes that the shells of a remote may print before ours begins."""


class Arrival:
    """Reads the messages of a remote until its worker sends its own.

    Attributes:
        is_over: whether the worker's own messages follow.
        rest: the bytes after the last line, which the worker has sent already.
        trouble: the reason why there will be no worker; empty for none.
    """

    def __init__(self, remote: Remote) -> None:
        self._remote = remote
        self._read = b""
        self.is_over = False
        self.rest = b""
        self.trouble = NOTHING

    def take(self, chunk: bytes) -> bytes:
        """Take the bytes `chunk`, and return the bytes to send in reply."""
        # Not at the top: most windows go to no remote.
        from explorer.link.remotes.boot import TELLS

        self._read += chunk
        answer = b""
        while not self.is_over and b"\n" in self._read:
            line, _, self._read = self._read.partition(b"\n")
            _, ours, rest = line.decode(errors="replace").rpartition(TELLS)
            if ours:
                answer += self._answer(*rest.strip().partition(" ")[::2])
        if self.is_over:
            self.rest, self._read = self._read, b""
        elif len(self._read) > MOST_BEFORE:
            self.trouble = say("The answer of {remote} cannot be read.", remote=self._remote.name)
            self._read = b""
        return answer

    def _answer(self, word: str, more: str) -> bytes:
        if word == "want":
            from explorer.link.remotes.engine import engine

            return engine().packed
        if word == "ready":
            self.is_over = True
        elif word in SENTENCES:
            if word == "lacks":
                # Where it is on another machine, that is a line for a shell there.
                more = f"{self._remote.command[-1]} -m pip install {more}"
            self.trouble = say(SENTENCES[word], remote=self._remote.name, more=more)
        return b""
