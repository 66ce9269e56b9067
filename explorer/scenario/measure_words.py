"""Measures in words, in the language of the story: labels of choices, answers, figures inside sentences."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from explorer.figures.curves import seconds_text
from explorer.messages import Value
from explorer.scenario import conditions, measures
from explorer.scenario.measures import Evidence
from explorer.scenario.scenario import Texts
from explorer.text.josa import PARTICLES, josa

UNKNOWN = "…"
PLACEHOLDER = re.compile(r"\{\{(.+?)(?::(" + "|".join(PARTICLES) + r"))?\}\}")
"""A measure, and behind a colon the Korean particle that its value gets."""
TRUTH = {True: Texts("yes", "예"), False: Texts("no", "아니요")}
NO_ERROR = Texts("no error", "오류 없음")
TIMES = Texts("{} times", "{}배")
BETWEEN = Texts("{} to {} times", "{}~{}배")

COUNTS: dict[str, tuple[Texts, Texts]] = {
    "rows": (Texts("{n} row", "행 {n}개"), Texts("{n} rows")),
    "distinct_rows": (Texts("{n} distinct row", "서로 다른 행 {n}개"), Texts("{n} distinct rows")),
    "draws": (Texts("{n} draw", "난수를 {n}번 뽑음"), Texts("{n} draws")),
    "seeds": (Texts("{n} key made from a seed", "시드로 만든 key {n}개"), Texts("{n} keys made from a seed")),
    "splits": (
        Texts("{n} key split or folded", "split이나 fold_in으로 만든 key {n}개"),
        Texts("{n} keys split or folded"),
    ),
    "keys": (Texts("{n} {of} key", "{of} key {n}개"), Texts("{n} {of} keys")),
    "findings": (Texts("{n} {of} finding", "{of} {n}건"), Texts("{n} {of} findings")),
    "bugs": (Texts("{n} bug", "버그 {n}건"), Texts("{n} bugs")),
    "equations": (Texts("{n} {of} equation", "{of} 식 {n}개"), Texts("{n} {of} equations")),
    "exchanges": (Texts("{n} exchange", "장치 간 통신 {n}번"), Texts("{n} exchanges")),
    "printed": (Texts("{n} line printed", "출력된 줄 {n}개"), Texts("{n} lines printed")),
    "traces": (Texts("traced {n} time", "trace {n}번"), Texts("traced {n} times")),
    "compiles": (Texts("compiled {n} time", "컴파일 {n}번"), Texts("compiled {n} times")),
}
"""For one and for more, with the measure's argument as ``of``; Korean needs no second form."""
ARGUMENTS = {
    "fresh": "새",
    "split": "split한",
    "drawn": "한 번 뽑은",
    "reused": "재사용한",
    "shared": "여러 샘플이 공유한",
    "unused": "끝까지 안 쓰인",
    "orphan": "밖에서 온",
    "key-reuse": "key 재사용",
    "shared-noise": "노이즈 공유",
    "unused-key": "끝까지 안 쓰인 key",
    "out-of-bounds": "범위 밖 인덱스",
    "nan": "NaN과 inf",
    "silent-cast": "말없는 형 변환",
}
"""Korean for what a measure counts, where that is a word and no name of JAX's; English has the words themselves."""
EQUAL_ROWS = {
    True: Texts("rows {} and {} are equal", "{}번 행과 {}번 행은 같습니다"),
    False: Texts("rows {} and {} differ", "{}번 행과 {}번 행은 다릅니다"),
}
SAME_OUTPUTS = {
    True: Texts("the two outputs are equal", "두 출력은 같습니다"),
    False: Texts("the two outputs differ", "두 출력은 다릅니다"),
}


def figure(measure: str, value: Value | None, language: str) -> str:
    """Return `value` of `measure` as it stands inside a sentence or on a button: ``1,000``, ``3.1 ms``, ``yes``."""
    if value is None:
        return UNKNOWN
    if isinstance(value, bool):
        return TRUTH[value].text(language)
    if isinstance(value, str):
        return value or NO_ERROR.text(language)
    kind = conditions.gives(measure) if conditions.is_measure(measure) else "element"
    if kind == "seconds":
        return seconds_text(value)
    if kind == "ratio":
        return TIMES.text(language).format(f"{value:,}" if isinstance(value, int) else two_digits(value))
    return f"{value:,}" if isinstance(value, int) else _digits(value)


def _digits(value: float) -> str:
    """Return `value` with four digits that count, in full where a person would write it so."""
    if math.isnan(value):
        return "NaN"
    return f"{value:,.0f}" if 1e4 <= abs(value) < 1e9 else f"{value:.4g}"


def told(measure: str, value: Value | None, evidence: Evidence, language: str) -> str:
    """Return what `measure` says as a clause: ``rows 0 and 31 are equal``, ``1 distinct row``, ``yes, 3 bugs``."""
    condition = conditions.parse(measure)
    if condition is not None:
        word, found = figure("", value, language), measures.measure(condition.measure, evidence)
        counted = condition.measure.split()[0] in (*COUNTS, "error") and found is not None and value is not None
        return f"{word}, {told(condition.measure, found, evidence, language)}" if counted else word
    name, _, rest = measure.partition(" ")
    if name in COUNTS and isinstance(value, int):
        one, more = COUNTS[name]
        form = one if value == 1 or language != "en" else more
        of = rest if name in ("keys", "findings", "equations") else ""
        if language == "ko":
            of = ARGUMENTS.get(of, of or ("진단" if name == "findings" else ""))
        return " ".join(form.text(language).format(n=f"{value:,}", of=of).split())
    if name == "rows_equal" and isinstance(value, bool):
        return EQUAL_ROWS[value].text(language).format(*_row_numbers(rest, evidence))
    if name == "same_outputs" and isinstance(value, bool):
        return SAME_OUTPUTS[value].text(language)
    return figure(measure, value, language)


def times_told(measure: str, evidence: Evidence, language: str) -> str:
    """Return the times that `measure` is made of, with the interval of their ratio where there are two."""
    name, _, rest = measure.partition(" ")
    curves, _, at = rest.partition(" at ")
    kind, where = ("compile" if name.startswith("compile") else "time"), f" at {at}" if at else ""
    asked = [f"{kind} {curve}{where}" for curve in curves.split()]
    times = [figure(each, measures.measure(each, evidence), language) for each in asked]
    named = zip(measures.curves_of(f"{kind} {curves}"), times, strict=True)
    shown = ", ".join(f"{series.label} {time}" for series, time in named)
    if len(times) < 2:
        return shown
    ends = measures.measured_interval(measure, evidence)
    words = tuple(map(two_digits, ends)) if ends else ()
    middle = figure(measure, measures.measure(measure, evidence), language)
    return f"{shown}: {BETWEEN.text(language).format(*words) if len(set(words)) == 2 else middle}"


def fill_in(text: str, evidence: Evidence, language: str, known: Mapping[str, Value | None] | None = None) -> str:
    """Return `text` with each ``{{measure}}`` or ``{{parameter}}`` replaced by its value now, or by that in `known`."""
    return PLACEHOLDER.sub(_Filler(evidence, language, known or {}), text)


def two_digits(number: float) -> str:
    """Return `number` with two digits that count, and no exponent: ``170``, ``8.7``, ``0.45``."""
    rounded = float(f"{number:.2g}")
    places = max(0, 1 - math.floor(math.log10(abs(rounded)))) if rounded else 0
    return f"{rounded:,.{places}f}"


class _Filler:
    def __init__(self, evidence: Evidence, language: str, known: Mapping[str, Value | None]) -> None:
        self._evidence, self._language, self._known = evidence, language, known

    def __call__(self, found: re.Match[str]) -> str:
        name = found[1].strip()
        value = self._known[name] if name in self._known else conditions.meaning(name, self._evidence)
        shown = figure(name, None if value == name else value, self._language)
        if particle := found[2]:
            return f"{shown}{josa(shown, particle)}"
        # A count that is a sentence at the beginning of a line: Markdown would begin a list with it.
        line, after = found.string[: found.start()].rpartition("\n")[2], found.string[found.end() : found.end() + 1]
        return f"{shown}\\" if not line.strip() and shown.isdigit() and after in (".", ")") else shown


def _row_numbers(rest: str, evidence: Evidence) -> list[int]:
    """Return the two rows that `rest` ends with, counted from the first one."""
    name, *places = re.fullmatch(r"(.*?)\s*(-?\d+)\s+(-?\d+)", rest).groups()  # type: ignore[union-attr]
    rows = measures.measure(f"rows {name}", evidence)
    count = rows if isinstance(rows, int) else 0
    return [place + count if place < 0 else place for place in map(int, places)]
