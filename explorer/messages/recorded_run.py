"""A finished run with all that shows it again; ``recorded_parts`` of a report; ``parts``, each record in another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from explorer.messages.basics import Array
from explorer.messages.reports import TOP_LEVEL, Program, Report, Snapshot, Variant
from explorer.text.ends import ends
from explorer.text.text import Text

ENDING = ".jaxrec"
MOST_DEEP = 60


def is_recording(path: str) -> bool:
    """Return whether `path` is that of a recording, by its ending."""
    return path.lower().endswith(ENDING)


class RecordingOrigin(msgspec.Struct, frozen=True):
    """The program of a recording, its time and its versions."""

    program: str
    """Name of the file, without its folder."""
    ended: str
    """The time in UTC, ISO 8601."""
    application: str = ""
    """Version of JAX Explorer."""
    python: str = ""
    jax: str = ""
    """Version of JAX; empty if the program did not import it."""
    system: str = ""
    """``Linux x86_64``."""
    devices: tuple[str, ...] = ()
    """Kinds of the devices that JAX had, each once."""
    left_out: tuple[Text, ...] = ()
    """Sentences on what did not fit into the file."""

    @property
    def where(self) -> str:
        """The versions, the system and the devices that are known: ``JAX 0.10.2, Python 3.11.7, Linux x86_64, cpu``."""
        versions = (f"JAX {self.jax}" if self.jax else "", f"Python {self.python}" if self.python else "")
        return ", ".join(filter(None, [*versions, self.system, *self.devices]))


class RecordedRun(msgspec.Struct, frozen=True):
    """A run as it is kept in a file. Spans without a file are in `source`; other files are named without folders."""

    about: RecordingOrigin
    source: str
    """The program; empty if its text is not known."""
    report: Report
    """The run's output, keys, arrays, findings, curves, types of lines, and its end; no other part."""

    @property
    def snapshot(self) -> Snapshot:
        """The report as the answer to a request."""
        variant = Variant(TOP_LEVEL, 1, end_line=max(self.source.count("\n"), 1))
        report = msgspec.structs.replace(self.report, recorded=True)
        return Snapshot(0, "", complete=True, variants=(variant,), reports=(report,))


def recorded_parts(report: Report) -> Report:
    """Return the parts of `report` that a recording has, with the two ends of a long output.

    Fixes are those of a program that can be run.
    """
    failure = report.failure and msgspec.structs.replace(report.failure, fixes=())
    found = report.findings and tuple(msgspec.structs.replace(each, fixes=()) for each in report.findings)
    program = report.program and Program("jaxpr", "", line_types=report.program.line_types)
    return Report(
        TOP_LEVEL,
        report.status,
        failure,
        ends(report.printed),
        program,
        keys=report.keys,
        pictures=report.pictures,
        findings=found,
        coverage=report.coverage,
        calls=report.calls,
    )


def parts(value: object, depth: int = 0) -> Iterator[msgspec.Struct]:
    """Yield each record in `value`, arrays as a whole. Raises RecursionError for more depth than any run has."""
    if depth > MOST_DEEP:
        raise RecursionError
    inside: Iterable[object] = ()
    if isinstance(value, msgspec.Struct):
        yield value
        if not isinstance(value, Array):
            inside = (getattr(value, field) for field in value.__struct_fields__)
    elif isinstance(value, dict):
        inside = value.values()
    elif isinstance(value, tuple | list):
        inside = value
    for each in inside:
        yield from parts(each, depth + 1)
