"""Runs the programs of a folder or a pattern one after the other, each in its own process."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from explorer import OUR_HOME, OUR_NAME
from explorer.commands.in_ci import problems
from explorer.commands.in_ci.output import OutputOptions, as_json
from explorer.link import temporary

_START = f"import sys; sys.path[0] = {str(OUR_HOME)!r}; from {OUR_NAME}.__main__ import main; sys.exit(main())"
"""Keeps modules in the current folder from replacing ours; the program's own folder takes this entry later."""


def run(programs: Sequence[Path], options: argparse.Namespace, output: OutputOptions) -> int:
    """Run all `programs` with the same arguments, and return the highest of their exit codes.

    Their output is passed through; the findings are collected in one file. Raises OSError for that file.
    """
    if options.json:
        output = output._replace(form="json", file=Path(options.json).absolute())
    codes: list[int] = []
    reports: list[str] = []
    with temporary.folder() as folder:
        for program in programs:
            sys.stderr.write(f"== {program}\n")
            sys.stderr.flush()
            report = folder / "report"
            words = [*_options(options, output, str(report)), str(program), *options.arguments]
            codes.append(abs(subprocess.run([sys.executable, "-c", _START, "run", *words], check=False).returncode))
            if report.is_file():
                reports.append(report.read_text(encoding="utf-8"))
                report.unlink()
    content = _put_together(reports, output)
    output.write(content)
    clean = sum(code == 0 for code in codes)
    sys.stderr.write(f"{len(programs)} run: {clean} fine, {len(programs) - clean} not\n")
    return max(codes)


def _options(options: argparse.Namespace, output: OutputOptions, report: str) -> Iterator[str]:
    """Yield the problems of one program; its report is read from the file `report`."""
    if output.file is not None:
        yield from ("--format", output.form, "--output", report)
    else:
        yield from ("--format", output.form)
    if options.diff:
        yield from ("--diff", options.diff)
    if output.exit_zero:
        yield "--exit-zero"
    if options.values:
        yield "--values"


def _put_together(reports: Sequence[str], output: OutputOptions) -> str:
    if output.form == "sarif":
        logs: list[dict[str, Any]] = [json.loads(each) for each in reports]
        return as_json(problems.merged(logs)) if logs else ""
    if output.form == "json":
        return as_json([json.loads(each) for each in reports])
    return "".join(reports)
