"""``jax-explorer export``: the window without a screen, until everything is there, then its pictures."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from explorer.commands import findings_report
from explorer.commands.export.offscreen import Unseen
from explorer.commands.quotes import QuotedFiles
from explorer.link.remotes.remote import HERE, Remote
from explorer.messages import Snapshot
from explorer.scenario.scenario import Scenario

SETTLING = 10
"""Turns of the event loop after which newly shown widgets have their layout."""


def run(
    scenario: Scenario,
    directory: str,
    *,
    variant: str,
    language: str,
    theme_name: str,
    size: tuple[int, int],
    device: str,
    remote: Remote = HERE,
    line_types: bool = False,
    as_report: bool = False,
) -> int:
    """Write all that `exported.write` writes, and return the exit code. Raises OSError.

    The program runs at `remote`. With `line_types`, the code in the window has them at line ends. `as_report`
    prints the findings and the folder instead of each file, and leaves out lenses and loops.
    """
    Path(directory).mkdir(parents=True, exist_ok=True)
    with Unseen(language, theme_name, line_types=line_types, remote=remote) as unseen:
        from explorer.window.files import exported

        application, window, session = unseen.application, unseen.window, unseen.session
        unseen.desk.take_up(scenario, device, variant)
        # After the window took the size of the last run, or of the screen.
        window.resize(*size)
        unseen.desk.files.list_scenarios()
        finished = exported.wait_until_done(application, session, unseen.interrupts)
        if variant not in ("", session.workspace.controls.variant):
            sys.stderr.write(f"jax-explorer: there is no function named {variant} in this code\n")
            return 2
        unseen.desk.lesson.uncover()
        for _ in range(SETTLING):
            application.processEvents()
        written = exported.write(Path(directory), window, session)
        place = Path(directory), application, window, session, unseen.interrupts
        more = () if as_report else (*exported.write_lenses(*place), *exported.write_loops(*place))
    if as_report:
        for text in _found(scenario, session.snapshot):
            print(text, end="\n\n")  # noqa: T201
        print(f"Pictures, texts and numbers of all panes: {Path(directory).absolute()}")  # noqa: T201
        return _exit_code(session.snapshot, finished)
    for path in dict.fromkeys((*written.files, *more)):
        print(path)  # noqa: T201
    for sentence in written.left_out:
        sys.stderr.write(f"jax-explorer: {sentence}\n")
    return _exit_code(session.snapshot, finished)


def _found(scenario: Scenario, snapshot: Snapshot | None) -> Iterator[str]:
    """Yield the findings of each program, as `check` prints them."""
    code = QuotedFiles(lambda _file: scenario.source.splitlines(), lambda _file: scenario.path or scenario.id)
    for report in snapshot.reports if snapshot is not None else ():
        if text := findings_report.body_text(report, code, scenario.id):
            yield f"{report.name}:\n{text}"


def _exit_code(snapshot: Snapshot | None, finished: bool) -> int:
    if not finished:
        sys.stderr.write("jax-explorer: the program was still running, so the pictures show its results so far\n")
        return 2
    if snapshot is None:
        return 2
    if snapshot.failure is not None:
        sys.stderr.write(f"jax-explorer: {snapshot.failure.type}: {snapshot.failure.message}\n")
        return 2
    return 0
