"""Conditions of exercises, ``MEASURE OPERATOR VALUE``, and the meaning of written values."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from explorer.messages import Value
from explorer.scenario import measures
from explorer.scenario.measures import MEASURES, Evidence, measure

OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
CLOSE = 1e-3
"""The largest relative difference at which a number of an array equals an author's number."""


class Condition(NamedTuple):
    """One parsed condition."""

    measure: str
    operator: str
    value: Value


def parse(text: str) -> Condition | None:
    """Return the condition that `text` is; None where it has no operator between spaces."""
    parts = re.fullmatch(r"\s*(.+?)\s+(==|!=|<=|>=|<|>)\s+(.+?)\s*", text)
    return Condition(parts[1], parts[2], literal(parts[3])) if parts else None


def holds(text: str, evidence: Evidence) -> bool:
    """Return whether the condition `text` is met; False while its measure is not known."""
    return truth(text, evidence) is True


def answer(text: str, evidence: Evidence) -> Value | None:
    """Return the value of the measure or condition `text`; None while it is unknown."""
    return truth(text, evidence) if parse(text) else measure(text, evidence)


def gives(text: str) -> measures.Kind:
    """Return the kind of value of the measure or condition `text`."""
    return "truth" if parse(text) else measures.kind(text)


def truth(text: str, evidence: Evidence) -> bool | None:
    """Return whether the condition `text` is met; None while its measure is not known, or a time not well enough."""
    condition = parse(text)
    if condition is None:
        return None
    found, wanted = measure(condition.measure, evidence), meaning(condition.value, evidence)
    if found is None and measure("error", evidence):
        return False  # a run that failed has no equations and no values
    if found is None or wanted is None or isinstance(found, str) != isinstance(wanted, str):
        return None
    if measures.is_of_times(condition.measure):
        return _surely(condition, wanted, evidence)
    if condition.operator in ("==", "!="):
        return same(found, wanted) == (condition.operator == "==")
    return OPERATORS[condition.operator](found, wanted)


def _surely(condition: Condition, wanted: Value, evidence: Evidence) -> bool | None:
    """Return whether a `condition` on a time holds in its whole interval; None where it holds in a part only."""
    ends = measures.interval(condition.measure, evidence)
    if ends is None or isinstance(wanted, str):
        return None
    low, high = ends
    if condition.operator in ("==", "!="):
        # A time is never just what an author wrote, so it may surely be another one, and never surely the same.
        return None if low <= wanted <= high else condition.operator == "!="
    met = {OPERATORS[condition.operator](each, wanted) for each in ends}
    return met.pop() if len(met) == 1 else None


def meaning(written: Value, evidence: Evidence) -> Value | None:
    """Return the value of an author's `written` value; None while it is unknown.

    A text that names a parameter or a measure gives its value; any other text is itself.
    """
    if not isinstance(written, str):
        return written
    parameter = evidence.parameter(written)
    if parameter is not None:
        return parameter
    return measure(written, evidence) if is_measure(written) else written


def is_measure(text: str) -> bool:
    """Return whether `text` is a measure with fitting arguments."""
    return bool(text.split()) and text.split(maxsplit=1)[0] in MEASURES and not measures.complaint(text)


def same(found: Value, wanted: Value) -> bool:
    """Return whether a measured value is the wanted one; real numbers are compared to the digits that authors write."""
    if isinstance(found, float) or isinstance(wanted, float):
        if isinstance(found, str) or isinstance(wanted, str):
            return False
        if math.isinf(found) or math.isinf(wanted):
            return found == wanted
        return abs(found - wanted) <= CLOSE * max(abs(found), abs(wanted))
    return isinstance(found, bool) == isinstance(wanted, bool) and found == wanted


def complaint(text: str, parameters: Collection[str]) -> str:
    """Return the error in the condition `text` and its correction; empty for a correct one."""
    condition = parse(text)
    if condition is None and is_measure(text):
        value = "== true" if measures.kind(text) == "truth" else "== 1"
        return f"`{text}` has no value to compare with: write `{text} {value}`, for example."
    if condition is None:
        return f"`{text}` is not of the form MEASURE OPERATOR VALUE, such as `bugs == 0`; leave spaces around it."
    wrong = measures.complaint(condition.measure)
    if wrong:
        return wrong
    kind = measures.kind(condition.measure)
    if kind in ("truth", "text") and condition.operator not in ("==", "!="):
        return f"`{text}` cannot be: {condition.measure} has no order, so compare it with == or !=."
    unfit = unfitting(condition.measure, condition.value, parameters)
    return f"`{text}` can never hold: {unfit}" if unfit else ""


def unfitting(wanted: str, value: Value, parameters: Collection[str]) -> str:
    """Return why the measure `wanted` can never have `value`; empty when it can."""
    gives_kind = gives(wanted)
    if isinstance(value, str) and gives_kind != "text":
        if value in parameters or is_measure(value):
            return ""
        known = ", ".join(parameters) or "none"
        return f"{value} is neither a parameter of `inputs` (there is {known}) nor a measure."
    if gives_kind == "text" and not isinstance(value, str):
        return f"{wanted} is a word, not {_shown(value)}."
    if gives_kind == "truth" and not isinstance(value, bool):
        return f"{wanted} is true or false, not {_shown(value)}."
    if gives_kind in ("count", "seconds", "ratio") and isinstance(value, bool):
        return f"{wanted} is a number, not {_shown(value)}."
    if gives_kind == "count" and not isinstance(value, str) and (value < 0 or value != int(value)):
        return f"{wanted} is a whole number from 0, not {_shown(value)}."
    if gives_kind in ("seconds", "ratio") and not isinstance(value, str) and value <= 0:
        return f"{wanted} is above 0, not {_shown(value)}."
    return ""


def _shown(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)


def literal(text: str) -> Value:
    """Return the value that `text` writes: a truth value, a number, else a text, with or without quotes."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
