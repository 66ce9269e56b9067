"""The command and variables that start a worker at a remote; its exit code as a signal, a cut link, or words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from explorer.link import command
from explorer.link.family import BEATS, LOST_LINK, TELLS_SIGNALS
from explorer.link.remotes.remote import Remote
from explorer.text.text import Text, say

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
