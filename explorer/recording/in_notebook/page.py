"""What was recorded as HTML, for under a cell."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from explorer.commands import findings_report
from explorer.commands.quotes import Code
from explorer.figures.forest import drawing
from explorer.figures.forest.style import style
from explorer.messages import KeyGraph, Look, Picture, Report
from explorer.recording.in_notebook import rows

MAX_PICTURES = 4
PRE = "font:12px/1.35 ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre;overflow-x:auto"


def page(report: Report, code: Code, outputs: object) -> str:
    """Return `report` as HTML, with the rows of what was drawn and of the arrays in `outputs`."""
    parts = [style(), f'<div style="margin:4px 0 8px">{_verdict(report)}</div>']
    if report.keys is not None and report.keys.nodes:
        parts += _tree(report.keys)
    parts += _rows(report, outputs)
    if text := findings_report.body_text(report, code):
        parts.append(f'<pre style="{PRE}">{escape(text)}</pre>')
    return f'<div class="jaxk" style="font:13px system-ui,sans-serif">{"".join(parts)}</div>'


def _verdict(report: Report) -> str:
    """Return what came of each part that was looked at, as the last line of a report has it."""
    return " · ".join(_look(look) for look in report.looks)


def _look(look: Look) -> str:
    colour = "var(--k-good)" if look.is_clean else "var(--k-bug)" if look.worst == "bug" else "var(--k-dim)"
    return f'<span style="color:{colour};font-weight:{600 if look.worst == "bug" else 400}">{escape(look.words)}</span>'


def _tree(graph: KeyGraph) -> Iterator[str]:
    yield f'<div style="overflow-x:auto">{drawing.tree(graph)}</div>'
    yield f'<div style="color:var(--k-dim);margin:2px 0 6px">{drawing.legend(graph)}</div>'


def _rows(report: Report, outputs: object) -> Iterator[str]:
    from explorer.worker.runs import in_process

    try:
        pictures = in_process.pictures_of(report, outputs)
    except Exception as error:
        # What a person's cell returns may be anything; the findings shall be told all the same.
        yield f"<div>The rows could not be compared: {escape(type(error).__name__)}.</div>"
        return
    told = [each for each in pictures if rows.tells(each)]
    shown = [_picture(each) for each in told[:MAX_PICTURES]]
    if shown:
        yield f'<div style="display:flex;flex-wrap:wrap;gap:24px;margin:6px 0">{"".join(shown)}</div>'
    if len(told) > MAX_PICTURES:
        yield f"<div>and {len(told) - MAX_PICTURES} more arrays</div>"


def _picture(picture: Picture) -> str:
    equal = rows.equal(picture)
    what = f"equal: {'; '.join(equal)}" if equal else ""
    return (
        f"<div><div><b>{escape(str(picture.name))}</b> {escape(picture.dtype)}{escape(str(list(picture.shape)))}</div>"
        f"<div>{escape(str(picture.verdict))}</div>{rows.drawn(picture)}"
        f'<div style="color:var(--k-bug)">{escape(what)}</div></div>'
    )
