"""A program that runs under the recorder, from the moment in which it imports jax itself."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.commands.programs import script
from explorer.commands.programs.script import Script, after_import

# The program should find nothing loaded that is not Python's own: the rest is imported behind it.
if TYPE_CHECKING:
    from explorer.worker.recording.recorder import Recording


def recorded(program: Script, *, values: bool, save_to: Path | None = None) -> tuple[Recording, BaseException | None]:
    """Run `program` and return the recording, and the exception that it raised.

    While it runs, the recording is written to the file `save_to` from time to time.

    The recording begins when the program itself imports jax, which reads its environment variables then.
    """
    begun: list[Recording] = []
    with contextlib.ExitStack() as stack:

        def begin() -> None:
            from explorer.worker.runs import in_process

            begun.append(stack.enter_context(in_process.recorded(script.studied(program), values=values)))
            if save_to is not None:
                from explorer.commands.programs import saved_run

                file = "" if program.is_module else str(Path(program.name).absolute())
                stack.callback(saved_run.Checkpoints(begun[0], save_to, file).end)

        def has_ended() -> None:
            for each in begun:
                each.has_ended()

        with after_import("jax", begin):
            error = script.run(program, has_ended)
    from explorer.worker.runs import in_process

    recording = begun[0] if begun else in_process.unrecorded()
    if script.exit_code(error):
        recording.error = error
    return recording, error
