"""Whether a recording that came from anywhere is consistent, so that whatever shows it need not ask."""

from __future__ import annotations

import re

from explorer.messages import CALLS, KEY_STATES, ORIGINS, Array, Calls, Curve, KeyGraph, Picture, Report, Span
from explorer.messages.lazy_numpy import np
from explorer.messages.recorded_run import RecordedRun, parts
from explorer.scenario.size import crowded_line, overlong_line
from explorer.text.text import Text

MOST_VALUES = 1 << 25
"""The most values of an array."""
MOST_POINTS = 10_000
"""The most points of a curve."""
MOST_LINE = 10_000_000
_FIELD = re.compile(r"\{(\w+)(:,?(?:\.\d[efg%])?)?\}")
_KINDS = "biuf"
"""Kinds of NumPy's types: truth values, whole and floating numbers."""


def problem(run: RecordedRun) -> str:
    """Return the problem with `run`, in a few words; empty if there is none. Raises RecursionError."""
    for each in parts(run):
        if words := _part_problem(each):
            return words
    if words := _report_problem(run.report):
        return words
    lines = run.source.count("\n") + 1
    if run.report.program is not None and any(not 0 < each <= lines for each in run.report.program.line_types):
        return "a type is of a line that is not there"
    if "\0" in run.source or overlong_line(run.source) or crowded_line(run.source):
        return "its program is no text that can be shown"
    return ""


def _part_problem(value: object) -> str:
    if isinstance(value, Array):
        return _array_problem(value)
    if isinstance(value, Span):
        start, end = (value.line, value.column), (value.end_line, value.end_column)
        is_somewhere = start <= end and min(value.line - 1, value.column, value.end_column) >= 0
        return "" if is_somewhere and max(*start, *end) <= MOST_LINE else "a place is nowhere"
    if isinstance(value, Text):
        return _text_problem(value)
    return ""


def _array_problem(array: Array) -> str:
    try:
        dtype = np.dtype(array.dtype)
    except (TypeError, ValueError, SyntaxError):
        return "an array has no type"
    if dtype.kind not in _KINDS or dtype.itemsize > 8 or dtype.shape or len(array.shape) > 32:
        return "an array has a type that no array here has"
    if any(not 0 <= size <= MOST_VALUES for size in array.shape):
        return "an array has an impossible shape"
    count = 1
    for size in array.shape:
        count *= size
        if count > MOST_VALUES:
            return "an array is too large"
    fits = array.data.nbytes == count * dtype.itemsize or (array.data.nbytes == dtype.itemsize and count > 1)
    return "" if fits else "an array is not as long as its shape says"


def _text_problem(text: Text) -> str:
    """Return the problem with a template: it may have only names of its own parts in braces."""
    rest = _FIELD.sub("", text.id).replace("{{", "").replace("}}", "")
    named = {name for name, _ in text.params}
    numbers = {name for name, part in text.params if isinstance(part, int | float)}
    fields = _FIELD.findall(text.id)
    if (text.params and ("{" in rest or "}" in rest)) or any(name not in named for name, _ in fields):
        return "a sentence cannot be filled in"
    return "a sentence cannot be filled in" if any(how and name not in numbers for name, how in fields) else ""


def _report_problem(report: Report) -> str:
    graph = report.keys
    keys, sites = (graph.nodes, len(graph.sites)) if graph is not None else (0, 0)
    if graph is not None and (words := _graph_problem(graph)):
        return words
    for finding in report.findings or ():
        if not all(0 <= key < keys for key in finding.keys) or not all(0 <= site < sites for site in finding.sites):
            return "a finding names a key that is not there"
    if any(map(_misfits, report.pictures or ())):
        return "an array does not fit its rows"
    return "a curve does not fit its calls" if any(map(_is_no_curve, report.calls)) else ""


def _graph_problem(graph: KeyGraph) -> str:
    """Return the problem with the columns of `graph`: their lengths, and the keys and sites that they name."""
    shapes = (graph.data.shape, graph.other_parents.shape)
    if any(len(shape) != 2 for shape in shapes) or shapes[1][1] != 2 or graph.data.dtype[1:] != "u4":
        return "the tree of keys has no keys"
    nodes, draws, splits = graph.nodes, graph.draw_key.shape, graph.split_key.shape
    sites = len(graph.sites)
    columns: tuple[tuple[Array, tuple[int, ...], int, int | None], ...] = (
        (graph.implementation, (nodes,), 0, len(graph.implementations)),
        (graph.parent, (nodes,), -1, nodes),
        (graph.origin, (nodes,), 0, len(ORIGINS)),
        (graph.index, (nodes,), -(2**63), None),
        (graph.site, (nodes,), -1, sites),
        (graph.state, (nodes,), 0, len(KEY_STATES)),
        (graph.times, (nodes,), 0, None),
        (graph.draw_key, draws, 0, nodes),
        (graph.draw_site, draws, 0, sites),
        (graph.draw_example, draws, -1, None),
        (graph.draw_serves, draws, 0, None),
        (graph.split_key, splits, 0, nodes),
        (graph.split_site, splits, 0, sites),
        (graph.other_parents, (graph.other_parents.shape[0], 2), 0, nodes),
    )
    for column, shape, least, end in columns:
        values = column.numpy()
        if values.dtype.kind not in "iu" or values.shape != shape:
            return "the tree of keys has columns that do not fit"
        if values.size and (values.min() < least or (end is not None and values.max() >= end)):
            return "the tree of keys names a key or a place that is not there"
    if (graph.parent.numpy() >= np.arange(nodes)).any():
        return "the tree of keys is no tree"
    return ""


def _is_no_curve(calls: Calls) -> bool:
    """Return whether `calls` are of no place, or their points are not those of so many calls."""
    found = calls.iterations
    numbers, length = found.numbers.numpy(), found.length
    if not calls.path or not found.curves or found.primitive != CALLS or not 0 < length < 2**53:
        return True
    if numbers.dtype.kind != "i" or numbers.ndim != 1 or not 0 < numbers.size <= min(length, MOST_POINTS):
        return True
    stride = int(numbers[0]) + 1
    ends = np.minimum(np.arange(1, numbers.size + 1, dtype=np.int64) * min(stride, length), length) - 1
    if not 0 < stride <= length or (numbers != ends).any() or numbers[-1] != length - 1:
        return True
    firsts = [each.first_not_finite for each in found.curves if each.first_not_finite >= 0]
    if (found.around, found.left_out, found.origin, found.first_not_finite) != (0, 0, -1, min(firsts, default=-1)):
        return True
    if calls.cause is not None and not 0 <= calls.cause.call <= found.first_not_finite:
        return True
    return any(_misfits_calls(each, numbers.shape, length) for each in found.curves)


def _misfits_calls(curve: Curve, points: tuple[int, ...], length: int) -> bool:
    bad = curve.not_finite.numpy()
    columns = (curve.mean.numpy(), curve.least.numpy(), curve.most.numpy(), curve.norm.numpy())
    if curve.size != 1 or curve.equation != -1 or not -1 <= curve.first_not_finite < length:
        return True
    if bad.dtype.kind != "i" or bad.shape != points or bad.min() < 0 or bad.max() > 1:
        return True
    return any(each.dtype.kind != "f" or each.shape != points for each in columns)


def _misfits(picture: Picture) -> bool:
    shape, values = picture.shape, picture.values.shape
    if not -1 <= picture.axis < max(len(shape), 1) or len(values) != len(shape):
        return True
    if any(cropped > whole or whole > 2**60 for cropped, whole in zip(values, shape, strict=True)):
        return True
    groups = picture.groups.numpy()
    # A single number is one example.
    examples = shape[max(picture.axis, 0)] if shape else 1
    return (
        groups.ndim != 1
        or groups.dtype.kind not in "iu"
        or (groups.size not in (0, examples))
        or (groups.size > 0 and (groups.min() < 0 or groups.max() >= max(picture.distinct, 1)))
    )
