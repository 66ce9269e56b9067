"""Measures: questions of a lesson about the evidence, the results on screen, with answers as plain values."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import msgspec

from explorer.figures.curves import Figures, Series, is_unstable, paired_ratio
from explorer.figures.key_tally import KeyTally
from explorer.messages import KEY_STATES, Measurement, Picture, PictureRole, Report, Snapshot, Transform, Value
from explorer.messages.lazy_numpy import np
from explorer.scenario.code_inputs import variant_code

if TYPE_CHECKING:
    import numpy.typing as npt

Kind = Literal["count", "truth", "element", "text", "seconds", "ratio"]
"""The kind of a measure's value: a whole number, yes or no, an array element, a word, a time, a ratio of times."""
OF_TIMES = ("time", "ratio", "compile", "compile_ratio")
"""Measures of the timing pane, by their names."""
MARGIN = 1.25
"""The factor by which a time may lie outside its 95 % interval: repeated on one machine, timings differ by that."""
MARGIN_IF_UNSTABLE = 4.0
"""The same where a median is not stable, or has too few samples for an interval: on a busy machine, one ratio of 3 was
measured as 0.8."""
MARGIN_OF_ONE = 2.0
"""The same of a compilation, which is measured once and has no interval."""
ROUNDING = 1e-5
"""Relative difference up to which two outputs count as equal: float32 has seven digits."""


class Evidence(msgspec.Struct, frozen=True):
    """The input of measures: the newest snapshot, the selected variant, and the times so far."""

    snapshot: Snapshot | None = None
    variant: str = ""
    measurements: tuple[Measurement, ...] = ()
    timing: bool = False
    """Whether points are missing or belong to an older state: then no time is known."""
    source: str = ""
    """The code that the snapshot is of."""
    references: tuple[Report, ...] = ()
    """Reports on variants of the author's code with the same parameters."""
    given: Mapping[str, Value] = {}
    """The parameters as far as they are known before a run: defaults in the code, and what was set."""

    @property
    def report(self) -> Report | None:
        return self.snapshot.report(self.variant) if self.snapshot else None

    def parameter(self, name: str) -> Value | None:
        """Return the current value of parameter `name`, or None for an unknown name."""
        parameters = self.snapshot.parameters if self.snapshot else ()
        return next((each.value for each in parameters if each.name == name), self.given.get(name))


class Arguments(NamedTuple):
    """The arguments that may follow the name of a measure."""

    usage: str
    """Its syntax; the name goes into the braces."""
    fit: Callable[[str], bool]


class Measure(NamedTuple):
    """One kind of measure: its arguments, its value, its computation."""

    takes: Arguments
    gives: Kind
    compute: Callable[[Evidence, str], Value | None]


def measure(text: str, evidence: Evidence) -> Value | None:
    """Return the value of the measure `text`, such as ``rows_equal 0 -1``; None while it is not known, and where
    `complaint` says that `text` is none."""
    if complaint(text):
        return None
    name, _, rest = text.strip().partition(" ")
    return MEASURES[name].compute(evidence, rest.strip())


def kind(text: str) -> Kind:
    """Return the kind of value of the measure `text`."""
    return MEASURES[text.split(maxsplit=1)[0]].gives


def complaint(text: str, known: Collection[str] = ()) -> str:
    """Return the error in the measure `text` and its correction, which may be a `known` parameter; empty for none."""
    name, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    if name not in MEASURES:
        close = difflib.get_close_matches(name, [*MEASURES, *known], 1)
        rather = f"Did you mean `{close[0]}`?" if close else f"Measures are: {', '.join(MEASURES)}."
        return f"There is no measure `{name}`. {rather}"
    takes = MEASURES[name].takes
    return "" if takes.fit(rest) else f"`{text}` does not fit: {takes.usage.format(name)}."


def is_of_times(text: str) -> bool:
    """Return whether the measure `text` is a time, or a ratio of times."""
    return text.split(maxsplit=1)[0] in OF_TIMES


def interval(text: str, evidence: Evidence) -> tuple[float, float] | None:
    """Return the 95 % interval of the time or ratio `text`, widened by a margin at both ends; None if unknown."""
    name, _, rest = text.strip().partition(" ")
    middle, ends = measure(text, evidence), measured_interval(text, evidence)
    if not isinstance(middle, int | float):
        return None
    if name.startswith("compile"):
        margin = MARGIN_OF_ONE
    elif ends is None or any(map(is_unstable, _points(evidence, rest))):
        margin = MARGIN_IF_UNSTABLE
    else:
        margin = MARGIN
    low, high = ends or (middle, middle)
    return low / margin, high * margin


def measured_interval(text: str, evidence: Evidence) -> tuple[float, float] | None:
    """Return the 95 % interval of the time or ratio `text`; None where there is none."""
    name, _, rest = text.strip().partition(" ")
    points = _points(evidence, rest)
    if not points or name not in ("time", "ratio"):
        return None
    ratio = paired_ratio(points[0], points[1]) if name == "ratio" else None
    low, high = (ratio.low, ratio.high) if ratio else (points[0].low_s, points[0].high_s)
    return (low, high) if low and high else None


def curves_of(text: str) -> tuple[Series, ...]:
    """Return the curves of the timing pane that the measure `text` is taken from."""
    name, *words = text.split()
    found = map(_series, words if name in OF_TIMES else ())
    return tuple(series for series in found if series is not None)


# -- arrays -----------------------------------------------------------------------------------


def _picture(evidence: Evidence, name: str) -> Picture | None:
    """Return the array called `name`, the first one of role `name`, or for an empty name the first output."""
    report = evidence.report
    pictures = (report.pictures if report and report.status == "ok" else None) or ()
    role = name or "output"
    found = [each for each in pictures if each.name == name] or [each for each in pictures if each.role == role]
    return found[0] if found and (name in ("", found[0].name) or role in get_args(PictureRole)) else None


def _groups(picture: Picture | None) -> npt.NDArray[np.int32] | None:
    """Return int32[examples], equal numbers for equal examples of `picture`; None where not all were compared."""
    if picture is None or not picture.shape:
        return None
    groups: npt.NDArray[np.int32] = picture.groups.numpy()
    return groups if len(groups) == picture.shape[picture.axis] else None


def _rows(evidence: Evidence, rest: str) -> int | None:
    picture = _picture(evidence, rest)
    return picture.shape[picture.axis] if picture and picture.shape else None


def _distinct_rows(evidence: Evidence, rest: str) -> int | None:
    picture = _picture(evidence, rest)
    return picture.distinct if picture and _groups(picture) is not None else None


def _rows_equal(evidence: Evidence, rest: str) -> bool | None:
    name, first, second = re.fullmatch(r"(.*?)\s*(-?\d+)\s+(-?\d+)", rest).groups()  # type: ignore[union-attr]
    groups = _groups(_picture(evidence, name))
    places = (int(first), int(second))
    if groups is None or any(not -len(groups) <= place < len(groups) for place in places):
        return None
    return bool(groups[places[0]] == groups[places[1]])


def _value(evidence: Evidence, rest: str) -> Value | None:
    """Return one array element; the words before the indices name the array, whose name may end in a number."""
    words = rest.split()
    for cut in range(len(words), -1, -1):
        picture = _picture(evidence, " ".join(words[:cut]))
        if picture is not None and all(re.fullmatch(r"-?\d+", word) for word in words[cut:]):
            return _element(picture, tuple(map(int, words[cut:])))
    return None


def _element(picture: Picture, index: tuple[int, ...]) -> Value | None:
    if len(index) != len(picture.shape):
        return None
    place = tuple(each + size if each < 0 else each for each, size in zip(index, picture.shape, strict=True))
    values = picture.values.numpy()
    if any(not 0 <= each < size for each, size in zip(place, values.shape, strict=True)):
        return None
    element = values[place].item()
    return element if isinstance(element, bool | int | float) else None


def _over(statistic: Literal["mean", "std"]) -> Callable[[Evidence, str], float | None]:
    """Return the measure that takes `statistic` over all values of an array."""

    def over(evidence: Evidence, name: str) -> float | None:
        picture = _picture(evidence, name)
        known = picture is not None and _is_whole(picture) and 0 not in picture.shape
        return float(getattr(picture.values.numpy(), statistic)()) if picture and known else None

    return over


def _is_whole(picture: Picture) -> bool:
    """Return whether all values of an array are here, and not only its beginning."""
    return picture.values.shape == picture.shape


def _correlation(evidence: Evidence, rest: str) -> float | None:
    """Return Pearson's coefficient of two arrays of one size, taken value by value."""
    pair = [_picture(evidence, name) for name in rest.split()]
    columns = [each.values.numpy().astype(np.float64).ravel() for each in pair if each and _is_whole(each)]
    if len(columns) != 2 or columns[0].size != columns[1].size or columns[0].size < 2:
        return None
    if not all(np.isfinite(column).all() and column.std() > 0 for column in columns):
        return None
    return float(np.corrcoef(columns[0], columns[1])[0, 1])


def _same_outputs(evidence: Evidence, _rest: str) -> bool | None:
    """Return whether the selected variant and the one next to it return the same numbers, up to rounding."""
    reports = evidence.snapshot.reports if evidence.snapshot else ()
    return _have_same_outputs(*reports) if len(reports) == 2 else None


def _have_same_outputs(*reports: Report) -> bool | None:
    if any(report.pictures is None or report.status != "ok" for report in reports):
        return None
    mine, other = ([each for each in report.pictures or () if each.role == "output"] for report in reports)
    if len(mine) != len(other):
        return False
    equal = [_are_equal(*pair) for pair in zip(mine, other, strict=True)]
    return False if False in equal else None if None in equal else True


def _are_equal(first: Picture, second: Picture) -> bool | None:
    """Return whether two outputs are equal; None where the known parts are equal and the rest is unknown."""
    if first.shape != second.shape:
        return False
    one, two = first.values.numpy(), second.values.numpy()
    scale = max(abs(first.low), abs(first.high), 1e-30)
    close = one.shape == two.shape and np.allclose(
        one, two, rtol=ROUNDING, atol=ROUNDING * scale, equal_nan=one.dtype.kind == "f"
    )
    return None if close and not (_is_whole(first) and _is_whole(second)) else bool(close)


def _same_as(evidence: Evidence, name: str) -> bool | None:
    """Return whether the selected variant returns what the author's variant `name` returns, up to rounding."""
    other = next((each for each in evidence.references if each.name == name), None)
    if evidence.report is None or other is None:
        return None
    return _have_same_outputs(evidence.report, other)


def _mentions(evidence: Evidence, text: str) -> bool | None:
    """Return whether `text` stands in the code of the selected variant or of a function that it uses."""
    code = variant_code(evidence.source, evidence.variant)
    return None if code is None else _bare(text) in _bare(code)


def _bare(code: str) -> str:
    return re.sub(r"\s+", "", code)


# -- keys, findings, program, what happened ---------------------------------------------------


def _reported(compute: Callable[[Report, str], Value | None]) -> Callable[[Evidence, str], Value | None]:
    """Return the measure that takes `compute` of the report of the selected variant, where there is one."""

    def of_report(evidence: Evidence, rest: str) -> Value | None:
        return compute(evidence.report, rest) if evidence.report else None

    return of_report


def _ran(compute: Callable[[Report, str], Value | None]) -> Callable[[Evidence, str], Value | None]:
    """Return `compute` for complete runs only: a run that was cut short would have had more."""
    return _reported(lambda report, rest: compute(report, rest) if report.status == "ok" else None)


def _at_the_end(compute: Callable[[Report, str], Value | None]) -> Callable[[Evidence, str], Value | None]:
    """Return `compute` for complete snapshots only: earlier, the results shown may be of an older run."""

    def of_complete(evidence: Evidence, rest: str) -> Value | None:
        is_complete = evidence.snapshot is not None and evidence.snapshot.complete
        return _reported(compute)(evidence, rest) if is_complete else None

    return of_complete


def _of_keys(column: Literal["draws", "seeds", "splits"]) -> Callable[[Evidence, str], Value | None]:
    return _ran(lambda report, _rest: getattr(report.keys, column) if report.keys else None)


def _of_traces(column: Literal["traces", "compiles"]) -> Callable[[Evidence, str], Value | None]:
    def count(report: Report, _rest: str) -> int | None:
        return None if report.traces is None else sum(getattr(each, column) for each in report.traces)

    return _at_the_end(count)


def _keys(report: Report, state: str) -> int | None:
    if report.keys is None:
        return None
    tally = KeyTally(report.keys)
    return sum(count for each, count in tally.counts.items() if state in ("", each))


def _findings(report: Report, wanted: str) -> int | None:
    return None if report.findings is None else sum(wanted in ("", each.kind) for each in report.findings)


def _bugs(report: Report, _rest: str) -> int | None:
    return None if report.findings is None else sum(each.level == "bug" for each in report.findings)


def _equations(report: Report, primitive: str) -> int | None:
    program = report.program
    if program is None or program.form != "jaxpr" or program.failure is not None:
        return None
    return sum(primitive in ("", equation.primitive) for equation in program.equations)


def _exchanges(report: Report, operation: str) -> int | None:
    cost = report.program.cost if report.program else None
    if cost is None or cost.devices == 1:
        return None
    return cost.exchanges.get(operation, 0) if operation else sum(cost.exchanges.values())


def _error(evidence: Evidence, _rest: str) -> str | None:
    if evidence.snapshot is not None and evidence.snapshot.failure is not None:
        return evidence.snapshot.failure.type
    report = evidence.report
    if report is None or report.status in (None, "stopped"):
        return None
    return report.failure.type if report.failure else ""


def _printed(report: Report, _rest: str) -> int | None:
    return len(report.printed.splitlines()) if report.status in ("ok", "error") else None


# -- time -------------------------------------------------------------------------------------


def _series(word: str) -> Series | None:
    """Return the curve that VARIANT:TRANSFORM names, with transforms joined by +; None where it names none."""
    variant, colon, transforms = word.partition(":")
    names = tuple(transforms.split("+"))
    known: tuple[Transform, ...] = get_args(Transform)
    chosen = tuple(each for name in names for each in known if each == name)
    return Series(variant, chosen) if variant and colon and len(chosen) == len(names) else None


def _are_curves(rest: str, count: int) -> bool:
    words, _ = _taken_at(rest)
    return len(words) == count and all(map(_series, words))


def _taken_at(rest: str) -> tuple[list[str], float | None]:
    """Return the words of `rest` that name curves, and the parameter that they are taken at; None for the largest."""
    found = re.fullmatch(r"(.*\S)\s+at\s+(\d+)", rest)
    return (found[1].split(), float(found[2])) if found else (rest.split(), None)


def _points(evidence: Evidence, rest: str) -> list[Measurement]:
    """Return the points of the curves in `rest` at the parameter that it names, or at the largest one where each of
    them has a median."""
    if evidence.timing or not all(point.final for point in evidence.measurements):
        return []
    figures = Figures.of(evidence.measurements)
    words, at = _taken_at(rest)
    wanted = [series for word in words if (series := _series(word)) is not None]
    for value in sorted((each for each in figures.values if at in (None, each)), key=_size, reverse=True):
        points = dict(figures.timed(value))
        if all(series in points for series in wanted):
            return [points[series] for series in wanted]
    return []


def _size(value: Value) -> float:
    return value if isinstance(value, int | float) else 0.0


def _time(evidence: Evidence, rest: str) -> float | None:
    points = _points(evidence, rest)
    return points[0].median_s if points else None


def _ratio(evidence: Evidence, rest: str) -> float | None:
    points = _points(evidence, rest)
    ratio = paired_ratio(points[0], points[1]) if points else None
    return ratio.middle if ratio else None


def _compile(evidence: Evidence, rest: str) -> float | None:
    points = _points(evidence, rest)
    return points[0].compile_s if points else None


def _compile_ratio(evidence: Evidence, rest: str) -> float | None:
    times = [point.compile_s for point in _points(evidence, rest)]
    return times[0] / times[1] if len(times) == 2 and times[0] and times[1] else None


_TRANSFORMS = ", ".join(get_args(Transform))
_ALONE = Arguments("write `{}` alone", lambda rest: not rest)
_KIND = Arguments("write `{}` alone or with one kind", lambda rest: len(rest.split()) < 2)
_PRIMITIVE = _KIND._replace(usage="write `{}` alone or with one primitive")
_ARRAY = Arguments("write `{}` alone or with the name of an array", lambda _rest: True)
_ARRAYS = Arguments("write `{} output[0] output[1]`, with the names of two arrays", lambda rest: len(rest.split()) == 2)
_ROWS = Arguments(
    "write `{} 0 -1`, with the numbers of two rows at the end",
    lambda rest: re.search(r"(?:^|\s)-?\d+\s+-?\d+$", rest) is not None,
)
_INDEX = Arguments("write `{} 0 3`, with one index for each axis", lambda _rest: True)
_PARAMETER = Arguments("write `{} batch`, with the name of a parameter", lambda rest: len(rest.split()) == 1)
_VARIANT = Arguments("write `{} VARIANT`, with the name of a variant", lambda rest: rest.isidentifier())
_TEXT = Arguments("write `{} TEXT`, with what must stand in the code", bool)
_STATE = Arguments(
    f"write `{{}}` alone or with one state: {', '.join(KEY_STATES)}", lambda rest: rest in ("", *KEY_STATES)
)
_CURVE = Arguments(f"write `{{}} VARIANT:TRANSFORM`; transforms are {_TRANSFORMS}", lambda rest: _are_curves(rest, 1))
_CURVES = Arguments(f"write `{{}} V1:T1 V2:T2`; transforms are {_TRANSFORMS}", lambda rest: _are_curves(rest, 2))
MEASURES: dict[str, Measure] = {
    "rows": Measure(_ARRAY, "count", _rows),
    "distinct_rows": Measure(_ARRAY, "count", _distinct_rows),
    "rows_equal": Measure(_ROWS, "truth", _rows_equal),
    "value": Measure(_INDEX, "element", _value),
    "mean": Measure(_ARRAY, "element", _over("mean")),
    "spread": Measure(_ARRAY, "element", _over("std")),
    "correlation": Measure(_ARRAYS, "element", _correlation),
    "parameter": Measure(_PARAMETER, "element", Evidence.parameter),
    "draws": Measure(_ALONE, "count", _of_keys("draws")),
    "seeds": Measure(_ALONE, "count", _of_keys("seeds")),
    "splits": Measure(_ALONE, "count", _of_keys("splits")),
    "keys": Measure(_STATE, "count", _ran(_keys)),
    "findings": Measure(_KIND, "count", _ran(_findings)),
    "bugs": Measure(_ALONE, "count", _ran(_bugs)),
    "jax_objects": Measure(
        _ALONE, "truth", _at_the_end(lambda report, _: report.jax_checker.objects if report.jax_checker else None)
    ),
    "equations": Measure(_PRIMITIVE, "count", _reported(_equations)),
    "exchanges": Measure(_PRIMITIVE, "count", _reported(_exchanges)),
    "error": Measure(_ALONE, "text", _error),
    "printed": Measure(_ALONE, "count", _reported(_printed)),
    "same_as": Measure(_VARIANT, "truth", _same_as),
    "mentions": Measure(_TEXT, "truth", _mentions),
    "same_outputs": Measure(_ALONE, "truth", _same_outputs),
    "time": Measure(_CURVE, "seconds", _time),
    "ratio": Measure(_CURVES, "ratio", _ratio),
    "compile": Measure(_CURVE, "seconds", _compile),
    "compile_ratio": Measure(_CURVES, "ratio", _compile_ratio),
    "traces": Measure(_ALONE, "count", _of_traces("traces")),
    "compiles": Measure(_ALONE, "count", _of_traces("compiles")),
}
"""Every measure by its name; docs/writing-scenarios.md explains each."""
