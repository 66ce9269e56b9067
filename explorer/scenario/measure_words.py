"""Measures in words, in the language of the story: labels of choices, answers, figures inside sentences."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from explorer.diagnostics.registry import checks
from explorer.figures.curves import seconds_text
from explorer.messages import Value
from explorer.scenario import conditions, measures
from explorer.scenario.measures import Evidence
from explorer.text.josa import PARTICLES, josa
from explorer.text.text import Text, say

UNKNOWN = "…"
PLACEHOLDER = re.compile(r"\{\{(.+?)(?::(" + "|".join(PARTICLES) + r"))?\}\}")
"""A measure, and behind a colon the Korean particle that its value gets."""
TRUTH = {True: say("yes"), False: say("no")}
NO_ERROR = say("no error")

COUNTS = {
    "distinct_rows": ("{n} distinct row", "{n} distinct rows"),
    "draws": ("{n} draw", "{n} draws"),
    "seeds": ("{n} key made from a seed", "{n} keys made from a seed"),
    "splits": ("{n} key split or folded", "{n} keys split or folded"),
    "keys": ("{n} key", "{n} keys"),
    "keys fresh": ("{n} fresh key", "{n} fresh keys"),
    "keys split": ("{n} split key", "{n} split keys"),
    "keys drawn": ("{n} drawn key", "{n} drawn keys"),
    "keys reused": ("{n} reused key", "{n} reused keys"),
    "keys shared": ("{n} shared key", "{n} shared keys"),
    "keys unused": ("{n} unused key", "{n} unused keys"),
    "keys orphan": ("{n} orphan key", "{n} orphan keys"),
    "findings": ("{n} finding", "{n} findings"),
    "findings of": ("{n} {of} finding", "{n} {of} findings"),
    "bugs": ("{n} bug", "{n} bugs"),
    "equations": ("{n} equation", "{n} equations"),
    "equations of": ("{n} {of} equation", "{n} {of} equations"),
    "exchanges": ("{n} exchange", "{n} exchanges"),
    "printed": ("{n} line printed", "{n} lines printed"),
    "traces": ("traced {n} time", "traced {n} times"),
    "compiles": ("compiled {n} time", "compiled {n} times"),
}
"""One and more of what is counted, in words; what can be ``of`` any kind has a second form for that."""
EQUAL_ROWS = {True: "rows {one} and {other} are equal", False: "rows {one} and {other} differ"}
SAME_OUTPUTS = {True: say("the two outputs are equal"), False: say("the two outputs differ")}


def figure(measure: str, value: Value | None, language: str) -> str:
    """Return `value` of `measure` as text for a sentence or a button: ``1,000``, ``3.1 ms``, ``yes``."""
    if value is None:
        return UNKNOWN
    if isinstance(value, bool):
        return TRUTH[value].in_language(language)
    if isinstance(value, str):
        return value or NO_ERROR.in_language(language)
    kind = conditions.gives(measure) if conditions.is_measure(measure) else "element"
    if kind == "seconds":
        return seconds_text(value)
    if kind == "ratio":
        shown = f"{value:,}" if isinstance(value, int) else two_digits(value)
        return say("{number} times", number=shown).in_language(language)
    return f"{value:,}" if isinstance(value, int) else _digits(value)


def _digits(value: float) -> str:
    """Return `value` with four significant digits, written out where a user would write it so."""
    if math.isnan(value):
        return "NaN"
    return f"{value:,.0f}" if 1e4 <= abs(value) < 1e9 else f"{value:.4g}"


def figure_text(measure: str, value: Value | None, evidence: Evidence, language: str) -> str:
    """Return the value of `measure` as a clause: ``rows 0 and 31 are equal``, ``1 distinct row``, ``yes, 3 bugs``."""
    condition = conditions.parse(measure)
    if condition is not None:
        word, found = figure("", value, language), measures.measure(condition.measure, evidence)
        counted = condition.measure.split()[0] in (*COUNTS, "error") and found is not None and value is not None
        return f"{word}, {figure_text(condition.measure, found, evidence, language)}" if counted else word
    name, _, rest = measure.partition(" ")
    if name in COUNTS and isinstance(value, int):
        return _counted(measure, value).in_language(language)
    if name == "rows_equal" and isinstance(value, bool):
        one, other = _row_numbers(rest, evidence)
        return say(EQUAL_ROWS[value], one=one, other=other).in_language(language)
    if name == "same_outputs" and isinstance(value, bool):
        return SAME_OUTPUTS[value].in_language(language)
    return figure(measure, value, language)


def _counted(measure: str, count: int) -> Text:
    name, _, of = measure.partition(" ")
    form = measure if measure in COUNTS else f"{name} of" if f"{name} of" in COUNTS else name
    check = checks().get(of) if name == "findings" else None
    return say(COUNTS[form][count != 1], n=f"{count:,}", of=say(check.name) if check else of)


def times_text(measure: str, evidence: Evidence, language: str) -> str:
    """Return the times in `measure`, with the interval of their ratio where there are two."""
    name, _, rest = measure.partition(" ")
    curves, _, at = rest.partition(" at ")
    kind, where = ("compile" if name.startswith("compile") else "time"), f" at {at}" if at else ""
    asked = [f"{kind} {curve}{where}" for curve in curves.split()]
    times = [figure(each, measures.measure(each, evidence), language) for each in asked]
    named = zip(measures.curves_of(f"{kind} {curves}"), times, strict=True)
    shown = ", ".join(f"{series.label} {time}" for series, time in named)
    if len(times) < 2:
        return shown
    middle = _interval_text(measure, evidence, language) or figure(
        measure, measures.measure(measure, evidence), language
    )
    return f"{shown}: {middle}"


def _interval_text(measure: str, evidence: Evidence, language: str) -> str:
    """Return the interval of a ratio, ``0.9 to 1.3 times``; empty where there is none, or both ends read the same."""
    ends = measures.measured_interval(measure, evidence)
    words = tuple(map(two_digits, ends)) if ends else ()
    if len(set(words)) < 2:
        return ""
    return say("{least} to {most} times", least=words[0], most=words[1]).in_language(language)


def fill_in(text: str, evidence: Evidence, language: str, known: Mapping[str, Value | None] | None = None) -> str:
    """Return `text` with each ``{{measure}}`` or ``{{parameter}}`` replaced by its value now, or the one in `known`."""
    return PLACEHOLDER.sub(_Filler(evidence, language, known or {}), text)


def two_digits(number: float) -> str:
    """Return `number` with two significant digits, and no exponent: ``170``, ``8.7``, ``0.45``."""
    rounded = float(f"{number:.2g}")
    places = max(0, 1 - math.floor(math.log10(abs(rounded)))) if rounded else 0
    return f"{rounded:,.{places}f}"


class _Filler:
    def __init__(self, evidence: Evidence, language: str, known: Mapping[str, Value | None]) -> None:
        self._evidence, self._language, self._known = evidence, language, known

    def __call__(self, found: re.Match[str]) -> str:
        name = found[1].strip()
        value = self._known[name] if name in self._known else conditions.meaning(name, self._evidence)
        shown = self._undecided(name) or figure(name, None if value == name else value, self._language)
        if particle := found[2]:
            return f"{shown}{josa(shown, particle)}"
        # A count that is a sentence at the beginning of a line: Markdown would begin a list with it.
        line, after = found.string[: found.start()].rpartition("\n")[2], found.string[found.end() : found.end() + 1]
        return f"{shown}\\" if not line.strip() and shown.isdigit() and after in (".", ")") else shown

    def _undecided(self, name: str) -> str:
        """Return the interval of a ratio that may be on either side of 1; empty for all else."""
        if not name.startswith("ratio ") or name in self._known:
            return ""
        ends = measures.measured_interval(name, self._evidence)
        is_undecided = ends is not None and ends[0] <= 1 <= ends[1]
        return _interval_text(name, self._evidence, self._language) if is_undecided else ""


def _row_numbers(rest: str, evidence: Evidence) -> list[int]:
    """Return the two rows that `rest` ends with, counted from the first one."""
    name, *places = re.fullmatch(r"(.*?)\s*(-?\d+)\s+(-?\d+)", rest).groups()  # type: ignore[union-attr]
    rows = measures.measure(f"rows {name}", evidence)
    count = rows if isinstance(rows, int) else 0
    return [place + count if place < 0 else place for place in map(int, places)]
