"""A program that runs under the recorder, from the moment in which it imports jax itself."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from explorer.commands.programs import printed, script
from explorer.commands.programs.script import Script, after_import

# The program should find nothing loaded that is not Python's own: the rest is imported behind it.
if TYPE_CHECKING:
    from explorer.messages import LineTypes, Report
    from explorer.worker.recording.recorder import Recording


class Recorded(NamedTuple):
    """A program that has ended."""

    recording: Recording
    error: BaseException | None
    line_types: dict[int, LineTypes]
    """The types of its lines; empty if nobody asked."""
    printed: str
    """Its output, cut to its two ends; empty if it is not kept."""

    def report(self, name: str) -> Report:
        """Return the report on the program `name`, with the types of its lines if they were noted."""
        import msgspec

        from explorer.messages import Program
        from explorer.worker.runs import in_process

        report = in_process.report(name, self.recording)
        if not self.line_types:
            return report
        return msgspec.structs.replace(report, program=Program("jaxpr", "", line_types=self.line_types))


def recorded(program: Script, save_to: Path | None = None, *, values: bool = False, types: bool = False) -> Recorded:
    """Run `program` under the recorder, which checks `values` and notes the `types` of its lines if asked for.

    While it runs, the recording is written to the file `save_to` from time to time, with its output.

    The recording begins when the program itself imports jax, which reads its environment variables then.
    """
    begun: list[Recording] = []
    noted: Callable[[], dict[int, LineTypes]] = dict
    file = program.file
    with contextlib.ExitStack() as stack:
        output = stack.enter_context(printed.kept()) if save_to is not None else str

        def begin() -> None:
            nonlocal noted
            from explorer.worker.runs import in_process

            how = in_process.recorded(script.studied(program), values=values)
            begun.append(stack.enter_context(how))
            if save_to is not None:
                from explorer.commands.programs import saved_run

                stack.callback(saved_run.Checkpoints(begun[0], save_to, file, output).end)
            if types:
                from explorer.worker.program.line_types import line_types_noted

                noted = stack.enter_context(line_types_noted(lambda name: name == file, untraced=True))

        def has_ended() -> None:
            for each in begun:
                each.has_ended()

        with after_import("jax", begin):
            error = script.run(program, has_ended)
    from explorer.worker.runs import in_process

    recording = begun[0] if begun else in_process.unrecorded()
    if script.exit_code(error):
        recording.error = error
    return Recorded(recording, error, noted(), output())
