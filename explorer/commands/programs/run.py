"""Runs a user's program unchanged under the key recorder, and reports its use of keys at the end."""

from __future__ import annotations

import contextlib
import linecache
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.commands.in_ci.output import OutputOptions, as_json
from explorer.commands.programs import script
from explorer.commands.programs.recorded import recorded
from explorer.commands.programs.script import Script

# The program should find nothing loaded that is not Python's own: the rest is imported behind it.
if TYPE_CHECKING:
    from explorer.commands.repository import ChangedLines
    from explorer.messages import Report


def run(
    program: Script,
    json_file: str = "",
    *,
    save_to: str = "",
    values: bool = False,
    types: bool = False,
    output: OutputOptions = OutputOptions(),  # noqa: B008  # a value
    changed: ChangedLines | None = None,
) -> int:
    """Run `program` in this process, report on stderr, and return its exit code; 1 instead of 0 if it has a bug.

    With `json_file` the report is written there too, with `save_to` the recording; with `values` it reports indices,
    NaN and narrowed types as well, and with `types` it prints the program with the types of its lines. Where something
    was `changed`, only findings there count.
    Raises NoSuchProgram, and OSError for a file.
    """
    # The program may change the folder and replace the streams.
    target, recording = (Path(file).absolute() if file else None for file in (json_file, save_to))
    studied = program.file
    output = output._replace(file=output.file and output.file.absolute())
    for file in filter(None, (target, recording, output.file)):
        # Better now than after a night's run.
        file.open("ab").close()
    stream = sys.stderr
    report, code = _ran(program, recording, values=values, types=types)

    from explorer.commands import findings_report, on_changed_lines
    from explorer.commands.code_excerpts import CODE
    from explorer.commands.in_ci import problems
    from explorer.figures import json_records
    from explorer.messages.encodable import encodable_text
    from explorer.worker.runs.in_process import JAX_VERSION

    report = on_changed_lines.report(report, changed)
    text = findings_report.report_text(report, CODE, colour=stream.isatty())
    if types:
        from explorer.commands import typed_source

        source = "".join(linecache.getlines(studied))
        stream.write(encodable_text(f"\n{typed_source.text(source, [report])}\n"))
    stream.write(encodable_text(f"\njax-explorer: {_headline(report)}\n\n{text}\n"))
    if commands := _further_checks(program, report):
        stream.write(encodable_text(f"More checks: {', '.join(commands)}\n"))
    record = json_records.run_record(JAX_VERSION, report)
    if target is not None:
        target.write_bytes(as_json(record).encode())
    plain = findings_report.report_text(report, CODE, colour=False) if output.file else text
    content = output.formatted(plain, record, problems.of_report(report, str(Path(program.name).absolute())))
    if output.form == "github" and output.file is None:
        stream.write(encodable_text(content))
    output.write(content)
    return code or output.code(int(any(each.level == "bug" for each in report.findings or ())))


def _ran(program: Script, save_to: Path | None, *, values: bool, types: bool) -> tuple[Report, int]:
    """Return the report on the finished program, and Python's exit code for it."""
    folder, file = Path.cwd(), program.file
    ended = recorded(program, save_to, values=values, types=types)
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    with contextlib.suppress(OSError):
        # Paths are reported from where the program began.
        os.chdir(folder)
    if ended.error is not None:
        script.say_error(ended.error)
    report = ended.report(program.name)
    if save_to is not None:
        import msgspec

        from explorer.commands.programs import saved_run

        saved_run.save(save_to, msgspec.structs.replace(report, printed=ended.printed), file)
    return report, script.exit_code(ended.error)


def _further_checks(program: Script, report: Report) -> list[str]:
    """Return the commands that check what this run did not; nothing where an error or a signal ended it."""
    if report.failure is not None:
        return []
    extents = {each.part: each.extent for each in report.coverage}
    commands = []
    if extents.get("tracing") == "partly" and not program.is_module:
        commands.append(f"`jax-explorer check {program.name}` (changes of state)")
    if extents.get("values") == "no":
        commands.append(f"`jax-explorer run --values {'-m ' * program.is_module}{program.name}` (values)")
    return commands


def _headline(report: Report) -> str:
    words = f"what was found in {report.name}"
    if report.failure is None:
        return words
    endings = {"KeyboardInterrupt": "it was stopped", "SystemExit": "it quit"}
    return f"{words} until {endings.get(report.failure.type, f'{report.failure.type} ended it')}"
