"""A recording as HTML, for the output of a cell; ``named`` gives each place the name of its cell, ``In[3]``."""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from explorer.commands import findings_report
from explorer.commands.code_excerpts import CODE, Sources
from explorer.figures import array_rows, call_curves
from explorer.figures.forest import drawing
from explorer.figures.forest.style import style
from explorer.messages import Coverage, Finding, Report
from explorer.text.html import Html, tag
from explorer.text.text import verbatim

MAX_PICTURES = 4
MAX_CALLS = 4
PRE = Html("font:12px/1.35 ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre;overflow-x:auto")
_MARIMO = re.compile(r"__marimo__cell_(\w+?)_\.py$")


def page(report: Report, code: Sources, outputs: object) -> Html:
    """Return `report` as HTML, with the rows of draws and of the arrays in `outputs`."""
    # The result of each checked part, as in the last line of a report.
    verdict = Html(" · ".join(map(_look, report.coverage)))
    parts = [Html(style()), tag("div", verdict, style="margin:4px 0 8px")]
    if report.keys is not None and report.keys.nodes:
        parts.append(tag("div", Html(drawing.tree(report.keys)), style="overflow-x:auto"))
        parts.append(tag("div", Html(drawing.legend(report.keys)), style="color:var(--k-dim);margin:2px 0 6px"))
    parts += _rows(report, outputs)
    parts += map(call_curves.figure, report.calls[:MAX_CALLS])
    if text := findings_report.body_text(report, code):
        parts.append(tag("pre", text, style=PRE))
    return tag("div", *parts, class_="jaxk", style="font:13px system-ui,sans-serif")


def _look(look: Coverage) -> Html:
    colour = "var(--k-good)" if look.is_clean else "var(--k-bug)" if look.worst == "bug" else "var(--k-dim)"
    return tag("span", look.words, style=f"color:{colour};font-weight:{600 if look.worst == 'bug' else 400}")


def _rows(report: Report, outputs: object) -> Iterator[Html]:
    from explorer.worker.runs import in_process

    try:
        pictures = in_process.pictures_of(report, outputs)
    except Exception as error:
        # A cell may return anything; the findings are shown all the same.
        yield tag("div", f"The rows could not be compared: {type(error).__name__}.")
        return
    telling = [each for each in pictures if array_rows.tells(each)]
    shown = [array_rows.figure(each) for each in telling[:MAX_PICTURES]]
    if shown:
        yield tag("div", *shown, style="display:flex;flex-wrap:wrap;gap:24px;margin:6px 0")
    if len(telling) > MAX_PICTURES:
        yield tag("div", f"and {len(telling) - MAX_PICTURES} more arrays")


def named(report: Report) -> tuple[Report, Sources]:
    """Return `report` and its code, with cells named ``In[3]`` as in the notebook."""
    # IPython is not imported for that.
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    findings = tuple(_named(each, shell) for each in report.findings or ())
    return replace(report, findings=findings), replace(CODE, name=lambda file: _cell(shell, file) or CODE.name(file))


def _named(finding: Finding, shell: Any) -> Finding:
    words = str(finding.message)
    for file in {span.file for span in finding.all_spans}:
        if cell := _cell(shell, file):
            words = words.replace(Path(file).name, cell)
    return replace(finding, message=verbatim(words))


def _cell(shell: Any, file: str) -> str:
    """Return the notebook's name of its own file, or an empty text."""
    if found := _MARIMO.search(file):
        # marimo's cells have no numbers, only internal names.
        return f"cell {found[1]}"
    with contextlib.suppress(Exception):
        if shell is not None and (label := shell.compile.format_code_name(file)):
            return str(label[1])
    return ""
