"""``recording()`` for a block of a program; for pytest and notebooks, too. Imports jax late, and Qt never."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from explorer.commands import findings_report
from explorer.commands.programs import printed
from explorer.messages import Finding, Report
from explorer.messages.recorded_run import is_recording

if TYPE_CHECKING:
    from explorer.worker.recording.recorder import Recording


class RecordedKeys:
    """The keys of a recorded block, readable after the block, even if it raised."""

    def __init__(self, recording: Recording, output: Callable[[], str] = str) -> None:
        self._recording, self._output = recording, output
        self._is_open = True
        self._report: Report | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, bugs first. Raises RuntimeError inside the block."""
        return self._found().findings or ()

    @property
    def bugs(self) -> tuple[Finding, ...]:
        """The findings that are bugs; empty if there are none. Raises RuntimeError inside the block."""
        return tuple(finding for finding in self.findings if finding.level == "bug")

    def report(self) -> str:
        """Return the findings as text with quoted code. Raises RuntimeError inside the block."""
        from explorer.recording.in_notebook import page

        return findings_report.report_text(*page.named(self._found()), colour=False)

    def html(self, outputs: object = ()) -> str:
        """Return HTML: the tree of keys, the rows of draws and of the arrays in `outputs`, and the findings.

        Raises RuntimeError inside the block.
        """
        from explorer.recording.in_notebook import page

        return page.page(*page.named(self._found()), outputs)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the recording to the file `path`, which ends in ``.jaxrec``.

        Raises RuntimeError inside the block, ValueError for another ending, and OSError.
        """
        from explorer.commands.programs import saved_run

        report = msgspec.structs.replace(self._found(), printed=self._output())
        saved_run.save(_file(path), report)

    def _repr_html_(self) -> str:
        return "The block is still being recorded." if self._is_open else self.html()

    def close(self) -> None:
        """Mark the end of the block."""
        self._is_open = False

    def _found(self) -> Report:
        if self._is_open:
            raise RuntimeError("The keys are known after the block has ended: read them below the with block.")
        if self._report is None:
            from explorer.worker.runs import in_process

            self._report = in_process.report("recording", self._recording, keys_go_on=True)
        return self._report


@contextmanager
def recording(*, values: bool = False, save: str | os.PathLike[str] = "") -> Iterator[RecordedKeys]:
    """Record the random keys of the block. JAX is restored afterwards, however the block ends.

    With `save`, the recording is written to that file at the end, as by `RecordedKeys.save`, also if the block raised.
    Until then the file has what was known a while ago, in case the process is killed. Only with `save` is the output of
    the block kept.

    Raises ValueError for a file that does not end in ``.jaxrec``.

    With `values`, it also reports out-of-bounds indices, NaN and narrowed types, which takes longer. All code outside
    of site-packages is user code. All threads of the process are recorded. Of two nested blocks, the inner one records.
    """
    keys = None
    try:
        with recorded_keys(values=values, save=save) as keys:
            yield keys
    finally:
        if save and keys is not None:
            keys.save(save)


@contextmanager
def recorded_keys(*, values: bool, aside: str = "", save: str | os.PathLike[str] = "") -> Iterator[RecordedKeys]:
    """Record the block as `recording` does; code in the file `aside` does not count as user code."""
    from explorer.worker.runs import in_process

    with ExitStack() as stack:
        output = stack.enter_context(printed.kept()) if save else str
        recorded = stack.enter_context(in_process.recorded(values=values, aside=aside))
        if save:
            from explorer.commands.programs import saved_run

            stack.callback(saved_run.Checkpoints(recorded, _file(save), output=output).end)
        keys = RecordedKeys(recorded, output)
        try:
            yield keys
        except BaseException as error:
            recorded.error = error
            raise
        finally:
            keys.close()


def _file(path: str | os.PathLike[str]) -> Path:
    if not is_recording(os.fspath(path)):
        raise ValueError(f"the name of a recording ends in .jaxrec, and {os.fspath(path)} does not")
    return Path(path).absolute()
