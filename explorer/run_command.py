"""Runs a person's program unchanged under the key recorder, and tells at its end what its keys did."""

from __future__ import annotations

import contextlib
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import msgspec

from explorer import diagnostics, records, script
from explorer.late_import import after_import
from explorer.messages import Report
from explorer.recording import CODE
from explorer.script import Script

if TYPE_CHECKING:
    from explorer.worker.recorder import Recording


def run(program: Script, json_file: str = "") -> int:
    """Run `program` in this process, report on stderr and return its exit code; 1 in place of 0 if it has a bug.

    With `json_file` the report is written there too. Raises NoSuchProgram, and OSError for that file.
    """
    target = Path(json_file).absolute() if json_file else None
    stream = sys.stderr
    recording, error = _recorded(program)
    _finish_output(error)
    if recording is None:
        stream.write(f"\njax-explorer: {program.name} did not import jax.\n")
        report, version = Report(program.name, script.status(error)), ""
    else:
        from explorer.worker import own_code

        report, version = own_code.report(program.name, recording), own_code.JAX_VERSION
        stream.write(f"\njax-explorer: {program.name}{_ending(report)}\n\n")
        stream.write(diagnostics.report_text(report, CODE, colour=stream.isatty()) + "\n")
    if target is not None:
        target.write_bytes(msgspec.json.format(msgspec.json.encode(records.run_record(version, report)), indent=2))
    code = script.exit_code(error)
    return 1 if code == 0 and any(finding.level == "bug" for finding in report.findings or ()) else code
