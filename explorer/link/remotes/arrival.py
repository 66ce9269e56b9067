"""Reads a remote's messages before its worker runs, sends the engine on request, and keeps why no worker starts."""

from __future__ import annotations

from explorer.link.remotes.remote import Remote
from explorer.text.text import NOTHING, say

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
