"""Finds the thing in a snapshot that a step's focus text names, and reports errors in such a text."""

from __future__ import annotations

from explorer.figures.key_tally import KeyTally
from explorer.messages import KEY_STATES, Focus, Report, Snapshot

FORMS = ("line TEXT", "equation PRIMITIVE", "key STATE", "row NUMBER", "finding KIND")


def complaint(text: str) -> str:
    """Return the error in the focus `text` of a step; empty for a correct one."""
    kind, _, what = text.partition(" ")
    forms = ", ".join(f"`{form}`" for form in FORMS)
    if kind not in {form.split()[0] for form in FORMS} or not what.strip():
        return f"focus = `{text}` has none of the forms {forms}."
    if kind == "key" and what not in KEY_STATES:
        return f"focus = `{text}`: a key is one of {', '.join(KEY_STATES)}."
    if kind == "row" and not what.lstrip("-").isdigit():
        return f"focus = `{text}`: a row has a number, counted from 0, or from the end as -1."
    return ""


def find(text: str, variant: str, source: str, snapshot: Snapshot | None) -> Focus | None:
    """Return the focus that `text` describes; None where there is no such thing, or not yet."""
    kind, _, what = text.partition(" ")
    if kind == "line":
        lines = source.splitlines()
        place = next((number for number, line in enumerate(lines, 1) if what in line), None)
        return Focus("line", place) if place else None
    report = snapshot.report(variant) if snapshot else None
    if report is None:
        return None
    places = {"equation": _equations, "key": _keys, "row": _rows, "finding": _findings}[kind](report, what)
    return Focus(kind, places[0], variant) if places else None  # type: ignore[arg-type]


def _equations(report: Report, primitive: str) -> list[int]:
    equations = report.program.equations if report.program else ()
    return [place for place, equation in enumerate(equations) if equation.primitive == primitive]


def _keys(report: Report, state: str) -> list[int]:
    if report.keys is None:
        return []
    found = next((KeyTally(report.keys).first(each) for each in KEY_STATES if each == state), None)
    return [] if found is None else [found]


def _rows(report: Report, number: str) -> list[int]:
    count = max((len(picture.groups.numpy()) for picture in report.pictures or ()), default=0)
    place = int(number) + (count if int(number) < 0 else 0)
    return [place] if 0 <= place < count else []


def _findings(report: Report, kind: str) -> list[int]:
    return [place for place, finding in enumerate(report.findings or ()) if finding.kind == kind]
