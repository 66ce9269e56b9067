"""Solutions of exercises, right ones and wrong ones: each right one is marked as done, and no wrong one.

``solutions`` has a file for each chapter. Below ``# == LESSON`` are its solutions in cells, ``# %% wrong 1: 50 steps``:
what is in a cell replaces the functions and values of the same names in the lesson's code. The number is that of the
exercise. Of right solutions whose measures are all the same, and of wrong ones that miss the same conditions, there is
one; nor is there one that misses those and others besides: it is refused wherever the one that misses fewer is.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from explorer.commands import lesson_check
from explorer.commands.lesson_check import Run
from explorer.diagnostics.registry import checks
from explorer.scenario import packages, requests
from explorer.scenario.code_inputs import input_parameters
from explorer.scenario.scenario import Exercise, Scenario
from explorer.scenario.step_states import opening, walk
from tests.scenarios.code_run import SCENARIOS, each_scenario, in_turn

LESSON = re.compile(r"^# == (\w+)$", re.MULTILINE)
TEXTS = [path.read_text(encoding="utf-8") for path in sorted(Path(__file__).with_name("solutions").glob("*.py"))]
PARTS = [part for text in TEXTS for part in LESSON.split(text)[1:]]
CELLS = dict(zip(PARTS[::2], PARTS[1::2], strict=True))
WITH_SOLUTIONS = sorted(CELLS)
CELL = re.compile(r"^# %% (right|wrong) (\d+): (.+)$", re.MULTILINE)


class Solution(NamedTuple):
    """One solution of an exercise."""

    verdict: str
    exercise: int
    """Counted from 1."""
    title: str
    code: str


def solutions(lesson: str) -> list[Solution]:
    """Return the solutions of `lesson`."""
    _, *parts = CELL.split(CELLS[lesson])
    cells = zip(parts[0::4], parts[1::4], parts[2::4], parts[3::4], strict=True)
    return [Solution(verdict, int(number), title, code) for verdict, number, title, code in cells]


def solved(source: str, code: str) -> str:
    """Return `source` with its functions and values replaced by those of the same name in `code`; the rest is added."""
    lines, added = source.splitlines(), []
    places = {name: node for node in ast.parse(source).body for name in names(node)}
    texts = []
    for node in ast.parse(code).body:
        text = "\n".join(code.splitlines()[first_line(node) - 1 : node.end_lineno])
        old = next((places[name] for name in names(node) if name in places), None)
        texts.append((old, text))
    for old, text in sorted(texts, key=lambda each: -first_line(each[0]) if each[0] else 0):
        if old is None:
            added.append(text)
        else:
            lines[first_line(old) - 1 : old.end_lineno] = text.splitlines()
    imports = [each for each in added if each.startswith(("import ", "from "))]
    others = [each for each in added if each not in imports]
    first = next(number for number, line in enumerate(lines) if line.startswith(("import ", "from ")))
    define = next((number for number, line in enumerate(lines) if line.startswith(("def ", "@", "class "))), len(lines))
    return "\n".join([*lines[:first], *imports, *lines[first:define], *others, "", "", *lines[define:], ""])


def names(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign):
        return [each.id for each in node.targets if isinstance(each, ast.Name)]
    return []


def first_line(node: ast.stmt) -> int:
    return min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])


def further_runs(exercise: Exercise) -> dict[str, bool]:
    """Return the runs beyond the first one that the measures of `exercise` need, as fields of a request."""
    text = " ".join(exercise.done)
    kinds = re.findall(r"findings ([\w-]+)", text)
    needs_all = "bugs" in text or any(checks()[each].part != "keys" for each in kinds)
    traces = needs_all or any(each in text for each in ("traces", "compiles"))
    return {"draws": " draw " in text, "traces": traces, "value_checks": needs_all}


def marked(lesson: Scenario, solution: Solution, run: Run) -> lesson_check.ExerciseMark:
    """Return the mark of the exercise of `solution`, as a teacher gets it."""
    exercise = lesson.exercises[solution.exercise - 1]
    alone = msgspec.structs.replace(lesson, exercises=(exercise,))
    last = (walk(lesson) or (opening(lesson),))[-1]
    compared = (exercise.variant, last.compare) if "same_outputs" in " ".join(exercise.done) else (exercise.variant,)
    source = solved(lesson.source, solution.code)
    defaults = input_parameters(source)
    changed = {name: value for name, value in last.parameters.items() if defaults.get(name, value) != value}
    found = []
    for parameters in ({}, changed):
        request = msgspec.structs.replace(
            requests.analysis(lesson),
            source=source,
            variants=tuple(filter(None, compared)),
            parameters=parameters,
            jax_checker=last.jax_checker,
            # As in the trials, of which the first one may be the same run.
            run=0,
            original="",
            fixes=False,
            finding_fixes=False,
            **further_runs(exercise),
        )
        found += lesson_check.marks(alone, request, run(request), run)
        if found[-1].word != lesson_check.NOT_DONE:
            break
    return min(found, key=lambda mark: mark.word == lesson_check.NOT_DONE)


@pytest.mark.process
@pytest.mark.parametrize("lesson", [pytest.param(name, marks=in_turn(n, 8)) for n, name in enumerate(WITH_SOLUTIONS)])
def test_right_solutions_are_done_and_wrong_ones_are_not(lesson: str, run: Run) -> None:
    scenario = SCENARIOS[lesson]
    if packages.missing(scenario):
        pytest.skip(str(packages.sentence(scenario)))
    misjudged = {}
    for each in solutions(lesson):
        mark = marked(scenario, each, run)
        if (mark.word != lesson_check.NOT_DONE) != (each.verdict == "right"):
            misjudged[f"{each.verdict} {each.exercise}: {each.title}"] = mark
    assert not misjudged


@each_scenario
def test_every_exercise_has_right_solutions_and_wrong_ones(scenario: Scenario) -> None:
    known = {(each.verdict, each.exercise) for each in solutions(scenario.id)}
    numbers = range(1, len(scenario.exercises) + 1)
    assert {(verdict, number) for verdict in ("right", "wrong") for number in numbers} <= known
