"""Why there is no worker at a remote, as a record."""

from __future__ import annotations

from typing import Literal, NamedTuple

from explorer.text.text import Text, say

Kind = Literal[
    "unknown",
    "no_environment",
    "no_program",
    "no_command",
    "no_host",
    "old",
    "old_jax",
    "lacks",
    "failed",
    "unreadable",
]
SENTENCES = {
    "unknown": "Cannot use {remote}: it is not a Python, an environment or a command such as `ssh {remote}`.",
    "no_environment": "{remote} is not an environment: there is no Python in it.",
    "no_program": "{remote} is not a Python: it cannot be run.",
    "no_command": "{remote} cannot be read as a command: {more}.",
    "no_host": "{remote} names no host.",
    "old": "The Python of {remote} is {more}; it must be 3.11 or newer.",
    "old_jax": "The jax of {remote} is {more}; it must be 0.10.2 or newer.",
    "lacks": "The Python of {remote} lacks packages. Install them there: {more}",
    "failed": "{remote} could not store the engine: {more}.",
    "unreadable": "The answer of {remote} cannot be read.",
}


class RemoteProblem(NamedTuple):
    """Why there is no worker at a remote.

    Attributes:
        kind: the kind of obstacle.
        remote: its name, or the user's text for it.
        more: the end of the sentence.
    """

    kind: Kind
    remote: str
    more: str = ""

    @property
    def text(self) -> Text:
        """The same in a sentence."""
        return say(SENTENCES[self.kind], remote=self.remote, more=self.more)

    def __str__(self) -> str:
        return str(self.text)


class NoRemote(Exception):
    """The words name no remote.

    Attributes:
        trouble: why.
    """

    def __init__(self, trouble: RemoteProblem) -> None:
        super().__init__(str(trouble))
        self.trouble = trouble
