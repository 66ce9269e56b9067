"""Runs a person's program unchanged under the key recorder, and tells at its end what it did with its keys."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.commands import script
from explorer.commands.in_ci.output import Output, as_json
from explorer.commands.script import Script, after_import

# The program shall find nothing loaded that is not Python's own: the rest is imported behind it.
if TYPE_CHECKING:
    from explorer.commands.in_ci.repository import Changed
    from explorer.messages import Report
    from explorer.worker.recording.recorder import Recording


def run(
    program: Script,
    json_file: str = "",
    *,
    values: bool = False,
    output: Output = Output(),  # noqa: B008  # a value
    changed: Changed | None = None,
) -> int:
    """Run `program` in this process, report on stderr, and return its exit code; 1 in place of 0 if it has a bug.

    With `json_file` the report is written there too; with `values` it tells of indices, NaN and types as well. Where
    something was `changed`, only findings there count. Raises NoSuchProgram, and OSError for a file.
    """
    # The program may change the folder and replace the streams.
    target = Path(json_file).absolute() if json_file else None
    output = output._replace(file=output.file and output.file.absolute())
    for file in filter(None, (target, output.file)):
        # Better now than after a night's run.
        file.open("ab").close()
    folder = Path.cwd()
    stream = sys.stderr
    recording, error = _recorded(program, values=values)
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    if error is not None:
        script.say_error(error)

    from explorer.commands import findings_report
    from explorer.commands.in_ci import narrowed, problems
    from explorer.commands.quotes import CODE
    from explorer.figures import json_records
    from explorer.messages.encodable import encodable_text
    from explorer.worker.runs import in_process

    with contextlib.suppress(OSError):
        # Paths are told from where the program began.
        os.chdir(folder)
    report = narrowed.report(in_process.report(program.name, recording), changed)
    text = findings_report.report_text(report, CODE, colour=stream.isatty())
    stream.write(encodable_text(f"\njax-explorer: {_headline(report, values=values)}\n\n{text}\n"))
    record = json_records.run_record(in_process.JAX_VERSION, report)
    if target is not None:
        target.write_bytes(as_json(record).encode())
    plain = findings_report.report_text(report, CODE, colour=False) if output.file else text
    content = output.formatted(plain, record, problems.of_report(report, str(Path(program.name).absolute())))
    if output.form == "github" and output.file is None:
        stream.write(encodable_text(content))
    output.write(content)
    return script.exit_code(error) or output.code(int(any(each.level == "bug" for each in report.findings or ())))


def _recorded(program: Script, *, values: bool) -> tuple[Recording, BaseException | None]:
    """Run `program` and return what was recorded, and what it raised.

    The recording begins when the program itself imports jax, which reads its environment variables then.
    """
    begun: list[Recording] = []
    with contextlib.ExitStack() as stack:

        def begin() -> None:
            from explorer.worker.runs import in_process

            begun.append(stack.enter_context(in_process.recorded(script.studied(program), values=values)))

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


def _headline(report: Report, *, values: bool) -> str:
    words = f"what {report.name} did with its random keys{' and its values' if values else ''}"
    if report.failure is None:
        return words
    endings = {"KeyboardInterrupt": "it was stopped", "SystemExit": "it quit"}
    return f"{words} until {endings.get(report.failure.type, f'{report.failure.type} ended it')}"
