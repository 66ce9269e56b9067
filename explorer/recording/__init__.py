"""``recording()`` for a block of a program; for pytest and notebooks, too. Imports jax late, and Qt never."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from explorer.commands import findings_report
from explorer.messages import Finding, Report
from explorer.recording.in_notebook import cells

if TYPE_CHECKING:
    from explorer.worker.recording.recorder import Recording


class RecordedKeys:
    """The keys of a recorded block, to be read after it has ended, also when it raised."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._is_open = True
        self._report: Report | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, bugs first. Raises RuntimeError inside the block."""
        return self._found().findings or ()

    @property
    def bugs(self) -> tuple[Finding, ...]:
        """The findings that are bugs; falsy when there is none. Raises RuntimeError inside the block."""
        return tuple(finding for finding in self.findings if finding.level == "bug")

    def report(self) -> str:
        """Return the findings as text, with their code quoted. Raises RuntimeError inside the block."""
        return findings_report.report_text(*cells.named(self._found()), colour=False)

    def html(self, outputs: object = ()) -> str:
        """Return the tree of keys, the rows of what was drawn and of the arrays in `outputs`, and the findings as HTML.

        Raises RuntimeError inside the block.
        """
        from explorer.recording.in_notebook import page

        return page.page(*cells.named(self._found()), outputs)

    def _repr_html_(self) -> str:
        return "The block is still being recorded." if self._is_open else self.html()

    def close(self) -> None:
        """Say that the block has ended."""
        self._is_open = False

    def _found(self) -> Report:
        if self._is_open:
            raise RuntimeError("The keys are known after the block has ended: read them below the with block.")
        if self._report is None:
            from explorer.worker.runs import in_process

            self._report = in_process.report("recording", self._recording, keys_go_on=True)
        return self._report


@contextmanager
def recording(*, values: bool = False) -> Iterator[RecordedKeys]:
    """Record what the block does with random keys. JAX is afterwards as it was, however the block ends.

    With `values` it reports indices beyond the end, NaN and narrowed types as well, which takes longer.

    user code is all that is not installed: code in site-packages is a library's. The whole process is
    recorded, all threads. Of two blocks, one in the other, the inner one gets all.
    """
    with recorded_keys(values=values) as keys:
        yield keys


@contextmanager
def recorded_keys(*, values: bool, aside: str = "") -> Iterator[RecordedKeys]:
    """Record the block as `recording` does; the code of the file `aside` is not the user's."""
    from explorer.worker.runs import in_process

    with in_process.recorded(values=values, aside=aside) as recorded:
        keys = RecordedKeys(recorded)
        try:
            yield keys
        except BaseException as error:
            recorded.error = error
            raise
        finally:
            keys.close()
