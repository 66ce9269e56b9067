"""``run``: a user's program, unchanged, under the recorder from its import of jax on; its report, its recording."""

from __future__ import annotations

import contextlib
import linecache
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.commands.in_ci.output import OutputOptions, as_json
from explorer.commands.programs import printed, script
from explorer.commands.programs.script import Script, after_import

# The program should find nothing loaded that is not Python's own: the rest is imported behind it.
if TYPE_CHECKING:
    from explorer.commands.repository import ChangedLines
    from explorer.messages import LineTypes, Report
    from explorer.worker.recording.recorder import Recording


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
    from explorer.commands.code_excerpts import CODE, with_types
    from explorer.commands.in_ci import problems
    from explorer.figures import json_records
    from explorer.messages.encodable import encodable_text
    from explorer.worker.runs.in_process import JAX_VERSION

    report = on_changed_lines.report(report, changed)
    text = findings_report.report_text(report, CODE, colour=stream.isatty())
    if types:
        source = "".join(linecache.getlines(studied))
        stream.write(encodable_text(f"\n{with_types(source, [report])}\n"))
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
    if written := [str(file) for file in (json_file, save_to, output.file) if file]:
        stream.write(encodable_text(f"Written: {', '.join(written)}\n"))
    return code or output.code(int(any(each.level == "bug" for each in report.findings or ())))


def _ran(program: Script, save_to: Path | None, *, values: bool, types: bool) -> tuple[Report, int]:
    """Return the report on `program`, which has ended, and Python's exit code for it.

    Its recording is written to the file `save_to`, while it runs too.
    """
    folder, file = Path.cwd(), program.file
    recording, line_types, output = _recorded(program, save_to, values=values, types=types)
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    with contextlib.suppress(OSError):
        # Paths are reported from where the program began.
        os.chdir(folder)
    if recording.error is not None:
        script.say_error(recording.error)
    import msgspec

    from explorer.messages import Program
    from explorer.worker.runs import in_process

    report = in_process.report(program.name, recording)
    if line_types:
        report = msgspec.structs.replace(report, program=Program("jaxpr", "", line_types=line_types))
    if save_to is not None:
        from explorer.commands.programs import saved_run

        saved_run.save(save_to, msgspec.structs.replace(report, printed=output), file)
    return report, script.exit_code(recording.error)


def _recorded(
    program: Script, save_to: Path | None, *, values: bool, types: bool
) -> tuple[Recording, dict[int, LineTypes], str]:
    """Run `program`; return its recording, the types of its lines if wanted, and its output if that is saved.

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
    return recording, noted(), output()


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
