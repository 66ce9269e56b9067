"""The coverage of a run, as parts of its report: clean, the findings, or the reason for a missing check."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from explorer.messages import LEVELS, Coverage, Extent, Finding, KeyGraph, Part, Report
from explorer.text.text import Text, joined, say
from explorer.worker.recording.recorder import Recording

_NAMES: dict[Part, Text] = {"keys": say("keys"), "tracing": say("tracing"), "values": say("values")}
_CLEAN: dict[Part, Text] = {
    "keys": say("No key was used twice, and no noise is shared."),
    "tracing": say(
        "Nothing that Python does while JAX traces becomes part of the program, no tracer is left behind, and nothing "
        "is compiled again and again."
    ),
    "values": say(
        "No index goes beyond the end, no NaN or inf is made, every number fits the type that it is given, and every "
        "probability is between 0 and 1."
    ),
}
_UNCHECKED: dict[Extent, Text] = {
    "no": say("not checked"),
    "timeout": say("not checked: it took too long"),
    "failed": say("not checked: the check itself failed"),
}
_NUMPY = re.compile(r"^[^#\n]*?\b((?:np\.|numpy\.)random\.\w+|default_rng|RandomState)\(", re.MULTILINE)
"""A call that draws with NumPy or makes its generator."""
_UNSEEN = "{counted} (changes of state not checked)"
_UNSEEN_AND_CLOCKS = "{counted} (changes of state and clocks not checked)"
_ONE = {"bug": "1 bug", "warning": "1 warning", "note": "1 note"}
_SEVERAL = {"bug": "{count} bugs", "warning": "{count} warnings", "note": "{count} notes"}


def part(part: Part, found: Sequence[Finding] = (), extent: Extent = "whole", *, clocks: bool = True) -> Coverage:
    """Return the coverage of `part`, checked to `extent`, with the findings `found`; traces also of `clocks`."""
    name = _NAMES[part]
    if extent in _UNCHECKED:
        return Coverage(part, extent, name, _UNCHECKED[extent])
    counted = _counted(found) if found else _clean(part, extent)
    if part == "tracing" and extent == "partly":
        # In the program's own process, its code is not instrumented.
        counted = say(_UNSEEN if clocks else _UNSEEN_AND_CLOCKS, counted=counted)
    if found:
        return Coverage(part, extent, name, counted, min((each.level for each in found), key=LEVELS.index))
    return Coverage(part, extent, name, counted, sentence=_CLEAN[part])


def of_keys(found: Sequence[Finding], graph: KeyGraph, extent: Extent = "whole", source: str = "") -> Coverage:
    """Return the coverage of the keys in `graph`, with the findings `found`; without keys `source` may use NumPy's."""
    made = part("keys", found, extent)
    if not made.is_clean or graph.nodes or extent != "whole":
        return made
    sentence = say("The program uses no random keys.")
    if drawn := _NUMPY.search(source):
        sentence = say(
            "The program uses no random keys: its random numbers come from NumPy, by {call} on line {line}.",
            call=f"`{drawn[1]}`",
            line=source.count("\n", 0, drawn.end()) + 1,
        )
    return msgspec.structs.replace(made, says=say("none used"), sentence=sentence)


def extent_of_keys(recording: Recording) -> Extent:
    """Return the extent to which the keys of a run were recorded."""
    if recording.lost_keys:
        return "failed"
    return "whole" if recording.error is None else "ended"


def with_part(report: Report, made: Coverage, found: Sequence[Finding] = ()) -> Report:
    """Return `report` with the findings and the coverage of one more part, most severe findings first."""
    findings = sorted((*(report.findings or ()), *found), key=lambda each: LEVELS.index(each.level))
    return msgspec.structs.replace(report, findings=tuple(findings), coverage=(*report.coverage, made))


def _clean(part: Part, extent: Extent) -> Text:
    if extent == "ended":
        return say("clean until it ended")
    if extent == "whole" or part == "tracing":
        return say("clean")
    return say("clean where they can be checked")


def _counted(found: Sequence[Finding]) -> Text:
    counted = []
    for level in LEVELS:
        count = sum(each.level == level for each in found)
        counted += [say(_ONE[level]) if count == 1 else say(_SEVERAL[level], count=f"{count:,}")] * (count > 0)
    return joined(", ", counted)
