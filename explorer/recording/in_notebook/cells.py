"""A report on a notebook's code with each place named by its cell, ``In[3]``, instead of a made-up file name."""

from __future__ import annotations

import contextlib
import re
import sys
from pathlib import Path
from typing import Any

from msgspec import structs
from msgspec.structs import replace

from explorer.commands.code_excerpts import CODE, Sources
from explorer.messages import Finding, Report
from explorer.text.text import verbatim

_MARIMO = re.compile(r"__marimo__cell_(\w+?)_\.py$")


def named(report: Report) -> tuple[Report, Sources]:
    """Return `report` and its code, with cells named ``In[3]`` as in the notebook."""
    shell = _shell()
    findings = tuple(_named(each, shell) for each in report.findings or ())
    return structs.replace(report, findings=findings), replace(
        CODE, name=lambda file: _cell(shell, file) or CODE.name(file)
    )


def _named(finding: Finding, shell: Any) -> Finding:
    words = str(finding.message)
    for file in {span.file for span in finding.all_spans}:
        if cell := _cell(shell, file):
            words = words.replace(Path(file).name, cell)
    return structs.replace(finding, message=verbatim(words))


def _cell(shell: Any, file: str) -> str:
    """Return the notebook's name of its own file, or an empty text."""
    if found := _MARIMO.search(file):
        # marimo's cells have no numbers, only internal names.
        return f"cell {found[1]}"
    with contextlib.suppress(Exception):
        if shell is not None and (label := shell.compile.format_code_name(file)):
            return str(label[1])
    return ""


def _shell() -> Any:
    """Return the running notebook shell, or None; IPython is not imported for that."""
    interactive = sys.modules.get("IPython")
    return getattr(interactive, "get_ipython", lambda: None)()
