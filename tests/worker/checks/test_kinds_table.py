"""The table of findings by JAX's flags and by ours, which ``python -m benchmarks.key_checker`` prints, is kept."""

from __future__ import annotations

import pytest

from benchmarks import kinds

pytestmark = pytest.mark.filterwarnings("ignore:Explicitly requested dtype")

KINDS = {(each.name, each.flag): each for each in kinds.kinds()}


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: f"{kind.name} {kind.flag}")
def test_one_of_each_sort_is_judged(kind: kinds.Kind) -> None:
    first = next(each for each in kind.cases if each.is_broken)
    last = next(each for each in reversed(kind.cases) if not each.is_broken)
    assert (first.find(), last.find()) == (True, False)


@pytest.mark.rest
def test_reports_of_jax_are_distinguished() -> None:
    leaks = KINDS["leaked-tracer", "jax_check_tracer_leaks"]
    assert leaks.ask is not None
    named = {each.name: each for each in leaks.cases}
    assert leaks.ask(named["a global that nobody reads"].program)
    assert not leaks.ask(named["eagerly"].program)


@pytest.mark.parametrize(
    ("answer", "is_broken", "missed", "alarm"),
    [
        (True, True, False, False),
        (False, True, True, False),
        ("fails", True, True, False),
        (None, True, False, False),
        (True, False, False, True),
        (False, False, False, False),
        ("fails", False, False, False),
    ],
)
def test_a_verdict_is_compared_with_the_truth(
    answer: bool | str | None, is_broken: bool, missed: bool, alarm: bool
) -> None:
    case = kinds.Case("a program", is_broken, lambda: None, lambda: False)
    assert (kinds.is_missed(answer, case), kinds.is_false_alarm(answer, case)) == (missed, alarm)
