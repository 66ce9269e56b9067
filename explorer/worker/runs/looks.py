"""What a part of a run was looked at for, in a few words: clean, what was found, or why nobody knows."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from explorer.messages import LEVELS, Extent, Finding, KeyGraph, Level, Look, Part, Report
from explorer.worker.recording import abilities
from explorer.worker.spoken.say import later, noted, say

_NAMES: dict[Part, str] = {"keys": later("keys"), "tracing": later("tracing"), "values": later("values")}
_CLEAN: dict[Part, str] = {
    "keys": later("No key was used twice, and no noise is shared."),
    "tracing": later(
        "Nothing that Python does while JAX traces becomes part of the program, no tracer is left behind, and nothing "
        "is compiled again and again."
    ),
    "values": later(
        "No index goes beyond the end, no NaN or inf is made, and every number fits the type that it is given."
    ),
}
_NOT_LOOKED_AT: dict[Extent, str] = {
    "no": later("not looked at"),
    "timeout": later("not looked at, that took too long"),
    "failed": later("not looked at, the check itself failed"),
}
_COUNTS: dict[Level, tuple[str, str]] = {
    "bug": (later("1 bug"), later("{count} bugs")),
    "warning": (later("1 warning"), later("{count} warnings")),
    "note": (later("1 note"), later("{count} notes")),
}


def look(part: Part, found: Sequence[Finding] = (), extent: Extent = "whole") -> Look:
    """Return that `part` was looked at as far as `extent` says, and that `found` is all that came of it."""
    name = noted(_NAMES[part])
    if extent in _NOT_LOOKED_AT:
        return Look(part, extent, name, noted(_NOT_LOOKED_AT[extent]))
    if found:
        return Look(part, extent, name, _counted(found), min((each.level for each in found), key=LEVELS.index))
    return Look(part, extent, name, _clean(part, extent), sentence=noted(_CLEAN[part]))


def look_at_keys(found: Sequence[Finding], graph: KeyGraph, extent: Extent = "whole") -> Look:
    """Return that the keys in `graph` were looked at, and that `found` is all that came of it."""
    if abilities.is_off("keys"):
        return look("keys", extent="no")
    made = look("keys", found, extent)
    if not made.is_clean or graph.nodes or extent != "whole":
        return made
    return msgspec.structs.replace(made, says=say("none used"), sentence=say("It uses no random keys."))


def with_look(report: Report, made: Look, found: Sequence[Finding] = ()) -> Report:
    """Return `report` with what was `found` in one more part of the run, gravest first, and the look at it."""
    findings = sorted((*(report.findings or ()), *found), key=lambda each: LEVELS.index(each.level))
    return msgspec.structs.replace(report, findings=tuple(findings), looks=(*report.looks, made))


def _clean(part: Part, extent: Extent) -> str:
    if extent == "whole":
        return say("clean")
    if extent == "ended":
        return say("clean until it ended")
    if part == "tracing":
        # In the program's own process its code stays as it is.
        return say("clean (changes of state not looked at)")
    return say("clean where they can be looked at")


def _counted(found: Sequence[Finding]) -> str:
    told = []
    for level in LEVELS:
        count = sum(each.level == level for each in found)
        one, many = map(noted, _COUNTS[level])
        told += [one if count == 1 else many.format(count=f"{count:,}")] * (count > 0)
    return ", ".join(told)
